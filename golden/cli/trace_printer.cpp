// SPDX-License-Identifier: MIT
#include "golden/cli/trace_printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "golden/cli/register_names.h"
#include "sim/isa/disassemble.h"

namespace wavetwin::golden {
namespace {

void print_row(const std::string& name, const uint32_t* now, uint64_t exec) {
  if (exec == ~uint64_t{0} && std::all_of(now, now + isa::kLanes, [&](uint32_t v) { return v == now[0]; })) {
    fmt::print("          {}={:08x} in every lane\n", name, now[0]);
    return;
  }
  for (unsigned lane = 0; lane < isa::kLanes; lane += 8) {
    std::string line = fmt::format("          {:>4} lane {:>2}:", lane == 0 ? name : "", lane);
    for (unsigned l = lane; l < lane + 8; ++l) {
      line += exec >> l & 1 ? fmt::format("  {:08x} ", now[l]) : fmt::format(" ({:08x})", now[l]);
    }
    fmt::print("{}\n", line);
  }
}

}  // namespace

void TracePrinter::begin(const isa::WaveState& state, const isa::Instruction& in) {
  printing_ = printing_ || !from_ || in.pc == *from_;
  if (!printing_ || done()) return;
  vgprs_.assign(state.vgprs, state.vgprs + size_t{state.vgpr_count} * isa::kLanes);
  agprs_.assign(state.agprs, state.agprs + size_t{state.agpr_count} * isa::kLanes);
  scalar_ = state.scalar;
  scc_ = state.scc;
  mode_ = state.mode.bits;
}

void TracePrinter::end(const isa::WaveState& state, const isa::Instruction& in) {
  if (!printing_ || done()) return;
  ++printed_;
  fmt::print("{:>8x}: {}\n", in.pc, isa::disassemble(in));
  const uint64_t exec = uint64_t{scalar_[isa::kExecLo + 1]} << 32 | scalar_[isa::kExecLo];
  print_scalars(state);
  print_rows('v', vgprs_, state.vgprs, exec);
  print_rows('a', agprs_, state.agprs, exec);
}

void TracePrinter::print_scalars(const isa::WaveState& state) const {
  std::string line;
  for (unsigned code = 0; code < isa::kScalarFileSize; ++code) {
    if (state.scalar[code] == scalar_[code] || !wanted(scalar_register_name(code))) continue;
    line += fmt::format(" {}={:08x}", scalar_register_name(code), state.scalar[code]);
  }
  if (state.scc != scc_ && wanted("scc")) line += fmt::format(" scc={}", state.scc ? 1 : 0);
  if (state.mode.bits != mode_ && wanted("mode")) line += fmt::format(" mode={:08x}", state.mode.bits);
  if (!line.empty()) fmt::print("         {}\n", line);
}

void TracePrinter::print_rows(char file, const std::vector<uint32_t>& before, const uint32_t* after,
                              uint64_t exec) const {
  for (size_t row = 0; row < before.size() / isa::kLanes; ++row) {
    const uint32_t* now = after + row * isa::kLanes;
    if (std::memcmp(before.data() + row * isa::kLanes, now, isa::kLanes * 4) == 0) continue;
    const std::string name = fmt::format("{}{}", file, row);
    if (wanted(name)) print_row(name, now, exec);
  }
}

}  // namespace wavetwin::golden
