// SPDX-License-Identifier: MIT
// The fixed parts of the page. The data is the object `layout` (mfma_page.cpp); the script only draws it and
// computes no layout of its own.
#pragma once

namespace wavetwin::golden {

inline constexpr const char* kPageStyle = R"css(
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --paper: #fbfbf9; --card: #fff;
  --line: #d9dde3; --mark: #d6006c; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --soft: #9aa5b4; --paper: #14181e;
  --card: #1c222b; --line: #323b47; --mark: #ff5caa; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1460px; padding: 16px 20px 48px; background: var(--paper);
  color: var(--ink); font: 14px/1.45 system-ui, "DejaVu Sans", sans-serif; }
h1 { font: 600 20px/1.3 ui-monospace, "DejaVu Sans Mono", monospace; margin: 0; overflow-wrap: anywhere; }
header p { margin: 2px 0 10px; color: var(--soft); }
h2 { font-size: 15px; margin: 22px 0 2px; }
h3 { font-size: 13px; font-weight: 600; margin: 0 0 2px; }
.note { color: var(--soft); margin: 0 0 8px; max-width: 78ch; }
#bar { position: sticky; top: 0; z-index: 2; background: var(--card); border: 1px solid var(--line);
  border-left: 4px solid var(--mark); border-radius: 6px; padding: 8px 12px; box-shadow: 0 2px 8px #0002; }
#readout { display: block; font: 13px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; white-space: pre-wrap;
  min-height: 4.5em; }
form { display: flex; flex-wrap: wrap; gap: 6px 12px; align-items: center; margin-top: 4px;
  color: var(--soft); }
input, select { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line);
  border-radius: 4px; padding: 1px 4px; width: 4.6em; }
select { width: auto; }
.panels { display: flex; flex-wrap: wrap; gap: 14px 18px; align-items: flex-start; }
.panel { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 8px 10px; }
.grids { display: flex; flex-wrap: wrap; gap: 6px 6px; }
figure { margin: 0; } figcaption { font-size: 11px; color: var(--soft); }
svg { display: block; touch-action: manipulation; cursor: crosshair; }
svg text { font: 8px ui-monospace, "DejaVu Sans Mono", monospace; fill: var(--soft); }
rect { stroke: var(--card); stroke-width: 1; }
g.dim { opacity: .22; }
rect.rel { stroke: var(--ink); stroke-width: 1.2; }
rect.hit { stroke: var(--mark); stroke-width: 3; paint-order: normal; }
#key { display: flex; flex-wrap: wrap; gap: 4px 14px; color: var(--soft); font-size: 12px; margin: 8px 0 0; }
#key i { display: inline-block; width: 11px; height: 11px; margin-right: 5px; border-radius: 2px; }
@media (max-width: 640px) { body { padding: 10px 8px 40px; } h1 { font-size: 15px; } .panel { padding: 6px;
  width: 100%; } #readout { font-size: 11.5px; } }
)css";

inline constexpr const char* kPageBody = R"html(
<div id="bar">
<output id="readout" aria-live="polite"></output>
<form id="form"><label>matrix <select id="op"></select></label>
<label>row <input id="i" type="number" min="0"></label>
<label>column <input id="j" type="number" min="0"></label>
<label id="blockLabel">block <input id="block" type="number" min="0"></label>
<span>click to choose, point to look, arrow keys to move</span></form>
</div>
<div id="key"></div>
<h2>Matrices</h2>
<p class="note">The chosen element's row of A, column of B and K block are outlined, other K blocks
fade. D has the
layout of C.</p>
<div class="panels" id="matrices"></div>
<h2>Registers</h2>
<p class="note">Lanes across, 16 a group; down the VGPRs of the operand, lowest bits of v0 first.</p>
<div class="panels" id="registers"></div>
)html";

inline constexpr const char* kPageScript = R"js(
"use strict";
const byId = new Map(layout.operands.map(o => [o.id, o]));
const $ = id => document.getElementById(id);
const svgNode = (name, attributes) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) node.setAttribute(key, attributes[key]);
  return node;
};
const C = 9, R = 8;  // cell sizes of matrices and of registers in CSS pixels
const chunk = Math.min(32, layout.k);
const index = (o, i, j, b) => (b * o.rows + i) * o.columns + j;
const coordinates = (o, n) =>
  [Math.floor(n / o.columns) % o.rows, n % o.columns, Math.floor(n / o.columns / o.rows)];
const kBlocks = {  // the K block of row i, column j; D has none: -1
  A: (i, j) => Math.floor(j / layout.kBlock), B: (i, j) => Math.floor(i / layout.kBlock),
  scale_a: (i, j) => j, scale_b: (i, j) => i, D: () => -1,
};
const kBlockOf = (id, i, j) => kBlocks[id](i, j);

