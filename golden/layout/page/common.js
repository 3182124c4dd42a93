const $ = id => document.getElementById(id);
const svgNode = (name, attributes, text) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) node.setAttribute(key, attributes[key]);
  if (text !== undefined) node.textContent = text;
  return node;
};
const htmlNode = (name, className, text) => {
  const node = document.createElement(name);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
};

// Colours: a hue for each 16 lanes, eight steps from dark to light.
const kSteps = 8;
const shade = (group, step) =>
  `color-mix(in oklab, var(--g${group}) ${Math.round(100 - 9.5 * step)}%, var(--tint))`;
{
  let rules = ".idle-cell{fill:var(--idle)}";
  for (let group = 0; group < 4; ++group)
    for (let step = 0; step < kSteps; ++step) rules += `.c${group}${step}{fill:${shade(group, step)}}`;
  document.head.append(htmlNode("style", "", rules));
}
const rowOfLanes = group => `lanes ${16 * group}\u2013${16 * group + 15}`;
function keyEntry(background, text, className) {
  const span = htmlNode("span"), swatch = htmlNode("i", className);
  if (background) swatch.style.background = background;
  span.append(swatch, text);
  return span;
}

// A figure with an SVG of the given size in its parent.
function figure(caption, width, height, parent) {
  const f = htmlNode("figure");
  const svg = svgNode("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": caption || "grid", class: "grid" });
  if (caption) f.append(htmlNode("figcaption", "", caption));
  f.append(svg);
  parent.append(f);
  return svg;
}
function card(title, detail, parent) {
  const node = htmlNode("div", "card"), heading = htmlNode("h3", "", title);
  if (detail) heading.append(htmlNode("small", "", detail));
  node.append(heading);
  parent.append(node);
  return node;
}
function table(columns, rows) {
  const t = htmlNode("table"), head = htmlNode("tr");
  for (const column of columns) head.append(htmlNode("th", "", column));
  t.append(head);
  rows.forEach((row, n) => {
    const tr = htmlNode("tr", n === 0 ? "pick" : "");
    for (const cell of row) tr.append(htmlNode("td", "", cell));
    t.append(tr);
  });
  return t;
}

// ---- grids ----
const narrow = innerWidth < 700;
// On a narrow window a card is as wide as the window: 32 cells and what is beside them.
const narrowCell = Math.max(7, (innerWidth - 92) / 33);
function cellRect(parent, x, y, width, height, className, data) {
  const rect = svgNode("rect", { x, y, width, height, class: className });
  Object.assign(rect.dataset, data);
  parent.append(rect);
  return rect;
}
// Numbers along an edge: every eighth, and the last where it fits.
function ticks(count, first, put) {
  for (let t = 0; t < count; t += 8) put(t, first + t);
  if (count > 1 && (count - 1) % 8 > 2) put(count - 1, first + count - 1);
}
// Of a grid with its upper left cell at (left, top).
function edge(svg, left, top, width, height, columns, rows, firstColumn, firstRow) {
  ticks(columns, firstColumn, (t, v) =>
    svg.append(svgNode("text", { x: left + (t + .5) * width, y: top - 3, "text-anchor": "middle" }, v)));
  ticks(rows, firstRow, (t, v) =>
    svg.append(svgNode("text", { x: left - 4, y: top + t * height + Math.min(height, 10) - 1, "text-anchor": "end" }, v)));
}
// 32 bits, the highest at the left. `fields`: {low, high, on, text(width)} with high one past the last bit.
function bitStrip(name, edgeText, fields) {
  const width = 384, bit = width / 32;
  const box = htmlNode("div", "strip"), svg = svgNode("svg", { viewBox: `0 0 ${width} 41` });
  svg.append(svgNode("text", { x: 0, y: 10, class: "name" }, name));
  svg.append(svgNode("text", { x: width, y: 10, "text-anchor": "end" }, edgeText));
  for (const field of fields) {
    const wide = (field.high - field.low) * bit, g = svgNode("g", { class: field.on ? "on" : "" });
    g.append(svgNode("rect", { x: width - field.high * bit + .5, y: 15, width: wide - 1, height: 22, rx: 3 }));
    if (wide > 17 && field.text) {
      g.append(svgNode("text", { x: width - (field.low + field.high) / 2 * bit, y: 30, "text-anchor": "middle" }, field.text(wide)));
    }
    svg.append(g);
  }
  box.append(svg);
  return box;
}

// ---- marks and choices ----
let marked = [];
function markRect(rect, name) {
  if (!rect) return;
  rect.classList.add(name);
  if (name === "hit") rect.parentNode.append(rect);  // its outline over the neighbours
  marked.push(rect);
}
function clearMarks() {
  for (const rect of marked) rect.classList.remove("rel", "hit");
  marked = [];
}
// Pointing shows and leaving goes back to what is chosen; a click chooses; arrow keys, the form and the
// fragment choose too. find(node) is what a node stands for, or undefined; hash(found) its fragment, or
// undefined for what has none.
function interact({ find, show, back, choose, hash, move, fromForm, fromHash }) {
  document.addEventListener("click", e => {
    const found = find(e.target.dataset || {});
    if (found === undefined) return;
    const fragment = hash(found);
    if (fragment !== undefined) history.replaceState(null, "", "#" + fragment);
    choose(found);
  });
  document.addEventListener("pointerover", e => {
    if (e.pointerType === "touch") return;
    const found = find(e.target.dataset || {});
    if (found === undefined) back();
    else show(found);
  });
  document.addEventListener("keydown", e => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[e.key];
    if (!step || e.target.closest("form")) return;
    e.preventDefault();
    move(...step);
  });
  $("form").addEventListener("submit", e => e.preventDefault());
  $("form").addEventListener("input", fromForm);
  addEventListener("hashchange", fromHash);
  fromHash();
}
const within = (v, count) => Math.max(0, Math.min(count - 1, Number.isFinite(v) ? v : 0));

$("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark"
                                  : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});
