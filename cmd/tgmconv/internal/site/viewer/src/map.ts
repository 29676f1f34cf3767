// Draws tiles, coastlines and a graticule with WebGL 2. Every pixel has the colour of the cell that it
// lies in, or of values between the four cells around it.

import { Camera } from "./camera";
import { type Level, tileSize } from "./data";
import type { Conversion } from "./format";
import type { Scale, Table } from "./scale";
import { grid, type Selection, type Tile, type Tiles, type Wish } from "./tiles";

const missing = 3e38;

const project = `#version 300 es
uniform vec2 middle; uniform vec2 size; uniform float scale; uniform float stretch; uniform bool globe; uniform float turn;
in vec2 place;
out float front;
const float degree = 0.017453292519943295;
void put(vec2 p) {
  vec2 at;
  front = 1.0;
  if (globe) {
    float east = (p.x - middle.x) * degree, s = sin(p.y * degree), c = cos(p.y * degree), s0 = sin(middle.y * degree), c0 = cos(middle.y * degree);
    front = s0 * s + c0 * c * cos(east);
    at = scale / degree * vec2(c * sin(east), c0 * s - s0 * c * cos(east));
  } else {
    at = vec2((p.x + turn - middle.x) * stretch, p.y - middle.y) * scale;
  }
  gl_Position = vec4(2.0 * at / size, 0.0, 1.0);
}
`;

const tileVertex = project + `
in vec2 cell; out vec2 inTile;
void main() { inTile = cell; put(place); }`;

const tileFragment = `#version 300 es
precision highp float; precision highp sampler2D;
uniform sampler2D values; uniform sampler2D colours; uniform vec2 ends; uniform bool logarithmic; uniform float interval; uniform vec2 unit; uniform vec4 nothing; uniform bool smoothed; uniform ivec2 cells;
in vec2 inTile; in float front; out vec4 colour;
float at(ivec2 p) { return texelFetch(values, clamp(p, ivec2(-1), cells) + 1, 0).r; }
void main() {
  if (front < 0.0) discard;
  ivec2 p = clamp(ivec2(floor(inTile)), ivec2(0), cells - 1);
  float v = at(p);
  colour = nothing;
  if (v > 1e38) return;
  if (smoothed) {
    vec2 q = inTile - 0.5; ivec2 o = ivec2(floor(q)); vec2 f = q - vec2(o);
    float sum = 0.0, all = 0.0;
    for (int j = 0; j < 2; j++) for (int i = 0; i < 2; i++) {
      float w = (i == 0 ? 1.0 - f.x : f.x) * (j == 0 ? 1.0 - f.y : f.y), x = at(o + ivec2(i, j));
      if (x < 1e38) { sum += w * x; all += w; }
    }
    if (all > 0.0) v = sum / all;
  }
  if (interval > 0.0 && !logarithmic) v = ((floor((v * unit.x + unit.y) / interval) + 0.5) * interval - unit.y) / unit.x;
  float t = logarithmic ? log(v / ends.x) / log(ends.y / ends.x) : (v - ends.x) / (ends.y - ends.x);
  if (logarithmic && v <= 0.0) t = 0.0;
  t = clamp(t, 0.0, 1.0);
  if (interval > 0.0 && logarithmic) t = (min(floor(t * interval), interval - 1.0) + 0.5) / interval;
  colour = vec4(texture(colours, vec2(t, 0.5)).rgb, 1.0);
}`;

const lineVertex = project + `void main() { put(place); }`;
const lineFragment = `#version 300 es
precision highp float;
uniform vec4 ink; in float front; out vec4 colour;
void main() { if (front < 0.0) discard; colour = vec4(ink.rgb * ink.a, ink.a); }`;

interface Program { program: WebGLProgram; uniform: (name: string) => WebGLUniformLocation | null }
interface Drawn { vertices: WebGLVertexArrayObject; buffers: WebGLBuffer[]; count: number; texture: WebGLTexture; dirty: boolean; used: number }
interface Lines { vertices: WebGLVertexArrayObject; count: number }

/** The colours of the drawing apart from tiles. */
export interface Inks { earth: number[]; coast: number[]; border: number[]; grid: number[] }

const keptTextures = 300;

