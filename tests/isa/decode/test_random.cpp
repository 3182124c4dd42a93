// SPDX-License-Identifier: MIT
// Random encodings against llvm-mc 22: what it decodes, wavetwin decodes to the same text; what it refuses,
// wavetwin refuses; the text assembles to an instruction with the same meaning. Differences are listed in
// known_differences.cpp.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <random>
#include <tuple>

#include "sim/isa/decode.h"
#include "sim/isa/disassemble.h"
#include "tests/isa/decode/known_differences.h"
#include "tests/isa/decode/llvm_tools.h"
#include "tests/isa/decode/random_encoding.h"

namespace wavetwin::isa::test {
namespace {

constexpr uint64_t kSeed = 0x5eed0001;

struct FormOfRow {
  const Row* row;
  Form form;
  Segment segment;
};

std::vector<FormOfRow> forms_of(const Row& row) {
  std::vector<FormOfRow> out;
  if (row.format == Format::flat) {
    if (row.has(SEG_FLAT)) out.push_back({&row, Form::base, Segment::flat});
    if (row.has(SEG_GLOBAL)) out.push_back({&row, Form::base, Segment::global});
    if (row.has(SEG_SCRATCH)) out.push_back({&row, Form::base, Segment::scratch});
    return out;
  }
  out.push_back({&row, Form::base, Segment::flat});
  const bool compare = row.format == Format::vopc;  // LLVM has no DPP compares
  if (row.has(E64)) out.push_back({&row, Form::e64, Segment::flat});
  if (row.has(SDWA)) out.push_back({&row, Form::sdwa, Segment::flat});
  if (row.has(DPP) && !compare) out.push_back({&row, Form::dpp, Segment::flat});
  return out;
}

// Constants are equal when their bits are.
bool same_operand(const Operand& a, const Operand& b) {
  const bool constant = a.kind == OperandKind::constant;
  return a.kind == b.kind && a.type == b.type && a.dwords == b.dwords && a.value == b.value &&
         (constant || a.index == b.index);
}

auto modifiers_of(const Instruction& in) {
  return std::tuple(in.row, in.form, in.abs, in.neg, in.neg_hi, in.op_sel, in.op_sel_hi, in.omod, in.clamp,
                    in.dpp_ctrl, in.row_mask, in.bank_mask, in.bound_ctrl, in.fetch_inactive, in.dst_sel,
                    in.dst_unused, in.src_sel, in.src_sext, in.cbsz, in.abid, in.blgp, in.simm16);
}

auto memory_fields_of(const Instruction& in) {
  return std::tuple(in.segment, in.offset, in.offset1, in.dfmt, in.nfmt, in.imm_offset, in.sc0, in.sc1, in.nt,
                    in.lds, in.gds, in.offen, in.idxen);
}

// Everything decoded, without the encoding.
bool same_meaning(const Instruction& a, const Instruction& b) {
  for (size_t i = 0; i < a.src.size(); ++i) {
    if (!same_operand(a.src[i], b.src[i])) return false;
  }
  return same_operand(a.dst, b.dst) && same_operand(a.sdst, b.sdst) && modifiers_of(a) == modifiers_of(b) &&
         memory_fields_of(a) == memory_fields_of(b);
}

// The text cannot say it, or the assembler does not take it: f64 literals print as their high half, 16-bit ones
// with all 32 bits; v_nop and v_clrexcp have no suffix; ds_swizzle_b32 shows the function of its masks.
bool lossy_text(const Instruction& in) {
  if (!in.dst && !in.src[0] && in.form == Form::e64) return true;
  if (row_of(in).name == "DS_SWIZZLE_B32") return true;
  for (const Operand& operand : in.src) {
    const bool literal = operand.kind == OperandKind::constant && operand.index == 255;
    if (literal && (operand.type == F64 || (operand.type < B32 && in.dwords[1] > 0xffff))) return true;
  }
  const bool f16_constant =
      in.valid() && (row_of(in).name == "V_MADMK_F16" || row_of(in).name == "V_MADAK_F16");
  return f16_constant && in.dwords[1] > 0xffff;
}

// Legal encodings that the assembler does not take: dot products with op_sel, broadcasts of MFMAs that have
// none, a sign-extended constant in v_ldexp_f16_sdwa.
bool refused_by_assembler(const Instruction& in) {
  const Row& row = row_of(in);
  if (row.name == "V_LDEXP_F16") return in.src_sext != 0 && in.src[1].kind == OperandKind::constant;
  if (row.name.starts_with("V_DOT2_")) return in.op_sel != 0 || in.op_sel_hi != 7;
  return row.format == Format::mai && !row.has(F8F6F4) && (in.cbsz | in.abid | in.blgp) != 0;
}

// Compares and counts the texts that agree, by (row, form).
void compare_all(const std::vector<Words>& items, std::vector<std::string>& agreed_text,
                 std::vector<size_t>& agreed_index) {
  const auto verdicts = llvm_tools::disassemble(items);
  unsigned shown = 0;
  for (size_t i = 0; i < items.size(); ++i) {
    const Ours ours = decode_text(items[i]);
    const auto difference = unexplained_difference(items[i], verdicts[i], ours.text, ours.refusal);
    if (difference && shown++ < 20) FAIL_CHECK(*difference);
    if (!difference && ours.refusal.empty() && verdicts[i].text) {
      agreed_text.push_back(ours.text);
      agreed_index.push_back(i);
    }
  }
  CHECK(shown == 0);
}

void check_round_trip(const std::vector<Words>& items, const std::vector<std::string>& text,
                      const std::vector<size_t>& index) {
  const auto assembled = llvm_tools::assemble(text);
  unsigned shown = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const Instruction original = try_decode(items[index[i]], 0);
    if (lossy_text(original)) continue;
    if (!assembled[i]) {
      if (refused_by_assembler(original)) continue;
      if (shown++ < 20) FAIL_CHECK("does not assemble: ", text[i]);
      continue;
    }
    const Instruction again = try_decode(*assembled[i], 0);
    if (!again.valid() || !same_meaning(original, again)) {
      if (shown++ < 20) FAIL_CHECK(fmt::format("other meaning: {} | {}", text[i], disassemble(again)));
    }
  }
  CHECK(shown == 0);
}

// Every row in every form, `draws` times each.
void compare_rows(uint64_t seed, unsigned draws) {
  MESSAGE("seed ", seed);
  EncodingGenerator generator(seed);
  std::vector<Words> items;
  std::vector<FormOfRow> owner;
  for (const Row& row : rows()) {
    for (const FormOfRow& form : forms_of(row)) {
      for (unsigned i = 0; i < draws; ++i) {
        items.push_back(generator.of_row(row, form.form, form.segment));
        owner.push_back(form);
      }
    }
  }
  std::vector<std::string> text;
  std::vector<size_t> index;
  compare_all(items, text, index);
  std::map<std::pair<const Row*, std::pair<Form, Segment>>, unsigned> agreed;
  for (const FormOfRow& form : owner) agreed[{form.row, {form.form, form.segment}}] += 0;
  for (const size_t i : index) ++agreed[{owner[i].row, {owner[i].form, owner[i].segment}}];
  for (const auto& [form, count] : agreed) {
    INFO(form.first->name, " form ", static_cast<int>(form.second.first));
    CHECK(count > 0);
  }
  check_round_trip(items, text, index);
}

// The modifier bits of a form, numbered from bit 0 of the first dword.
std::vector<unsigned> modifier_bits_of(const FormOfRow& form) {
  const Format format = form.row->format;
  if (form.form == Form::sdwa) return {43, 44, 45, 46, 47, 51, 52, 53, 55, 59, 60, 61, 63};
  if (form.form == Form::dpp) return {51, 52, 53, 54, 55};
  if (format == Format::flat) return {12, 13, 16, 17, 25, 55};
  if (format == Format::mubuf || format == Format::mtbuf) return {12, 13, 14, 15, 16, 17, 53, 54, 55};
  if (format == Format::ds) return {16, 25};
  if (format == Format::smem) return {13, 14, 15, 16, 17};
  const bool wide =
      form.form == Form::e64 || format == Format::vop3 || format == Format::vop3p || format == Format::mai;
  if (!wide) return {};
  return {8, 9, 10, 11, 12, 13, 14, 15, 59, 60, 61, 62, 63};
}

// Each modifier bit of every row and form, turned over alone: a row that allows too much or too little shows
// here.
void compare_modifier_bits(uint64_t seed) {
  EncodingGenerator generator(seed);
  std::vector<Words> items;
  for (const Row& row : rows()) {
    for (const FormOfRow& form : forms_of(row)) {
      const Words base = generator.of_row(row, form.form, form.segment);
      for (const unsigned bit : modifier_bits_of(form)) {
        items.push_back(base);
        items.back()[bit / 32] ^= 1u << bit % 32;
      }
    }
  }
  std::vector<std::string> text;
  std::vector<size_t> index;
  compare_all(items, text, index);
  CHECK(index.size() > items.size() / 4);
}

void compare_dwords(uint64_t seed, unsigned count) {
  MESSAGE("seed ", seed);
  EncodingGenerator generator(seed);
  std::vector<Words> items;
  for (unsigned i = 0; i < count; ++i) items.push_back(generator.any());
  std::vector<std::string> text;
  std::vector<size_t> index;
  compare_all(items, text, index);
  MESSAGE(index.size(), " of ", count, " random encodings are instructions");
  CHECK(index.size() > count / 4);
}

}  // namespace

