// An access has groups of lanes that are served together; a group has cells [lane, bank, word, cycle, words]:
// the word that a lane wants of a bank, in which of the group's cycles it comes, of how many.
const accesses = layout.accesses;
const kLanes = 64, kBankLane = 0, kBank = 1, kWord = 2, kCycle = 3, kWords = 4;
let current = -1, cells = new Map();  // "lane,bank" -> rectangle
const groupOf = (access, lane) => access.groups.findIndex(group => group.lanes.includes(lane));
const hex = n => "0x" + n.toString(16);
const ranges = numbers => {
  const text = [];
  for (let i = 0; i < numbers.length;) {
    let end = i + 1;
    while (end < numbers.length && numbers[end] === numbers[end - 1] + 1) ++end;
    text.push(end - i > 1 ? `${numbers[i]}\u2013${numbers[end - 1]}` : `${numbers[i]}`);
    i = end;
  }
  return text.join(" ");
};

// ---- drawing ----
const left = 30, top_ = 12, height = 9, loadHeight = 16;
const width = narrow ? Math.max(5, (innerWidth - 92) / 64) : 10;
function drawGroup(access, g, y, svg) {
  const group = access.groups[g], back = svgNode("g", {}), front = svgNode("g", {});
  svg.append(back, front);
  // How many words of each bank: what the group waits for.
  const most = Math.max(1, ...access.groups.map(one => one.cycles));
  for (let bank = 0; bank < access.banks; ++bank) {
    const words = group.load[bank], x = left + bank * width;
    cellRect(back, x, y, width, loadHeight, "empty-cell", { g, bank });
    if (words) {
      const tall = Math.max(2, (loadHeight - 1) * words / most);
      cellRect(back, x, y + loadHeight - tall, width, tall, words > 1 ? "conflict-cell" : "word-cell", { g, bank });
    }
  }
  svg.append(svgNode("text", { x: left - 4, y: y + loadHeight - 4, "text-anchor": "end" }, `${group.cycles} cy.`));
  y += loadHeight + 1;
  group.lanes.forEach((lane, line) => {
    for (let bank = 0; bank < access.banks; ++bank)
      cellRect(back, left + bank * width, y + line * height, width, height, "empty-cell", { g, bank, row: lane });
    if (line % 4 === 0 || group.lanes[line - 1] + 1 !== lane)
      svg.append(svgNode("text", { x: left - 4, y: y + line * height + height - 1, "text-anchor": "end" }, lane));
  });
  for (const cell of group.cells) {
    const [lane, bank] = cell, line = group.lanes.indexOf(lane);
    cells.set(lane + "," + bank, cellRect(front, left + bank * width, y + line * height, width, height,
      cell[kWords] > 1 ? "conflict-cell" : "word-cell", { lane, bank }));
  }
  return y + group.lanes.length * height + 8;
}
function drawAccess(access) {
  cells = new Map();
  $("grid").replaceChildren();
  const node = card(access.name, `${access.instruction}, ${access.bytes} bytes a lane, ${access.banks} banks`, $("grid"));
  const active = access.groups.filter(group => group.lanes.length);
  const tall = active.reduce((sum, group) => sum + loadHeight + 9 + group.lanes.length * height, top_);
  const svg = figure("", left + access.banks * width + 2, tall, node);
  ticks(access.banks, 0, (t, v) =>
    svg.append(svgNode("text", { x: left + (t + .5) * width, y: 8, "text-anchor": "middle" }, v)));
  let y = top_;
  access.groups.forEach((group, g) => {
    if (group.lanes.length) y = drawGroup(access, g, y, svg);
  });
}
function drawList() {
  const head = ["access", "instruction"].concat(layout.times ? ["times"] : [], ["degree", "cycles", "least"]);
  const list = table(head, accesses.map(a =>
    [a.name, a.instruction].concat(layout.times ? [a.times] : [], [a.degree, a.totalCycles, a.totalLeast])));
  list.className = "list";
  [...list.rows].slice(1).forEach((tr, n) => {
    tr.className = accesses[n].degree > 1 ? "conflict" : "";
    for (const cell of tr.cells) cell.dataset.access = n;
  });
  $("accesses").append(list);
  return list;
}

