#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Two scripts/build of one directory at once: the second waits for the first and says so.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/scripts" "$dir/bin"
cp "$1/scripts/build" "$dir/scripts/"
printf '#!/bin/sh\n' >"$dir/scripts/setup"
# Writes down when it starts and ends.
printf '#!/bin/sh\necho start >>"%s/log"\nsleep 0.2\necho end >>"%s/log"\n' "$dir" "$dir" >"$dir/bin/cmake"
chmod +x "$dir/scripts/setup" "$dir/bin/cmake"
export PATH="$dir/bin:$PATH"
"$dir/scripts/build" release 2>>"$dir/err" &
"$dir/scripts/build" release 2>>"$dir/err" &
wait -n
wait
[ "$(grep -c . "$dir/log")" = 8 ] || { echo "cmake ran otherwise than twice a build:"; cat "$dir/log"; exit 1; }
if uniq -d "$dir/log" | grep -q .; then
  echo "two builds of one directory ran at once:"
  cat "$dir/log"
  exit 1
fi
grep -q 'waits for another build' "$dir/err" || { echo "nothing said that it waits:"; cat "$dir/err"; exit 1; }
