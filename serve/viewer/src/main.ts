// The viewer: a map of a field with what chooses it, beside the page of metadata, which becomes a tab.

import { Camera, wrap } from "./camera";
import { draw as drawChart } from "./chart";
import { type Area, type Choice, type Field, type FieldsDocument, type Pyramid, readBox, readFields, readPyramid, readSeries, ServerError } from "./data";
import { button, download, h, icon } from "./dom";
import { Follower, indexOf as positionOfLabel, sameCells, textAt, valueOf as labelAt } from "./follow";
import { type Conversion, conversions, label, niceStep, number, place, units } from "./format";
import { detailFor, details, type Inks, levelFor, Renderer, valueAt, visible, wishes } from "./map";
import { choiceOf, contoursOf, ends, marksOf, positionOf, type Reach, reachOf, readTables, type Scale, type Table } from "./scale";
import { nameOf as nameOfMap, type Selection, Tiles } from "./tiles";
import { drawBarbs } from "./wind";

const title = document.querySelector("h1")?.textContent ?? "";

/** The page without the viewer is its second tab. */
const page = h("main", { id: "page" });
page.append(...document.body.childNodes);

const canvas = h("canvas", { id: "map", tabindex: 0, role: "application", "aria-label": "map: arrow keys move it, + and − zoom, comma and point step, space plays" });
const canvas2 = h("canvas", { id: "map2", hidden: true, "aria-label": "map of the second field" });
const over = h("canvas", { id: "over", "aria-hidden": "true" });
const status = h("p", { id: "status", role: "status" });
const readout = h("output", { id: "readout" });
const fieldList = h("ul", { id: "fields", "aria-label": "fields" });
const search = h("input", { type: "search", id: "search", placeholder: "Search fields", "aria-label": "search fields", input: () => listFields() });
const heading = h("div", { id: "heading" });
const heading2 = h("div", { id: "heading2", hidden: true });
const sliders = h("div", { id: "sliders" });
const compare = h("div", { id: "compare", hidden: true });
const bar = h("section", { id: "bar", "aria-label": "colours" });
const place_ = h("section", { id: "place", hidden: true, "aria-label": "values at a place" });
const mark = h("div", { id: "mark", hidden: true });
const dialog = h("dialog", { id: "dialog" });
const globeButton = button("globe", "globe (g)", () => setGlobe(!camera.globe));
const tabs = h("nav", { id: "tabs" });
const side = h("aside", { id: "side" }, search, fieldList);
const boxButton = button("box", "statistics of an area (b): drag over it", () => setBoxing(!boxing));
const stage = h("div", { id: "stage" }, canvas, canvas2, over, mark, heading, heading2,
  h("div", { id: "tools" }, button("plus", "zoom in (+)", () => zoom(1.6)), button("minus", "zoom out (−)", () => zoom(1 / 1.6)),
    button("fit", "show all of the field (0)", () => fit()), globeButton,
    boxButton, button("two", "compare with a second field (c)", () => (other ? setOther() : void setOther(field, field && firstDifference(field)))), button("image", "save as a picture", () => void savePicture()),
    button("code", "read this in Python", () => showCode()), button("help", "keys (?)", () => showHelp())),
  place_, readout, status);
const map = h("main", { id: "viewer" }, side, h("div", { id: "right" }, stage, h("footer", {}, sliders, compare, bar)));
const top_ = h("header", { id: "top" }, h("button", { type: "button", id: "menu", "aria-label": "fields", click: () => map.classList.toggle("listed") }, icon("menu")), h("strong", {}, title), tabs);
document.body.append(top_, map, page, dialog);
document.documentElement.classList.add("viewing");

const camera = new Camera();
let document_: FieldsDocument = { fields: [], dimensions: {} };
let tables: Table[] = [];
let field: Field | undefined;
let pyramid: Pyramid | undefined;
let lead: number[] = [];
let shown: Selection | undefined; // what is drawn until what is chosen has come
let shown2: Selection | undefined;
let lastMoved = -1; // the dimension that was stepped last, of which the next position is prefetched
let playing = -1;
let reach: Reach | undefined;
let scale: Scale = { table: "viridis", low: 0, high: 1, log: false, contours: 0 };
let ownTable = false, ownEnds = false, ownContours = false; // chosen by the reader
let suited: Field | undefined; // the field whose values the contours suit
let conversion: Conversion = { units: "", factor: 1, offset: 0 };
let clicked: { lat: number; lon: number } | undefined;
let area: Area | undefined; // whose statistics are shown
let boxing = false; // a drag chooses an area
let other: Follower | undefined; // the second field
let subtracted = false; // the second field is subtracted from the first, else beside it
let scale2: Scale | undefined; // of a second field with other units
let barbs: { east: Follower; north: Follower; knots: number } | undefined;
let alongDim = "";
let tab = "map";
let renderer: Renderer | undefined;
let renderer2: Renderer | undefined; // of the second field, made when there is one
let opened = 0; // counts the fields that were opened, so that late answers are known
let asked = 0; // when what is chosen was asked for

const tiles = new Tiles((t) => { renderer?.came(t); renderer2?.came(t); update(); }, (e) => say(e));

/** Says what went wrong; nothing takes it back. */
function say(error?: unknown): void {
  status.replaceChildren();
  status.hidden = error === undefined;
  if (error === undefined) return;
  if (error instanceof ServerError && error.status === 410) {
    status.append("The files have changed. ", h("button", { type: "button", click: () => location.reload() }, "Show them as they are now"));
    return;
  }
  status.append(error instanceof Error ? error.message : String(error), " ");
  status.append(h("button", { type: "button", click: () => { say(); tiles.retry(); } }, "Try again"));
}

// ---- fields

function listFields(): void {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, Field[]>();
  for (const f of document_.fields) {
    const text = `${f.name} ${f.long_name ?? ""} ${f.group ?? ""} ${f.summary ?? ""}`.toLowerCase();
    if (words.every((w) => text.includes(w))) groups.set(f.group ?? "", [...(groups.get(f.group ?? "") ?? []), f]);
  }
  fieldList.replaceChildren();
  for (const [group, list] of groups) {
    if (group !== "") fieldList.append(h("li", { class: "group" }, group));
    for (const f of list) {
      const b = h("button", { type: "button", class: f.why ? "field not" : "field", "aria-current": f === field ? "true" : undefined, click: () => { map.classList.remove("listed"); void open(f); } },
        h("b", {}, f.name), h("span", {}, f.long_name && f.long_name !== f.name ? f.long_name : ""),
        h("small", {}, [units(f.units), ...f.lead.filter((a) => a.length > 1).map((a) => `${a.length} × ${a.name}`), f.why ? "cannot be drawn" : ""].filter(Boolean).join(" · ")));
      fieldList.append(h("li", {}, b));
    }
  }
  if (groups.size === 0) fieldList.append(h("li", { class: "group" }, document_.fields.length === 0 ? "There are no fields here." : "No field has these words."));
}

const tableAddress = (f: Field): string => f.path.split("/").map(encodeURIComponent).join("/") + "/zarr.json";

