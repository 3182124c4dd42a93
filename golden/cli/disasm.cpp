// SPDX-License-Identifier: MIT
// `wavetwin disasm`: the instructions of a code object, as llvm-objdump prints them.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include "golden/cli/command.h"
#include "golden/cli/unchecked_note.h"
#include "sim/core/error.h"
#include "sim/isa/code_object.h"
#include "sim/isa/decode.h"
#include "sim/isa/disassemble.h"
#include "sim/isa/scalar_stores.h"
#include "sim/isa/wait_states.h"

namespace wavetwin::golden {
namespace {

constexpr uint8_t kFunction = 2;  // ELF symbol type

struct Options {
  std::string file, kernel;
};

isa::Program decode_text(const isa::CodeObject& object) {
  std::vector<uint32_t> code(object.text().size() / 4);
  std::memcpy(code.data(), object.text().data(), code.size() * 4);
  std::vector<uint64_t> entries;
  for (const isa::Symbol& symbol : object.symbols()) {
    if (symbol.type == kFunction) entries.push_back(symbol.address);
  }
  return isa::decode_program(code, object.text_address(), entries);
}

// The function symbol at `pc`, if one starts there.
const isa::Symbol* function_at(const isa::CodeObject& object, uint64_t pc) {
  for (const isa::Symbol& symbol : object.symbols()) {
    if (symbol.type == kFunction && symbol.address == pc) return &symbol;
  }
  return nullptr;
}

// "name+0x40" of the function that holds `pc`.
std::string place(const isa::CodeObject& object, uint64_t pc) {
  const isa::Symbol* best = nullptr;
  for (const isa::Symbol& symbol : object.symbols()) {
    if (symbol.type != kFunction || symbol.address > pc) continue;
    if (best == nullptr || symbol.address > best->address) best = &symbol;
  }
  if (best == nullptr) return fmt::format("{:#x}", pc);
  return pc == best->address ? best->name : fmt::format("{}+{:#x}", best->name, pc - best->address);
}

// Of each instruction that follows another one too closely on some path, and of each scalar store that is not
// written back: what is missing.
std::map<const isa::Instruction*, std::string> notes_of(const isa::Program& program) {
  std::map<const isa::Instruction*, std::string> notes;
  const isa::ProgramPaths paths(program);
  for (const isa::CloseFollower& close : isa::close_followers(paths)) {
    if (close.depends_on_index) continue;
    notes[&program.instructions[close.second]] +=
        fmt::format("  ; {} the instruction at {:#x}: needs {} wait states, a path has {}",
                    isa::wait_rule_name(close.need.rule), program.instructions[close.first].pc,
                    close.need.states, close.found);
  }
  for (const isa::UnwrittenStore& unwritten : isa::unwritten_scalar_stores(paths)) {
    if (unwritten.certain)
      notes[&program.instructions[unwritten.store]] += "  ; a path ends without s_dcache_wb";
  }
  return notes;
}

// pc, dwords, text, where a branch goes, and a note.
void print_instruction(const isa::CodeObject& object, const isa::Program& program, const isa::Instruction& in,
                       const std::string& note) {
  std::string dwords;
  for (unsigned i = 0; i < in.size / 4u; ++i)
    dwords += fmt::format("{}{:08X}", i == 0 ? "" : " ", in.dwords[i]);
  std::string target;
  if (in.target >= 0) {
    target = fmt::format("  ; {}", place(object, program.instructions[static_cast<size_t>(in.target)].pc));
  }
  fmt::print("  {:6x}:  {:<35}  {}{}{}\n", in.pc, dwords, isa::disassemble(in), target, note);
}

void disassemble(const Options& options) {
  const isa::CodeObject object = isa::CodeObject::load(options.file);
  const isa::Program program = decode_text(object);
  note_unchecked(object);
  uint64_t from = object.text_address(), to = from + object.text().size();
  if (!options.kernel.empty()) {
    const isa::KernelInfo& kernel = object.kernel(options.kernel);
    from = kernel.entry_address;
    to = object.end_of(kernel);
  }
  const auto notes = notes_of(program);
  for (const isa::Instruction& in : program.instructions) {
    if (in.pc < from || in.pc >= to) continue;
    if (const isa::Symbol* symbol = function_at(object, in.pc)) fmt::print("{}:\n", symbol->name);
    const auto note = notes.find(&in);
    print_instruction(object, program, in, note == notes.end() ? std::string() : note->second);
  }
}

}  // namespace

void add_disasm(CLI::App& app, int&) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("disasm", "Print the instructions of a code object");
  command->add_option("file", options->file, "Code object FILE.co, bundle or host program (FILE#2)")
      ->required();
  command->add_option("--kernel", options->kernel, "Only this kernel");
  command->callback([options] { disassemble(*options); });
}

}  // namespace wavetwin::golden
