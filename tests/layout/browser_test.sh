#!/bin/sh
# SPDX-License-Identifier: MIT
# The page of `wavetwin layout --html` in a headless chromium: the chosen element, a click on a matrix, a click on
# a register, the fragment; no errors, nothing wider than the window.
# Usage: browser_test.sh WAVETWIN CHROMIUM
set -u
wavetwin=$1 chromium=${2:-}
[ -x "$chromium" ] || { echo "no chromium: skipped"; exit 77; }
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
failed=0

# open NAME WIDTH FRAGMENT SCRIPT EXPECTED: appends SCRIPT, which returns a text, and wants EXPECTED of it.
open() {
  cp "$dir/page.html" "$dir/$1.html"
  cat >>"$dir/$1.html" <<EOF
<script>
const result = document.createElement("pre");
result.id = "result";
const read = () => document.getElementById("readout").textContent.replaceAll("\n", " | ").replace(/ +/g, " ");
const rectOf = (op, n, where) => document.querySelector(where + ' rect[data-op="' + op + '"][data-n="' + n + '"]');
const click = node => node.dispatchEvent(new MouseEvent("click", { bubbles: true }));
result.textContent = "RESULT=" + (() => { $4 })() + "=END";
document.body.append(result);
</script>
EOF
  "$chromium" --headless --no-sandbox --disable-gpu --user-data-dir="$dir/profile" --window-size="$2",800 \
    --enable-logging=stderr --dump-dom "file://$dir/$1.html$3" >"$dir/dom" 2>"$dir/log"
  got=$(sed -n 's/.*>RESULT=\(.*\)=END<.*/\1/p' "$dir/dom")
  if [ "$got" != "$5" ]; then
    echo "$1: expected: $5"
    echo "$1: got:      $got"
    failed=1
  fi
  if grep -q CONSOLE "$dir/log"; then
    echo "$1: console:" && grep CONSOLE "$dir/log"
    failed=1
  fi
}

"$wavetwin" layout --instruction v_mfma_scale_f32_16x16x128_f8f6f4 --matrix A --i 3 --k 70 \
  --html "$dir/page.html" || exit 1
chosen='A[3][70] v5{3}.[23:16]: lane 3, VGPR v5, byte 2 | '
chosen=$chosen'scale_a[3][2] v0{35}.[7:0]: lane 35, VGPR v0, byte 0 | K block 2: k 64..95'
open start 1366 '' 'return read();' "$chosen"
open matrix 1366 '#D,0,0,0' 'click(rectOf("A", 3 * 128 + 70, "#matrices")); return read();' "$chosen"
open register 1366 '#D,0,0,0' 'click(rectOf("A", 3 * 128 + 70, "#registers")); return read();' "$chosen"
open fragment 1366 '#scale_b,3,5,0' 'return read();' \
  'scale_b[3][5] v0{53}.[7:0]: lane 53, VGPR v0, byte 0 | K block 3: k 96..127'
# The K block of A[3][70]: its row of A, the whole block of B stays, three of four blocks fade in A and in B.
open block 1366 '' 'return ["A", "B"].map((op, p) => document.querySelectorAll("#matrices .panel")[p]
  .querySelectorAll("g.dim").length).join() + " " + document.querySelectorAll("#matrices rect.hit").length;' '3,3 2'
open narrow 500 '' 'return document.documentElement.scrollWidth <= innerWidth;' true
open laptop 1366 '' 'return document.documentElement.scrollWidth <= innerWidth;' true

"$wavetwin" layout --instruction v_mfma_f32_4x4x4_16b_f16 --html "$dir/page.html" || exit 1
open blocks 500 '#D,1,2,5' 'return read() + " " + (document.documentElement.scrollWidth <= innerWidth);' \
  'D[1][2].b5 v1{22}: lane 22, VGPR v1, whole register | sum over k of A[1][k] * B[k][2], plus C[1][2] true'
exit $failed
