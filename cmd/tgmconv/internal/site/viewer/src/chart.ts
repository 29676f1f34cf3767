// A diagram of values along a dimension: a series, or a profile over levels.

import { svg } from "./dom";
import { niceStep, number, ticks } from "./format";

/** bands are the least values, quantiles and the greatest of an ensemble at each position; second has the values of another field. */
export interface Chart { labels: string[]; numbers: (number | null)[]; values: (number | null)[]; bands?: (number | null)[][]; second?: (number | null)[]; units: string; title: string; profile: boolean; now: number; choose: (index: number) => void }

const [wide, high, left, right, top, bottom] = [360, 220, 62, 10, 10, 34];

/** Draws a diagram. A profile has values to the right and levels upwards, pressure with the highest below. */
export function draw(c: Chart): SVGElement {
  const known = [c.values, ...c.bands ?? [], c.second ?? []].flatMap((list) => list.map((v, i) => [i, v] as const)).filter((p): p is readonly [number, number] => p[1] !== null);
  const picture = svg("svg", { viewBox: `0 0 ${wide} ${high}`, class: "chart", role: "img", "aria-label": `${c.title}: ${c.values.filter((v) => v !== null).length} values` });
  if (known.length === 0) {
    picture.append(svg("text", { x: wide / 2, y: high / 2, "text-anchor": "middle" }, "no values here"));
    return picture;
  }
  const numeric = c.numbers.every((v) => v !== null) && c.numbers.length > 1;
  const along = (i: number): number => (numeric ? c.numbers[i]! : i);
  const all = c.values.map((_, i) => along(i));
  let [first, last] = [Math.min(...all), Math.max(...all)];
  if (first === last) { first -= 1; last += 1; }
  let [low, high2] = [Math.min(...known.map((p) => p[1])), Math.max(...known.map((p) => p[1]))];
  if (low === high2) { const by = Math.abs(low) * 0.01 || 1; low -= by; high2 += by; }
  let step = niceStep(high2 - low, 5);
  [low, high2] = [Math.floor(low / step + 1e-9) * step, Math.ceil(high2 / step - 1e-9) * step];
  step = niceStep(high2 - low, 5);
  const down = c.profile && /pressure|isobaric|depth|hybrid|hPa|Pa$/i.test(c.title);
  const span = (v: number, a: number, b: number, from: number, to: number): number => from + ((v - a) / (b - a)) * (to - from);
  const [x0, x1, y0, y1] = [left, wide - right, high - bottom, top];
  const at = (i: number, v: number): [number, number] => c.profile
    ? [span(v, low, high2, x0, x1), down ? span(along(i), first, last, y1, y0) : span(along(i), first, last, y0, y1)]
    : [span(along(i), first, last, x0, x1), span(v, low, high2, y0, y1)];
  // Values.
  for (const v of ticks(low, high2, 5)) {
    const p = span(v, low, high2, c.profile ? x0 : y0, c.profile ? x1 : y1);
    picture.append(c.profile
      ? svg("path", { d: `M${p} ${y0}V${y1}`, class: "rule" }) : svg("path", { d: `M${x0} ${p}H${x1}`, class: "rule" }));
    picture.append(c.profile
      ? svg("text", { x: p, y: y0 + 13, "text-anchor": "middle" }, number(v, step)) : svg("text", { x: x0 - 5, y: p + 3.5, "text-anchor": "end" }, number(v, step)));
  }
  // Labels, as many as there is room for.
  const room = c.profile ? 9 : Math.max(2, Math.floor((x1 - x0) / (7 * Math.max(...c.labels.map((l) => l.length), 4))));
  const every = Math.max(1, Math.ceil(c.labels.length / room));
  let lastAt = -Infinity;
  for (let i = 0; i < c.labels.length; i += every) {
    const [x, y] = at(i, low);
    const here = c.profile ? y : x;
    if (Math.abs(here - lastAt) < (c.profile ? 11 : 30)) continue;
    lastAt = here;
    picture.append(c.profile
      ? svg("text", { x: x0 - 5, y: y + 3.5, "text-anchor": "end" }, c.labels[i]) : svg("text", { x, y: y0 + 13, "text-anchor": i === 0 ? "start" : "middle" }, c.labels[i]));
  }
  for (const [low, high, name] of [[0, 6, "all"], [1, 5, "most"], [2, 4, "half"]] as const) {
    if (c.bands) picture.append(svg("path", { d: areaOf(c.bands[low], c.bands[high], at), class: `band ${name}` }));
  }
  if (c.bands) picture.append(svg("path", { d: lineOf(c.bands[3], at), class: "median" }));
  if (c.second) picture.append(svg("path", { d: lineOf(c.second, at), class: "second" }));
  picture.append(svg("path", { d: lineOf(c.values, at), class: "line" }));
  const readout = svg("text", { x: x1, y: high - 4, "text-anchor": "end", class: "readout" });
  const say = (i: number): void => {
    const v = c.values[i];
    const texts = [v === null ? "missing" : number(v, step / 100)];
    if (c.bands && c.bands[1][i] !== null) texts.push(`(${number(c.bands[1][i]!, step / 100)} to ${number(c.bands[5][i]!, step / 100)})`);
    if (c.second) texts.push(`/ ${c.second[i] === null ? "missing" : number(c.second[i]!, step / 100)}`);
    readout.textContent = `${c.labels[i]}: ${texts.join(" ")} ${c.units}`;
  };
  const marker = svg("circle", { r: 3.5, class: "now" });
  const mark = (i: number): void => {
    const v = c.values[i];
    marker.setAttribute("visibility", v === null || v === undefined ? "hidden" : "visible");
    if (v !== null && v !== undefined) {
      const [x, y] = at(i, v);
      marker.setAttribute("cx", String(x));
      marker.setAttribute("cy", String(y));
    }
    say(i);
  };
  mark(c.now);
  const nearest = (e: PointerEvent | MouseEvent): number => {
    const box = picture.getBoundingClientRect();
    const [x, y] = [((e.clientX - box.left) / box.width) * wide, ((e.clientY - box.top) / box.height) * high];
    let best = 0, least = Infinity;
    c.values.forEach((_, i) => {
      const p = at(i, low);
      const d = Math.abs(c.profile ? p[1] - y : p[0] - x);
      if (d < least) { best = i; least = d; }
    });
    return best;
  };
  picture.addEventListener("pointermove", (e) => mark(nearest(e as PointerEvent)));
  picture.addEventListener("pointerleave", () => mark(c.now));
  picture.addEventListener("click", (e) => c.choose(nearest(e as MouseEvent)));
  picture.append(marker, readout);
  return picture;
}

type At = (i: number, v: number) => [number, number];

/** A line through values, which breaks where they are missing. */
function lineOf(values: (number | null)[], at: At): string {
  let path = "", pen = false;
  values.forEach((v, i) => {
    if (v === null) { pen = false; return; }
    const [x, y] = at(i, v);
    path += `${pen ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`;
    pen = true;
  });
  return path;
}

/** The areas between two lines, as far as both have values. */
function areaOf(low: (number | null)[], high: (number | null)[], at: At): string {
  let path = "";
  for (let i = 0; i < low.length;) {
    let n = i;
    while (n < low.length && low[n] !== null && high[n] !== null) n++;
    if (n > i) {
      const there = Array.from({ length: n - i }, (_, k) => at(i + k, low[i + k]!));
      const back = Array.from({ length: n - i }, (_, k) => at(n - 1 - k, high[n - 1 - k]!));
      path += `M${[...there, ...back].map((p) => `${p[0].toFixed(1)} ${p[1].toFixed(1)}`).join("L")}Z`;
    }
    i = n + 1;
  }
  return path;
}
