// The viewer: a map of a field and the controls that choose it. The page of metadata becomes a second tab.

import { followAddress, fromAddress, remember } from "./address";
import { applyTable, drawBar } from "./colours";
import { readFields } from "./data";
import { showCode, showHelp } from "./dialogs";
import { button } from "./dom";
import { listFields } from "./fields";
import { Renderer } from "./map";
import { fit, globeButton, listen, resize, zoom } from "./moving";
import { canvas, map, say, search, setTab, stage, tools } from "./page";
import { redraw, wantCoast } from "./painting";
import { savePicture } from "./picture";
import { boxButton, markNow, showPlace } from "./place";
import { readTables } from "./scale";
import { toggleOther } from "./second";
import { select, update } from "./shown";
import { on, state, tiles } from "./state";
import "./keys";

on("field", select, remember, showPlace);
on("step", select, remember, markNow);
on("second", select, remember);
on("wind", update, redraw, remember);
on("scale", applyTable, drawBar, update, redraw, remember);
on("camera", wantCoast, redraw, update, remember);
on("place", remember, showPlace);
on("tab", remember);
tiles.loaded = (t) => { state.renderer?.came(t); state.renderer2?.came(t); update(); };
tiles.onError = say;
search.addEventListener("input", listFields);
tools.append(button("plus", "zoom in (+)", () => zoom(1.6)), button("minus", "zoom out (−)", () => zoom(1 / 1.6)), button("fit", "show all of the field (0)", fit), globeButton,
  boxButton, button("two", "compare with a second field (c)", toggleOther), button("image", "save as a picture", savePicture), button("code", "read this in Python", showCode), button("help", "keys (?)", showHelp));

async function begin(): Promise<void> {
  setTab(location.hash.includes("tab=data") ? "data" : "map");
  say();
  try {
    state.renderer = new Renderer(canvas, tiles);
  } catch (error) {
    say(error);
    setTab("data");
    return;
  }
  listen(canvas);
  new ResizeObserver(() => { if (!map.hidden) resize(); }).observe(stage);
  resize();
  try {
    [state.tables, state.document] = await Promise.all([readTables(), readFields(), wantCoast()]);
  } catch (error) {
    say(error);
    return;
  }
  applyTable();
  listFields();
  if (state.document.fields.length === 0) setTab("data");
  await fromAddress();
  followAddress();
}

void begin();
