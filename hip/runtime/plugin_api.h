// SPDX-License-Identifier: MIT
// The C interface between the harness and the HIP plugin (libwavetwin_hip.so), which alone links the HIP
// runtime. The harness loads it with dlopen in the commands that need it: linking the runtime costs every
// start 13 ms.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Raised when anything below changes; the harness refuses another number.
#define WAVETWIN_HIP_API_VERSION 1
#define WAVETWIN_HIP_ENTRY "wavetwin_hip_api"

// Functions return 0, or 1 with one line of text in `error` (always terminated).
struct WavetwinHipApi {
  uint32_t version;

  // Picks the first gfx950 device. Fails with the reason when there is none.
  int (*open)(char* error, size_t error_bytes);
  // The chosen device in words ("device 0: gfx950:sramecc+:xnack-, AMD Instinct MI355X"). Valid after open.
  const char* (*device)(void);

  int (*allocate)(uint64_t bytes, uint64_t* address, char* error, size_t error_bytes);
  int (*release)(uint64_t address, char* error, size_t error_bytes);
  int (*copy_to_device)(uint64_t address, const void* host, uint64_t bytes, char* error, size_t error_bytes);
  int (*copy_to_host)(void* host, uint64_t address, uint64_t bytes, char* error, size_t error_bytes);

  // Loads the code object, launches `symbol` with the explicit kernarg bytes, waits for its end and unloads
  // it. `grid` counts workgroups, `block` threads.
  int (*launch)(const void* code_object, uint64_t code_object_bytes, const char* symbol,
                const uint32_t grid[3], const uint32_t block[3], uint32_t dynamic_lds_bytes,
                const void* kernarg, uint64_t kernarg_bytes, char* error, size_t error_bytes);
};

typedef const struct WavetwinHipApi* (*WavetwinHipEntry)(void);

#ifdef __cplusplus
}
#endif
