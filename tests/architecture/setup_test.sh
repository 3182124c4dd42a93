#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# scripts/setup with every package present must neither call apt-get nor print anything.
set -euo pipefail
fake=$(mktemp -d)
trap 'rm -rf "$fake"' EXIT
printf '#!/bin/sh\necho "apt-get was called: $*" >&2\nexit 9\n' >"$fake/apt-get"
chmod +x "$fake/apt-get"
output=$(PATH="$fake:$PATH" "$1/scripts/setup" 2>&1)
[ -z "$output" ] || { echo "scripts/setup printed: $output"; exit 1; }
