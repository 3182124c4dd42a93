#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# new_kernel_test.sh ROOT CXX DEVICE_CXX: what scripts/new_kernel writes compiles for host and gfx950, and it refuses bad
# names and existing files.
set -euo pipefail
root=$1 cxx=$2 device=$3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$root/scripts/new_kernel" demo_copy --into "$dir" >/dev/null
for source in sim/kernels golden/oracle golden/cases; do
  "$cxx" -std=c++20 -fsyntax-only -Wall -Wextra -Werror -Wno-psabi -I "$dir" -I "$root" "$dir/$source/demo_copy.cpp"
done
"$device" -x hip --offload-arch=gfx950 --offload-device-only --no-gpu-bundle-output -nogpulib -nogpuinc -std=c++20 -O3 \
  -ffp-contract=off -Wall -Wextra -Werror -I "$dir" -I "$root" "$dir/hip/kernels/demo_copy.hip" -o "$dir/demo_copy.co"
for bad in "demo_copy --into $dir" "Demo" "../demo" ""; do
  # shellcheck disable=SC2086
  if "$root/scripts/new_kernel" $bad >/dev/null 2>&1; then
    echo "scripts/new_kernel accepted: $bad"
    exit 1
  fi
done
