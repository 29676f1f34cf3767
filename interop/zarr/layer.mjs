// Draws maps of served files with zarr-layer on MapLibre GL in a headless Chromium, on a page of another origin:
//
//     node layer.mjs MODULES CHROMIUM BUNDLE < JOBS
//
// BUNDLE is layer.js bundled. Each line of JOBS is JSON: {"options": of show, "places": [[lon, lat], ...]}. Prints a line of JSON for each:
// {"colours": [[r, g, b, a], ...], "asked": [paths], "milliseconds"} or {"error"}.

import { createInterface } from "node:readline";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";

const [modules, executablePath, bundle] = process.argv.slice(2);
const { chromium } = createRequire(modules + "/x.js")("playwright-core");
const script = await readFile(bundle);
const server = createServer((request, response) => request.url.endsWith(".js")
  ? response.setHeader("Content-Type", "text/javascript").end(script)
  : response.setHeader("Content-Type", "text/html").end("<!doctype html><body><script src='layer.js'></script>"));
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const browser = await chromium.launch({ executablePath, headless: true, timeout: 120000, args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });
for await (const line of createInterface({ input: process.stdin })) {
  const { options, places } = JSON.parse(line);
  const tab = await browser.newPage({ viewport: { width: 700, height: 500 } });
  const asked = [], problems = [];
  tab.on("request", (r) => { if (r.url().startsWith(options.source)) asked.push(r.url().slice(options.source.length)); });
  tab.on("pageerror", (e) => problems.push(String(e)));
  tab.on("console", (m) => { if (m.type() === "error") problems.push(m.text()); });
  try {
    await tab.goto(`http://127.0.0.1:${server.address().port}/`);
    const start = Date.now();
    await Promise.race([tab.evaluate((o) => window.show(o), options), tab.waitForTimeout(90000).then(() => { throw new Error("the layer does not come"); })]);
    const milliseconds = Date.now() - start;
    console.log(JSON.stringify({ colours: await tab.evaluate((p) => window.colours(p), places), asked, milliseconds }));
  } catch (error) {
    console.log(JSON.stringify({ error: [String(error).slice(0, 500), ...problems].join("; "), asked }));
  }
  await tab.close();
}
await browser.close();
server.close();
