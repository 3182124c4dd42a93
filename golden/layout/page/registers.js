// ---- elements and places ----
const byId = new Map(layout.operands.map(o => [o.id, o]));
const index = (o, i, j, b) => (b * o.rows + i) * o.columns + j;
const coordinates = (o, n) =>
  [Math.floor(n / o.columns) % o.rows, n % o.columns, Math.floor(n / o.columns / o.rows)];
// First k that the element stands for, and -1 for C and D.
const firstK = (o, i, j) =>
  o.axis === "none" ? -1 : Math.floor((o.axis === "row" ? i : j) / o.divisor) * o.step;
const kBlockOf = (o, i, j) => {
  const k = firstK(o, i, j);
  return k < 0 ? -1 : Math.floor(k / layout.kBlock);
};
for (const o of layout.operands) {
  o.at = new Map();  // "lane,bit" -> elements; instruction fields can let several read one place
  o.matrixCells = [];
  o.registerCells = new Map();
  o.lane.forEach((lane, n) => {
    const key = lane + "," + o.bit[n];
    if (!o.at.has(key)) o.at.set(key, []);
    o.at.get(key).push(n);
  });
}
const drawnAs = id => (id === "C" ? "D" : id);  // C has the places of D
const shadeClass = (o, lane, bit) =>
  `c${lane >> 4}${o.vgprs < 2 ? 2 : Math.round((kSteps - 1) * (bit >> 5) / (o.vgprs - 1))}`;

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
  if (o.bits >= 32) return "all";
  if (o.bits === 4) return `${first}, ${low & 4 ? "high" : "low"} half`;
  return first === last ? `${first}` : `${first}..${last}`;
}
function elementName(o, n) {
  const [i, j, b] = coordinates(o, n);
  return (o.negated ? "-" : "") + `${o.id}[${i}][${j}]` + (o.blocks > 1 ? `.b${b}` : "");
}
function kText(o, n) {
  const [i, j] = coordinates(o, n), k = firstK(o, i, j);
  if (k < 0) return "";
  if (layout.sparse && o.id === "A") return `${k} + index`;
  return o.step === 1 ? `${k}` : `${k}..${k + o.step - 1}`;
}
const placeRow = (o, n) => [elementName(o, n), registerName(o, n), o.lane[n], "v" + (o.bit[n] >> 5), bytes(o, n),
  kText(o, n)];
function companionOf(o, i, j, b) {
  const other = byId.get(o.companion);
  return other ? [other, index(other, Math.floor(i / o.rowDivisor), Math.floor(j / o.columnDivisor), b)] : null;
}
function sentence(o, n, s) {
  const [i, j, b] = [s.i, s.j, s.b], kb = kBlockOf(o, i, j), first = kb * layout.kBlock;
  const others = o.at.get(o.lane[n] + "," + o.bit[n]).length - 1;
  let text;
  if (kb < 0) text = `sum over k of A[${i}][k] * B[k][${j}], plus ${layout.sparse ? "D" : "C"}[${i}][${j}]`;
  else if (layout.kBlock < layout.k) text = `K block ${kb}: k ${first}..${first + layout.kBlock - 1}`;
  else text = `k ${kText(o, n)} of ${layout.k}`;
  if (layout.sparse && (o.id === "A" || o.id === "index"))
    text = `two of k ${first}..${first + 3} are stored; the index bits say which`;
  return text + (others ? `; ${others} more element${others > 1 ? "s" : ""} read this place` : "");
}

