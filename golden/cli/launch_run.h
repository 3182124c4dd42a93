// SPDX-License-Identifier: MIT
// A launch file made ready to run: code object decoded, buffers filled, kernarg block built.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "golden/io/launch_file.h"
#include "golden/io/tensor.h"
#include "sim/core/global_memory.h"
#include "sim/isa/isa_kernel.h"

namespace wavetwin::golden {

class PreparedLaunch {
 public:
  // Throws Error / FileError: missing files, wrong sizes, missing kernel, wrong target.
  explicit PreparedLaunch(const LaunchFile& launch);

  const isa::KernelInfo& kernel() const { return *kernel_; }
  isa::ExecuteReport run(const isa::ExecuteOptions& options);

  // What a buffer holds, typed as its file or the launch says, else bytes. Error for an unknown name.
  Tensor contents(const std::string& buffer) const;
  // The same bytes as elements of another type and shape; Error when they do not fit.
  Tensor contents_as(const std::string& buffer, DType dtype, const Shape& shape) const;
  // Writes the outputs the launch file names.
  void write_outputs() const;

 private:
  struct Buffer {
    std::string name;
    uint64_t address = 0, bytes = 0;
    DType dtype = DType::U8;
    Shape shape;
    std::string file;  // where its content comes from
    bool zero = false;
  };
  const Buffer& find(const std::string& name) const;
  uint64_t address_of(const LaunchBuffer& wanted);
  Buffer& create(const LaunchBuffer& wanted);
  std::vector<uint8_t> encode(const LaunchValue& value, const isa::KernelArgumentInfo* argument);
  void build_kernarg();

  const LaunchFile launch_;
  GlobalMemory memory_;
  isa::Executable executable_;
  const isa::KernelInfo* kernel_;
  isa::LaunchShape shape_;
  uint64_t load_address_;
  std::vector<Buffer> buffers_;
  std::vector<uint8_t> kernarg_;
};

// "denorm_f32=flush" and the like applied to MODE bits. Throws Error naming what there is.
uint32_t apply_mode_setting(uint32_t mode_bits, const std::string& setting);

// "round f32 even, f16/f64 even; denorm f32 keep, f16/f64 keep; dx10_clamp ieee"
std::string mode_text(uint32_t mode_bits);

}  // namespace wavetwin::golden
