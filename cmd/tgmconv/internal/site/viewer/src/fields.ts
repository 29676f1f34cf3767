// The list of fields, and the open field.

import { wrap } from "./camera";
import { drawBar, readScale } from "./colours";
import { type Field, readPyramid } from "./data";
import { showHead } from "./dialogs";
import { h } from "./dom";
import { conversions, units } from "./format";
import { drawHeading } from "./heading";
import { fit } from "./moving";
import { bar, fieldList, heading, map, say, search, sliders, status } from "./page";
import { redraw } from "./painting";
import { closePlace } from "./place";
import { drawCompare } from "./second";
import { camera, indexOf, state, tell, valueOf } from "./state";
import { drawSliders, stop } from "./stepping";

let opened = 0; // counts the opened fields, to recognise late answers

export function listFields(): void {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, Field[]>();
  for (const f of state.document.fields) {
    const text = `${f.name} ${f.long_name ?? ""} ${f.group ?? ""} ${f.summary ?? ""}`.toLowerCase();
    if (words.every((w) => text.includes(w))) groups.set(f.group ?? "", [...(groups.get(f.group ?? "") ?? []), f]);
  }
  fieldList.replaceChildren();
  for (const [group, list] of groups) {
    if (group !== "") fieldList.append(h("li", { class: "group" }, group));
    for (const f of list) {
      const b = h("button", { type: "button", class: f.why ? "field not" : "field", "aria-current": f === state.field ? "true" : undefined, click: () => { map.classList.remove("listed"); void open(f); } },
        h("b", {}, f.name), h("span", {}, f.long_name && f.long_name !== f.name ? f.long_name : ""),
        h("small", {}, [units(f.units), ...f.lead.filter((a) => a.length > 1).map((a) => `${a.length} × ${a.name}`), f.why ? "cannot be drawn" : ""].filter(Boolean).join(" · ")));
      fieldList.append(h("li", {}, b));
    }
  }
  if (groups.size === 0) fieldList.append(h("li", { class: "group" }, state.document.fields.length === 0 ? "There are no fields here." : "No field has these words."));
}

const tableAddress = (f: Field): string => f.path.split("/").map(encodeURIComponent).join("/") + "/zarr.json";

export async function open(f: Field, from?: URLSearchParams): Promise<void> {
  const number_ = ++opened;
  stop();
  const before = state.field;
  state.field = f;
  state.alongDim = "";
  listFields();
  say();
  if (f.why) {
    state.pyramid = state.shown = undefined;
    sliders.replaceChildren();
    bar.replaceChildren();
    heading.replaceChildren(h("b", {}, f.long_name ?? f.name));
    status.hidden = false;
    status.replaceChildren(`${f.name} cannot be drawn: ${f.why}. `, h("button", { type: "button", id: "values", click: () => void showHead(f) }, "Its first values"), " ", h("a", { href: tableAddress(f) }, "Its metadata"));
    closePlace();
    redraw();
    return;
  }
  // Positions along dimensions that the previous field also had are kept.
  const kept = new Map<string, number | string | null>();
  before?.lead.forEach((a, i) => kept.set(a.dimension || a.name, valueOf(a, state.lead[i])));
  state.lead = f.lead.map((a, i) => {
    const text = from?.get("at." + a.name);
    if (text !== null && text !== undefined) return indexOf(a, text);
    const value = kept.get(a.dimension || a.name);
    return value === undefined || value === null ? f.first?.[i] ?? 0 : indexOf(a, String(value));
  });
  state.reach = undefined;
  state.ownEnds = state.ownTable = state.ownContours = false;
  state.scale = { ...state.scale, log: false, contours: from ? 0 : state.scale.contours };
  state.conversion = conversions(f.units).find((c) => c.units === (from?.get("units") ?? state.conversion.units)) ?? conversions(f.units)[0];
  if (from) readScale(from);
  drawSliders();
  drawHeading();
  drawBar();
  try {
    const p = await readPyramid(f);
    if (number_ !== opened) return;
    const [l, old] = [p.levels[0], state.pyramid?.levels[0]];
    state.pyramid = p;
    if (!from?.has("c") && (!old || old.west !== l.west || old.north !== l.north || old.dlon * old.cols !== l.dlon * l.cols || old.dlat * old.rows !== l.dlat * l.rows)) fit();
    if (from?.has("c")) {
      const [lon, lat, s] = from.get("c")!.split(",").map(Number);
      fit();
      if ([lon, lat, s].every(isFinite) && s > 0) { camera.lon = wrap(lon); camera.lat = Math.min(90, Math.max(-90, lat)); camera.scale = s; state.fitted = false; }
    }
    drawHeading();
    drawCompare();
    tell("field");
  } catch (error) {
    if (number_ === opened) say(error);
  }
}