TEST_CASE("decode: random instructions of every row and form equal llvm-mc in both directions") {
  compare_rows(kSeed, 6);
}

TEST_CASE("decode: every modifier bit of every row and form is taken, ignored or refused as by llvm-mc") {
  compare_modifier_bits(kSeed + 1);
}

TEST_CASE("decode: random dwords are accepted, printed and refused as by llvm-mc") {
  compare_dwords(kSeed, 12000);
}

TEST_CASE("decode: every listed difference from llvm-mc still occurs") {
  std::vector<Words> samples;
  for (const KnownDifference& known : known_differences()) samples.push_back(known.sample);
  const auto verdicts = llvm_tools::disassemble(samples);
  for (size_t i = 0; i < samples.size(); ++i) {
    const KnownDifference& known = known_differences()[i];
    const Ours ours = decode_text(samples[i]);
    INFO(known.name, ": llvm ", verdicts[i].text.value_or("(refused)"), ", wavetwin ", ours.text,
         ours.refusal);
    CHECK_FALSE(known.reason.empty());
    const bool llvm_refuses = !verdicts[i].text || verdicts[i].flagged();
    if (!llvm_refuses && ours.refusal.empty()) {
      CHECK(*verdicts[i].text != ours.text);
    } else {
      CHECK(llvm_refuses != !ours.refusal.empty());
    }
    CHECK(ours.refusal.find(known.refusal) != std::string::npos);
    if (verdicts[i].text) CHECK(verdicts[i].text->find(known.llvm_text) != std::string::npos);
    CHECK_FALSE(unexplained_difference(samples[i], verdicts[i], ours.text, ours.refusal));
  }
}

TEST_SUITE("slow") {
  TEST_CASE("decode: many random encodings equal llvm-mc") {
    const uint64_t seed = std::random_device{}();
    compare_rows(seed, 100);
    compare_dwords(seed, 300000);
  }
}

}  // namespace wavetwin::isa::test
