// Colour tables, and the values that their ends stand for.

import type { Choice, Field } from "./data";
import { type Conversion, logTicks, niceStep, ticks } from "./format";

export interface Table { name: string; diverging: boolean; colours: Uint8Array }

export async function readTables(): Promise<Table[]> {
  const list = await (await fetch("@viewer/tables.json")).json() as { name: string; diverging?: boolean; colours: string }[];
  const all: Table[] = [];
  for (const t of list) {
    const colours = Uint8Array.from(atob(t.colours), (c) => c.charCodeAt(0));
    all.push({ name: t.name, diverging: t.diverging === true, colours });
    const reversed = new Uint8Array(colours.length);
    for (let i = 0; i < colours.length; i += 3) reversed.set(colours.subarray(i, i + 3), colours.length - 3 - i);
    all.push({ name: t.name + "_r", diverging: t.diverging === true, colours: reversed });
  }
  return all;
}

/** The scale of the colours. contours is the interval of contours in the shown units, or how many there are on a logarithmic scale; 0 for none. */
export interface Scale { table: string; low: number; high: number; log: boolean; contours: number }

/** The least and greatest of values, and the same without the outermost thousandths if these lie far out. */
export interface Reach { low: number; high: number; first: number; last: number; least: number }

export function reachOf(values: Float32Array): Reach | undefined {
  const some = Float32Array.from(values.filter((v) => isFinite(v))).sort();
  const n = some.length;
  if (n === 0) return undefined;
  const low = some[0], high = some[n - 1];
  const cut = Math.floor(n / 1000);
  let first = some[cut], last = some[n - 1 - cut];
  if (first - low < 0.2 * (last - first)) first = low;
  if (high - last < 0.2 * (last - first)) last = high;
  if (first === last) { first = low; last = high; }
  return { low, high, first, last, least: some.find((v) => v > 0) ?? NaN };
}

/** The colour table of a field for values of this reach. */
export function choiceOf(field: Field, r: Reach): Choice {
  const [plain, both, lopsided] = field.colours ?? [];
  if (!(r.low < 0 && r.high > 0)) return plain ?? { table: "viridis" };
  return Math.min(-r.low, r.high) > 0.15 * Math.max(-r.low, r.high) ? both : lopsided;
}

/** The round ends of a scale for values. */
export function ends(r: Reach, c: Choice, log: boolean): [number, number] {
  let { first: low, last: high } = r;
  if (log) {
    low = Math.max(r.least, high / 1e6);
    return low < high ? [10 ** Math.floor(Math.log10(low)), 10 ** Math.ceil(Math.log10(high))] : [high / 10 || 1e-3, high || 1];
  }
  if (c.symmetric) { high = Math.max(Math.abs(low), Math.abs(high)); low = -high; }
  else if (c.zero) low = 0;
  const step = niceStep(high - low, 20);
  if (step === 0) return low === high ? [low - 1, high + 1] : [low, high];
  high = Math.ceil(high / step - 1e-6) * step;
  low = c.symmetric ? -high : Math.floor(low / step + 1e-6) * step;
  return [low, high];
}

/** The values beside the colours, in the shown units. */
export function marksOf(s: Scale, unit: Conversion): { at: number[]; step: number } {
  const [low, high] = [s.low * unit.factor + unit.offset, s.high * unit.factor + unit.offset];
  const at = s.log ? logTicks(low, high) : ticks(low, high, 8);
  return { at, step: s.log ? 0 : niceStep(high - low, 8) };
}

/** The contours that suit a scale. */
export function contoursOf(s: Scale, unit: Conversion): number {
  return s.log ? Math.max(3, Math.round(Math.log10(s.high / s.low) * 3)) : niceStep((s.high - s.low) * unit.factor, 16) || 1;
}

/** The place of a value on the scale, from 0 to 1, with contours taken into account. */
function positionOf(s: Scale, unit: Conversion, x: number): number {
  if (s.contours <= 0) return x;
  if (s.log) return (Math.min(Math.floor(x * s.contours), s.contours - 1) + 0.5) / s.contours;
  const v = (s.low + x * (s.high - s.low)) * unit.factor + unit.offset;
  const middle = ((Math.floor(v / s.contours + 1e-9) + 0.5) * s.contours - unit.offset) / unit.factor;
  return Math.min(1, Math.max(0, (middle - s.low) / (s.high - s.low)));
}

/** Draws the colours of a scale as a line of 256 pixels. */
export function paintBar(picture: HTMLCanvasElement, t: Table | undefined, scale: Scale, unit: Conversion): void {
  const context = picture.getContext("2d")!;
  const image = context.createImageData(256, 1);
  for (let i = 0; i < 256; i++) {
    const k = Math.min(255, Math.floor(positionOf(scale, unit, (i + 0.5) / 256) * 256));
    image.data.set(t ? [...t.colours.subarray(3 * k, 3 * k + 3), 255] : [128, 128, 128, 255], 4 * i);
  }
  context.putImageData(image, 0, 0);
}
