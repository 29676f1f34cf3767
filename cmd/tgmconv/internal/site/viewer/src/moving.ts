// Moves the map by buttons and by pointers, which also choose places and areas.

import { wrap } from "./camera";
import { type Area } from "./data";
import { button, icon } from "./dom";
import { canvas, canvas2, over, readout } from "./page";
import { redraw } from "./painting";
import { setBoxing, showValue } from "./place";
import { camera, state, tell } from "./state";

function moved(): void {
  state.asked = Math.max(state.asked, performance.now() - 200);
  tell("camera");
}

export function zoom(factor: number, x = 0, y = 0): void { state.fitted = false; camera.zoom(factor, x, y); moved(); }
export function pan(dx: number, dy: number): void { state.fitted = false; camera.pan(dx, dy); moved(); }

export function fit(): void {
  const l = state.pyramid?.levels[0];
  if (l) camera.fit(l.west, l.north - l.rows * l.dlat, l.west + l.cols * l.dlon, l.north);
  else camera.fit(-180, -90, 180, 90);
  state.fitted = true;
  moved();
}

export const globeButton = button("globe", "globe (g)", () => setGlobe(!camera.globe));

export function setGlobe(on: boolean): void {
  camera.globe = on;
  globeButton.replaceChildren(icon(on ? "flat" : "globe"));
  globeButton.title = on ? "flat map (g)" : "globe (g)";
  globeButton.setAttribute("aria-label", globeButton.title);
  if (state.fitted) fit();
  moved();
}

export function resize(): void {
  const box = canvas.getBoundingClientRect();
  const first = camera.width === 1;
  const wide = Math.max(1, box.width) / camera.width;
  camera.width = Math.max(1, box.width);
  camera.height = Math.max(1, box.height);
  for (const c of [canvas, canvas2, over]) {
    c.width = Math.round(camera.width * devicePixelRatio);
    c.height = Math.round(camera.height * devicePixelRatio);
  }
  if (state.fitted) fit();
  else if (!first) camera.scale *= wide;
  moved();
}

const pointers = new Map<number, { x: number; y: number }>();
let travelled = 0;
let from: [lon: number, lat: number] | undefined; // a corner of the area that is being chosen

/** Lets the pointer move a map, and choose places and areas on it. */
export function listen(on: HTMLCanvasElement): void {
  const at = (e: { clientX: number; clientY: number }): [number, number] => {
    const box = on.getBoundingClientRect();
    return [e.clientX - box.left - camera.width / 2, camera.height / 2 - (e.clientY - box.top)];
  };
  on.addEventListener("pointerdown", (e) => {
    on.setPointerCapture(e.pointerId);
    pointers.set(e.pointerId, { x: e.clientX, y: e.clientY });
    if (pointers.size === 1) travelled = 0;
    from = pointers.size === 1 && (state.boxing || e.shiftKey) ? camera.unproject(...at(e)) : undefined;
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
      if (to && travelled > 3) { state.area = areaOf(from, to); state.clicked = undefined; redraw(); }
      return;
    }
    if (others.length > 0) {
      const o = others[0];
      const factor = Math.hypot(e.clientX - o.x, e.clientY - o.y) / Math.max(1, Math.hypot(before.x - o.x, before.y - o.y));
      const [x, y] = at({ clientX: (e.clientX + o.x) / 2, clientY: (e.clientY + o.y) / 2 });
      camera.pan(dx / 2, dy / 2);
      camera.zoom(factor, x, y);
    } else if (travelled > 3) camera.pan(dx, dy);
    if (travelled > 3) { state.fitted = false; moved(); }
  });
  on.addEventListener("pointerup", (e) => {
    if (!pointers.delete(e.pointerId) || pointers.size > 0) return;
    if (from && state.area && travelled > 3) { from = undefined; setBoxing(false); tell("place"); return; }
    from = undefined;
    if (travelled > 3) return;
    const p = camera.unproject(...at(e));
    showValue(...at(e));
    if (p) { state.clicked = { lon: wrap(p[0]), lat: p[1] }; state.area = undefined; redraw(); tell("place"); }
  });
  on.addEventListener("pointercancel", (e) => pointers.delete(e.pointerId));
  on.addEventListener("pointerleave", () => { readout.textContent = ""; });
  on.addEventListener("wheel", (e) => {
    e.preventDefault();
    zoom(Math.exp(-Math.max(-200, Math.min(200, e.deltaY * (e.deltaMode === 1 ? 30 : 1))) / 400), ...at(e));
  }, { passive: false });
}

/** The area between two corners, the shorter way round the earth. */
function areaOf(a: [number, number], b: [number, number]): Area {
  const east = camera.globe ? wrap(b[0] - a[0]) : Math.max(-360, Math.min(360, b[0] - a[0]));
  const west = wrap(east < 0 ? a[0] + east : a[0]);
  return { north: Math.max(a[1], b[1]), south: Math.min(a[1], b[1]), west, east: west + Math.abs(east) };
}
