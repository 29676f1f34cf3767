// Dialogs: the lines of Python that read a map, and the keys.

import { h } from "./dom";
import { dialog } from "./page";
import { state, valueOf } from "./state";

/** The lines of Python that read what the map shows. */
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
  const isStep = (w: (typeof where)[number]): boolean => state.document.dimensions[w.a.dimension]?.units === "hours" && typeof w.v === "number";
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