export class Renderer {
  private readonly gl: WebGL2RenderingContext;
  private readonly tileProgram: Program;
  private readonly lineProgram: Program;
  private readonly drawn = new Map<string, Drawn>();
  private readonly table: WebGLTexture;
  private readonly coasts: { coast: Lines; borders: Lines }[] = [];
  private readonly graticules = new Map<number, Lines>();
  private readonly earth: Lines;
  private clock = 0;

  constructor(readonly canvas: HTMLCanvasElement, private readonly tiles: Tiles) {
    const gl = canvas.getContext("webgl2", { antialias: true, premultipliedAlpha: true, preserveDrawingBuffer: true });
    if (!gl) throw new Error("this browser has no WebGL 2, with which maps are drawn");
    this.gl = gl;
    this.tileProgram = this.compile(tileVertex, tileFragment);
    this.lineProgram = this.compile(lineVertex, lineFragment);
    this.table = gl.createTexture();
    const mesh = meshOf(-180, -90, 180, 90, 90, 45);
    this.earth = this.triangles(mesh.places, mesh.triangles);
  }

  private compile(vertex: string, fragment: string): Program {
    const gl = this.gl;
    const program = gl.createProgram();
    for (const [type, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]] as const) {
      const shader = gl.createShader(type)!;
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader) ?? "a shader does not compile");
      gl.attachShader(program, shader);
    }
    gl.bindAttribLocation(program, 0, "place");
    gl.bindAttribLocation(program, 1, "cell");
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? "shaders do not fit");
    const known = new Map<string, WebGLUniformLocation | null>();
    return { program, uniform: (name) => { if (!known.has(name)) known.set(name, gl.getUniformLocation(program, name)); return known.get(name)!; } };
  }

  private buffer(index: number, data: Float32Array): WebGLBuffer {
    const gl = this.gl;
    const b = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, b);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(index);
    gl.vertexAttribPointer(index, 2, gl.FLOAT, false, 0, 0);
    return b;
  }

  private linesOf(points: Float32Array): Lines {
    const vertices = this.gl.createVertexArray();
    this.gl.bindVertexArray(vertices);
    this.buffer(0, points);
    return { vertices, count: points.length / 2 };
  }

  private triangles(places: Float32Array, indices: Uint16Array): Lines {
    const lines = this.linesOf(places);
    const b = this.gl.createBuffer();
    this.gl.bindBuffer(this.gl.ELEMENT_ARRAY_BUFFER, b);
    this.gl.bufferData(this.gl.ELEMENT_ARRAY_BUFFER, indices, this.gl.STATIC_DRAW);
    return { vertices: lines.vertices, count: indices.length };
  }

  /** Sets the coastlines and borders of a detail, in the form of the files coast-*.bin. */
  setCoast(detail: number, data: Int32Array): void {
    const lines: [number[], number[]] = [[], []];
    for (let i = 0; i + 1 < data.length;) {
      const into = lines[data[i] === 1 ? 1 : 0];
      const n = data[i + 1];
      i += 2;
      let [lon, lat] = [0, 0];
      for (let k = 0; k < n; k++, i += 2) {
        const [x, y] = [lon + data[i], lat + data[i + 1]];
        if (k > 0) into.push(lon / 1000, lat / 1000, x / 1000, y / 1000);
        [lon, lat] = [x, y];
      }
    }
    this.coasts[detail] = { coast: this.linesOf(new Float32Array(lines[0])), borders: this.linesOf(new Float32Array(lines[1])) };
  }

  setTable(t: Table): void {
    const gl = this.gl;
    gl.bindTexture(gl.TEXTURE_2D, this.table);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB8, 256, 1, 0, gl.RGB, gl.UNSIGNED_BYTE, t.colours);
    for (const [key, value] of [[gl.TEXTURE_MIN_FILTER, gl.NEAREST], [gl.TEXTURE_MAG_FILTER, gl.NEAREST], [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]]) gl.texParameteri(gl.TEXTURE_2D, key, value);
  }

  /** The neighbours of a new tile now have its values at their edges. */
  came(t: Tile): void {
    for (const d of this.drawn) if (d[0] !== t.key) d[1].dirty = true;
  }

  private drawnOf(t: Tile, s: Selection): Drawn {
    let d = this.drawn.get(t.key);
    const gl = this.gl;
    if (!d) {
      const l = s.pyramid.levels[t.level];
      const [top, left] = [l.north - t.row * tileSize * l.dlat, l.west + t.col * tileSize * l.dlon];
      const [high, wide] = [t.rows * l.dlat, t.cols * l.dlon];
      // Cells beyond the poles are cut off, and so are parts of the last row and column of a level beyond the finest level.
      const finest = s.pyramid.levels[0];
      const south = Math.max(-90, top - high, finest.north - finest.rows * finest.dlat), north = Math.min(90, top);
      const east = Math.min(left + wide, finest.west + (s.pyramid.global ? 360 : finest.cols * finest.dlon));
      const mesh = meshOf(left, south, east, north, Math.min(96, Math.max(1, Math.ceil((east - left) / 2))), Math.min(96, Math.max(1, Math.ceil((north - south) / 2))));
      const cells = mesh.places.slice();
      for (let i = 0; i < cells.length; i += 2) {
        cells[i] = (cells[i] - left) / l.dlon;
        cells[i + 1] = (top - cells[i + 1]) / l.dlat;
      }
      const made = this.triangles(mesh.places, mesh.triangles);
      gl.bindVertexArray(made.vertices);
      const buffers = [this.buffer(1, cells)];
      d = { vertices: made.vertices, buffers, count: made.count, texture: gl.createTexture(), dirty: true, used: 0 };
      this.drawn.set(t.key, d);
      this.drop();
    }
    if (d.dirty) this.upload(t, s, d);
    d.used = ++this.clock;
    return d;
  }

  /** Uploads the values of a tile, with values of its neighbours at its edges. */
  private upload(t: Tile, s: Selection, d: Drawn): void {
    const gl = this.gl;
    const wide = t.cols + 2;
    const data = new Float32Array(wide * (t.rows + 2));
    const clean = (v: number): number => (v === v && Math.abs(v) < missing ? v : missing);
    const [, across] = grid(s.pyramid.levels[t.level]);
    const beside = (j: number, i: number): number => {
      let [row, col, y, x] = [t.row, t.col, j, i];
      if (j < 0) { row--; y = tileSize - 1; } else if (j >= t.rows) { row++; y = 0; }
      if (i < 0) { col--; x = -1; } else if (i >= t.cols) { col++; x = 0; }
      if (s.pyramid.global) col = (col + across) % across;
      const other = this.tiles.get(s, t.level, row, col);
      if (!other) return missing;
      if (x < 0) x = other.cols - 1;
      return y < other.rows && x < other.cols ? clean(other.values[y * other.stride + x]) : missing;
    };
    for (let j = -1; j <= t.rows; j++) {
      for (let i = -1; i <= t.cols; i++) {
        const inside = j >= 0 && i >= 0 && j < t.rows && i < t.cols;
        data[(j + 1) * wide + i + 1] = inside ? clean(t.values[j * t.stride + i]) : beside(j, i);
      }
    }
    gl.bindTexture(gl.TEXTURE_2D, d.texture);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 4);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R32F, wide, t.rows + 2, 0, gl.RED, gl.FLOAT, data);
    for (const [key, value] of [[gl.TEXTURE_MIN_FILTER, gl.NEAREST], [gl.TEXTURE_MAG_FILTER, gl.NEAREST], [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]]) gl.texParameteri(gl.TEXTURE_2D, key, value);
    d.dirty = false;
  }

  private drop(): void {
    if (this.drawn.size <= keptTextures) return;
    const old = [...this.drawn].sort((a, b) => a[1].used - b[1].used).slice(0, keptTextures / 2);
    for (const [key, d] of old) {
      this.gl.deleteTexture(d.texture);
      this.gl.deleteVertexArray(d.vertices);
      for (const b of d.buffers) this.gl.deleteBuffer(b);
      this.drawn.delete(key);
    }
  }

  /** Draws a map, or only the earth. */
  draw(camera: Camera, selection: Selection | undefined, level: number, scale: Scale, unit: Conversion, inks: Inks): void {
    const gl = this.gl;
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.disable(gl.BLEND);
    const turns = camera.globe ? [0] : [-360, 0, 360];
    this.lines(camera, turns, [[this.earth, gl.TRIANGLES, inks.earth]]);
    if (selection) this.field(camera, selection, level, scale, unit, inks);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    const lines = this.coasts[detailFor(camera)] ?? this.coasts.findLast((l) => l);
    this.lines(camera, turns, [[this.graticule(meshWidth(camera)), gl.LINES, inks.grid], [lines?.borders, gl.LINES, inks.border], [lines?.coast, gl.LINES, inks.coast]]);
  }

  private graticule(d: number): Lines {
    const known = this.graticules.get(d) ?? this.linesOf(graticule(d));
    this.graticules.set(d, known);
    return known;
  }

  private place(p: Program, camera: Camera): void {
    const gl = this.gl;
    gl.useProgram(p.program);
    gl.uniform2f(p.uniform("middle"), camera.lon, camera.lat);
    gl.uniform2f(p.uniform("size"), camera.width, camera.height);
    gl.uniform1f(p.uniform("scale"), camera.scale);
    gl.uniform1f(p.uniform("stretch"), camera.stretch);
    gl.uniform1i(p.uniform("globe"), camera.globe ? 1 : 0);
  }

  private lines(camera: Camera, turns: number[], list: [Lines | undefined, number, number[]][]): void {
    const gl = this.gl;
    this.place(this.lineProgram, camera);
    for (const [lines, mode, ink] of list) {
      if (!lines) continue;
      gl.bindVertexArray(lines.vertices);
      gl.uniform4f(this.lineProgram.uniform("ink"), ink[0], ink[1], ink[2], ink[3]);
      for (const turn of turns) {
        gl.uniform1f(this.lineProgram.uniform("turn"), turn);
        if (mode === gl.TRIANGLES) gl.drawElements(mode, lines.count, gl.UNSIGNED_SHORT, 0);
        else gl.drawArrays(mode, 0, lines.count);
      }
    }
  }

  /** Draws the loaded tiles, coarse tiles under fine tiles. */
  private field(camera: Camera, s: Selection, level: number, scale: Scale, unit: Conversion, inks: Inks): void {
    const gl = this.gl;
    const p = this.tileProgram;
    this.place(p, camera);
    gl.uniform2f(p.uniform("ends"), scale.low, scale.high);
    gl.uniform1i(p.uniform("logarithmic"), scale.log ? 1 : 0);
    gl.uniform1f(p.uniform("interval"), scale.contours);
    gl.uniform2f(p.uniform("unit"), unit.factor, unit.offset);
    gl.uniform1i(p.uniform("smoothed"), scale.contours > 0 ? 1 : 0);
    gl.uniform4f(p.uniform("nothing"), inks.earth[0], inks.earth[1], inks.earth[2], 1);
    gl.uniform1i(p.uniform("values"), 0);
    gl.uniform1i(p.uniform("colours"), 1);
    for (let l = s.pyramid.levels.length - 1; l >= level; l--) {
      for (const [row, col] of visible(camera, s.pyramid.levels[l])) {
        const t = this.tiles.get(s, l, row, col);
        if (!t) continue;
        const d = this.drawnOf(t, s);
        gl.useProgram(p.program);
        gl.uniform2i(p.uniform("cells"), t.cols, t.rows);
        gl.activeTexture(gl.TEXTURE1);
        gl.bindTexture(gl.TEXTURE_2D, this.table);
        gl.activeTexture(gl.TEXTURE0);
        gl.bindTexture(gl.TEXTURE_2D, d.texture);
        gl.bindVertexArray(d.vertices);
        const [west, east] = span(s.pyramid.levels[l], col, t.cols);
        for (const turn of camera.globe ? [0] : turnsOf(camera, west, east)) {
          gl.uniform1f(p.uniform("turn"), turn);
          gl.drawElements(gl.TRIANGLES, d.count, gl.UNSIGNED_SHORT, 0);
        }
      }
    }
  }
}

