// A second field, beside the first or subtracted from it.

import { applyTable } from "./colours";
import { type Field } from "./data";
import { button, h } from "./dom";
import { Follower, sameCells } from "./follow";
import { label, units } from "./format";
import { drawHeading } from "./heading";
import { Renderer } from "./map";
import { listen, resize } from "./moving";
import { canvas2, compare, heading2, say, stage } from "./page";
import { coastData } from "./painting";
import { showPlace } from "./place";
import { nameOf, sameUnits, state, tell, tiles } from "./state";

/** The position of the second map in a new comparison: one back along the dimension stepped last, or along the first. */
function firstDifference(f: Field): Map<number, number> {
  const axis = state.lastMoved >= 0 && state.lastMoved < f.lead.length && f.lead[state.lastMoved].length > 1 ? state.lastMoved : f.lead.findIndex((a) => a.length > 1);
  return axis < 0 ? new Map() : new Map([[axis, state.lead[axis] > 0 ? state.lead[axis] - 1 : state.lead[axis] + 1]]);
}

/** Shows a second field, or closes it. */
export function toggleOther(): void { void (state.other ? setOther() : setOther(state.field, state.field && firstDifference(state.field))); }

/** Shows a second field, or none. */
async function setOther(f?: Field, own?: Map<number, number>, minus?: boolean): Promise<void> {
  const before = state.other;
  state.other = f && new Follower(f, state.document.dimensions);
  for (const [axis, i] of own ?? []) state.other?.own.set(axis, i);
  const one = state.other;
  if (one) {
    try {
      await one.load();
    } catch (error) {
      if (state.other === one) state.other = undefined;
      say(error);
    }
  }
  if (state.other !== one) return;
  state.subtracted = state.other !== undefined && (minus ?? (before ? state.subtracted : true)) && !whyNot();
  arrange();
}

/** The reason why the second field cannot be subtracted. */
function whyNot(): string {
  if (!state.other?.pyramid || !state.pyramid || !state.field) return "";
  if (!sameUnits(state.other.field)) return `its units are ${units(state.other.field.units) || "none"}, those of ${state.field.name} ${units(state.field.units) || "none"}`;
  return sameCells(state.pyramid, state.other.pyramid) ? "" : "it has another grid";
}

/** Arranges one map or two, and chooses a new scale if the old scale was for other values. */
export function arrange(asAddressed = false): void {
  const two = state.other !== undefined && !state.subtracted;
  stage.classList.toggle("two", two);
  canvas2.hidden = heading2.hidden = !two;
  if (two && !state.renderer2) {
    state.renderer2 = new Renderer(canvas2, tiles);
    coastData.forEach((data, i) => state.renderer2!.setCoast(i, data));
    listen(canvas2);
  }
  state.reach = state.scale2 = state.shown2 = undefined;
  if (!asAddressed) {
    state.ownEnds = state.ownTable = false;
    state.scale.log = false;
  }
  applyTable();
  drawCompare();
  drawHeading();
  requestAnimationFrame(() => { resize(); tell("second"); });
  showPlace();
}

/** Draws the controls that choose the second field and its positions. */
export function drawCompare(): void {
  compare.hidden = !state.other;
  if (!state.other || !state.field) { compare.replaceChildren(); return; }
  if (state.subtracted && whyNot()) { state.subtracted = false; arrange(); return; }
  const o = state.other, leader = state.field;
  const drawable = state.document.fields.filter((f) => !f.why);
  const which = h("select", { "aria-label": "second field", id: "second", change: () => void setOther(drawable[which.selectedIndex], undefined) },
    ...drawable.map((f) => h("option", {}, [f.group, f.long_name ?? f.name].filter(Boolean).join(": "))));
  which.selectedIndex = drawable.indexOf(o.field);
  const how = h("select", { "aria-label": "how to compare", id: "how", change: () => { state.subtracted = how.value === "minus"; arrange(); } },
    h("option", { value: "minus", disabled: whyNot() !== "" }, "difference"), h("option", { value: "beside" }, "side by side"));
  how.value = state.subtracted ? "minus" : "beside";
  compare.replaceChildren(h("span", {}, "Second field"), how, which);
  o.field.lead.forEach((a, axis) => {
    if (a.length < 2) return;
    const d = state.document.dimensions[a.dimension];
    const follows = o.follows(axis, leader);
    const at = h("select", { "aria-label": `${nameOf(a)} of the second field`, "data-axis": axis, change: () => {
      const i = at.selectedIndex - (follows ? 1 : 0);
      if (i < 0) o.own.delete(axis); else o.own.set(axis, i);
      state.scale2 = undefined;
      state.reach = undefined;
      tell("second");
    } }, follows ? h("option", {}, `same ${nameOf(a)}`) : undefined,
    ...Array.from({ length: Math.min(a.length, 1000) }, (_, i) => h("option", {}, label(d?.values[i], i, d?.units))));
    at.selectedIndex = (o.own.get(axis) ?? (follows ? -1 : 0)) + (follows ? 1 : 0);
    compare.append(at);
  });
  const why = whyNot();
  if (why) compare.append(h("small", {}, `no difference: ${why}`));
  compare.append(button("close", "close the second field", () => void setOther()));
}
