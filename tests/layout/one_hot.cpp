// SPDX-License-Identifier: MIT
#include "tests/layout/one_hot.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <regex>

#include "common/format/format_id.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

constexpr unsigned kMostPlaces = 64 * 32;  // of an operand of 16-bit elements and more: half of it at most

// Formats of at most 8 bits: every finite code but the zeros, 1 first.
Numerals small_numerals(mfma::Format format) {
  Numerals all;
  for (uint64_t code = 0; code < uint64_t{1} << mfma::format_bits(format); ++code) {
    const double value = decode_f64(format, code);
    if (value == 0 || !std::isfinite(value)) continue;
    all.codes.push_back(code);
    all.values.push_back(value);
  }
  const auto one = std::find(all.values.begin(), all.values.end(), 1.0) - all.values.begin();
  std::swap(all.codes[0], all.codes[static_cast<size_t>(one)]);
  std::swap(all.values[0], all.values[static_cast<size_t>(one)]);
  return all;
}

// The codes that follow 1 (16 bits), or those of 1, 2, 3 ...
Numerals large_numerals(mfma::Format format) {
  Numerals all;
  for (unsigned n = 0; n < kMostPlaces; ++n) {
    const uint64_t code = format == mfma::Format::f64 ? std::bit_cast<uint64_t>(1.0 + n)
                          : format == mfma::Format::f32
                              ? std::bit_cast<uint32_t>(1.0f + static_cast<float>(n))
                          : format == mfma::Format::f16 ? 0x3c00u + n
                                                        : 0x3f80u + n;
    all.codes.push_back(code);
    all.values.push_back(decode_f64(format, code));
  }
  return all;
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return text;
}
std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return result;
}

// "v_mfma_scale_f32_16x16x128_f8f6f4": M, N, K and, before a "b", the blocks.
bool parse_mnemonic(const std::string& mnemonic, MatrixSize& size) {
  static const std::regex kSize(
      "v_(?:mfma|smfmac)(?:_scale)?_[fi][0-9]+_([0-9]+)x([0-9]+)x([0-9]+)(?:_([0-9]+)b)?_.*");
  std::smatch match;
  if (!std::regex_match(mnemonic, match, kSize)) return false;
  size = {std::stoul(match[1]), std::stoul(match[2]), std::stoul(match[3]),
          match[4].matched ? std::stoul(match[4]) : 1};
  return true;
}

}  // namespace

const Numerals& numerals(mfma::Format format) {
  static std::array<Numerals, std::size(kFormats)> known;
  Numerals& of_format = known[static_cast<size_t>(format)];
  if (of_format.codes.empty())
    of_format = mfma::format_bits(format) <= 8 ? small_numerals(format) : large_numerals(format);
  return of_format;
}

uint64_t code_of(mfma::Format format, double value) {
  const uint64_t code = format == mfma::Format::i8 ? static_cast<uint8_t>(static_cast<int8_t>(value))
                                                   : encode(format, value, Overflow::ieee);
  if (decode_f64(format, code) != value)
    throw Error(fmt::format("{} has no {}", wavetwin::to_string(format), value));
  return code;
}

void write_bits(uint32_t* registers, const mfma::Place& place, unsigned bits, uint64_t code) {
  for (unsigned done = 0; done < bits;) {  // at most two registers
    const unsigned bit = place.bit + done, count = std::min(bits - done, 32 - bit % 32);
    uint32_t& word = registers[bit / 32 * 64 + place.lane];
    const uint32_t mask = (count == 32 ? ~0u : (1u << count) - 1) << (bit % 32);
    word = (word & ~mask) | (static_cast<uint32_t>(code >> done) << (bit % 32) & mask);
    done += count;
  }
}

std::string place_text(const OperandMap& map, unsigned number) {
  const mfma::Place place = place_of(map, number);
  std::string elements;
  for (unsigned n = 0; n < map.places.size(); ++n) {
    if (map.places[n] == place) elements += (elements.empty() ? "" : ", ") + element_text(map, n);
  }
  return fmt::format("{} ({})", place_text(place.lane, place.bit, map.bits),
                     elements.empty() ? "no element of " + map.name : elements);
}

void OneHotWave::load(unsigned first, const Registers& words) {
  if (!words.empty()) std::memcpy(vgpr(first), words.data(), words.size() * sizeof words[0]);
}

