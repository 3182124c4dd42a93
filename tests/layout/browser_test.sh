#!/bin/sh
# SPDX-License-Identifier: MIT
# The pages of `wavetwin layout --html` in a headless chromium: the chosen element, a click on a matrix, a click on
# a register or a byte, pointing, the fragment, keys; no errors, nothing wider than the window.
# Usage: browser_test.sh WAVETWIN CHROMIUM
set -u
wavetwin=$1 chromium=${2:-}
[ -x "$chromium" ] || { echo "no chromium: skipped"; exit 77; }
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
failed=0

# phone NAME: the width of a telephone. No window of a desktop's chromium is so narrow, a frame is.
phone() {
  cp "$dir/page.html" "$dir/phone.html"
  cat >>"$dir/phone.html" <<EOF
<script>
parent.postMessage(document.documentElement.scrollWidth <= innerWidth && document.body.scrollWidth <= innerWidth ? "fits" :
  "wider than " + innerWidth + ": " + document.documentElement.scrollWidth, "*");
</script>
EOF
  cat >"$dir/frame.html" <<EOF
<body><iframe src="phone.html" style="width:360px;height:800px;border:0"></iframe><pre id="result"></pre>
<script>onmessage = e => { document.getElementById("result").textContent = "RESULT=" + e.data + "=END"; };</script>
EOF
  got=$("$chromium" --headless --no-sandbox --disable-gpu --user-data-dir="$dir/profile" --window-size=800,900 \
    --virtual-time-budget=5000 --dump-dom "file://$dir/frame.html" 2>/dev/null | sed -n 's/.*>RESULT=\(.*\)=END<.*/\1/p')
  if [ "$got" != fits ]; then
    echo "$1 in 360 pixels: '$got'"
    failed=1
  fi
}

# open NAME WIDTH FRAGMENT SCRIPT EXPECTED: appends SCRIPT, which returns a text, and wants EXPECTED of it.
open() {
  cp "$dir/page.html" "$dir/$1.html"
  cat >>"$dir/$1.html" <<EOF
<script>
const result = document.createElement("pre");
result.id = "result";
const read = () => [...document.querySelectorAll("#readout tr:not(:first-child), #readout p")].map(line =>
  [...(line.cells || [line])].map(cell => cell.textContent).join(" ")).join(" | ");
const rectOf = (op, n, where) => document.querySelector(where + ' rect[data-op="' + op + '"][data-n="' + n + '"]');
const send = (node, event) => node.dispatchEvent(event);
const click = node => send(node, new MouseEvent("click", { bubbles: true }));
const point = node => send(node, new PointerEvent("pointerover", { bubbles: true, pointerType: "mouse" }));
const key = name => send(document.body, new KeyboardEvent("keydown", { key: name, bubbles: true }));
const fits = () => document.documentElement.scrollWidth <= innerWidth;
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

page() {
  "$wavetwin" layout "$@" --html "$dir/page.html" || exit 1
}

page --instruction v_mfma_scale_f32_16x16x128_f8f6f4 --matrix A --i 3 --k 70
chosen='A[3][70] v5{3}.[23:16] 3 v5 2 70 | scale_a[3][2] v0{35}.[7:0] 35 v0 0 64..95 | K block 2: k 64..95'
# D stands beside A; the strips show the registers of the element and of its scale.
open start 1366 '' 'const [a, d] = ["A", "D"].map(op => document.querySelector(`#matrices [data-op="${op}"]`).getBoundingClientRect());
  return [read(), [...document.querySelectorAll("#strips .on text")].map(t => t.textContent).join(" "), Math.abs(a.top - d.top) < 3, fits()].join(" / ");' \
  "$chosen / A[3][70] scale_a[3][2] / true / true"
open clicks 1366 '#D,0,0,0' 'return ["#matrices", "#registers"].map(host => { choose({ id: "D", i: 0, j: 0, b: 0 });
  click(rectOf("A", 3 * 128 + 70, host)); return read(); }).join(" / ");' "$chosen / $chosen"
open fragment 500 '#scale_b,3,5,0' 'return read() + " " + fits();' \
  'scale_b[3][5] v0{53}.[7:0] 53 v0 0 96..127 | K block 3: k 96..127 true'
# Pointing shows, leaving goes back to the chosen one; keys move it.
open hover 1366 '' 'point(rectOf("D", 17, "#registers")); const at = read(); point(document.body); const back = read();
  key("ArrowRight"); key("ArrowDown"); return [at, back, read().split(" |")[0]].join(" / ");' \
  "D[1][1] v1{1} 1 v1 all | sum over k of A[1][k] * B[k][1], plus C[1][1] / $chosen / A[4][71] v5{4}.[31:24] 4 v5 3 71"
# The K block of A[3][70]: three of four blocks fade in A and in B, in the matrices and in the registers; the element
# and its scale are framed in both; its card is lit.
open block 1366 '' 'const dim = (host, op) => [...document.querySelectorAll(host + " g.dim")].filter(g =>
  g.querySelector(`[data-op="${op}"]`)).map(g => g.dataset.kb).filter((v, i, all) => all.indexOf(v) === i).sort().join("");
  return ["#matrices", "#registers"].map(host => dim(host, "A") + "," + dim(host, "B") + "," +
  document.querySelectorAll(host + " rect.hit").length).join(" ") + " " + document.querySelector(".card.lit h3").firstChild.data;' \
  '013,013,2 013,013,2 k 64..95'

