// Draws the map with its coastlines, labels, barbs and area.

import { wrap } from "./camera";
import { detailFor, details, type Inks, levelFor, meshWidth } from "./map";
import { mark, over } from "./page";
import { camera, state, tiles, unitNow } from "./state";
import { type Selection } from "./tiles";
import { barbLevel, drawBarbs, winds } from "./wind";

let frame = 0;
let inks: Inks;
export const dark = matchMedia("(prefers-color-scheme: dark)");

function chooseInks(): void {
  inks = dark.matches
    ? { earth: [0.13, 0.145, 0.17, 1], coast: [0.02, 0.02, 0.03, 0.9], border: [0.02, 0.02, 0.03, 0.45], grid: [0.5, 0.5, 0.5, 0.28] }
    : { earth: [0.9, 0.91, 0.925, 1], coast: [0.06, 0.07, 0.1, 0.9], border: [0.06, 0.07, 0.1, 0.4], grid: [0.25, 0.25, 0.3, 0.2] };
}

chooseInks();
dark.addEventListener("change", () => { chooseInks(); redraw(); });

export function redraw(): void {
  if (frame === 0) frame = requestAnimationFrame(() => { frame = 0; paint(); });
}

export const wantedLevel = (s: Selection): number => levelFor(camera, s.pyramid.levels, devicePixelRatio);

export function paint(): void {
  state.renderer?.draw(camera, state.shown && state.field === state.shown.pyramid.field ? state.shown : undefined, state.shown ? wantedLevel(state.shown) : 0, state.scale, unitNow(), inks);
  if (state.other && !state.subtracted) state.renderer2?.draw(camera, state.shown2, state.shown2 ? wantedLevel(state.shown2) : 0, state.scale2 ?? state.scale, state.scale2 ? { units: "", factor: 1, offset: 0 } : state.conversion, inks);
  const p = state.clicked && camera.project(state.clicked.lon, state.clicked.lat);
  mark.hidden = !p;
  if (p) {
    mark.style.left = `${camera.width / 2 + p[0]}px`;
    mark.style.top = `${camera.height / 2 - p[1]}px`;
  }
  paintOver();
}

/** Labels meridians at the lower edge of the flat map, and parallels at the left edge. */
function labelGraticule(c: CanvasRenderingContext2D): void {
  const d = meshWidth(camera);
  const [ink, halo] = dark.matches ? ["#fff", "#000a"] : ["#111", "#fffc"];
  c.font = "11px system-ui, sans-serif";
  c.lineJoin = "round";
  c.lineWidth = 3;
  const write = (text: string, x: number, y: number): void => {
    c.strokeStyle = halo;
    c.strokeText(text, x, y);
    c.fillStyle = ink;
    c.fillText(text, x, y);
  };
  const degrees = (v: number, positive: string, negative: string): string => (v === 0 || v === 180 || v === -180 ? `${Math.abs(v)}°` : `${Math.abs(v)}° ${v > 0 ? positive : negative}`);
  const across = camera.width / 2 / camera.scale / camera.stretch;
  c.textAlign = "center";
  const foot = Math.min(camera.height - 6, camera.height / 2 + (camera.lat + 90) * camera.scale + 12);
  for (let k = Math.ceil((camera.lon - across) / d); k * d <= camera.lon + across; k++) {
    const x = camera.width / 2 + (k * d - camera.lon) * camera.stretch * camera.scale;
    if (x > 24 && x < camera.width - 24 && !(foot > camera.height - 28 && x > camera.width - 180)) write(degrees(wrap(k * d), "E", "W"), x, foot);
  }
  c.textAlign = "left";
  const down = camera.height / 2 / camera.scale;
  for (let k = Math.ceil(Math.max(d - 90, camera.lat - down) / d); k * d <= Math.min(90 - d, camera.lat + down); k++) {
    const y = camera.height / 2 - (k * d - camera.lat) * camera.scale;
    if (y < camera.height - 24) write(degrees(k * d, "N", "S"), 4, y - 3);
  }
}

/** Draws barbs and the area over the map. */
function paintOver(): void {
  const c = over.getContext("2d")!;
  c.setTransform(1, 0, 0, 1, 0, 0);
  c.clearRect(0, 0, over.width, over.height);
  c.scale(devicePixelRatio, devicePixelRatio);
  if (!camera.globe) labelGraticule(c);
  const [u, v] = winds();
  if (state.barbs && u && v) drawBarbs(c, camera, tiles, u, v, barbLevel(u), state.barbs.knots, dark.matches ? "#fff" : "#111", dark.matches ? "#000a" : "#fffa");
  if (!state.area) return;
  const { north, west, south, east } = state.area;
  const turn = 360 * Math.round(((west + east) / 2 - camera.lon) / 360);
  const line = new Path2D();
  let pen = false;
  const corners: [number, number][] = [[west, north], [east, north], [east, south], [west, south], [west, north]];
  for (let k = 0; k < 4; k++) {
    for (let i = 0; i <= 32; i++) {
      const [lon, lat] = [corners[k][0] + (corners[k + 1][0] - corners[k][0]) * i / 32, corners[k][1] + (corners[k + 1][1] - corners[k][1]) * i / 32];
      // On the flat map the area goes on where the map is cut.
      const p = camera.put(lon - camera.lon - turn, lat);
      if (!p) { pen = false; continue; }
      if (pen) line.lineTo(camera.width / 2 + p[0], camera.height / 2 - p[1]);
      else line.moveTo(camera.width / 2 + p[0], camera.height / 2 - p[1]);
      pen = true;
    }
  }
  for (const [style, width] of [["#fff", 4], ["#111", 1.6]] as const) {
    c.strokeStyle = style;
    c.lineWidth = width;
    c.stroke(line);
  }
}

const coasts: boolean[] = [];

/** Reads the coastlines for the detail of the scale, once. */
export async function wantCoast(): Promise<void> {
  const detail = detailFor(camera);
  if (coasts[detail]) return;
  coasts[detail] = true;
  try {
    const response = await fetch(`@viewer/coast-${details[detail]}.bin`);
    if (!response.ok) return; // coarser coastlines are there
    const data = new Int32Array(await response.arrayBuffer());
    coastData[detail] = data;
    state.renderer?.setCoast(detail, data);
    state.renderer2?.setCoast(detail, data);
    redraw();
  } catch {
    coasts[detail] = false;
  }
}

export const coastData: Int32Array[] = [];
