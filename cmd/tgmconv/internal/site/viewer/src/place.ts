// Values under the pointer, the diagram of a place and the statistics of an area.

import { draw as drawChart } from "./chart";
import { readBox, readSeries } from "./data";
import { button, download, h } from "./dom";
import { type Conversion, conversions, label, niceStep, number, place, quotedCell, units } from "./format";
import { valueAt } from "./map";
import { place_, readout, stage } from "./page";
import { redraw } from "./painting";
import { type Scale } from "./scale";
import { camera, nameOf, sameUnits, shownValue, state, tell, tiles, unitNow } from "./state";
import { step } from "./stepping";
import { type Selection } from "./tiles";

export function showValue(x: number, y: number): void {
  const p = camera.unproject(x, y);
  readout.textContent = "";
  if (!p || !state.shown) return;
  const text = (s: Selection, own: Scale, c: Conversion): string => {
    const v = valueAt(tiles, s, p[0], p[1]);
    if (v === undefined) return "";
    return isFinite(v.value) ? `${v.level > 0 ? "≈ " : ""}${number(v.value * c.factor + c.offset, niceStep(Math.abs((own.high - own.low) * c.factor), 1000))} ${c.units}` : "missing";
  };
  readout.textContent = `${place(p[1], p[0])}   ${text(state.shown, state.scale, unitNow())}`;
  if (state.other && !state.subtracted && state.shown2) readout.textContent += `   ${text(state.shown2, state.scale2 ?? state.scale, state.scale2 ? { units: units(state.other.field.units), factor: 1, offset: 0 } : state.conversion)}`;
}

let placeRequest: AbortController | undefined;

/** Fills the panel, and aborts the request for its previous content. */
function begin(title: string, ...content: Node[]): AbortSignal {
  placeRequest?.abort();
  placeRequest = new AbortController();
  place_.hidden = false;
  place_.replaceChildren(h("header", {}, h("b", {}, title), button("close", "close (Escape)", closePlace)), ...content);
  return placeRequest.signal;
}

/** Shows the statistics of the chosen area, or else the values at the chosen place. */
export function showPlace(): void { if (state.area) void showBox(); else void showSeries(); }

