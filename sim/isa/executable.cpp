// SPDX-License-Identifier: MIT
#include "sim/isa/executable.h"

#include <cstring>

#include "sim/isa/environment.h"
#include "sim/isa/exec.h"
#include "sim/isa/load_hazards.h"
#include "sim/isa/rows.h"
#include "sim/isa/scalar_stores.h"
#include "sim/isa/wait_states.h"

namespace wavetwin::isa {
namespace {

InstructionKind kind_of(const Instruction& in) {
  switch (in.format) {
    case Format::sop1:
    case Format::sop2:
    case Format::sopc:
    case Format::sopk:
      return InstructionKind::scalar;
    case Format::sopp:
      return id_of(in) == RowId::S_NOP ? InstructionKind::nop : InstructionKind::scalar;
    case Format::smem:
      return InstructionKind::scalar_memory;
    case Format::ds:
      return InstructionKind::lds;
    case Format::flat:
    case Format::mubuf:
    case Format::mtbuf:
      return InstructionKind::memory;
    case Format::mai:
    case Format::vop3px:
      return is_matrix(in) ? InstructionKind::mfma : InstructionKind::vector;
    default:
      return InstructionKind::vector;
  }
}

// Its register is pending until a wait covers the load, so that the instruction loop sees an early use.
void run_watched_load(WaveState& wave, const Instruction& in) {
  wave.env->watched_loads->at (&in)(wave, in);
  const CounterUse use = counter_use(in);
  if (use.vm) wave.env->expect_return(wave, in, in.dst.dwords, true, 0);
  if (use.lgkm && (in.format != Format::flat || wave.env->may_find_lds(in)))
    wave.env->expect_return(wave, in, in.dst.dwords, false, 0);
}

// What it does to LDS is kept until a wait covers it.
void run_watched_lds(WaveState& wave, const Instruction& in) {
  std::vector<LdsAccess> accesses;
  wave.env->lds().record_to(&accesses);
  wave.env->watched_lds->at (&in)(wave, in);
  wave.env->lds().record_to(nullptr);
  wave.env->note_lds_accesses(in, std::move(accesses));
}

void run_past_end(WaveState&, const Instruction&) { throw Error("the wave ran past the end of the code"); }

std::vector<uint32_t> dwords_of(std::span<const uint8_t> text) {
  std::vector<uint32_t> dwords(text.size() / 4);
  std::memcpy(dwords.data(), text.data(), dwords.size() * 4);
  return dwords;
}

// Function symbols and kernel entries start an instruction.
std::vector<uint64_t> entries_of(const CodeObject& object) {
  std::vector<uint64_t> entries;
  constexpr uint8_t kFunction = 2;
  for (const Symbol& symbol : object.symbols()) {
    if (symbol.type == kFunction) entries.push_back(symbol.address);
  }
  for (const KernelInfo& kernel : object.kernels()) entries.push_back(kernel.entry_address);
  return entries;
}

}  // namespace

Executable::Executable(CodeObject object) : object_(std::move(object)) {
  const std::vector<uint32_t> dwords = dwords_of(object_.text());
  program_ = decode_program(dwords, object_.text_address(), entries_of(object_));
  steps_.reserve(program_.instructions.size() + 1);
  for (const Instruction& in : program_.instructions)
    steps_.push_back({execute_function(in), &in, kind_of(in)});
  const ProgramPaths paths(program_);
  const UnwaitedOperations unwaited = unwaited_operations(paths);
  for (const uint32_t load : unwaited.loads) watch(watched_loads_, load, run_watched_load);
  for (const uint32_t access : unwaited.lds) watch(watched_lds_, access, run_watched_lds);
  has_close_followers_ = !close_followers(paths).empty();
  has_unwritten_stores_ = !unwritten_scalar_stores(paths).empty();
  end_.pc = program_.base + program_.bytes;
  steps_.push_back({run_past_end, &end_, InstructionKind::nop});
}

void Executable::watch(WatchedInstructions& watched, uint32_t index, ExecFn run) {
  watched[steps_[index].instruction] = steps_[index].run;
  steps_[index].run = run;
}

uint64_t load_image(GlobalMemory& memory, const CodeObject& object, const std::string& name) {
  BufferOptions options;
  options.alignment = 4096;
  const uint64_t base = memory.allocate(name, object.image().size(), options);
  memory.write(base, object.image().data(), object.image().size());
  for (const Relocation& relocation : object.relocations()) {
    const uint64_t value = base + relocation.target;
    memory.write(base + relocation.place, &value, sizeof value);
  }
  return base;
}

}  // namespace wavetwin::isa
