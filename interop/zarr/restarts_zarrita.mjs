// Opens the arrays of served datasets with zarrita, keeps them, and reads them when asked, for check_restarts.py:
//
//     node restarts_zarrita.mjs MODULES
//
// Each line of standard input is a JSON object, and each line of standard output its answer, or {"error": TEXT}:
//
//     {"open": URL, "arrays": [VARIABLE, LABELS]}   {"client": N, "labels": [...], "units": TEXT, "dims": [...]}
//     {"client": N, "at": POSITION}                 {"values": [...]}

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const zarr = await import(pathToFileURL(`${process.argv[2]}/zarrita/dist/src/index.js`));
const clients = [];

// The elements of an array as JSON has them: null is NaN.
const numbers = (data) => Array.from(data, Number);

async function answer({ open, arrays, client, at }) {
  if (open === undefined) {
    const { array, axis } = clients[client];
    const { data } = await zarr.get(array, array.shape.map((_, i) => (i === axis ? at : 0)).map((n, i) => (i === axis ? n : null)));
    return { values: numbers(data) };
  }
  const root = zarr.root(new zarr.FetchStore(open));
  const [array, labels] = await Promise.all(arrays.map((name) => zarr.open.v3(root.resolve(name), { kind: "array" })));
  const axis = array.dimensionNames.indexOf(arrays[1]);
  clients.push({ array, axis });
  const { data } = await zarr.get(labels);
  return { client: clients.length - 1, labels: numbers(data), units: labels.attrs.units };
}

for await (const line of createInterface({ input: process.stdin })) {
  let out;
  try {
    out = await answer(JSON.parse(line));
  } catch (error) {
    out = { error: String(error) };
  }
  console.log(JSON.stringify(out));
}