// ---- choosing ----
let chosen = { access: 0, lane: 0 };
const list = drawList();
// The lane that an access can show: the one asked for, else its first active one, else none.
function activeLane(access, lane) {
  if (groupOf(access, lane) >= 0) return lane;
  const group = access.groups.find(one => one.lanes.length);
  return group ? group.lanes[0] : -1;
}
function describe(columns, rows, text) {
  $("readout").replaceChildren(table(columns, rows.slice(0, 4)), htmlNode("p", "", text + (rows.length > 4 ? `; ${rows.length - 4} more` : "")));
}
function showLane(access, lane, bank) {
  const g = groupOf(access, lane);
  if (g < 0) return describe(["lane"], [["none is active"]], access.name);
  const group = access.groups[g], own = group.cells.filter(cell => cell[kBankLane] === lane);
  const first = own.find(cell => cell[kBank] === bank) || own[0];
  for (const cell of group.cells) if (cell[kBank] === first[kBank]) markRect(cells.get(cell[0] + "," + cell[1]), "rel");
  for (const cell of own) markRect(cells.get(lane + "," + cell[kBank]), "hit");
  const row = cell => [lane, `${access.address[lane]} (${hex(access.address[lane])})`, cell[kWord], cell[kBank],
    `${cell[kCycle]} of ${group.cycles}`, cell[kWords]];
  describe(["lane", "address", "word", "bank", "cycle", "degree"], [first].concat(own.filter(cell => cell !== first)).map(row),
    `lanes ${ranges(group.lanes)} together: ${group.cycles} cycle${group.cycles === 1 ? "" : "s"}`);
}
function showBank(access, g, bank) {
  const group = access.groups[g], words = new Map();
  for (const cell of group.cells) {
    if (cell[kBank] !== bank) continue;
    markRect(cells.get(cell[0] + "," + cell[1]), "hit");
    if (!words.has(cell[kCycle])) words.set(cell[kCycle], [cell[kWord], []]);
    words.get(cell[kCycle])[1].push(cell[0]);
  }
  const rows = [...words.keys()].sort((a, b) => a - b).map(cycle =>
    [bank, words.get(cycle)[0], ranges(words.get(cycle)[1]), `${cycle} of ${group.cycles}`]);
  describe(["bank", "word", "lanes", "cycle"], rows.length ? rows : [[bank, "none", "", ""]],
    `asked by lanes ${ranges(group.lanes)} together`);
}
function show(what) {
  clearMarks();
  if (what.access !== undefined && what.access !== current) {
    current = what.access;
    drawAccess(accesses[current]);
  }
  const access = accesses[current];
  if (what.g !== undefined) showBank(access, what.g, what.bank);
  else showLane(access, what.lane, what.bank);
}
function choose(what) {
  const n = what.access === undefined ? chosen.access : what.access;
  const lane = what.lane === undefined ? chosen.lane : what.lane;
  chosen = { access: n, lane: activeLane(accesses[n], lane), bank: what.bank };
  $("access").value = n;
  $("lane").value = chosen.lane;
  [...list.rows].slice(1).forEach((tr, row) => tr.classList.toggle("lit", row === n));
  show(what.g === undefined ? chosen : what);
}
function find(data) {
  if (data.access !== undefined) return { access: Number(data.access) };
  if (data.lane !== undefined) return { lane: Number(data.lane), bank: Number(data.bank) };
  return data.g === undefined ? undefined : { g: Number(data.g), bank: Number(data.bank) };
}
function fromHash() {
  const [access, lane] = location.hash.slice(1).split(",").map(Number);
  choose(access < accesses.length ? { access, lane: within(lane, kLanes) } : { access: 0, lane: 0 });
}
accesses.forEach((access, n) => $("access").append(new Option(`${access.name}: ${access.instruction}`, n)));
$("key").append(keyEntry("var(--g0)", "a lane's word"), keyEntry("var(--conflict)", "its bank has several words to give"),
  keyEntry("", "chosen", "chosen"), keyEntry("", "of the same bank", "outline"));
$("note").textContent = layout.note;
interact({
  find,
  // Only a click changes the access that is drawn.
  show: what => (what.access === undefined ? show(what) : show(chosen)),
  back: () => show(chosen),
  choose,
  hash: what => (what.g !== undefined ? undefined
    : [what.access === undefined ? chosen.access : what.access, what.lane === undefined ? chosen.lane : what.lane].join(",")),
  move: (down, right) => {
    // Along the lanes as they are drawn; across, from access to access.
    const order = accesses[chosen.access].groups.flatMap(group => group.lanes);
    const at = order.indexOf(chosen.lane);
    if (right) return choose({ access: within(chosen.access + right, accesses.length) });
    choose({ lane: at < 0 ? chosen.lane : order[within(at + down, order.length)] });
  },
  fromForm: () => choose({ access: Number($("access").value), lane: within($("lane").valueAsNumber, kLanes) }),
  fromHash,
});