async function open(f: Field, from?: URLSearchParams): Promise<void> {
  const number_ = ++opened;
  stop();
  const before = field;
  field = f;
  alongDim = "";
  listFields();
  say();
  if (f.why) {
    pyramid = shown = undefined;
    sliders.replaceChildren();
    bar.replaceChildren();
    heading.replaceChildren(h("b", {}, f.long_name ?? f.name));
    status.hidden = false;
    status.replaceChildren(`${f.name} cannot be drawn: ${f.why}. `, h("a", { href: tableAddress(f) }, "Its metadata"));
    closePlace();
    redraw();
    return;
  }
  // Positions along dimensions that the field before had too are kept.
  const kept = new Map<string, number | string | null>();
  before?.lead.forEach((a, i) => kept.set(a.dimension || a.name, valueOf(a, lead[i])));
  lead = f.lead.map((a) => {
    const text = from?.get("at." + a.name);
    if (text !== null && text !== undefined) return indexOf(a, text);
    const value = kept.get(a.dimension || a.name);
    return value === undefined || value === null ? 0 : indexOf(a, String(value));
  });
  reach = undefined;
  ownEnds = ownTable = ownContours = false;
  scale = { ...scale, log: false, contours: from ? 0 : scale.contours };
  conversion = conversions(f.units).find((c) => c.units === (from?.get("units") ?? conversion.units)) ?? conversions(f.units)[0];
  if (from) readScale(from);
  drawSliders();
  drawHeading();
  drawBar();
  try {
    const p = await readPyramid(f);
    if (number_ !== opened) return;
    const first = pyramid === undefined;
    const [l, old] = [p.levels[0], pyramid?.levels[0]];
    pyramid = p;
    if (!from?.has("c") && (first || !old || old.west !== l.west || old.north !== l.north || old.dlon * old.cols !== l.dlon * l.cols || old.dlat * old.rows !== l.dlat * l.rows)) fit();
    if (from?.has("c")) {
      const [lon, lat, s] = from.get("c")!.split(",").map(Number);
      fit();
      if ([lon, lat, s].every(isFinite) && s > 0) { camera.lon = wrap(lon); camera.lat = Math.min(90, Math.max(-90, lat)); camera.scale = s; fitted = false; }
    }
    drawHeading();
    drawCompare();
    select();
    if (area) void showBox();
    else if (clicked) void showPlace();
  } catch (error) {
    if (number_ === opened) say(error);
  }
}

const valueOf = (a: Field["lead"][number], i: number): number | string | null => labelAt(document_.dimensions, a, i);

const indexOf = (a: Field["lead"][number], text: string): number => positionOfLabel(document_.dimensions, a, text);

// ---- what is chosen, and what of it is there

function chosen(): Selection | undefined {
  if (!pyramid || pyramid.field !== field) return undefined;
  if (!other || !subtracted) return { pyramid, lead };
  return other.pyramid && { pyramid, lead, minus: other.selection(field, lead) };
}

/** The map beside the one that is chosen. */
const beside = (): Selection | undefined => (other && !subtracted && field ? other.selection(field, lead) : undefined);

/** The components of the wind whose barbs are drawn. */
const winds = (): Selection[] => (barbs && field ? [barbs.east.selection(field, lead), barbs.north.selection(field, lead)].filter((s) => s !== undefined) : []);

/** The level whose cells are about as far apart as barbs. */
const barbLevel = (s: Selection): number => levelFor(camera, s.pyramid.levels, 1 / 16);

/** Shows the map of the positions that are chosen. */
function select(): void {
  asked = performance.now();
  update();
  setTimeout(update, 250);
  drawHeading();
  remember();
}

const wantedLevel = (s: Selection): number => levelFor(camera, s.pyramid.levels, devicePixelRatio);

/** Asks for the tiles that are missing, and draws what is there. */
function update(): void {
  const s = chosen();
  if (!s) return;
  const level = wantedLevel(s);
  const wanted = wishes(camera, s, level);
  const second = beside();
  if (second) wanted.push(...wishes(camera, second, wantedLevel(second)));
  for (const w of winds()) wanted.push(...wishes(camera, w, barbLevel(w)));
  const next = following(s);
  tiles.want(next ? [...wanted, ...wishes(camera, next, level)] : wanted);
  const coarsest = s.pyramid.levels.length - 1;
  const hasCoarse = visible(camera, s.pyramid.levels[coarsest]).every(([row, col]) => tiles.get(s, coarsest, row, col));
  const complete = wanted.every((w) => tiles.get(w.selection, w.level, w.row, w.col));
  if (complete || hasCoarse && (shown?.pyramid !== s.pyramid || !shown.minus !== !s.minus || performance.now() - asked > 200)) {
    shown = s;
    shown2 = second;
    if (second && !scale2 && complete) findScale2(second);
    if (!reach || !ownEnds && playing < 0 && complete && reach && firstReach) { findReach(s); }
  }
  map.classList.toggle("busy", !complete);
  if (complete) map.dataset.complete = nameOfMap(s); else delete map.dataset.complete;
  redraw();
}

let firstReach = false;

/** The values of the coarsest tiles of a map. */
function coarse(s: Selection): Float32Array[] {
  const last = s.pyramid.levels.length - 1;
  return visible(camera, s.pyramid.levels[last]).map(([row, col]) => tiles.get(s, last, row, col)?.values).filter((v) => v !== undefined);
}

/** Finds the ends of the scale by the values of the coarsest tiles, of both fields if they share it. */
function findReach(s: Selection): void {
  const second = beside();
  const parts = [...coarse(s), ...second && sameUnits(second.pyramid.field) ? coarse(second) : []];
  const all = new Float32Array(parts.reduce((n, v) => n + v.length, 0));
  let n = 0;
  for (const v of parts) { all.set(v, n); n += v.length; }
  const found = reachOf(all);
  if (!found) { firstReach = true; reach = undefined; status.hidden = false; status.textContent = "All values of this map are missing."; return; }
  if (status.textContent === "All values of this map are missing.") say();
  firstReach = false;
  reach = found;
  suit();
}

/** Makes the scale suit the values, in what the reader has not chosen. */
function suit(): void {
  if (!field || !reach) return;
  const c = subtracted && other ? ofDifferences(field) : choiceOf(field, reach);
  if (!ownTable) scale.table = c.table;
  if (!ownEnds) setEnds(reach, ownTable ? { table: scale.table, symmetric: tables.find((t) => t.name === scale.table)?.diverging && reach.low < 0 && reach.high > 0, zero: c.zero } : c);
  if (field !== suited && scale.contours > 0 && !ownContours) scale.contours = contoursOf(scale, unitNow());
  suited = field;
  applyTable();
  drawBar();
}

/** The scale of differences: from blue to red about zero. */
function ofDifferences(f: Field): Choice {
  const suits = f.colours?.[1]?.table;
  const t = tables.find((t) => t.name === suits && t.diverging) ?? tables.find((t) => t.name === "RdBu_r") ?? tables.find((t) => t.diverging);
  return { table: t?.name ?? scale.table, symmetric: true };
}

/** Finds the scale of a second field that has other units than the first. */
function findScale2(s: Selection): void {
  const f = s.pyramid.field;
  const found = reachOf(Float32Array.from(coarse(s).flatMap((v) => [...v])));
  if (!found || sameUnits(f)) return;
  const c = choiceOf(f, found);
  const [low, high] = ends(found, c, false);
  scale2 = { table: c.table, low, high, log: false, contours: 0 };
  const t = tables.find((t) => t.name === c.table);
  if (t) renderer2?.setTable(t);
  drawHeading();
}

const sameUnits = (f: Field): boolean => units(f.units) === units(field?.units);

/** Sets the ends to what suits values, round in the units that are shown. */
function setEnds(r: Reach, c: Choice): void {
  const turned = { low: shownValue(r.low), high: shownValue(r.high), first: shownValue(r.first), last: shownValue(r.last), least: shownValue(r.least) };
  [scale.low, scale.high] = ends(turned, unitNow().offset === 0 ? c : { table: c.table }, scale.log).map(storedValue);
}

