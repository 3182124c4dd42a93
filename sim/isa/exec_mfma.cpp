// SPDX-License-Identifier: MIT
#include "sim/isa/exec_mfma.h"

#include <array>
#include <cstring>
#include <optional>

#include "common/mfma/sparse.h"
#include "sim/isa/environment.h"
#include "sim/isa/rows.h"
#include "sim/numerics/mfma.h"

namespace wavetwin::isa {
namespace {

using Registers = uint32_t (*)[kLanes];

// The shape of every row that is an MFMA, looked up once.
const mfma::Shape& shape_of(const Instruction& in) {
  static const auto kShapes = [] {
    std::array<const mfma::Shape*, kRowCount> shapes{};
    for (size_t row = 0; row < kRowCount; ++row) {
      const Row& r = rows()[row];
      if (r.expression.starts_with("exec_mfma")) shapes[row] = mfma::find_shape(r.name);
    }
    return shapes;
  }();
  const mfma::Shape* shape = kShapes[in.row];
  if (shape == nullptr) throw Error("no matrix shape is known for " + std::string(row_of(in).name));
  return *shape;
}

// Registers of a tuple in place; the tuple must be inside the wave's allocation.
Registers tuple(const WaveState& wave, const Operand& operand) {
  const bool agpr = operand.kind == OperandKind::agpr;
  const uint32_t count = agpr ? wave.agpr_count : wave.vgpr_count;
  if (operand.index + operand.dwords > count) {
    throw Error(std::string("matrix operand ") + (agpr ? "a" : "v") + std::to_string(operand.index) +
                " ends above the registers of the wave");
  }
  return reinterpret_cast<Registers>((agpr ? wave.agprs : wave.vgprs) + size_t{operand.index} * kLanes);
}

// C: a tuple, or a constant that every element gets.
mfma::WaveRegisters accumulator(const WaveState& wave, const Operand& operand, Registers buffer) {
  if (operand.kind != OperandKind::constant) return tuple(wave, operand);
  const bool wide = operand.type == F64X4 || operand.type == F64;
  for (unsigned r = 0; r < operand.dwords; ++r) {
    const uint32_t value = static_cast<uint32_t>(operand.value >> (wide && r % 2 ? 32 : 0));
    for (unsigned lane = 0; lane < kLanes; ++lane) buffer[r][lane] = value;
  }
  return buffer;
}

// A scale: a VGPR, or a float constant, of which the exponent counts (isa guide 7.2.1); op_sel does not
// choose among its bits.
const uint32_t* scale(const WaveState& wave, const Operand& operand, uint32_t* buffer) {
  if (operand.kind == OperandKind::vgpr) return wave.vgpr_source(operand.index);
  const auto exponent = static_cast<uint32_t>(operand.value >> 23 & 0xff);
  for (unsigned lane = 0; lane < kLanes; ++lane) buffer[lane] = exponent * 0x01010101u;
  return buffer;
}

const mfma::MfmaModel& model_of(const WaveState& wave) {
  static const mfma::MfmaModel kDefault = mfma::preset("gfx950-default");
  return wave.env != nullptr && wave.env->mfma_model != nullptr ? *wave.env->mfma_model : kDefault;
}

// Whether an i32 result is clamped: 7.1.2 and 7.5 say that FP16_OVFL does it, 7.4 that MODE does not count.
bool saturates(const WaveState& wave, mfma::InputClass input) {
  return input == mfma::InputClass::i8 && wave.mode.fp16_ovfl() && !numeric_model_of(wave)->mfma_i8_wraps;
}

}  // namespace

// C is negated by BLGP[2] of the f64 rows alone (7.1.6.4, 13.3.6.1: BLGP is their NEG). No matrix instruction
// has other modifiers of its sources: MAI has no such field, F8F6F4 "Imod not supported" (7.1.5), and what
// stands in the place of NEG and NEG_HI in the prefix of a scaled MFMA has no meaning in 7.2.1 and is
// ignored, as LLVM 22 does.
void exec_mfma(WaveState& wave, const Instruction& in) {
  const mfma::Shape& shape = shape_of(in);
  alignas(64) uint32_t constant[32][kLanes];
  alignas(64) uint32_t scale_a[kLanes], scale_b[kLanes];

  mfma::Modifiers modifiers;
  if (row_of(in).has(F8F6F4)) {
    modifiers.a_format = static_cast<mfma::Format>(in.cbsz);
    modifiers.b_format = static_cast<mfma::Format>(in.blgp);
  } else {
    // f64 ignores them (isa guide 7.1.6.4).
    modifiers.cbsz = shape.input == mfma::InputClass::f64 ? 0 : in.cbsz;
    modifiers.abid = shape.input == mfma::InputClass::f64 ? 0 : in.abid;
    modifiers.blgp = in.blgp;
    modifiers.broadcast_by_lanes = numeric_model_of(wave)->mfma_broadcast_by_lanes;
  }
  modifiers.opsel_a = static_cast<uint8_t>((in.op_sel & 1) | (in.op_sel_hi & 1) << 1);
  modifiers.opsel_b = static_cast<uint8_t>((in.op_sel >> 1 & 1) | (in.op_sel_hi >> 1 & 1) << 1);
  modifiers.fp16_ovfl = wave.mode.fp16_ovfl();
  modifiers.flush_f32_denormals = (wave.mode.denorm_f32() & 1) == 0;

  mfma::RegisterOperands operands{tuple(wave, in.src[0]), tuple(wave, in.src[1]),
                                  accumulator(wave, in.src[2], constant), tuple(wave, in.dst)};
  if (shape.scaled) {
    operands.scale_a = scale(wave, in.src[3], scale_a);
    operands.scale_b = scale(wave, in.src[4], scale_b);
  }
  if (saturates(wave, shape.input)) {
    alignas(64) uint32_t sums[mfma::kMaxOutputVgprs][kLanes] = {};
    mfma::mfma(model_of(wave), shape, modifiers, {operands.a, operands.b, sums, sums});
    return mfma::add_saturated(mfma::cd_vgprs(shape), sums, operands.c, operands.d);
  }
  mfma::mfma(model_of(wave), shape, modifiers, operands);
}

namespace {

// A sparse instruction, and the dense one that does its sums: same M, N and formats, and a K that divides the
// sparse one's. It counts as one of the parts that have the sparse instruction. assumption: so the shapes
// that gfx942 has take the steps of its dense ones, and those new in gfx950 of the new ones.
struct Sparse {
  const mfma::SparseShape* shape = nullptr;
  std::optional<mfma::Shape> dense = {};
};

std::optional<mfma::Shape> dense_shape(const mfma::SparseShape& sparse) {
  const unsigned mk = sparse.input == mfma::InputClass::i8 ? 1024 : 512;
  for (mfma::Shape shape : mfma::kShapes) {
    if (shape.m != sparse.m || shape.m * shape.k != static_cast<int>(mk) || shape.blocks != 1 ||
        shape.input != sparse.input || shape.a != sparse.a || shape.b != sparse.b)
      continue;
    shape.name = sparse.name;
    shape.parts = sparse.parts;
    return shape;
  }
  return std::nullopt;
}

const Sparse& sparse_of(const Instruction& in) {
  static const auto kSparse = [] {
    std::array<Sparse, kRowCount> all{};
    for (size_t row = 0; row < kRowCount; ++row) {
      const Row& r = rows()[row];
      if (!r.expression.starts_with("exec_smfmac")) continue;
      all[row].shape = mfma::find_sparse_shape(r.name);
      if (all[row].shape != nullptr) all[row].dense = dense_shape(*all[row].shape);
    }
    return all;
  }();
  const Sparse& sparse = kSparse[in.row];
  if (!sparse.dense) throw Error("no matrix shape is known for " + std::string(row_of(in).name));
  return sparse;
}

// Compressed element e of lanes that hold `elements` of them: its place among the lane's own k by its index
// bits, and its code.
unsigned index_of(uint32_t index, unsigned e) { return index >> (2 * e) & 3; }
bool repeats_index(uint32_t index, unsigned e) {
  return e % 2 == 1 && index_of(index, e) == index_of(index, e - 1);
}
uint32_t code_at(const uint32_t (*registers)[kLanes], unsigned lane, unsigned e, unsigned width) {
  const uint32_t word =
      registers[e * width / 32][lane];  // apart: g++ 12's -fsanitize=undefined loses an index otherwise
  return word >> (e * width % 32) & ((1u << width) - 1);
}
void put_code(Registers registers, unsigned lane, unsigned e, unsigned width, uint32_t code) {
  const uint32_t mask = ((1u << width) - 1) << (e * width % 32);
  uint32_t& target = registers[e * width / 32][lane];
  target = (target & ~mask) | code << (e * width % 32);
}

// What an SMFMAC reads, apart from its registers, which D may overlap. Elements of A are at the k that their
// index bits name; the other k are zero.
struct SparseOperands {
  const Sparse& sparse;
  unsigned width, elements;
  bool selects;  // option smfmac_pair
  uint32_t index[kLanes] = {};
  alignas(64) uint32_t a[8][kLanes] = {}, b[8][kLanes] = {};
  alignas(64) uint32_t c[16][kLanes] = {};