// Register -> elements. Modifiers can let several elements read one place.
for (const o of layout.operands) {
  o.at = new Map();
  o.matrixCells = [];
  o.registerCells = new Map();
  o.lane.forEach((lane, n) => {
    const key = lane + "," + o.bit[n];
    if (!o.at.has(key)) o.at.set(key, []);
    o.at.get(key).push(n);
  });
}

const colour = (o, lane, bit) => o.colours[(lane >> 4) * o.vgprs + Math.min(o.vgprs - 1, bit >> 5)];

// ---- text ----
function registerName(o, n) {
  const lane = o.lane[n], bit = o.bit[n], v = bit >> 5, low = bit & 31, high = low + o.bits - 1;
  if (o.bits === 32) return `v${v}{${lane}}`;
  if (o.bits === 64) return `v[${v}:${v + 1}]{${lane}}`;
  if (high < 32) return `v${v}{${lane}}.[${high}:${low}]`;
  return `v${v}{${lane}}.[31:${low}] v${v + 1}{${lane}}.[${high - 32}:0]`;
}
function bytes(o, n) {
  const low = o.bit[n] & 31, first = low >> 3, last = (low + o.bits - 1) >> 3;
  if (o.bits >= 32) return "whole register";
  if (o.bits === 4) return `byte ${first}, ${low & 4 ? "high" : "low"} half`;
  return first === last ? `byte ${first}` : `bytes ${first}..${last}`;
}
function elementName(o, n) {
  const [i, j, b] = coordinates(o, n);
  return `${o.id}[${i}][${j}]` + (o.blocks > 1 ? `.b${b}` : "");
}
function line(o, n) {
  const place = `lane ${o.lane[n]}, VGPR v${o.bit[n] >> 5}, ${bytes(o, n)}`;
  return `${elementName(o, n).padEnd(14)} ${registerName(o, n)}: ${place}`;
}
function scaleOf(id, i, j) {
  const o = byId.get(id === "A" ? "scale_a" : "scale_b");
  if (!o || (id !== "A" && id !== "B")) return null;
  const kb = kBlockOf(id, i, j);
  return [o, id === "A" ? index(o, i, kb, 0) : index(o, kb, j, 0)];
}
function describe(s) {
  const o = byId.get(s.id), n = index(o, s.i, s.j, s.b);
  let text = line(o, n);
  const scale = scaleOf(s.id, s.i, s.j), kb = kBlockOf(s.id, s.i, s.j);
  if (scale) text += "\n" + line(...scale);
  const first = kb * layout.kBlock;
  if (kb >= 0) text += `\nK block ${kb}: k ${first}..${first + layout.kBlock - 1}`;
  else text += `\nsum over k of A[${s.i}][k] * B[k][${s.j}], plus C[${s.i}][${s.j}]`;
  const others = o.at.get(o.lane[n] + "," + o.bit[n]).length - 1;
  if (others) text += `, and ${others} more elements read this place`;
  return text;
}