/** The details of coastlines, as in the names of their files. */
export const details = ["110m", "50m", "10m"];

/** The detail that suits the scale, the same as in package coast. */
export const detailFor = (camera: Camera): number => (1 / camera.scale > 0.12 ? 0 : 1 / camera.scale > 0.025 ? 1 : 2);

const span = (l: Level, col: number, cols: number): [number, number] => [l.west + col * tileSize * l.dlon, l.west + (col * tileSize + cols) * l.dlon];

/** The whole turns by which longitudes from west to east are seen on the flat map. */
function turnsOf(camera: Camera, west: number, east: number): number[] {
  const half = camera.width / 2 / camera.scale / camera.stretch;
  const list: number[] = [];
  for (let turn = Math.ceil((camera.lon - half - east) / 360) * 360; west + turn < camera.lon + half; turn += 360) list.push(turn);
  return list;
}

/** The level whose cells are about as large as pixels. */
export function levelFor(camera: Camera, levels: Level[], ratio: number): number {
  const cell = levels[0].dlat * camera.scale * ratio;
  return Math.min(levels.length - 1, Math.max(0, Math.round(Math.log2(1 / cell))));
}

const samples = 20;

/** The visible tiles of a level, the nearest to the middle first. */
export function visible(camera: Camera, l: Level): [row: number, col: number][] {
  const [down, across] = grid(l);
  if (down * across === 1) return [[0, 0]];
  const found = new Map<number, number>();
  for (let j = 0; j <= samples; j++) {
    for (let i = 0; i <= samples; i++) {
      const [x, y] = [(i / samples - 0.5) * camera.width, (0.5 - j / samples) * camera.height];
      const p = camera.unproject(x, y);
      if (!p) continue;
      const row = Math.floor((l.north - p[1]) / l.dlat / tileSize);
      const col = Math.floor(((((p[0] - l.west) % 360) + 360) % 360) / l.dlon / tileSize);
      if (row < 0 || row >= down || col < 0 || col >= across) continue;
      const key = row * across + col;
      found.set(key, Math.min(found.get(key) ?? Infinity, x * x + y * y));
    }
  }
  return [...found].sort((a, b) => a[1] - b[1]).map(([key]) => [Math.floor(key / across), key % across]);
}