// ---- one register as 32 bits ----
function strip(o, n) {
  const lane = o.lane[n], v = o.bit[n] >> 5, fields = [];
  const step = o.bits >= 32 ? 32 : o.bits, start = o.bits >= 32 ? 32 * v : o.bits * Math.floor(32 * v / o.bits);
  for (let low = start; low < 32 * (v + 1); low += step) {
    const elements = o.at.get(lane + "," + low) || (o.bits >= 32 && o.at.get(lane + "," + (low - 32))) || [];
    fields.push({ low: Math.max(low - 32 * v, 0), high: Math.min(low + step - 32 * v, 32), on: elements.includes(n),
      text: elements.length ? width => shortName(o, elements[0], width) : null });
  }
  return bitStrip(`${o.id}: v${v} of lane ${lane}`, "bit 31 .. 0", fields);
}
function shortName(o, n, width) {
  const [i, j] = coordinates(o, n), long = `${o.id}[${i}][${j}]`;
  if (width > 6 * long.length) return long;
  return o.axis === "row" ? `${i}` : `${j}`;
}

// ---- drawing ----
const cell = (o, n, x, y, width, height, parent) =>
  cellRect(parent, x, y, width, height, shadeClass(o, o.lane[n], o.bit[n]), { op: o.id, n });
const kGroup = (svg, kb) => {
  const g = svgNode("g", {});
  g.dataset.kb = kb;
  svg.append(g);
  return g;
};
const left = 20, top_ = 11;
const groupsOf = svg => {
  const groups = new Map();
  return kb => {
    if (!groups.has(kb)) groups.set(kb, kGroup(svg, kb));
    return groups.get(kb);
  };
};

