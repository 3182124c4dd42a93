// SPDX-License-Identifier: MIT
// A user's program: a format from common, a kernel of its own on the machine, a file from golden.
#include <cstdio>

#include "common/format/e4m3.h"
#include "common/mfma/layout.h"
#include "golden/io/safetensors.h"
#include "sim/core/dispatch.h"

namespace {

struct Args {
  wavetwin::DevicePtr<uint32_t> out;
};

wavetwin::WaveTask write_thread_ids(wavetwin::Wave& wave, Args args) {
  wave.store_element(args.out, wave.thread_id(), wave.thread_id());
  co_await wave.wait_stores();
}

}  // namespace

int main() {
  wavetwin::GlobalMemory memory;
  const uint64_t out = memory.allocate("out", 128 * 4);
  wavetwin::Launch launch;
  launch.kernel = "write_thread_ids";
  launch.block = {128, 1, 1};
  wavetwin::launch_kernel(memory, launch, write_thread_ids, Args{{out}});

  wavetwin::golden::Tensor tensor{wavetwin::golden::DType::U32, {128}, std::vector<std::byte>(128 * 4)};
  memory.read(out, tensor.data.data(), tensor.data.size());
  wavetwin::golden::write_safetensors("consumer.safetensors", {{"ids", tensor}});
  const auto back = wavetwin::golden::SafetensorsFile::open("consumer.safetensors").read("ids");
  const float max = wavetwin::decode(wavetwin::E4M3{0x7E});
  std::remove("consumer.safetensors");
  return back.data == tensor.data && max == 448.0f ? 0 : 1;
}
