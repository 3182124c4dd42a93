#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hip_mutations.sh ROOT LIST WAVETWIN CODE_OBJECTS COMPILE...: for every line of LIST
#   name | file | sed expression | case | what the report must say
# makes that one mistake in a copy of the HIP sources, builds the code object and lets WAVETWIN check the case: sim stays
# right, so isa must differ from it, or fail, in the words of the last field. The line "none" changes nothing and must pass.
set -uo pipefail
root=$1 list=$2 wavetwin=$3 objects=$4
shift 4
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0 tried=0
# The program finds its code objects beside itself.
mkdir -p "$dir/bin" "$dir/share/wavetwin/code_objects" "$dir/golden" && cp "$wavetwin" "$dir/bin/wavetwin" || exit 2

copy_sources() {
  rm -rf "$dir/src"
  local file
  for file in $(cd "$root" && echo hip/kernels/drafter.hip hip/device/drafter*.h hip/device/sync.h common/kernels/drafter.h); do
    mkdir -p "$dir/src/$(dirname "$file")" && cp "$root/$file" "$dir/src/$file"
  done
}

while IFS='|' read -r name file expression case wanted; do
  case $name in '' | \#*) continue ;; esac
  copy_sources
  sed -i -e "$expression" "$dir/src/$file" || exit 2
  if [ "$name" != none ] && cmp -s "$root/$file" "$dir/src/$file"; then
    echo "$name: the expression changes nothing in $file"
    failed=1
    continue
  fi
  "$@" -w -I "$dir/src" -I "$root" "$dir/src/hip/kernels/drafter.hip" \
    -o "$dir/share/wavetwin/code_objects/drafter.co" || exit 2
  # Other builds of the kernel stay as they are: one that is right beside the one that is wrong.
  cp "$objects"/drafter.O?.co "$dir/share/wavetwin/code_objects/"
  report=$("$dir/bin/wavetwin" check "$case" --backend sim,isa --golden "$dir/golden" --max-idle-rounds 50 2>&1)
  status=$?
  tried=$((tried + 1))
  if [ "$name" = none ]; then
    [ $status = 0 ] || { echo "unmutated kernels fail: $report"; exit 1; }
  elif [ $status != 0 ] && grep -qF -- "$wanted" <<<"$report"; then
    echo "caught   $name: $(grep -m1 -A2 -F -- "$wanted" <<<"$report" | tr -s ' \n' ' ')"
  else
    echo "MISSED   $name (exit $status, wanted '$wanted'): $(head -12 <<<"$report")"
    failed=1
  fi
done < <(sed 's/ *| */|/g' "$list")
echo "$tried variants"
exit $failed
