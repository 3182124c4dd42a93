// SPDX-License-Identifier: MIT
// Whole instructions: registers against plain matrices, broadcasts, aliasing, modifiers, and the equalities
// between shapes that the default model promises.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "sim/core/error.h"
#include "tests/unit/mfma/one_dot.h"
#include "tests/unit/mfma/operands.h"

namespace wavetwin::mfma {
namespace {

const Shape& shape_of(const char* name) { return *find_exact(name); }

// D(block, row, column) after an instruction.
uint64_t output(const Shape& shape, const uint32_t (*registers)[64], unsigned block, unsigned row,
                unsigned column) {
  const Place place = cd_layout(shape).place(
      {static_cast<uint8_t>(block), static_cast<uint8_t>(row), static_cast<uint8_t>(column)});
  return get_bits(registers, place, output_bits(shape));
}

TEST_CASE("plain matrices give what the registers give, for every shape; blocks are batches") {
  const MfmaModel model;
  OperandSource source(5);
  static Registers r;
  for (const Shape& shape : kShapes) {
    const Format fa = shape.input == InputClass::f8f6f4 ? Format::e3m2 : shape.a;
    const Format fb = shape.input == InputClass::f8f6f4 ? Format::e5m2 : shape.b;
    source.fill(shape, fa, fb, Kind::gaussian, r);
    Modifiers modifiers;
    modifiers.a_format = fa;
    modifiers.b_format = fb;
    modifiers.opsel_a = 0;
    mfma(model, shape, modifiers, r.to_d());
    for (unsigned block = 0; block < shape.blocks; ++block) {
      std::vector<uint64_t> a, b(shape.k * shape.n), c, d(shape.m * shape.n);
      std::vector<uint8_t> sa, sb;
      for (unsigned i = 0; i < shape.m; ++i)
        for (const uint64_t code : row_codes(a_layout(shape, fa), r.a, block, i)) a.push_back(code);
      for (unsigned j = 0; j < shape.n; ++j) {
        const std::vector<uint64_t> column = row_codes(b_layout(shape, fb), r.b, block, j);
        for (unsigned k = 0; k < shape.k; ++k) b[k * shape.n + j] = column[k];
      }
      for (unsigned i = 0; i < shape.m; ++i)
        for (unsigned j = 0; j < shape.n; ++j) c.push_back(output(shape, r.c, block, i, j));
      for (uint8_t i = 0; shape.scaled && i < shape.m; ++i)
        for (uint8_t kb = 0; kb < shape.k / kScaleBlock; ++kb) {
          sa.push_back(static_cast<uint8_t>(r.scale_a[scale_lane(shape.m, {i, kb})]));
          sb.push_back(static_cast<uint8_t>(r.scale_b[scale_lane(shape.n, {i, kb})]));
        }
      mfma(model, shape, fa, fb, {a, b, c, sa, sb, d});
      for (unsigned i = 0; i < shape.m; ++i)
        for (unsigned j = 0; j < shape.n; ++j)
          CHECK_MESSAGE(d[i * shape.n + j] == output(shape, r.d, block, i, j), shape.name, " block ", block,
                        " D(", i, ",", j, ")");
    }
  }
}

TEST_CASE("D may be any of A, B and C") {
  const MfmaModel model;
  OperandSource source(6);
  static Registers r;
  static uint32_t registers[96][64];
  for (const Shape& shape : kShapes) {
    const Format fa = shape.a, fb = shape.b;
    source.fill(shape, fa, fb, Kind::gaussian, r);
    mfma(model, shape, {}, r.to_d());
    const unsigned va = a_vgprs(shape, fa), vb = b_vgprs(shape, fb), vd = cd_vgprs(shape);
    // A, B and C at 0, 32 and 64; D over each in turn.
    for (const unsigned at : {0u, 32u, 64u}) {
      std::memcpy(registers[0], r.a, va * sizeof registers[0]);
      std::memcpy(registers[32], r.b, vb * sizeof registers[0]);
      std::memcpy(registers[64], r.c, vd * sizeof registers[0]);
      mfma(model, shape, {},
           {registers, registers + 32, registers + 64, registers + at, r.scale_a, r.scale_b});
      CHECK_MESSAGE(std::memcmp(registers[at], r.d, vd * sizeof registers[0]) == 0, shape.name, " D at ", at);
    }
  }
}

TEST_CASE("opsel chooses the byte of each scale VGPR") {
  const MfmaModel model;
  const Shape& shape = shape_of("v_mfma_scale_f32_16x16x128_f8f6f4");
  OperandSource source(7);
  static Registers r;
  source.fill(shape, Format::e4m3, Format::e2m1, Kind::gaussian, r);
  for (unsigned lane = 0; lane < 64; ++lane) {
    r.scale_a[lane] = 0x7C7D7E7F + lane % 3;
    r.scale_b[lane] = 0x80817F7E;
  }
  for (uint8_t a = 0; a < 4; ++a)
    for (uint8_t b = 0; b < 4; ++b) {
      Modifiers modifiers;
      modifiers.b_format = Format::e2m1;
      modifiers.opsel_a = a;
      modifiers.opsel_b = b;
      mfma(model, shape, modifiers, r.to_d());
      for (unsigned i = 0; i < 16; ++i)
        CHECK(output(shape, r.d, 0, i, 15 - i) ==
              oracle_output(model, shape, Format::e4m3, Format::e2m1, r, 0, i, 15 - i, a, b));
    }
}

TEST_CASE("CBSZ and ABID: groups of 2^CBSZ blocks read block ABID of A") {
  const MfmaModel model;
  OperandSource source(8);
  static Registers r;
  for (const char* name : {"v_mfma_f32_4x4x4_16b_bf16", "v_mfma_f32_16x16x4_4b_f16",
                           "v_mfma_f32_32x32x1_2b_f32", "v_mfma_i32_4x4x4_16b_i8"}) {
    const Shape& shape = shape_of(name);
    source.fill(shape, shape.a, shape.b, Kind::gaussian, r);
    for (uint8_t cbsz = 1; 1u << cbsz <= shape.blocks; ++cbsz)
      for (uint8_t abid = 0; abid < 1 << cbsz; ++abid) {
        Modifiers modifiers;
        modifiers.cbsz = cbsz;
        modifiers.abid = abid;
        mfma(model, shape, modifiers, r.to_d());
        // The same with A moved by hand.
        static Registers moved;
        moved = r;
        const InputLayout layout = a_layout(shape, shape.a);
        for (unsigned block = 0; block < shape.blocks; ++block)
          for (uint8_t row = 0; row < shape.m; ++row)
            for (uint8_t k = 0; k < shape.k; ++k) {
              const auto from = static_cast<uint8_t>(block / (1u << cbsz) * (1u << cbsz) + abid);
              put_bits(moved.a, layout.place({static_cast<uint8_t>(block), row, k}), layout.bits,
                       get_bits(r.a, layout.place({from, row, k}), layout.bits));
            }
        mfma(model, shape, {}, moved.to_plain());
        CHECK_MESSAGE(std::memcmp(r.d, moved.plain, cd_vgprs(shape) * sizeof r.d[0]) == 0, name, " cbsz ",
                      int{cbsz}, " abid ", int{abid});
      }
  }
}

TEST_CASE("BLGP permutes the lanes of B") {
  const MfmaModel model;
  OperandSource source(9);
  static Registers r, moved;
  for (const char* name : {"v_mfma_f32_16x16x32_bf16", "v_mfma_f32_32x32x2_f32", "v_mfma_i32_16x16x64_i8",
                           "v_mfma_f32_32x32x16_fp8_bf8"}) {
    const Shape& shape = shape_of(name);
    source.fill(shape, shape.a, shape.b, Kind::gaussian, r);
    for (uint8_t blgp = 1; blgp < 8; ++blgp) {
      Modifiers modifiers;
      modifiers.blgp = blgp;
      mfma(model, shape, modifiers, r.to_d());
      moved = r;
      for (unsigned v = 0; v < b_vgprs(shape, shape.b); ++v)
        for (unsigned lane = 0; lane < 64; ++lane) moved.b[v][lane] = r.b[v][b_source_lane(lane, blgp)];
      mfma(model, shape, {}, moved.to_plain());
      CHECK_MESSAGE(std::memcmp(r.d, moved.plain, cd_vgprs(shape) * sizeof r.d[0]) == 0, name, " blgp ",
                    int{blgp});
    }
  }
}

TEST_CASE("f64: BLGP bits negate A, B and C") {
  const MfmaModel model;
  OperandSource source(10);
  static Registers r;
  for (const char* name : {"v_mfma_f64_16x16x4_f64", "v_mfma_f64_4x4x4_4b_f64"}) {
    const Shape& shape = shape_of(name);
    source.fill(shape, shape.a, shape.b, Kind::gaussian, r);
    for (unsigned high = 1; high < cd_vgprs(shape); high += 2)  // C as large as the products: 2^682
      for (uint32_t& word : r.c[high]) word = (word & 0x800FFFFFu) | (682u + 1023u) << 20;
    for (uint8_t neg = 0; neg < 8; ++neg) {
      Modifiers modifiers;
      modifiers.blgp = neg;
      mfma(model, shape, modifiers, r.to_d());
      std::vector<uint64_t> a = row_codes(a_layout(shape, shape.a), r.a, 0, 2);
      std::vector<uint64_t> b = row_codes(b_layout(shape, shape.b), r.b, 0, 1);
      constexpr uint64_t kSign = uint64_t{1} << 63;
      for (uint64_t& word : a) word ^= neg & 1 ? kSign : 0;
      for (uint64_t& word : b) word ^= neg & 2 ? kSign : 0;
      const uint64_t c = output(shape, r.c, 0, 2, 1) ^ (neg & 4 ? kSign : 0);
      CHECK_MESSAGE(output(shape, r.d, 0, 2, 1) == reference::fma_chain_f64(a, b, c), name, " neg ",
                    int{neg});
    }
  }
}

TEST_CASE("MODE.FP_DENORM flushes A and B of the f32 shapes and nothing else") {
  const MfmaModel model;
  OperandSource source(11);
  static Registers r;
  Modifiers flushing;
  flushing.flush_f32_denormals = true;
  for (const Shape& shape : kShapes) {
    source.fill(shape, shape.a, shape.b, Kind::tiny, r);
    for (auto& vgpr : r.c)
      for (uint32_t& word : vgpr) word &= 0x80FFFFFFu;  // subnormal or just normal
    mfma(model, shape, {}, r.to_plain());
    mfma(model, shape, flushing, r.to_d());
    const bool equal = std::memcmp(r.d, r.plain, cd_vgprs(shape) * sizeof r.d[0]) == 0;
    if (shape.input != InputClass::f32) {
      CHECK_MESSAGE(equal, shape.name);
      continue;
    }
    const std::vector<uint64_t> a = row_codes(a_layout(shape, shape.a), r.a, 0, 1);
    const std::vector<uint64_t> b = row_codes(b_layout(shape, shape.b), r.b, 0, 3);
    CHECK_MESSAGE(output(shape, r.d, 0, 1, 3) ==
                      reference::fma_chain_f32({a.begin(), a.end()}, {b.begin(), b.end()},
                                               static_cast<uint32_t>(output(shape, r.c, 0, 1, 3)), true,
                                               model.nan_bits),
                  shape.name);
  }
  // A subnormal factor that matters: 2^-130 * 2^126 + 0.
  const Shape& shape = shape_of("v_mfma_f32_32x32x1_2b_f32");
  r = {};
  r.a[0][0] = 0x00080000, r.b[0][0] = 0x7E800000;
  mfma(model, shape, {}, r.to_d());
  CHECK(r.d[0][0] == 0x3D800000);
  mfma(model, shape, flushing, r.to_d());
  CHECK(r.d[0][0] == 0);
}

TEST_CASE("MODE.FP16_OVFL means the same as the option fp16Ovfl") {
  MfmaModel model, clamping;
  clamping.set("fp16Ovfl", "on");
  Modifiers with_mode;
  with_mode.fp16_ovfl = true;
  const Shape& shape = shape_of("v_mfma_f32_16x16x16_bf16");
  static Registers r;
  OperandSource source(12);
  source.fill(shape, shape.a, shape.b, Kind::gaussian, r);
  for (unsigned i = 0; i < 2; ++i)
    std::fill_n(r.a[i], 64, 0x59805980), std::fill_n(r.b[i], 64, 0x59805980);  // 2^52
  for (auto& vgpr : r.c) std::fill_n(vgpr, 64, 0x7F7FFFFF);
  mfma(model, shape, with_mode, r.to_d());
  mfma(clamping, shape, {}, r.to_plain());
  CHECK(std::memcmp(r.d, r.plain, sizeof r.d[0] * 4) == 0);
  mfma(model, shape, {}, r.to_plain());
  CHECK(std::memcmp(r.d, r.plain, sizeof r.d[0] * 4) != 0);
}

// One instruction of `longer` against two of `shorter`, the second taking the first's D as C: A and B are
// dealt out by k.
void check_chained(const MfmaModel& model, const char* longer, const char* shorter, Format longer_format,
                   Kind kind) {
  const Shape &whole = shape_of(longer), &part = shape_of(shorter);
  const Format short_format = part.input == InputClass::f8f6f4 ? longer_format : part.a;
  static Registers r, p;
  OperandSource source(13);
  source.fill(whole, longer_format, longer_format, kind, r);
  Modifiers modifiers;
  modifiers.a_format = modifiers.b_format = longer_format;
  mfma(model, whole, modifiers, r.to_d());
  std::memcpy(p.d, r.c, sizeof p.d);
  for (unsigned first = 0; first < whole.k; first += part.k) {
    for (uint8_t row = 0; row < whole.m; ++row)
      for (uint8_t k = 0; k < part.k; ++k) {
        const InputElement from{0, row, static_cast<uint8_t>(first + k)}, to{0, row, k};
        const InputLayout layout = a_layout(whole, longer_format), part_layout = a_layout(part, short_format);
        put_bits(p.a, part_layout.place(to), layout.bits, get_bits(r.a, layout.place(from), layout.bits));
        put_bits(p.b, part_layout.place(to), layout.bits, get_bits(r.b, layout.place(from), layout.bits));
      }
    mfma(model, part, {}, {p.a, p.b, p.d, p.d});
  }
  CHECK_MESSAGE(std::memcmp(r.d, p.d, cd_vgprs(whole) * sizeof r.d[0]) == 0, longer, " and chained ", shorter,
                ", ", model.describe(), ", ", kind_name(kind));
}

TEST_CASE("a long 16-bit instruction equals two chained short ones under the default") {
  for (const Kind kind : {Kind::gaussian, Kind::cancelling, Kind::edges, Kind::narrow}) {
    const MfmaModel model;
    check_chained(model, "v_mfma_f32_16x16x32_bf16", "v_mfma_f32_16x16x16_bf16", Format::bf16, kind);
    check_chained(model, "v_mfma_f32_32x32x16_bf16", "v_mfma_f32_32x32x8_bf16", Format::bf16, kind);
    check_chained(model, "v_mfma_f32_16x16x32_f16", "v_mfma_f32_16x16x16_f16", Format::f16, kind);
    check_chained(model, "v_mfma_f32_32x32x16_f16", "v_mfma_f32_32x32x8_f16", Format::f16, kind);
    // In half blocks of 16, unscaled f8f6f4 is the legacy 8-bit instruction.
    check_chained(preset("gfx950-cdna3ext"), "v_mfma_f32_16x16x128_f8f6f4", "v_mfma_f32_16x16x32_fp8_fp8",
                  Format::e4m3, kind);
    check_chained(preset("gfx950-cdna3ext"), "v_mfma_f32_32x32x64_f8f6f4", "v_mfma_f32_32x32x16_fp8_fp8",
                  Format::e4m3, kind);
  }
}

TEST_CASE("unscaled equals scaled by 127") {
  static Registers r;
  OperandSource source(14);
  for (const char* names : {"16x16x128", "32x32x64"}) {
    const Shape& scaled = shape_of(fmt::format("v_mfma_scale_f32_{}_f8f6f4", names).c_str());
    const Shape& unscaled = shape_of(fmt::format("v_mfma_f32_{}_f8f6f4", names).c_str());
    source.fill(scaled, Format::e5m2, Format::e4m3, Kind::specials, r);
    for (unsigned lane = 0; lane < 64; ++lane) r.scale_a[lane] = r.scale_b[lane] = 0x7F;
    Modifiers modifiers;
    modifiers.a_format = Format::e5m2;
    mfma(MfmaModel{}, scaled, modifiers, r.to_d());
    mfma(MfmaModel{}, unscaled, modifiers, r.to_plain());
    CHECK(std::memcmp(r.d, r.plain, cd_vgprs(scaled) * sizeof r.d[0]) == 0);
  }
}

// Bits that an exact alignment of a block needs: the range of the product exponents plus the fraction bits.
struct PairBits {
  Format a, b;
  unsigned bits;
};
constexpr PairBits kPairBits[] = {
    {Format::e2m1, Format::e2m1, 6},  {Format::e2m1, Format::e2m3, 8},  {Format::e2m3, Format::e2m3, 10},
    {Format::e2m1, Format::e3m2, 11}, {Format::e2m3, Format::e3m2, 13}, {Format::e3m2, Format::e3m2, 16},
    {Format::e4m3, Format::e2m1, 20}, {Format::e4m3, Format::e2m3, 22}, {Format::e4m3, Format::e3m2, 25},
    {Format::e4m3, Format::e4m3, 34}, {Format::e5m2, Format::e2m1, 34}};

TEST_CASE("a block sum is exact from the format pair's bit count on, and not with one bit less") {
  for (const PairBits& pair : kPairBits) {
    const auto left = [&](unsigned f) {
      MfmaModel model;
      model.set("F", std::to_string(f));
      model.set("F2=48");  // or the total's own floor would hide the last bits
      const auto limit = [](Format format, bool largest) {
        return decode_f64(format, largest ? format_info(format).float_format->max_finite_magnitude() : 1);
      };
      const double a = limit(pair.a, true), b = limit(pair.b, true);
      OneDot dot(model, "v_mfma_f32_16x16x128_f8f6f4", pair.a, pair.b);
      dot.terms({{0, a, b}, {2, -a, b}, {4, limit(pair.a, false), limit(pair.b, false)}});
      return dot.value(model) / (limit(pair.a, false) * limit(pair.b, false));
    };
    const std::string name = std::string(to_string(pair.a)) + " x " + to_string(pair.b);
    CHECK_MESSAGE(left(pair.bits) == 1, name);
    CHECK_MESSAGE(left(pair.bits - 1) == 0, name);
  }
}

TEST_CASE("pairs that need at most 24 bits do not depend on grouping, truncation or F") {
  const Shape& shape = shape_of("v_mfma_f32_16x16x128_f8f6f4");
  static Registers r;
  OperandSource source(15);
  for (const PairBits& pair : kPairBits) {
    if (pair.bits > 24) continue;
    for (const char* setting : {"F=48", "f8f6f4.evenOdd=off", "prodAlign=floor", "groupAlign=trunc"}) {
      MfmaModel other;
      other.set(setting);
      for (const Kind kind : kKinds) {
        source.fill(shape, pair.a, pair.b, kind, r);
        Modifiers modifiers;
        modifiers.a_format = pair.a;
        modifiers.b_format = pair.b;
        mfma(MfmaModel{}, shape, modifiers, r.to_d());
        mfma(other, shape, modifiers, r.to_plain());
        CHECK_MESSAGE(std::memcmp(r.d, r.plain, 4 * sizeof r.d[0]) == 0, to_string(pair.a), " ",
                      to_string(pair.b), " ", setting);
      }
    }
  }
}

TEST_CASE("illegal modifiers, formats and sizes are errors that say so") {
  static Registers r;
  const MfmaModel model;
  Modifiers broadcast;
  broadcast.cbsz = 1;
  CHECK_THROWS_WITH_AS(
      mfma(model, shape_of("v_mfma_f32_16x16x32_bf16"), broadcast, r.to_d()),
      "v_mfma_f32_16x16x32_bf16: modifiers not legal: cbsz 1, abid 0, blgp 0, opsel 0 and 0; "
      "a broadcast of A to more blocks than the instruction has, or of a block that is not one "
      "of 2^cbsz, is undefined (AMD CDNA4 ISA guide 7.1.6.1)",
      Error);
  Modifiers opsel;
  opsel.opsel_a = 4;
  CHECK_THROWS_WITH_AS(mfma(model, shape_of("v_mfma_f32_16x16x32_bf16"), opsel, r.to_d()),
                       "v_mfma_f32_16x16x32_bf16: modifiers not legal: cbsz 0, abid 0, blgp 0, opsel 4 and 0",
                       Error);
  opsel.opsel_a = 3;
  CHECK_NOTHROW(mfma(model, shape_of("v_mfma_f32_16x16x32_bf16"), opsel, r.to_d()));
  opsel.opsel_b = 4;
  CHECK_THROWS_AS(mfma(model, shape_of("v_mfma_f32_16x16x32_bf16"), opsel, r.to_d()), Error);
  CHECK_THROWS_WITH_AS(mfma(preset("gfx942"), shape_of("v_mfma_f32_16x16x32_bf16"), {}, r.to_d()),
                       "v_mfma_f32_16x16x32_bf16 does not exist on gfx942 (MFMA model gfx942)", Error);
  std::vector<uint64_t> a(16 * 32), b(32 * 16), c(256), d(256);
  const Shape& fp8 = shape_of("v_mfma_f32_16x16x32_fp8_fp8");
  CHECK_THROWS_WITH_AS(
      mfma(model, fp8, Format::e4m3fnuz, Format::e4m3, {a, b, c, {}, {}, d}),
      "v_mfma_f32_16x16x32_fp8_fp8 does not take A in e4m3fnuz and B in e4m3; it takes e4m3 and e4m3 "
      "(MFMA model gfx950-default)",
      Error);
  CHECK_NOTHROW(mfma(preset("gfx942"), fp8, Format::e4m3fnuz, Format::e4m3fnuz, {a, b, c, {}, {}, d}));
  a[33] = 256;
  CHECK_THROWS_WITH_AS(mfma(model, fp8, Format::e4m3, Format::e4m3, {a, b, c, {}, {}, d}),
                       "v_mfma_f32_16x16x32_fp8_fp8: a[1][1] = 256 does not fit 8 bits", Error);
  a.pop_back();
  CHECK_THROWS_AS(mfma(model, fp8, Format::e4m3, Format::e4m3, {a, b, c, {}, {}, d}), Error);
  a.assign(16 * 32, 0);
  const std::vector<uint8_t> scales(16, 127);
  CHECK_THROWS_WITH_AS(mfma(model, fp8, Format::e4m3, Format::e4m3, {a, b, c, scales, scales, d}),
                       "v_mfma_f32_16x16x32_fp8_fp8 has no scale operands", Error);
}

}  // namespace
}  // namespace wavetwin::mfma
