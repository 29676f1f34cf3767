// The viewer: a map of a field with what chooses it, beside the page of metadata, which becomes a tab.

import { Camera, wrap } from "./camera";
import { draw as drawChart } from "./chart";
import { type Choice, type Field, type FieldsDocument, type Pyramid, readFields, readPyramid, readSeries, ServerError } from "./data";
import { button, download, h, icon } from "./dom";
import { type Conversion, conversions, label, niceStep, number, place, units } from "./format";
import { type Inks, levelFor, Renderer, valueAt, visible, wishes } from "./map";
import { choiceOf, contoursOf, ends, marksOf, positionOf, type Reach, reachOf, readTables, type Scale, type Table } from "./scale";
import { type Selection, Tiles } from "./tiles";

const title = document.querySelector("h1")?.textContent ?? "";

/** The page without the viewer is its second tab. */
const page = h("main", { id: "page" });
page.append(...document.body.childNodes);

const canvas = h("canvas", { id: "map", tabindex: 0, role: "application", "aria-label": "map: arrow keys move it, + and − zoom, comma and point step, space plays" });
const status = h("p", { id: "status", role: "status" });
const readout = h("output", { id: "readout" });
const fieldList = h("ul", { id: "fields", "aria-label": "fields" });
const search = h("input", { type: "search", id: "search", placeholder: "Search fields", "aria-label": "search fields", input: () => listFields() });
const heading = h("div", { id: "heading" });
const sliders = h("div", { id: "sliders" });
const bar = h("section", { id: "bar", "aria-label": "colours" });
const place_ = h("section", { id: "place", hidden: true, "aria-label": "values at a place" });
const mark = h("div", { id: "mark", hidden: true });
const dialog = h("dialog", { id: "dialog" });
const globeButton = button("globe", "globe (g)", () => setGlobe(!camera.globe));
const tabs = h("nav", { id: "tabs" });
const side = h("aside", { id: "side" }, search, fieldList);
const stage = h("div", { id: "stage" }, canvas, mark, heading,
  h("div", { id: "tools" }, button("plus", "zoom in (+)", () => zoom(1.6)), button("minus", "zoom out (−)", () => zoom(1 / 1.6)),
    button("fit", "show all of the field (0)", () => fit()), globeButton, button("image", "save as a picture", () => void savePicture()),
    button("code", "read this in Python", () => showCode()), button("help", "keys (?)", () => showHelp())),
  place_, readout, status);
const map = h("main", { id: "viewer" }, side, h("div", { id: "right" }, stage, h("footer", {}, sliders, bar)));
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
let lastMoved = -1; // the dimension that was stepped last, of which the next position is prefetched
let playing = -1;
let reach: Reach | undefined;
let scale: Scale = { table: "viridis", low: 0, high: 1, log: false, contours: 0 };
let ownTable = false, ownEnds = false, ownContours = false; // chosen by the reader
let suited: Field | undefined; // the field whose values the contours suit
let conversion: Conversion = { units: "", factor: 1, offset: 0 };
let clicked: { lat: number; lon: number } | undefined;
let alongDim = "";
let tab = "map";
let renderer: Renderer | undefined;
let opened = 0; // counts the fields that were opened, so that late answers are known
let asked = 0; // when what is chosen was asked for

const tiles = new Tiles((t) => { renderer?.came(t); update(); }, (e) => say(e));

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
    select();
    if (clicked) void showPlace();
  } catch (error) {
    if (number_ === opened) say(error);
  }
}

const valueOf = (a: Field["lead"][number], i: number): number | string | null => document_.dimensions[a.dimension]?.values[i] ?? null;

/** The position of a label, or of "#3". */
function indexOf(a: Field["lead"][number], text: string): number {
  if (text.startsWith("#")) return Math.min(a.length - 1, Math.max(0, Number(text.slice(1)) || 0));
  const i = document_.dimensions[a.dimension]?.values.findIndex((v) => String(v) === text) ?? -1;
  return Math.max(0, i);
}

// ---- what is chosen, and what of it is there

const chosen = (): Selection | undefined => (pyramid && pyramid.field === field ? { pyramid, lead } : undefined);

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
  const next = following(s);
  tiles.want(next ? [...wanted, ...wishes(camera, next, level)] : wanted);
  const coarsest = s.pyramid.levels.length - 1;
  const hasCoarse = visible(camera, s.pyramid.levels[coarsest]).every(([row, col]) => tiles.get(s, coarsest, row, col));
  const complete = wanted.every((w) => tiles.get(w.selection, w.level, w.row, w.col));
  if (complete || hasCoarse && (shown?.pyramid !== s.pyramid || performance.now() - asked > 200)) {
    shown = s;
    if (!reach || !ownEnds && playing < 0 && complete && reach && firstReach) { findReach(s, coarsest); }
  }
  map.classList.toggle("busy", !complete);
  if (complete) map.dataset.complete = `${s.pyramid.field.path} ${s.lead}`; else delete map.dataset.complete;
  redraw();
}

