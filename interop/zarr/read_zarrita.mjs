// Prints the arrays of a served .tgm file as zarrita reads them:
//
//     node read_zarrita.mjs MODULES URL
//
// MODULES is the folder node_modules with zarrita in it. An array that zarrita cannot read has the word "error" and
// the reason in the place of shape and digest.

import { createHash } from "node:crypto";
import { pathToFileURL } from "node:url";

const [modules, url] = process.argv.slice(2);
const zarr = await import(pathToFileURL(`${modules}/zarrita/dist/src/index.js`));

// The elements as bytes; little-endian like every machine that runs this.
function bytes(data) {
  if (data?.buffer instanceof ArrayBuffer) {
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  }
  return Uint8Array.from(data, Number); // zarrita's array of booleans
}

async function describe(location) {
  const array = await zarr.open.v3(location, { kind: "array" });
  // Each array is one chunk; one without elements has none.
  const empty = array.shape.includes(0);
  const data = empty ? new Uint8Array(0) : (await array.getChunk(array.shape.map(() => 0))).data;
  const digest = createHash("sha256").update(bytes(data)).digest("hex");
  return [array.dtype, array.shape.join("x"), digest];
}

const store = new zarr.FetchStore(url);
const root = await zarr.open.v3(zarr.root(store), { kind: "group" });
const messages = root.attrs._tensogram_messages;
for (let i = 0; i < (messages ?? 1); i++) {
  const group = messages === undefined ? root : await zarr.open.v3(root.resolve(String(i)), { kind: "group" });
  for (const [j, name] of group.attrs._tensogram_variables.entries()) {
    let line;
    try {
      line = await describe(group.resolve(name));
    } catch (error) {
      line = ["?", "error", String(error)];
    }
    console.log([`${i}/${j}`, ...line].join("\t"));
  }
}
