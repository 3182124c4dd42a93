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

$("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark"
                                  : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});
$("form").addEventListener("submit", e => e.preventDefault());