// A, B or index bits along K: `lines` (rows of A, columns of B) downwards, k across, from k0 to k1; what
// belongs to the K block (a scale) in a column at the right.
function alongK(o, k0, k1, b, size, caption, parent) {
  const across = o.axis === "column", lines = across ? o.rows : o.columns, span = o.step / o.divisor;
  const c0 = k0 / span, c1 = k1 / span, width = size.w * span;
  const scale = byId.get(o.companion), beside = scale && scale.id.startsWith("scale") ? scale : null;
  const total = left + (k1 - k0) * size.w + (beside ? size.w * 1.6 + 5 : 0) + 2;
  const svg = figure(caption, total, top_ + lines * size.h + 2, parent), group = groupsOf(svg);
  edge(svg, left, top_, width, size.h, c1 - c0, lines, c0, 0);
  const at = (line, c) => (across ? index(o, line, c, b) : index(o, c, line, b));
  for (let line = 0; line < lines; ++line) {
    for (let c = c0; c < c1; ++c) {
      const n = at(line, c), [i, j] = coordinates(o, n);
      o.matrixCells[n] = cell(o, n, left + (c - c0) * width, top_ + line * size.h, width, size.h, group(kBlockOf(o, i, j)));
    }
    if (!beside) continue;
    const kb = k0 / layout.kBlock, n = across ? index(beside, line, kb, 0) : index(beside, kb, line, 0);
    beside.matrixCells[n] =
      cell(beside, n, left + (k1 - k0) * size.w + 5, top_ + line * size.h, size.w * 1.6, size.h, group(kb));
  }
}
function outputGrid(o, b, size, caption, parent) {
  const svg = figure(caption, left + o.columns * size.w + 2, top_ + o.rows * size.h + 2, parent);
  edge(svg, left, top_, size.w, size.h, o.columns, o.rows, 0, 0);
  const g = kGroup(svg, -1);
  for (let i = 0; i < o.rows; ++i)
    for (let j = 0; j < o.columns; ++j) {
      const n = index(o, i, j, b);
      o.matrixCells[n] = cell(o, n, left + j * size.w, top_ + i * size.h, size.w, size.h, g);
    }
}
const [A, B, D] = ["A", "B", "D"].map(id => byId.get(id));
const scaled = byId.has("scale_a");
function drawMatrices() {
  const host = $("matrices");
  if (layout.blocks > 1) {
    const side = layout.m <= 4 ? 13 : layout.m <= 16 ? 10 : 8, size = { w: side, h: side };
    for (let b = 0; b < layout.blocks; ++b) {
      const node = card(`block ${b}`, "", host), row = htmlNode("div", "row");
      node.append(row);
      alongK(A, 0, layout.k, b, size, "A", row);
      alongK(B, 0, layout.k, b, size, "B", row);
      outputGrid(D, b, size, "D", row);
    }
    return;
  }
  const chunk = Math.min(32, layout.k), chunks = layout.k / chunk;
  const wide = chunks > 3 ? 6.3 : chunks > 1 ? 8.5 : 10;
  const size = { w: narrow ? Math.min(narrowCell, 14) : wide, h: layout.m > 16 ? 7 : 10 };
  for (let k = 0; k < layout.k; k += chunk) {
    const block = layout.kBlock === chunk && chunks > 1 ? `K block ${k / chunk}` : "";
    const node = card(`k ${k}..${k + chunk - 1}`, block, host);
    node.dataset.card = layout.kBlock === chunk ? k / chunk : -1;
    alongK(A, k, k + chunk, 0, size, layout.sparse ? "A: rows i down, stored elements across" : "A: rows i down" + (scaled ? ", scale_a at the right" : ""), node);
    if (layout.sparse) alongK(byId.get("index"), k, k + chunk, 0, { w: size.w, h: Math.max(5, size.h - 4) }, "index bits of A", node);
    alongK(B, k, k + chunk, 0, size, "B: columns j down" + (scaled ? ", scale_b at the right" : ""), node);
  }
  const d = layout.m > 16 ? { w: 8, h: 8 } : { w: chunks > 3 ? 9 : 11, h: 10 };
  outputGrid(D, 0, d, "rows i down, columns j across", card("D", "and C, in its registers", host));
}
function drawRegisters(o) {
  const slots = Math.max(1, o.vgprs * 32 / o.bits);
  const used = Array.from({ length: slots }, (_, slot) => slot).filter(slot => [...Array(64).keys()].some(lane => o.at.has(lane + "," + slot * o.bits)));
  const height = { 2: 9, 4: 6, 6: 6, 8: 7, 16: 9, 32: 13, 64: 18 }[o.bits], width = narrow ? narrowCell : 8.6;
  const detail = `${o.vgprs} VGPR${o.vgprs > 1 ? "s" : ""}, ${o.bits} bits an element`;
  const node = card(o.id, detail + (o.id === "D" ? "; C alike" : ""), $("registers")), row = htmlNode("div", "row");
  node.append(row);
  for (let half = 0; half < 2; ++half) {
    const svg = figure("", left + 32 * width + 2, top_ + used.length * height + 2, row), group = groupsOf(svg);
    ticks(32, 32 * half, (t, v) =>
      svg.append(svgNode("text", { x: left + (t + .5) * width, y: 8, "text-anchor": "middle" }, v)));
    let labelled = -1;
    used.forEach((slot, line) => {
      const bit = slot * o.bits, y = top_ + line * height;
      if (bit >> 5 !== labelled) {
        labelled = bit >> 5;
        svg.append(svgNode("text", { x: left - 3, y: y + Math.min(height, 9), "text-anchor": "end" }, "v" + labelled));
      }
      for (let l = 0; l < 32; ++l) {
        const key = 32 * half + l + "," + bit, elements = o.at.get(key);
        if (!elements) continue;
        const [i, j] = coordinates(o, elements[0]);
        o.registerCells.set(key, cell(o, elements[0], left + l * width, y, width, height, group(kBlockOf(o, i, j))));
      }
    });
  }
}

