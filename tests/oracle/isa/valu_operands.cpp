// SPDX-License-Identifier: MIT
#include "tests/oracle/isa/valu_operands.h"

namespace wavetwin::reference {
namespace {

const Spec& spec_of(const OperandShape& s) {
  if (s.brain) return kBfloat;
  return s.width == 16 ? kHalf : s.width == 32 ? kSingle : kDouble;
}

// Element n of an operand, and back.
uint64_t element(const OperandShape& s, const OperandWords& w, int n) {
  if (s.width == 64) return w[0] | uint64_t{w[1]} << 32;
  if (s.width == 32) return w[static_cast<size_t>(n)];
  return w[0] >> (16 * n) & 0xffff;
}
void set_element(const OperandShape& s, OperandWords& w, int n, uint64_t v) {
  if (s.width == 64) {
    w[0] = static_cast<uint32_t>(v);
    w[1] = static_cast<uint32_t>(v >> 32);
  } else if (s.width == 32) {
    w[static_cast<size_t>(n)] = static_cast<uint32_t>(v);
  } else {
    w[0] = (w[0] & ~(0xffffu << (16 * n))) | static_cast<uint32_t>(v & 0xffff) << (16 * n);
  }
}

bool bit(unsigned mask, unsigned i) { return (mask >> i & 1) != 0; }

// abs clears the sign, neg then changes it, whatever the element is (guide 6.2.1, 13.3.4).
uint64_t with_signs(uint64_t x, int width, bool abs, bool neg) {
  const uint64_t sign = uint64_t{1} << (width - 1);
  if (abs) x &= ~sign;
  return neg ? x ^ sign : x;
}

// guide 13.3.7: the field of the register, extended with zeros or its sign.
uint32_t sdwa_field(uint32_t x, unsigned select, bool sext) {
  switch (select) {
    case 6:
      return x;
    case 5:
      return sext ? static_cast<uint32_t>(static_cast<int32_t>(x) >> 16) : x >> 16;
    case 4:
      return sext ? static_cast<uint32_t>(static_cast<int16_t>(x)) : x % 65536;
    default:
      x >>= 8 * select;
      return sext ? static_cast<uint32_t>(static_cast<int8_t>(x)) : x % 256;
  }
}

// guide 6.7 and 13.3.6: op_sel names the element that feeds the low result, op_sel_hi the one that feeds the
// high result; neg_lo and neg_hi their signs, for floating point.
void pack_source(const OperandShape& s, const Modifiers& m, unsigned i, OperandWords& words) {
  if (s.elements == 1) {
    if (s.floating && s.width == 32) words[0] ^= bit(m.neg, i) ? 0x80000000u : 0;
    return;
  }
  const uint64_t low = element(s, words, bit(m.op_sel, i)), high = element(s, words, bit(m.op_sel_hi, i));
  set_element(s, words, 0, with_signs(low, s.width, false, s.floating && bit(m.neg, i)));
  set_element(s, words, 1, with_signs(high, s.width, false, s.floating && bit(m.neg_hi, i)));
}

// guide, V_MAD_MIX_F32: op_sel_hi makes the source f16, op_sel picks its half; the field of neg_hi is abs.
void mix_source(const Modifiers& m, unsigned i, const ModeBits& mode, OperandWords& words) {
  uint64_t x = words[0];
  if (bit(m.op_sel_hi, i)) {
    LaneInput half;
    half.source[0][0] = static_cast<uint32_t>(bit(m.op_sel, i) ? x >> 16 : x & 0xffff);
    half.mode = mode;
    // Flushed as the f32 field of MODE.denorm says: measured on gfx950, LLVM pull request 205101.
    if (!mode.chosen("mix_denorm", "f16"))
      half.mode.bits = (mode.bits & ~0x40u) | (mode.keeps_input(kSingle) ? 0x40u : 0u);
    x = valu_oracle().at("V_CVT_F32_F16")(half).d[0];
  }
  words[0] = static_cast<uint32_t>(with_signs(x, 32, bit(m.neg_hi, i), bit(m.neg, i)));
}

// guide 6.2.2: ignored with IEEE or with subnormal results; else subnormal results and -0 become +0 and the
// rest is scaled. (What a scaled result that underflows becomes is not said: +0 too.)
uint64_t output_scaled(const Spec& s, uint64_t x, unsigned omod, const ModeBits& mode) {
  if (omod == 0 || mode.ieee() || mode.keeps_output(s) || nan(s, x) || inf(s, x)) return x;
  if (zero(s, x) || denormal(s, x)) return 0;
  const Parts p = parts(s, x);
  const int power = omod == 3 ? -1 : static_cast<int>(omod);
  const uint64_t y =
      finish(s, exact(p.negative, p.integer, p.exponent + power), p.negative, mode, mode.direction(s));
  return zero(s, y) ? 0 : y;
}

// guide 6.5 and the MODE register's DX10_CLAMP: to [0, 1], a NaN to 0 with DX10_CLAMP and else unchanged.
uint64_t clamped(const Spec& s, uint64_t x, const ModeBits& mode) {
  if (nan(s, x)) return mode.dx10_clamp() ? 0 : x;
  if (neg(s, x)) return 0;
  return order(s, x, s.one()) > 0 ? s.one() : x;
}

// The constant's value as a floating-point code: 0.5, 1, 2, 4 with both signs, 1 / (2 pi) (guide, table 23).
uint64_t float_constant(const Spec& s, unsigned code) {
  if (code == 248) {
    return s.fraction_bits == 52   ? 0x3fc45f306dc9c882u
           : s.fraction_bits == 23 ? 0x3e22f983u
           : s.fraction_bits == 7  ? 0x3e22u
                                   : 0x3118u;
  }
  const unsigned n = code - 240;
  const uint64_t magnitude = static_cast<uint64_t>(s.bias() - 1 + static_cast<int>(n / 2)) << s.fraction_bits;
  return signed_code(s, n % 2 == 1, magnitude);
}

}  // namespace

OperandWords inline_constant(const OperandShape& shape, unsigned code) {
  uint64_t v;
  if (code >= 240) {
    // Integers see the pattern of f32 (f64): LLVM 22 for packed ones, LLVM pull request 198005 for 16 bits.
    OperandShape as = shape;
    if (shape.width == 0 || (shape.width == 16 && !shape.floating)) as.width = 32;
    v = float_constant(spec_of(as), code);
  } else {
    v = code <= 192 ? code - 128 : ~uint64_t{0} - (code - 193);
    if (shape.width == 16 && shape.elements == 1) v &= 0xffff;
  }
  OperandWords words{};
  words[0] = static_cast<uint32_t>(v);
  if (shape.registers == 2) words[1] = static_cast<uint32_t>(shape.width == 64 ? v >> 32 : v);
  return words;
}

void modify_source(const Shape& shape, const Modifiers& m, unsigned i, const ModeBits& mode,
                   OperandWords& words) {
  const OperandShape& s = shape.source[i];
  if (s.lane_bit || s.registers == 0) return;
  if (m.coding == Coding::vop3p) {
    if (shape.mix) return mix_source(m, i, mode, words);
    Modifiers reaching = m;  // guide, V_DOT2_F32_BF16: "modifiers do not affect S2"
    if (!shape.signs[i]) reaching.neg = reaching.neg_hi = 0;
    return pack_source(s, reaching, i, words);
  }
  if (m.coding == Coding::sdwa && i < 2) words[0] = sdwa_field(words[0], m.src_sel[i], bit(m.sext, i));
  const bool half_named = m.coding == Coding::vop3 && shape.op_sel_halves && s.width == 16 && s.elements == 1;
  if (half_named && bit(m.op_sel, i)) words[0] >>= 16;
  // assumption: an SDWA source of two halves has no sign bits to change (LLVM 22 prints none).
  const bool reached = shape.signs[i] && s.width != 0 && !(m.coding == Coding::sdwa && s.elements == 2);
  // guide, V_DOT2C_F32_BF16: "ABS[1:0] are used as NEG_HI[1:0]"; of f16 nobody says so.
  using AbsIsNegHi = Shape::AbsIsNegHi;
  if (reached && (shape.abs_is_neg_hi == AbsIsNegHi::always ||
                  (shape.abs_is_neg_hi == AbsIsNegHi::by_option && mode.chosen("dot2c_abs", "neg_hi")))) {
    set_element(s, words, 0, with_signs(element(s, words, 0), 16, false, bit(m.neg, i)));
    set_element(s, words, 1, with_signs(element(s, words, 1), 16, false, bit(m.abs, i)));
    return;
  }
  for (int n = 0; reached && n < s.elements; ++n) {
    set_element(s, words, n, with_signs(element(s, words, n), s.width, bit(m.abs, i), bit(m.neg, i)));
  }
}

void modify_result(const Shape& shape, const Modifiers& m, const ModeBits& mode, OperandWords& words) {
  const OperandShape& d = shape.result;
  if (!d.floating || d.brain) return;  // integers: guide 6.2.2. assumption: bf16 has neither
  const Spec& s = spec_of(d);
  for (int n = 0; n < d.elements; ++n) {
    uint64_t x = output_scaled(s, element(d, words, n), m.omod, mode);
    if (m.clamp) x = clamped(s, x, mode);
    set_element(d, words, n, x);
  }
}

int result_half(const Shape& shape, const Modifiers& m) {
  const OperandShape& d = shape.result;
  if (d.width != 16 || d.elements != 1) return -1;
  if (shape.fixed_half >= 0) return shape.fixed_half;
  return m.coding == Coding::vop3 && shape.op_sel_halves ? static_cast<int>(m.op_sel >> 3 & 1) : -1;
}

uint32_t old_operand(const Shape& shape, const Modifiers& m, uint32_t old) {
  return result_half(shape, m) == 1 ? old >> 16 : old;
}

uint32_t placed(const Shape& shape, const Modifiers& m, uint32_t result, uint32_t old) {
  const int half = result_half(shape, m);
  if (half >= 0) {  // the other half stays (guide, the instructions that have *_LEGACY_* relatives)
    const unsigned shift = half == 1 ? 16 : 0;
    return (old & ~(0xffffu << shift)) | (result & 0xffff) << shift;
  }
  if (m.coding != Coding::sdwa || m.whole_result || m.dst_sel == 6) return result;
  // guide 13.3.7: the low bits of the result go to the field; below it the sign fill has zeros.
  const unsigned width = m.dst_sel < 4 ? 8 : 16, first = m.dst_sel < 4 ? 8 * m.dst_sel : 16 * (m.dst_sel - 4);
  uint32_t out = 0;
  for (unsigned b = 0; b < 32; ++b) {
    const bool inside = b >= first && b < first + width;
    const bool sign = bit(result, width - 1) && b >= first + width;
    const bool rest = m.dst_unused == 2 ? bit(old, b) : m.dst_unused == 1 && sign;
    out |= uint32_t{inside ? bit(result, b - first) : rest} << b;
  }
  return out;
}

bool dpp_control_exists(unsigned control) {
  if (control < 0x100) return true;
  const unsigned group = control / 16, k = control % 16;
  if (group == 0x10 || group == 0x11 || group == 0x12) return k != 0;  // row_shl, row_shr, row_ror
  if (group == 0x13) return k % 4 == 0;                                // wave_shl, rol, shr, ror
  if (group == 0x14) return k < 4;  // row_mirror, row_half_mirror, row_bcast:15, row_bcast:31
  return group == 0x15;             // row_newbcast (LLVM 22)
}

int dpp_lane(unsigned control, int lane) {
  const int row = lane / 16, column = lane % 16, k = static_cast<int>(control % 16);
  const auto in_row = [&](int c) { return c < 0 || c > 15 ? -1 : 16 * row + c; };
  if (control < 0x100) return lane / 4 * 4 + static_cast<int>(control >> (2 * (lane % 4)) & 3);
  switch (control / 16) {
    case 0x10:
      return in_row(column + k);
    case 0x11:
      return in_row(column - k);
    case 0x12:
      return in_row((column + 16 - k) % 16);
    case 0x15:
      return in_row(k);
    default:
      break;
  }
  switch (control) {
    case 0x130:
      return lane + 1 > 63 ? -1 : lane + 1;
    case 0x134:
      return (lane + 1) % 64;
    case 0x138:
      return lane - 1;
    case 0x13c:
      return (lane + 63) % 64;
    case 0x140:
      return in_row(15 - column);
    case 0x141:
      return lane / 8 * 8 + 7 - lane % 8;
    case 0x142:
      return 16 * row - 1;
    default:
      return row < 2 ? -1 : 31;
  }
}

// A source lane that EXEC disables counts as outside (LLVM's intrinsic and AMD's emulator; the guide is
// silent).
Participation participation(const Modifiers& m, uint64_t exec, int lane) {
  Participation p{(exec >> lane & 1) != 0, lane};
  if (m.coding != Coding::dpp) return p;
  p.from = dpp_lane(m.dpp_ctrl, lane);
  if (p.from >= 0 && !(exec >> p.from & 1)) p.from = -1;
  const bool masks = bit(m.row_mask, static_cast<unsigned>(lane) / 16) &&
                     bit(m.bank_mask, static_cast<unsigned>(lane) / 4 % 4);
  p.active = p.active && masks && (p.from >= 0 || m.bound_ctrl);
  return p;
}

}  // namespace wavetwin::reference
