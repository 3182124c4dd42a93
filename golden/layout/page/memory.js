// ---- elements and bytes ----
// An element of the window is {p, n}: its part and its number there, row by row. What a line holds beside
// the window is {other: [part, row, column, bit], b} or {pad, zero, b}: a byte of padding of buffer b.
const parts = layout.parts, scales = layout.scales;
for (const part of parts) {
  part.width = part.columnEnd - part.column;
  part.matrixCells = [];
  part.memoryCells = [];  // usually one; an element that goes over the end of a line has two
  let feed = 0;
  part.feedAt = part.feeds.map(count => (count ? feed++ : -1));
}
const buffers = layout.buffers;
for (const buffer of buffers) buffer.at = new Map();  // byte -> what it holds
const rowOf = s => parts[s.p].row + Math.floor(s.n / parts[s.p].width);
const columnOf = s => parts[s.p].column + s.n % parts[s.p].width;
const inWindow = (part, row, column) =>
  row >= part.row && row < part.rowEnd && column >= part.column && column < part.columnEnd;
const numberOf = (part, row, column) => (row - part.row) * part.width + column - part.column;
function remember(buffer, bit, bits, what) {
  for (let byte = Math.floor(bit / 8); byte <= Math.floor((bit + bits - 1) / 8); ++byte) {
    if (!buffer.at.has(byte)) buffer.at.set(byte, []);
    buffer.at.get(byte).push(what);
  }
}
parts.forEach((part, p) => part.bit.forEach((bit, n) => remember(buffers[part.buffer], bit, part.bits, { p, n })));
buffers.forEach((buffer, b) => {
  buffer.others.forEach((other, n) => remember(buffer, other[3], parts[other[0]].bits, { other, n, b }));
  for (const [bytes, zero] of [[buffer.zero, true], [buffer.unread, false]])
    for (const byte of bytes) remember(buffer, 8 * byte, 8, { pad: byte, zero, b });
});

// The codes that share a scale with an element; else the elements that the same lane of one MFMA takes.
function groupKey(p, n) {
  const part = parts[p], row = part.row + Math.floor(n / part.width), column = part.column + n % part.width;
  if (scales && p === scales.codes) return `s${Math.floor(row / scales.rows)},${Math.floor(column / scales.columns)}`;
  if (scales && p === scales.scales) return `s${row},${column}`;
  const f = part.feedAt[n];
  return f < 0 ? "" : [part.operand[f], part.tile[f], part.step[f], part.lane[f]].join(",");
}
const groups = new Map();
parts.forEach((part, p) => part.bit.forEach((bit, n) => {
  const key = groupKey(p, n);
  if (!groups.has(key)) groups.set(key, []);
  groups.get(key).push({ p, n });
}));

// ---- text ----
const hex = byte => "0x" + byte.toString(16);
const nameOf = (part, row, column) => `${part.id}[${row}][${column}]`;
const bitOf = what => (what.other ? what.other[3] : parts[what.p].bit[what.n]);
const partOf = what => parts[what.other ? what.other[0] : what.p];
const elementName = what =>
  what.other ? nameOf(partOf(what), what.other[1], what.other[2]) : nameOf(partOf(what), rowOf(what), columnOf(what));
function bytesText(bit, bits) {
  const first = Math.floor(bit / 8), last = Math.floor((bit + bits - 1) / 8);
  return first === last ? `${first} (${hex(first)})` : `${first}..${last} (${hex(first)})`;
}
function registerText(lane, bit, bits) {
  const v = bit >> 5, low = bit & 31, high = low + bits - 1;
  if (bits === 32) return `v${v}{${lane}}`;
  return high < 32 ? `v${v}{${lane}}.[${high}:${low}]` : `v${v}{${lane}}.[31:${low}] v${v + 1}{${lane}}.[${high - 32}:0]`;
}
const columns = ["element", "buffer", "byte", "bits", "bank", "in the operand"].filter(name =>
  (name !== "buffer" || buffers.length > 1) && (name !== "bank" || layout.lds) &&
  (name !== "bits" || parts.some(part => part.bits % 8 !== 0)) &&
  (name !== "in the operand" || parts.some(part => part.operand.length)));