/** The tiles that a picture needs: first coarse tiles, which come quickly, then tiles that suit the window. */
export function wishes(camera: Camera, s: Selection, level: number): Wish[] {
  const list: Wish[] = [];
  const coarsest = s.pyramid.levels.length - 1;
  for (const l of new Set([coarsest, level])) for (const [row, col] of visible(camera, s.pyramid.levels[l])) list.push({ selection: s, level: l, row, col });
  return list;
}

/** The value of a map at a place, from the finest loaded tile. */
export function valueAt(tiles: Tiles, s: Selection, lon: number, lat: number): { value: number; level: number } | undefined {
  for (let level = 0; level < s.pyramid.levels.length; level++) {
    const value = valueIn(tiles, s, level, lon, lat);
    if (value !== undefined) return { value, level };
  }
  return undefined;
}

/** The value of a map at a place in a tile of one level. */
export function valueIn(tiles: Tiles, s: Selection, level: number, lon: number, lat: number): number | undefined {
  const l = s.pyramid.levels[level];
  const row = Math.floor((l.north - lat) / l.dlat), col = Math.floor(((((lon - l.west) % 360) + 360) % 360) / l.dlon);
  if (row < 0 || row >= l.rows || col >= l.cols) return undefined;
  const t = tiles.get(s, level, Math.floor(row / tileSize), Math.floor(col / tileSize));
  return t?.values[(row % tileSize) * t.stride + (col % tileSize)];
}

