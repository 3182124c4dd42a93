#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hip_mutations.sh ROOT LIST WAVETWIN COMPILE...: for every line of LIST
#   name | file | sed expression | case | what the report must say
# builds hip/kernels/drafter.hip with that one mistake in `file` and lets WAVETWIN check the case: sim stays right, so isa
# must differ from it, or fail, in the words of the last field. The line "none" changes nothing and must pass.
set -uo pipefail
root=$1 list=$2 wavetwin=$3
shift 3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/golden"
failed=0 tried=0
while IFS='|' read -r name file expression case wanted; do
  case $name in '' | \#*) continue ;; esac
  # Headers are looked up in the copy first; what is not there comes from the root.
  rm -rf "$dir/src" && mkdir -p "$dir/src/$(dirname "$file")" "$dir/src/hip/kernels"
  cp "$root/hip/kernels/drafter.hip" "$dir/src/hip/kernels/"
  sed -e "$expression" "$root/$file" >"$dir/src/$file" || exit 2
  if [ "$name" != none ] && cmp -s "$root/$file" "$dir/src/$file"; then
    echo "$name: the expression changes nothing in $file"
    failed=1
    continue
  fi
  "$@" -w -I "$dir/src" -I "$root" "$dir/src/hip/kernels/drafter.hip" -o "$dir/drafter.co" || exit 2
  report=$("$wavetwin" check "$case" --backend sim,isa --golden "$dir/golden" --max-idle-rounds 50 \
    --code-object drafter="$dir/drafter.co" 2>&1)
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
[ $tried != 0 ] || { echo "$list has no line"; exit 1; }
echo "$tried variants"
exit $failed
