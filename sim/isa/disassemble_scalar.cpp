// SPDX-License-Identifier: MIT
// SOP*, SMEM and their immediates: hardware registers, wait counters, messages (names of LLVM 22 for gfx950).
#include <fmt/format.h>

#include <array>

#include "sim/isa/disassemble_fields.h"

namespace wavetwin::isa {
namespace {

// Index = hardware register id; empty: printed as a number.
constexpr std::array<std::string_view, 25> kHardwareRegisters = {
    "",
    "HW_REG_MODE",
    "HW_REG_STATUS",
    "HW_REG_TRAPSTS",
    "HW_REG_HW_ID",
    "HW_REG_GPR_ALLOC",
    "HW_REG_LDS_ALLOC",
    "HW_REG_IB_STS",
    "",
    "",
    "",
    "",
    "",
    "",
    "",
    "HW_REG_SH_MEM_BASES",
    "HW_REG_TBA_LO",
    "HW_REG_TBA_HI",
    "HW_REG_TMA_LO",
    "HW_REG_TMA_HI",
    "HW_REG_XCC_ID",
    "HW_REG_SQ_PERF_SNAPSHOT_DATA",
    "HW_REG_SQ_PERF_SNAPSHOT_DATA1",
    "HW_REG_SQ_PERF_SNAPSHOT_PC_LO",
    "HW_REG_SQ_PERF_SNAPSHOT_PC_HI",
};

// simm16: id [5:0], offset [10:6], size - 1 [15:11].
std::string hardware_register_text(uint16_t simm16) {
  const unsigned id = simm16 & 0x3f, offset = simm16 >> 6 & 0x1f, size = (simm16 >> 11) + 1u;
  const bool named = id < kHardwareRegisters.size() && !kHardwareRegisters[id].empty();
  const std::string name = named ? std::string(kHardwareRegisters[id]) : std::to_string(id);
  if (offset == 0 && size == 32) return fmt::format("hwreg({})", name);
  return fmt::format("hwreg({}, {}, {})", name, offset, size);
}

// vmcnt [3:0] and [15:14], expcnt [6:4], lgkmcnt [11:8]; a counter at its maximum is not waited for and not
// shown, unless all are.
void add_wait_counters(Line& line, uint16_t simm16) {
  const unsigned vmcnt = (simm16 & 0xf) | (simm16 >> 14 & 3) << 4;
  const unsigned expcnt = simm16 >> 4 & 7, lgkmcnt = simm16 >> 8 & 0xf;
  const bool all = vmcnt == 63 && expcnt == 7 && lgkmcnt == 15;
  if (all || vmcnt != 63) line.modifier(fmt::format("vmcnt({})", vmcnt));
  if (all || expcnt != 7) line.modifier(fmt::format("expcnt({})", expcnt));
  if (all || lgkmcnt != 15) line.modifier(fmt::format("lgkmcnt({})", lgkmcnt));
}

constexpr std::array<std::string_view, 16> kMessages = {"",
                                                        "MSG_INTERRUPT",
                                                        "MSG_GS",
                                                        "MSG_GS_DONE",
                                                        "MSG_SAVEWAVE",
                                                        "MSG_STALL_WAVE_GEN",
                                                        "MSG_HALT_WAVES",
                                                        "MSG_ORDERED_PS_DONE",
                                                        "MSG_EARLY_PRIM_DEALLOC",
                                                        "MSG_GS_ALLOC_REQ",
                                                        "MSG_GET_DOORBELL",
                                                        "",
                                                        "",
                                                        "",
                                                        "",
                                                        "MSG_SYSMSG"};
constexpr std::array<std::string_view, 4> kGsOperations = {"GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT",
                                                           "GS_OP_EMIT_CUT"};
constexpr std::array<std::string_view, 5> kSystemOperations = {"", "SYSMSG_OP_ECC_ERR_INTERRUPT",
                                                               "SYSMSG_OP_REG_RD", "", "SYSMSG_OP_TTRACE_PC"};

enum MessageId : unsigned { kGs = 2, kGsDone = 3, kSystem = 15 };

// Name of a message and its operation, empty when LLVM has none for the combination.
std::string named_message(unsigned id, unsigned operation, unsigned stream) {
  if (kMessages[id].empty()) return {};
  if (id == kGs || id == kGsDone) {
    if (operation >= kGsOperations.size() || (operation == 0 && (id == kGs || stream != 0))) return {};
    const std::string text = fmt::format("sendmsg({}, {}", kMessages[id], kGsOperations[operation]);
    return operation == 0 ? text + ")" : fmt::format("{}, {})", text, stream);
  }
  if (stream != 0) return {};
  if (id != kSystem) return operation == 0 ? fmt::format("sendmsg({})", kMessages[id]) : std::string();
  if (operation >= kSystemOperations.size() || kSystemOperations[operation].empty()) return {};
  return fmt::format("sendmsg({}, {})", kMessages[id], kSystemOperations[operation]);
}

// simm16: id [3:0], operation [6:4], stream [9:8].
std::string message_text(uint16_t simm16) {
  const unsigned id = simm16 & 0xf, operation = simm16 >> 4 & 7, stream = simm16 >> 8 & 3;
  std::string named = named_message(id, operation, stream);
  if (!named.empty()) return named;
  if ((simm16 & ~0x37fu) != 0) return std::to_string(simm16);
  return fmt::format("sendmsg({}, {}, {})", id, operation, stream);
}

std::string gpr_index_text(uint16_t mode) {
  if (mode > 15) return fmt::format("{:#x}", mode);
  constexpr std::array<std::string_view, 4> kNames = {"SRC0", "SRC1", "SRC2", "DST"};
  std::string out = "gpr_idx(";
  for (unsigned i = 0; i < kNames.size(); ++i) {
    if ((mode >> i & 1) == 0) continue;
    if (out.back() != '(') out += ',';
    out += kNames[i];
  }
  return out + ")";
}

void add_scalar_source(Line& line, const Instruction& in, const Row& row, unsigned i) {
  switch (row.src[i]) {
    case NONE:
      return;
    case SIMM16:
      return line.operand(fmt::format("{:#x}", in.simm16));
    case UIMM16:
      if (row.name == "S_ENDPGM") {
        if (in.simm16 != 0) line.operand(std::to_string(in.simm16));
      } else {
        line.operand(row.format == Format::sopk ? fmt::format("{:#x}", in.simm16)
                                                : immediate_text(in.simm16));
      }
      return;
    case LABEL:
      return line.operand(std::to_string(in.simm16));
    case HWREG:
      return line.operand(hardware_register_text(in.simm16));
    case WAITCNT:
      return add_wait_counters(line, in.simm16);
    case MESSAGE:
      return line.operand(message_text(in.simm16));
    case IMM32:
      return line.operand(immediate_text(static_cast<uint32_t>(in.src[i].value)));
    case GPRIDX:
      return line.operand(gpr_index_text(in.simm16));
    default:
      return line.operand(operand_text(in.src[i], in.dwords[1]));
  }
}

std::string signed_hex(int32_t value) {
  return value < 0 ? fmt::format("-{:#x}", -static_cast<int64_t>(value)) : fmt::format("{:#x}", value);
}

}  // namespace

std::string disassemble_scalar(const Instruction& in, const Row& row) {
  Line line(lower_case(row.name));
  if (in.dst) line.operand(operand_text(in.dst));
  for (unsigned i = 0; i < 2; ++i) add_scalar_source(line, in, row, i);
  return std::move(line).text();
}

std::string disassemble_smem(const Instruction& in, const Row& row) {
  Line line(lower_case(row.name));
  if (row.src[1] == SIMM16) {
    line.operand(immediate_text(in.simm16));
  } else if (in.src[1]) {
    line.operand(operand_text(in.src[1]));
  } else if (in.dst) {
    line.operand(operand_text(in.dst));
  }
  if (in.src[0]) {
    line.operand(operand_text(in.src[0]));
    if (in.src[2]) {
      line.operand(operand_text(in.src[2]));
      if (in.imm_offset) line.modifier("offset:" + signed_hex(in.offset));
    } else {
      line.operand(signed_hex(in.offset));
    }
  }
  line.flag(in.sc0, "glc");
  return std::move(line).text();
}

}  // namespace wavetwin::isa