async function showSeries(): Promise<void> {
  if (!state.clicked || !state.field || !state.pyramid) return;
  state.area = undefined;
  const f = state.field, at = state.clicked;
  const dims = f.lead.filter((a) => a.length > 1);
  const along = dims.find((a) => a.name === state.alongDim) ?? dims.find((a) => /time|step/.test(a.name)) ?? dims[0];
  state.alongDim = along?.name ?? "";
  const body = h("div", { class: "body" }, along ? "…" : "");
  const tools = h("div", { class: "dims" });
  for (const a of dims) tools.append(h("button", { type: "button", "aria-pressed": String(a === along), click: () => { state.alongDim = a.name; tell("place"); } }, `along ${nameOf(a)}`));
  const signal = begin(place(at.lat, at.lon), tools, body);
  if (!along) {
    state.remake = () => {
      const v = state.shown && valueAt(tiles, state.shown, at.lon, at.lat);
      body.textContent = v && isFinite(v.value) ? `${number(shownValue(v.value))} ${state.conversion.units}${v.level > 0 ? " (mean of some cells)" : ""}` : "There is no value here.";
    };
    state.remake();
    return;
  }
  try {
    const members = dims.find((a) => a !== along && /^(number|member|realization|ensemble)/i.test(a.name));
    const o = state.other, second = o && sameUnits(o.field) && o.field.lead.some((a) => a.name === along.name && a.length === along.length) ? o : undefined;
    const [first, two] = await Promise.all([readSeries(f, at.lat, at.lon, along.name, members?.name ?? "", state.lead, signal),
      second && readSeries(second.field, at.lat, at.lon, along.name, "", second.lead(f, state.lead), signal)]);
    const values = first.values;
    const convert = (list: (number | null)[]): (number | null)[] => list.map((v) => (v === null ? null : v * state.conversion.factor + state.conversion.offset));
    const axis = f.lead.indexOf(along);
    const d = state.document.dimensions[along.dimension];
    const labels = values.map((_, i) => label(d?.values[i], i, d?.units));
    const short = shorter(labels);
    const numbers = values.map((_, i) => { const v = d?.values[i]; return typeof v === "number" ? v : typeof v === "string" && isFinite(Date.parse(v)) ? Date.parse(v) : null; });
    const make = (): void => {
      body.replaceChildren(drawChart({
        labels: short, numbers, values: convert(values), bands: first.bands?.map(convert), second: two && convert(two.values), units: state.conversion.units, now: state.lead[axis],
        title: `${along.name} ${d?.units ?? ""}`, profile: /isobaric|level|height|depth|hybrid|pressure|altitude|theta/i.test(along.name), choose: (i) => step(axis, i),
      }), h("button", { type: "button", click: () => {
        const columns: [string, (number | null)[]][] = [[f.name, values]];
        if (first.bands) ["min", "p10", "p25", "median", "p75", "p90", "max"].forEach((name, k) => columns.push([`${f.name} ${name}`, first.bands![k]]));
        if (two) columns.push([second!.field.name + " second", two.values]);
        const table = [[along.name, ...columns.map(([name]) => `${name}${state.conversion.units ? ` (${state.conversion.units})` : ""}`)].map(quotedCell).join(","),
          ...labels.map((l, i) => [quotedCell(l), ...columns.map(([, list]) => { const v = convert([list[i]])[0]; return v === null ? "" : String(Number(v.toPrecision(9))); })].join(","))];
        download(`${f.name}_${at.lat.toFixed(2)}_${at.lon.toFixed(2)}.csv`, new Blob([table.join("\r\n") + "\r\n"], { type: "text/csv" }));
      } }, "save as CSV"));
    };
    make();
    state.remake = make;
  } catch (error) {
    if (!signal.aborted) body.textContent = error instanceof Error ? error.message : String(error);
  }
}

export const boxButton = button("box", "statistics of an area (b): drag over it", () => setBoxing(!state.boxing));

export function setBoxing(on: boolean): void {
  state.boxing = on;
  boxButton.setAttribute("aria-pressed", String(on));
  stage.classList.toggle("boxing", on);
}

/** Shows the statistics of the area, of both fields if there are two. */
async function showBox(): Promise<void> {
  if (!state.area || !state.field) return;
  state.clicked = state.remake = undefined;
  const a = state.area, f = state.field, o = state.other;
  const body = h("div", { class: "body" }, "…");
  const signal = begin(`${place(a.north, a.west, 1)} to ${place(a.south, a.east, 1)}`, body);
  redraw();
  try {
    const all = await Promise.all([readBox(f, a, state.lead, signal), ...(o ? [readBox(o.field, a, o.lead(f, state.lead), signal)] : [])]);
    const shows = (i: number): Conversion => (i === 0 || sameUnits(o!.field) ? state.conversion : conversions(o!.field.units)[0]);
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

let again: ReturnType<typeof setTimeout> | undefined;

/** Marks the position of the map in the diagram. The diagram of another level or member is read again. */
export function markNow(): void {
  if (state.clicked && !state.other && state.field && state.lastMoved >= 0 && state.field.lead[state.lastMoved].name === state.alongDim) { state.remake?.(); return; }
  clearTimeout(again);
  if (state.clicked || state.area) again = setTimeout(showPlace, 150);
}

/** Labels without their common beginning. */
function shorter(labels: string[]): string[] {
  if (labels.length < 2 || !labels.every((l) => /^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(l))) return labels;
  const days = new Set(labels.map((l) => l.slice(0, 10)));
  return labels.map((l) => (days.size === 1 ? l.slice(11) : new Set(labels.map((l) => l.slice(11))).size === 1 ? l.slice(0, 10) : l.slice(5)));
}

export function closePlace(): void {
  state.clicked = state.area = state.remake = undefined;
  setBoxing(false);
  place_.hidden = true;
  placeRequest?.abort();
  redraw();
  tell("place");
}
