// SPDX-License-Identifier: MIT
// A device memory and one assembled object, for tests that run hand-written kernels.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "sim/isa/isa_kernel.h"

namespace wavetwin::isa {

class Machine {
 public:
  // A name stands for a hand-written object; a path ends in ".co".
  explicit Machine(const std::string& object)
      : executable_(CodeObject::load(object.ends_with(".co") ? object : ASM_DIR + object + ".co")) {
    load_address_ = load_image(memory_, executable_.object(), "code object");
  }

  GlobalMemory& memory() { return memory_; }
  const Executable& executable() const { return executable_; }

  // A buffer of never-written bytes.
  uint64_t poisoned(const std::string& name, uint64_t bytes) { return memory_.allocate(name, bytes); }
  uint64_t zeroed(const std::string& name, uint64_t bytes) {
    const uint64_t address = memory_.allocate(name, bytes);
    memory_.fill(address, bytes, 0);
    return address;
  }

  // Runs a kernel whose kernarg block is a list of 64-bit words.
  ExecuteReport run(const std::string& kernel, uint32_t workgroups, uint32_t items,
                    std::initializer_list<uint64_t> arguments, const ExecuteOptions& options = {}) {
    LaunchShape shape;
    shape.grid = {workgroups, 1, 1};
    shape.block = {items, 1, 1};
    const std::vector<uint64_t> words(arguments);
    const std::span raw(reinterpret_cast<const uint8_t*>(words.data()), words.size() * 8);
    return run(kernel, shape, raw, options);
  }

  // The same with any shape, and the block as bytes; hidden arguments behind them are filled.
  ExecuteReport run(const std::string& kernel, const LaunchShape& shape, std::span<const uint8_t> raw,
                    const ExecuteOptions& options = {}) {
    const KernelInfo& info = executable_.object().kernel(kernel);
    const auto kernarg = pad_kernarg(info, shape, raw, kQueueAddress);
    return execute_kernel(memory_, executable_, load_address_, info, shape, kernarg, options);
  }

  std::vector<uint32_t> words(uint64_t address, uint64_t count) const {
    std::vector<uint32_t> result(count);
    memory_.read(address, result.data(), count * 4);
    return result;
  }

  // The text of the Error that running the kernel raises, empty if none.
  std::string error_of(const std::string& kernel, uint32_t workgroups, uint32_t items,
                       std::initializer_list<uint64_t> arguments, const ExecuteOptions& options = {}) {
    try {
      run(kernel, workgroups, items, arguments, options);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }

 private:
  GlobalMemory memory_;
  Executable executable_;
  uint64_t load_address_ = 0;
};

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace wavetwin::isa
