// Keys.

import { showHelp } from "./dialogs";
import { listFields } from "./fields";
import { fit, pan, setGlobe, zoom } from "./moving";
import { canvas, dialog, map, search } from "./page";
import { closePlace, setBoxing } from "./place";
import { toggleOther } from "./second";
import { camera, state } from "./state";
import { start, step, stop } from "./stepping";

document.addEventListener("keydown", (e) => {
  const target = e.target as HTMLElement;
  if (e.ctrlKey || e.metaKey || e.altKey || dialog.open) return;
  if (e.key === "Escape") { if (target === search) { search.value = ""; listFields(); canvas.focus(); } else closePlace(); return; }
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && (target as HTMLInputElement).type !== "checkbox" || state.tab !== "map") return;
  const axis = state.lastMoved >= 0 && state.field && state.lastMoved < state.field.lead.length ? state.lastMoved : state.field?.lead.findIndex((a) => a.length > 1) ?? -1;
  const by = 80;
  switch (e.key) {
    case "ArrowLeft": pan(by, 0); break;
    case "ArrowRight": pan(-by, 0); break;
    case "ArrowUp": pan(0, by); break;
    case "ArrowDown": pan(0, -by); break;
    case "+": case "=": zoom(1.4); break;
    case "-": case "−": zoom(1 / 1.4); break;
    case "0": fit(); break;
    case "g": setGlobe(!camera.globe); break;
    case "b": setBoxing(!state.boxing); break;
    case "c": toggleOther(); break;
    case ".": if (axis >= 0) step(axis, state.lead[axis] + 1); break;
    case ",": if (axis >= 0) step(axis, state.lead[axis] - 1); break;
    case " ": if (target.tagName === "BUTTON") return; if (axis >= 0) { if (state.playing >= 0) stop(); else start(axis); } break;
    case "/": map.classList.add("listed"); search.focus(); break;
    case "?": showHelp(); break;
    default: return;
  }
  e.preventDefault();
});