  // With `selects` the second element of a pair that names one k twice is 2 further on, a k of the same
  // parity.
  void expand(const uint32_t (*compressed)[kLanes]) {
    for (unsigned lane = 0; lane < kLanes; ++lane)
      for (unsigned e = 0; e < elements; ++e) {
        const unsigned apart = selects && repeats_index(index[lane], e) ? 2 : 0;
        put_code(a, lane, mfma::sparse_k(e, index_of(index[lane], e) ^ apart), width,
                 code_at(compressed, lane, e, width));
      }
  }

  bool row_repeats(unsigned row) const {
    for (unsigned lane = row; lane < kLanes; lane += sparse.shape->m)
      for (unsigned e = 1; e < elements; e += 2)
        if (repeats_index(index[lane], e)) return true;
    return false;
  }

  // B as a row with such pairs meets it: the element of B named twice is 2 further on as well.
  void b_of_row(unsigned row, Registers own) const {
    std::memcpy(own, b, sizeof b);
    const unsigned m = sparse.shape->m;
    for (unsigned lane = row; lane < kLanes; lane += m)
      for (unsigned e = 1; e < elements; e += 2) {
        if (!repeats_index(index[lane], e)) continue;
        const unsigned from = index_of(index[lane], e);
        for (unsigned column = lane - row; column < lane - row + m; ++column)
          put_code(own, column, mfma::sparse_k(e, from ^ 2), width,
                   code_at(b, column, mfma::sparse_k(e, from), width));
      }
  }