function applyTable(): void {
  const t = tables.find((t) => t.name === scale.table) ?? tables[0];
  if (t) renderer?.setTable(t);
  if (t && !scale2) renderer2?.setTable(t);
}

/** The map after the one that is chosen, along the dimension that was stepped last. */
function following(s: Selection): Selection | undefined {
  const axis = playing >= 0 ? playing : lastMoved;
  if (axis < 0 || axis >= lead.length || lead[axis] + 1 >= s.pyramid.field.lead[axis].length && playing < 0) return undefined;
  const next = lead.slice();
  next[axis] = (next[axis] + 1) % s.pyramid.field.lead[axis].length;
  return { pyramid: s.pyramid, lead: next, minus: s.minus && other && other.selection(s.pyramid.field, next) };
}

// ---- drawing

let frame = 0;
let inks: Inks;
const dark = matchMedia("(prefers-color-scheme: dark)");

function chooseInks(): void {
  inks = dark.matches
    ? { earth: [0.13, 0.145, 0.17, 1], coast: [0.02, 0.02, 0.03, 0.9], border: [0.02, 0.02, 0.03, 0.45], grid: [0.5, 0.5, 0.5, 0.28] }
    : { earth: [0.9, 0.91, 0.925, 1], coast: [0.06, 0.07, 0.1, 0.9], border: [0.06, 0.07, 0.1, 0.4], grid: [0.25, 0.25, 0.3, 0.2] };
}
chooseInks();
dark.addEventListener("change", () => { chooseInks(); redraw(); });

function redraw(): void {
  if (frame === 0) frame = requestAnimationFrame(() => { frame = 0; paint(); });
}

function paint(): void {
  renderer?.draw(camera, shown && field === shown.pyramid.field ? shown : undefined, shown ? wantedLevel(shown) : 0, scale, unitNow(), inks);
  if (other && !subtracted) renderer2?.draw(camera, shown2, shown2 ? wantedLevel(shown2) : 0, scale2 ?? scale, scale2 ? { units: "", factor: 1, offset: 0 } : conversion, inks);
  const p = clicked && camera.project(clicked.lon, clicked.lat);
  mark.hidden = !p;
  if (p) {
    mark.style.left = `${camera.width / 2 + p[0]}px`;
    mark.style.top = `${camera.height / 2 - p[1]}px`;
  }
  paintOver();
}

/** Draws barbs and the area over the map. */
function paintOver(): void {
  const c = over.getContext("2d")!;
  c.setTransform(1, 0, 0, 1, 0, 0);
  c.clearRect(0, 0, over.width, over.height);
  c.scale(devicePixelRatio, devicePixelRatio);
  const [u, v] = winds();
  if (barbs && u && v) drawBarbs(c, camera, tiles, u, v, barbLevel(u), barbs.knots, dark.matches ? "#fff" : "#111", dark.matches ? "#000a" : "#fffa");
  if (!area) return;
  const { north, west, south, east } = area;
  const turn = 360 * Math.round(((west + east) / 2 - camera.lon) / 360);
  const line = new Path2D();
  let pen = false;
  const corners: [number, number][] = [[west, north], [east, north], [east, south], [west, south], [west, north]];
  for (let k = 0; k < 4; k++) {
    for (let i = 0; i <= 32; i++) {
      const [lon, lat] = [corners[k][0] + (corners[k + 1][0] - corners[k][0]) * i / 32, corners[k][1] + (corners[k + 1][1] - corners[k][1]) * i / 32];
      // On the flat map the area goes on where the map is cut.
      const p = camera.put(lon - camera.lon - turn, lat);
      if (!p) { pen = false; continue; }
      if (pen) line.lineTo(camera.width / 2 + p[0], camera.height / 2 - p[1]);
      else line.moveTo(camera.width / 2 + p[0], camera.height / 2 - p[1]);
      pen = true;
    }
  }
  for (const [style, width] of [["#fff", 4], ["#111", 1.6]] as const) {
    c.strokeStyle = style;
    c.lineWidth = width;
    c.stroke(line);
  }
}

const coasts: boolean[] = [];

/** Reads the coastlines of the detail that the scale wants, once. */
async function wantCoast(): Promise<void> {
  const detail = detailFor(camera);
  if (coasts[detail]) return;
  coasts[detail] = true;
  try {
    const response = await fetch(`@viewer/coast-${details[detail]}.bin`);
    if (!response.ok) return; // coarser ones are there
    const data = new Int32Array(await response.arrayBuffer());
    coastData[detail] = data;
    renderer?.setCoast(detail, data);
    renderer2?.setCoast(detail, data);
    redraw();
  } catch {
    coasts[detail] = false;
  }
}

const coastData: Int32Array[] = [];

function moved(): void {
  void wantCoast();
  asked = Math.max(asked, performance.now() - 200);
  redraw();
  update();
  remember();
}

let fitted = false; // the map shows all of the field, also when the window changes

function zoom(factor: number, x = 0, y = 0): void { fitted = false; camera.zoom(factor, x, y); moved(); }

function pan(dx: number, dy: number): void { fitted = false; camera.pan(dx, dy); moved(); }

function fit(): void {
  const l = pyramid?.levels[0];
  if (l) camera.fit(l.west, l.north - l.rows * l.dlat, l.west + l.cols * l.dlon, l.north);
  else camera.fit(-180, -90, 180, 90);
  fitted = true;
  moved();
}

function setGlobe(on: boolean): void {
  camera.globe = on;
  globeButton.replaceChildren(icon(on ? "flat" : "globe"));
  globeButton.title = on ? "flat map (g)" : "globe (g)";
  globeButton.setAttribute("aria-label", globeButton.title);
  if (fitted) fit();
  moved();
}

function resize(): void {
  const box = canvas.getBoundingClientRect();
  const first = camera.width === 1;
  const wide = Math.max(1, box.width) / camera.width;
  camera.width = Math.max(1, box.width);
  camera.height = Math.max(1, box.height);
  for (const c of [canvas, canvas2, over]) {
    c.width = Math.round(camera.width * devicePixelRatio);
    c.height = Math.round(camera.height * devicePixelRatio);
  }
  if (fitted) fit();
  else if (!first) camera.scale *= wide;
  moved();
}

// ---- the heading, the sliders and the colour bar

function drawHeading(): void {
  if (!field) return;
  const f = field;
  const parts = f.lead.map((a, i) => textOf(a, i, lead[i]));
  heading.replaceChildren(h("b", {}, f.long_name ?? f.name), h("span", {}, parts.join(", ")));
  if (other) {
    const at = other.lead(f, lead);
    const text = other.field.lead.map((a, i) => textOf(a, i, at[i])).join(", ");
    const name = h("b", {}, other.field.long_name ?? other.field.name);
    if (subtracted) heading.append(h("div", {}, "minus ", name, h("span", {}, text)));
    else heading2.replaceChildren(name, h("span", {}, text), ...legend2());
  }
  if (pyramid?.nearest && pyramid.field === f) heading.append(h("small", { title: "each cell of the map has the value of the grid point nearest to it" }, "nearest points of its grid"));
  document.title = `${f.name} – ${title}`;
}

/** The colours of a second field that has its own. */
function legend2(): Node[] {
  const t = scale2 && tables.find((t) => t.name === scale2!.table);
  if (!scale2 || !t || !other) return [];
  const picture = h("canvas", { width: 256, height: 1 });
  paintBar(picture, t, scale2, conversions(other.field.units)[0]);
  return [h("small", {}, number(scale2.low), picture, `${number(scale2.high)} ${units(other.field.units)}`)];
}

