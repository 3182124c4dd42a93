// SPDX-License-Identifier: MIT
// Every vector row with an expression, in its 32-bit and 64-bit encodings, beside the oracle: 64 lanes of
// operands in every MODE that changes the answer, full and partial EXEC, integer CLAMP, op_sel.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>

#include "tests/isa/valu/operands.h"
#include "tests/isa/valu/wave_fixture.h"
#include "tests/oracle/isa/valu_oracle.h"

using namespace wavetwin;
using namespace wavetwin::isa;
using namespace wavetwin::test;
namespace ref = wavetwin::reference;

namespace {

constexpr unsigned kDst = 0, kSrc[3] = {32, 64, 96};  // room for 32 registers each
constexpr unsigned kMaskSource = 10, kMaskResult = 12;

bool is_half(OperandType t) { return t == B16 || t == U16 || t == I16 || t == F16 || t == BF16; }
bool is_half_pair(OperandType t) {
  return t == B16X2 || t == U16X2 || t == I16X2 || t == F16X2 || t == BF16X2;
}

struct Pools {
  std::vector<uint64_t> f16 = interesting_floats(5, 10), f32 = interesting_floats(8, 23),
                        f64 = interesting_floats(11, 52), bf16 = interesting_floats(8, 7);
  Pools() {
    // Inputs of the published spot values of the approximations.
    for (uint64_t x : {0x3fc00000, 0x00800000, 0x40400000, 0x40000000, 0x01000000, 0x42ffffff, 0x3f0567ec,
                       0x7f5ff71c, 0x0080c013, 0x7f7fffff, 0x00ffffff, 0x4000000d})
      f32.push_back(x);
  }
};
const Pools& pools() {
  static const Pools kPools;
  return kPools;
}

uint64_t pick(Random& random, const std::vector<uint64_t>& pool, int e, int f) {
  return random.below(2) ? pool[random.below(pool.size())] : random_float(random, e, f);
}
uint32_t pick_half(Random& random, OperandType type) {
  if (type == F16 || type == F16X2) return static_cast<uint32_t>(pick(random, pools().f16, 5, 10));
  if (type == BF16 || type == BF16X2) return static_cast<uint32_t>(pick(random, pools().bf16, 8, 7));
  return static_cast<uint32_t>(random_integer(random, 16));
}

// One lane of an operand.
void fill(Random& random, OperandType type, uint32_t* words, unsigned dwords) {
  for (unsigned r = 0; r < dwords; ++r) {
    if (is_half(type)) {
      words[r] = pick_half(random, type) | static_cast<uint32_t>(random()) << 16;
    } else if (is_half_pair(type)) {
      words[r] = pick_half(random, type) | pick_half(random, type) << 16;
    } else if (type == F32 || type == F32X2) {
      words[r] = static_cast<uint32_t>(pick(random, pools().f32, 8, 23));
    } else if (type == F64 || type == B64 || type == U64 || type == I64) {
      const uint64_t v = type == F64 ? pick(random, pools().f64, 11, 52) : random_integer(random, 64);
      words[r] = static_cast<uint32_t>(v);
      words[r + 1] = static_cast<uint32_t>(v >> 32);
      ++r;
    } else if (dwords > 2) {
      words[r] = random.below(2) ? static_cast<uint32_t>(pick(random, pools().f32, 8, 23))
                                 : static_cast<uint32_t>(random());
    } else {
      words[r] = static_cast<uint32_t>(random_integer(random, 32));
    }
  }
}

// Distance in codes; signs and NaNs must agree.
bool close(uint64_t a, uint64_t b, unsigned ulp, const ref::Spec& s) {
  if (a == b) return true;
  if (ref::nan(s, a) || ref::nan(s, b) || ref::neg(s, a) != ref::neg(s, b)) return false;
  const uint64_t low = std::min(a, b), high = std::max(a, b);
  return high - low <= ulp;
}
double small_number(uint64_t c, const ref::Spec& s) {
  const ref::Parts p = ref::parts(s, c);
  return std::ldexp(p.negative ? -static_cast<double>(p.integer) : static_cast<double>(p.integer),
                    p.exponent);
}
bool matches(uint32_t got, const ref::LaneResult& want, OperandType type) {
  if (got == want.d[0]) return true;
  if (want.ulp == 0) return false;
  const ref::Spec& s = type == F16 ? ref::kHalf : ref::kSingle;
  if (close(got, want.d[0], want.ulp, s)) return true;
  // The smallest normal number may flush.
  if (ref::zero(s, got) && ref::mag(s, want.d[0]) >> s.fraction_bits == 1)
    return ref::neg(s, got) == ref::neg(s, want.d[0]);
  const bool finite =
      !ref::nan(s, got) && !ref::inf(s, got) && !ref::nan(s, want.d[0]) && !ref::inf(s, want.d[0]);
  const double unit = type == F16 ? 1e-3 : want.absolute;
  return finite && want.absolute > 0 && std::fabs(small_number(got, s) - small_number(want.d[0], s)) <= unit;
}

struct Setup {
  bool e64 = false, clamp = false;
  uint32_t mode = 0x3f0;
  uint64_t exec = ~uint64_t{0};
  unsigned op_sel = 0, table = 0xe8;
};

unsigned source_count(const Row& row) {
  unsigned n = 0;
  while (n < 3 && row.src[n] != NONE) ++n;
  return n;
}

std::vector<uint32_t> encode(const Row& row, const Setup& setup, uint32_t literal) {
  Encoding e;
  e.dst = kDst;
  e.clamp = setup.clamp;
  e.op_sel = setup.op_sel;
  e.table = setup.table;
  const unsigned n = source_count(row);
  for (unsigned i = 0; i < n; ++i) e.src[i] = row.src[i] == LANES ? kMaskSource : vgpr_code(kSrc[i]);
  if (row.format == Format::vop3p) {
    e.op_sel_hi = row.has(MIX) ? 0 : 7 & ((1u << n) - 1);
    return encode_vop3p(row, e);
  }
  if (setup.e64 || row.format == Format::vop3) {
    e.sdst = kMaskResult;
    return encode_vop3(row, e);
  }
  const bool constant = row.format == Format::vop2 && row.src[2] != NONE && row.src[2] != LANES;
  if (constant && (row.name == "V_FMAMK_F32" || row.name == "V_MADMK_F16")) e.src[1] = vgpr_code(kSrc[2]);
  std::vector<uint32_t> code = encode_short(row, e);
  if (constant) code.push_back(literal);
  return code;
}

// Where the 16-bit result of this encoding goes: -1 the whole register, else the half.
int result_half(const Row& row, const Setup& setup) {
  if (!is_half(row.dst[0])) return -1;
  if (row.name == "V_MAD_MIXHI_F16") return 1;
  if (row.format == Format::vop3p) return 0;
  return row.has(OPSEL) ? static_cast<int>(setup.op_sel >> 3) : -1;
}

// One instruction on random operands.
struct Run {
  const Row& row;
  const Setup& setup;
  TestWave wave;
  std::vector<uint32_t> before;  // all VGPRs
  uint64_t vcc = 0, mask_source = 0;
  uint32_t literal = 0;
  int literal_source = -1;

