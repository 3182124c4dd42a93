#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# mutations.sh ROOT LIST COMPILE... -- LINK...: for every line of LIST builds the simulated GEMV kernels with that one
# mistake and links them into the mutant program, which must fail (and must pass for the line "none").
set -uo pipefail
root=$1 list=$2
shift 2
compile=()
while [ "$1" != -- ]; do compile+=("$1"); shift; done
shift
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
  "${compile[@]}" -w -I "$dir/src" -I "$root" -c "$dir/src/sim/kernels/gemv.cpp" -o "$dir/gemv.o" || exit 1
  "${compile[@]}" "$dir/gemv.o" "$@" -o "$dir/mutant" || exit 1
  message=$("$dir/mutant")
  status=$?
  tried=$((tried + 1))
  if [ "$name" = none ]; then
    [ $status = 0 ] || { echo "unmutated kernels fail: $message"; exit 1; }
  elif [ $status = 0 ]; then
    echo "SURVIVED $name"
    survived=1
  else
    echo "caught   $name: $message"
  fi
done <"$list"
echo "$tried variants"
exit $survived
