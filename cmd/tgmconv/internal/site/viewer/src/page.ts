// The elements of the viewer. The page of metadata becomes a second tab.

import { ServerError } from "./data";
import { h, icon } from "./dom";
import { state, tell, tiles } from "./state";

export const title = document.querySelector("h1")?.textContent ?? "";

/** The page without the viewer is its second tab. */
const page = h("main", { id: "page" });

page.append(...document.body.childNodes);
export const canvas = h("canvas", { id: "map", tabindex: 0, role: "application", "aria-label": "map: arrow keys move it, + and − zoom, comma and point step, space plays" });
export const canvas2 = h("canvas", { id: "map2", hidden: true, "aria-label": "map of the second field" });
export const over = h("canvas", { id: "over", "aria-hidden": "true" });
export const status = h("p", { id: "status", role: "status" });
export const readout = h("output", { id: "readout" });
export const fieldList = h("ul", { id: "fields", "aria-label": "fields" });
export const search = h("input", { type: "search", id: "search", placeholder: "Search fields", "aria-label": "search fields" });
export const heading = h("div", { id: "heading" });
export const heading2 = h("div", { id: "heading2", hidden: true });
export const sliders = h("div", { id: "sliders" });
export const compare = h("div", { id: "compare", hidden: true });
export const bar = h("section", { id: "bar", "aria-label": "colours" });
export const place_ = h("section", { id: "place", hidden: true, "aria-label": "values at a place" });
export const mark = h("div", { id: "mark", hidden: true });
export const dialog = h("dialog", { id: "dialog" });
export const tools = h("div", { id: "tools" });
const tabs = h("nav", { id: "tabs" });
const side = h("aside", { id: "side" }, search, fieldList);

export const stage = h("div", { id: "stage" }, canvas, canvas2, over, mark, heading, heading2, tools, place_, readout, h("small", { id: "credit" }, "Coastlines: Natural Earth"), status);
export const map = h("main", { id: "viewer" }, side, h("div", { id: "right" }, stage, h("footer", {}, sliders, compare, bar)));
const top_ = h("header", { id: "top" }, h("button", { type: "button", id: "menu", "aria-label": "fields", click: () => map.classList.toggle("listed") }, icon("menu")), h("strong", {}, title), tabs);
document.body.append(top_, map, page, dialog);
document.documentElement.classList.add("viewing");

/** Shows an error message, which stays. */
export function say(error?: unknown): void {
  status.replaceChildren();
  status.hidden = error === undefined;
  if (error === undefined) return;
  if (error instanceof ServerError && error.status === 410) {
    status.append("The files have changed. ", h("button", { type: "button", click: () => location.reload() }, "Show them as they are now"));
    return;
  }
  status.append(error instanceof Error ? error.message : String(error), " ");
  status.append(h("button", { type: "button", click: () => { say(); tiles.retry(); } }, "Try again"));
}

export function setTab(name: string): void {
  state.tab = name;
  map.hidden = name !== "map";
  page.hidden = name !== "data";
  tabs.replaceChildren(...[["map", "Map"], ["data", "Data"]].map(([key, text]) => h("button", { type: "button", "aria-current": key === state.tab ? "page" : undefined, click: () => { setTab(key); tell("tab"); } }, text)));
}
