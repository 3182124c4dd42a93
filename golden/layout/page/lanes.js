const kLane = 0, kZero = 1, kKept = 2;
const elements = layout.elements;
const number = (result, lane, element) => (result * 64 + lane) * elements + element;
const sourceKey = (source, lane, element) => `${source},${lane},${element}`;
const goesTo = new Map();  // source -> numbers of result elements
layout.kind.forEach((kind, n) => {
  if (kind !== kLane) return;
  const key = sourceKey(layout.source[n], layout.lane[n], layout.element[n]);
  if (!goesTo.has(key)) goesTo.set(key, []);
  goesTo.get(key).push(n);
});
const resultCells = [], sourceCells = new Map();

// ---- text ----
function bitsOf(element) {
  const bit = element * layout.bits, v = bit >> 5, low = bit & 31, high = low + layout.bits - 1;
  return high < 32 ? `v${v}.[${high}:${low}]` : `v${v}.[31:${low}] v${v + 1}.[${high - 32}:0]`;
}
const partsOf = n => [Math.floor(n / elements / 64), Math.floor(n / elements) % 64, n % elements];
function resultName(n) {
  const [result, lane, element] = partsOf(n);
  return elements === 1 ? `${layout.results[result]}{${lane}}` : `${bitsOf(element)} of lane ${lane}`;
}
function sourceName(n) {
  if (layout.kind[n] === kZero) return "0";
  if (layout.kind[n] === kKept) return "what it held";
  const name = `${layout.sources[layout.source[n]]}{${layout.lane[n]}}`;
  return elements === 1 ? name : name + `[${layout.element[n]}]`;
}

// ---- drawing ----
const perRow = narrow ? 8 : 16;
const cellWidth = elements === 1 ? 34 : 36, cellHeight = elements === 1 ? 28 : 17, left = 8, top_ = 14;
const shadeOf = lane => `c${lane >> 4}${lane >> 2 & 3}`;
function laneCell(svg, x, y, className, text, idle) {
  const rect = svgNode("rect", { x, y, width: cellWidth, height: cellHeight, class: className, rx: 2 });
  const g = svgNode("g", {});
  svg.append(g);
  g.append(rect, svgNode("text", { x: x + cellWidth / 2, y: y + cellHeight / 2 + 3.5, class: idle ? "label idle" : "label" }, text));
  return rect;
}
// Lanes [first, first + perRow): their numbers on top, the elements downwards.
function lanesGrid(first, parent, draw) {
  const svg = figure("", left + perRow * cellWidth + 2, top_ + elements * cellHeight + 2, parent);
  for (let l = 0; l < perRow; ++l) {
    svg.append(svgNode("text", { x: left + (l + .5) * cellWidth, y: 10, "text-anchor": "middle" }, first + l));
    for (let e = 0; e < elements; ++e) draw(svg, first + l, e, left + l * cellWidth, top_ + e * cellHeight);
  }
}
function drawGrids(title, detail, host, draw) {
  const node = card(title, detail, host), row = htmlNode("div", elements === 1 ? "" : "row");
  node.append(row);
  for (let first = 0; first < 64; first += perRow) lanesGrid(first, row, draw);
}
layout.results.forEach((name, result) => {
  drawGrids(name, elements === 1 ? "the lane that each lane takes its value from" : "the lane.element that each element comes from", $("results"), (svg, lane, e, x, y) => {
    const n = number(result, lane, e), idle = layout.kind[n] !== kLane;
    const text = layout.kind[n] === kZero ? "0" : layout.kind[n] === kKept ? "\u2013"
      : elements === 1 ? layout.lane[n] : `${layout.lane[n]}.${layout.element[n]}`;
    const rect = laneCell(svg, x, y, idle ? "idle-cell" : shadeOf(layout.lane[n]), text, idle);
    rect.dataset.n = n;
    resultCells[n] = rect;
  });
});
layout.sources.forEach((name, source) => {
  drawGrids(name, "", $("sources"), (svg, lane, e, x, y) => {
    const key = sourceKey(source, lane, e), idle = !goesTo.has(key);
    const rect = laneCell(svg, x, y, idle ? "idle-cell" : shadeOf(lane), elements === 1 ? lane : `${lane}.${e}`, idle);
    rect.dataset.key = key;
    sourceCells.set(key, rect);
  });
});

// ---- choosing ----
let chosen = 0;
function mark(rect, name) {
  markRect(rect, name);
  if (rect) rect.parentNode.parentNode.append(rect.parentNode);  // with its text
}
function showResult(n) {
  const [, lane] = partsOf(n), key = sourceKey(layout.source[n], layout.lane[n], layout.element[n]);
  if (layout.kind[n] === kLane) {
    for (const other of goesTo.get(key)) mark(resultCells[other], "rel");
    mark(sourceCells.get(key), "hit");
  }
  mark(resultCells[n], "hit");
  const goes = layout.sources.map((name, s) => (goesTo.get(sourceKey(s, lane, 0)) || []).map(resultName).join(", ") || "nowhere");
  const text = elements === 1 ? layout.sources.map((name, s) => `${name} of lane ${lane} goes to ${goes[s]}`).join("; ")
    : `element ${n % elements} of lane ${lane}`;
  describe([[resultName(n), sourceName(n)]], text);
}
function showSource(key) {
  const to = goesTo.get(key) || [], [source, lane, element] = key.split(",").map(Number);
  for (const n of to) mark(resultCells[n], "hit");
  mark(sourceCells.get(key), "hit");
  const name = `${layout.sources[source]}{${lane}}` + (elements === 1 ? "" : `[${element}]`);
  describe(to.length ? to.map(n => [resultName(n), name]) : [["nowhere", name]], `where ${name} goes`);
}
function describe(rows, text) {
  $("readout").replaceChildren(table(["result", "comes from"], rows.slice(0, 4)), htmlNode("p", "", text + (rows.length > 4 ? `, and ${rows.length - 4} more` : "")));
}
// A result element by its number, a source element by its key.
function show(found) {
  clearMarks();
  if (typeof found === "number") showResult(found);
  else showSource(found);
}
function choose(found) {
  const n = typeof found === "number" ? found : (goesTo.get(found) || [chosen])[0];
  chosen = n;
  const [, lane, element] = partsOf(n);
  $("lane").value = lane;
  $("element").value = element;
  show(n);
}
$("element").max = elements - 1;
$("elementLabel").hidden = elements === 1;
$("resultNote").textContent = layout.kind.some(kind => kind !== kLane)
  ? "Grey cells take nothing: 0 is zero, a dash keeps what the register held." : "Colours follow the row of 16 lanes and the quad that a value comes from.";
for (let group = 0; group < 4; ++group) $("key").append(keyEntry(shade(group, 2), "from " + rowOfLanes(group)));
function fromHash() {
  const [result, lane, element] = location.hash.slice(1).split(",").map(Number);
  if (result < layout.results.length && lane < 64 && element < elements) return choose(number(result, lane, element));
  choose(number(0, layout.start, 0));
}
interact({
  find: data => (data.n !== undefined ? Number(data.n) : data.key),
  show,
  back: () => show(chosen),
  choose,
  hash: found => (typeof found === "number" ? partsOf(found).join(",") : undefined),
  move: (down, right) => {
    const [result, lane, element] = partsOf(chosen);
    choose(number(result, within(lane + perRow * down + right, 64), element));
  },
  fromForm: () => choose(number(partsOf(chosen)[0], within($("lane").valueAsNumber, 64), within($("element").valueAsNumber, elements))),
  fromHash,
});
