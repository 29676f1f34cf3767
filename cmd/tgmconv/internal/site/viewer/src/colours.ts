// The scale of colours, chosen by the values, and the bar that changes it.

import { type Choice, type Field } from "./data";
import { h } from "./dom";
import { conversions, number } from "./format";
import { drawHeading } from "./heading";
import { valueAt, visible } from "./map";
import { bar, say, status } from "./page";
import { choiceOf, contoursOf, ends, marksOf, paintBar, type Reach, reachOf } from "./scale";
import { beside, camera, sameUnits, shownValue, state, storedValue, tell, tiles, unitNow } from "./state";
import { type Selection } from "./tiles";
import { setBarbs, windFields } from "./wind";

let suited: Field | undefined; // the field whose values chose the contours

/** The values of the coarsest tiles of a map. */
function coarse(s: Selection): Float32Array[] {
  const last = s.pyramid.levels.length - 1;
  return visible(camera, s.pyramid.levels[last]).map(([row, col]) => tiles.get(s, last, row, col)?.values).filter((v) => v !== undefined);
}

/** Finds the ends of the scale by the values of the coarsest tiles, of both fields if they share it. */
export function findReach(s: Selection): void {
  const second = beside();
  const parts = [...coarse(s), ...second && sameUnits(second.pyramid.field) ? coarse(second) : []];
  const all = new Float32Array(parts.reduce((n, v) => n + v.length, 0));
  let n = 0;
  for (const v of parts) { all.set(v, n); n += v.length; }
  const found = reachOf(all);
  if (!found) { state.firstReach = true; state.reach = undefined; status.hidden = false; status.textContent = "All values of this map are missing."; return; }
  if (status.textContent === "All values of this map are missing.") say();
  state.firstReach = false;
  state.reach = found;
  suit();
  applyTable();
  drawBar();
}

/** Adapts the scale to the values, except for the settings that the reader has chosen. */
function suit(): void {
  if (!state.field || !state.reach) return;
  const c = state.subtracted && state.other ? ofDifferences(state.field) : choiceOf(state.field, state.reach);
  if (!state.ownTable) state.scale.table = c.table;
  if (!state.ownEnds) setEnds(state.reach, state.ownTable ? { table: state.scale.table, symmetric: state.tables.find((t) => t.name === state.scale.table)?.diverging && state.reach.low < 0 && state.reach.high > 0, zero: c.zero } : c);
  if (state.field !== suited && state.scale.contours > 0 && !state.ownContours) state.scale.contours = contoursOf(state.scale, unitNow());
  suited = state.field;
}

/** The scale of differences: from blue to red about zero. */
function ofDifferences(f: Field): Choice {
  const suits = f.colours?.[1]?.table;
  const t = state.tables.find((t) => t.name === suits && t.diverging) ?? state.tables.find((t) => t.name === "RdBu_r") ?? state.tables.find((t) => t.diverging);
  return { table: t?.name ?? state.scale.table, symmetric: true };
}

/** Finds the scale of a second field that has other units than the first. */
export function findScale2(s: Selection): void {
  const f = s.pyramid.field;
  const found = reachOf(Float32Array.from(coarse(s).flatMap((v) => [...v])));
  if (!found || sameUnits(f)) return;
  const c = choiceOf(f, found);
  const [low, high] = ends(found, c, false);
  state.scale2 = { table: c.table, low, high, log: false, contours: 0 };
  const t = state.tables.find((t) => t.name === c.table);
  if (t) state.renderer2?.setTable(t);
  drawHeading();
}

/** Sets the ends to round numbers in the shown units that enclose the values. */
function setEnds(r: Reach, c: Choice): void {
  const turned = { low: shownValue(r.low), high: shownValue(r.high), first: shownValue(r.first), last: shownValue(r.last), least: shownValue(r.least) };
  [state.scale.low, state.scale.high] = ends(turned, unitNow().offset === 0 ? c : { table: c.table }, state.scale.log).map(storedValue);
}

export function applyTable(): void {
  const t = state.tables.find((t) => t.name === state.scale.table) ?? state.tables[0];
  if (t) state.renderer?.setTable(t);
  if (t && !state.scale2) state.renderer2?.setTable(t);
}