// ---- choosing ----
let chosen = null;
function mark(o, n, name) {
  markRect(o.matrixCells[n], name);
  markRect(o.registerCells.get(o.lane[n] + "," + o.bit[n]), name);
}
// What meets the chosen element in the product: rows of A, columns of B and D, and the k that fit.
function markRelated(s, o) {
  const k = firstK(o, s.i, s.j), whole = k < 0;
  const rowKnown = o.axis !== "row", columnKnown = o.axis !== "column";
  const last = k + o.step - 1;
  for (const other of layout.operands) {
    if (other.id === "C") continue;
    for (let n = 0; n < other.lane.length; ++n) {
      const [i, j, b] = coordinates(other, n), first = firstK(other, i, j);
      if (b !== s.b) continue;
      const sameRow = !rowKnown || other.axis === "row" || i === s.i;
      const sameColumn = !columnKnown || other.axis === "column" || j === s.j;
      const sameK = whole || first < 0 || (first <= last && k <= first + other.step - 1);
      if (sameRow && sameColumn && sameK) mark(other, n, "rel");
    }
  }
}
function show(s) {
  clearMarks();
  const o = byId.get(s.id), drawn = byId.get(drawnAs(s.id)), n = index(o, s.i, s.j, s.b), kb = kBlockOf(o, s.i, s.j);
  for (const g of document.querySelectorAll("g[data-kb]"))
    g.classList.toggle("dim", kb >= 0 && g.dataset.kb >= 0 && Number(g.dataset.kb) !== kb);
  for (const node of document.querySelectorAll("[data-card]"))
    node.classList.toggle("lit", kb >= 0 && Number(node.dataset.card) === kb);
  markRelated(s, o);
  mark(drawn, n, "hit");
  const companion = companionOf(o, s.i, s.j, s.b);
  if (companion) mark(...companion, "hit");
  const rows = [placeRow(o, n)].concat(companion ? [placeRow(...companion)] : []);
  const columns = ["element", "register", "lane", "VGPR", "byte", "k"].slice(0, o.axis === "none" ? 5 : 6);
  $("readout").replaceChildren(table(columns, rows.map(row => row.slice(0, columns.length))), htmlNode("p", "", sentence(o, n, s)));
  $("strips").replaceChildren(strip(o, n), ...(companion ? [strip(...companion)] : []));
}
function clamp(s) {
  const o = byId.get(s.id);
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
const selectionOf = data => {
  const o = byId.get(data.op), [i, j, b] = coordinates(o, Number(data.n));
  return { id: o.id, i, j, b };
};
function fromHash() {
  const [id, i, j, b] = decodeURIComponent(location.hash.slice(1)).split(",");
  if (byId.has(id)) return choose({ id, i: parseInt(i), j: parseInt(j), b: parseInt(b) });
  const start = layout.start;
  choose({ id: start[0], i: start[1], j: start[2], b: start[3] });
}

for (const o of layout.operands) $("op").append(new Option(o.id));
drawMatrices();
for (const o of layout.operands) if (o.id !== "C") drawRegisters(o);
$("matrixNote").textContent = "The chosen element is framed, what meets it in the product is outlined" +
  (layout.kBlock < layout.k ? `, other ${layout.sparse ? "groups of four k" : "K blocks"} fade.` : ".") +
  " B is drawn transposed, so that k runs the same way in A and in B.";
for (let group = 0; group < 4; ++group) $("key").append(keyEntry(shade(group, 0), rowOfLanes(group)));
const ramp = htmlNode("span", "ramp");
for (let step = 0; step < kSteps; ++step) ramp.append(keyEntry(shade(0, step), "").firstChild);
const rampEntry = htmlNode("span");
rampEntry.append(ramp, "v0 to the last VGPR");
$("key").append(rampEntry, keyEntry("", "chosen", "chosen"), keyEntry("", "meets it", "outline"));
interact({
  find: data => (data.op ? selectionOf(data) : undefined),
  show,
  back: () => show(chosen),
  choose,
  hash: s => [s.id, s.i, s.j, s.b].join(","),
  // B is drawn transposed.
  move: (down, right) => {
    const [di, dj] = byId.get(chosen.id).axis === "row" ? [right, down] : [down, right];
    choose({ id: chosen.id, i: chosen.i + di, j: chosen.j + dj, b: chosen.b });
  },
  fromForm: () => choose({ id: $("op").value, i: $("i").valueAsNumber, j: $("j").valueAsNumber, b: $("block").valueAsNumber }),
  fromHash,
});
