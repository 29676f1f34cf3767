// The viewer: a map of a field and the controls that choose it. The page of metadata becomes a second tab.

import { followAddress, fromAddress } from "./address";
import { applyTable } from "./colours";
import { readFields } from "./data";
import { listFields } from "./fields";
import { Renderer } from "./map";
import { listen, resize } from "./moving";
import { canvas, map, say, setTab, stage } from "./page";
import { wantCoast } from "./painting";
import { readTables } from "./scale";
import { state, tiles } from "./state";
import "./keys";

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
