// SPDX-License-Identifier: MIT
#include "tests/isa/valu/row_bench.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>

namespace wavetwin::test {

using namespace isa;
namespace ref = reference;

namespace {

constexpr unsigned kVcc = 106;

ref::OperandShape shape_of(OperandType type) {
  ref::OperandShape s;
  s.registers = type == LANES ? 0 : static_cast<int>(operand_dwords(type));
  s.floating = is_float(type);
  s.brain = type == BF16 || type == BF16X2;
  s.lane_bit = type == LANES;
  if (type >= B16 && type <= BF16) s.width = 16;
  if (type >= B32 && type <= F32) s.width = 32;
  if (type >= B64 && type <= F64) s.width = 64;
  if (type >= B16X2 && type <= BF16X2) s.width = 16, s.elements = 2;
  if (type == B32X2 || type == F32X2) s.width = 32, s.elements = 2;
  return s;
}

bool has_literal(const Row& row) {
  return row.format == Format::vop2 && row.src[2] != NONE && row.src[2] != LANES;
}
bool literal_is_second(const Row& row) { return row.name == "V_FMAMK_F32" || row.name == "V_MADMK_F16"; }

// --- results of approximations

double small_number(uint64_t c, const ref::Spec& s) {
  const ref::Parts p = ref::parts(s, c);
  return std::ldexp(p.negative ? -static_cast<double>(p.integer) : static_cast<double>(p.integer),
                    p.exponent);
}

// The codes at most `ulp` away, and zero for the smallest normal number, which may flush.
std::vector<uint32_t> neighbours(const ref::Spec& s, uint32_t code, unsigned ulp) {
  std::vector<uint32_t> out{code};
  if (ref::nan(s, code)) return out;
  const uint64_t magnitude = ref::mag(s, code), sign = code & s.sign();
  for (uint64_t d = 1; d <= ulp; ++d) {
    if (magnitude >= d) out.push_back(static_cast<uint32_t>(sign | (magnitude - d)));
    if (magnitude + d <= s.infinity()) out.push_back(static_cast<uint32_t>(sign | (magnitude + d)));
  }
  if (magnitude >> s.fraction_bits == 1) out.push_back(static_cast<uint32_t>(sign));
  return out;
}

bool within(uint32_t got, uint32_t want, double absolute, const ref::Spec& s) {
  const bool finite = !ref::nan(s, got) && !ref::inf(s, got) && !ref::nan(s, want) && !ref::inf(s, want);
  return finite && absolute > 0 && std::fabs(small_number(got, s) - small_number(want, s)) <= absolute;
}

std::string hex(const ref::OperandWords& words) {
  return fmt::format("{:08x} {:08x} {:08x} {:08x}", words[0], words[1], words[2], words[3]);
}

}  // namespace

ref::Shape shape_of(const Row& row) {
  ref::Shape s;
  s.result = shape_of(row.dst[0]);
  for (unsigned i = 0; i < 3; ++i) {
    s.source[i] = shape_of(row.src[i]);
    s.signs[i] = row.has(MOD0 << i);
  }
  s.op_sel_halves = row.has(OPSEL);
  s.mix = row.has(MIX);
  if (row.name == "V_DOT2C_F32_BF16") s.abs_is_neg_hi = ref::Shape::AbsIsNegHi::always;
  if (row.name == "V_DOT2C_F32_F16") s.abs_is_neg_hi = ref::Shape::AbsIsNegHi::by_option;
  if (row.name == "V_MAD_MIXLO_F16") s.fixed_half = 0;
  if (row.name == "V_MAD_MIXHI_F16") s.fixed_half = 1;
  return s;
}

bool is_lane_row(const Row& row) {
  const bool vector = row.format == Format::vop1 || row.format == Format::vop2 ||
                      row.format == Format::vopc || row.format == Format::vop3 || row.format == Format::vop3p;
  return vector && row.implemented && !row.expression.starts_with("exec_");
}

unsigned source_count(const Row& row) {
  unsigned n = 0;
  while (n < 3 && row.src[n] != NONE) ++n;
  return n;
}

uint64_t seed_of(const Row& row) {
  uint64_t h = 1469598103934665603ull;
  for (char c : row.name) h = (h ^ static_cast<uint8_t>(c)) * 1099511628211ull;
  return h;
}

RowBench::RowBench(const Row& row, uint64_t seed, bool finite) : row_(row), shape_(shape_of(row)) {
  const auto oracle = ref::valu_oracle().find(std::string(row.name));
  REQUIRE_MESSAGE(oracle != ref::valu_oracle().end(), std::string(row.name));
  oracle_ = &oracle->second;
  Random random(seed);
  prepare(random, finite);
}

void RowBench::prepare(Random& random, bool finite) {
  WaveState& state = wave_.state;
  for (unsigned i = 0; i < kVgprs * 64; ++i) {
    state.vgprs[i] = static_cast<uint32_t>(random());
    state.agprs[i] = static_cast<uint32_t>(random());
  }
  for (uint32_t& s : state.scalar) s = static_cast<uint32_t>(random());
  const unsigned sources = source_count(row_);
  const auto fill = [&](OperandType type, unsigned first, unsigned lane) {
    uint32_t words[32];
    const unsigned n = type == LANES ? 0 : operand_dwords(type);
    do {
      fill_operand(random, type, words, n);
    } while (finite && has_special(type, words));
    for (unsigned r = 0; r < n; ++r) wave_.v(first + r, lane) = words[r];
  };
  for (unsigned lane = 0; lane < 64; ++lane) {
    for (unsigned i = 0; i < sources; ++i) fill(row_.src[i], kSrc[i], lane);
    if (row_.has(TIED)) fill(row_.dst[0], kDst, lane);
    // Equal operands are rare by chance (v_div_scale compares its first with the two others).
    const unsigned copy = 1 + static_cast<unsigned>(random.below(4));
    if (copy > 2 || row_.src[copy] != row_.src[0] || row_.src[0] == LANES) continue;
    for (unsigned r = 0; r < operand_dwords(row_.src[0]); ++r) {
      wave_.v(kSrc[copy] + r, lane) = wave_.v(kSrc[0] + r, lane);
    }
  }
  if (has_literal(row_)) {
    literal_source_ = literal_is_second(row_) ? 1 : 2;
    fill_operand(random, row_.src[1], &literal_, 1);
  }
  uint32_t pair[2] = {static_cast<uint32_t>(random()), static_cast<uint32_t>(random())};
  const OperandType scalar = row_.src[0];
  if (scalar != LANES && operand_dwords(scalar) <= 2)
    fill_operand(random, scalar, pair, operand_dwords(scalar));
  state.scalar[kScalar] = pair[0];
  state.scalar[kScalar + 1] = pair[1];
  scalars_ = state.scalar;
  before_.assign(state.vgprs, state.vgprs + kVgprs * 64);
  agprs_.assign(state.agprs, state.agprs + kVgprs * 64);
}

unsigned RowBench::mask_pair(const Setup& setup) const {
  const bool named = setup.coding == ref::Coding::vop3 ||
                     (setup.coding == ref::Coding::sdwa && setup.named_mask && row_.format == Format::vopc);
  return named ? kMaskResult : kVcc;
}

std::vector<uint32_t> RowBench::encoding(const Setup& setup) const {
  Encoding e;
  static_cast<ref::Modifiers&>(e) = setup;
  e.dst = dst(setup);
  e.sdst = mask_pair(setup);
  for (unsigned i = 0; i < source_count(row_); ++i) {
    e.src[i] = row_.src[i] == LANES   ? kMaskSource
               : setup.scalar[i] != 0 ? setup.scalar[i]
                                      : vgpr_code(kSrc[i]);
  }
  const bool literal = literal_source_ >= 0 && setup.coding == ref::Coding::short_form;
  if (literal && literal_is_second(row_)) e.src[1] = vgpr_code(kSrc[2]);
  std::vector<uint32_t> code = encode(row_, e);
  if (literal) code.push_back(literal_);
  return code;
}

void RowBench::restore(const Setup& setup) {
  WaveState& state = wave_.state;
  std::memcpy(state.vgprs + written_ * 64, &before_[written_ * 64], result_dwords() * 256);
  written_ = dst(setup);
  state.scalar = scalars_;
  state.set_exec(setup.exec);
  state.mode.bits = setup.mode;
}

ref::LaneInput RowBench::lane_input(const Setup& setup, unsigned lane, int from) const {
  ref::LaneInput in;
  in.mode = {setup.mode, setup.choices};
  for (unsigned i = 0; i < source_count(row_); ++i) {
    ref::OperandWords& words = in.source[i];
    const unsigned code = setup.scalar[i];
    for (unsigned r = 0; r < static_cast<unsigned>(shape_.source[i].registers); ++r) {
      const int source_lane = i == 0 ? from : static_cast<int>(lane);
      words[r] = source_lane < 0 ? 0 : old(kSrc[i] + r, static_cast<unsigned>(source_lane));
      if (code == kScalar) words[r] = scalars_[kScalar + r];
    }
    if (code >= 128) words = ref::inline_constant(shape_.source[i], code);
    if (static_cast<int>(i) == literal_source_ && setup.coding == ref::Coding::short_form)
      words[0] = literal_;
    ref::modify_source(shape_, setup, i, in.mode, words);
  }
  for (unsigned r = 0; r < result_dwords(); ++r) in.old[r] = old(dst(setup) + r, lane);
  in.old[0] = ref::old_operand(shape_, setup, in.old[0]);
  const auto mask = [&](unsigned pair) { return (scalars_[pair + lane / 32] >> lane % 32 & 1) != 0; };
  in.vcc = mask(kVcc);
  in.mask_source = setup.coding == ref::Coding::vop3 ? mask(kMaskSource) : in.vcc;
  in.lane = lane;
  in.op_sel = setup.op_sel;
  in.truth_table = setup.table;
  in.clamp = setup.clamp;
  return in;
}

RowBench::Answer RowBench::answer(const Setup& setup, unsigned lane, int from) const {
  const ref::LaneInput in = lane_input(setup, lane, from);
  const ref::LaneResult result = (*oracle_)(in);
  Answer a{true, result.mask, result.ulp, result.absolute, result.d, result.d};
  ref::modify_result(shape_, setup, in.mode, a.d);
  return a;
}

const RowBench::Answer& RowBench::kept_answer(const Setup& setup, unsigned lane, int from) {
  if (answers_.empty()) return fresh_ = answer(setup, lane, from);
  Answer& kept = answers_[lane * 65 + static_cast<unsigned>(from + 1)];
  if (!kept.known) kept = answer(setup, lane, from);
  return kept;
}

bool RowBench::lane_matches(const Setup& setup, unsigned lane, const Answer& want) const {
  const ref::Spec& spec = shape_.result.width == 16 ? ref::kHalf : ref::kSingle;
  for (unsigned r = 0; r < result_dwords(); ++r) {
    const uint32_t got = wave_.v(dst(setup) + r, lane), kept = old(dst(setup) + r, lane);
    if (got == ref::placed(shape_, setup, want.d[r], kept)) continue;
    if (want.ulp == 0) return false;
    bool near =
        within(got, want.d[r], shape_.result.width == 16 && want.absolute > 0 ? 1e-3 : want.absolute, spec);
    for (uint32_t code : neighbours(spec, want.computed[r], want.ulp)) {
      ref::OperandWords words = want.computed;
      words[r] = code;
      ref::modify_result(shape_, setup, {setup.mode, setup.choices}, words);
      near = near || got == ref::placed(shape_, setup, words[r], kept);
    }
    if (!near) return false;
  }
  return true;
}

// Lane masks, EXEC, and the registers that no result belongs in.
bool RowBench::rest_matches(const Setup& setup, uint64_t want_mask) const {
  auto want = scalars_;
  const auto put = [&](unsigned code, uint64_t v) { std::memcpy(&want[code], &v, 8); };
  put(kExecLo, row_.name.starts_with("V_CMPX") ? want_mask : setup.exec);
  if (has_mask()) put(mask_pair(setup), want_mask);
  for (unsigned s = 0; s < kScalarFileSize; ++s) {
    if (wave_.state.scalar[s] == want[s]) continue;
    FAIL_CHECK(fmt::format("{} scalar register {} is {:08x}, want {:08x}", describe(setup, 0, 0, {}), s,
                           wave_.state.scalar[s], want[s]));
    return false;
  }
  const unsigned first = dst(setup) * 64, last = first + result_dwords() * 64;
  const bool same = std::memcmp(wave_.state.vgprs, before_.data(), first * 4) == 0 &&
                    std::memcmp(wave_.state.vgprs + last, &before_[last], (kVgprs * 64 - last) * 4) == 0 &&
                    std::memcmp(wave_.state.agprs, agprs_.data(), kVgprs * 256) == 0 &&
                    wave_.state.mode.bits == setup.mode;
  if (!same) FAIL_CHECK(describe(setup, 0, 0, {}) << ": changed a register that is not its result");
  return same;
}

bool RowBench::check(const Setup& setup) {
  restore(setup);
  env_.numeric_model = setup.model;
  wave_.state.env = setup.model != nullptr ? &env_ : nullptr;
  wave_.run(encoding(setup));
  uint64_t want_mask = 0;  // bits of lanes that take no part are 0
  for (unsigned lane = 0; lane < 64; ++lane) {
    const auto part = ref::participation(setup, setup.exec, static_cast<int>(lane));
    if (!part.active) {
      for (unsigned r = 0; r < result_dwords(); ++r) {
        if (wave_.v(dst(setup) + r, lane) == old(dst(setup) + r, lane)) continue;
        FAIL_CHECK(describe(setup, lane, part.from, {}) << ": changed a lane that takes no part");
        return false;
      }
      continue;
    }
    const Answer& want = kept_answer(setup, lane, part.from);
    want_mask |= uint64_t{want.mask} << lane;
    if (lane_matches(setup, lane, want)) continue;
    FAIL_CHECK(describe(setup, lane, part.from, want));
    return false;
  }
  return rest_matches(setup, want_mask);
}

unsigned RowBench::differing(const Setup& a, const Setup& b) const {
  unsigned count = 0;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const Answer first = answer(a, lane, static_cast<int>(lane));
    const Answer second = answer(b, lane, static_cast<int>(lane));
    count += first.d != second.d || first.ulp != second.ulp ? 1u : 0u;
  }
  return count;
}