phone scaled
page --instruction v_mfma_scale_f32_16x16x128_f8f6f4 --a-format e2m1 --b-format e2m3
phone packed
page --instruction v_mfma_f32_4x4x4_16b_f16
open blocks 500 '#D,1,2,5' 'return read() + " " + fits();' \
  'D[1][2].b5 v1{22} 22 v1 all | sum over k of A[1][k] * B[k][2], plus C[1][2] true'

page --instruction v_smfmac_f32_16x16x64_f16 --matrix A --i 3 --j 10
open sparse 1366 '' 'return read() + " " + fits();' \
  'A[3][10] v1{35}.[15:0] 35 v1 0..1 20 + index | index[3][10] v0{35}.[5:4] 35 v0 0 20..23 | two of k 20..23 are stored; the index bits say which true'
open index 500 '' 'click(rectOf("index", 3 * 32 + 10, "#registers")); return read().split(" |")[0] + " " + fits();' \
  'index[3][10] v0{35}.[5:4] 35 v0 0 20..23 true'

page --instruction row_shr:4 --lane 21
open dpp 1366 '' 'return read() + " " + fits();' 'vdst{21} src0{17} | src0 of lane 21 goes to vdst{25} true'
open dppkept 500 '#0,16,0' 'return read() + " " + fits();' 'vdst{16} what it held | src0 of lane 16 goes to vdst{20} true'

page --instruction ds_read_b64_tr_b8 --lane 5
open transposed 1366 '' 'return read() + " " + fits();' 'v0.[7:0] of lane 5 lds{0}[5] | element 0 of lane 5 true'
open source 500 '' 'click(document.querySelector("#sources [data-key=\"0,3,2\"]")); return read() + " " + fits();' \
  'v0.[15:8] of lane 10 lds{3}[2] | element 1 of lane 10 true'
phone transposed

# A memory layout: element -> byte and back, the block of its scale, a part of a large one.
page --memory row_major_mx_32x32 --rows 64 --columns 96 --i 40 --k 70
open mx 1366 '' 'const at = (host, p, n) => document.querySelector(`${host} rect[data-p="${p}"][data-n="${n}"]`);
  const related = document.querySelectorAll("#memory rect.rel").length;
  click(at("#memory", 0, 3 * 96 + 5)); const clicked = read().split(" |")[0];
  point(at("#matrices", 1, 4)); const scale = [read().split(" |")[0], document.querySelectorAll("#matrices rect.rel").length];
  point(document.body); return [related, clicked, scale, read().split(" |")[0], fits()].join(" / ");' \
  '1025 / data[3][5] data 293 (0x125) v1{3}.[15:8] / scale[1][1] scale 4 (0x4) v0{16}.[7:0],1025 / data[3][5] data 293 (0x125) v1{3}.[15:8] / true'
open mxstart 500 '' 'return read() + " " + fits();' \
  'data[40][70] data 3910 (0xf46) v5{8}.[23:16] | scale[1][2] scale 5 (0x5) v0{32}.[7:0] | a scale for 32 x 32 elements; v_mfma_scale_f32_16x16x128_f8f6f4 A, row tile 2, K step 0 true'
phone mx
page --memory aiter_preshuffle_16x16 --rows 4096 --columns 7168 --i 17 --k 33
open part 1366 '' 'const type = text => { $("byte").value = text; send($("byte"), new Event("input", { bubbles: true })); };
  key("ArrowDown"); key("ArrowRight"); const moved = read().split(" |")[0]; type("0x1c20f"); const byte = read().split(" |")[0];
  type("5000"); return [moved, byte, read(), fits()].join(" / ");' \
  'data[18][34] 115234 (0x1c222) v0{34}.[23:16] / data[16][47] 115215 (0x1c20f) v3{32}.[31:24] / byte 5000 of data is outside the part that is drawn / true'
phone part
page --memory drafter_k_tile
open lds 1366 '#data,3,70' 'return read();' \
  'data[3][70] 502 (0x1f6) 61 v5{3}.[23:16] | v_mfma_scale_f32_16x16x128_f8f6f4 A, row tile 0, K step 0'
page --memory aiter_e8m0_shuffle --rows 40 --columns 9
open padding 500 '' 'point(document.querySelector("#memory [data-pad]")); return read() + " " + fits();' '258 (0x102) padding, must be 0 true'

# Bank conflicts: a lane, a bank, another access.
page --banks ds_read_b128 --lane-rows 16 --row-stride 128 --chunk-stride 16
open banks 1366 '' 'const cell = text => document.querySelector(`rect${text}`);
  point(cell("[data-lane=\"2\"][data-bank=\"1\"]")); const lane = read().split(" | ");
  point(cell("[data-g=\"0\"][data-bank=\"0\"]")); const bank = read(); point(document.body);
  key("ArrowDown"); return [lane[0], lane.pop(), bank, read().split(" |")[0], fits()].join(" / ");' \
  '2 256 (0x100) 65 1 2 of 4 4 / lanes 0–3 12–15 20–27 together: 4 cycles / 0 0 0 1 of 4 | 0 64 2 2 of 4 | 0 384 12 3 of 4 | 0 448 14 4 of 4 | asked by lanes 0–3 12–15 20–27 together / 1 128 (0x80) 32 32 1 of 4 4 / true'
page --banks all --memory drafter_v_tile
open accesses 500 '' 'click(document.querySelector("td[data-access=\"17\"]"));
  return [read().split(" |")[0], document.querySelector("#grid h3").firstChild.data, fits()].join(" / ");' \
  '0 144 (0x90) 36 4 1 of 16 16 / transposed values, wave 0 #1 / true'
phone accesses
exit $failed
