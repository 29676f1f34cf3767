// The page of layer.mjs: a map of MapLibre GL with one zarr-layer. window.show(options) resolves when the layer has come.
import maplibregl from "maplibre-gl";
import { ZarrLayer } from "@carbonplan/zarr-layer";

window.show = ({ source, variable, colormap, clim, center, zoom, projection }) => new Promise((done, fail) => {
  document.body.innerHTML = "<div id='map' style='position:absolute;inset:0'></div>";
  const map = new maplibregl.Map({ container: "map", style: { version: 8, projection: { type: projection }, sources: {}, layers: [] }, center, zoom, attributionControl: false, fadeDuration: 0, canvasContextAttributes: { preserveDrawingBuffer: true } });
  map.on("error", (e) => fail(e.error ?? e));
  let asked = false;
  map.on("load", () => map.addLayer(new ZarrLayer({
    id: "field", source, variable, colormap, clim,
    onLoadingStateChange: (s) => {
      if (s.error) fail(s.error);
      asked ||= s.loading;
      if (asked && !s.loading) setTimeout(() => map.once("idle", () => done()) && map.triggerRepaint(), 500);
    },
  })));
  window.map = map;
});

/** The colours of the map at places. */
window.colours = (places) => {
  const canvas = window.map.getCanvas();
  const copy = document.createElement("canvas");
  [copy.width, copy.height] = [canvas.width, canvas.height];
  const context = copy.getContext("2d", { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  return places.map(([lon, lat]) => {
    const p = window.map.project([lon, lat]);
    return [...context.getImageData(Math.floor(p.x), Math.floor(p.y), 1, 1).data];
  });
};
