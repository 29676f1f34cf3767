"""Writes codec/zfp/testdata/grids.json: chunks of HDF5's filter 32013 (hdf5plugin), with the filter's values and what they decode to.

usage: zfp_grids.py FILE
"""
import json, sys, tempfile, os
import h5py, hdf5plugin, numpy as np

rng = np.random.default_rng(1)
out = []
with tempfile.TemporaryDirectory() as d:
    with h5py.File(os.path.join(d, "z.h5"), "w") as f:
        n = 0
        for shape in [(9,), (5, 7), (4, 4), (3, 5, 6), (2, 3, 5, 4)]:
            for t in ("f4", "f8", "i4", "i8"):
                for mode in (dict(rate=7.5), dict(rate=16), dict(precision=20), dict(accuracy=0.01), dict(reversible=True)):
                    a = np.cumsum(rng.normal(size=shape), axis=-1) * 100
                    if n % 3 == 0: a.flat[: a.size // 2] = 0
                    if n % 5 == 0: a *= 10.0 ** rng.integers(-30, 5, size=shape)
                    a = a.astype(t)
                    n += 1
                    v = f.create_dataset("v%d" % n, data=a, chunks=shape, compression=hdf5plugin.Zfp(**mode))
                    mask, raw = v.id.read_direct_chunk((0,) * len(shape))
                    if mask: continue
                    out.append({"type": t, "shape": shape, "mode": str(mode), "values": list(v._filters["32013"]), "stream": raw.hex(), "decoded": v[...].tobytes().hex()})
json.dump(out, open(sys.argv[1], "w"), separators=(",", ":"))
print(len(out), "grids")