/** Points of an area in rows and columns, and the triangles between them. */
function meshOf(west: number, south: number, east: number, north: number, wide: number, high: number): { places: Float32Array; triangles: Uint16Array } {
  const places = new Float32Array(2 * (wide + 1) * (high + 1));
  let n = 0;
  for (let j = 0; j <= high; j++) {
    for (let i = 0; i <= wide; i++) {
      places[n++] = west + ((east - west) * i) / wide;
      places[n++] = north + ((south - north) * j) / high;
    }
  }
  const triangles = new Uint16Array(6 * wide * high);
  n = 0;
  for (let j = 0; j < high; j++) {
    for (let i = 0; i < wide; i++) {
      const k = j * (wide + 1) + i;
      triangles.set([k, k + 1, k + wide + 1, k + 1, k + wide + 2, k + wide + 1], n);
      n += 6;
    }
  }
  return { places, triangles };
}

/** The degrees between drawn meridians and parallels. */
export const meshWidth = (camera: Camera): number => [0.5, 1, 2, 5, 10].find((d) => d * camera.scale >= 90) ?? 30;

/** Meridians and parallels every d degrees. */
function graticule(d: number): Float32Array {
  const list: number[] = [];
  const piece = Math.min(2, Math.max(1, d));
  for (let lon = -180; lon < 180; lon += d) for (let lat = -90; lat < 90; lat += piece) list.push(lon, lat, lon, lat + piece);
  for (let lat = d - 90; lat < 90; lat += d) for (let lon = -180; lon < 180; lon += piece) list.push(lon, lat, lon + piece, lat);
  return new Float32Array(list);
}
