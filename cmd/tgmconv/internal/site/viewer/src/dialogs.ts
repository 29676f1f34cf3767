// Dialogs: the lines of Python that read a map, the keys, and the first values of a variable.

import { type Field, type Head, readHead } from "./data";
import { download, h } from "./dom";
import { quotedCell, units } from "./format";
import { dialog, say } from "./page";
import { state, valueOf } from "./state";

/** The lines of Python that read the values of the map. */
function code(): string {
  if (!state.field) return "";
  const f = state.field;
  const base = new URL(".", location.href).href.replace(/\/$/, "");
  const parts = f.path.split("/");
  const group = parts.slice(0, -1).join("/");
  const quoted = (v: unknown): string => JSON.stringify(v);
  const where = f.lead.map((a, i) => ({ a, v: valueOf(a, state.lead[i]), i: state.lead[i] }));
  const by = where.filter((w) => w.v !== null), at = where.filter((w) => w.v === null);
  const call = (name: string, list: typeof where, value: (w: (typeof where)[number]) => string): string => (list.length === 0 ? "" : `.${name}({${list.map((w) => `${quoted(w.a.name)}: ${value(w)}`).join(", ")}})`);
  const text = (v: unknown): string => quoted(typeof v === "string" ? v.replace(/Z$/, "") : v);
  const isStep = (w: (typeof where)[number]): boolean => /^(days|hours|minutes|seconds|h|s)$/.test(state.document.dimensions[w.a.dimension]?.units ?? "") && typeof w.v === "number";
  return `import xarray\n\ndata = xarray.open_zarr(${quoted(base)}${group ? `, group=${quoted(group)}` : ""})\nfield = data[${quoted(parts[parts.length - 1])}]${call("sel", by.filter((w) => !isStep(w)), (w) => text(w.v))}${call("isel", [...by.filter(isStep), ...at], (w) => String(w.i))}`;
}

function showDialog(...content: Node[]): void {
  dialog.replaceChildren(...content, h("button", { type: "button", class: "wide", click: () => dialog.close() }, "Close"));
  dialog.showModal();
}

export function showCode(): void {
  const text = code();
  const copy = h("button", { type: "button", class: "wide", click: () => void navigator.clipboard.writeText(text).then(() => { copy.textContent = "Copied"; }, () => { copy.textContent = "The browser does not permit it"; }) }, "Copy");
  showDialog(h("h2", {}, "Read this in Python"), h("pre", {}, text), copy);
}

const keys: [string, string][] = [["arrows", "move the map"], ["+ −", "zoom"], ["0", "show all of the field"], ["g", "globe or flat map"], ["c", "compare with a second field"], ["b", "statistics of an area, which a drag chooses"], [", .", "step back and on"], ["space", "play or pause"], ["/", "search fields"], ["Escape", "close"], ["?", "this list"]];

export function showHelp(): void {
  showDialog(h("h2", {}, "Keys"), h("table", {}, ...keys.map(([k, what]) => h("tr", {}, h("th", {}, k), h("td", {}, what)))),
    h("p", {}, "Drag to move, turn the wheel or pinch to zoom. A click shows the values at a place, a drag with Shift the statistics of an area. The address of the page has all that is chosen: who opens it sees the same."),
    h("p", { class: "quiet" }, "Coastlines and borders: Natural Earth."));
}

/** Shows the first values of a variable as a table. */
export async function showHead(f: Field): Promise<void> {
  let head: Head;
  try {
    head = await readHead(f);
  } catch (error) {
    say(error);
    return;
  }
  const all = head.shape.reduce((n, m) => n * m, 1);
  const dims = head.dims.map((name, k) => ({ name, k })).filter(({ k }) => head.shape[k] > 1);
  const position = (i: number, k: number): string => String(Math.floor(i / head.shape.slice(k + 1).reduce((n, m) => n * m, 1)) % head.shape[k]);
  const csv = (): void => download(`${f.name}.csv`, new Blob([[[...dims.map((d) => quotedCell(d.name)), quotedCell(f.name)].join(","),
    ...head.values.map((v, i) => [...dims.map((d) => position(i, d.k)), v ?? ""].join(","))].join("\r\n") + "\r\n"], { type: "text/csv" }));
  showDialog(h("h2", {}, f.long_name ?? f.name),
    h("p", { class: "quiet" }, `The first ${head.values.length} of ${all} values.`),
    h("div", { class: "values" }, h("table", {}, h("tr", {}, ...dims.map((d) => h("th", {}, d.name)), h("th", {}, units(f.units) || f.name)),
      ...head.values.map((v, i) => h("tr", {}, ...dims.map((d) => h("th", {}, position(i, d.k))), h("td", {}, v === null ? "–" : String(v)))))),
    h("button", { type: "button", class: "wide", click: csv }, "Save as CSV"));
}