function row(what) {
  const part = partOf(what), bit = bitOf(what), f = what.other ? -1 : part.feedAt[what.n], low = bit % 8;
  const cells = {
    element: elementName(what), buffer: buffers[part.buffer].id, byte: bytesText(bit, part.bits),
    bits: `${low + part.bits - 1}..${low}`, bank: Math.floor(bit / 32) % 64,
    "in the operand": f < 0 ? "" : registerText(part.lane[f], part.place[f], part.bits),
  };
  return columns.map(name => cells[name]);
}
const scaleOf = s => {
  if (!scales || s.p !== scales.codes) return null;
  const part = parts[scales.scales];
  return { p: scales.scales, n: numberOf(part, Math.floor(rowOf(s) / scales.rows), Math.floor(columnOf(s) / scales.columns)) };
};
function sentence(what) {
  if (what.other) return "outside the part that is drawn";
  const part = partOf(what), f = part.feedAt[what.n], text = [];
  if (scales && (what.p === scales.codes || what.p === scales.scales)) {
    text.push(`a scale for ${scales.rows} x ${scales.columns} elements`);
  }
  if (f >= 0) {
    const more = part.feeds[what.n] - 1;
    text.push(`${layout.operands[part.operand[f]]}, row tile ${part.tile[f]}, K step ${part.step[f]}` +
      (more ? `, and ${more} more` : ""));
  }
  return text.join("; ");
}

// The dword that starts an element, byte by byte.
function strip(what) {
  const part = partOf(what), buffer = buffers[part.buffer], word = Math.floor(bitOf(what) / 32), fields = [];
  const seen = new Set();
  for (let byte = 4 * word; byte < 4 * word + 4; ++byte) {
    for (const held of buffer.at.get(byte) || []) {
      if (held.pad !== undefined) {
        fields.push({ low: 8 * (byte % 4), high: 8 * (byte % 4) + 8, text: width => (width > 50 ? "padding" : "") });
        continue;
      }
      const name = elementName(held), bit = bitOf(held), end = bit + partOf(held).bits;
      if (seen.has(name)) continue;
      seen.add(name);
      fields.push({ low: Math.max(bit - 32 * word, 0), high: Math.min(end - 32 * word, 32), on: name === elementName(what),
        text: width => (width > 6 * name.length ? name : name.slice(name.lastIndexOf("[") + 1, -1)) });
    }
  }
  return bitStrip(`${buffer.id} ${hex(4 * word)}` + (layout.lds ? `, bank ${word % 64}` : ""), "byte 3 .. 0", fields);
}

