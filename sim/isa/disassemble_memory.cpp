// SPDX-License-Identifier: MIT
// DS, FLAT / GLOBAL / SCRATCH, MUBUF, MTBUF.
#include <fmt/format.h>

#include <array>
#include <bit>

#include "sim/isa/decode_fields.h"
#include "sim/isa/disassemble_fields.h"

namespace wavetwin::isa {
namespace {

// One character a bit of the lane number, highest first: constant 0 or 1, passed or inverted.
std::string swizzle_mask_text(unsigned and_mask, unsigned or_mask, unsigned xor_mask) {
  const unsigned of_zeros = or_mask ^ xor_mask, of_ones = (and_mask | or_mask) ^ xor_mask;
  std::string out;
  for (unsigned mask = 16; mask != 0; mask >>= 1) {
    const bool zero = of_zeros & mask, one = of_ones & mask;
    out += zero == one ? (zero ? '1' : '0') : (zero ? 'i' : 'p');
  }
  return out;
}

// The and / or / xor modes of ds_swizzle_b32 by the shortest name.
std::string swizzle_bitmask_text(unsigned offset) {
  const unsigned and_mask = offset & 31, or_mask = offset >> 5 & 31, xor_mask = offset >> 10 & 31;
  if (and_mask == 31 && or_mask == 0 && std::has_single_bit(xor_mask))
    return fmt::format("swizzle(SWAP,{})", xor_mask);
  if (and_mask == 31 && or_mask == 0 && xor_mask != 0 && std::has_single_bit(xor_mask + 1)) {
    return fmt::format("swizzle(REVERSE,{})", xor_mask + 1);
  }
  const unsigned group = 32 - and_mask;
  if (group > 1 && std::has_single_bit(group) && or_mask < group && xor_mask == 0) {
    return fmt::format("swizzle(BROADCAST,{},{})", group, or_mask);
  }
  return fmt::format("swizzle(BITMASK_PERM,\"{}\")", swizzle_mask_text(and_mask, or_mask, xor_mask));
}

// Offset field of ds_swizzle_b32 (isa guide 12.12; names of LLVM 22).
std::string swizzle_text(unsigned offset) {
  if (offset >= 0xe000) return fmt::format("swizzle(FFT,{})", offset & 31);
  if (offset >= 0xc000) return fmt::format("swizzle(ROTATE,{},{})", offset >> 10 & 1, offset >> 5 & 31);
  if ((offset & 0xff00) == 0x8000) {
    return fmt::format("swizzle(QUAD_PERM,{},{},{},{})", offset & 3, offset >> 2 & 3, offset >> 4 & 3,
                       offset >> 6 & 3);
  }
  return (offset & 0x8000) == 0 ? swizzle_bitmask_text(offset) : std::to_string(offset);
}

std::string disassemble_ds(const Instruction& in, const Row& row) {
  Line line(lower_case(row.name));
  if (in.dst) line.operand(operand_text(in.dst));
  for (const Operand& operand : in.src) {
    if (operand) line.operand(operand_text(operand));
  }
  if (row.has(TWO_OFFSETS)) {
    line.flag(in.offset != 0, fmt::format("offset0:{}", in.offset));
    line.flag(in.offset1 != 0, fmt::format("offset1:{}", in.offset1));
  } else if (row.name == "DS_SWIZZLE_B32") {
    line.flag(in.offset != 0, "offset:" + swizzle_text(static_cast<unsigned>(in.offset)));
  } else {
    line.flag(in.offset != 0, fmt::format("offset:{}", in.offset));
  }
  line.flag(in.gds, "gds");
  return std::move(line).text();
}

void add_cache_bits(Line& line, const Instruction& in) {
  line.flag(in.sc0, "sc0");
  line.flag(in.nt, "nt");
  line.flag(in.sc1, "sc1");
}

// The row carries one segment's prefix; the others put theirs in its place.
std::string flat_mnemonic(const Instruction& in, const Row& row) {
  constexpr std::array<std::string_view, 3> kPrefix = {"flat", "scratch", "global"};
  const std::string name = lower_case(row.name);
  return std::string(kPrefix[static_cast<size_t>(in.segment)]) + name.substr(name.find('_'));
}

std::string disassemble_flat(const Instruction& in, const Row& row) {
  Line line(flat_mnemonic(in, row));
  if (in.dst) line.operand(operand_text(in.dst));
  line.operand(operand_text(in.src[0]));
  if (in.src[1]) line.operand(operand_text(in.src[1]));
  if (in.segment != Segment::flat) line.operand(operand_text(in.src[2]));
  line.flag(in.offset != 0, fmt::format("offset:{}", in.offset));
  add_cache_bits(line, in);
  return std::move(line).text();
}

// Data and numeric formats of typed buffers (isa guide 9.1.11), in encoding order.
constexpr std::array<std::string_view, 16> kDataFormats = {
    "INVALID",    "8",          "16",      "8_8",   "32",          "16_16",    "10_11_11",    "11_11_10",
    "10_10_10_2", "2_10_10_10", "8_8_8_8", "32_32", "16_16_16_16", "32_32_32", "32_32_32_32", "RESERVED_15"};
constexpr std::array<std::string_view, 8> kNumberFormats = {"UNORM", "SNORM", "USCALED",    "SSCALED",
                                                            "UINT",  "SINT",  "RESERVED_6", "FLOAT"};
constexpr unsigned kDefaultDataFormat = 1, kDefaultNumberFormat = 0;

// Default parts are left out.
void add_typed_format(Line& line, const Instruction& in) {
  const bool data = in.dfmt != kDefaultDataFormat, number = in.nfmt != kDefaultNumberFormat;
  if (!data && !number) return;
  std::string text = "format:[";
  if (data) text += fmt::format("BUF_DATA_FORMAT_{}", kDataFormats[in.dfmt]);
  if (data && number) text += ',';
  if (number) text += fmt::format("BUF_NUM_FORMAT_{}", kNumberFormats[in.nfmt]);
  line.modifier(text + "]");
}

std::string disassemble_buffer(const Instruction& in, const Row& row) {
  Line line(lower_case(row.name));
  if (row.src[0] != NONE) {
    if (in.src[1]) {
      line.operand(operand_text(in.src[1]));
    } else if (in.dst) {
      line.operand(operand_text(in.dst));
    }
    line.operand(operand_text(in.src[0]));
    line.operand(operand_text(in.src[2]));
    line.operand(operand_text(in.src[3]));
    if (row.format == Format::mtbuf) add_typed_format(line, in);
    line.flag(in.idxen, "idxen");
    line.flag(in.offen, "offen");
    line.flag(in.offset != 0, fmt::format("offset:{}", in.offset));
  }
  line.flag(in.sc0, "sc0");
  line.flag(in.nt && row.src[0] != NONE, "nt");
  line.flag(in.sc1, "sc1");
  line.flag(in.lds, "lds");
  return std::move(line).text();
}

}  // namespace

std::string disassemble_memory(const Instruction& in, const Row& row) {
  if (row.format == Format::ds) return disassemble_ds(in, row);
  if (row.format == Format::flat) return disassemble_flat(in, row);
  return disassemble_buffer(in, row);
}

}  // namespace wavetwin::isa