export function drawBar(): void {
  if (!state.field || !state.reach && !state.ownEnds) { bar.replaceChildren(); return; }
  const f = state.field;
  const t = state.tables.find((t) => t.name === state.scale.table);
  const picture = h("canvas", { id: "colours", width: 256, height: 1 });
  paintBar(picture, t, state.scale, unitNow());
  const marks = h("div", { id: "ticks", "aria-hidden": "true" });
  const [low, high] = [shownValue(state.scale.low), shownValue(state.scale.high)];
  const { at: list, step: size } = marksOf(state.scale, unitNow());
  for (const v of list) {
    const at = state.scale.log ? Math.log(v / low) / Math.log(high / low) : (v - low) / (high - low || 1);
    const m = h("span", {}, number(v, size));
    m.style.left = `${at * 100}%`;
    marks.append(m);
  }
  const end = (name: string, value: number, set: (v: number) => void): HTMLInputElement => {
    const input = h("input", { type: "text", inputmode: "decimal", "aria-label": name, title: name, size: 7, change: () => {
      const v = Number(input.value.replace("−", "-").replace(",", "."));
      if (isFinite(v) && input.value.trim() !== "") { set(storedValue(v)); state.ownEnds = true; }
      tell("scale");
    } });
    input.value = number(value, size / 10).replace("−", "-");
    return input;
  };
  const all = conversions(f.units);
  const unit = h("select", { "aria-label": "units", id: "units", change: () => { state.conversion = all[unit.selectedIndex]; suit(); if (state.scale.contours > 0) state.scale.contours = contoursOf(state.scale, unitNow()); tell("scale"); if (state.clicked) tell("place"); } }, ...all.map((c) => h("option", {}, c.units || "no units")));
  unit.selectedIndex = Math.max(0, all.findIndex((c) => c.units === state.conversion.units));
  const table = h("select", { "aria-label": "colour table", id: "table", change: () => { state.scale.table = table.value; state.ownTable = true; suit(); tell("scale"); } }, ...state.tables.map((t) => h("option", { value: t.name }, t.name.replace("_r", " (reversed)"))));
  table.value = state.scale.table;
  const check = (name: string, on: boolean, set: (on: boolean) => void): HTMLLabelElement => {
    const box = h("input", { type: "checkbox", change: () => { set(box.checked); tell("scale"); } });
    box.checked = on;
    return h("label", {}, box, name);
  };
  const logs = check("log", state.scale.log, (on) => { state.scale.log = on; state.ownEnds = false; suit(); if (state.scale.contours > 0) state.scale.contours = contoursOf(state.scale, unitNow()); });
  const contours = check("contours", state.scale.contours > 0, (on) => { state.scale.contours = on ? contoursOf(state.scale, unitNow()) : 0; });
  const winds_ = windFields();
  const wind = h("select", { "aria-label": "wind barbs", id: "wind", title: "wind barbs: a half feather is 5 knots, a whole one 10, a pennant 50", change: () => void setBarbs(winds_[wind.selectedIndex - 1]?.field.path ?? "") },
    h("option", {}, "no barbs"), ...winds_.map((w) => h("option", {}, `barbs: ${w.field.name}`)));
  wind.selectedIndex = 1 + winds_.findIndex((w) => w.field === state.barbs?.field);
  const from = h("button", { type: "button", title: "take the range of what the map shows now", click: () => fromView() }, "from view");
  const reset = h("button", { type: "button", title: "the range and colours that suit the field", click: () => { state.ownEnds = state.ownTable = false; state.scale.log = false; state.scale.contours = 0; state.firstReach = true; suit(); tell("scale"); } }, "reset");
  bar.replaceChildren(h("div", { id: "scale" }, picture, marks),
    h("div", { id: "controls" }, end("lowest value of the colours", low, (v) => { state.scale.low = v; }), end("highest value of the colours", high, (v) => { state.scale.high = v; }),
      all.length > 1 ? unit : h("span", { id: "unit" }, state.conversion.units), table, logs, contours, winds_.length > 0 ? wind : undefined, from, reset));
}

/** Takes the scale from an address. */
export function readScale(q: URLSearchParams): void {
  const t = q.get("table");
  if (t && state.tables.some((x) => x.name === t)) { state.scale.table = t; state.ownTable = true; }
  const range = q.get("range")?.split(",").map(Number);
  if (range?.length === 2 && range.every(isFinite)) { [state.scale.low, state.scale.high] = range; state.ownEnds = true; }
  state.scale.log = q.get("log") === "1";
  const contours = Number(q.get("contours"));
  state.scale.contours = contours > 0 && isFinite(contours) ? contours : 0;
  state.ownContours = state.scale.contours > 0;
  applyTable();
}

/** Sets the scale to the range of the values in the window. */
function fromView(): void {
  if (!state.shown) return;
  const values: number[] = [];
  for (let j = 0; j < 120; j++) {
    for (let i = 0; i < 160; i++) {
      const p = camera.unproject((i / 159 - 0.5) * camera.width, (0.5 - j / 119) * camera.height);
      const v = p && valueAt(tiles, state.shown, p[0], p[1]);
      if (v && isFinite(v.value)) values.push(v.value);
    }
  }
  const found = reachOf(Float32Array.from(values));
  if (!found) return;
  setEnds(found, { table: state.scale.table });
  state.ownEnds = true;
  tell("scale");
}