// ---- drawing ----
const chunk = 32, lineBytes = narrow ? layout.lineBytes / 2 : layout.lineBytes;
const tall = parts.some(part => part.rowEnd - part.row > 32);
const size = { w: narrow ? Math.min(narrowCell, 14) : 10, memory: narrow ? Math.min(narrowCell - .6, 14) : 7.2, h: tall ? 7 : 10 };
const top_ = 12;
// The hue of the 16 rows, lighter along them; of a scale: of its codes.
function shadeClass(p, row) {
  const first = scales && p === scales.scales ? row * scales.rows : row;
  return `c${Math.floor(first / 16) % 4}${Math.floor(first % 16 / 2)}`;
}
function drawChunk(part, p, c0, parent) {
  const c1 = Math.min(c0 + chunk, part.columnEnd), rows = part.rowEnd - part.row, left = 8 + 6 * String(part.rowEnd).length;
  const svg = figure("", left + (c1 - c0) * size.w + 2, top_ + rows * size.h + 2, parent);
  edge(svg, left, top_, size.w, size.h, c1 - c0, rows, c0, part.row);
  const group = svgNode("g", {});
  svg.append(group);
  for (let r = part.row; r < part.rowEnd; ++r) {
    for (let c = c0; c < c1; ++c) {
      const n = numberOf(part, r, c);
      part.matrixCells[n] = cellRect(group, left + (c - c0) * size.w, top_ + (r - part.row) * size.h, size.w, size.h, shadeClass(p, r), { p, n });
    }
  }
}
function drawPart(part, p) {
  const shown = part.rowEnd - part.row === part.rows && part.columnEnd - part.column === part.columns ? ""
    : `, of it rows ${part.row}..${part.rowEnd - 1}, columns ${part.column}..${part.columnEnd - 1}`;
  const detail = `${part.rows} x ${part.columns} of ${part.bits} bits${part.format ? ", " + part.format : ""}${shown}`;
  const node = card(part.id, detail, $("matrices")), cells = htmlNode("div", "row");
  node.append(cells);
  for (let c = part.column; c < part.columnEnd; c += chunk) drawChunk(part, p, c, cells);
}
// Rectangles of `bits` bits from `bit`, one for each line that they reach.
function bitCells(buffer, bit, bits, className, data) {
  const rects = [], lineBits = 8 * lineBytes;
  for (let at = bit; at < bit + bits;) {
    const end = Math.min(bit + bits, (Math.floor(at / lineBits) + 1) * lineBits), y = buffer.y.get(Math.floor(at / lineBits));
    if (y !== undefined)
      rects.push(cellRect(buffer.group, buffer.left + at % lineBits * size.memory / 8, y, (end - at) * size.memory / 8, size.h, className, data));
    at = end;
  }
  return rects;
}
function drawBuffer(buffer, b) {
  const node = card(buffer.id, `${buffer.bytes} bytes, ${lineBytes} a line`, $("memory"));
  const perLine = layout.lineBytes / lineBytes, lines = [];
  for (const line of buffer.lines)
    for (let l = 0; l < perLine; ++l) if ((line * perLine + l) * lineBytes < buffer.bytes) lines.push(line * perLine + l);
  const last = lines.length ? lines[lines.length - 1] * lineBytes : 0;
  buffer.left = 10 + 5.3 * hex(last).length;
  buffer.y = new Map();
  let y = top_, previous = -1;
  const labels = [];
  lines.forEach(line => {
    if (previous >= 0 && line !== previous + 1) y += 6;
    if (line % 4 === 0 || line !== previous + 1) labels.push([hex(line * lineBytes), y]);
    buffer.y.set(line, y);
    y += size.h;
    previous = line;
  });
  const svg = figure("", buffer.left + lineBytes * size.memory + 2, y + 2, node);
  ticks(lineBytes, 0, (t, v) =>
    svg.append(svgNode("text", { x: buffer.left + (t + .5) * size.memory, y: top_ - 3, "text-anchor": "middle" }, v)));
  for (const [text, at] of labels)
    svg.append(svgNode("text", { x: buffer.left - 4, y: at + Math.min(size.h, 10) - 1, "text-anchor": "end" }, text));
  buffer.group = svgNode("g", {});
  svg.append(buffer.group);
  parts.forEach((part, p) => {
    if (part.buffer !== b) return;
    part.bit.forEach((bit, n) => {
      const r = part.row + Math.floor(n / part.width);
      part.memoryCells[n] = bitCells(buffer, bit, part.bits, shadeClass(p, r), { p, n });
    });
  });
  buffer.others.forEach((other, n) => bitCells(buffer, other[3], parts[other[0]].bits, "other-cell", { other: n, b }));
  for (const byte of buffer.zero.concat(buffer.unread)) bitCells(buffer, 8 * byte, 8, "pad-cell", { pad: byte, b });
}

