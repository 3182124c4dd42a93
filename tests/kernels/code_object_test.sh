#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# code_object_test.sh OBJDUMP LIST OBJECT...: each code object holds the instructions that LIST requires and none that it
# forbids ("!name"). An instruction counts in any of its encodings (_e32, _e64, _dpp, _sdwa).
set -euo pipefail
objdump=$1 list=$2
shift 2
failed=0
for object in "$@"; do
  text=$("$objdump" -d "$object" | sed -n 's/^\t\([a-z0-9_]*\).*/\1/p' | sed -E 's/_(e32|e64|dpp|sdwa)$//' | sort | uniq -c)
  [ -n "$text" ] || { echo "$object: no instructions"; exit 1; }
  while read -r name; do
    case $name in '' | \#*) continue ;; esac
    forbidden=0
    [ "${name#!}" != "$name" ] && forbidden=1
    name=${name#!}
    count=$(awk -v name="$name" '$2 == name {print $1}' <<<"$text")
    if [ "$forbidden" = 1 ] && [ -n "$count" ]; then
      echo "$object: $name occurs $count times and must not"
      failed=1
    elif [ "$forbidden" = 0 ] && [ -z "$count" ]; then
      echo "$object: $name is missing"
      failed=1
    fi
  done <"$list"
done
exit $failed
