// Prints the arrays of a Zarr store as zarrita reads them, a line each: PATH<tab>DTYPE<tab>SHAPE<tab>SHA-256.
//
//     node arrays_zarrita.mjs MODULES URL PATH...
//
// MODULES is the folder node_modules with zarrita in it.

import { createHash } from "node:crypto";
import { pathToFileURL } from "node:url";

const [modules, url, ...paths] = process.argv.slice(2);
const zarr = await import(pathToFileURL(`${modules}/zarrita/dist/src/index.js`));

const root = zarr.root(new zarr.FetchStore(url));
for (const path of paths) {
  const array = await zarr.open.v3(root.resolve(path), { kind: "array" });
  const all = await zarr.get(array);
  const data = array.shape.length === 0 ? all.constructor === Object ? all.data : Object(all) : all.data;
  let bytes;
  if (data?.buffer instanceof ArrayBuffer) {
    bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  } else {
    // A scalar is a number.
    const types = { float64: Float64Array, float32: Float32Array, int64: BigInt64Array, int32: Int32Array, int16: Int16Array, int8: Int8Array,
      uint64: BigUint64Array, uint32: Uint32Array, uint16: Uint16Array, uint8: Uint8Array };
    const typed = types[array.dtype].of(data.valueOf());
    bytes = new Uint8Array(typed.buffer);
  }
  console.log([path, array.dtype, array.shape.join("x"), createHash("sha256").update(bytes).digest("hex")].join("\t"));
}