  // D = A * B + C. assumption: an instruction with more registers than the dense one chains over them in
  // ascending order.
  void multiply(const mfma::MfmaModel& model, const mfma::Modifiers& modifiers,
                const uint32_t (*of_b)[kLanes], Registers d) const {
    const mfma::Shape& dense = *sparse.dense;
    const unsigned step = dense.k * dense.m / kLanes * width / 32;
    std::memcpy(d, c, sizeof c);
    for (unsigned r = 0; r < mfma::sparse_b_vgprs(*sparse.shape); r += step)
      mfma::mfma(model, dense, modifiers, {a + r, of_b + r, d, d});
  }
};

// A pair of equal indices breaks a rule (7.5: "index 0 < index 1"). The index chooses from B (7.5.1), so that
// both elements then meet the same one; option smfmac_pair: or the second takes the place of the first.
void multiply_sparse(const mfma::MfmaModel& model, const mfma::Modifiers& modifiers, const SparseOperands& o,
                     Registers d) {
  o.multiply(model, modifiers, o.b, d);
  const mfma::SparseShape& shape = *o.sparse.shape;
  for (unsigned row = 0; o.selects && row < shape.m; ++row) {
    if (!o.row_repeats(row)) continue;
    alignas(64) uint32_t b[8][kLanes], own[16][kLanes];
    o.b_of_row(row, b);
    o.multiply(model, modifiers, b, own);
    const mfma::Place place = mfma::sparse_d_layout(shape).place({0, static_cast<uint8_t>(row), 0});
    std::memcpy(d[place.vgpr()] + place.lane, own[place.vgpr()] + place.lane, shape.n * sizeof own[0][0]);
  }
}

}  // namespace

void exec_smfmac(WaveState& wave, const Instruction& in) {
  const Sparse& sparse = sparse_of(in);
  const mfma::SparseShape& shape = *sparse.shape;
  const unsigned elements = mfma::sparse_lane_elements(shape);
  SparseOperands operands{sparse, mfma::format_bits(shape.a), elements,
                          !numeric_model_of(wave)->smfmac_pair_expands};
  // The bits of the index register that the instruction reads start here.
  const unsigned first = 2 * elements * mfma::sparse_index_set(shape, in.cbsz, in.abid);
  const uint32_t* index = wave.vgpr_source(in.src[2].index);
  for (unsigned lane = 0; lane < kLanes; ++lane) operands.index[lane] = index[lane] >> first;
  const Registers d = tuple(wave, in.dst);
  const size_t d_bytes = in.dst.dwords * sizeof d[0];
  operands.expand(tuple(wave, in.src[0]));
  std::memcpy(operands.b, tuple(wave, in.src[1]), in.src[1].dwords * sizeof operands.b[0]);
  const bool clamped = saturates(wave, sparse.dense->input);
  if (!clamped) std::memcpy(operands.c, d, d_bytes);

  mfma::Modifiers modifiers;
  modifiers.fp16_ovfl = wave.mode.fp16_ovfl();
  alignas(64) uint32_t result[16][kLanes];
  multiply_sparse(model_of(wave), modifiers, operands, result);
  if (clamped)
    mfma::add_saturated(in.dst.dwords, result, d, d);
  else
    std::memcpy(d, result, d_bytes);
}

}  // namespace wavetwin::isa
