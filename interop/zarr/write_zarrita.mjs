// Writes stores with zarrita, and prints their paths and groups as lines of JSON:
//
//     node write_zarrita.mjs MODULES FOLDER
//
// MODULES is the folder node_modules with zarrita in it.

import { pathToFileURL } from "node:url";

const [modules, folder] = process.argv.slice(2);
const zarr = await import(pathToFileURL(`${modules}/zarrita/dist/src/index.js`));
const { default: FileSystemStore } = await import(pathToFileURL(`${modules}/@zarrita/storage/dist/src/fs.js`));

const path = `${folder}/zarrita.zarr`;
const root = zarr.root(new FileSystemStore(path));
await zarr.create(root, { attributes: { title: "zarrita" } });
const types = { int8: Int8Array, uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array, int32: Int32Array, uint32: Uint32Array, float32: Float32Array, float64: Float64Array };
for (const [name, List] of Object.entries(types)) {
  const array = await zarr.create(root.resolve(name), {
    shape: [7, 5], chunkShape: [3, 2], dtype: name, dimensionNames: ["y", "x"], attributes: { units: "m", list: [1, 2] }, fillValue: 1,
    codecs: [{ name: "bytes", configuration: { endian: name === "int32" ? "big" : "little" } }],
  });
  const data = List.from({ length: 35 }, (_, i) => (i * 7) % 101);
  await zarr.set(array, [zarr.slice(0, 6), null], { data: data.slice(0, 30), shape: [6, 5], stride: [5, 1] });
}
console.log(JSON.stringify([path, [""]]));