std::string RowBench::describe(const Setup& setup, unsigned lane, int from, const Answer& want) const {
  static const char* const kCodings[] = {"", "e64", "vop3p", "sdwa", "dpp"};
  std::string text = fmt::format(
      "{} {} mode {:#x} exec {:x} abs {} neg {} neg_hi {} op_sel {} op_sel_hi {} omod {} clamp {}", row_.name,
      kCodings[static_cast<int>(setup.coding)], setup.mode, setup.exec, setup.abs, setup.neg, setup.neg_hi,
      setup.op_sel, setup.op_sel_hi, setup.omod, setup.clamp);
  if (setup.coding == ref::Coding::sdwa) {
    text += fmt::format(" selects {} {} sext {} dst_sel {} dst_unused {}", setup.src_sel[0], setup.src_sel[1],
                        setup.sext, setup.dst_sel, setup.dst_unused);
  }
  if (setup.coding == ref::Coding::dpp) {
    text += fmt::format(" control {:#x} masks {:x} {:x} bound {} from {}", setup.dpp_ctrl, setup.row_mask,
                        setup.bank_mask, setup.bound_ctrl, from);
  }
  text += fmt::format(" scalar {} {} {} in_place {} lane {}", setup.scalar[0], setup.scalar[1],
                      setup.scalar[2], setup.in_place, lane);
  const ref::LaneInput in = lane_input(setup, lane, from);
  for (unsigned i = 0; i < source_count(row_); ++i) text += fmt::format(" s{} {}", i, hex(in.source[i]));
  ref::OperandWords got{};
  for (unsigned r = 0; r < result_dwords(); ++r) got[r] = wave_.v(dst(setup) + r, lane);
  return text + fmt::format(" old {} got {} want {} mask {}", hex(in.old), hex(got), hex(want.d), want.mask);
}

void RowBench::tally(OperandTally& tally) const {
  for (unsigned i = 0; i < source_count(row_); ++i) {
    const unsigned n = static_cast<unsigned>(shape_.source[i].registers);
    for (unsigned lane = 0; lane < 64 && n > 0; ++lane) {
      uint32_t words[32];
      for (unsigned r = 0; r < n; ++r) words[r] = old(kSrc[i] + r, lane);
      tally.add(row_.src[i], words);
    }
  }
}

}  // namespace wavetwin::test
