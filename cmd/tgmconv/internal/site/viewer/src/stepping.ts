// Sliders along dimensions, and playing.

import { button, h, icon } from "./dom";
import { label } from "./format";
import { sliders } from "./page";
import { chosen, nameOf, state, tell } from "./state";
import { nameOf as nameOfMap } from "./tiles";

export function drawSliders(): void {
  sliders.replaceChildren();
  state.field?.lead.forEach((a, axis) => {
    if (a.length < 2) return;
    const d = state.document.dimensions[a.dimension];
    const text = h("output", {});
    const range = h("input", { type: "range", min: 0, max: a.length - 1, step: 1, id: `slider-${axis}`, input: () => step(axis, Number(range.value)) });
    range.value = String(state.lead[axis]);
    const play = button("play", `play along ${nameOf(a)}`, () => (state.playing === axis ? stop() : start(axis)));
    play.classList.add("play");
    sliders.append(h("div", { class: "slider", "data-axis": axis }, h("label", { for: `slider-${axis}`, title: d?.long_name ?? a.name }, nameOf(a)), play,
      button("back", `one back along ${nameOf(a)}`, () => step(axis, state.lead[axis] - 1)), range, button("on", `one on along ${nameOf(a)}`, () => step(axis, state.lead[axis] + 1)), text));
  });
  setSliders();
}

function setSliders(): void {
  for (const row of sliders.querySelectorAll<HTMLElement>(".slider")) {
    const axis = Number(row.dataset.axis);
    const a = state.field!.lead[axis], d = state.document.dimensions[a.dimension];
    const range = row.querySelector("input")!;
    const text = label(d?.values[state.lead[axis]], state.lead[axis], d?.units);
    range.value = String(state.lead[axis]);
    range.setAttribute("aria-valuetext", text);
    row.querySelector("output")!.textContent = text;
    const play = row.querySelector(".play")!;
    play.replaceChildren(icon(state.playing === axis ? "pause" : "play"));
    play.setAttribute("aria-pressed", String(state.playing === axis));
  }
}

export function step(axis: number, index: number): void {
  if (!state.field) return;
  const n = state.field.lead[axis].length;
  state.lead = state.lead.slice();
  state.lead[axis] = ((index % n) + n) % n;
  state.lastMoved = axis;
  setSliders();
  tell("step");
}

let timer: ReturnType<typeof setTimeout> | undefined;

export function start(axis: number): void {
  state.playing = axis;
  state.lastMoved = axis;
  setSliders();
  const tick = (): void => {
    if (state.playing !== axis) return;
    // The next map is shown only when it is loaded, so that no map is left out.
    const s = chosen();
    if (s && state.shown && nameOfMap(state.shown) === nameOfMap(s)) step(axis, state.lead[axis] + 1);
    timer = setTimeout(tick, 400);
  };
  timer = setTimeout(tick, 0);
}

export function stop(): void {
  state.playing = -1;
  clearTimeout(timer);
  setSliders();
}
