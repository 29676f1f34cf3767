// Wind barbs: a staff that points to the origin of the wind, with feathers of 5 and 10 and pennants of 50 knots, towards low pressure.

import { type Camera } from "./camera";
import { type Field } from "./data";
import { Follower } from "./follow";
import { conversions } from "./format";
import { levelFor, valueIn } from "./map";
import { say } from "./page";
import { camera, state, tell } from "./state";
import { type Selection, type Tiles } from "./tiles";

const apart = 48, staff = 22; // pixels
const steps = [0.02, 0.05, 0.1, 0.2, 0.25, 0.4, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 4, 5, 7.5, 10, 12, 15, 20, 24, 30];

const stepOf = (degrees: number): number => steps.find((s) => s >= degrees) ?? 30;

/** The places of barbs in the window, at most one in a cell. They stay at their places while the map moves. */
export function* lattice(camera: Camera, cell: number): Generator<[lon: number, lat: number, x: number, y: number]> {
  const d = stepOf(Math.max(apart / camera.scale, cell * 0.99));
  const reach = Math.hypot(camera.width, camera.height) / 2 / camera.scale * (camera.globe ? 1.6 : 1) + d;
  for (let k = Math.ceil(Math.max(-89.9, camera.lat - reach) / d); k * d <= Math.min(89.9, camera.lat + reach); k++) {
    const lat = k * d;
    const narrow = camera.globe ? Math.cos(lat * Math.PI / 180) : camera.stretch;
    const along = Math.min(90, stepOf(d / narrow));
    const half = Math.min(180, reach / narrow);
    for (let i = Math.ceil((camera.lon - half) / along); i * along < camera.lon + half; i++) {
      const lon = i * along;
      const p = camera.put(lon - camera.lon, lat);
      if (p && Math.abs(p[0]) < camera.width / 2 + staff && Math.abs(p[1]) < camera.height / 2 + staff) yield [lon, lat, p[0], p[1]];
    }
  }
}

/** Draws the barbs of a wind. knots is the factor from its units to knots. */
export function drawBarbs(c: CanvasRenderingContext2D, camera: Camera, tiles: Tiles, u: Selection, v: Selection, level: number, knots: number, ink: string, halo: string): void {
  const path = new Path2D(), filled = new Path2D();
  for (const [lon, lat, x, y] of lattice(camera, u.pyramid.levels[0].dlat)) {
    const east = valueIn(tiles, u, level, lon, lat), north = valueIn(tiles, v, level, lon, lat);
    if (east === undefined || north === undefined || !isFinite(east) || !isFinite(north)) continue;
    const way = screenWay(camera, lon, lat, east, north);
    if (way) barb(path, filled, camera.width / 2 + x, camera.height / 2 - y, way, Math.hypot(east, north) * knots, lat < 0);
  }
  c.lineCap = "round";
  c.lineJoin = "round";
  for (const [style, width] of [[halo, 3.4], [ink, 1.3]] as const) {
    c.strokeStyle = c.fillStyle = style;
    c.lineWidth = width;
    c.stroke(path);
    c.stroke(filled);
    c.fill(filled);
  }
}

/** The direction on the screen, y down, towards which a wind blows; undefined for calm. */
function screenWay(camera: Camera, lon: number, lat: number, east: number, north: number): [number, number] | undefined {
  if (!camera.globe) {
    const n = Math.hypot(east, north);
    return n > 0 ? [east / n, -north / n] : [0, 1];
  }
  const e = 0.01;
  const at = camera.project(lon, lat), up = camera.project(lon, lat + e), right = camera.project(lon + e / Math.max(0.01, Math.cos(lat * Math.PI / 180)), lat);
  if (!at || !up || !right) return undefined;
  const x = (right[0] - at[0]) * east + (up[0] - at[0]) * north, y = (right[1] - at[1]) * east + (up[1] - at[1]) * north;
  const n = Math.hypot(x, y);
  return n > 0 ? [x / n, -y / n] : [0, 1];
}

function barb(path: Path2D, filled: Path2D, x: number, y: number, [dx, dy]: [number, number], speed: number, south: boolean): void {
  let fives = Math.round(speed / 5);
  if (fives === 0) {
    path.moveTo(x + 3, y);
    path.arc(x, y, 3, 0, 2 * Math.PI);
    return;
  }
  const point = (along: number, aside: number): [number, number] => {
    // Low pressure is to the left of the wind in the north, y down.
    const side = south ? -aside : aside;
    return [x - dx * along + dy * side, y - dy * along - dx * side];
  };
  path.moveTo(x, y);
  path.lineTo(...point(staff, 0));
  let at = staff;
  for (; fives >= 10; fives -= 10) {
    filled.moveTo(...point(at, 0));
    filled.lineTo(...point(at - 1, 9));
    filled.lineTo(...point(at - 5, 0));
    filled.closePath();
    at -= 6;
  }
  if (fives === 1 && at === staff) at -= 3.5; // a single half feather is not at the end, where it would look like the end of the staff
  for (; fives > 0; fives -= 2) {
    const long = fives > 1 ? 9 : 4.5;
    path.moveTo(...point(at, 0));
    path.lineTo(...point(at + long / 3, long));
    at -= 3.5;
  }
}

/** The winds of the dataset: components to the east whose partner is known, in units that become knots. */
export const windFields = (): { field: Field; knots: number }[] => state.document.fields.flatMap((f) => {
  const knots = conversions(f.units).find((c) => c.units === "kn")?.factor;
  return f.east && f.north && knots ? [{ field: f, knots }] : [];
});

export async function setBarbs(path: string): Promise<void> {
  const wind = windFields().find((w) => w.field.path === path);
  if (!wind) { state.barbs = undefined; tell("wind"); return; }
  const component = (path: string): Follower => new Follower({ ...wind.field, path }, state.document.dimensions);
  const made = { field: wind.field, east: component(wind.field.east!), north: component(wind.field.north!), knots: wind.knots };
  state.barbs = made;
  try {
    await Promise.all([made.east.load(), made.north.load()]);
    if (state.barbs === made) tell("wind");
  } catch (error) {
    if (state.barbs === made) state.barbs = undefined;
    say(error);
  }
}

/** The components of the wind whose barbs are drawn. */
export const winds = (): Selection[] => (state.barbs && state.field ? [state.barbs.east.selection(state.field, state.lead), state.barbs.north.selection(state.field, state.lead)].filter((s) => s !== undefined) : []);

/** The level whose cells are about as far apart as barbs. */
export const barbLevel = (s: Selection): number => levelFor(camera, s.pyramid.levels, 1 / 16);
