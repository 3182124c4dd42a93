// SPDX-License-Identifier: MIT
#include "tests/isa/decode/random_encoding.h"

namespace wavetwin::isa::test {
namespace {

constexpr uint32_t kVgpr = 256;

bool is_constant_row(const Row& row) {
  return row.format == Format::vop2 && row.src[2] != NONE && row.src[2] != LANES;
}

// Bits of simm16 that the assembly text keeps.
uint32_t immediate_mask(OperandType type) {
  switch (type) {
    case NONE:
      return 0;
    case GPRIDX:
      return 0xf;
    case WAITCNT:
      return 0xcf7f;
    case MESSAGE:
      return 0x37f;
    default:
      return 0xffff;
  }
}

bool is_accvgpr_move(const Row& row) {
  return row.name.starts_with("V_ACCVGPR_") && row.format == Format::mai;
}

}  // namespace

// Even VGPRs most often, so that tuples are legal; then scalar registers and constants.
uint32_t EncodingGenerator::source9() {
  switch (below(8)) {
    case 0:
      return scalar_pair();
    case 1:
      return 128 + below(81);
    case 2:
      return 240 + below(9);
    case 3:
      return 106;
    default:
      return kVgpr + even_register();
  }
}

void EncodingGenerator::keep_one_scalar(uint32_t* sources, unsigned count, bool already_one) {
  bool seen = already_one;
  for (unsigned i = 0; i < count; ++i) {
    if (sources[i] >= 128) continue;
    if (seen) sources[i] = kVgpr + even_register();
    seen = true;
  }
}

uint32_t EncodingGenerator::scalar_source() {
  switch (below(6)) {
    case 0:
      return 128 + below(81);
    case 1:
      return 240 + below(9);
    case 2:
      return 235 + below(4);
    case 3:
      return 255;
    default:
      return 4 * below(24);
  }
}

Words EncodingGenerator::scalar(const Row& row) {
  const uint32_t sdst = 4 * below(24), op = row.opcode,
                 literal = below(3) ? static_cast<uint32_t>(random_()) : below(80);
  if (row.name == "S_RFE_B64" || row.name == "S_SETPC_B64") return {0xbe800000 | op << 8 | scalar_pair()};
  if (row.name == "S_CBRANCH_G_FORK") return {0x80000000 | op << 23 | scalar_pair() << 8 | scalar_pair()};
  switch (row.format) {
    case Format::sop2:
      return {0x80000000 | op << 23 | sdst << 16 | scalar_source() << 8 | scalar_source(), literal};
    case Format::sop1:
      return {0xbe800000 | sdst << 16 | op << 8 | scalar_source(), literal};
    case Format::sopc:
      return {
          0xbf000000 | op << 16 | (row.src[1] == GPRIDX ? bits(4) : scalar_source()) << 8 | scalar_source(),
          literal};
    case Format::sopk:
      return {0xb0000000 | op << 23 | sdst << 16 | bits(16), literal};
    default:
      return {0xbf800000 | op << 16 | (bits(16) & immediate_mask(row.src[0]))};
  }
}

Words EncodingGenerator::smem(const Row& row) {
  const bool operands = row.src[0] != NONE;
  const uint32_t immediate = operands ? below(2) : 0, register_offset = operands ? sometimes(1) : 0;
  return {0xc0000000u | row.opcode << 18 | immediate << 17 | sometimes(1) << 16 | register_offset << 14 |
              (4 * below(20)) << 6 | 2 * below(48),
          (immediate ? bits(row.src[0] == RSRC ? 20 : 21) : 2 * below(48)) |
              (register_offset ? below(100) << 25 : 0)};
}

// abs (10:8 of the first dword) and neg (31:29 of the second) where the row has them, packed as abs | neg
// << 3.
uint32_t EncodingGenerator::modifier_bits(const Row& row) {
  uint32_t allowed = 0;
  for (unsigned i = 0; i < 3; ++i) allowed |= (row.has(MOD0 << i) ? 1u : 0u) << i;
  return (sometimes(bits(3)) & allowed) | (sometimes(bits(3)) & allowed) << 3;
}

Words EncodingGenerator::short_vector(const Row& row, Form form) {
  const uint32_t vdst = row.dst[0] == NONE ? 0 : even_register();
  const bool reads_vcc = row.src[2] == LANES;
  uint32_t src0 = form == Form::sdwa       ? 249
                  : form == Form::dpp      ? 250
                  : below(8) && !reads_vcc ? source9()
                                           : 255;
  if (reads_vcc && form == Form::base) src0 = kVgpr + even_register();
  const uint32_t vsrc1 = even_register(), op = row.opcode;
  uint32_t word = 0;
  switch (row.format) {
    case Format::vop1:
      word = 0x7e000000 | vdst << 17 | op << 9 | (row.src[0] == NONE && form == Form::base ? 0 : src0);
      break;
    case Format::vop2:
      word = op << 25 | vdst << 17 | vsrc1 << 9 | (is_constant_row(row) ? kVgpr + even_register() : src0);
      break;
    default:
      word = 0x7c000000 | op << 17 | vsrc1 << 9 | src0;
      break;
  }
  if (form == Form::base) return {word, below(3) ? static_cast<uint32_t>(random_()) : below(80)};
  const uint32_t modifiers = modifier_bits(row);
  const uint32_t abs = modifiers & 7, neg = modifiers >> 3;
  if (form == Form::dpp) {
    constexpr uint32_t kControls[] = {0x1b,  0xe4,  0x101, 0x10f, 0x111, 0x12f, 0x130, 0x134,
                                      0x138, 0x13c, 0x140, 0x141, 0x142, 0x143, 0x150, 0x15f};
    const bool wide = operand_dwords(row.src[0]) == 2 || operand_dwords(row.dst[0]) == 2;
    const uint32_t control = wide ? 0x150 + bits(4) : kControls[below(16)];
    const uint32_t source_modifiers =
        row.src[0] == NONE ? 0
                           : (neg & 1) << 20 | (abs & 1) << 21 | (neg >> 1 & 1) << 22 | (abs >> 1 & 1) << 23;
    return {word, even_register() | control << 8 | sometimes(1) << 19 | source_modifiers | bits(8) << 24};
  }
  const bool compare = row.format == Format::vopc, two = row.src[1] != NONE;
  uint32_t control = even_register() | select() << 16 | (neg & 1) << 20 | (abs & 1) << 21 |
                     (reads_vcc ? 0 : sometimes(1)) << 23;
  if (!row.has(MOD0) && !row.has(NO_DST_SEL)) control |= sometimes(1) << 19;
  if (compare) {
    control |= sometimes(0x80 | scalar_pair()) << 8;
  } else {
    control |= (row.has(NO_DST_SEL) ? 6 : select()) << 8 | below(3) << 11 | sometimes(1) << 13;
    if (is_float(row.dst[0])) control |= sometimes(bits(2)) << 14;
  }
  if (two) {
    control |= select() << 24 | (neg >> 1 & 1) << 28 | (abs >> 1 & 1) << 29;
    if (!(control >> 23 & 1) && !reads_vcc) control |= sometimes(1) << 31;
    if (!row.has(MOD1)) control |= sometimes(1) << 27;
  }
  return {word, control};
}

uint32_t EncodingGenerator::op_sel_field(const Row& row) {
  if (row.name.starts_with("V_PERMLANE")) return sometimes(bits(2));
  if (!row.has(OPSEL)) return 0;
  const bool third = row.src[2] != NONE || row.has(FREE2);
  return sometimes(bits(4)) & (third ? 0xf : 0xb);
}

Words EncodingGenerator::vop3(const Row& row) {
  const uint32_t offset = row.format == Format::vop1 ? 0x140 : row.format == Format::vop2 ? 0x100 : 0;
  const bool scalar_destination = row.format == Format::vopc || row.has(SDST);
  uint32_t word = 0xd0000000 | (row.opcode + offset) << 16;
  if (row.dst[0] != NONE) word |= scalar_destination ? scalar_pair() : even_register();
  uint32_t sources[3] = {source9(), source9(), source9()};
  for (unsigned i = 0; i < 3; ++i) {
    const bool lanes = row.src[i] == LANES || row.src[i] == LANESEL;
    const bool wide = operand_dwords(row.src[i]) > 2 || row.src[i] == F32X2;
    if (lanes) sources[i] = scalar_pair();
    if (row.name == "V_WRITELANE_B32") sources[i] = i < 2 ? scalar_pair() : 0;
    if (wide || (row.has(SDST) && i == 0) || row.name.starts_with("V_PERMLANE"))
      sources[i] = kVgpr + even_register();
    if (row.src[i] == NONE) sources[i] = 256;  // counted as no scalar; the field is cleared below
  }
  const bool lane_mask = row.src[2] == LANES || row.name.starts_with("V_DIV_FMAS");
  if (row.src[1] != LANESEL) keep_one_scalar(sources, row.src[2] == LANES ? 2 : 3, lane_mask);
  if (row.name == "V_WRITELANE_B32") sources[1] = 128 + below(64);
  for (unsigned i = 0; i < 3; ++i) sources[i] = row.src[i] == NONE ? 0 : sources[i];
  const uint32_t modifiers = row.has(BITOP3) ? bits(6) : modifier_bits(row);
  const uint32_t omod = row.has(OMOD) || row.has(BITOP3) ? sometimes(bits(2)) : 0;
  if (row.has(CLAMP)) word |= sometimes(1) << 15;
  if (row.dst[1] != NONE) {
    word |= scalar_pair() << 8;
  } else {
    word |= (modifiers & 7) << 8 | op_sel_field(row) << 11;
  }
  return {word, sources[0] | sources[1] << 9 | sources[2] << 18 | omod << 27 | (modifiers >> 3) << 29};
}

Words EncodingGenerator::packed(const Row& row) {
  const bool three = row.src[2] != NONE;
  const bool dot_of_bytes =
      row.src[0] == I8X4 || row.src[0] == U8X4 || row.src[0] == I4X8 || row.src[0] == U4X8;
  const uint32_t present = three ? 7 : 3;
  const uint32_t op_sel = dot_of_bytes ? 0 : sometimes(bits(3)) & present;
  const uint32_t op_sel_hi = (below(2) || dot_of_bytes ? 7 : bits(3)) & 7;
  const uint32_t neg = sometimes(bits(3)) & present, neg_hi = sometimes(bits(3)) & present;
  uint32_t sources[3] = {source9(), source9(), source9()};
  keep_one_scalar(sources, three ? 3 : 2, false);
  return {0xd3800000 | row.opcode << 16 | even_register() | neg_hi << 8 | op_sel << 11 |
              (op_sel_hi >> 2) << 14 | sometimes(1) << 15,
          sources[0] | sources[1] << 9 | (three ? sources[2] << 18 : 0) | (op_sel_hi & 3) << 27 | neg << 29};
}

Words EncodingGenerator::matrix(const Row& row) {
  const auto vgpr = [&] { return kVgpr + even_register(); };
  const uint32_t word = 0xd3800000 | row.opcode << 16;
  if (is_accvgpr_move(row)) {
    const uint32_t src0 = row.name == "V_ACCVGPR_READ_B32" ? vgpr() : source9();
    return {word | 0x4000 | even_register(), src0 | 3u << 27};
  }
  if (row.dst[0] == NONE) return {word | bits(2) << 11, vgpr() | source9() << 9 | bits(2) << 27};
  const uint32_t cbsz = row.has(F8F6F4) ? below(5) : sometimes(bits(3));
  const uint32_t blgp = row.has(TIED) ? 0 : row.has(F8F6F4) ? below(5) : sometimes(bits(3));
  const uint32_t abid = row.format == Format::vop3px ? 1 : row.has(F8F6F4) ? 0 : sometimes(bits(4));
  // The assembler wants C to be D or apart from it.
  const uint32_t vdst = 2 * below(48);
  const uint32_t c = row.has(TIED) ? vgpr() : below(4) ? kVgpr + vdst + 128 * below(2) : 128 + below(81);
  const Words mfma = {word | vdst | cbsz << 8 | abid << 11 | sometimes(1) << 15,
                      vgpr() | vgpr() << 9 | c << 18 | bits(2) << 27 | blgp << 29};
  if (row.format != Format::vop3px) return mfma;
  return {0xd3ac0000 | bits(2) << 11, vgpr() | vgpr() << 9 | bits(2) << 27, mfma[0], mfma[1]};
}

Words EncodingGenerator::ds(const Row& row) {
  const bool operands = row.src[0] != NONE || row.src[1] != NONE || row.dst[0] != NONE;
  uint32_t registers = 0;
  for (unsigned i = 0; i < 3; ++i) registers |= (row.src[i] == NONE ? 0 : even_register()) << 8 * i;
  if (row.dst[0] != NONE) registers |= even_register() << 24;
  const bool is_gws = row.has(GDS_ONLY);
  const uint32_t offset = operands || is_gws ? sometimes(bits(16)) : 0;
  return {
      0xd8000000u | row.opcode << 17 | offset | (is_gws ? 1 : 0) << 16 | (operands ? sometimes(1) : 0) << 25,
      registers};
}

Words EncodingGenerator::flat(const Row& row, Segment segment) {
  const bool is_flat = segment == Segment::flat, is_scratch = segment == Segment::scratch;
  const uint32_t sve = is_scratch ? below(2) : 0;
  const uint32_t saddr = is_flat ? 0 : below(2) ? 127 : scalar_pair();
  const uint32_t acc = row.has(LDS_DMA) ? 0 : sometimes(1);
  const uint32_t vaddr = is_scratch && !sve ? 0 : even_register();
  return {0xdc000000u | row.opcode << 18 | sometimes(bits(is_flat ? 12 : 13)) | sve << 13 |
              static_cast<uint32_t>(segment) << 14 | sometimes(1) << 16 | sometimes(1) << 17 |
              sometimes(1) << 25,
          vaddr | (row.src[1] == NONE ? 0 : even_register()) << 8 | saddr << 16 | acc << 23 |
              (row.dst[0] == NONE ? 0 : even_register()) << 24};
}

Words EncodingGenerator::buffer(const Row& row) {
  const bool operands = row.src[0] != NONE, typed = row.format == Format::mtbuf;
  if (!operands) return {0xe0000000u | row.opcode << 18 | sometimes(1) << 14 | sometimes(1) << 15, 0};
  const uint32_t mode = bits(2) << 12, lds = row.has(LDS_DMA) ? sometimes(1) : 0;
  const uint32_t vaddr = mode ? even_register() : 0, vdata = lds ? 0 : even_register();
  const uint32_t soffset = below(2) ? 128 + below(65) : below(100);
  const uint32_t acc = lds ? 0 : sometimes(1);
  const uint32_t second = vaddr | vdata << 8 | below(24) << 16 | acc << 23 | soffset << 24;
  const uint32_t first = sometimes(bits(12)) | mode | sometimes(1) << 14;
  if (typed)
    return {0xe8000000u | row.opcode << 15 | first | bits(7) << 19,
            second | sometimes(1) << 21 | sometimes(1) << 22};
  return {0xe0000000u | row.opcode << 18 | first | sometimes(1) << 15 | lds << 16 | sometimes(1) << 17,
          second};
}

Words EncodingGenerator::of_row(const Row& row, Form form, Segment segment) {
  switch (row.format) {
    case Format::smem:
      return smem(row);
    case Format::vop1:
    case Format::vop2:
    case Format::vopc:
      return form == Form::e64 ? vop3(row) : short_vector(row, form);
    case Format::vop3:
      return vop3(row);
    case Format::vop3p:
      return packed(row);
    case Format::mai:
    case Format::vop3px:
      return matrix(row);
    case Format::ds:
      return ds(row);
    case Format::flat:
      return flat(row, segment);
    case Format::mubuf:
    case Format::mtbuf:
      return buffer(row);
    default:
      return scalar(row);
  }
}

Words EncodingGenerator::any() {
  struct Prefix {
    uint32_t value, free_bits;
  };
  constexpr Prefix kPrefixes[] = {{0x80000000, 30}, {0xb0000000, 28}, {0xbe800000, 23}, {0xbf000000, 23},
                                  {0xbf800000, 23}, {0xc0000000, 26}, {0x7e000000, 25}, {0x7c000000, 25},
                                  {0x00000000, 31}, {0xd0000000, 26}, {0xd3800000, 23}, {0xd3ac0000, 16},
                                  {0xd8000000, 26}, {0xdc000000, 26}, {0xe0000000, 26}, {0xe8000000, 26},
                                  {0x00000000, 31}};
  const Prefix& prefix = kPrefixes[below(17)];
  Words words = {prefix.value | (static_cast<uint32_t>(random_()) & (~0u >> (32 - prefix.free_bits)))};
  // The low nine bits choose SDWA, DPP and literals rarely; help them, and scaled MFMAs.
  if (below(8) == 0) words[0] = (words[0] & ~0x1ffu) | (249 + below(2));
  for (int i = 0; i < 3; ++i) words.push_back(static_cast<uint32_t>(random_()));
  if (prefix.value == 0xd3ac0000) words[2] = 0xd3800800 | (0x2d + below(2)) << 16 | (words[2] & 0x85ff);
  return words;
}

}  // namespace wavetwin::isa::test
