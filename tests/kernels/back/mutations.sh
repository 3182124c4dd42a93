#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# mutations.sh ROOT LIST PROGRAM COMPILE...: for every line of LIST builds the simulated attention back with that one mistake
# as a library and hands it to PROGRAM (back_mutant), whose report must name the stage (and which must pass for "none").
set -uo pipefail
root=$1 list=$2 program=$3
shift 3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0 tried=0
while IFS='|' read -r name file expression wanted; do
  case $name in '' | \#*) continue ;; esac
  rm -rf "$dir/src" && mkdir -p "$dir/src/sim/kernels" "$dir/src/common/kernels"
  cp "$root"/sim/kernels/back* "$dir/src/sim/kernels/"
  cp "$root"/common/kernels/back.h "$dir/src/common/kernels/"
  sed -i -e "$expression" "$dir/src/$file"
  if [ "$name" != none ] && cmp -s "$root/$file" "$dir/src/$file"; then
    echo "$name: the expression changes nothing in $file"
    failed=1
    continue
  fi
  # Hidden and bound inside: the program exports the unmutated functions under the same names.
  "$@" -w -Wno-psabi -shared -fPIC -fvisibility=hidden -Wl,-Bsymbolic -I "$dir/src" -I "$root" "$dir/src/sim/kernels/back.cpp" \
    "$root/tests/kernels/back/mutant_plugin.cpp" -o "$dir/mutant.so" || exit 1
  report=$("$program" "$dir/mutant.so")
  status=$?
  tried=$((tried + 1))
  if [ "$name" = none ]; then
    [ $status = 0 ] || { echo "unmutated kernels fail: $report"; exit 1; }
  elif [ $status = 1 ] && grep -qF -- "$wanted" <<<"$report"; then
    echo "caught   $name: $(grep -m1 -F -- "$wanted" <<<"$report")"
  else
    echo "MISSED   $name (exit $status, wanted '$wanted'): $(head -12 <<<"$report")"
    failed=1
  fi
done < <(sed 's/ *| */|/g' "$list")
echo "$tried variants"
exit $failed
