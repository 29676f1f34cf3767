// Reads from the server: fields, the levels of their maps, tiles of levels, and values at a place.

export interface Choice { table: string; zero?: boolean; symmetric?: boolean }
export interface Axis { name: string; length: number; dimension: string }
export interface Dimension { long_name?: string; units?: string; values: (number | string | null)[] }
export interface Field {
  path: string; name: string; long_name?: string; units?: string; summary?: string; group?: string;
  lead: Axis[]; first?: number[]; why?: string; colours?: Choice[]; grid?: string; east?: string; north?: string;
}
export interface FieldsDocument { fields: Field[]; dimensions: Record<string, Dimension> }

/** A level of the maps of a field: a regular grid, north and west first. */
export interface Level { rows: number; cols: number; west: number; north: number; dlon: number; dlat: number; high: number; wide: number }

/** The maps of a field at all resolutions, the finest first. */
export interface Pyramid { field: Field; levels: Level[]; gzip: boolean; nearest: boolean; global: boolean }

/** An answer of the server with an error status. */
export class ServerError extends Error {
  constructor(readonly status: number, message: string) { super(message); }
}

/** The largest number of cells along a side of a tile, the same as in package pyramid. */
export const tileSize = 256;

const root = document.body.dataset.maps ?? "";

async function ask(path: string, signal?: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(root + "/" + path, { signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ServerError(0, "the server does not answer");
  }
  if (!response.ok) {
    const text = (await response.text()).trim();
    throw new ServerError(response.status, text.length > 0 && text.length < 1000 ? text : `the server answers ${response.status}`);
  }
  return response;
}

const escaped = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

export async function readFields(): Promise<FieldsDocument> {
  return (await ask("@fields.json")).json();
}

export async function readPyramid(field: Field): Promise<Pyramid> {
  const document = await (await ask(`@map/${escaped(field.path)}/zarr.json`)).json();
  const inside = document.consolidated_metadata.metadata as Record<string, any>;
  const name = field.path.slice(field.path.lastIndexOf("/") + 1);
  const layout = document.attributes.multiscales.layout as any[];
  const levels = layout.map((entry): Level => {
    const [dlon, , west, , minusDlat, north] = entry["spatial:transform"];
    const [rows, cols] = entry["spatial:shape"];
    const chunk = inside[`${entry.asset}/${name}`].chunk_grid.configuration.chunk_shape as number[];
    return { rows, cols, west, north, dlon, dlat: -minusDlat, high: chunk[chunk.length - 2], wide: chunk[chunk.length - 1] };
  });
  const codecs = inside[`0/${name}`].codecs as { name: string }[];
  return {
    field, levels, gzip: codecs.some((c) => c.name === "gzip"), nearest: layout[0].resampling_method === "nearest",
    global: levels[0].cols * levels[0].dlon > 360 - levels[0].dlon / 2,
  };
}

/** Reads a tile of a coarse level in the form that package pyramid packs, to the size of a chunk. */
async function readPacked(p: Pyramid, level: number, lead: number[], row: number, col: number, signal: AbortSignal): Promise<Float32Array> {
  const query = new URLSearchParams({ variable: p.field.path, halved: String(level), row: String(row), col: String(col), at: lead.join(",") });
  const data = new DataView(await (await ask(`@tile.bin?${query}`, signal)).arrayBuffer());
  const [rows, cols] = [data.getUint16(0, true), data.getUint16(2, true)];
  const [least, step] = [data.getFloat32(4, true), data.getFloat32(8, true)];
  const { high, wide } = p.levels[level];
  const [n, values, numbers] = [rows * cols, new Float32Array(high * wide).fill(NaN), new Uint16Array(rows * cols)];
  for (let k = 0; k < n; k++) {
    const z = data.getUint8(12 + k) | data.getUint8(12 + n + k) << 8;
    const [j, i] = [Math.floor(k / cols), k % cols];
    numbers[k] = (z >> 1 ^ -(z & 1)) + (i > 0 ? numbers[k - 1] : 0) + (j > 0 ? numbers[k - cols] : 0) - (i > 0 && j > 0 ? numbers[k - cols - 1] : 0);
    if (numbers[k] > 0) values[j * wide + i] = least + (numbers[k] - 1) * step;
  }
  return values;
}

/** Reads the values of a tile: the whole chunk, which may be longer and wider than its level. */
export async function readTile(p: Pyramid, level: number, lead: number[], row: number, col: number, signal: AbortSignal): Promise<Float32Array> {
  if (level > 0) return readPacked(p, level, lead, row, col, signal);
  const name = p.field.path.slice(p.field.path.lastIndexOf("/") + 1);
  const key = ["c", ...lead, row, col].join("/");
  const response = await ask(`@map/${escaped(p.field.path)}/${level}/${encodeURIComponent(name)}/${key}`, signal);
  const body = p.gzip ? new Response(response.body!.pipeThrough(new DecompressionStream("gzip"))) : response;
  return new Float32Array(await body.arrayBuffer());
}

/** Values along a dimension, with the least value, quantiles and the greatest value of the ensemble at each position. */
export interface Series { values: (number | null)[]; bands?: (number | null)[][] }

/** Reads the values at a place along a dimension, and their bands over another. */
export async function readSeries(field: Field, lat: number, lon: number, along: string, over: string, at: number[], signal: AbortSignal): Promise<Series> {
  const query = new URLSearchParams({ variable: field.path, latitude: lat.toFixed(5), longitude: lon.toFixed(5), along, at: at.join(",") });
  if (over) query.set("over", over);
  return (await ask(`@series.json?${query}`, signal)).json();
}

/** The first values of a variable, in C order. */
export interface Head { dims: string[]; shape: number[]; values: (number | null)[] }

export async function readHead(field: Field): Promise<Head> {
  return (await ask(`@head.json?${new URLSearchParams({ variable: field.path })}`)).json();
}

export interface Area { north: number; west: number; south: number; east: number }
export interface BoxStatistics { points: number; missing: number; min: number | null; max: number | null; mean: number | null; std: number | null; median: number | null; area_mean: number | null }

/** Reads the statistics of a map in an area. */
export async function readBox(field: Field, area: Area, at: number[], signal: AbortSignal): Promise<BoxStatistics> {
  const query = new URLSearchParams({ variable: field.path, at: at.join(","), ...Object.fromEntries(Object.entries(area).map(([k, v]) => [k, v.toFixed(4)])) });
  return (await ask(`@box.json?${query}`, signal)).json();
}
