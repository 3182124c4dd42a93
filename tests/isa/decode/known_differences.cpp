// SPDX-License-Identifier: MIT
#include "tests/isa/decode/known_differences.h"

#include <fmt/format.h>

#include "sim/isa/decode.h"
#include "sim/isa/disassemble.h"

namespace wavetwin::isa::test {
namespace {

const std::vector<KnownDifference> kKnown = {
    {"null",
     "scalar operand 125 is a register of gfx10; the CDNA4 guide reserves it",
     "125",
     "null",
     {0xbefd0003}},
    {"null as scalar memory data", "the same, in SMEM", "cannot be M0 or EXEC", "null", {0xc2001f44, 0}},
    {"flat_scratch_base",
     "source operands 230 and 231 are of gfx12; the CDNA4 guide reserves them",
     "is reserved",
     "src_flat_scratch_base",
     {0xbe8000e6}},
    {"flat_scratch_base destination",
     "the same, as a destination",
     "must be a scalar register",
     "src_",
     {0xd0b800e6, 0x02000300}},
    {"above s101",
     "LLVM has s102 and s103 in tuples; on this part they are flat_scratch",
     "out of range",
     "103]",
     {0xc0220132, 0}},
    {"literal in a 64-bit encoding",
     "VOP3 has no literal before gfx10 (guide 6.1)",
     "take no literal",
     "",
     {0xd10100ff, 0x000200ff, 0xbf800000}},
    {"literal soffset",
     "a buffer's soffset is a register or inline constant (guide 13.5)",
     "soffset must be",
     "0x",
     {0xe0501000, 0xff010001, 0xbf800000}},
    {"dst_unused 3",
     "reserved (guide 13.3.7); LLVM prints UNUSED_PAD",
     "dst_unused 3",
     "_sdwa",
     {0x020406f9, 0x06061e01}},
    {"VGPR lane mask",
     "carry-in and select masks are SGPR pairs (guide 6.2)",
     "lane mask",
     "v[",
     {0xd1000001, 0x04080501}},
    {"special lane mask", "the same", "lane mask", "src_", {0xd1000001, 0x03ac0501}},
    {"past v255",
     "register numbers end at 255; LLVM prints v[254:257]",
     "above register 255",
     "",
     {0xdc5c8000, 0xfe7f0000}},
    {"odd tuple",
     "gfx90a and later need even tuples; LLVM checks only some operands",
     "even register",
     "",
     {0xda5c0000, 0x03020100}},
    {"matrix format 5..7",
     "reserved f8f6f4 format codes (guide 7.2)",
     "matrix format",
     "f8f6f4",
     {0xd3ad0500, 0x04421100}},
    {"special value as matrix operand",
     "A, B and C are vector registers, C also a constant (guide 7.1)",
     "must be vector registers",
     "src_",
     {0xd3c50000, 0x041208fb}},
    {"special value as accumulator",
     "the same",
     "must be a vector register or a constant",
     "src_",
     {0xd3ef0000, 0x03ae0900}},
    {"special value as accumulation register",
     "v_accvgpr_* take AGPRs",
     "accumulation register",
     "src_",
     {0x7e8ca4ed}},
    {"special value as VGPR source",
     "lane and register moves take VGPRs",
     "must be a VGPR",
     "src_",
     {0x7e78b2ec}},
    {"null as VGPR source",
     "the same: 125 is no register before gfx10",
     "must be a VGPR",
     "null",
     {0x7ef8a27d}},
    {"special value as M0-relative source",
     "s_movrels and s_setpc take a register",
     "source must be a scalar register",
     "src_",
     {0xbecd2afd}},
    {"null as accumulation register",
     "the same: 125 is no register before gfx10",
     "accumulation register",
     "null",
     {0x7f44a47d}},
    {"null as matrix operand",
     "the same, as the index register of an SMFMAC",
     "must be vector registers",
     "null",
     {0xd3cbcc9c, 0x11f6fdaa}},
    {"EXEC as saddr",
     "saddr is an SGPR pair (guide 13.6.2); LLVM takes EXEC in loads to LDS",
     "saddr cannot be EXEC",
     "global_load_lds",
     {0xdff78e09, 0xed7e0e2d}},
    {"address bits of a cache instruction",
     "buffer_wbl2 and buffer_inv have no address; LLVM ignores its bits, we take no garbage for an "
     "instruction",
     "idxen, offen, lds, reserved",
     "buffer_",
     {0xe2a0c7a7, 0x2d428775}},
    {"selects of a missing source",
     "a VOP1 has no src1; LLVM ignores its selects in rows that only gfx940 has",
     "src1 selects",
     "_sdwa",
     {0x7ff898f9, 0x40044d62}},
    {"FLAT offset bit 12",
     "FLAT offsets are 12 bits (guide 13.6.1)",
     "offset bit 12",
     "flat_",
     {0xdc501000, 0x01000002}},
    {"scale prefix before garbage",
     "a prefix and a bad MFMA is no v_mfma_ld_scale_b32",
     "",
     "v_mfma_ld_scale_b32",
     {0xd3ac0000, 0x0001e584, 0xd3ad0ac4, 0x07e390fe}},
    {"v_nop with a bad DPP dword",
     "LLVM falls back to a 4-byte v_nop",
     "DPP",
     "v_nop",
     {0x7e0000fa, 0xfff11100}},
    {"VOPC DPP",
     "the guide has DPP compares (12.9, 13.3.9); LLVM has none for gfx9",
     "",
     "",
     {0x7c8408fa, 0xff011101}},
    {"AGPR float atomic",
     "acc is a field of every FLAT instruction (guide 13.6); LLVM has it for some float atomics",
     "",
     "",
     {0xdf378000, 0xaeff7a06}},
    {"scalar memory data that is no tuple",
     "what runs past the registers is not executed (guide 8.4); LLVM has no name for all of them",
     "",
     "",
     {0xc0123c2d, 0x1d06e625}},
    {"unaligned scalar tuple",
     "scalar tuples are aligned (guide 3.6.3, 8.1); LLVM prints the registers below",
     "is not aligned to",
     "",
     {0xbe820105}},
    {"float constant as a 16-bit integer",
     "printed as the constant that is encoded; LLVM 22 prints its f16 pattern, which assembles to a literal",
     "",
     "",
     {0x4c0000f2}},
    {"float constant as scale",
     "scales are any source (guide 7.2.1); LLVM 22 prints the constant and flags it",
     "",
     "",
     {0xd3ac8741, 0x9d17dcf7, 0xd3ad0838, 0x6452810a}},
    {"v_readfirstlane into M0",
     "M0 is a scalar destination (guide 5.1); LLVM 22 prints it and flags it",
     "",
     "",
     {0x7ef80593}},
    {"narrow matrix operand at the last registers",
     "LLVM 22 takes eight registers before it looks at cbsz and blgp, and these would end past 255",
     "",
     "",
     {0xd3ac6109, 0x992a731b, 0xd3ad0cb8, 0x2d1295fa}},
};

// The entries where LLVM refuses and wavetwin decodes, by the text.
bool is_agpr_float_atomic(const std::string& text) {
  const bool real = text.find("_f32 ") != std::string::npos || text.find("_f64 ") != std::string::npos ||
                    text.find("f16 ") != std::string::npos;
  return text.find("_atomic_") != std::string::npos && real && text.find(" a") != std::string::npos;
}

bool is_compare_dpp(const std::string& text) { return text.find("_dpp vcc") != std::string::npos; }

// Past TTMP15, or in the named registers below the trap temporaries.
bool is_scalar_data_past_registers(const llvm_tools::Words& words, const std::string& text) {
  constexpr uint32_t kSmem = 0b110000;
  const unsigned data = words[0] >> 6 & 0x7f;
  return words[0] >> 26 == kSmem && data >= 88 && data < 124 && text.starts_with("s_");
}

// LLVM's text with the names of the constants in place of their f16 patterns.
std::string with_float_constants(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> kPatterns[] = {
      {" 0x3800", " 0.5"},  {" 0xb800", " -0.5"}, {" 0x3c00", " 1.0"},
      {" 0xbc00", " -1.0"}, {" 0x4000", " 2.0"},  {" 0xc000", " -2.0"},
      {" 0x4400", " 4.0"},  {" 0xc400", " -4.0"}, {" 0x3118", " 0.15915494"}};
  for (const auto& [pattern, name] : kPatterns) {
    for (size_t at = text.find(pattern); at != std::string::npos; at = text.find(pattern, at))
      text.replace(at, pattern.size(), name);
  }
  return text;
}

// LLVM's text without its comments on operands.
std::string without_comments(std::string text) {
  for (size_t at = text.find("/*"); at != std::string::npos; at = text.find("/*")) {
    const size_t end = text.find("*/", at);
    if (end == std::string::npos) return text;
    text.erase(at, end + 2 - at);
  }
  return text;
}

// A or B begins where eight registers do not fit.
bool is_matrix_operand_at_end(const llvm_tools::Words& words, const std::string& text) {
  if (text.find("_f8f6f4 ") == std::string::npos || words.size() < 2) return false;
  const uint32_t w = words[0] >> 16 == 0xd3ac && words.size() > 3 ? words[3] : words[1];
  return (w & 0xff) > 248 || (w >> 9 & 0xff) > 248;
}

bool matches(const KnownDifference& known, const llvm_tools::Words& words, const llvm_tools::Verdict& llvm,
             const std::string& ours, const std::string& refusal) {
  if (known.name == "AGPR float atomic") return !llvm.text && refusal.empty() && is_agpr_float_atomic(ours);
  if (known.name == "VOPC DPP") return !llvm.text && refusal.empty() && is_compare_dpp(ours);
  if (known.name == "scalar memory data that is no tuple")
    return !llvm.text && refusal.empty() && is_scalar_data_past_registers(words, ours);
  if (known.name == "float constant as a 16-bit integer")
    return llvm.text && refusal.empty() && with_float_constants(*llvm.text) == ours;
  const bool only_flagged =
      llvm.text && llvm.flagged() && refusal.empty() && without_comments(*llvm.text) == ours;
  if (known.name == "float constant as scale") return only_flagged && ours.starts_with("v_mfma_scale_");
  if (known.name == "v_readfirstlane into M0")
    return only_flagged && ours.starts_with("v_readfirstlane_b32 m0, ");
  if (known.name == "narrow matrix operand at the last registers")
    return !llvm.text && refusal.empty() && is_matrix_operand_at_end(words, ours);
  if (known.name == "scale prefix before garbage") {
    return words[0] >> 16 == 0xd3ac && llvm.text && !refusal.empty() &&
           llvm.text->starts_with(known.llvm_text);
  }
  return llvm.text && refusal.find(known.refusal) != std::string::npos &&
         llvm.text->find(known.llvm_text) != std::string::npos && !refusal.empty();
}

}  // namespace

std::span<const KnownDifference> known_differences() { return kKnown; }

std::optional<std::string> unexplained_difference(const llvm_tools::Words& words,
                                                  const llvm_tools::Verdict& llvm, const std::string& ours,
                                                  const std::string& refusal) {
  if (llvm.crashed) return {};
  const bool llvm_refuses = !llvm.text || llvm.flagged();
  if (llvm_refuses && !refusal.empty()) return {};
  if (!llvm_refuses && refusal.empty() && *llvm.text == ours) return {};
  for (const KnownDifference& known : kKnown) {
    if (matches(known, words, llvm, ours, refusal)) return {};
  }
  std::string hex;
  for (const uint32_t w : words) hex += fmt::format("{:08x} ", w);
  return fmt::format("{}| llvm: {} | wavetwin: {}", hex, llvm.text.value_or("(refused)"),
                     refusal.empty() ? ours : "(refused: " + refusal + ")");
}

Ours decode_text(const llvm_tools::Words& words) {
  Ours out;
  const Instruction in = try_decode(words, 0, &out.refusal);
  if (in.valid()) out.text = disassemble(in);
  return out;
}

}  // namespace wavetwin::isa::test