let firstReach = false;

/** Finds the ends of the scale by the values of the coarsest tiles. */
function findReach(s: Selection, coarsest: number): void {
  const parts = visible(camera, s.pyramid.levels[coarsest]).map(([row, col]) => tiles.get(s, coarsest, row, col)?.values).filter((v) => v !== undefined);
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
  const c = choiceOf(field, reach);
  if (!ownTable) scale.table = c.table;
  if (!ownEnds) setEnds(reach, ownTable ? { table: scale.table, symmetric: tables.find((t) => t.name === scale.table)?.diverging && reach.low < 0 && reach.high > 0, zero: c.zero } : c);
  if (field !== suited && scale.contours > 0 && !ownContours) scale.contours = contoursOf(scale, conversion);
  suited = field;
  applyTable();
  drawBar();
}

/** Sets the ends to what suits values, round in the units that are shown. */
function setEnds(r: Reach, c: Choice): void {
  const turned = { low: shownValue(r.low), high: shownValue(r.high), first: shownValue(r.first), last: shownValue(r.last), least: shownValue(r.least) };
  [scale.low, scale.high] = ends(turned, conversion.offset === 0 ? c : { table: c.table }, scale.log).map(storedValue);
}

function applyTable(): void {
  const t = tables.find((t) => t.name === scale.table) ?? tables[0];
  if (t) renderer?.setTable(t);
}

/** The map after the one that is chosen, along the dimension that was stepped last. */
function following(s: Selection): Selection | undefined {
  const axis = playing >= 0 ? playing : lastMoved;
  if (axis < 0 || axis >= lead.length || lead[axis] + 1 >= s.pyramid.field.lead[axis].length && playing < 0) return undefined;
  const next = lead.slice();
  next[axis] = (next[axis] + 1) % s.pyramid.field.lead[axis].length;
  return { pyramid: s.pyramid, lead: next };
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
  renderer?.draw(camera, shown && field === shown.pyramid.field ? shown : undefined, shown ? wantedLevel(shown) : 0, scale, conversion, inks);
  const p = clicked && camera.project(clicked.lon, clicked.lat);
  mark.hidden = !p;
  if (p) {
    mark.style.left = `${camera.width / 2 + p[0]}px`;
    mark.style.top = `${camera.height / 2 - p[1]}px`;
  }
}

function moved(): void {
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
  const box = stage.getBoundingClientRect();
  const first = camera.width === 1;
  const wide = Math.max(1, box.width) / camera.width;
  camera.width = Math.max(1, box.width);
  camera.height = Math.max(1, box.height);
  canvas.width = Math.round(camera.width * devicePixelRatio);
  canvas.height = Math.round(camera.height * devicePixelRatio);
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
  if (pyramid?.nearest && pyramid.field === f) heading.append(h("small", { title: "each cell of the map has the value of the grid point nearest to it" }, "nearest points of its grid"));
  document.title = `${f.name} – ${title}`;
}

function textOf(a: Field["lead"][number], _i: number, index: number): string {
  const d = document_.dimensions[a.dimension];
  const text = label(d?.values[index], index, d?.units);
  return typeof d?.values[index] === "string" ? text : `${nameOf(a)} ${text}`;
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
  if (clicked) markNow();
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
    if (s && shown && String(shown.lead) === String(s.lead)) step(axis, lead[axis] + 1);
    timer = setTimeout(tick, 400);
  };
  timer = setTimeout(tick, 0);
}

function stop(): void {
  playing = -1;
  clearTimeout(timer);
  setSliders();
}

const shownValue = (v: number): number => v * conversion.factor + conversion.offset;
const storedValue = (v: number): number => (v - conversion.offset) / conversion.factor;

