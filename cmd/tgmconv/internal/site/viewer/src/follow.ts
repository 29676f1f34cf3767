// Fields that are shown together with the chosen field, at the same positions along shared dimensions.

import { type Axis, type Dimension, type Field, type Pyramid, readPyramid } from "./data";
import type { Selection } from "./tiles";

type Dimensions = Record<string, Dimension>;

/** The label of a position, null if there is none. */
export const valueOf = (d: Dimensions, a: Axis, i: number): number | string | null => d[a.dimension]?.values[i] ?? null;

/** The position of a label, or of "#3". */
export function indexOf(d: Dimensions, a: Axis, text: string): number {
  if (text.startsWith("#")) return Math.min(a.length - 1, Math.max(0, Number(text.slice(1)) || 0));
  return Math.max(0, d[a.dimension]?.values.findIndex((v) => String(v) === text) ?? -1);
}

/** The text by which indexOf finds a position. */
export const textAt = (d: Dimensions, a: Axis, i: number): string => String(valueOf(d, a, i) ?? `#${i}`);

/** A field that follows another. */
export class Follower {
  pyramid?: Pyramid;
  /** Positions that do not follow, by the number of the dimension. */
  readonly own = new Map<number, number>();

  constructor(readonly field: Field, private readonly dimensions: Dimensions) {}

  async load(): Promise<void> { this.pyramid ??= await readPyramid(this.field); }

  /** Reports whether a dimension can follow a dimension of another field. */
  follows(axis: number, leader: Field): boolean { return leader.lead.some((a) => a.name === this.field.lead[axis].name); }

  lead(leader: Field, at: number[]): number[] {
    return this.field.lead.map((a, i) => {
      const own = this.own.get(i);
      if (own !== undefined) return own;
      const k = leader.lead.findIndex((b) => b.name === a.name);
      if (k < 0) return 0;
      if (leader.lead[k].dimension === a.dimension) return Math.min(at[k], a.length - 1);
      return indexOf(this.dimensions, a, textAt(this.dimensions, leader.lead[k], at[k]));
    });
  }

  selection(leader: Field, at: number[]): Selection | undefined {
    return this.pyramid && { pyramid: this.pyramid, lead: this.lead(leader, at) };
  }
}

/** Reports whether the cells of two fields are the same, so that they can be subtracted. */
export function sameCells(a: Pyramid, b: Pyramid): boolean {
  return a.levels.length === b.levels.length && a.levels.every((l, i) => {
    const m = b.levels[i];
    return l.rows === m.rows && l.cols === m.cols && Math.abs(l.west - m.west) < 1e-6 && Math.abs(l.north - m.north) < 1e-6 && l.wide === m.wide;
  });
}
