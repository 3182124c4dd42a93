// SPDX-License-Identifier: MIT
#include "tests/isa/valu/random_setup.h"

namespace wavetwin::test {

using namespace isa;
using reference::Coding;

namespace {

bool reads_mask(const Row& row) { return row.src[1] == LANES || row.src[2] == LANES; }

// Sources that the coding lets be scalar; at most one is.
bool may_be_scalar(const Row& row, Coding coding, unsigned i) {
  const OperandType t = row.src[i];
  if (t == NONE || t == LANES || operand_dwords(t) > 2) return false;
  switch (coding) {
    case Coding::short_form:
      return i == 0;
    case Coding::sdwa:
      return i < 2;
    case Coding::vop3:
      return t != F32X2;  // register tuples only
    case Coding::vop3p:
      return true;
    default:
      return false;
  }
}

void choose_scalar(const Row& row, Coding coding, Random& random, Setup& setup) {
  const unsigned i = static_cast<unsigned>(random.below(6));
  if (i > 2 || !may_be_scalar(row, coding, i)) return;
  switch (random.below(3)) {
    case 0:
      setup.scalar[i] = 128 + static_cast<unsigned>(random.below(81));
      return;
    case 1:
      setup.scalar[i] = 240 + static_cast<unsigned>(random.below(9));
      return;
    default:
      // VCC or the pair of the carry is the one scalar register an instruction may read (guide 6.2.1).
      if (!reads_mask(row)) setup.scalar[i] = RowBench::kScalar;
  }
}

void choose_vop3_fields(const Row& row, Random& random, Setup& setup) {
  if (row.has(OMOD)) setup.omod = random.below(4);
  if (row.has(CLAMP)) setup.clamp = random.below(2);
  if (row.has(BITOP3)) setup.table = random.below(256);
  if (!row.has(OPSEL)) return;
  setup.op_sel = random.below(16);
  if (source_count(row) < 3 && !row.has(FREE2)) setup.op_sel &= ~4u;
}

void choose_vop3p_fields(const Row& row, Random& random, Setup& setup) {
  const unsigned present = (1u << source_count(row)) - 1;
  const bool bytes = operand_dwords(row.src[0]) == 1 && row.src[0] >= U8X4 && row.src[0] <= I4X8;
  setup.op_sel_hi = random.below(8) & present;
  if (!bytes) setup.op_sel = random.below(8) & present;
  setup.neg_hi = random.below(8) & present;
  if (row.has(CLAMP)) setup.clamp = random.below(2);
}

void choose_sdwa_fields(const Row& row, Random& random, Setup& setup) {
  for (unsigned i = 0; i < 2 && row.src[i] != NONE; ++i) {
    setup.src_sel[i] = random.below(7);
    if (!row.has(MOD0 << i)) setup.sext |= static_cast<unsigned>(random.below(2)) << i;
  }
  if (row.format == Format::vopc) {
    setup.named_mask = random.below(2);
    return;
  }
  setup.clamp = random.below(2);
  if (is_float(row.dst[0])) setup.omod = random.below(4);
  setup.whole_result = row.has(NO_DST_SEL);
  if (setup.whole_result) return;
  // What the oracle knows of sines and cosines is a distance, which a part of the result does not have.
  const bool only_whole = row.name.starts_with("V_SIN") || row.name.starts_with("V_COS");
  setup.dst_sel = only_whole ? 6 : random.below(7);
  setup.dst_unused = random.below(3);
}

void choose_dpp_fields(const Row& row, Random& random, Setup& setup) {
  setup.dpp_ctrl = random_dpp_control(row, random);
  setup.bound_ctrl = random.below(2);
  if (random.below(2)) setup.row_mask = random.below(16);
  if (random.below(2)) setup.bank_mask = random.below(16);
}

}  // namespace

std::vector<Coding> codings_of(const Row& row) {
  if (row.format == Format::vop3p) return {Coding::vop3p};
  if (row.format == Format::vop3) return {Coding::vop3};
  std::vector<Coding> all{Coding::short_form};
  if (row.has(E64)) all.push_back(Coding::vop3);
  if (row.has(SDWA)) all.push_back(Coding::sdwa);
  if (row.has(DPP)) all.push_back(Coding::dpp);
  return all;
}

uint32_t random_mode(Random& random) {
  return static_cast<uint32_t>(random.below(1024)) | static_cast<uint32_t>(random.below(2)) << 23;
}

uint64_t random_exec(Random& random) {
  switch (random.below(4)) {
    case 0:
      return ~uint64_t{0};
    case 1:
      return random() & random();
    default:
      return random();
  }
}

bool takes_newbcast_only(const Row& row) {
  return operand_dwords(row.src[0]) == 2 || (row.dst[0] != LANES && operand_dwords(row.dst[0]) == 2);
}

unsigned random_dpp_control(const Row& row, Random& random) {
  if (takes_newbcast_only(row)) return 0x150 + static_cast<unsigned>(random.below(16));
  for (;;) {
    const unsigned control =
        static_cast<unsigned>(random.below(2) ? random.below(512) : 0x100 + random.below(96));
    if (reference::dpp_control_exists(control)) return control;
  }
}

unsigned sign_bits_allowed(const Row& row, Coding coding) {
  unsigned bits = 0;
  for (unsigned i = 0; i < 3; ++i) {
    // SDWA gives the bits of a source without modifiers to the sign extension.
    const bool free = row.has(FREE0 << i) && coding != Coding::sdwa;
    if (row.src[i] != NONE && (row.has(MOD0 << i) || free)) bits |= 1u << i;
  }
  switch (coding) {
    case Coding::short_form:
      return 0;
    case Coding::vop3p:
      return (1u << source_count(row)) - 1;
    case Coding::vop3:
      return row.has(BITOP3) ? 0 : bits;
    default:
      return bits & 3;
  }
}

Setup random_setup(const Row& row, Coding coding, Random& random) {
  Setup setup;
  setup.coding = coding;
  setup.mode = random_mode(random);
  setup.exec = random_exec(random);
  const unsigned signs = sign_bits_allowed(row, coding);
  setup.neg = random.below(8) & signs;
  // VOP3B has no abs, VOP3P has neg_hi in its place.
  if (coding != Coding::vop3p && row.dst[1] == NONE) setup.abs = random.below(8) & signs;
  if (coding == Coding::vop3) choose_vop3_fields(row, random, setup);
  if (coding == Coding::vop3p) choose_vop3p_fields(row, random, setup);
  if (coding == Coding::sdwa) choose_sdwa_fields(row, random, setup);
  if (coding == Coding::dpp) choose_dpp_fields(row, random, setup);
  choose_scalar(row, coding, random, setup);
  const unsigned in_place = static_cast<unsigned>(random.below(8));
  const bool vector =
      in_place < source_count(row) && row.src[in_place] != LANES && setup.scalar[in_place] == 0;
  if (vector && row.dst[0] != LANES) setup.in_place = static_cast<int>(in_place);
  return setup;
}

}  // namespace wavetwin::test
