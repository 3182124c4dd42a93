// SPDX-License-Identifier: MIT
#include "sim/isa/exec_cross_lane.h"

#include <bit>

#include "common/lane_map.h"
#include "sim/isa/environment.h"
#include "sim/isa/scalar_operand.h"

namespace wavetwin::isa {
namespace {

const uint32_t* vector_source(const WaveState& wave, const Operand& operand) {
  return operand.kind == OperandKind::agpr ? wave.agpr_source(operand.index)
                                           : wave.vgpr_source(operand.index);
}
uint32_t* vector_destination(WaveState& wave, const Operand& operand) {
  return operand.kind == OperandKind::agpr ? wave.agpr_destination(operand.index)
                                           : wave.vgpr_destination(operand.index);
}
bool is_vector(const Operand& operand) {
  return operand.kind == OperandKind::vgpr || operand.kind == OperandKind::agpr;
}
// One lane of a source; scalars are the same in every lane.
uint32_t lane_value(const WaveState& wave, const Operand& operand, unsigned lane) {
  return is_vector(operand) ? vector_source(wave, operand)[lane] : read_scalar32(wave, operand);
}

}  // namespace

void exec_readfirstlane(WaveState& wave, const Instruction& in) {
  const uint64_t exec = wave.exec();
  write_scalar32(wave, in.dst, lane_value(wave, in.src[0], exec == 0 ? 0 : std::countr_zero(exec)));
}

void exec_readlane(WaveState& wave, const Instruction& in) {
  write_scalar32(wave, in.dst, lane_value(wave, in.src[0], read_scalar32(wave, in.src[1]) & 63));
}

void exec_writelane(WaveState& wave, const Instruction& in) {
  vector_destination(wave, in.dst)[read_scalar32(wave, in.src[1]) & 63] = read_scalar32(wave, in.src[0]);
}

void exec_swap(WaveState& wave, const Instruction& in) {
  uint32_t* a = vector_destination(wave, in.dst);
  uint32_t* b = vector_destination(wave, in.src[0]);
  const uint64_t exec = wave.exec();
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!(exec >> lane & 1)) continue;
    const uint32_t old = a[lane];
    a[lane] = b[lane];
    b[lane] = old;
  }
}

void exec_accvgpr_move(WaveState& wave, const Instruction& in) {
  uint32_t* d = vector_destination(wave, in.dst);
  const uint64_t exec = wave.exec();
  const uint32_t* s = is_vector(in.src[0]) ? vector_source(wave, in.src[0]) : nullptr;
  const uint32_t scalar = s ? 0 : read_scalar32(wave, in.src[0]);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (exec >> lane & 1) d[lane] = s ? s[lane] : scalar;
  }
}

// Lane l of the source and lane l + distance of the destination change places, for every l whose bit
// `distance` is 0. The guide's pseudo-code has no EXEC. A lane that EXEC disables keeps its value unless `fi`
// is set (LLVM's description of its intrinsic), or takes part (option permlane_exec); with all lanes enabled,
// the only case compilers emit, both agree.
void exec_permlane_swap(WaveState& wave, const Instruction& in, unsigned distance) {
  uint32_t* d = vector_destination(wave, in.dst);
  uint32_t* s = vector_destination(wave, in.src[0]);
  const bool all = in.fetch_inactive || numeric_model_of(wave)->permlane_swaps_all;
  const uint64_t written = all ? ~uint64_t{0} : wave.exec();
  for (unsigned low = 0; low < kLanes; ++low) {
    if (low & distance) continue;
    const unsigned high = permlane_partner(distance, low);
    const uint32_t from_source = s[low], from_destination = d[high];
    if (written >> low & 1) s[low] = from_destination;
    if (written >> high & 1) d[high] = from_source;
  }
}

}  // namespace wavetwin::isa
