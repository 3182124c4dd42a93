// SPDX-License-Identifier: MIT
// libwavetwin_hip.so: code objects on a real gfx950 through the HIP module API. The only file that knows HIP.
#include <hip/hip_runtime_api.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "hip/runtime/plugin_api.h"

namespace {

constexpr char kTarget[] = "gfx950";

std::string g_device;  // set by open

int report(const std::string& text, char* error, size_t error_bytes) {
  std::snprintf(error, error_bytes, "%s", text.c_str());
  return 1;
}

// "hipErrorNoDevice (100) no ROCm-capable device is detected"
std::string describe(hipError_t status) {
  const std::string name = hipGetErrorName(status), text = hipGetErrorString(status);
  // Old runtimes give the name for the text, too.
  return name + " (" + std::to_string(static_cast<int>(status)) + ")" + (text == name ? "" : " " + text);
}

int check(const char* call, hipError_t status, char* error, size_t error_bytes) {
  if (status == hipSuccess) return 0;
  return report(std::string(call) + ": " + describe(status), error, error_bytes);
}

// "gfx950:sramecc+:xnack-" is a gfx950; "gfx9500" would not be.
bool is_target(const char* arch) {
  const size_t length = sizeof kTarget - 1;
  return std::strncmp(arch, kTarget, length) == 0 && (arch[length] == '\0' || arch[length] == ':');
}

int open_device(char* error, size_t error_bytes) {
  int count = 0;
  if (const hipError_t status = hipGetDeviceCount(&count); status != hipSuccess) {
    return report(std::string("no ") + kTarget + ": " + describe(status), error, error_bytes);
  }
  std::string seen;
  for (int device = 0; device < count; ++device) {
    hipDeviceProp_t properties;
    if (check("hipGetDeviceProperties", hipGetDeviceProperties(&properties, device), error, error_bytes))
      return 1;
    if (is_target(properties.gcnArchName)) {
      g_device = "device " + std::to_string(device) + ": " + properties.gcnArchName + ", " + properties.name;
      return check("hipSetDevice", hipSetDevice(device), error, error_bytes);
    }
    seen += std::string(seen.empty() ? "" : ", ") + properties.gcnArchName;
  }
  return report(std::string("no ") + kTarget + ": " + (count == 0 ? "no device" : "only " + seen), error,
                error_bytes);
}

const char* device_text() { return g_device.c_str(); }

int allocate(uint64_t bytes, uint64_t* address, char* error, size_t error_bytes) {
  void* pointer = nullptr;
  if (check("hipMalloc", hipMalloc(&pointer, bytes), error, error_bytes)) return 1;
  *address = reinterpret_cast<uint64_t>(pointer);
  return 0;
}

int release(uint64_t address, char* error, size_t error_bytes) {
  return check("hipFree", hipFree(reinterpret_cast<void*>(address)), error, error_bytes);
}

int copy_to_device(uint64_t address, const void* host, uint64_t bytes, char* error, size_t error_bytes) {
  return check("hipMemcpy to device",
               hipMemcpy(reinterpret_cast<void*>(address), host, bytes, hipMemcpyHostToDevice), error,
               error_bytes);
}

int copy_to_host(void* host, uint64_t address, uint64_t bytes, char* error, size_t error_bytes) {
  return check("hipMemcpy to host",
               hipMemcpy(host, reinterpret_cast<const void*>(address), bytes, hipMemcpyDeviceToHost), error,
               error_bytes);
}

int launch_loaded(hipModule_t module, const char* symbol, const uint32_t grid[3], const uint32_t block[3],
                  uint32_t dynamic_lds_bytes, const void* kernarg, uint64_t kernarg_bytes, char* error,
                  size_t error_bytes) {
  hipFunction_t function = nullptr;
  if (check("hipModuleGetFunction", hipModuleGetFunction(&function, module, symbol), error, error_bytes))
    return 1;
  size_t bytes = kernarg_bytes;
  void* config[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, const_cast<void*>(kernarg), HIP_LAUNCH_PARAM_BUFFER_SIZE,
                    &bytes, HIP_LAUNCH_PARAM_END};
  const hipError_t status = hipModuleLaunchKernel(function, grid[0], grid[1], grid[2], block[0], block[1],
                                                  block[2], dynamic_lds_bytes, nullptr, nullptr, config);
  if (check("hipModuleLaunchKernel", status, error, error_bytes)) return 1;
  return check("hipDeviceSynchronize", hipDeviceSynchronize(), error, error_bytes);
}

int launch(const void* code_object, uint64_t, const char* symbol, const uint32_t grid[3],
           const uint32_t block[3], uint32_t dynamic_lds_bytes, const void* kernarg, uint64_t kernarg_bytes,
           char* error, size_t error_bytes) {
  hipModule_t module = nullptr;
  if (check("hipModuleLoadData", hipModuleLoadData(&module, code_object), error, error_bytes)) return 1;
  const int failed = launch_loaded(module, symbol, grid, block, dynamic_lds_bytes, kernarg, kernarg_bytes,
                                   error, error_bytes);
  const hipError_t unloaded = hipModuleUnload(module);
  return failed ? 1 : check("hipModuleUnload", unloaded, error, error_bytes);
}

constexpr WavetwinHipApi kApi = {WAVETWIN_HIP_API_VERSION, open_device,  device_text, allocate, release,
                                 copy_to_device,           copy_to_host, launch};

}  // namespace

extern "C" __attribute__((visibility("default"))) const WavetwinHipApi* wavetwin_hip_api() { return &kApi; }
