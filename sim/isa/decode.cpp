// SPDX-License-Identifier: MIT
#include "sim/isa/decode.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/core/error.h"
#include "sim/isa/decode_fields.h"
#include "sim/isa/disassemble_fields.h"

namespace wavetwin::isa {
namespace {

constexpr size_t kFormatCount = static_cast<size_t>(Format::count);
constexpr size_t kOpcodeSpace = 1024;
using OpcodeIndex = std::array<std::array<uint16_t, kOpcodeSpace>, kFormatCount>;

OpcodeIndex build_opcode_index() {
  OpcodeIndex index;
  for (auto& format : index) format.fill(kNoRow);
  for (size_t i = 0; i < kRowCount; ++i) {
    const Row& row = rows()[i];
    index[static_cast<size_t>(row.format)][row.opcode] = static_cast<uint16_t>(i);
  }
  return index;
}

// Formats by the first dword, in the order of isa guide chapter 13.
void decode_any(Instruction& in, const Cursor& code) {
  const uint32_t w = in.dwords[0] = code.word(0);
  if (field(w, 31, 16) == 0xd3ac) return decode_vop3px(in, code);
  if (field(w, 31, 30) == 0b10) return decode_sop(in, code);
  if (!bit(w, 31)) {
    if (field(w, 31, 25) == 0b0111111) return decode_vop1(in, code);
    if (field(w, 31, 25) == 0b0111110) return decode_vopc(in, code);
    return decode_vop2(in, code);
  }
  if (field(w, 31, 23) == 0b110100111) return decode_vop3p(in, code);
  switch (field(w, 31, 26)) {
    case 0b110000:
      return decode_smem(in, code);
    case 0b110100:
      return decode_vop3(in, code);
    case 0b110110:
      return decode_ds(in, code);
    case 0b110111:
      return decode_flat(in, code);
    case 0b111000:
      return decode_mubuf(in, code);
    case 0b111010:
      return decode_mtbuf(in, code);
    default:
      refuse("no such format on gfx950");
  }
}

void resolve_targets(Program& program) {
  for (Instruction& in : program.instructions) {
    if (!in.valid()) continue;
    const Row& row = row_of(in);
    if (row.src[0] != LABEL && row.src[1] != LABEL) continue;
    const int64_t displacement = static_cast<int16_t>(in.simm16);
    in.target = program.index_of(in.pc + 4 + static_cast<uint64_t>(displacement * 4));
  }
}

}  // namespace

uint16_t row_of_opcode(Format format, unsigned opcode) {
  static const OpcodeIndex index = build_opcode_index();
  return opcode < kOpcodeSpace ? index[static_cast<size_t>(format)][opcode] : kNoRow;
}

std::string describe_dwords(uint64_t pc, std::span<const uint32_t> dwords) {
  std::string out = fmt::format("pc {:#x} [", pc);
  for (size_t i = 0; i < dwords.size(); ++i) out += fmt::format("{}{:08x}", i == 0 ? "" : " ", dwords[i]);
  return out + "]";
}

Instruction try_decode(std::span<const uint32_t> code, uint64_t pc, std::string* why) {
  Instruction in;
  in.pc = pc;
  try {
    decode_any(in, Cursor(code));
    for (unsigned i = 1; i < in.size / 4u; ++i) in.dwords[i] = code[i];
    return in;
  } catch (const Refused& refused) {
    if (why != nullptr)
      *why = in.valid() ? lower_case(row_of(in).name) + ": " + refused.reason : refused.reason;
  }
  Instruction bad;
  bad.pc = pc;
  bad.size = 4;
  const auto kept = code.first(std::min(code.size(), bad.dwords.size()));
  std::copy(kept.begin(), kept.end(), bad.dwords.begin());
  return bad;
}

Instruction decode(std::span<const uint32_t> code, uint64_t pc) {
  std::string why;
  Instruction in = try_decode(code, pc, &why);
  if (in.valid()) return in;
  const auto shown = code.first(std::min<size_t>(code.size(), 4));
  throw Error(fmt::format("not a gfx950 instruction: {}: {}", describe_dwords(pc, shown), why));
}

Program decode_program(std::span<const uint32_t> code, uint64_t base, std::span<const uint64_t> entries) {
  Program program;
  program.base = base;
  program.bytes = code.size() * 4;
  program.index_of_dword.assign(code.size(), -1);
  std::vector<uint64_t> starts(entries.begin(), entries.end());
  std::sort(starts.begin(), starts.end());
  size_t at = 0;
  while (at < code.size()) {
    const uint64_t pc = base + at * 4;
    const auto next = std::upper_bound(starts.begin(), starts.end(), pc);
    size_t end = code.size();
    if (next != starts.end()) end = std::min<size_t>(end, (*next - base) / 4);
    program.index_of_dword[at] = static_cast<int32_t>(program.instructions.size());
    program.instructions.push_back(try_decode(code.subspan(at, end - at), pc));
    at += program.instructions.back().size / 4;
  }
  resolve_targets(program);
  return program;
}

}  // namespace wavetwin::isa