// ---- drawing ----
function cell(o, n, x, y, size, parent) {
  const rect = svgNode("rect", { x, y, width: size, height: size, fill: colour(o, o.lane[n], o.bit[n]) });
  rect.dataset.op = o.id;
  rect.dataset.n = n;
  parent.append(rect);
  return rect;
}
function figure(caption, width, height, parent) {
  const f = document.createElement("figure"), c = document.createElement("figcaption");
  const viewBox = `0 0 ${width} ${height}`;
  const svg = svgNode("svg", { width, height, viewBox, role: "img", "aria-label": caption });
  c.textContent = caption;
  f.append(c, svg);
  parent.append(f);
  return svg;
}
function panel(title, parent) {
  const [p, h, g] = ["div", "h3", "div"].map(name => document.createElement(name));
  p.className = "panel";
  g.className = "grids";
  h.textContent = title;
  p.append(h, g);
  parent.append(p);
  return g;
}
const kGroup = (svg, kb) => {
  const g = svgNode("g", {});
  g.dataset.kb = kb;
  svg.append(g);
  return g;
};
const left = 16, top_ = 10;
function ticks(svg, size, rows, columns, row0, column0) {
  const at = (count, first, put) => {
    for (let t = 0; t < count; t += 8) put(t, first + t);
    if (count > 1) put(count - 1, first + count - 1);
  };
  const text = (x, y, value, anchor) => {
    const t = svgNode("text", { x, y, "text-anchor": anchor });
    t.textContent = value;
    svg.append(t);
  };
  at(columns, column0, (t, v) => text(left + (t + .5) * size, 8, v, "middle"));
  at(rows, row0, (t, v) => text(left - 3, top_ + (t + .8) * size, v, "end"));
}
// One sub-grid of a matrix: rows [i0, i1) and columns [j0, j1) of block b, with the scales that belong to it.
function subGrid(o, i0, i1, j0, j1, b, caption, parent) {
  const scale = byId.get({ A: "scale_a", B: "scale_b" }[o.id]);
  const columns = j1 - j0, rows = i1 - i0, gap = 4;
  const width = left + columns * C + (scale && o.id === "A" ? C + gap : 0) + 2;
  const height = top_ + rows * C + (scale && o.id === "B" ? C + gap : 0) + 2;
  const svg = figure(caption, width, height, parent);
  ticks(svg, C, rows, columns, i0, j0);
  const g = kGroup(svg, kBlockOf(o.id, i0, j0));
  for (let i = i0; i < i1; ++i) {
    for (let j = j0; j < j1; ++j) {
      const n = index(o, i, j, b);
      o.matrixCells[n] = cell(o, n, left + (j - j0) * C, top_ + (i - i0) * C, C, g);
    }
  }
  if (!scale) return;
  const kb = kBlockOf(o.id, i0, j0), count = o.id === "A" ? rows : columns;
  for (let t = 0; t < count; ++t) {
    const n = o.id === "A" ? index(scale, i0 + t, kb, 0) : index(scale, kb, j0 + t, 0);
    const x = o.id === "A" ? left + columns * C + gap : left + t * C;
    const y = o.id === "A" ? top_ + t * C : top_ + rows * C + gap;
    scale.matrixCells[n] = cell(scale, n, x, y, C, g);
  }
}
function drawMatrix(o) {
  const scaled = byId.has("scale_a") && o.id !== "D";
  const where = { A: ", scale_a at the right of its K block", B: ", scale_b below its K block" };
  const grids = panel(`${o.id} (${o.rows} x ${o.columns})` + (scaled ? where[o.id] : ""), $("matrices"));
  for (let b = 0; b < o.blocks; ++b) {
    const name = o.blocks > 1 ? `block ${b}` : "";
    const k = t => [name, layout.k > chunk ? `k ${t}..${t + chunk - 1}` : ""].filter(Boolean).join(", ");
    if (o.id === "D") {
      subGrid(o, 0, o.rows, 0, o.columns, b, name, grids);
      continue;
    }
    for (let t = 0; t < layout.k; t += chunk) {
      if (o.id === "A") subGrid(o, 0, o.rows, t, t + chunk, b, k(t), grids);
      if (o.id === "B") subGrid(o, t, t + chunk, 0, o.columns, b, k(t), grids);
    }
  }
}
function drawRegisters(o) {
  const scale = o.id.startsWith("scale");
  const slots = scale ? 1 : o.vgprs * 32 / o.bits, first = scale ? o.bit[0] : 0;
  const size = `${o.vgprs} VGPR${o.vgprs > 1 ? "s" : ""}, ${o.bits} bits an element`;
  const grids = panel(`${o.id}: ` + (scale ? `byte ${first >> 3} of one VGPR` : size), $("registers"));
  for (let group = 0; group < 4; ++group) {
    const caption = `lanes ${16 * group}..${16 * group + 15}`;
    const svg = figure(caption, left + 16 * R + 2, top_ + slots * R + 2, grids);
    ticks(svg, R, 0, 16, 0, 16 * group);
    const groups = new Map();
    let labelled = -1;
    for (let slot = 0; slot < slots; ++slot) {
      const bit = first + slot * o.bits;
      if (bit >> 5 !== labelled) {
        labelled = bit >> 5;
        const t = svgNode("text", { x: left - 3, y: top_ + (slot + .8) * R, "text-anchor": "end" });
        t.textContent = "v" + labelled;
        svg.append(t);
      }
      for (let l = 0; l < 16; ++l) {
        const key = 16 * group + l + "," + bit, elements = o.at.get(key);
        if (!elements) continue;
        const [i, j] = coordinates(o, elements[0]), kb = kBlockOf(o.id, i, j);
        if (!groups.has(kb)) groups.set(kb, kGroup(svg, kb));
        o.registerCells.set(key, cell(o, elements[0], left + l * R, top_ + slot * R, R, groups.get(kb)));
      }
    }
  }
}

