#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# mutations.sh ROOT LIST HOST PLUGIN "COMPILED" "COPIED" "CASES" COMPILE...: for every line of LIST
#   name | file | sed expression [| what the report must say]
# copies the sources COPIED (shell patterns below ROOT), makes that one mistake in `file`, builds COMPILED (some of them)
# and PLUGIN as a library and hands it to HOST (kernel_mutant) with CASES. It must report something wrong, in the words of
# the fourth field if there is one; the line "none" changes nothing and must pass.
set -uo pipefail
root=$1 list=$2 host=$3 plugin=$4 compiled=$5 copied=$6 cases=$7
shift 7
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0 tried=0

copy_sources() {
  rm -rf "$dir/src"
  local file
  for file in $(cd "$root" && echo $copied); do
    mkdir -p "$dir/src/$(dirname "$file")" && cp "$root/$file" "$dir/src/$file"
  done
}

while IFS='|' read -r name file expression wanted; do
  case $name in '' | \#*) continue ;; esac
  copy_sources
  sed -i -e "$expression" "$dir/src/$file" || exit 1
  if [ "$name" != none ] && cmp -s "$root/$file" "$dir/src/$file"; then
    echo "$name: the expression changes nothing in $file"
    failed=1
    continue
  fi
  # Hidden and bound inside: the program exports the unmutated functions under the same names.
  "$@" -w -Wno-psabi -shared -fPIC -fvisibility=hidden -Wl,-Bsymbolic -I "$dir/src" -I "$root" \
    $(printf "$dir/src/%s " $compiled) "$plugin" -o "$dir/mutant.so" || exit 1
  report=$("$host" "$dir/mutant.so" $cases)
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