  bool e64() const { return setup.e64 || row.format == Format::vop3; }
  unsigned result_dwords() const { return row.dst[0] == LANES ? 0 : operand_dwords(row.dst[0]); }
  uint32_t old(unsigned r, unsigned lane) const { return before[r * 64 + lane]; }
};

void fill_operand(Run& run, Random& random, unsigned lane, OperandType type, unsigned first) {
  if (type == LANES) return;
  uint32_t words[32];
  const unsigned n = operand_dwords(type);
  fill(random, type, words, n);
  for (unsigned r = 0; r < n; ++r) run.wave.v(first + r, lane) = words[r];
}

// Equal operands are rare by chance (v_div_scale compares its first with the two others).
void repeat_operand(Run& run, Random& random, unsigned lane) {
  const Row& row = run.row;
  const unsigned copy = 1 + static_cast<unsigned>(random.below(4));
  if (copy > 2 || row.src[copy] != row.src[0] || row.src[0] == LANES) return;
  for (unsigned r = 0; r < operand_dwords(row.src[0]); ++r) {
    run.wave.v(kSrc[copy] + r, lane) = run.wave.v(kSrc[0] + r, lane);
  }
}

void prepare(Run& run, Random& random) {
  const Row& row = run.row;
  for (unsigned r = 0; r < kVgprs; ++r)
    for (unsigned lane = 0; lane < 64; ++lane) run.wave.v(r, lane) = static_cast<uint32_t>(random());
  const bool literal =
      row.format == Format::vop2 && !run.setup.e64 && row.src[2] != NONE && row.src[2] != LANES;
  if (literal) {
    run.literal_source = row.name == "V_FMAMK_F32" || row.name == "V_MADMK_F16" ? 1 : 2;
    fill(random, row.src[1], &run.literal, 1);
  }
  for (unsigned lane = 0; lane < 64; ++lane) {
    for (unsigned i = 0; i < source_count(row); ++i) fill_operand(run, random, lane, row.src[i], kSrc[i]);
    if (row.has(TIED)) fill_operand(run, random, lane, row.dst[0], kDst);
    repeat_operand(run, random, lane);
  }
  WaveState& state = run.wave.state;
  state.set_vcc(random());
  state.set_pair(kMaskSource, random());
  state.set_pair(kMaskResult, random());
  state.set_exec(run.setup.exec);
  state.mode.bits = run.setup.mode;
  run.vcc = state.vcc();
  run.mask_source = run.e64() ? state.pair(kMaskSource) : run.vcc;
  run.before.assign(state.vgprs, state.vgprs + kVgprs * 64);
}

// What the oracle gets to see of a lane.
ref::LaneInput lane_input(const Run& run, unsigned lane) {
  const Row& row = run.row;
  const Setup& setup = run.setup;
  ref::LaneInput in;
  for (unsigned i = 0; i < source_count(row); ++i) {
    const unsigned n = row.src[i] == LANES ? 0 : operand_dwords(row.src[i]);
    for (unsigned r = 0; r < n; ++r) in.source[i][r] = run.old(kSrc[i] + r, lane);
    if (static_cast<int>(i) == run.literal_source) in.source[i][0] = run.literal;
    if (row.has(OPSEL) && is_half(row.src[i]) && (setup.op_sel >> i & 1)) in.source[i][0] >>= 16;
  }
  for (unsigned r = 0; r < run.result_dwords(); ++r) in.old[r] = run.old(kDst + r, lane);
  if (result_half(row, setup) == 1) in.old[0] >>= 16;
  in.mask_source = run.mask_source >> lane & 1;
  in.vcc = run.vcc >> lane & 1;
  in.mode.bits = setup.mode;
  in.lane = lane;
  in.op_sel = setup.op_sel;
  in.truth_table = setup.table;
  in.clamp = setup.clamp;
  return in;
}

std::string describe(Run& run, const ref::LaneInput& in, const ref::LaneResult& want) {
  return fmt::format(
      "{} {} mode {:#x} clamp {} op_sel {} lane {} s0 {:08x} {:08x} s1 {:08x} {:08x} s2 {:08x} {:08x} old "
      "{:08x} "
      "got {:08x} {:08x} want {:08x} {:08x}",
      run.row.name, run.setup.e64 ? "e64" : "", run.setup.mode, run.setup.clamp, run.setup.op_sel, in.lane,
      in.source[0][0], in.source[0][1], in.source[1][0], in.source[1][1], in.source[2][0], in.source[2][1],
      in.old[0], run.wave.v(kDst, in.lane), run.wave.v(kDst + 1, in.lane), want.d[0], want.d[1]);
}

// The registers of one lane's result.
bool lane_matches(Run& run, unsigned lane, const ref::LaneResult& want) {
  const int half = result_half(run.row, run.setup);
  for (unsigned r = 0; r < run.result_dwords(); ++r) {
    uint32_t got = run.wave.v(kDst + r, lane);
    const uint32_t old = run.old(kDst + r, lane);
    if (!(run.setup.exec >> lane & 1)) {
      if (got != old) return false;
      continue;
    }
    if (half >= 0) {
      const unsigned other = half == 0 ? 16 : 0;
      if ((got >> other & 0xffff) != (old >> other & 0xffff)) return false;
      got = got >> (16 * half) & 0xffff;
    }
    ref::LaneResult one = want;
    one.d[0] = want.d[r];
    if (!matches(got, one, run.row.dst[0])) return false;
  }
  return true;
}

// Lane masks, EXEC, and the registers that no result belongs in.
bool rest_matches(Run& run, uint64_t want_mask) {
  const Row& row = run.row;
  if (row.dst[0] == LANES || row.dst[1] == LANES) {
    const uint64_t got = run.e64() ? run.wave.state.pair(kMaskResult) : run.wave.state.vcc();
    CHECK_MESSAGE(got == want_mask,
                  fmt::format("{} mode {:#x} mask {:x} want {:x}", row.name, run.setup.mode, got, want_mask));
    if (got != want_mask) return false;
  }
  const bool writes_exec = row.name.starts_with("V_CMPX");
  CHECK_MESSAGE(run.wave.state.exec() == (writes_exec ? want_mask : run.setup.exec), std::string(row.name));
  const unsigned first = kDst + run.result_dwords();
  const bool same = std::memcmp(&run.before[first * 64], &run.wave.v(first, 0), (kVgprs - first) * 256) == 0;
  CHECK_MESSAGE(same, fmt::format("{} changed a register that is not its result", row.name));
  return same;
}

// Compares all lanes; stops at the first difference.
bool check(const Row& row, const Setup& setup, uint64_t seed) {
  const auto oracle = ref::valu_oracle().find(std::string(row.name));
  REQUIRE_MESSAGE(oracle != ref::valu_oracle().end(), std::string(row.name));
  Random random(seed);
  Run run{row, setup, {}, {}};
  prepare(run, random);
  run.wave.run(encode(row, setup, run.literal));
  uint64_t want_mask = 0;  // bits of lanes that are off are 0
  for (unsigned lane = 0; lane < 64; ++lane) {
    const ref::LaneInput in = lane_input(run, lane);
    const ref::LaneResult want = oracle->second(in);
    if ((setup.exec >> lane & 1) && want.mask) want_mask |= uint64_t{1} << lane;
    const bool same = lane_matches(run, lane, want);
    CHECK_MESSAGE(same, describe(run, in, want));
    if (!same) return false;
  }
  return rest_matches(run, want_mask);
}

bool is_lane_row(const Row& row) {
  const bool vector = row.format == Format::vop1 || row.format == Format::vop2 ||
                      row.format == Format::vopc || row.format == Format::vop3 || row.format == Format::vop3p;
  return vector && row.implemented && !row.expression.starts_with("exec_");
}

bool depends_on_mode(const Row& row) {
  for (OperandType t : {row.dst[0], row.src[0], row.src[1], row.src[2]})
    if (is_float(t)) return true;
  return row.name.find("SCALEF32") != std::string_view::npos;
}

// All formats flush or keep, all rounding modes, IEEE off, FP16_OVFL on.
constexpr uint32_t kModes[] = {0x3f0, 0x3f5, 0x3fa, 0x3ff,    0x300,    0x350,
                               0x3a0, 0x1f0, 0x0f5, 0x8003f0, 0x800305, 0x2f0};

uint64_t seed_of(const Row& row) {
  uint64_t h = 1469598103934665603ull;
  for (char c : row.name) h = (h ^ static_cast<uint8_t>(c)) * 1099511628211ull;
  return h;
}

void check_row(const Row& row) {
  const bool native = row.format == Format::vop3 || row.format == Format::vop3p;
  const bool has_e64 = native || row.has(E64);
  const std::vector<uint32_t> modes = depends_on_mode(row)
                                          ? std::vector<uint32_t>(std::begin(kModes), std::end(kModes))
                                          : std::vector<uint32_t>{0x3f0};
  const bool integer_clamp = row.has(CLAMP) && !is_float(row.dst[0]) && row.dst[0] != LANES && has_e64;
  uint64_t seed = seed_of(row);
  const bool wide = operand_dwords(row.dst[0]) > 4 || operand_dwords(row.src[0]) > 4;
  const int rounds = modes.size() == 1 ? 4 : wide ? 1 : 2;
  for (uint32_t mode : modes) {
    for (int round = 0; round < rounds; ++round) {
      for (bool e64 : {false, true}) {
        if (e64 ? !has_e64 : native) continue;
        Setup setup;
        setup.mode = mode;
        setup.e64 = e64;
        if (e64) {
          const unsigned sources = source_count(row);
          if (row.has(OPSEL) && row.format != Format::vop3p) {
            setup.op_sel = static_cast<unsigned>(seed >> 20) & 15;
            if (sources < 3 && !row.has(FREE2)) setup.op_sel &= ~4u;
          }
          setup.clamp = integer_clamp && round % 2 == 1;
          if (row.has(BITOP3)) setup.table = seed >> 8 & 255;
        }
        setup.exec = round % 2 == 1 ? 0x123456789abcdef0ull : ~uint64_t{0};
        if (!check(row, setup, seed++)) return;
      }
    }
  }
  Setup none;
  none.exec = 0;
  none.e64 = native;
  check(row, none, seed);
}

void check_format(Format format) {
  unsigned rows_checked = 0;
  for (const Row& row : rows()) {
    if (row.format != format || !is_lane_row(row)) continue;
    CAPTURE(std::string(row.name));
    check_row(row);
    ++rows_checked;
  }
  MESSAGE(rows_checked << " rows");
  CHECK(rows_checked > 0);
}

}  // namespace

TEST_CASE("valu: every VOP1 row computes what the oracle says") { check_format(Format::vop1); }
TEST_CASE("valu: every VOP2 row computes what the oracle says") { check_format(Format::vop2); }
TEST_CASE("valu: every VOPC row computes what the oracle says") { check_format(Format::vopc); }
TEST_CASE("valu: every VOP3 row computes what the oracle says") { check_format(Format::vop3); }
TEST_CASE("valu: every VOP3P row computes what the oracle says") { check_format(Format::vop3p); }
