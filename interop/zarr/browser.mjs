// Reads served arrays with zarrita in a headless Chromium, from a page of another origin:
//
//     node browser.mjs MODULES CHROMIUM URL...
//
// MODULES is the folder node_modules with zarrita and playwright-core in it. Prints a line of JSON for each URL: the shape, type
// and SHA-256 of each array by its name, or {"error": why}.

import { createServer } from "node:http";
import { createRequire } from "node:module";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";

const [modules, executablePath, ...urls] = process.argv.slice(2);
const { chromium } = createRequire(join(modules, "x.js"))("playwright-core");

const imports = {
  "zarrita": "/zarrita/dist/src/index.js",
  "@zarrita/storage": "/@zarrita/storage/dist/src/index.js",
  "@zarrita/storage/fetch": "/@zarrita/storage/dist/src/fetch.js",
  "numcodecs": "/numcodecs/dist/index.js",
  "reference-spec-reader": "/reference-spec-reader/src/index.js",
  "unzipit": "/unzipit/dist/unzipit.module.js",
};
for (const codec of ["blosc", "gzip", "lz4", "zlib", "zstd"]) imports[`numcodecs/${codec}`] = `/numcodecs/dist/${codec}.js`;
const page = `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>`;

// The origin of the page: the modules, and nothing of tgmconv.
const server = createServer(async (request, response) => {
  const path = new URL(request.url, "http://x").pathname;
  if (path === "/") return response.setHeader("Content-Type", "text/html").end(page);
  try {
    const data = await readFile(join(modules, normalize(path)));
    response.setHeader("Content-Type", /\.(m?js)$/.test(path) ? "text/javascript" : "application/octet-stream").end(data);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));

const profile = await mkdtemp(join(tmpdir(), "tgmconv-chromium-"));
const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const browser = await chromium.launchPersistentContext(profile, { executablePath, headless: true, args, timeout: 120000 });
try {
  const tab = await browser.newPage();
  await tab.goto(`http://127.0.0.1:${server.address().port}/`);
  for (const url of urls) {
    const found = await tab.evaluate(async (url) => {
      try {
        const zarr = await import("zarrita");
        const store = await zarr.withConsolidatedMetadata(new zarr.FetchStore(url), { format: "v3" });
        const arrays = {};
        for (const { path, kind } of store.contents()) {
          if (kind !== "array") continue;
          const array = await zarr.open.v3(zarr.root(store).resolve(path), { kind: "array" });
          const { data } = await zarr.get(array);
          const bytes = data?.buffer ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data === undefined ? 0 : 8);
          const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
          arrays[path.replace(/^\//, "")] = [array.dtype, array.shape, [...hash].map((b) => b.toString(16).padStart(2, "0")).join("")];
        }
        return arrays;
      } catch (error) {
        return { error: String(error) };
      }
    }, url);
    console.log(JSON.stringify(found));
  }
} finally {
  await browser.close();
  server.close();
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
}
