// SPDX-License-Identifier: MIT
#include "sim/numerics/mfma.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <limits>
#include <string>

#include "common/mfma/layout.h"
#include "sim/core/error.h"
#include "sim/numerics/mfma_fast.h"
#include "sim/numerics/mfma_packed.h"
#include "sim/numerics/mfma_reference.h"
#include "sim/numerics/mfma_steps.h"

namespace wavetwin::mfma {
namespace {

constexpr unsigned kWaveLanes = 64;
constexpr unsigned kMaxScales = 64;  // of one operand

// A mnemonic without what spellings differ in: case, "v_", underscores, "1k" and the count of blocks.
std::string bare_name(std::string_view name) {
  std::string bare;
  for (const char c : name)
    if (c != '_') bare += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (bare.substr(0, 1) == "v") bare.erase(0, 1);
  if (bare.size() > 2 && bare.substr(bare.size() - 2) == "1k") bare.erase(bare.size() - 2);
  return bare;
}

// bare_name of a table row without its "2b", "4b" or "16b".
std::string without_block_count(const Shape& shape) {
  std::string name = shape.name;
  const std::string count = "_" + std::to_string(shape.blocks) + "b_";
  const size_t at = name.find(count);
  if (at != std::string::npos) name.erase(at, count.size() - 1);
  return bare_name(name);
}

void check_instruction(const MfmaModel& model, const Shape& shape) {
  if (model.part == Part::gfx942 && shape.parts == Parts::gfx950_only)
    throw Error(std::string(shape.name) + " does not exist on gfx942 (MFMA model " + model.describe() + ")");
}

// Whether it is CBSZ and ABID that are not legal.
bool broadcasts_undefined(const Shape& shape, const Modifiers& m) {
  return shape.input != InputClass::f8f6f4 && !legal_modifiers(shape, m.cbsz, m.abid, 0);
}

// Where A's and B's formats come from, and whether the modifiers are legal.
struct Formats {
  Format a, b;
};
Formats checked_formats(const MfmaModel& model, const Shape& shape, const Modifiers& m) {
  check_instruction(model, shape);
  const bool by_field = shape.input == InputClass::f8f6f4;
  const Formats formats{by_field ? m.a_format : a_format_of(model, shape),
                        by_field ? m.b_format : b_format_of(model, shape)};
  const auto code_a = static_cast<unsigned>(formats.a), code_b = static_cast<unsigned>(formats.b);
  const bool legal =
      by_field ? legal_modifiers(shape, code_a, 0, code_b) && m.cbsz == 0 && m.abid == 0 && m.blgp == 0
               : legal_modifiers(shape, m.cbsz, m.abid, m.blgp);
  if (!legal || m.opsel_a > 3 || m.opsel_b > 3)
    throw Error(
        std::string(shape.name) + ": modifiers not legal: cbsz " +
        std::to_string(by_field ? code_a : m.cbsz) + ", abid " + std::to_string(m.abid) + ", blgp " +
        std::to_string(by_field ? code_b : m.blgp) + ", opsel " + std::to_string(m.opsel_a) + " and " +
        std::to_string(m.opsel_b) +
        (broadcasts_undefined(shape, m)
             ? "; a broadcast of A to more blocks than the instruction has, or of a block that is not one "
               "of 2^cbsz, is undefined (AMD CDNA4 ISA guide 7.1.6.1)"
             : ""));
  return formats;
}

// Registers -> packed rows, row `block * rows + row` first to last. A lane's run along k is a whole number of
// dwords in every layout, so dwords move as they are. `source_lane(lane)` is the lane read in place of
// `lane`.
template <class SourceLane>
void pack_rows(const InputLayout& layout, WaveRegisters registers, SourceLane source_lane, uint32_t* packed) {
  const unsigned run_words = layout.run * layout.bits / 32;
  const unsigned row_words = layout.k * layout.bits / 32;
  const unsigned vgprs = row_words / layout.lane_groups;
  const unsigned rows = layout.rows * layout.blocks;
  for (unsigned v = 0; v < vgprs; ++v) {
    for (unsigned group = 0; group < layout.lane_groups; ++group) {
      const unsigned word = (v / run_words * layout.lane_groups + group) * run_words  // runs before this one
                            + v % run_words;
      for (unsigned row = 0; row < rows; ++row)
        packed[row * row_words + word] = registers[v][source_lane(group * rows + row)];
    }
  }
}

// The scale bytes as [row][k block].
void pack_scales(unsigned rows, unsigned k, const uint32_t* registers, unsigned opsel, uint8_t* packed) {
  const unsigned blocks = k / kScaleBlock;
  for (unsigned lane = 0; lane < kWaveLanes; ++lane) {
    const ScaleElement element = scale_element(rows, lane);
    packed[element.row * blocks + element.k_block] = static_cast<uint8_t>(registers[lane] >> 8 * opsel);
  }
}

// One register of a 32-bit C or D holds `n` columns of one row in neighbouring lanes: calls move(block, row,
// vgpr, first lane) for each.
template <class Move>
void for_each_output_row(const Shape& shape, Move move) {
  const OutputLayout layout = cd_layout(shape);
  for (unsigned block = 0; block < shape.blocks; ++block)
    for (unsigned row = 0; row < shape.m; ++row) {
      const Place place = layout.place({static_cast<uint8_t>(block), static_cast<uint8_t>(row), 0});
      move(block, row, place.vgpr(), place.lane);
    }
}

// The operands of a whole instruction outside the registers.
struct Packed {
  uint32_t a[kMaxInputVgprs * kWaveLanes];
  uint32_t b[kMaxInputVgprs * kWaveLanes];
  uint32_t c[kMaxOutputVgprs * kWaveLanes];  // [block][row][column], two words an element for f64
  uint32_t d[kMaxOutputVgprs * kWaveLanes];
  uint8_t scale_a[kMaxScales];
  uint8_t scale_b[kMaxScales];
};

void pack(const Shape& shape, const Formats& formats, const Modifiers& m, const RegisterOperands& r,
          Packed& packed) {
  const bool permutes_b = shape.input != InputClass::f64 && m.blgp != 0;  // f64 reads BLGP as signs
  const auto same = [](unsigned lane) { return lane; };
  pack_rows(a_layout(shape, formats.a), r.a, same, packed.a);
  if (permutes_b)
    pack_rows(
        b_layout(shape, formats.b), r.b, [&m](unsigned lane) { return b_source_lane(lane, m.blgp); },
        packed.b);
  else
    pack_rows(b_layout(shape, formats.b), r.b, same, packed.b);
  if (shape.scaled) {
    pack_scales(shape.m, shape.k, r.scale_a, m.opsel_a, packed.scale_a);
    pack_scales(shape.n, shape.k, r.scale_b, m.opsel_b, packed.scale_b);
  }
  const unsigned words = output_bits(shape) / 32;
  for_each_output_row(shape, [&](unsigned block, unsigned row, unsigned vgpr, unsigned lane) {
    uint32_t* const c = packed.c + (block * shape.m + row) * shape.n * words;
    if (words == 1) {
      std::memcpy(c, r.c[vgpr] + lane, shape.n * sizeof *c);
    } else {
      for (unsigned j = 0; j < shape.n; ++j)
        for (unsigned w = 0; w < 2; ++w) c[2 * j + w] = r.c[vgpr + w][lane + j];
    }
  });
}

void unpack_d(const Shape& shape, const Packed& packed, uint32_t (*registers)[64]) {
  const unsigned words = output_bits(shape) / 32;
  for_each_output_row(shape, [&](unsigned block, unsigned row, unsigned vgpr, unsigned lane) {
    const uint32_t* const d = packed.d + (block * shape.m + row) * shape.n * words;
    if (words == 1) {
      std::memcpy(registers[vgpr] + lane, d, shape.n * sizeof *d);
    } else {
      for (unsigned j = 0; j < shape.n; ++j)
        for (unsigned w = 0; w < 2; ++w) registers[vgpr + w][lane + j] = d[2 * j + w];
    }
  });
}

uint64_t pair(const uint32_t* words) { return words[0] | uint64_t{words[1]} << 32; }

// One block of an f64 shape. NEG bits change signs, also of NaNs.
void block_f64(const MfmaModel& model, const Shape& shape, unsigned neg, const PackedBlock& block) {
  const auto signed_word = [neg](const uint32_t* words, unsigned operand) {
    return pair(words) ^ uint64_t { neg >> operand & 1 } << 63;
  };
  for (unsigned i = 0; i < shape.m; ++i)
    for (unsigned j = 0; j < shape.n; ++j) {
      uint64_t a[kMaxK], b[kMaxK];
      for (unsigned k = 0; k < shape.k; ++k) {
        a[k] = signed_word(block.a + 2 * (i * shape.k + k), 0);
        b[k] = signed_word(block.b + 2 * (j * shape.k + k), 1);
      }
      const unsigned at = 2 * (i * shape.n + j);
      const uint64_t d = dot_f64(model, shape.k, a, b, signed_word(block.c + at, 2));
      block.d[at] = static_cast<uint32_t>(d);
      block.d[at + 1] = static_cast<uint32_t>(d >> 32);
    }
}

void block_f32(const MfmaModel& model, const Shape& shape, bool flush, const PackedBlock& block) {
  for (unsigned i = 0; i < shape.m; ++i)
    for (unsigned j = 0; j < shape.n; ++j)
      block.d[i * shape.n + j] = dot_f32(model, shape.k, block.a + i * shape.k, block.b + j * shape.k,
                                         block.c[i * shape.n + j], flush);
}

void block_i8(const Shape& shape, const PackedBlock& block) {
  const auto* const a = reinterpret_cast<const uint8_t*>(block.a);
  const auto* const b = reinterpret_cast<const uint8_t*>(block.b);
  for (unsigned i = 0; i < shape.m; ++i)
    for (unsigned j = 0; j < shape.n; ++j)
      block.d[i * shape.n + j] = dot_i8(shape.k, a + i * shape.k, b + j * shape.k, block.c[i * shape.n + j]);
}

void block_reference(const MfmaModel& model, const Shape& shape, const StepPlan& plan, const Formats& formats,
                     const PackedBlock& block) {
  const unsigned scale_blocks = shape.k / kScaleBlock;
  uint16_t a[kMaxK], b[32][kMaxK];
  for (unsigned j = 0; j < shape.n; ++j)
    unpack_codes(block.b + j * packed_words(shape.k, formats.b), formats.b, shape.k, b[j]);
  for (unsigned i = 0; i < shape.m; ++i) {
    unpack_codes(block.a + i * packed_words(shape.k, formats.a), formats.a, shape.k, a);
    for (unsigned j = 0; j < shape.n; ++j) {
      const Dot dot{formats.a,
                    formats.b,
                    a,
                    b[j],
                    shape.scaled ? block.scale_a + i * scale_blocks : nullptr,
                    shape.scaled ? block.scale_b + j * scale_blocks : nullptr};
      block.d[i * shape.n + j] = dot_reference(model, plan, dot, block.c[i * shape.n + j]);
    }
  }
}

void run(const MfmaModel& model, const Shape& shape, const Modifiers& m, const RegisterOperands& r,
         bool may_be_fast) {
  const Formats formats = checked_formats(model, shape, m);
  Packed packed;
  pack(shape, formats, m, r, packed);
  const unsigned a_words = shape.m * packed_words(shape.k, formats.a),
                 b_words = shape.n * packed_words(shape.k, formats.b);
  const unsigned cd_words = shape.m * shape.n * output_bits(shape) / 32;
  const StepPlan plan = step_plan(model, shape, formats.a, formats.b);
  const bool fast = may_be_fast && fast_applies(model, shape, plan);
  for (unsigned block = 0; block < shape.blocks; ++block) {
    const unsigned a_block = m.broadcast_by_lanes
                                 ? broadcast_block_by_lanes(shape.blocks, block, m.cbsz, m.abid)
                                 : broadcast_block(block, m.cbsz, m.abid);
    const PackedBlock operands{packed.a + a_block * a_words,
                               packed.b + block * b_words,
                               shape.scaled ? packed.scale_a : nullptr,
                               shape.scaled ? packed.scale_b : nullptr,
                               packed.c + block * cd_words,
                               packed.d + block * cd_words};
    switch (shape.input) {
      case InputClass::f64:
        block_f64(model, shape, m.blgp, operands);
        break;
      case InputClass::f32:
        block_f32(model, shape, m.flush_f32_denormals, operands);
        break;
      case InputClass::i8:
        block_i8(shape, operands);
        break;
      default:
        if (fast)
          mfma_fast(model, shape, plan, formats.a, formats.b, operands);
        else
          block_reference(model, shape, plan, formats, operands);
        break;
    }
  }
  unpack_d(shape, packed, r.d);
}

// MODE.FP16_OVFL and the option of the same name mean the same thing.
void run_with_mode(const MfmaModel& model, const Shape& shape, const Modifiers& m, const RegisterOperands& r,
                   bool may_be_fast) {
  if (!m.fp16_ovfl || model.fp16_ovfl) return run(model, shape, m, r, may_be_fast);
  MfmaModel clamping = model;
  clamping.fp16_ovfl = true;
  run(clamping, shape, m, r, may_be_fast);
}

// Logical matrices: sizes, and codes that fit their format.
void check_matrix(const Shape& shape, const char* name, std::span<const uint64_t> words, size_t count,
                  unsigned columns, unsigned bits) {
  if (words.size() != count)
    throw Error(std::string(shape.name) + ": matrix " + name + " has " + std::to_string(words.size()) +
                " elements, expected " + std::to_string(count));
  for (size_t i = 0; bits < 64 && i < count; ++i)
    if (words[i] >> bits != 0)
      throw Error(std::string(shape.name) + ": " + name + "[" + std::to_string(i / columns) + "][" +
                  std::to_string(i % columns) + "] = " + std::to_string(words[i]) + " does not fit " +
                  std::to_string(bits) + " bits");
}

void check_matrices(const MfmaModel& model, const Shape& shape, Format a_format, Format b_format,
                    const MatrixOperands& o) {
  check_instruction(model, shape);
  const auto is_legal = [&](Format format, Format own) {
    return shape.input == InputClass::f8f6f4 ? static_cast<unsigned>(format) < kF8F6F4Formats : format == own;
  };
  const Format own_a = a_format_of(model, shape), own_b = b_format_of(model, shape);
  if (!is_legal(a_format, own_a) || !is_legal(b_format, own_b))
    throw Error(std::string(shape.name) + " does not take A in " + to_string(a_format) + " and B in " +
                to_string(b_format) + "; it takes " +
                (shape.input == InputClass::f8f6f4
                     ? std::string("e4m3, e5m2, e2m3, e3m2 or e2m1 for each")
                     : std::string(to_string(own_a)) + " and " + to_string(own_b)) +
                " (MFMA model " + model.describe() + ")");
  check_matrix(shape, "a", o.a, size_t{shape.m} * shape.k, shape.k, format_bits(a_format));
  check_matrix(shape, "b", o.b, size_t{shape.k} * shape.n, shape.n, format_bits(b_format));
  check_matrix(shape, "c", o.c, size_t{shape.m} * shape.n, shape.n, output_bits(shape));
  if (o.d.size() != o.c.size()) throw Error(std::string(shape.name) + ": matrix d has the wrong size");
  const size_t scales_a = o.scale_a.size(), scales_b = o.scale_b.size();
  if (!shape.scaled && (scales_a != 0 || scales_b != 0))
    throw Error(std::string(shape.name) + " has no scale operands");
  const unsigned blocks = shape.k / kScaleBlock;
  if ((scales_a != 0 && scales_a != size_t{shape.m} * blocks) ||
      (scales_b != 0 && scales_b != size_t{shape.n} * blocks))
    throw Error(std::string(shape.name) + ": scale_a and scale_b need one code a row and 32 elements of K");
}

uint64_t matrix_element(const MfmaModel& model, const Shape& shape, const StepPlan& plan, Format a_format,
                        Format b_format, const MatrixOperands& o, unsigned i, unsigned j, bool flush) {
  uint64_t a[kMaxK], b[kMaxK];
  uint32_t a32[kMaxK], b32[kMaxK];
  uint16_t a16[kMaxK], b16[kMaxK];
  uint8_t a8[kMaxK], b8[kMaxK];
  for (unsigned k = 0; k < shape.k; ++k) {
    a[k] = o.a[i * shape.k + k], b[k] = o.b[k * shape.n + j];
    a32[k] = static_cast<uint32_t>(a[k]), b32[k] = static_cast<uint32_t>(b[k]);
    a16[k] = static_cast<uint16_t>(a[k]), b16[k] = static_cast<uint16_t>(b[k]);
    a8[k] = static_cast<uint8_t>(a[k]), b8[k] = static_cast<uint8_t>(b[k]);
  }
  const uint64_t c = o.c[i * shape.n + j];
  const auto c32 = static_cast<uint32_t>(c);
  switch (shape.input) {
    case InputClass::f64:
      return dot_f64(model, shape.k, a, b, c);
    case InputClass::f32:
      return dot_f32(model, shape.k, a32, b32, c32, flush);
    case InputClass::i8:
      return dot_i8(shape.k, a8, b8, c32);
    default:
      break;
  }
  const unsigned blocks = shape.k / kScaleBlock;
  uint8_t scale_a[kMaxK / kScaleBlock], scale_b[kMaxK / kScaleBlock];
  for (unsigned s = 0; s < blocks; ++s) {
    scale_a[s] = o.scale_a.empty() ? uint8_t{E8M0::kBias} : o.scale_a[i * blocks + s];
    scale_b[s] = o.scale_b.empty() ? uint8_t{E8M0::kBias} : o.scale_b[j * blocks + s];
  }
  const Dot dot{
      a_format, b_format, a16, b16, shape.scaled ? scale_a : nullptr, shape.scaled ? scale_b : nullptr};
  return dot_reference(model, plan, dot, c32);
}

Format on_part(const MfmaModel& model, Format format) {
  if (model.part != Part::gfx942) return format;
  if (format == Format::e4m3) return Format::e4m3fnuz;
  return format == Format::e5m2 ? Format::e5m2fnuz : format;
}

}  // namespace

const Shape* find_shape(std::string_view name) {
  const std::string bare = bare_name(name);
  for (const Shape& shape : kShapes)
    if (bare == bare_name(shape.name) || bare == without_block_count(shape)) return &shape;
  return nullptr;
}

const SparseShape* find_sparse_shape(std::string_view name) {
  const std::string bare = bare_name(name);
  for (const SparseShape& shape : kSparseShapes)
    if (bare == bare_name(shape.name)) return &shape;
  return nullptr;
}

Format a_format_of(const MfmaModel& model, const Shape& shape) { return on_part(model, shape.a); }
Format b_format_of(const MfmaModel& model, const Shape& shape) { return on_part(model, shape.b); }

void mfma(const MfmaModel& model, const Shape& shape, const Modifiers& modifiers,
          const RegisterOperands& operands) {
  run_with_mode(model, shape, modifiers, operands, true);
}

void add_saturated(unsigned vgprs, WaveRegisters sums, WaveRegisters c, uint32_t (*d)[64]) {
  constexpr int64_t kLow = std::numeric_limits<int32_t>::min(), kHigh = std::numeric_limits<int32_t>::max();
  for (unsigned r = 0; r < vgprs; ++r)
    for (unsigned lane = 0; lane < kWaveLanes; ++lane) {
      const int64_t sum = int64_t{static_cast<int32_t>(c[r][lane])} + static_cast<int32_t>(sums[r][lane]);
      d[r][lane] = static_cast<uint32_t>(std::clamp(sum, kLow, kHigh));
    }
}

void mfma_reference(const MfmaModel& model, const Shape& shape, const Modifiers& modifiers,
                    const RegisterOperands& operands) {
  run_with_mode(model, shape, modifiers, operands, false);
}

void mfma(const MfmaModel& model, const Shape& shape, Format a_format, Format b_format,
          const MatrixOperands& operands, bool flush_f32_denormals) {
  check_matrices(model, shape, a_format, b_format, operands);
  const StepPlan plan = step_plan(model, shape, a_format, b_format);
  for (unsigned i = 0; i < shape.m; ++i)
    for (unsigned j = 0; j < shape.n; ++j)
      operands.d[i * shape.n + j] =
          matrix_element(model, shape, plan, a_format, b_format, operands, i, j, flush_f32_denormals);
}

}  // namespace wavetwin::mfma
