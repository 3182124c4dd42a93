// SPDX-License-Identifier: MIT
// The buffer of hidden_printf_buffer: waves append records, the host prints them after the launch.
//
// Two words lead it: the bytes of the records so far, and those that may be used. A record of HIP
// (-mprintf-kind=buffered) is a control word (bit 0 stderr, bit 1 a constant format, from bit 2 the record's
// bytes), the hash of the format or the format itself, and its arguments in eight bytes each; one of OpenCL
// the format's number and the bytes of its arguments. Sources: LLVM, AMDGPUEmitPrintf and
// AMDGPUPrintfRuntimeBinding; AMDGPUUsage, "amdhsa.printf"; ROCm's CLR (rocclr, rocprintf).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/core/global_memory.h"
#include "sim/isa/hostcall_format.h"

namespace wavetwin::isa {

class PrintfBuffer {
 public:
  // In a buffer at `address`; freed at the end. `formats` are the strings of the metadata's amdhsa.printf.
  PrintfBuffer(GlobalMemory& memory, uint64_t address, const std::vector<std::string>& formats);
  ~PrintfBuffer();
  PrintfBuffer(const PrintfBuffer&) = delete;
  PrintfBuffer& operator=(const PrintfBuffer&) = delete;

  // Gives the text of each record, in their order. Error for a record that is none.
  using Print = std::function<void(HostText)>;
  void print(const Print& print) const;

 private:
  GlobalMemory& memory_;
  uint64_t address_;
  const std::vector<std::string>& formats_;
};

}  // namespace wavetwin::isa
