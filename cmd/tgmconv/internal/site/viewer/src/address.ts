// The address of the page holds all choices of the reader.

import { open } from "./fields";
import { Follower, textAt } from "./follow";
import { setGlobe } from "./moving";
import { place_, say, setTab } from "./page";
import { arrange } from "./second";
import { camera, indexOf, state, valueOf } from "./state";
import { setBarbs } from "./wind";

let remembering: ReturnType<typeof setTimeout> | undefined;
let written = "";

/** Writes the choices to the address, after a moment. */
export function remember(): void {
  clearTimeout(remembering);
  remembering = setTimeout(() => {
    if (!state.field) return;
    const q = new URLSearchParams();
    q.set("field", state.field.path);
    state.field.lead.forEach((a, i) => { if (a.length > 1) q.set("at." + a.name, String(valueOf(a, state.lead[i]) ?? `#${state.lead[i]}`)); });
    if (state.pyramid && camera.width > 1) q.set("c", [camera.lon.toFixed(3), camera.lat.toFixed(3), camera.scale.toPrecision(5)].join(","));
    if (camera.globe) q.set("globe", "1");
    if (state.ownTable) q.set("table", state.scale.table);
    if (state.ownEnds) q.set("range", `${state.scale.low},${state.scale.high}`);
    if (state.scale.log) q.set("log", "1");
    if (state.scale.contours) q.set("contours", String(state.scale.contours));
    if (state.conversion.factor !== 1 || state.conversion.offset !== 0) q.set("units", state.conversion.units);
    if (state.clicked) q.set("place", `${state.clicked.lat.toFixed(4)},${state.clicked.lon.toFixed(4)}`);
    if (state.clicked && state.alongDim) q.set("along", state.alongDim);
    if (state.area) q.set("box", [state.area.north, state.area.west, state.area.south, state.area.east].map((v) => v.toFixed(2)).join(","));
    if (state.barbs) q.set("wind", state.barbs.field.path);
    if (state.other) {
      q.set(state.subtracted ? "minus" : "beside", state.other.field.path);
      for (const [axis, i] of state.other.own) q.set("with." + state.other.field.lead[axis].name, textAt(state.document.dimensions, state.other.field.lead[axis], i));
    }
    if (state.tab !== "map") q.set("tab", state.tab);
    written = "#" + q.toString().replace(/%2C/g, ",");
    if (written !== location.hash) history.replaceState(null, "", written);
  }, 200);
}

/** Shows the choices of the address when something other than remember changes it. */
export function followAddress(): void {
  addEventListener("hashchange", () => { if (location.hash !== written) void fromAddress(); });
}

/** Takes the choices from the address of the page. */
export async function fromAddress(): Promise<void> {
  const q = new URLSearchParams(location.hash.slice(1));
  setTab(q.get("tab") === "data" ? "data" : "map");
  if (q.has("globe") !== camera.globe) setGlobe(q.has("globe"));
  const p = q.get("place")?.split(",").map(Number);
  state.clicked = p?.length === 2 && p.every(isFinite) ? { lat: p[0], lon: p[1] } : undefined;
  const f = state.document.fields.find((x) => x.path === q.get("field")) ?? state.document.fields.find((x) => !x.why) ?? state.document.fields[0];
  const sides = q.get("box")?.split(",").map(Number);
  state.area = sides?.length === 4 && sides.every(isFinite) ? { north: sides[0], west: sides[1], south: sides[2], east: sides[3] } : undefined;
  if (!state.clicked && !state.area) place_.hidden = true;
  if ((q.get("wind") ?? "") !== (state.barbs?.field.path ?? "")) void setBarbs(q.get("wind") ?? "");
  if (f) {
    const path = q.get("minus") ?? q.get("beside");
    const second = path === null ? undefined : state.document.fields.find((x) => x.path === path && !x.why);
    const before = state.other;
    state.other = second && new Follower(second, state.document.dimensions);
    second?.lead.forEach((a, i) => { const text = q.get("with." + a.name); if (text !== null) state.other!.own.set(i, indexOf(a, text)); });
    state.subtracted = state.other !== undefined && q.has("minus");
    const [one, opening] = [state.other, open(f, q)];
    state.alongDim = q.get("along") ?? "";
    try {
      await Promise.all([opening, one?.load()]);
    } catch (error) {
      if (state.other === one) state.other = undefined;
      say(error);
    }
    if ((before || one) && state.other === one) arrange(true);
  }
}