function textOf(a: Field["lead"][number], _i: number, index: number): string {
  const d = document_.dimensions[a.dimension];
  const text = label(d?.values[index], index, d?.units);
  return typeof d?.values[index] === "string" ? text : `${nameOf(a)} ${text}`;
}

// ---- a second field, and winds

/** Where the first map of a comparison differs: one back along what was stepped, or along the first dimension. */
function firstDifference(f: Field): Map<number, number> {
  const axis = lastMoved >= 0 && lastMoved < f.lead.length && f.lead[lastMoved].length > 1 ? lastMoved : f.lead.findIndex((a) => a.length > 1);
  return axis < 0 ? new Map() : new Map([[axis, lead[axis] > 0 ? lead[axis] - 1 : lead[axis] + 1]]);
}

/** Shows a second field, or none. */
async function setOther(f?: Field, own?: Map<number, number>, minus?: boolean): Promise<void> {
  const before = other;
  other = f && new Follower(f, document_.dimensions);
  for (const [axis, i] of own ?? []) other?.own.set(axis, i);
  const one = other;
  if (one) {
    try {
      await one.load();
    } catch (error) {
      if (other === one) other = undefined;
      say(error);
    }
  }
  if (other !== one) return;
  subtracted = other !== undefined && (minus ?? (before ? subtracted : true)) && !whyNot();
  arrange();
}

/** The reason why the second field cannot be subtracted. */
function whyNot(): string {
  if (!other?.pyramid || !pyramid || !field) return "";
  if (!sameUnits(other.field)) return `its units are ${units(other.field.units) || "none"}, those of ${field.name} ${units(field.units) || "none"}`;
  return sameCells(pyramid, other.pyramid) ? "" : "it has another grid";
}

/** Arranges one map or two, and begins the scale anew where it is another's. */
function arrange(asAddressed = false): void {
  const two = other !== undefined && !subtracted;
  stage.classList.toggle("two", two);
  canvas2.hidden = heading2.hidden = !two;
  if (two && !renderer2) {
    renderer2 = new Renderer(canvas2, tiles);
    coastData.forEach((data, i) => renderer2!.setCoast(i, data));
    listen(canvas2);
  }
  reach = scale2 = shown2 = undefined;
  if (!asAddressed) {
    ownEnds = ownTable = false;
    scale.log = false;
  }
  applyTable();
  drawCompare();
  drawHeading();
  requestAnimationFrame(() => { resize(); select(); });
  if (area) void showBox();
  else if (clicked) void showPlace();
}

/** Draws what chooses the second field and its positions. */
function drawCompare(): void {
  compare.hidden = !other;
  if (!other || !field) { compare.replaceChildren(); return; }
  if (subtracted && whyNot()) { subtracted = false; arrange(); return; }
  const o = other, leader = field;
  const drawable = document_.fields.filter((f) => !f.why);
  const which = h("select", { "aria-label": "second field", id: "second", change: () => void setOther(drawable[which.selectedIndex], undefined) },
    ...drawable.map((f) => h("option", {}, [f.group, f.long_name ?? f.name].filter(Boolean).join(": "))));
  which.selectedIndex = drawable.indexOf(o.field);
  const how = h("select", { "aria-label": "how to compare", id: "how", change: () => { subtracted = how.value === "minus"; arrange(); } },
    h("option", { value: "minus", disabled: whyNot() !== "" }, "difference"), h("option", { value: "beside" }, "side by side"));
  how.value = subtracted ? "minus" : "beside";
  compare.replaceChildren(h("span", {}, "Second field"), how, which);
  o.field.lead.forEach((a, axis) => {
    if (a.length < 2) return;
    const d = document_.dimensions[a.dimension];
    const follows = o.follows(axis, leader);
    const at = h("select", { "aria-label": `${nameOf(a)} of the second field`, "data-axis": axis, change: () => {
      const i = at.selectedIndex - (follows ? 1 : 0);
      if (i < 0) o.own.delete(axis); else o.own.set(axis, i);
      scale2 = undefined;
      reach = undefined;
      select();
    } }, follows ? h("option", {}, `same ${nameOf(a)}`) : undefined,
    ...Array.from({ length: Math.min(a.length, 1000) }, (_, i) => h("option", {}, label(d?.values[i], i, d?.units))));
    at.selectedIndex = (o.own.get(axis) ?? (follows ? -1 : 0)) + (follows ? 1 : 0);
    compare.append(at);
  });
  const why = whyNot();
  if (why) compare.append(h("small", {}, `no difference: ${why}`));
  compare.append(button("close", "close the second field", () => void setOther()));
}

/** The winds of the dataset: components to the east whose partner is known, in units that become knots. */
const windFields = (): { field: Field; knots: number }[] => document_.fields.flatMap((f) => {
  const knots = conversions(f.units).find((c) => c.units === "kn")?.factor;
  return f.north && knots ? [{ field: f, knots }] : [];
});

async function setBarbs(path: string): Promise<void> {
  const wind = windFields().find((w) => w.field.path === path);
  const north = document_.fields.find((f) => f.path === wind?.field.north);
  if (!wind || !north) { barbs = undefined; redraw(); remember(); return; }
  const made = { east: new Follower(wind.field, document_.dimensions), north: new Follower(north, document_.dimensions), knots: wind.knots };
  barbs = made;
  try {
    await Promise.all([made.east.load(), made.north.load()]);
    if (barbs === made) select();
  } catch (error) {
    if (barbs === made) barbs = undefined;
    say(error);
  }
}

const nameOf = (a: Field["lead"][number]): string => {
  const known: Record<string, string> = { isobaricInhPa: "pressure", heightAboveGround: "height", number: "member", hybrid: "model level" };
  return known[a.name] ?? a.name.replace(/_/g, " ");
};

function drawSliders(): void {
  sliders.replaceChildren();
  field?.lead.forEach((a, axis) => {
    if (a.length < 2) return;
    const d = document_.dimensions[a.dimension];
    const text = h("output", {});
    const range = h("input", { type: "range", min: 0, max: a.length - 1, step: 1, id: `slider-${axis}`, input: () => step(axis, Number(range.value)) });
    range.value = String(lead[axis]);
    const play = button("play", `play along ${nameOf(a)}`, () => (playing === axis ? stop() : start(axis)));
    play.classList.add("play");
    sliders.append(h("div", { class: "slider", "data-axis": axis }, h("label", { for: `slider-${axis}`, title: d?.long_name ?? a.name }, nameOf(a)), play,
      button("back", `one back along ${nameOf(a)}`, () => step(axis, lead[axis] - 1)), range, button("on", `one on along ${nameOf(a)}`, () => step(axis, lead[axis] + 1)), text));
  });
  setSliders();
}

function setSliders(): void {
  for (const row of sliders.querySelectorAll<HTMLElement>(".slider")) {
    const axis = Number(row.dataset.axis);
    const a = field!.lead[axis], d = document_.dimensions[a.dimension];
    const range = row.querySelector("input")!;
    const text = label(d?.values[lead[axis]], lead[axis], d?.units);
    range.value = String(lead[axis]);
    range.setAttribute("aria-valuetext", text);
    row.querySelector("output")!.textContent = text;
    const play = row.querySelector(".play")!;
    play.replaceChildren(icon(playing === axis ? "pause" : "play"));
    play.setAttribute("aria-pressed", String(playing === axis));
  }
}

function step(axis: number, index: number): void {
  if (!field) return;
  const n = field.lead[axis].length;
  lead = lead.slice();
  lead[axis] = ((index % n) + n) % n;
  lastMoved = axis;
  setSliders();
  select();
  if (clicked || area) markNow();
}

let timer: ReturnType<typeof setTimeout> | undefined;

