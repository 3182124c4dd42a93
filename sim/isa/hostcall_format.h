// SPDX-License-Identifier: MIT
// printf of kernels, formatted by the host's own printf.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace wavetwin::isa {

// Where a text of a kernel goes.
enum class HostStream : uint8_t { out, err };

// What one call of printf, or one failed assert, wrote.
struct HostText {
  HostStream stream;
  std::string text;
};

// A vector argument of OpenCL.
struct PrintfVector {
  unsigned bytes = 0;  // of an element
  std::vector<uint64_t> elements;
};

// The arguments behind a format string, in its order. Error when there are no more, or one is not what the
// conversion asks for.
class PrintfArguments {
 public:
  virtual ~PrintfArguments() = default;
  virtual uint64_t integer() = 0;
  virtual double floating() = 0;
  virtual std::string string() = 0;
  virtual PrintfVector vector(unsigned elements) = 0;
};

// Arguments of 8 bytes each; a string's bytes and its end, filled up to a multiple of 8. Source: LLVM,
// AMDGPUEmitPrintf.
class PrintfWords final : public PrintfArguments {
 public:
  explicit PrintfWords(std::span<const uint8_t> bytes) : bytes_(bytes) {}
  uint64_t integer() override;
  double floating() override;
  std::string string() override;
  PrintfVector vector(unsigned) override;  // an Error: HIP has none

 private:
  std::span<const uint8_t> bytes_;  // that are left
};

// What printf(format, arguments...) writes: the flags, widths (also *), precisions, lengths and conversions
// of C, in the "C" locale, and the vectors of OpenCL C (6.15.14: "%v4hlf", elements with commas between
// them). %n takes its argument and writes nothing. Error for what is no conversion, and for wide characters.
std::string format_printf(const std::string& format, PrintfArguments& arguments);

}  // namespace wavetwin::isa