std::vector<uint32_t> encode_matrix(const std::string& instruction, const MatrixEncoding& f) {
  const isa::Row& row = test::row_named(upper(instruction));
  const bool scaled = row.format == isa::Format::vop3px, sparse = row.has(isa::TIED);
  const unsigned src2 = sparse ? OneHotWave::kIndex : OneHotWave::kC;
  const uint32_t abid = scaled ? 1 : f.abid;
  std::vector<uint32_t> dwords{
      0xd3800000u | uint32_t{row.opcode} << 16 | f.cbsz << 8 | abid << 11 | OneHotWave::kD,
      test::vgpr_code(OneHotWave::kA) | test::vgpr_code(OneHotWave::kB) << 9 | test::vgpr_code(src2) << 18 |
          f.blgp << 29};
  if (!scaled) return dwords;
  const uint32_t prefix[] = {0xd3ac0000u | (f.opsel_a & 1) << 11 | (f.opsel_b & 1) << 12,
                             test::vgpr_code(OneHotWave::kScaleA) |
                                 test::vgpr_code(OneHotWave::kScaleB) << 9 | (f.opsel_a >> 1) << 27 |
                                 (f.opsel_b >> 1) << 28};
  dwords.insert(dwords.begin(), std::begin(prefix), std::end(prefix));
  return dwords;
}

ExpectedOutput::ExpectedOutput(const RegisterMap& map)
    : d_(map.operand("D")), integers_(map.instruction.find("_i32_") != std::string::npos) {
  // A sum of nothing but -0 is -0: f64 shapes that change the sign of the products and of C.
  const bool products_negative = map.operand("A").negated != map.operand("B").negated;
  const uint64_t zero = code(products_negative && map.operand("C").negated ? -0.0 : 0.0);
  words_.resize(OneHotWave::kOutputs);
  for (auto& vgpr : words_) vgpr.fill(OneHotWave::kPoison);
  rest_ = words_;
  for (unsigned element = 0; element < d_.places.size(); ++element) rest(element, zero);
}

uint64_t ExpectedOutput::code(double value) const {
  if (d_.bits == 64) return std::bit_cast<uint64_t>(value);
  if (integers_) return static_cast<uint32_t>(static_cast<int32_t>(value));
  return std::bit_cast<uint32_t>(static_cast<float>(value));
}

void ExpectedOutput::rest(unsigned element, uint64_t code) {
  write_bits(rest_.data()->data(), d_.places[element], d_.bits, code);
  write_bits(words_.data()->data(), d_.places[element], d_.bits, code);
}

void ExpectedOutput::set(unsigned element, uint64_t code) {
  write_bits(words_.data()->data(), d_.places[element], d_.bits, code);
  set_.push_back(element);
}

void ExpectedOutput::clear() {
  for (const unsigned element : set_) {
    const mfma::Place& place = d_.places[element];
    for (unsigned r = place.vgpr(); r < place.vgpr() + d_.bits / 32; ++r)
      words_[r][place.lane] = rest_[r][place.lane];
  }
  set_.clear();
}

bool ExpectedOutput::equals(OneHotWave& wave) const {
  return std::memcmp(wave.vgpr(OneHotWave::kD), words_.data(), words_.size() * sizeof words_[0]) == 0;
}

uint64_t ExpectedOutput::read(OneHotWave& wave, unsigned element) const {
  const mfma::Place& place = d_.places[element];
  const unsigned r = OneHotWave::kD + place.vgpr();
  const uint64_t low = wave.vgpr(r)[place.lane];
  return d_.bits == 64 ? low | uint64_t{wave.vgpr(r + 1)[place.lane]} << 32 : low;
}

std::string ExpectedOutput::difference(OneHotWave& wave, unsigned& element) const {
  for (element = 0; element < d_.places.size(); ++element) {
    const mfma::Place& place = d_.places[element];
    const uint64_t got = read(wave, element);
    uint64_t want = words_[place.vgpr()][place.lane];
    if (d_.bits == 64) want |= uint64_t{words_[place.vgpr() + 1][place.lane]} << 32;
    if (got != want)
      return fmt::format("{} in {} is {:#x}, expected {:#x}", element_text(d_, element),
                         place_text(place.lane, place.bit, d_.bits), got, want);
  }
  for (unsigned r = d_.vgprs; r < OneHotWave::kOutputs; ++r)
    for (unsigned lane = 0; lane < 64; ++lane) {
      const uint32_t got = wave.vgpr(OneHotWave::kD + r)[lane];
      if (got != OneHotWave::kPoison)
        return fmt::format("v{}{{{}}} behind D was written: {:#x}", r, lane, got);
    }
  return "";
}

MatrixSize size_of_mnemonic(std::string_view mnemonic) {
  MatrixSize size;
  if (!parse_mnemonic(std::string(mnemonic), size)) throw Error("no size in " + std::string(mnemonic));
  return size;
}

std::vector<std::string> executed_mnemonics(std::string_view prefix) {
  std::vector<std::string> names;
  MatrixSize size;
  for (const isa::Row& row : isa::rows()) {
    const std::string name = lower(row.name);
    if (row.implemented && name.starts_with(prefix) && parse_mnemonic(name, size)) names.push_back(name);
  }
  return names;
}

}  // namespace wavetwin::golden