function start(axis: number): void {
  playing = axis;
  lastMoved = axis;
  setSliders();
  const tick = (): void => {
    if (playing !== axis) return;
    // The next map is shown when it has come, so that none is left out.
    const s = chosen();
    if (s && shown && nameOfMap(shown) === nameOfMap(s)) step(axis, lead[axis] + 1);
    timer = setTimeout(tick, 400);
  };
  timer = setTimeout(tick, 0);
}

function stop(): void {
  playing = -1;
  clearTimeout(timer);
  setSliders();
}

/** Degrees Celsius that differ by 1 differ by 1 K: differences have no offset. */
const unitNow = (): Conversion => (subtracted && other ? { ...conversion, offset: 0 } : conversion);

const shownValue = (v: number): number => { const c = unitNow(); return v * c.factor + c.offset; };
const storedValue = (v: number): number => { const c = unitNow(); return (v - c.offset) / c.factor; };

function drawBar(): void {
  if (!field || !reach && !ownEnds) { bar.replaceChildren(); return; }
  const f = field;
  const t = tables.find((t) => t.name === scale.table);
  const picture = h("canvas", { id: "colours", width: 256, height: 1 });
  paintBar(picture, t, scale, unitNow());
  const marks = h("div", { id: "ticks", "aria-hidden": "true" });
  const [low, high] = [shownValue(scale.low), shownValue(scale.high)];
  const { at: list, step: size } = marksOf(scale, unitNow());
  for (const v of list) {
    const at = scale.log ? Math.log(v / low) / Math.log(high / low) : (v - low) / (high - low || 1);
    const m = h("span", {}, number(v, size));
    m.style.left = `${at * 100}%`;
    marks.append(m);
  }
  const end = (name: string, value: number, set: (v: number) => void): HTMLInputElement => {
    const input = h("input", { type: "text", inputmode: "decimal", "aria-label": name, title: name, size: 7, change: () => {
      const v = Number(input.value.replace("−", "-").replace(",", "."));
      if (isFinite(v) && input.value.trim() !== "") { set(storedValue(v)); ownEnds = true; }
      drawBar(); redraw(); remember();
    } });
    input.value = number(value, size / 10).replace("−", "-");
    return input;
  };
  const all = conversions(f.units);
  const unit = h("select", { "aria-label": "units", id: "units", change: () => { conversion = all[unit.selectedIndex]; suit(); if (scale.contours > 0) scale.contours = contoursOf(scale, unitNow()); drawBar(); redraw(); remember(); if (clicked) void showPlace(); } }, ...all.map((c) => h("option", {}, c.units || "no units")));
  unit.selectedIndex = Math.max(0, all.findIndex((c) => c.units === conversion.units));
  const table = h("select", { "aria-label": "colour table", id: "table", change: () => { scale.table = table.value; ownTable = true; suit(); applyTable(); redraw(); remember(); } }, ...tables.map((t) => h("option", { value: t.name }, t.name.replace("_r", " (reversed)"))));
  table.value = scale.table;
  const check = (name: string, on: boolean, set: (on: boolean) => void): HTMLLabelElement => {
    const box = h("input", { type: "checkbox", change: () => { set(box.checked); drawBar(); redraw(); remember(); } });
    box.checked = on;
    return h("label", {}, box, name);
  };
  const logs = check("log", scale.log, (on) => { scale.log = on; ownEnds = false; suit(); if (scale.contours > 0) scale.contours = contoursOf(scale, unitNow()); });
  const contours = check("contours", scale.contours > 0, (on) => { scale.contours = on ? contoursOf(scale, unitNow()) : 0; });
  const winds_ = windFields();
  const wind = h("select", { "aria-label": "wind barbs", id: "wind", title: "wind barbs: a half feather is 5 knots, a whole one 10, a pennant 50", change: () => void setBarbs(winds_[wind.selectedIndex - 1]?.field.path ?? "") },
    h("option", {}, "no barbs"), ...winds_.map((w) => h("option", {}, `barbs: ${w.field.name}`)));
  wind.selectedIndex = 1 + winds_.findIndex((w) => w.field === barbs?.east.field);
  const from = h("button", { type: "button", title: "take the range of what the map shows now", click: () => fromView() }, "from view");
  const reset = h("button", { type: "button", title: "the range and colours that suit the field", click: () => { ownEnds = ownTable = false; scale.log = false; scale.contours = 0; firstReach = true; suit(); update(); remember(); } }, "reset");
  bar.replaceChildren(h("div", { id: "scale" }, picture, marks),
    h("div", { id: "controls" }, end("lowest value of the colours", low, (v) => { scale.low = v; }), end("highest value of the colours", high, (v) => { scale.high = v; }),
      all.length > 1 ? unit : h("span", { id: "unit" }, conversion.units), table, logs, contours, winds_.length > 0 ? wind : undefined, from, reset));
}

function paintBar(picture: HTMLCanvasElement, t: Table | undefined, scale: Scale, unit: Conversion): void {
  const context = picture.getContext("2d")!;
  const image = context.createImageData(256, 1);
  for (let i = 0; i < 256; i++) {
    const k = Math.min(255, Math.floor(positionOf(scale, unit, (i + 0.5) / 256) * 256));
    image.data.set(t ? [...t.colours.subarray(3 * k, 3 * k + 3), 255] : [128, 128, 128, 255], 4 * i);
  }
  context.putImageData(image, 0, 0);
}

/** Takes the range of the values that the window shows. */
function fromView(): void {
  if (!shown) return;
  const values: number[] = [];
  for (let j = 0; j < 120; j++) {
    for (let i = 0; i < 160; i++) {
      const p = camera.unproject((i / 159 - 0.5) * camera.width, (0.5 - j / 119) * camera.height);
      const v = p && valueAt(tiles, shown, p[0], p[1]);
      if (v && isFinite(v.value)) values.push(v.value);
    }
  }
  const found = reachOf(Float32Array.from(values));
  if (!found) return;
  setEnds(found, { table: scale.table });
  ownEnds = true;
  drawBar();
  redraw();
  remember();
}

// ---- values under the pointer, and at a place

function pointAt(e: { clientX: number; clientY: number }, on: HTMLCanvasElement = canvas): [number, number] {
  const box = on.getBoundingClientRect();
  return [e.clientX - box.left - camera.width / 2, camera.height / 2 - (e.clientY - box.top)];
}

function showValue(x: number, y: number): void {
  const p = camera.unproject(x, y);
  readout.textContent = "";
  if (!p || !shown) return;
  const text = (s: Selection, own: Scale, c: Conversion): string => {
    const v = valueAt(tiles, s, p[0], p[1]);
    if (v === undefined) return "";
    return isFinite(v.value) ? `${v.level > 0 ? "≈ " : ""}${number(v.value * c.factor + c.offset, niceStep(Math.abs((own.high - own.low) * c.factor), 1000))} ${c.units}` : "missing";
  };
  readout.textContent = `${place(p[1], p[0])}   ${text(shown, scale, unitNow())}`;
  if (other && !subtracted && shown2) readout.textContent += `   ${text(shown2, scale2 ?? scale, scale2 ? { units: units(other.field.units), factor: 1, offset: 0 } : conversion)}`;
}

let placeRequest: AbortController | undefined;

