// SPDX-License-Identifier: MIT
#include "sim/isa/isa_kernel.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <unordered_map>

#include "sim/isa/host_services.h"

namespace wavetwin::isa {
namespace {

// Room for stack objects whose size is known only at run time, a lane (ROCm's default limit for a work-item
// is 1 KiB plus the kernel's own frame; assumption: 16 KiB are enough).
constexpr uint32_t kDynamicStackBytes = 16 * 1024;

class IsaKernel final : public KernelProgram {
 public:
  IsaKernel(const Executable& executable, uint64_t load_address, const KernelInfo& kernel,
            const LaunchShape& shape, const std::vector<uint8_t>& kernarg, const ExecuteOptions& options,
            HostServer& host)
      : executable_(executable),
        load_address_(load_address),
        kernel_(kernel),
        shape_(shape),
        kernarg_(kernarg),
        options_(options),
        host_(host) {
    addresses_.kernarg = kKernargAddress;
    addresses_.dispatch_packet = kDispatchPacketAddress;
    addresses_.queue = kQueueAddress;
    addresses_.descriptor = load_address + kernel.descriptor_address;
  }

  const LaunchAddresses& addresses() const { return addresses_; }

  std::unique_ptr<WaveProgram> make_wave(Workgroup& group, uint32_t wave) const override;
  uint32_t waves_of(uint32_t workgroup, uint32_t) const override { return shape_.waves_of(workgroup); }
  bool notes_fences() const override { return true; }
  bool serve_host() const override { return host_.serve(); }

  void add_counts(const Environment& env) const {
    const std::lock_guard lock(mutex_);
    for (size_t kind = 0; kind < executed_.size(); ++kind) executed_[kind] += env.executed[kind];
  }
  const auto& executed() const { return executed_; }

 private:
  // Of the workgroup that is in the slot; its wave 0 makes it.
  std::shared_ptr<ScalarCache> scalar_cache(const Workgroup& group, uint32_t wave) const {
    const std::lock_guard lock(mutex_);
    auto& cache = scalar_caches_[&group];
    if (wave == 0) cache = std::make_shared<ScalarCache>(group.waves());
    return cache;
  }

  const Executable& executable_;
  uint64_t load_address_;
  const KernelInfo& kernel_;
  const LaunchShape& shape_;
  const std::vector<uint8_t>& kernarg_;
  const ExecuteOptions& options_;
  HostServer& host_;
  LaunchAddresses addresses_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<const Workgroup*, std::shared_ptr<ScalarCache>> scalar_caches_;
  mutable std::array<uint64_t, static_cast<size_t>(InstructionKind::count)> executed_{};
};

// A wave that hands its instruction counts in when it goes.
class CountedWave final : public WaveProgram {
 public:
  CountedWave(const IsaKernel& kernel, std::unique_ptr<IsaWave> wave)
      : kernel_(kernel), wave_(std::move(wave)) {}
  ~CountedWave() override { kernel_.add_counts(wave_->environment()); }
  WaitReason resume(Turn& turn) override { return wave_->resume(turn); }
  std::string where() const override { return wave_->where(); }
  void describe(WaveStatus& status) const override { wave_->describe(status); }
  bool recurring() const override { return wave_->recurring(); }

 private:
  const IsaKernel& kernel_;
  std::unique_ptr<IsaWave> wave_;
};

std::unique_ptr<WaveProgram> IsaKernel::make_wave(Workgroup& group, uint32_t wave) const {
  const KernelDescriptor& d = kernel_.descriptor;
  auto result =
      std::make_unique<IsaWave>(executable_, group, wave, load_address_, d.arch_vgprs(), d.acc_vgprs());
  WaveStart start;
  start.workgroup = group.id();
  start.wave = wave;
  start.mode_bits = options_.mode_bits.value_or(d.mode_bits());
  start.seed = options_.register_seed;
  initialise_registers(result->state(), kernel_, shape_, addresses_, kernarg_, start);
  const bool dynamic = d.dynamic_stack() || kernel_.metadata.dynamic_stack;
  result->environment().scratch.reset(d.private_segment_fixed_size + (dynamic ? kDynamicStackBytes : 0));
  result->environment().threadgroup_split = d.threadgroup_split();
  result->environment().mfma_model = options_.mfma_model;
  result->environment().numeric_model = options_.numeric_model;
  result->set_pc(kernel_.entry_address);
  if (executable_.has_unwritten_stores()) result->note_scalar_stores(scalar_cache(group, wave));
  if (options_.observer != nullptr && options_.traced_workgroup == group.id() &&
      options_.traced_wave == wave) {
    result->trace_to(options_.observer);
  }
  return std::make_unique<CountedWave>(*this, std::move(result));
}

// The blocks that exist for one launch; freed with it.
class LaunchBlocks {
 public:
  explicit LaunchBlocks(GlobalMemory& memory) : memory_(memory) {}
  LaunchBlocks(const LaunchBlocks&) = delete;
  LaunchBlocks& operator=(const LaunchBlocks&) = delete;
  ~LaunchBlocks() {
    for (const uint64_t base : bases_) memory_.free(base);
  }
  void add(const char* name, uint64_t address, const void* bytes, uint64_t size,
           BufferAccess access = BufferAccess::read_only) {
    BufferOptions options;
    options.address = address;
    options.access = access;
    bases_.push_back(memory_.allocate(name, size, options));
    memory_.write(address, bytes, size);
  }

