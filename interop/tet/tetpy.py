"""What tet-py makes of files, and files of tet-py. Each command takes JSON on standard input.

  write   {"path", "datasets": [{"name", "dtype", "shape", "chunk", "first"}]}: counting values from first on
  read    {"path", "out"}: the values of every dataset, one file each in the folder out; prints names, dtypes, shapes
  verify  {"paths"}: the reports of the reference's verify, in order, null where it has none
  info    {"path"}: the reference's info
  reduce  {"path", "dataset", "queries": [[op, axes]]}: values, null for NaN and infinities
  convert {"from", "to"}: tet.convert
  time    {"path", "dataset", "repeat", "dense"}: CPU and wall seconds of opening, and with dense of reading all and of a sum
"""

import json
import os
import sys
import tempfile
import time

import numpy as np
import tet

DTYPES = {"f16": "<f2", "f32": "<f4", "f64": "<f8", "i16": "<i2", "i32": "<i4", "i64": "<i8", "u8": "u1", "u16": "<u2", "u32": "<u4", "u64": "<u8"}


def write(path, datasets):
    w = tet.TetWriter.create(path)
    for d in datasets:
        n = int(np.prod(d["shape"]))
        a = (np.arange(n) + d["first"]).astype(DTYPES[d["dtype"]]).reshape(d["shape"])
        w.write_dataset(d["name"], a, chunk_shape=d["chunk"], attrs={"units": "K", "first": str(d["first"])},
                        dim_names=["d%d" % i for i in range(a.ndim)], coords={"d0": ["l%d" % i for i in range(min(64, a.shape[0]))]})
    w.push_history_event("interop", "tetpy.py")
    w.commit()


def read(path, out):
    found = []
    with tet.open(path) as f:
        for i, d in enumerate(f.iter_datasets()):
            a = np.ascontiguousarray(f.read_numpy(d.name))
            with open(os.path.join(out, "%d.bin" % i), "wb") as o:
                o.write(a.tobytes())
            found.append([d.name, a.dtype.str, list(a.shape)])
    return found


def job(step):
    """The output of one step of the reference's executor."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as f:
        json.dump({"schema_version": 1, "steps": [step]}, f)
        f.flush()
        try:
            return tet.run_job(f.name)["steps"][0]["stdout"]
        except Exception as e:
            return str(e)


def report(text):
    start = text.find("{")
    return json.loads(text[start:]) if start >= 0 else None


def verify(paths):
    return [report(job({"op": "verify", "path": os.path.abspath(p), "json": True})) for p in paths]


def info(path):
    return report(job({"op": "info", "path": os.path.abspath(path), "json": True}))


def reduce(path, dataset, queries):
    out = []
    with tet.open(path) as f:
        for op, axes in queries:
            e = f.query({"dataset": dataset, op: axes}, raw=True)["execution"]
            key = {"arg_min": "argmin_index", "arg_max": "argmax_index", "count": "element_count"}.get(op, op)
            partial = "operation_reduced_" + {"arg_min": "argmin", "arg_max": "argmax"}.get(op, op)
            out.append(e[partial] if axes else [e.get("operation_" + key)])
    return out


def timed(f, repeat):
    best = None
    for _ in range(repeat):
        cpu, wall = time.process_time(), time.perf_counter()
        f()
        t = [time.process_time() - cpu, time.perf_counter() - wall]
        best = t if best is None or t[1] < best[1] else best
    return best


def measure(path, dataset, repeat, dense):
    opened = timed(lambda: tet.open(path).dataset_names, repeat)
    if not dense:
        return {"open": opened}
    with tet.open(path) as f:
        dense = timed(lambda: np.array(f.read_numpy(dataset), copy=True), repeat)
        return {"open": opened, "dense": dense, "sum": timed(lambda: f.query({"dataset": dataset, "sum": []}, raw=True), repeat)}


def main():
    os.chdir(tempfile.gettempdir())
    args = json.load(sys.stdin)
    commands = {"write": write, "read": read, "verify": verify, "info": info, "reduce": reduce, "time": measure,
                "convert": lambda **a: str(tet.convert(a["from"], a["to"]))}
    json.dump(commands[sys.argv[1]](**args), sys.stdout)


main()
