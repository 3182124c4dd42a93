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
  // Throws FileError: missing files, wrong sizes, missing kernel, wrong target, outputs of no buffer.
  explicit PreparedLaunch(const LaunchFile& launch);

  const isa::Executable& executable() const { return executable_; }
  const isa::KernelInfo& kernel() const { return *kernel_; }
  const isa::LaunchShape& shape() const { return shape_; }
  // Runs the object's kernels of kind "init", then the kernel.
  isa::ExecuteReport run(const isa::ExecuteOptions& options);

  // What a buffer holds, typed as its file or the launch says, else bytes. Error for an unknown name.
  Tensor contents(const std::string& buffer) const;
  // Error when the launch has no such buffer, or its bytes are not `shape` elements of `dtype`.
  void require_type(const std::string& buffer, DType dtype, const Shape& shape) const;
  // The same bytes as elements of another type and shape; Error when they do not fit.
  Tensor contents_as(const std::string& buffer, DType dtype, const Shape& shape) const;
  // FileError when an output cannot be written; for before the run.
  void require_writable_outputs() const;
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
  [[noreturn]] void fail(const std::string& place, const std::string& reason) const;
  void require_host_memory(const std::string& place, const std::string& name, uint64_t bytes) const;
  void require_type(const Buffer& buffer, DType dtype, const Shape& shape) const;
  // `place` is the member of the launch file that asks.
  uint64_t address_of(const LaunchBuffer& wanted, const std::string& place);
  Tensor read_input(const LaunchBuffer& wanted, const std::string& place) const;
  Buffer& create(const LaunchBuffer& wanted, const std::string& place);
  std::vector<uint8_t> encode(const LaunchValue& value, const isa::KernelArgumentInfo* argument);
  void build_kernarg();
  void initialise(const isa::ExecuteOptions& options);

  const LaunchFile launch_;
  GlobalMemory memory_;
  isa::Executable executable_;
  const isa::KernelInfo* kernel_;
  isa::LaunchShape shape_;
  uint64_t load_address_;
  std::vector<Buffer> buffers_;
  std::vector<uint8_t> kernarg_;
};

}  // namespace wavetwin::golden
