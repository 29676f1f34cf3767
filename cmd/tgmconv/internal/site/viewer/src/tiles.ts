// Tiles of maps, requested in order of need, and kept while there is room.

import { type Level, type Pyramid, readTile, tileSize } from "./data";

/** A tile is a part of a level of one map. */
export interface Tile { key: string; level: number; row: number; col: number; rows: number; cols: number; values: Float32Array; stride: number; used: number }

/** A map: one position along each dimension before latitude and longitude. Another map with the same cells may be subtracted. */
export interface Selection { pyramid: Pyramid; lead: number[]; minus?: Selection }

export const nameOf = (s: Selection): string => `${s.pyramid.field.path}|${s.lead}${s.minus ? `|-|${nameOf(s.minus)}` : ""}`;

const keyOf = (s: Selection, level: number, row: number, col: number): string => `${nameOf(s)}|${level}|${row}|${col}`;

export const grid = (l: Level): [rows: number, cols: number] => [Math.ceil(l.rows / tileSize), Math.ceil(l.cols / tileSize)];

/** A wish is a tile that somebody wants to see. */
export interface Wish { selection: Selection; level: number; row: number; col: number }

const keptBytes = 256 * 2 ** 20;
const atOnce = 6;

export class Tiles {
  private readonly tiles = new Map<string, Tile>();
  private readonly running = new Map<string, AbortController>();
  private readonly failed = new Map<string, unknown>();
  private wishes: Wish[] = [];
  private bytes = 0;
  private clock = 0;

  /** loaded is called with each new tile, onError with the error of each failed tile. */
  loaded?: (t: Tile) => void;
  onError?: (error: unknown) => void;

  get(s: Selection, level: number, row: number, col: number): Tile | undefined {
    const t = this.tiles.get(keyOf(s, level, row, col));
    if (t) t.used = ++this.clock;
    return t;
  }

  /** Requests tiles, in this order. Earlier requests for other tiles are dropped. */
  want(list: Wish[]): void {
    this.wishes = list;
    const keys = new Set(list.map((w) => keyOf(w.selection, w.level, w.row, w.col)));
    for (const [key, controller] of this.running) if (!keys.has(key)) controller.abort();
    this.pump();
  }

  /** Requests failed tiles again. */
  retry(): void {
    this.failed.clear();
    this.pump();
  }

  private pump(): void {
    for (const w of this.wishes) {
      if (this.running.size >= atOnce) return;
      const key = keyOf(w.selection, w.level, w.row, w.col);
      if (!this.tiles.has(key) && !this.running.has(key) && !this.failed.has(key)) void this.load(key, w);
    }
  }

  private async load(key: string, w: Wish): Promise<void> {
    const controller = new AbortController();
    this.running.set(key, controller);
    try {
      const l = w.selection.pyramid.levels[w.level];
      const read = (s: Selection): Promise<Float32Array> => readTile(s.pyramid, w.level, s.lead, w.row, w.col, controller.signal);
      const [values, less] = await Promise.all([read(w.selection), w.selection.minus && read(w.selection.minus)]);
      if (less) for (let i = 0; i < values.length; i++) values[i] -= less[i];
      const t: Tile = {
        key, level: w.level, row: w.row, col: w.col, values, stride: l.wide, used: ++this.clock,
        rows: Math.min(tileSize, l.rows - w.row * tileSize), cols: Math.min(tileSize, l.cols - w.col * tileSize),
      };
      if (values.length < l.high * l.wide) throw new Error("a tile is too short");
      this.tiles.set(key, t);
      this.bytes += values.byteLength;
      this.drop();
      this.loaded?.(t);
    } catch (error) {
      if (!controller.signal.aborted) {
        this.failed.set(key, error);
        this.onError?.(error);
      }
    } finally {
      this.running.delete(key);
      this.pump();
    }
  }

  /** Drops the tiles that have been unused for longest. */
  private drop(): void {
    if (this.bytes <= keptBytes) return;
    for (const t of [...this.tiles.values()].sort((a, b) => a.used - b.used)) {
      if (this.bytes <= keptBytes / 2) return;
      this.tiles.delete(t.key);
      this.bytes -= t.values.byteLength;
    }
  }
}
