// SPDX-License-Identifier: MIT
#include "sim/isa/exec.h"

#include "sim/core/error.h"
#include "sim/isa/decode.h"
#include "sim/isa/disassemble.h"
#include "sim/isa/rows.h"

namespace wavetwin::isa {

ExecFn execute_function(const Instruction& in) {
  if (!in.valid()) return execute_missing;
  switch (in.format) {
    case Format::sop1:
    case Format::sop2:
    case Format::sopc:
    case Format::sopk:
    case Format::sopp:
      return salu_function(in);
    case Format::smem:
      return smem_function(in);
    case Format::ds:
      return ds_function(in);
    case Format::flat:
      return flat_function(in);
    case Format::mubuf:
    case Format::mtbuf:
      return buffer_function(in);
    case Format::count:
      return execute_missing;
    default:
      return valu_function(in);
  }
}

void execute_missing(WaveState&, const Instruction& in) {
  std::string why = "instruction is not implemented", refusal;
  if (!in.valid() && !try_decode(in.dwords, in.pc, &refusal).valid())
    why = "these dwords are no gfx950 instruction (" + refusal + ")";
  if (in.valid() && !row_of(in).implemented) why += " (" + std::string(row_of(in).reason) + ")";
  const size_t dwords = in.size / 4;
  throw Error(describe_dwords(in.pc, std::span(in.dwords).first(dwords)) + ": " + why + ": " +
              disassemble(in));
}

}  // namespace wavetwin::isa