 private:
  GlobalMemory& memory_;
  std::vector<uint64_t> bases_;
};

// The blocks that hidden arguments of the kernel point to, besides those of the server.
void add_host_services(LaunchBlocks& blocks, const KernelInfo& kernel, const LaunchShape& shape) {
  for (const KernelArgumentInfo& argument : kernel.metadata.arguments) {
    constexpr uint8_t kNothing = 0;
    if (const auto service = host_service(argument.kind)) {
      if (service->refused != nullptr)
        blocks.add(service->refused, service->address, &kNothing, sizeof kNothing);
    } else if (argument.kind == kGridSyncKind) {
      GridSyncState state;
      state.workgroups = static_cast<uint32_t>(shape.workgroups());
      blocks.add(kGridSyncName, kGridSyncAddress, &state, sizeof state, BufferAccess::read_write);
    }
  }
}

Launch core_launch(const KernelInfo& kernel, const LaunchShape& shape) {
  Launch launch;
  launch.kernel = kernel.name;
  launch.grid = {shape.grid[0], shape.grid[1], shape.grid[2]};
  launch.block = {shape.block[0], shape.block[1], shape.block[2]};
  launch.lds_bytes = kernel.descriptor.group_segment_fixed_size + shape.dynamic_lds;
  launch.vgprs = kernel.descriptor.unified_vgprs();
  return launch;
}

// Waves that may call the host at once.
uint64_t resident_waves(const Launch& launch, const DispatchOptions& options) {
  const uint64_t fits = options.resident == 0 ? resident_workgroups(launch) : options.resident;
  return std::min(launch.grid.count(), fits) * launch.waves();
}

// Runs the launch; what the kernel left in its printf buffer is printed, also after an error.
DispatchReport dispatch_served(GlobalMemory& memory, const Launch& launch, const IsaKernel& program,
                               const DispatchOptions& options, HostServer& host) {
  try {
    DispatchReport report = dispatch(memory, launch, program, options);
    host.finish();
    return report;
  } catch (...) {
    host.finish_after_error();
    throw;
  }
}

}  // namespace

uint64_t ExecuteReport::instructions() const {
  return std::accumulate(executed.begin(), executed.end(), uint64_t{0});
}

ExecuteReport execute_kernel(GlobalMemory& memory, const Executable& executable, uint64_t load_address,
                             const KernelInfo& kernel, const LaunchShape& shape,
                             const std::vector<uint8_t>& kernarg, const ExecuteOptions& options) {
  check_shape(kernel, shape);
  const Launch launch = core_launch(kernel, shape);
  check_launch(launch);
  HostServer host(memory, executable.object(), kernel, resident_waves(launch, options.dispatch),
                  options.output);
  const IsaKernel program(executable, load_address, kernel, shape, kernarg, options, host);
  const auto packet = build_dispatch_packet(kernel, shape, program.addresses());
  const std::array<uint8_t, 256> queue{};
  LaunchBlocks blocks(memory);
  if (!kernarg.empty()) blocks.add("kernel arguments", kKernargAddress, kernarg.data(), kernarg.size());
  blocks.add("dispatch packet", kDispatchPacketAddress, packet.data(), packet.size());
  blocks.add("queue", kQueueAddress, queue.data(), queue.size());
  add_host_services(blocks, kernel, shape);
  ExecuteReport report;
  report.dispatch = dispatch_served(memory, launch, program, options.dispatch, host);
  report.printed = host.take_printed();
  report.executed = program.executed();
  return report;
}

}  // namespace wavetwin::isa
