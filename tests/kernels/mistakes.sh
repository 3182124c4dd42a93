#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# mistakes.sh ROOT LIST PROGRAM DEVICE_COMPILER...: for every line of LIST
#   kernel | case | file | sed expression | what the report must say [& what else]
# builds hip/kernels/<kernel>.hip with that one mistake in `file` (@ in the expression stands for |), hands the code object
# to PROGRAM check, and looks for the words in its report. A report that says no single mistake explains the difference
# must explain nothing.
set -euo pipefail
root=$1 list=$2 program=$3
shift 3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0 tried=0

# The parts of $1 that $2 lacks.
missing_words() {
  local rest=$1 part
  while [ -n "$rest" ]; do
    part=${rest%% & *}
    grep -qF -- "$part" <<<"$2" || echo "    $part"
    [ "$part" = "$rest" ] && break
    rest=${rest#* & }
  done
  if grep -qF "no single mistake" <<<"$1"; then
    ! grep -F "would be explained" <<<"$2"
  fi
}

while IFS='|' read -r kernel case file expression wanted; do
  case $kernel in '' | \#*) continue ;; esac
  rm -rf "$dir/src" && mkdir -p "$dir/src/hip"
  cp -r "$root/hip/device" "$root/hip/kernels" "$dir/src/hip"
  sed -i -e "${expression//@/|}" "$dir/src/$file"
  if cmp -s "$root/$file" "$dir/src/$file"; then
    echo "$expression changes nothing in $file"
    exit 1
  fi
  "$@" -I "$dir/src" -I "$root" "$dir/src/hip/kernels/$kernel.hip" -o "$dir/$kernel.co"
  status=0
  report=$("$program" check "$case" --backend sim,isa --explain 120 --code-object "$kernel=$dir/$kernel.co") || status=$?
  tried=$((tried + 1))
  missing=$(missing_words "$wanted" "$report" || true)
  if [ $status = 1 ] && [ -z "$missing" ]; then
    echo "named: $wanted"
  else
    printf 'NOT named (exit %s) with %s in %s:\n%s\n%s\n' "$status" "$expression" "$file" "$missing" "$report"
    failed=1
  fi
done < <(sed 's/ *| */|/g' "$list")
[ $tried != 0 ] || { echo "$list has no line"; exit 1; }
exit $failed
