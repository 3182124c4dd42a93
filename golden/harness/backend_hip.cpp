// SPDX-License-Identifier: MIT
// The backend `hip`: the same code objects on a real gfx950, through the plugin of hip/runtime.
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "golden/harness/backend.h"
#include "golden/harness/install.h"
#include "golden/harness/run.h"
#include "golden/io/file.h"
#include "hip/runtime/plugin_api.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

// Poisoned bytes on both sides of a buffer: a stray store next to it is seen, whatever the allocator does.
constexpr uint64_t kGuardBytes = 4096;

using ErrorText = std::array<char, 512>;

void check(int failed, const ErrorText& error) {
  if (failed != 0) throw Error(fmt::format("hip: {}", error.data()));
}

// A buffer in device memory with its guards.
class DeviceBuffer {
 public:
  // The memory is given back when filling it fails: the delegated constructor is done by then.
  DeviceBuffer(const WavetwinHipApi& api, const BufferImage& image) : DeviceBuffer(api, image.spec->bytes) {
    ErrorText error{};
    if (image.spec->sparse) {
      for (const BufferPiece& piece : image.spec->initial) {
        check(api_->copy_to_device(address() + piece.offset, piece.data.data(), piece.data.size(),
                                   error.data(), error.size()),
              error);
      }
      return;
    }
    std::vector<std::byte> whole = guarded(image.bytes);
    check(api_->copy_to_device(base_, whole.data(), whole.size(), error.data(), error.size()), error);
  }
  DeviceBuffer(DeviceBuffer&& other) noexcept : api_(other.api_), base_(other.base_), bytes_(other.bytes_) {
    other.base_ = 0;
  }
  DeviceBuffer& operator=(DeviceBuffer&&) = delete;
  ~DeviceBuffer() {
    ErrorText error{};
    if (base_ != 0) api_->release(base_, error.data(), error.size());
  }

  uint64_t address() const { return base_ + kGuardBytes; }

  void read_back(BufferImage& image, std::vector<std::string>& findings) const {
    if (image.spec->sparse) return;
    ErrorText error{};
    std::vector<std::byte> whole(bytes_ + 2 * kGuardBytes);
    check(api_->copy_to_host(whole.data(), base_, whole.size(), error.data(), error.size()), error);
    std::copy_n(whole.begin() + kGuardBytes, bytes_, image.bytes.begin());
    const std::vector<std::byte> expected = guarded(image.bytes);
    if (const auto wrong = std::mismatch(whole.begin(), whole.end(), expected.begin());
        wrong.first != whole.end()) {
      const int64_t offset = wrong.first - whole.begin() - static_cast<int64_t>(kGuardBytes);
      findings.push_back(
          fmt::format("a store left buffer '{}' of {} bytes: offset {}", image.spec->name, bytes_, offset));
    }
  }

 private:
  DeviceBuffer(const WavetwinHipApi& api, uint64_t bytes) : api_(&api), bytes_(bytes) {
    ErrorText error{};
    check(api_->allocate(bytes_ + 2 * kGuardBytes, &base_, error.data(), error.size()), error);
  }
  std::vector<std::byte> guarded(const std::vector<std::byte>& content) const {
    std::vector<std::byte> whole(bytes_ + 2 * kGuardBytes);
    for (uint64_t i = 0; i < kGuardBytes; ++i) {
      whole[i] = poison_byte(i, false);
      whole[kGuardBytes + bytes_ + i] = poison_byte(i, true);
    }
    std::copy(content.begin(), content.end(), whole.begin() + kGuardBytes);
    return whole;
  }

  const WavetwinHipApi* api_;
  uint64_t base_ = 0;
  uint64_t bytes_;
};

class DeviceAddresses : public Addresses {
 public:
  DeviceAddresses(const std::vector<BufferImage>& images, const std::vector<DeviceBuffer>& buffers)
      : images_(images), buffers_(buffers) {}
  uint64_t of(std::string_view name) const override {
    for (size_t i = 0; i < images_.size(); ++i) {
      if (images_[i].spec->name == name) return buffers_[i].address();
    }
    throw Error(fmt::format("the program has no buffer '{}'", name));
  }

 private:
  const std::vector<BufferImage>& images_;
  const std::vector<DeviceBuffer>& buffers_;
};

class HipBackend : public Backend {
 public:
  const char* name() const override { return "hip"; }

  std::optional<std::string> unavailable() override {
    if (!asked_) {
      asked_ = true;
      why_not_ = open();
    }
    return why_not_;
  }

  Execution execute(const Program& program, std::vector<BufferImage>& images,
                    const RunOptions& options) override {
    if (const auto why = unavailable()) throw Error("hip: " + *why);
    std::vector<DeviceBuffer> buffers;
    buffers.reserve(images.size());
    for (const BufferImage& image : images) buffers.emplace_back(*api_, image);
    const DeviceAddresses addresses(images, buffers);
    for (const Launch& launch : program.launches) run(launch, addresses, options);
    Execution execution;
    execution.device = api_->device();
    for (size_t i = 0; i < images.size(); ++i) buffers[i].read_back(images[i], execution.findings);
    return execution;
  }

 private:
  // Loads the plugin and looks for a device; returns what stands in the way.
  std::optional<std::string> open() {
    const auto path = hip_plugin_path();
    if (path.empty()) return "built without the HIP runtime (libwavetwin_hip.so is not there)";
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return fmt::format("cannot load the HIP plugin: {}", dlerror());
    const auto entry = reinterpret_cast<WavetwinHipEntry>(dlsym(library, WAVETWIN_HIP_ENTRY));
    if (entry == nullptr || entry()->version != WAVETWIN_HIP_API_VERSION) {
      return fmt::format("{} belongs to another version of wavetwin", path.string());
    }
    ErrorText error{};
    if (entry()->open(error.data(), error.size()) != 0) return std::string(error.data());
    api_ = entry();
    return std::nullopt;
  }

  void run(const Launch& launch, const Addresses& addresses, const RunOptions& options) const {
    const std::vector<std::byte> image = read_bytes(code_object_file(launch.code_object, options));
    const std::vector<std::byte> kernarg = launch.kernarg(addresses);
    ErrorText error{};
    check(api_->launch(image.data(), image.size(), launch.symbol.c_str(), launch.grid.data(),
                       launch.block.data(), launch.dynamic_lds_bytes, kernarg.data(), kernarg.size(),
                       error.data(), error.size()),
          error);
  }

  bool asked_ = false;
  std::optional<std::string> why_not_;
  const WavetwinHipApi* api_ = nullptr;
};

}  // namespace

std::unique_ptr<Backend> make_hip_backend() { return std::make_unique<HipBackend>(); }

}  // namespace wavetwin::golden