async function showPlace(): Promise<void> {
  if (!clicked || !field || !pyramid) return;
  area = undefined;
  const f = field, at = clicked;
  placeRequest?.abort();
  placeRequest = new AbortController();
  const dims = f.lead.filter((a) => a.length > 1);
  const along = dims.find((a) => a.name === alongDim) ?? dims.find((a) => /time|step/.test(a.name)) ?? dims[0];
  alongDim = along?.name ?? "";
  place_.hidden = false;
  const head = h("header", {}, h("b", {}, place(at.lat, at.lon)), button("close", "close (Escape)", () => closePlace()));
  const body = h("div", { class: "body" }, along ? "…" : "");
  const tools = h("div", { class: "dims" });
  for (const a of dims) tools.append(h("button", { type: "button", "aria-pressed": String(a === along), click: () => { alongDim = a.name; remember(); void showPlace(); } }, `along ${nameOf(a)}`));
  place_.replaceChildren(head, tools, body);
  if (!along) {
    const v = shown && valueAt(tiles, shown, at.lon, at.lat);
    body.textContent = v && isFinite(v.value) ? `${number(shownValue(v.value))} ${conversion.units}${v.level > 0 ? " (mean of some cells)" : ""}` : "There is no value here.";
    return;
  }
  try {
    const members = dims.find((a) => a !== along && /^(number|member|realization|ensemble)/i.test(a.name));
    const o = other, second = o && sameUnits(o.field) && o.field.lead.some((a) => a.name === along.name && a.length === along.length) ? o : undefined;
    const signal = placeRequest.signal;
    const [first, two] = await Promise.all([readSeries(f, at.lat, at.lon, along.name, members?.name ?? "", lead, signal),
      second && readSeries(second.field, at.lat, at.lon, along.name, "", second.lead(f, lead), signal)]);
    const values = first.values;
    const convert = (list: (number | null)[]): (number | null)[] => list.map((v) => (v === null ? null : v * conversion.factor + conversion.offset));
    const axis = f.lead.indexOf(along);
    const d = document_.dimensions[along.dimension];
    const labels = values.map((_, i) => label(d?.values[i], i, d?.units));
    const short = shorter(labels);
    const numbers = values.map((_, i) => { const v = d?.values[i]; return typeof v === "number" ? v : typeof v === "string" && isFinite(Date.parse(v)) ? Date.parse(v) : null; });
    const make = (): void => {
      body.replaceChildren(drawChart({
        labels: short, numbers, values: convert(values), bands: first.bands?.map(convert), second: two && convert(two.values), units: conversion.units, now: lead[axis],
        title: `${along.name} ${d?.units ?? ""}`, profile: /isobaric|level|height|depth|hybrid|pressure|altitude|theta/i.test(along.name), choose: (i) => step(axis, i),
      }), h("button", { type: "button", click: () => {
        const columns: [string, (number | null)[]][] = [[f.name, values]];
        if (first.bands) ["min", "p10", "p25", "median", "p75", "p90", "max"].forEach((name, k) => columns.push([`${f.name} ${name}`, first.bands![k]]));
        if (two) columns.push([second!.field.name + " second", two.values]);
        const table = [[along.name, ...columns.map(([name]) => `${name}${conversion.units ? ` (${conversion.units})` : ""}`)].map(quotedCell).join(","),
          ...labels.map((l, i) => [quotedCell(l), ...columns.map(([, list]) => { const v = convert([list[i]])[0]; return v === null ? "" : String(Number(v.toPrecision(9))); })].join(","))];
        download(`${f.name}_${at.lat.toFixed(2)}_${at.lon.toFixed(2)}.csv`, new Blob([table.join("\r\n") + "\r\n"], { type: "text/csv" }));
      } }, "save as CSV"));
    };
    make();
    remake = make;
  } catch (error) {
    if (!placeRequest.signal.aborted) body.textContent = error instanceof Error ? error.message : String(error);
  }
}

const quotedCell = (text: string): string => `"${text.replace(/"/g, '""')}"`;

function setBoxing(on: boolean): void {
  boxing = on;
  boxButton.setAttribute("aria-pressed", String(on));
  stage.classList.toggle("boxing", on);
}

/** Shows the statistics of the area, of both fields if there are two. */
async function showBox(): Promise<void> {
  if (!area || !field) return;
  clicked = undefined;
  remake = undefined;
  placeRequest?.abort();
  placeRequest = new AbortController();
  const a = area, f = field, o = other, signal = placeRequest.signal;
  const body = h("div", { class: "body" }, "…");
  const title = `${place(a.north, a.west, 1)} to ${place(a.south, a.east, 1)}`;
  place_.hidden = false;
  place_.replaceChildren(h("header", {}, h("b", {}, title), button("close", "close (Escape)", () => closePlace())), body);
  redraw();
  remember();
  try {
    const all = await Promise.all([readBox(f, a, lead, signal), ...(o ? [readBox(o.field, a, o.lead(f, lead), signal)] : [])]);
    const shows = (i: number): Conversion => (i === 0 || sameUnits(o!.field) ? conversion : conversions(o!.field.units)[0]);
    const text = (v: number | null, c: Conversion, offset = c.offset): string => (v === null ? "–" : number(v * c.factor + offset));
    const row = (name: string, ...cells: string[]): HTMLElement => h("tr", {}, h("th", { scope: "row" }, name), ...cells.map((c) => h("td", {}, c)));
    const rows = [row("points", ...all.map((s) => String(s.points)))];
    if (all.some((s) => s.missing > 0)) rows.push(row("missing", ...all.map((s) => String(s.missing))));
    for (const [name, key] of [["least", "min"], ["mean", "mean"], ["mean by area", "area_mean"], ["median", "median"], ["greatest", "max"]] as const) {
      if (all.some((s) => s[key] !== null)) rows.push(row(name, ...all.map((s, i) => text(s[key], shows(i)))));
    }
    if (all.some((s) => s.std !== null)) rows.push(row("standard deviation", ...all.map((s, i) => text(s.std, shows(i), 0))));
    rows.push(row("units", ...all.map((_, i) => shows(i).units || "none")));
    const head = o ? [h("tr", {}, h("th", {}), h("th", { scope: "col" }, f.name), h("th", { scope: "col" }, `${o.field.name} (second)`))] : [];
    body.replaceChildren(all[0].points === 0 ? "No points of the grid lie in this area." : h("table", { class: "statistics" }, ...head, ...rows));
  } catch (error) {
    if (!signal.aborted) body.textContent = error instanceof Error ? error.message : String(error);
  }
}

let remake: (() => void) | undefined;
let again: ReturnType<typeof setTimeout> | undefined;

/** Marks where the map is in the diagram; that of another level or member is read again. */
function markNow(): void {
  if (clicked && !other && field && lastMoved >= 0 && field.lead[lastMoved].name === alongDim) { remake?.(); return; }
  clearTimeout(again);
  again = setTimeout(() => void (area ? showBox() : showPlace()), 150);
}

/** Labels without what all of them begin with. */
function shorter(labels: string[]): string[] {
  if (labels.length < 2 || !labels.every((l) => /^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(l))) return labels;
  const days = new Set(labels.map((l) => l.slice(0, 10)));
  return labels.map((l) => (days.size === 1 ? l.slice(11) : new Set(labels.map((l) => l.slice(11))).size === 1 ? l.slice(0, 10) : l.slice(5)));
}

function closePlace(): void {
  clicked = area = undefined;
  setBoxing(false);
  place_.hidden = true;
  remake = undefined;
  placeRequest?.abort();
  redraw();
  remember();
}

// ---- pictures, code, keys