function drawBar(): void {
  if (!field || !reach && !ownEnds) { bar.replaceChildren(); return; }
  const f = field;
  const t = tables.find((t) => t.name === scale.table);
  const picture = h("canvas", { id: "colours", width: 256, height: 1 });
  paintBar(picture, t);
  const marks = h("div", { id: "ticks", "aria-hidden": "true" });
  const [low, high] = [shownValue(scale.low), shownValue(scale.high)];
  const { at: list, step: size } = marksOf(scale, conversion);
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
  const unit = h("select", { "aria-label": "units", id: "units", change: () => { conversion = all[unit.selectedIndex]; suit(); if (scale.contours > 0) scale.contours = contoursOf(scale, conversion); drawBar(); redraw(); remember(); if (clicked) void showPlace(); } }, ...all.map((c) => h("option", {}, c.units || "no units")));
  unit.selectedIndex = Math.max(0, all.findIndex((c) => c.units === conversion.units));
  const table = h("select", { "aria-label": "colour table", id: "table", change: () => { scale.table = table.value; ownTable = true; suit(); applyTable(); redraw(); remember(); } }, ...tables.map((t) => h("option", { value: t.name }, t.name.replace("_r", " (reversed)"))));
  table.value = scale.table;
  const check = (name: string, on: boolean, set: (on: boolean) => void): HTMLLabelElement => {
    const box = h("input", { type: "checkbox", change: () => { set(box.checked); drawBar(); redraw(); remember(); } });
    box.checked = on;
    return h("label", {}, box, name);
  };
  const logs = check("log", scale.log, (on) => { scale.log = on; ownEnds = false; suit(); if (scale.contours > 0) scale.contours = contoursOf(scale, conversion); });
  const contours = check("contours", scale.contours > 0, (on) => { scale.contours = on ? contoursOf(scale, conversion) : 0; });
  const from = h("button", { type: "button", title: "take the range of what the map shows now", click: () => fromView() }, "from view");
  const reset = h("button", { type: "button", title: "the range and colours that suit the field", click: () => { ownEnds = ownTable = false; scale.log = false; scale.contours = 0; firstReach = true; suit(); update(); remember(); } }, "reset");
  bar.replaceChildren(h("div", { id: "scale" }, picture, marks),
    h("div", { id: "controls" }, end("lowest value of the colours", low, (v) => { scale.low = v; }), end("highest value of the colours", high, (v) => { scale.high = v; }),
      all.length > 1 ? unit : h("span", { id: "unit" }, conversion.units), table, logs, contours, from, reset));
}

