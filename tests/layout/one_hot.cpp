// SPDX-License-Identifier: MIT
#include "tests/layout/one_hot.h"

#include <fmt/format.h>

#include <array>
#include <bit>

namespace wavetwin::golden {
namespace {

// One pass: what a place of the operand holds. kOnes: 1 everywhere; else 2 where the bit of its number is
// set.
constexpr int kOnes = -1;
unsigned value_at(const OperandMap& map, const mfma::Place& place, int bit) {
  return bit != kOnes && (place_number(map, place) >> bit & 1) ? 2 : 1;
}
uint64_t code_at(const OperandMap& map, const mfma::Place& place, int bit, SmallCodes codes) {
  return value_at(map, place, bit) == 2 ? codes.two : codes.one;
}

// B with every place filled, once a pass: index 0 for kOnes, 1 + bit for a bit.
std::vector<Registers> filled_images(const OperandMap& map, SmallCodes codes) {
  std::vector<Registers> images;
  for (int bit = kOnes; bit < static_cast<int>(place_bits(map)); ++bit) {
    OperandImage image(map);
    for (const mfma::Place& place : map.places) image.set(place, code_at(map, place, bit, codes));
    images.push_back(image.words());
  }
  return images;
}

uint64_t read(OneHotWave& wave, const OperandMap& map, const mfma::Place& place) {
  const unsigned r = OneHotWave::kD + place.vgpr();
  const uint64_t low = wave.v(r, place.lane);
  return map.bits == 64 ? low | uint64_t{wave.v(r + 1, place.lane)} << 32 : low;
}

// Every register of D; `expected` by element number, as codes.
std::string compare_d(const RegisterMap& map, OneHotWave& wave, const std::vector<uint64_t>& expected) {
  const OperandMap& d = map.operand("D");
  for (unsigned n = 0; n < d.places.size(); ++n) {
    const uint64_t got = read(wave, d, d.places[n]), want = expected[n];
    if (got == want) continue;
    return fmt::format("{}: {} in {} is {:#x}, expected {:#x}", map.instruction, element_text(d, n),
                       place_text(d.places[n].lane, d.places[n].bit, d.bits), got, want);
  }
  return "";
}

// The codes in D of 0..4, with the sign that the product of A and B has.
std::array<uint64_t, 5> product_codes(const RegisterMap& map) {
  const int sign = map.operand("A").negated != map.operand("B").negated ? -1 : 1;
  std::array<uint64_t, 5> codes{};
  for (int v = 0; v < 5; ++v) codes[static_cast<size_t>(v)] = output_code(map, sign * v);
  return codes;
}

void clear_d(const RegisterMap& map, OneHotWave& wave) {
  const Registers zeros(map.operand("D").vgprs);
  wave.load(OneHotWave::kD, zeros);
}

// The passes of one set of routes; the images of B are made once an instruction.
std::string run_passes(const RegisterMap& map, OneHotWave& wave, const std::vector<Route>& routes,
                       SmallCodes a_codes, const std::vector<Registers>& b_images, size_t& runs) {
  const OperandMap &a = map.operand("A"), &b = map.operand("B");
  const int a_bits = static_cast<int>(place_bits(a)), b_bits = static_cast<int>(b_images.size()) - 1;
  const std::array<uint64_t, 5> codes = product_codes(map);
  std::vector<uint64_t> expected(routes.size());
  for (int pass = kOnes; pass < a_bits + b_bits; ++pass) {
    const int a_bit = pass < a_bits ? pass : kOnes, b_bit = pass < a_bits ? kOnes : pass - a_bits;
    OperandImage image(a);
    for (size_t n = 0; n < routes.size(); ++n) {
      const mfma::Place &pa = a.places[routes[n].a], &pb = b.places[routes[n].b];
      const bool set_before = n > 0 && routes[n].a == routes[n - 1].a;  // the same row of D
      if (!set_before) image.set(pa, code_at(a, pa, a_bit, a_codes));
      expected[n] = codes[value_at(a, pa, a_bit) * value_at(b, pb, b_bit)];
    }
    wave.load(OneHotWave::kA, image.words());
    wave.load(OneHotWave::kB, b_images[static_cast<size_t>(b_bit + 1)]);
    clear_d(map, wave);
    wave.run();
    ++runs;
    const std::string difference = compare_d(map, wave, expected);
    if (!difference.empty()) return difference + fmt::format(" (bit {} of A, {} of B)", a_bit, b_bit);
  }
  return "";
}

}  // namespace

SmallCodes small_codes(mfma::Format format) {
  switch (format) {
    case mfma::Format::e4m3:
      return {0x38, 0x40};
    case mfma::Format::e5m2:
      return {0x3c, 0x40};
    case mfma::Format::e2m3:
      return {0x08, 0x10};
    case mfma::Format::e3m2:
      return {0x0c, 0x10};
    case mfma::Format::e2m1:
      return {0x2, 0x4};
    case mfma::Format::bf16:
      return {0x3f80, 0x4000};
    case mfma::Format::f16:
      return {0x3c00, 0x4000};
    case mfma::Format::f32:
      return {0x3f800000, 0x40000000};
    case mfma::Format::f64:
      return {0x3ff0000000000000, 0x4000000000000000};
    default:
      return {1, 2};  // i8
  }
}

void OperandImage::set(const mfma::Place& place, uint64_t code) {
  const auto put = [&](unsigned bit, unsigned bits, uint64_t value) {
    uint32_t& word = words_[bit / 32][place.lane];
    const uint32_t mask = (bits == 32 ? ~0u : (1u << bits) - 1) << (bit % 32);
    word = (word & ~mask) | (static_cast<uint32_t>(value) << (bit % 32) & mask);
  };
  for (unsigned done = 0; done < map_.bits;) {  // at most two registers
    const unsigned bit = place.bit + done, bits = std::min(map_.bits - done, 32 - bit % 32);
    put(bit, bits, code >> done);
    done += bits;
  }
}

void OneHotWave::load(unsigned first, const Registers& words) {
  for (unsigned r = 0; r < words.size(); ++r)
    for (unsigned lane = 0; lane < 64; ++lane) wave_.v(first + r, lane) = words[r][lane];
}

std::vector<uint32_t> encode_matrix(const std::string& instruction, const MatrixEncoding& f) {
  std::string name = instruction;
  for (char& c : name) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  const isa::Row& row = test::row_named(name);
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

uint64_t output_code(const RegisterMap& map, int value) {
  if (map.operand("D").bits == 64) return std::bit_cast<uint64_t>(static_cast<double>(value) + 0.0);
  if (map.instruction.find("_i32_") != std::string::npos) return static_cast<uint32_t>(value);
  return std::bit_cast<uint32_t>(static_cast<float>(value) + 0.0f);
}

std::string compare_routes(const RegisterMap& map, OneHotWave& wave, const std::vector<Route>& routes,
                           SmallCodes a_codes, SmallCodes b_codes, size_t& runs) {
  return run_passes(map, wave, routes, a_codes, filled_images(map.operand("B"), b_codes), runs);
}

std::string compare_by_k(const RegisterMap& map, OneHotWave& wave, SmallCodes a_codes, SmallCodes b_codes,
                         size_t& runs) {
  const OperandMap &a = map.operand("A"), &b = map.operand("B"), &d = map.operand("D");
  const std::vector<Registers> b_images = filled_images(b, b_codes);
  std::vector<Route> routes(d.places.size());
  for (unsigned k = 0; k < map.k; ++k) {
    for (unsigned n = 0; n < routes.size(); ++n) {
      const OperandMap::Element e = d.element(n);
      routes[n] = {a.number(e.row, k, e.block), b.number(k, e.column, e.block)};
    }
    const std::string difference = run_passes(map, wave, routes, a_codes, b_images, runs);
    if (!difference.empty()) return difference + fmt::format(", k {}", k);
  }
  return "";
}

std::string compare_single(const RegisterMap& map, OneHotWave& wave, SmallCodes a_codes, SmallCodes b_codes,
                           size_t& runs) {
  const OperandMap &a = map.operand("A"), &b = map.operand("B"), &d = map.operand("D");
  const std::vector<Registers> b_images = filled_images(b, b_codes);
  const std::array<uint64_t, 5> codes = product_codes(map);
  const auto readers = a.elements_by_slot();
  for (unsigned slot = 0; slot < readers.size(); ++slot) {
    const mfma::Place place{static_cast<uint8_t>(slot / a.slots()),
                            static_cast<uint16_t>(slot % a.slots() * a.bits)};
    OperandImage image(a);
    image.set(place, a_codes.one);
    wave.load(OneHotWave::kA, image.words());
    for (size_t pass = 0; pass < b_images.size(); ++pass) {
      std::vector<uint64_t> expected(d.places.size(), codes[0]);
      for (const unsigned reader : readers[slot]) {
        const OperandMap::Element e = a.element(reader);  // column is k
        for (unsigned j = 0; j < d.columns; ++j) {
          const mfma::Place& pb = b.place(e.column, j, e.block);
          expected[d.number(e.row, j, e.block)] = codes[value_at(b, pb, static_cast<int>(pass) - 1)];
        }
      }
      wave.load(OneHotWave::kB, b_images[pass]);
      wave.run();
      ++runs;
      const std::string difference = compare_d(map, wave, expected);
      if (!difference.empty())
        return difference + fmt::format(", A is 1 in {}", place_text(place.lane, place.bit, a.bits));
    }
  }
  return "";
}

std::string compare_c(const RegisterMap& map, OneHotWave& wave) {
  const OperandMap &c = map.operand("C"), &d = map.operand("D");
  OperandImage image(c);
  for (const mfma::Place& place : c.places)
    image.set(place, output_code(map, 1 + static_cast<int>(place_number(c, place))));
  wave.load(OneHotWave::kC, image.words());
  wave.load(OneHotWave::kA, Registers(map.operand("A").vgprs));
  wave.run();
  std::vector<uint64_t> expected;
  for (unsigned n = 0; n < d.places.size(); ++n) {
    const int value = 1 + static_cast<int>(place_number(c, c.places[n]));
    expected.push_back(output_code(map, c.negated ? -value : value));
  }
  const std::string difference = compare_d(map, wave, expected);
  wave.load(OneHotWave::kC, Registers(c.vgprs));
  return difference;
}

}  // namespace wavetwin::golden
