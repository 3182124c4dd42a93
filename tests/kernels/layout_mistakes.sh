#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# layout_mistakes.sh ROOT LIST PROGRAM DEVICE_COMPILER...: for every line of LIST
#   file | sed expression | what the report must say
# builds hip/kernels/gemv.hip with that one mistake in `file`, hands the code object to PROGRAM check, and looks for the
# explanation in its report.
set -euo pipefail
root=$1 list=$2 program=$3
shift 3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0 tried=0
while IFS='|' read -r file expression wanted; do
  case $file in '' | \#*) continue ;; esac
  rm -rf "$dir/src" && mkdir -p "$dir/src/$(dirname "$file")"
  sed -e "$expression" "$root/$file" >"$dir/src/$file"
  if cmp -s "$root/$file" "$dir/src/$file"; then
    echo "$expression changes nothing in $file"
    exit 1
  fi
  "$@" -I "$dir/src" -I "$root" "$root/hip/kernels/gemv.hip" -o "$dir/gemv.co"
  status=0
  report=$("$program" check gemv/small_split-t6-uniform/0 --backend sim,isa --code-object gemv="$dir/gemv.co") || status=$?
  tried=$((tried + 1))
  if [ $status = 1 ] && grep -qF -- "$wanted" <<<"$report"; then
    echo "explained: $wanted"
  else
    echo "NOT explained (exit $status), wanted: $wanted"
    echo "$report"
    failed=1
  fi
done < <(sed 's/ *| */|/g' "$list")
[ $tried != 0 ] || { echo "$list has no line"; exit 1; }
exit $failed
