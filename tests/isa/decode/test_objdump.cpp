// SPDX-License-Identifier: MIT
// Whole code objects against llvm-objdump 22: every instruction of compiled kernels at -O0, -O1, -O2 and -O3.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "sim/isa/code_object.h"
#include "sim/isa/decode.h"
#include "sim/isa/disassemble.h"
#include "tests/isa/decode/llvm_tools.h"

namespace wavetwin::isa {
namespace {

std::vector<std::string> code_objects(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".co") files.push_back(entry.path().string());
  }
  return files;
}

// The dwords of the code; entry points are the function symbols.
Program program_of(const CodeObject& object) {
  std::vector<uint32_t> code(object.text().size() / 4);
  std::memcpy(code.data(), object.text().data(), code.size() * 4);
  std::vector<uint64_t> entries;
  for (const Symbol& symbol : object.symbols()) {
    if (symbol.type == 2) entries.push_back(symbol.address);
  }
  return decode_program(code, object.text_address(), entries);
}

// llvm-objdump shows the label of a branch when the file keeps it: "s_branch loop" for "s_branch 65533". The
// label is the last operand.
bool same_label(const CodeObject& object, const Instruction& in, const std::string& text) {
  if (!in.valid()) return false;
  const auto& operands = row_of(in).src;
  if (std::find(std::begin(operands), std::end(operands), LABEL) == std::end(operands)) return false;
  const uint64_t target = in.pc + 4 + static_cast<uint64_t>(int64_t{static_cast<int16_t>(in.simm16)} * 4);
  const std::string plain = disassemble(in), before = plain.substr(0, plain.rfind(' ') + 1);
  for (const Symbol& symbol : object.symbols()) {
    if (symbol.address == target && text == before + symbol.name) return true;
  }
  return false;
}

// Adds the mnemonics and gives the number of instructions compared.
size_t compare(const std::string& file, std::set<std::string>& mnemonics) {
  const CodeObject object = CodeObject::load(file);
  const Program program = program_of(object);
  const auto lines = llvm_tools::objdump(file);
  unsigned different = 0;
  for (const auto& line : lines) {
    INFO(file, " pc ", fmt::format("{:x}", line.pc), " ", line.text);
    const int32_t index = program.index_of(line.pc);
    REQUIRE(index >= 0);
    const Instruction& in = program.instructions[static_cast<size_t>(index)];
    const std::string text = disassemble(in);
    const bool same = text == line.text || same_label(object, in, line.text);
    if (!same || in.size != line.words.size() * 4) {
      if (++different < 10) FAIL_CHECK(text);
    }
    mnemonics.insert(line.text.substr(0, line.text.find(' ')));
  }
  CHECK(different == 0);
  return lines.size();
}

}  // namespace

TEST_CASE("disassemble: compiled kernels at -O0 to -O3 equal llvm-objdump") {
  std::set<std::string> mnemonics;
  size_t instructions = 0;
  const auto files = code_objects(DECODE_KERNELS);
  CHECK(files.size() == 16);
  for (const std::string& file : files) instructions += compare(file, mnemonics);
  MESSAGE(instructions, " instructions, ", mnemonics.size(), " mnemonics");
  CHECK(mnemonics.size() >= 330);
}

TEST_CASE("disassemble: the project's own code objects equal llvm-objdump") {
  std::set<std::string> mnemonics;
  for (const std::string& file : code_objects(CODE_OBJECTS)) compare(file, mnemonics);
  CHECK(mnemonics.count("v_mfma_scale_f32_16x16x128_f8f6f4") == 1);
}

TEST_CASE("disassemble: hand-written code objects equal llvm-objdump") {
  std::set<std::string> mnemonics;
  const auto files = code_objects(ASM_DIR);
  CHECK(files.size() >= 6);
  for (const std::string& file : files) compare(file, mnemonics);
}

TEST_CASE("decode: every branch of compiled kernels ends at an instruction") {
  for (const std::string& file : code_objects(DECODE_KERNELS)) {
    const Program program = program_of(CodeObject::load(file));
    for (const Instruction& in : program.instructions) {
      if (!in.valid() || row_of(in).src[0] != LABEL) continue;
      INFO(file, " pc ", fmt::format("{:x}", in.pc));
      REQUIRE(in.target >= 0);
      const int64_t displacement = static_cast<int16_t>(in.simm16);
      CHECK(program.instructions[static_cast<size_t>(in.target)].pc ==
            in.pc + 4 + static_cast<uint64_t>(4 * displacement));
    }
  }
}

}  // namespace wavetwin::isa
