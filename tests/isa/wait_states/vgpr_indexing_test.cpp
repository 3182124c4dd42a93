// SPDX-License-Identifier: MIT
// What code says about VGPR indexing, and what an instruction operates on under a value of M0.
#include "sim/isa/vgpr_indexing.h"

#include <doctest/doctest.h>

#include "sim/isa/executable.h"
#include "sim/isa/rows.h"

namespace wavetwin::isa {
namespace {

constexpr unsigned kLikeM0 = 124;  // a VGPR with the number that M0 has among the scalar operands

Executable load() { return Executable(CodeObject::load(ASM_DIR "vgpr_indexing.co")); }

bool accesses_lane(const Instruction& in) {
  return id_of(in) == RowId::V_READLANE_B32 || id_of(in) == RowId::V_READFIRSTLANE_B32 ||
         id_of(in) == RowId::V_WRITELANE_B32;
}

// The registers that the first instruction of a row has under M0: those of the sources, then the
// destination's.
std::vector<unsigned> registers(const Program& program, RowId row, uint32_t m0) {
  for (const Instruction& in : program.instructions) {
    if (!in.valid() || id_of(in) != row) continue;
    const Instruction moved = indexed(in, m0);
    std::vector<unsigned> found;
    for (const Operand& source : moved.src) {
      if (source.kind == OperandKind::vgpr || source.kind == OperandKind::sgpr) found.push_back(source.index);
    }
    found.push_back(moved.dst.index);
    return found;
  }
  return {};
}

}  // namespace

TEST_CASE("VGPR indexing: the code says which operands may be indexed at each place") {
  const Executable executable = load();
  const Program& program = executable.program();
  const std::vector<uint8_t> operands = indexed_operands(program, FlowGraph(program));
  unsigned checked = 0, indexed_places = 0;
  for (size_t i = 0; i < operands.size(); ++i) {
    const Instruction& in = program.instructions[i];
    if (!in.valid()) continue;
    CAPTURE(in.pc);
    const bool marked = id_of(in) == RowId::V_MOV_B32 && in.dst.index < 16;
    if (marked) CHECK(operands[i] == in.dst.index);
    const bool like_m0 = in.dst.kind == OperandKind::vgpr && in.dst.index == kLikeM0;
    if (!marked) CHECK(operands[i] == (accesses_lane(in) ? 15 : like_m0 ? 8 : 0));
    checked += marked;
    indexed_places += operands[i] != 0;
  }
  CHECK(checked == 23);
  CHECK(indexed_places == 19);
}

TEST_CASE("VGPR indexing: M0 moves the VGPRs that it names, by its low 8 bits, and nothing else") {
  const Executable executable = load();
  const Program& program = executable.program();
  const auto moved = [&](RowId row, uint32_t m0) { return registers(program, row, m0); };
  using Registers = std::vector<unsigned>;
  CHECK(moved(RowId::V_MAD_U32_U24, 0x0000) == Registers{32, 8, 34, 35});
  CHECK(moved(RowId::V_MAD_U32_U24, 0x0005) == Registers{32, 8, 34, 35});
  CHECK(moved(RowId::V_MAD_U32_U24, 0x1005) == Registers{37, 8, 34, 35});
  CHECK(moved(RowId::V_MAD_U32_U24, 0x2005) == Registers{32, 8, 34, 35});  // an SGPR
  CHECK(moved(RowId::V_MAD_U32_U24, 0x4005) == Registers{32, 8, 39, 35});
  CHECK(moved(RowId::V_MAD_U32_U24, 0x8005) == Registers{32, 8, 34, 40});
  CHECK(moved(RowId::V_MAD_U32_U24, 0xf0c8) == Registers{232, 8, 234, 235});
  CHECK(moved(RowId::V_MAD_U32_U24, 0xf0f05) == Registers{32, 8, 34, 35});
  CHECK(moved(RowId::V_READLANE_B32, 0xf005) == Registers{21, 8});
  CHECK(moved(RowId::V_READLANE_B32, 0xe005) == Registers{16, 8});
  CHECK(moved(RowId::V_READFIRSTLANE_B32, 0xf005) == Registers{21, 8});
  CHECK(moved(RowId::V_WRITELANE_B32, 0xf005) == Registers{8, 21});
  CHECK(moved(RowId::V_WRITELANE_B32, 0x7005) == Registers{8, 16});
  CHECK(moved(RowId::DS_READ_B32, 0xf005) == moved(RowId::DS_READ_B32, 0));
}

TEST_CASE("VGPR indexing: any index reaches from the register on, and none of the operands is certain") {
  const Executable executable = load();
  for (const Instruction& in : executable.program().instructions) {
    if (!in.valid() || id_of(in) != RowId::V_MAD_U32_U24) continue;
    const Instruction any = with_any_index(in, 0xf), certain = without_indexed(in, 0xf);
    CHECK(any.src[0].index == 32);
    CHECK(any.src[0].dwords == 224);
    CHECK(any.src[1].dwords == in.src[1].dwords);
    CHECK(any.dst.dwords == 221);
    CHECK(certain.src[0].kind != OperandKind::vgpr);
    CHECK(certain.src[1].kind == OperandKind::sgpr);
    CHECK(certain.dst.kind != OperandKind::vgpr);
    CHECK(with_any_index(in, 0x1).dst.dwords == 1);
    CHECK(without_indexed(in, 0x1).dst.kind == OperandKind::vgpr);
  }
}

}  // namespace wavetwin::isa