async function savePicture(): Promise<void> {
  if (!field) return;
  paint();
  const ratio = devicePixelRatio;
  const [head, foot] = [36 * ratio, 54 * ratio];
  const two = other !== undefined && !subtracted;
  const picture = h("canvas", { width: canvas.width * (two ? 2 : 1), height: canvas.height + head + foot });
  const c = picture.getContext("2d")!;
  const style = getComputedStyle(document.body);
  const [paper, ink] = [getComputedStyle(document.documentElement).backgroundColor, style.color];
  c.fillStyle = /rgba\(0, 0, 0, 0\)|transparent/.test(paper) ? (dark.matches ? "#16181d" : "#fff") : paper;
  c.fillRect(0, 0, picture.width, picture.height);
  c.drawImage(canvas, 0, head);
  c.drawImage(over, 0, head);
  if (two) c.drawImage(canvas2, canvas.width, head);
  c.fillStyle = ink;
  c.textBaseline = "middle";
  c.font = `600 ${15 * ratio}px system-ui, sans-serif`;
  const name = `${field.long_name ?? field.name}`;
  c.fillText(name, 12 * ratio, head / 2);
  const wide = c.measureText(name).width;
  c.font = `${13 * ratio}px system-ui, sans-serif`;
  c.fillText(field.lead.map((a, i) => textOf(a, i, lead[i])).join(", ") + (other && subtracted ? ` minus ${nameOfOther(other)}` : ""), 24 * ratio + wide, head / 2);
  if (other && two) c.fillText(nameOfOther(other), canvas.width + 12 * ratio, head / 2);
  const colours = bar.querySelector<HTMLCanvasElement>("#colours");
  if (colours) {
    const [x, y, w] = [40 * ratio, head + canvas.height + 10 * ratio, picture.width - 80 * ratio];
    c.imageSmoothingEnabled = false;
    c.drawImage(colours, x, y, w, 14 * ratio);
    c.textAlign = "center";
    for (const m of bar.querySelectorAll<HTMLElement>("#ticks span")) c.fillText(m.textContent ?? "", x + (parseFloat(m.style.left) / 100) * w, y + 26 * ratio);
    c.textAlign = "right";
    c.fillText(conversion.units, picture.width - 8 * ratio, y + 38 * ratio);
  }
  const blob = await new Promise<Blob | null>((done) => picture.toBlob(done, "image/png"));
  if (blob) download(`${field.name}.png`, blob);
}

function nameOfOther(o: Follower): string {
  const at = o.lead(field!, lead);
  return [o.field.long_name ?? o.field.name, ...o.field.lead.map((a, i) => textOf(a, i, at[i]))].join(", ");
}

/** The lines of Python that read what the map shows. */
function code(): string {
  if (!field) return "";
  const f = field;
  const base = new URL(".", location.href).href.replace(/\/$/, "");
  const parts = f.path.split("/");
  const group = parts.slice(0, -1).join("/");
  const quoted = (v: unknown): string => JSON.stringify(v);
  const where = f.lead.map((a, i) => ({ a, v: valueOf(a, lead[i]), i: lead[i] }));
  const by = where.filter((w) => w.v !== null), at = where.filter((w) => w.v === null);
  const call = (name: string, list: typeof where, value: (w: (typeof where)[number]) => string): string => (list.length === 0 ? "" : `.${name}({${list.map((w) => `${quoted(w.a.name)}: ${value(w)}`).join(", ")}})`);
  const text = (v: unknown): string => quoted(typeof v === "string" ? v.replace(/Z$/, "") : v);
  const isStep = (w: (typeof where)[number]): boolean => document_.dimensions[w.a.dimension]?.units === "hours" && typeof w.v === "number";
  return `import xarray\n\ndata = xarray.open_zarr(${quoted(base)}${group ? `, group=${quoted(group)}` : ""})\nfield = data[${quoted(parts[parts.length - 1])}]${call("sel", by.filter((w) => !isStep(w)), (w) => text(w.v))}${call("isel", [...by.filter(isStep), ...at], (w) => String(w.i))}`;
}

function showDialog(...content: Node[]): void {
  dialog.replaceChildren(...content, h("button", { type: "button", class: "wide", click: () => dialog.close() }, "Close"));
  dialog.showModal();
}

function showCode(): void {
  const text = code();
  const copy = h("button", { type: "button", class: "wide", click: () => void navigator.clipboard.writeText(text).then(() => { copy.textContent = "Copied"; }, () => { copy.textContent = "The browser does not permit it"; }) }, "Copy");
  showDialog(h("h2", {}, "Read this in Python"), h("pre", {}, text), copy);
}

const keys: [string, string][] = [["arrows", "move the map"], ["+ −", "zoom"], ["0", "show all of the field"], ["g", "globe or flat map"], ["c", "compare with a second field"], ["b", "statistics of an area, which a drag chooses"], [", .", "step back and on"], ["space", "play or pause"], ["/", "search fields"], ["Escape", "close"], ["?", "this list"]];

function showHelp(): void {
  showDialog(h("h2", {}, "Keys"), h("table", {}, ...keys.map(([k, what]) => h("tr", {}, h("th", {}, k), h("td", {}, what)))),
    h("p", {}, "Drag to move, turn the wheel or pinch to zoom. A click shows the values at a place, a drag with Shift the statistics of an area. The address of the page has all that is chosen: who opens it sees the same."),
    h("p", { class: "quiet" }, "Coastlines and borders: Natural Earth."));
}

document.addEventListener("keydown", (e) => {
  const target = e.target as HTMLElement;
  if (e.ctrlKey || e.metaKey || e.altKey || dialog.open) return;
  if (e.key === "Escape") { if (target === search) { search.value = ""; listFields(); canvas.focus(); } else closePlace(); return; }
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && (target as HTMLInputElement).type !== "checkbox" || tab !== "map") return;
  const axis = lastMoved >= 0 && field && lastMoved < field.lead.length ? lastMoved : field?.lead.findIndex((a) => a.length > 1) ?? -1;
  const by = 80;
  switch (e.key) {
    case "ArrowLeft": pan(by, 0); break;
    case "ArrowRight": pan(-by, 0); break;
    case "ArrowUp": pan(0, by); break;
    case "ArrowDown": pan(0, -by); break;
    case "+": case "=": zoom(1.4); break;
    case "-": case "−": zoom(1 / 1.4); break;
    case "0": fit(); break;
    case "g": setGlobe(!camera.globe); break;
    case "b": setBoxing(!boxing); break;
    case "c": if (other) void setOther(); else void setOther(field, field && firstDifference(field)); break;
    case ".": if (axis >= 0) step(axis, lead[axis] + 1); break;
    case ",": if (axis >= 0) step(axis, lead[axis] - 1); break;
    case " ": if (target.tagName === "BUTTON") return; if (axis >= 0) { if (playing >= 0) stop(); else start(axis); } break;
    case "/": map.classList.add("listed"); search.focus(); break;
    case "?": showHelp(); break;
    default: return;
  }
  e.preventDefault();
});

// ---- moving the map

const pointers = new Map<number, { x: number; y: number }>();
let travelled = 0;

let from: [lon: number, lat: number] | undefined; // a corner of the area that is being chosen