// ---- choosing ----
let chosen = null, marked = [];
function mark(o, n, name) {
  for (const rect of [o.matrixCells[n], o.registerCells.get(o.lane[n] + "," + o.bit[n])]) {
    if (!rect) continue;
    rect.classList.add(name);
    if (name === "hit") rect.parentNode.append(rect);  // draw its outline over the neighbours
    marked.push(rect);
  }
}
function markLine(id, wanted) {
  const o = byId.get(id);
  if (!o) return;
  for (let n = 0; n < o.lane.length; ++n) {
    const [i, j, b] = coordinates(o, n);
    if (wanted(i, j, b)) mark(o, n, "rel");
  }
}
function show(s) {
  for (const rect of marked) rect.classList.remove("rel", "hit");
  marked = [];
  const kb = kBlockOf(s.id, s.i, s.j);
  for (const g of document.querySelectorAll("g[data-kb]"))
    g.classList.toggle("dim", kb >= 0 && g.dataset.kb >= 0 && Number(g.dataset.kb) !== kb);
  const inBlock = (id, i, j) => kb < 0 || kBlockOf(id, i, j) === kb;
  const rowKnown = s.id !== "B" && s.id !== "scale_b", columnKnown = s.id !== "A" && s.id !== "scale_a";
  for (const id of ["A", "scale_a"])
    if (rowKnown) markLine(id, (i, j, b) => i === s.i && b === s.b && inBlock(id, i, j));
  for (const id of ["B", "scale_b"])
    if (columnKnown) markLine(id, (i, j, b) => j === s.j && b === s.b && inBlock(id, i, j));
  if (s.id !== "D") markLine("D", (i, j, b) => b === s.b && (rowKnown ? i === s.i : j === s.j));
  const o = byId.get(s.id);
  mark(o, index(o, s.i, s.j, s.b), "hit");
  const scale = scaleOf(s.id, s.i, s.j);
  if (scale) mark(...scale, "hit");
  $("readout").textContent = describe(s);
}
function clamp(s) {
  const o = byId.get(s.id);
  const within = (v, count) => Math.max(0, Math.min(count - 1, Number.isFinite(v) ? v : 0));
  return { id: s.id, i: within(s.i, o.rows), j: within(s.j, o.columns), b: within(s.b, o.blocks) };
}
function choose(s) {
  chosen = clamp(s);
  const o = byId.get(chosen.id);
  $("op").value = chosen.id;
  const fields = [["i", chosen.i, o.rows], ["j", chosen.j, o.columns], ["block", chosen.b, o.blocks]];
  for (const [id, value, count] of fields) {
    $(id).value = value;
    $(id).max = count - 1;
  }
  $("blockLabel").hidden = o.blocks === 1;
  show(chosen);
}
const selectionOf = rect => {
  const o = byId.get(rect.dataset.op), [i, j, b] = coordinates(o, Number(rect.dataset.n));
  return { id: o.id, i, j, b };
};
function fromHash() {
  const [id, i, j, b] = decodeURIComponent(location.hash.slice(1)).split(",");
  if (byId.has(id)) return choose({ id, i: parseInt(i), j: parseInt(j), b: parseInt(b) });
  const start = layout.start;
  choose({ id: byId.has(start[0]) ? start[0] : "D", i: start[1], j: start[2], b: start[3] });
}

for (const o of layout.operands) $("op").append(new Option(o.id));
for (const id of ["A", "B", "D"]) drawMatrix(byId.get(id));
for (const o of layout.operands) drawRegisters(o);
for (let group = 0; group < 4; ++group) {
  const span = document.createElement("span"), swatch = document.createElement("i");
  swatch.style.background = byId.get("A").colours[group * byId.get("A").vgprs];
  span.append(swatch, `lanes ${16 * group}..${16 * group + 15}`);
  $("key").append(span);
}
$("key").append("lighter: higher VGPR");
document.addEventListener("click", e => {
  if (!e.target.dataset || !e.target.dataset.op) return;
  const s = selectionOf(e.target);
  history.replaceState(null, "", "#" + [s.id, s.i, s.j, s.b].join(","));
  choose(s);
});
document.addEventListener("pointerover", e => {
  if (e.pointerType === "touch") return;
  show(e.target.dataset && e.target.dataset.op ? selectionOf(e.target) : chosen);
});
$("form").addEventListener("input", () =>
  choose({
    id: $("op").value, i: $("i").valueAsNumber, j: $("j").valueAsNumber, b: $("block").valueAsNumber,
  }));
$("form").addEventListener("submit", e => e.preventDefault());
document.addEventListener("keydown", e => {
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[e.key];
  if (!step || e.target.closest("form")) return;
  e.preventDefault();
  choose({ id: chosen.id, i: chosen.i + step[0], j: chosen.j + step[1], b: chosen.b });
});
addEventListener("hashchange", fromHash);
fromHash();
)js";

}  // namespace wavetwin::golden
