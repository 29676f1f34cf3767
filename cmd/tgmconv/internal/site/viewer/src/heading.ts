// Texts over the map that say what it shows.

import { h } from "./dom";
import { Follower } from "./follow";
import { conversions, number, units } from "./format";
import { heading, heading2, title } from "./page";
import { paintBar } from "./scale";
import { state, textOf } from "./state";

export function drawHeading(): void {
  if (!state.field) return;
  const f = state.field;
  const parts = f.lead.map((a, i) => textOf(a, state.lead[i]));
  heading.replaceChildren(h("b", {}, f.long_name ?? f.name), h("span", {}, parts.join(", ")));
  if (state.other) {
    const text = positionsOf(state.other).join(", ");
    const name = h("b", {}, state.other.field.long_name ?? state.other.field.name);
    if (state.subtracted) heading.append(h("div", {}, "minus ", name, h("span", {}, text)));
    else heading2.replaceChildren(name, h("span", {}, text), ...legend2());
  }
  if (state.pyramid?.nearest && state.pyramid.field === f) heading.append(h("small", { title: "each cell of the map has the value of the grid point nearest to it" }, "nearest points of its grid"));
  document.title = `${f.name} – ${title}`;
}

/** The colour bar of a second field with its own scale. */
function legend2(): Node[] {
  const t = state.scale2 && state.tables.find((t) => t.name === state.scale2!.table);
  if (!state.scale2 || !t || !state.other) return [];
  const picture = h("canvas", { width: 256, height: 1 });
  paintBar(picture, t, state.scale2, conversions(state.other.field.units)[0]);
  return [h("small", {}, number(state.scale2.low), picture, `${number(state.scale2.high)} ${units(state.other.field.units)}`)];
}

const positionsOf = (o: Follower): string[] => o.lead(state.field!, state.lead).map((at, i) => textOf(o.field.lead[i], at));

export const nameOfOther = (o: Follower): string => [o.field.long_name ?? o.field.name, ...positionsOf(o)].join(", ");
