// The choices of the reader and the shown maps, which all parts of the viewer read and change.

import { Camera } from "./camera";
import { type Area, type Field, type FieldsDocument, type Pyramid } from "./data";
import { Follower, indexOf as positionOfLabel, valueOf as labelAt } from "./follow";
import { type Conversion, label, units } from "./format";
import { Renderer } from "./map";
import { type Reach, type Scale, type Table } from "./scale";
import { type Selection, Tiles } from "./tiles";

interface State {
  document: FieldsDocument;
  tables: Table[];
  field?: Field;
  pyramid?: Pyramid;
  lead: number[]; // the positions along the dimensions of the field
  shown?: Selection; // the map that is drawn until the chosen map has come
  shown2?: Selection;
  lastMoved: number; // the dimension stepped last, whose next position is prefetched
  playing: number; // the dimension along which the map plays, -1 for none
  reach?: Reach; // of the values of the map
  scale: Scale;
  ownTable: boolean; // the reader has chosen the colour table
  ownEnds: boolean; // and the ends of the scale
  ownContours: boolean; // and the interval of contours
  conversion: Conversion;
  clicked?: { lat: number; lon: number };
  area?: Area; // whose statistics are shown
  boxing: boolean; // a drag chooses an area
  other?: Follower; // the second field
  subtracted: boolean; // the second field is subtracted from the first, else beside it
  scale2?: Scale; // of a second field with other units
  barbs?: { field: Field; east: Follower; north: Follower; knots: number };
  alongDim: string; // the dimension of the diagram of a place
  tab: string;
  renderer?: Renderer;
  renderer2?: Renderer; // of the second field, made when there is one
  asked: number; // when the chosen map was requested
  firstReach: boolean; // the reach is taken again from the next complete map
  fitted: boolean; // the map shows the whole field, even when the window changes
  remake?: () => void; // draws the diagram again
}

export const state: State = {
  document: { fields: [], dimensions: {} },
  tables: [],
  lead: [],
  lastMoved: -1,
  playing: -1,
  scale: { table: "viridis", low: 0, high: 1, log: false, contours: 0 },
  ownTable: false,
  ownEnds: false,
  ownContours: false,
  conversion: { units: "", factor: 1, offset: 0 },
  boxing: false,
  subtracted: false,
  alongDim: "",
  tab: "map",
  asked: 0,
  firstReach: false,
  fitted: false,
};

export const camera = new Camera();
export const tiles = new Tiles();

/** A change by the reader: "scale" is any of the colours, "camera" of the view, "place" of the place or area. */
type Change = "field" | "step" | "second" | "wind" | "scale" | "camera" | "place" | "tab";

const reactions = new Map<Change, (() => void)[]>();
/** Sets the reactions to a change, in their order. Only main calls it, which knows all parts. */
export const on = (change: Change, ...list: (() => void)[]): void => void reactions.set(change, list);
/** Announces a change to those who react. */
export const tell = (change: Change): void => reactions.get(change)?.forEach((react) => react());

/** The map of the chosen positions. */
export function chosen(): Selection | undefined {
  if (!state.pyramid || state.pyramid.field !== state.field) return undefined;
  if (!state.other || !state.subtracted) return { pyramid: state.pyramid, lead: state.lead };
  return state.other.pyramid && { pyramid: state.pyramid, lead: state.lead, minus: state.other.selection(state.field, state.lead) };
}

/** The map beside the chosen map. */
export const beside = (): Selection | undefined => (state.other && !state.subtracted && state.field ? state.other.selection(state.field, state.lead) : undefined);

export const valueOf = (a: Field["lead"][number], i: number): number | string | null => labelAt(state.document.dimensions, a, i);
export const indexOf = (a: Field["lead"][number], text: string): number => positionOfLabel(state.document.dimensions, a, text);
export const sameUnits = (f: Field): boolean => units(f.units) === units(state.field?.units);

export function textOf(a: Field["lead"][number], index: number): string {
  const d = state.document.dimensions[a.dimension];
  const text = label(d?.values[index], index, d?.units);
  return typeof d?.values[index] === "string" ? text : `${nameOf(a)} ${text}`;
}

export const nameOf = (a: Field["lead"][number]): string => {
  const known: Record<string, string> = { isobaricInhPa: "pressure", heightAboveGround: "height", number: "member", hybrid: "model level" };
  return known[a.name] ?? a.name.replace(/_/g, " ");
};

/** Degrees Celsius that differ by 1 differ by 1 K: differences have no offset. */
export const unitNow = (): Conversion => (state.subtracted && state.other ? { ...state.conversion, offset: 0 } : state.conversion);

export const shownValue = (v: number): number => { const c = unitNow(); return v * c.factor + c.offset; };
export const storedValue = (v: number): number => { const c = unitNow(); return (v - c.offset) / c.factor; };
