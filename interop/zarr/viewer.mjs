// Looks at the viewer of served files in a headless Chromium:
//
//     node viewer.mjs MODULES CHROMIUM < JOBS
//
// MODULES is the folder node_modules with playwright-core in it. Each line of JOBS is JSON: {"url", "size", "touch", "steps": [...]}; a step
// is one of {"goto": hash}, {"press": key}, {"click": selector or [x, y]}, {"type": text}, {"colours": [[x, y], ...]} of pixels of the map from
// its middle, {"text": selector}, {"count": selector}, {"ink": selector} for the pixels that are drawn of a canvas, {"hash": true}, {"resize": [w, h]}, {"wait": milliseconds}. Prints a line of JSON for each:
// {"answers": [...], "problems": [...], "hosts": [...], "first": milliseconds until the first map is complete, "bytes": those read until then}.

import { createInterface } from "node:readline";
import { createRequire } from "node:module";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [modules, executablePath] = process.argv.slice(2);
const { chromium } = createRequire(join(modules, "x.js"))("playwright-core");
const args = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** Waits until the map has come and was drawn. */
async function complete(tab) {
  await tab.waitForSelector("#viewer[data-complete]:not(.busy)", { timeout: 60000, state: "attached" });
  await tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

async function run(tab, step) {
  switch (Object.keys(step)[0]) {
    case "goto":
      await tab.evaluate((hash) => {
        delete document.querySelector("#viewer").dataset.complete;
        location.hash = hash;
      }, step.goto);
      await tab.waitForTimeout(100);
      await complete(tab);
      await tab.waitForTimeout(300);
      return null;
    case "press": await tab.keyboard.press(step.press); await tab.waitForTimeout(400); return null;
    case "type": await tab.keyboard.type(step.type); await tab.waitForTimeout(100); return null;
    case "click":
      if (Array.isArray(step.click)) await tab.mouse.click(...step.click);
      else await tab.click(step.click);
      await tab.waitForTimeout(500);
      return null;
    case "wait": await tab.waitForTimeout(step.wait); return null;
    case "resize": await tab.setViewportSize({ width: step.resize[0], height: step.resize[1] }); await tab.waitForTimeout(300); return null;
    case "text": return await tab.textContent(step.text);
    case "count": return await tab.locator(step.count).count();
    case "ink":
      return await tab.evaluate((selector) => {
        const c = document.querySelector(selector);
        return c.getContext("2d").getImageData(0, 0, c.width, c.height).data.reduce((n, v, i) => n + (i % 4 === 3 && v > 0 ? 1 : 0), 0);
      }, step.ink);
    case "hash": return new URL(tab.url()).hash;
    case "overflow": return await tab.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    case "colours":
      return await tab.evaluate((points) => {
        const map = document.querySelector("#map");
        const copy = document.createElement("canvas");
        copy.width = map.width;
        copy.height = map.height;
        const context = copy.getContext("2d", { willReadFrequently: true });
        context.drawImage(map, 0, 0);
        const ratio = devicePixelRatio;
        return points.map(([x, y]) => [...context.getImageData(Math.floor(map.width / 2 + x * ratio), Math.floor(map.height / 2 - y * ratio), 1, 1).data]);
      }, step.colours);
  }
  throw new Error(`no step ${JSON.stringify(step)}`);
}

for await (const line of createInterface({ input: process.stdin })) {
  const job = JSON.parse(line);
  const profile = await mkdtemp(join(tmpdir(), "tgmconv-chromium-"));
  const [width, height] = job.size ?? [1100, 760];
  const browser = await chromium.launchPersistentContext(profile, { executablePath, headless: true, args, viewport: { width, height }, hasTouch: job.touch === true, timeout: 120000 });
  const problems = [], hosts = new Set(), answers = [];
  let first = -1, bytes = 0, read = 0;
  try {
    const tab = await browser.newPage();
    tab.on("console", (m) => { if (m.type() === "error" || m.type() === "warning") problems.push(m.text()); });
    tab.on("pageerror", (e) => problems.push(String(e)));
    tab.on("request", (r) => { if (/^(http|ws)/.test(r.url())) hosts.add(new URL(r.url()).host); });
    tab.on("requestfinished", async (r) => { read += (await r.sizes().catch(() => ({ responseBodySize: 0 }))).responseBodySize; });
    await tab.addInitScript(() => addEventListener("securitypolicyviolation", (e) => console.error(`Content-Security-Policy: ${e.violatedDirective} ${e.blockedURI}`)));
    const start = Date.now();
    await tab.goto(job.url);
    if (job.drawn !== false) {
      await complete(tab);
      first = Date.now() - start;
      bytes = read;
    } else await tab.waitForTimeout(1500);
    await tab.waitForTimeout(300);
    for (const step of job.steps ?? []) answers.push(await run(tab, step));
  } catch (error) {
    problems.push(String(error).slice(0, 500));
  } finally {
    await browser.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
  console.log(JSON.stringify({ answers, problems, hosts: [...hosts], first, bytes }));
}