function paintBar(picture: HTMLCanvasElement, t: Table | undefined): void {
  const context = picture.getContext("2d")!;
  const image = context.createImageData(256, 1);
  for (let i = 0; i < 256; i++) {
    const k = Math.min(255, Math.floor(positionOf(scale, conversion, (i + 0.5) / 256) * 256));
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

function pointAt(e: { clientX: number; clientY: number }): [number, number] {
  const box = canvas.getBoundingClientRect();
  return [e.clientX - box.left - camera.width / 2, camera.height / 2 - (e.clientY - box.top)];
}

function showValue(x: number, y: number): void {
  const p = camera.unproject(x, y);
  readout.textContent = "";
  if (!p || !shown) return;
  const v = valueAt(tiles, shown, p[0], p[1]);
  const text = v === undefined ? "" : isFinite(v.value) ? `${v.level > 0 ? "≈ " : ""}${number(shownValue(v.value), niceStep(Math.abs(shownValue(scale.high) - shownValue(scale.low)), 1000))} ${conversion.units}` : "missing";
  readout.textContent = `${place(p[1], p[0])}   ${text}`;
}

let placeRequest: AbortController | undefined;

async function showPlace(): Promise<void> {
  if (!clicked || !field || !pyramid) return;
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
    const values = await readSeries(f, at.lat, at.lon, along.name, lead, placeRequest.signal);
    const axis = f.lead.indexOf(along);
    const d = document_.dimensions[along.dimension];
    const labels = values.map((_, i) => label(d?.values[i], i, d?.units));
    const short = shorter(labels);
    const numbers = values.map((_, i) => { const v = d?.values[i]; return typeof v === "number" ? v : typeof v === "string" && isFinite(Date.parse(v)) ? Date.parse(v) : null; });
    const make = (): void => {
      body.replaceChildren(drawChart({
        labels: short, numbers, values: values.map((v) => (v === null ? null : shownValue(v))), units: conversion.units, now: lead[axis],
        title: `${along.name} ${d?.units ?? ""}`, profile: /isobaric|level|height|depth|hybrid|pressure|altitude|theta/i.test(along.name), choose: (i) => step(axis, i),
      }), h("button", { type: "button", click: () => {
        const rows = values.map((v, i) => [`"${labels[i].replace(/"/g, '""')}"`, v === null ? "" : String(Number(shownValue(v).toPrecision(9)))].join(","));
        download(`${f.name}_${at.lat.toFixed(2)}_${at.lon.toFixed(2)}.csv`, new Blob([[`"${along.name}","${f.name}${conversion.units ? ` (${conversion.units})` : ""}"`, ...rows].join("\r\n") + "\r\n"], { type: "text/csv" }));
      } }, "save as CSV"));
    };
    make();
    remake = make;
  } catch (error) {
    if (!placeRequest.signal.aborted) body.textContent = error instanceof Error ? error.message : String(error);
  }
}

let remake: (() => void) | undefined;
let again: ReturnType<typeof setTimeout> | undefined;

/** Marks where the map is in the diagram; that of another level or member is read again. */
function markNow(): void {
  if (field && lastMoved >= 0 && field.lead[lastMoved].name === alongDim) { remake?.(); return; }
  clearTimeout(again);
  again = setTimeout(() => void showPlace(), 150);
}

/** Labels without what all of them begin with. */
function shorter(labels: string[]): string[] {
  if (labels.length < 2 || !labels.every((l) => /^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(l))) return labels;
  const days = new Set(labels.map((l) => l.slice(0, 10)));
  return labels.map((l) => (days.size === 1 ? l.slice(11) : new Set(labels.map((l) => l.slice(11))).size === 1 ? l.slice(0, 10) : l.slice(5)));
}

function closePlace(): void {
  clicked = undefined;
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
  const picture = h("canvas", { width: canvas.width, height: canvas.height + head + foot });
  const c = picture.getContext("2d")!;
  const style = getComputedStyle(document.body);
  const [paper, ink] = [getComputedStyle(document.documentElement).backgroundColor, style.color];
  c.fillStyle = /rgba\(0, 0, 0, 0\)|transparent/.test(paper) ? (dark.matches ? "#16181d" : "#fff") : paper;
  c.fillRect(0, 0, picture.width, picture.height);
  c.drawImage(canvas, 0, head);
  c.fillStyle = ink;
  c.textBaseline = "middle";
  c.font = `600 ${15 * ratio}px system-ui, sans-serif`;
  const name = `${field.long_name ?? field.name}`;
  c.fillText(name, 12 * ratio, head / 2);
  const wide = c.measureText(name).width;
  c.font = `${13 * ratio}px system-ui, sans-serif`;
  c.fillText(field.lead.map((a, i) => textOf(a, i, lead[i])).join(", "), 24 * ratio + wide, head / 2);
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

const keys: [string, string][] = [["arrows", "move the map"], ["+ −", "zoom"], ["0", "show all of the field"], ["g", "globe or flat map"], [", .", "step back and on"], ["space", "play or pause"], ["/", "search fields"], ["Escape", "close"], ["?", "this list"]];

function showHelp(): void {
  showDialog(h("h2", {}, "Keys"), h("table", {}, ...keys.map(([k, what]) => h("tr", {}, h("th", {}, k), h("td", {}, what)))),
    h("p", {}, "Drag to move, turn the wheel or pinch to zoom. A click shows the values at a place. The address of the page has all that is chosen: who opens it sees the same."),
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

canvas.addEventListener("pointerdown", (e) => {
  canvas.setPointerCapture(e.pointerId);
  pointers.set(e.pointerId, { x: e.clientX, y: e.clientY });
  if (pointers.size === 1) travelled = 0;
});
canvas.addEventListener("pointermove", (e) => {
  const before = pointers.get(e.pointerId);
  if (!before) { showValue(...pointAt(e)); return; }
  const others = [...pointers].filter(([id]) => id !== e.pointerId).map(([, p]) => p);
  const [dx, dy] = [e.clientX - before.x, e.clientY - before.y];
  travelled += Math.hypot(dx, dy);
  if (others.length > 0) {
    const o = others[0];
    const factor = Math.hypot(e.clientX - o.x, e.clientY - o.y) / Math.max(1, Math.hypot(before.x - o.x, before.y - o.y));
    const [x, y] = pointAt({ clientX: (e.clientX + o.x) / 2, clientY: (e.clientY + o.y) / 2 });
    camera.pan(dx / 2, dy / 2);
    camera.zoom(factor, x, y);
  } else if (travelled > 3) camera.pan(dx, dy);
  pointers.set(e.pointerId, { x: e.clientX, y: e.clientY });
  if (travelled > 3) { fitted = false; moved(); }
});
canvas.addEventListener("pointerup", (e) => {
  if (pointers.delete(e.pointerId) && pointers.size === 0 && travelled <= 3) {
    const p = camera.unproject(...pointAt(e));
    showValue(...pointAt(e));
    if (p) { clicked = { lon: wrap(p[0]), lat: p[1] }; redraw(); remember(); void showPlace(); }
  }
});
canvas.addEventListener("pointercancel", (e) => pointers.delete(e.pointerId));
canvas.addEventListener("pointerleave", () => { readout.textContent = ""; });
canvas.addEventListener("wheel", (e) => {
  e.preventDefault();
  zoom(Math.exp(-Math.max(-200, Math.min(200, e.deltaY * (e.deltaMode === 1 ? 30 : 1))) / 400), ...pointAt(e));
}, { passive: false });

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
  if (!clicked) place_.hidden = true;
  const along = q.get("along") ?? "";
  if (f) {
    const opening = open(f, q);
    alongDim = along;
    await opening;
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
    let coast: ArrayBuffer;
    [tables, document_, coast] = await Promise.all([readTables(), readFields(), fetch("@viewer/coast.bin").then((r) => r.arrayBuffer())]);
    renderer.setCoast(new Int16Array(coast));
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