/** Lets the pointer move a map, and choose places and areas on it. */
function listen(on: HTMLCanvasElement): void {
  const at = (e: { clientX: number; clientY: number }): [number, number] => pointAt(e, on);
  on.addEventListener("pointerdown", (e) => {
    on.setPointerCapture(e.pointerId);
    pointers.set(e.pointerId, { x: e.clientX, y: e.clientY });
    if (pointers.size === 1) travelled = 0;
    from = pointers.size === 1 && (boxing || e.shiftKey) ? camera.unproject(...at(e)) : undefined;
  });
  on.addEventListener("pointermove", (e) => {
    const before = pointers.get(e.pointerId);
    if (!before) { showValue(...at(e)); return; }
    const others = [...pointers].filter(([id]) => id !== e.pointerId).map(([, p]) => p);
    const [dx, dy] = [e.clientX - before.x, e.clientY - before.y];
    travelled += Math.hypot(dx, dy);
    pointers.set(e.pointerId, { x: e.clientX, y: e.clientY });
    if (from && others.length === 0) {
      const to = camera.unproject(...at(e));
      if (to && travelled > 3) { area = areaOf(from, to); clicked = undefined; redraw(); }
      return;
    }
    if (others.length > 0) {
      const o = others[0];
      const factor = Math.hypot(e.clientX - o.x, e.clientY - o.y) / Math.max(1, Math.hypot(before.x - o.x, before.y - o.y));
      const [x, y] = at({ clientX: (e.clientX + o.x) / 2, clientY: (e.clientY + o.y) / 2 });
      camera.pan(dx / 2, dy / 2);
      camera.zoom(factor, x, y);
    } else if (travelled > 3) camera.pan(dx, dy);
    if (travelled > 3) { fitted = false; moved(); }
  });
  on.addEventListener("pointerup", (e) => {
    if (!pointers.delete(e.pointerId) || pointers.size > 0) return;
    if (from && area && travelled > 3) { from = undefined; setBoxing(false); void showBox(); return; }
    from = undefined;
    if (travelled > 3) return;
    const p = camera.unproject(...at(e));
    showValue(...at(e));
    if (p) { clicked = { lon: wrap(p[0]), lat: p[1] }; area = undefined; redraw(); remember(); void showPlace(); }
  });
  on.addEventListener("pointercancel", (e) => pointers.delete(e.pointerId));
  on.addEventListener("pointerleave", () => { readout.textContent = ""; });
  on.addEventListener("wheel", (e) => {
    e.preventDefault();
    zoom(Math.exp(-Math.max(-200, Math.min(200, e.deltaY * (e.deltaMode === 1 ? 30 : 1))) / 400), ...at(e));
  }, { passive: false });
}
listen(canvas);

/** The area between two corners, of which the nearer way round is taken. */
function areaOf(a: [number, number], b: [number, number]): Area {
  const east = camera.globe ? wrap(b[0] - a[0]) : Math.max(-360, Math.min(360, b[0] - a[0]));
  const west = wrap(east < 0 ? a[0] + east : a[0]);
  return { north: Math.max(a[1], b[1]), south: Math.min(a[1], b[1]), west, east: west + Math.abs(east) };
}

// ---- the address of the page

let remembering: ReturnType<typeof setTimeout> | undefined;
let written = "";

/** Writes what is chosen to the address, soon. */
function remember(): void {
  clearTimeout(remembering);
  remembering = setTimeout(() => {
    if (!field) return;
    const q = new URLSearchParams();
    q.set("field", field.path);
    field.lead.forEach((a, i) => { if (a.length > 1) q.set("at." + a.name, String(valueOf(a, lead[i]) ?? `#${lead[i]}`)); });
    if (pyramid && camera.width > 1) q.set("c", [camera.lon.toFixed(3), camera.lat.toFixed(3), camera.scale.toPrecision(5)].join(","));
    if (camera.globe) q.set("globe", "1");
    if (ownTable) q.set("table", scale.table);
    if (ownEnds) q.set("range", `${scale.low},${scale.high}`);
    if (scale.log) q.set("log", "1");
    if (scale.contours) q.set("contours", String(scale.contours));
    if (conversion.factor !== 1 || conversion.offset !== 0) q.set("units", conversion.units);
    if (clicked) q.set("place", `${clicked.lat.toFixed(4)},${clicked.lon.toFixed(4)}`);
    if (clicked && alongDim) q.set("along", alongDim);
    if (area) q.set("box", [area.north, area.west, area.south, area.east].map((v) => v.toFixed(2)).join(","));
    if (barbs) q.set("wind", barbs.east.field.path);
    if (other) {
      q.set(subtracted ? "minus" : "beside", other.field.path);
      for (const [axis, i] of other.own) q.set("with." + other.field.lead[axis].name, textAt(document_.dimensions, other.field.lead[axis], i));
    }
    if (tab !== "map") q.set("tab", tab);
    written = "#" + q.toString().replace(/%2C/g, ",");
    if (written !== location.hash) history.replaceState(null, "", written);
  }, 200);
}

function readScale(q: URLSearchParams): void {
  const t = q.get("table");
  if (t && tables.some((x) => x.name === t)) { scale.table = t; ownTable = true; }
  const range = q.get("range")?.split(",").map(Number);
  if (range?.length === 2 && range.every(isFinite)) { [scale.low, scale.high] = range; ownEnds = true; }
  scale.log = q.get("log") === "1";
  const contours = Number(q.get("contours"));
  scale.contours = contours > 0 && isFinite(contours) ? contours : 0;
  ownContours = scale.contours > 0;
  applyTable();
}

async function fromAddress(): Promise<void> {
  const q = new URLSearchParams(location.hash.slice(1));
  setTab(q.get("tab") === "data" ? "data" : "map");
  if (q.has("globe") !== camera.globe) setGlobe(q.has("globe"));
  const p = q.get("place")?.split(",").map(Number);
  clicked = p?.length === 2 && p.every(isFinite) ? { lat: p[0], lon: p[1] } : undefined;
  const f = document_.fields.find((x) => x.path === q.get("field")) ?? document_.fields.find((x) => !x.why) ?? document_.fields[0];
  const sides = q.get("box")?.split(",").map(Number);
  area = sides?.length === 4 && sides.every(isFinite) ? { north: sides[0], west: sides[1], south: sides[2], east: sides[3] } : undefined;
  if (!clicked && !area) place_.hidden = true;
  if ((q.get("wind") ?? "") !== (barbs?.east.field.path ?? "")) void setBarbs(q.get("wind") ?? "");
  const along = q.get("along") ?? "";
  if (f) {
    const path = q.get("minus") ?? q.get("beside");
    const second = path === null ? undefined : document_.fields.find((x) => x.path === path && !x.why);
    const before = other;
    other = second && new Follower(second, document_.dimensions);
    second?.lead.forEach((a, i) => { const text = q.get("with." + a.name); if (text !== null) other!.own.set(i, indexOf(a, text)); });
    subtracted = other !== undefined && q.has("minus");
    const [one, opening] = [other, open(f, q)];
    alongDim = along;
    try {
      await Promise.all([opening, one?.load()]);
    } catch (error) {
      if (other === one) other = undefined;
      say(error);
    }
    if ((before || one) && other === one) arrange(true);
  }
}

function setTab(name: string): void {
  tab = name;
  map.hidden = name !== "map";
  page.hidden = name !== "data";
  tabs.replaceChildren(...[["map", "Map"], ["data", "Data"]].map(([key, text]) => h("button", { type: "button", "aria-current": key === tab ? "page" : undefined, click: () => { setTab(key); remember(); } }, text)));
  if (name === "map") requestAnimationFrame(resize);
}

// ---- the beginning

async function begin(): Promise<void> {
  setTab(location.hash.includes("tab=data") ? "data" : "map");
  say();
  try {
    renderer = new Renderer(canvas, tiles);
  } catch (error) {
    say(error);
    setTab("data");
    return;
  }
  new ResizeObserver(() => { if (!map.hidden) resize(); }).observe(stage);
  resize();
  try {
    [tables, document_] = await Promise.all([readTables(), readFields(), wantCoast()]);
  } catch (error) {
    say(error);
    return;
  }
  applyTable();
  listFields();
  if (document_.fields.length === 0) setTab("data");
  await fromAddress();
  addEventListener("hashchange", () => { if (location.hash !== written) void fromAddress(); });
}

void begin();
