// SPDX-License-Identifier: MIT
#include "tests/unit/hip/fake_hip.h"

#include <hip/hip_runtime_api.h>

#include <cstdlib>
#include <cstring>

using wavetwin::golden::FakeHip;
using wavetwin::golden::FakeLaunch;

namespace {

FakeHip g_fake;
std::string g_symbol;

// Notes the call, and says whether it is the one to fail.
bool fails(const char* call) {
  g_fake.calls.push_back(call);
  return g_fake.failing == call && g_fake.failing_after-- == 0;
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) FakeHip* wavetwin_fake_hip() { return &g_fake; }

hipError_t hipGetDeviceCount(int* count) {
  *count = static_cast<int>(g_fake.devices.size());
  if (fails("hipGetDeviceCount")) return hipErrorInitializationError;
  return *count == 0 ? hipErrorNoDevice : hipSuccess;
}

hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int device) {
  if (fails("hipGetDeviceProperties")) return hipErrorInvalidDevice;
  *properties = {};
  std::strcpy(properties->gcnArchName, g_fake.devices.at(static_cast<size_t>(device)).c_str());
  std::strcpy(properties->name, "fake");
  return hipSuccess;
}

hipError_t hipSetDevice(int device) {
  g_fake.device = device;
  return fails("hipSetDevice") ? hipErrorInvalidDevice : hipSuccess;
}

hipError_t hipMalloc(void** pointer, size_t bytes) {
  if (fails("hipMalloc")) return hipErrorOutOfMemory;
  *pointer = std::calloc(1, bytes);
  if (*pointer == nullptr) return hipErrorOutOfMemory;
  ++g_fake.allocations;
  return hipSuccess;
}

hipError_t hipFree(void* pointer) {
  if (fails("hipFree")) return hipErrorInvalidValue;
  std::free(pointer);
  --g_fake.allocations;
  return hipSuccess;
}

hipError_t hipMemcpy(void* to, const void* from, size_t bytes, hipMemcpyKind kind) {
  const bool to_device = kind == hipMemcpyHostToDevice;
  if (fails(to_device ? "hipMemcpy to device" : "hipMemcpy to host")) return hipErrorInvalidValue;
  if (bytes != 0) std::memcpy(to, from, bytes);
  g_fake.copied.push_back(bytes);
  return hipSuccess;
}

hipError_t hipModuleLoadData(hipModule_t* module, const void* image) {
  if (fails("hipModuleLoadData") || std::memcmp(image,
                                                "\x7f"
                                                "ELF",
                                                4) != 0)
    return hipErrorInvalidImage;
  *module = reinterpret_cast<hipModule_t>(&g_fake);
  ++g_fake.modules;
  return hipSuccess;
}

hipError_t hipModuleUnload(hipModule_t) {
  --g_fake.modules;
  return fails("hipModuleUnload") ? hipErrorInvalidValue : hipSuccess;
}

hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t, const char* name) {
  if (fails("hipModuleGetFunction")) return hipErrorNotFound;
  g_symbol = name;
  *function = reinterpret_cast<hipFunction_t>(&g_symbol);
  return hipSuccess;
}

hipError_t hipModuleLaunchKernel(hipFunction_t, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                 unsigned by, unsigned bz, unsigned lds, hipStream_t, void** parameters,
                                 void** extra) {
  if (fails("hipModuleLaunchKernel")) return hipErrorLaunchFailure;
  // The arguments as one block, as the HIP documentation has it.
  if (parameters != nullptr || extra[0] != HIP_LAUNCH_PARAM_BUFFER_POINTER ||
      extra[2] != HIP_LAUNCH_PARAM_BUFFER_SIZE || extra[4] != HIP_LAUNCH_PARAM_END)
    return hipErrorInvalidValue;
  if (g_fake.kernel != nullptr) {
    g_fake.kernel({g_symbol,
                   {gx, gy, gz},
                   {bx, by, bz},
                   lds,
                   static_cast<const uint8_t*>(extra[1]),
                   *static_cast<const size_t*>(extra[3])});
  }
  return hipSuccess;
}

hipError_t hipDeviceSynchronize() {
  return fails("hipDeviceSynchronize") ? hipErrorLaunchFailure : hipSuccess;
}

const char* hipGetErrorName(hipError_t status) {
  return status == hipErrorNoDevice ? "hipErrorNoDevice" : "error";
}
const char* hipGetErrorString(hipError_t status) {
  return status == hipErrorNoDevice ? "no device here" : "error";
}

}  // extern "C"