// ---- choosing ----
let chosen = null;
function mark(s, name) {
  markRect(parts[s.p].matrixCells[s.n], name);
  for (const rect of parts[s.p].memoryCells[s.n]) markRect(rect, name);
}
function show(what) {
  clearMarks();
  if (what.pad !== undefined) {
    const rule = what.zero ? "padding, must be 0" : "padding, never read";
    $("readout").replaceChildren(table(["byte", "holds"], [[bytesText(8 * what.pad, 8), rule]]));
    return $("strips").replaceChildren();
  }
  const rows = [what];
  if (!what.other) {
    for (const other of groups.get(groupKey(what.p, what.n)) || []) mark(other, "rel");
    mark(what, "hit");
    const scale = scaleOf(what);
    if (scale) {
      mark(scale, "hit");
      rows.push(scale);
    }
  }
  $("readout").replaceChildren(table(columns, rows.map(row)), htmlNode("p", "", sentence(what)));
  $("strips").replaceChildren(...rows.map(strip));
}
// Scrolls the pane of a rectangle to it.
function reveal(rect) {
  const pane = rect && rect.closest(".pane");
  if (!pane) return;
  const at = rect.getBoundingClientRect(), view = pane.getBoundingClientRect();
  if (at.top < view.top || at.bottom > view.bottom) pane.scrollTop += at.top - view.top - view.height / 3;
}
function choose(what) {
  if (what.p === undefined) return show(what);
  chosen = what;
  const part = parts[what.p];
  $("part").value = what.p;
  for (const [id, value, first, end] of [["i", rowOf(what), part.row, part.rowEnd], ["j", columnOf(what), part.column, part.columnEnd]]) {
    $(id).value = value;
    $(id).min = first;
    $(id).max = end - 1;
  }
  if (document.activeElement !== $("byte")) $("byte").value = hex(Math.floor(part.bit[what.n] / 8));
  reveal(part.matrixCells[what.n]);
  reveal(part.memoryCells[what.n][0]);
  show(what);
}
// The nearest element of the window.
function chooseElement(p, row, column) {
  const part = parts[p], inside = (v, first, end) => first + within(v - first, end - first);
  choose({ p, n: numberOf(part, inside(row, part.row, part.rowEnd), inside(column, part.column, part.columnEnd)) });
}
function chooseByte(text) {
  const buffer = buffers[parts[chosen.p].buffer], byte = Number(text.trim());
  const held = text.trim() !== "" && buffer.at.get(byte);
  if (held) return choose(held[0]);
  clearMarks();
  const inside = Number.isInteger(byte) && byte >= 0 && byte < buffer.bytes && text.trim() !== "";
  $("readout").replaceChildren(htmlNode("p", "", inside ? `byte ${byte} of ${buffer.id} is outside the part that is drawn`
    : `not a byte of ${buffer.id}: 0 to ${buffer.bytes - 1} (${hex(buffer.bytes - 1)})`));
  $("strips").replaceChildren();
}
function find(data) {
  if (data.p !== undefined) return { p: Number(data.p), n: Number(data.n) };
  if (data.b === undefined) return undefined;
  const buffer = buffers[data.b];
  if (data.other !== undefined) return { other: buffer.others[data.other], b: Number(data.b) };
  return { pad: Number(data.pad), zero: buffer.zero.includes(Number(data.pad)), b: Number(data.b) };
}
function fromHash() {
  const [id, row, column] = decodeURIComponent(location.hash.slice(1)).split(",");
  const p = parts.findIndex(part => part.id === id);
  if (p >= 0) return chooseElement(p, parseInt(row), parseInt(column));
  chooseElement(...layout.start);
}

parts.forEach((part, p) => $("part").append(new Option(part.id, p)));
parts.forEach(drawPart);
buffers.forEach(drawBuffer);
const repeats = parts[0].rows > 64 ? ", +64, ..." : "";
for (let tile = 0; tile < Math.min(4, Math.ceil(parts[0].rows / 16)); ++tile)
  $("key").append(keyEntry(shade(tile, 1), `rows ${16 * tile}\u2013${16 * tile + 15}${repeats}`));
$("key").append(keyEntry("", "chosen" + (scales ? ", and its scale" : ""), "chosen"),
  keyEntry("", scales ? "shares its scale" : "in the same lane of the MFMA", "outline"));
if (buffers.some(buffer => buffer.others.length)) $("key").append(keyEntry("var(--other)", "not drawn at the left"));
if (buffers.some(buffer => buffer.zero.length + buffer.unread.length)) $("key").append(keyEntry("var(--idle)", "padding"));
$("note").textContent = layout.whole ? "The whole layout is drawn: an element has one colour in its matrix and in memory."
  : "A part of the layout is drawn, and the lines of memory that hold it. Another part: ";
if (!layout.whole) $("note").append(htmlNode("code", "", layout.again));
interact({
  find,
  show,
  back: () => show(chosen),
  choose,
  hash: what => (what.p === undefined ? undefined : [parts[what.p].id, rowOf(what), columnOf(what)].join(",")),
  move: (down, right) => chooseElement(chosen.p, rowOf(chosen) + down, columnOf(chosen) + right),
  fromForm: e => {
    if (e.target === $("byte")) return chooseByte($("byte").value);
    chooseElement(Number($("part").value), $("i").valueAsNumber, $("j").valueAsNumber);
  },
  fromHash,
});
