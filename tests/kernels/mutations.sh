#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# mutations.sh ROOT LIST PROGRAM COMPILE...: for every line of LIST builds the simulated GEMV kernels with that one mistake as
# a library and hands it to PROGRAM (gemv_mutant), which must fail (and must pass for the line "none").
set -uo pipefail
root=$1 list=$2 program=$3
shift 3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
survived=0 tried=0
while IFS='|' read -r name file expression; do
  name=$(xargs <<<"$name") file=$(xargs <<<"$file")
  case $name in '' | \#*) continue ;; esac
  rm -rf "$dir/src" && mkdir -p "$dir/src/sim/kernels" "$dir/src/common/kernels"
  cp "$root"/sim/kernels/gemv.cpp "$root"/sim/kernels/gemv.h "$dir/src/sim/kernels/"
  cp "$root"/common/kernels/gemv.h "$root"/common/kernels/device.h "$dir/src/common/kernels/"
  sed -i -e "$expression" "$dir/src/$file"
  if [ "$name" != none ] && cmp -s "$root/$file" "$dir/src/$file"; then
    echo "$name: the expression changes nothing in $file"
    survived=1
    continue
  fi
  # Hidden and bound inside: the program exports the unmutated functions under the same names.
  "$@" -w -Wno-psabi -shared -fPIC -fvisibility=hidden -Wl,-Bsymbolic -I "$dir/src" -I "$root" "$dir/src/sim/kernels/gemv.cpp" \
    "$root/tests/kernels/gemv_mutant_plugin.cpp" -o "$dir/mutant.so" || exit 1
  message=$("$program" "$dir/mutant.so")
  status=$?
  tried=$((tried + 1))
  if [ "$name" = none ]; then
    [ $status = 0 ] || { echo "unmutated kernels fail: $message"; exit 1; }
  elif [ $status = 1 ]; then
    echo "caught   $name: $message"
  else
    echo "SURVIVED $name (exit $status)"
    survived=1
  fi
done < <(sed 's/ | /|/g' "$list")
echo "$tried variants"
exit $survived
