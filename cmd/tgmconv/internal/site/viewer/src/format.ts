// Numbers, units, labels, places and cells of tables as texts.

/** A step of 1, 2, 2.5 or 5 times a power of ten. About n steps make up the span. */
export function niceStep(span: number, n: number): number {
  if (!(span > 0) || !isFinite(span)) return 0;
  const raw = span / n;
  const power = 10 ** Math.floor(Math.log10(raw));
  for (const m of [1, 2, 2.5, 5]) if (raw <= m * power * (1 + 1e-9)) return m * power;
  return 10 * power;
}

/** Round numbers from one end to the other. */
export function ticks(low: number, high: number, n: number): number[] {
  const step = niceStep(high - low, n);
  if (step === 0) return [low];
  const list: number[] = [];
  for (let k = Math.ceil(low / step - 1e-6); k * step <= high + step * 1e-6; k++) list.push(k * step);
  return list;
}

/** Powers of ten, with 2 and 5 times each if these are few. */
export function logTicks(low: number, high: number): number[] {
  const list: number[] = [];
  const few = Math.log10(high / low) < 3;
  for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); e++) {
    for (const m of few ? [1, 2, 5] : [1]) {
      const v = m * 10 ** e;
      if (v >= low * (1 - 1e-6) && v <= high * (1 + 1e-6)) list.push(v);
    }
  }
  return list;
}

/** A number with as many digits as steps of a size need. */
export function number(v: number, step = 0): string {
  if (!isFinite(v)) return "–";
  const size = Math.abs(v);
  if (size !== 0 && (size >= 1e6 || size < 1e-4 || step > 0 && step < 1e-5)) return v.toPrecision(4).replace(/\.?0+(e|$)/, "$1").replace("-", "−");
  const digits = step > 0 ? Math.min(8, Math.max(0, Math.ceil(-Math.log10(step) + 1e-9), decimals(step))) : Math.max(0, Math.min(8, 4 - Math.ceil(Math.log10(size || 1))));
  const text = v.toFixed(digits);
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "−");
}

function decimals(step: number): number {
  let n = 0;
  for (let p = step; n < 8 && Math.abs(p - Math.round(p)) > 1e-6 * p; n++) p *= 10;
  return n;
}

/** Units as people write them: m s⁻¹ for "m s**-1". */
export function units(text: string | undefined): string {
  if (!text || text === "1" || text === "~" || /^\((.*1|code table.*)\)$/i.test(text) || text === "Numeric" || text === "dimensionless") return "";
  const raised: Record<string, string> = { "-": "⁻", "0": "⁰", "1": "¹", "2": "²", "3": "³", "4": "⁴", "5": "⁵", "6": "⁶", "7": "⁷", "8": "⁸", "9": "⁹" };
  return text.replace(/(?<=[a-zA-Z])(\*\*|\^)?(-?\d+)/g, (_, _mark, n: string) => [...n].map((c) => raised[c]).join("")).replace(/^deg(rees?)?C$|^celsius$/i, "°C");
}

/** Another unit of values: shown = value · factor + offset. */
export interface Conversion { units: string; factor: number; offset: number }

/** The units in which values can be shown, the units of the file first. */
export function conversions(text: string | undefined): Conversion[] {
  const shown = units(text);
  const list: Conversion[] = [{ units: shown, factor: 1, offset: 0 }];
  const add = (units: string, factor: number, offset = 0) => list.push({ units, factor, offset });
  switch (shown) {
    case "K": add("°C", 1, -273.15); add("°F", 1.8, -459.67); break;
    case "°C": add("K", 1, 273.15); add("°F", 1.8, 32); break;
    case "m s⁻¹": add("kn", 3600 / 1852); add("km h⁻¹", 3.6); break;
    case "Pa": add("hPa", 0.01); break;
    case "hPa": add("Pa", 100); break;
    case "m": add("mm", 1000); add("km", 0.001); break;
    case "kg m⁻² s⁻¹": add("mm h⁻¹", 3600); break;
    case "kg kg⁻¹": add("g kg⁻¹", 1000); break;
    case "m² s⁻²": add("gpm", 1 / 9.80665); break;
  }
  return list;
}

/** A label of a dimension: a time without the parts that all labels share, or a number with its units. */
export function label(value: number | string | null | undefined, index: number, unit?: string): string {
  if (value === null || value === undefined) return `#${index}`;
  if (typeof value === "string") return value.replace("T", " ").replace(/(:00)?(\.0+)?Z$/, "").replace(/(\d\d:\d\d):00$/, "$1");
  const u = units(unit);
  if (u === "seconds" || u === "s") {
    if (value % 60 === 0) return value % 3600 === 0 ? `${value / 3600} h` : `${value / 60} min`;
  }
  const text = String(Number(value.toPrecision(8))).replace("-", "−");
  return u && !/ since /.test(u) ? `${text} ${u === "hours" ? "h" : u}` : text;
}

/** A place: 52.50° N 13.25° W. */
export function place(lat: number, lon: number, digits = 2): string {
  const east = ((lon + 180) % 360 + 360) % 360 - 180;
  return `${Math.abs(lat).toFixed(digits)}° ${lat < 0 ? "S" : "N"}  ${Math.abs(east).toFixed(digits)}° ${east < 0 ? "W" : "E"}`;
}

/** Quotes a cell of a CSV file. */
export const quotedCell = (text: string): string => `"${text.replace(/"/g, '""')}"`;
