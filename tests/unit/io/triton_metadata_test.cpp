// SPDX-License-Identifier: MIT
// The JSON that Triton writes beside a code object, in the shapes of its versions: the options of the compile
// and the metadata of the kernel side by side (python/triton/compiler/compiler.py and
// third_party/amd/backend/compiler.py).
#include <doctest/doctest.h>

#include "golden/io/launch_file.h"
#include "tests/unit/io/scratch_directory.h"

namespace wavetwin::golden {
namespace {

std::optional<TritonMetadata> read(const std::string& text) {
  const ScratchDirectory dir;
  write_text(dir / "kernel.json", text);
  return read_triton_metadata(dir / "kernel.json");
}

}  // namespace

TEST_CASE("triton metadata: every version's shape gives name, threads and LDS") {
  for (const char* text : {
           // 2.1: no target, the architecture as a list
           R"({"num_warps": 4, "num_ctas": 1, "num_stages": 0, "shared": 8192, "name": "k_0d1d2d",
               "warp_size": 64, "constants": {"4": 64}, "arch": ["amdgcn-amd-amdhsa", "gfx950", "", 64]})",
           // 3.0: the target as a list, extern_libs as pairs
           R"({"num_warps": 4, "waves_per_eu": 1, "num_stages": 2, "num_ctas": 1, "shared": 8192,
               "extern_libs": [["ockl", "ockl.bc"]], "cluster_dims": [1, 1, 1], "debug": false,
               "arch": "gfx950", "warp_size": 64, "target": ["hip", "gfx950", 64], "name": "k_0d1d2d",
               "max_num_imprecise_acc_default": 0, "backend_name": "hip"})",
           // 3.1 and later: the target as an object
           R"({"hash": "00ab", "target": {"backend": "hip", "arch": "gfx950", "warp_size": 64},
               "num_warps": 4, "waves_per_eu": 0, "num_stages": 2, "num_ctas": 1,
               "cluster_dims": [1, 1, 1], "debug": false, "sanitize_overflow": true, "arch": "gfx950",
               "supported_fp8_dtypes": ["fp8e4nv", "fp8e5"], "matrix_instr_nonkdim": 0, "kpack": 1,
               "schedule_hint": "none", "warp_size": 64, "triton_version": "3.4.0", "shared": 8192,
               "profile_scratch_size": 0, "profile_scratch_align": 1, "maxnreg": null,
               "launch_cooperative_grid": false, "name": "k_0d1d2d"})",
       }) {
    CAPTURE(text);
    const auto metadata = read(text);
    REQUIRE(metadata);
    CHECK(metadata->name == "k_0d1d2d");
    CHECK(metadata->threads == 256);
    CHECK(metadata->shared == 8192);
  }
}

TEST_CASE("triton metadata: the file that lists a kernel's files is none of a kernel") {
  CHECK_FALSE(read(R"({"child_paths": {"k.hsaco": "/cache/k.hsaco", "k.json": "/cache/k.json"}})"));
}

}  // namespace wavetwin::golden
