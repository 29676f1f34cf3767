// The map as a picture to keep.

import { download, h } from "./dom";
import { nameOfOther } from "./heading";
import { bar, canvas, canvas2, over } from "./page";
import { dark, paint } from "./painting";
import { state, textOf } from "./state";

export async function savePicture(): Promise<void> {
  if (!state.field) return;
  paint();
  const ratio = devicePixelRatio;
  const [head, foot] = [36 * ratio, 54 * ratio];
  const two = state.other !== undefined && !state.subtracted;
  const picture = h("canvas", { width: canvas.width * (two ? 2 : 1), height: canvas.height + head + foot });
  const c = picture.getContext("2d")!;
  const style = getComputedStyle(document.body);
  const [paper, ink] = [getComputedStyle(document.documentElement).backgroundColor, style.color];
  c.fillStyle = /rgba\(0, 0, 0, 0\)|transparent/.test(paper) ? (dark.matches ? "#16181d" : "#fff") : paper;
  c.fillRect(0, 0, picture.width, picture.height);
  c.drawImage(canvas, 0, head);
  c.drawImage(over, 0, head);
  if (two) c.drawImage(canvas2, canvas.width, head);
  c.fillStyle = ink;
  c.textBaseline = "middle";
  c.font = `600 ${15 * ratio}px system-ui, sans-serif`;
  const name = `${state.field.long_name ?? state.field.name}`;
  c.fillText(name, 12 * ratio, head / 2);
  const wide = c.measureText(name).width;
  c.font = `${13 * ratio}px system-ui, sans-serif`;
  c.fillText(state.field.lead.map((a, i) => textOf(a, state.lead[i])).join(", ") + (state.other && state.subtracted ? ` minus ${nameOfOther(state.other)}` : ""), 24 * ratio + wide, head / 2);
  if (state.other && two) c.fillText(nameOfOther(state.other), canvas.width + 12 * ratio, head / 2);
  const colours = bar.querySelector<HTMLCanvasElement>("#colours");
  if (colours) {
    const [x, y, w] = [40 * ratio, head + canvas.height + 10 * ratio, picture.width - 80 * ratio];
    c.imageSmoothingEnabled = false;
    c.drawImage(colours, x, y, w, 14 * ratio);
    c.textAlign = "center";
    for (const m of bar.querySelectorAll<HTMLElement>("#ticks span")) c.fillText(m.textContent ?? "", x + (parseFloat(m.style.left) / 100) * w, y + 26 * ratio);
    c.textAlign = "left";
    c.fillText("Coastlines: Natural Earth", 8 * ratio, y + 38 * ratio);
    c.textAlign = "right";
    c.fillText(state.conversion.units, picture.width - 8 * ratio, y + 38 * ratio);
  }
  const blob = await new Promise<Blob | null>((done) => picture.toBlob(done, "image/png"));
  if (blob) download(`${state.field.name}.png`, blob);
}
