// The chosen maps, and the parts of them that are loaded.

import { findReach, findScale2 } from "./colours";
import { drawHeading } from "./heading";
import { visible, wishes } from "./map";
import { map } from "./page";
import { redraw, wantedLevel } from "./painting";
import { beside, camera, chosen, state, tiles } from "./state";
import { nameOf as nameOfMap, type Selection } from "./tiles";
import { barbLevel, winds } from "./wind";

/** Shows the map of the chosen positions. */
export function select(): void {
  state.asked = performance.now();
  update();
  setTimeout(update, 250);
  drawHeading();
}

/** Requests missing tiles, and draws the loaded tiles. */
export function update(): void {
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
  if (complete || hasCoarse && (state.shown?.pyramid !== s.pyramid || !state.shown.minus !== !s.minus || performance.now() - state.asked > 200)) {
    state.shown = s;
    state.shown2 = second;
    if (second && !state.scale2 && complete) findScale2(second);
    if (!state.reach || !state.ownEnds && state.playing < 0 && complete && state.reach && state.firstReach) { findReach(s); }
  }
  map.classList.toggle("busy", !complete);
  if (complete) map.dataset.complete = nameOfMap(s); else delete map.dataset.complete;
  if (complete && state.clicked && !state.alongDim) state.remake?.(); // a number stands for all cells of a tile
  redraw();
}

/** The map after the chosen map, along the dimension stepped last. */
function following(s: Selection): Selection | undefined {
  const axis = state.playing >= 0 ? state.playing : state.lastMoved;
  if (axis < 0 || axis >= state.lead.length || state.lead[axis] + 1 >= s.pyramid.field.lead[axis].length && state.playing < 0) return undefined;
  const next = state.lead.slice();
  next[axis] = (next[axis] + 1) % s.pyramid.field.lead[axis].length;
  return { pyramid: s.pyramid, lead: next, minus: s.minus && state.other && state.other.selection(s.pyramid.field, next) };
}
