"""Writes codec/sz3/testdata/vectors.json.gz: payloads of the reference, which pysz decodes as well.

    .interop/venv-codecs/bin/python interop/codecs/freeze_sz3.py codec/sz3/testdata/vectors.json.gz
"""
import base64
import gzip
import json
import pathlib
import struct
import sys

import numpy as np
import tensogram
from pysz import sz

OUT = []


def payload(message):
    """The payload of the first data frame of a message."""
    m, p = bytes(message), 24
    while struct.unpack(">H", m[p + 2:p + 4])[0] != 9:
        length = struct.unpack(">Q", m[p + 8:p + 16])[0]
        p += length + -length % 8
    length = struct.unpack(">Q", m[p + 8:p + 16])[0]
    cbor = struct.unpack(">Q", m[p + length - 20:p + length - 12])[0]
    return m[p + 16:p + cbor]


def b64(b):
    return base64.b64encode(b).decode()


def algorithm(stream):
    conf = stream[16 + struct.unpack("<Q", stream[8:16])[0]:]
    return {0: "lorenzo", 2: "interpolation", 4: "lossless"}[conf[11 + (conf[2] + 7) // 8]]


def vector(name, array, mode, bound):
    desc = {"type": "ntensor", "shape": [array.size], "dtype": "float64", "byte_order": "little", "encoding": "none",
            "filter": "none", "compression": "sz3", "sz3_error_bound_mode": mode, "sz3_error_bound": bound}
    message = tensogram.encode({}, [(desc, array)])
    stream = payload(message)
    back = np.asarray(tensogram.decode(message).objects[0][1])
    other = sz.decompress(np.frombuffer(stream, "u1"), np.float64, (array.size,))
    assert (other[0] if isinstance(other, tuple) else other).tobytes() == back.tobytes()
    OUT.append({"name": f"{name}-{array.size}-{mode}-{bound}", "algorithm": algorithm(stream), "mode": mode, "bound": bound,
                "source": b64(array.tobytes()), "stream": b64(stream), "decoded": b64(back.tobytes())})


BOUNDS = (("abs", 1.0), ("abs", 1e-3), ("abs", 0.0), ("rel", 1e-2), ("psnr", 60.0))
for n in (1, 2, 5, 33, 100, 700):
    i = np.arange(n)
    r = np.random.default_rng(n)
    for k, (name, a) in enumerate((("wave", 280 + 30 * np.sin(i / 17) + r.normal(size=n)), ("smooth", np.sin(i / 1000) * 1e5), ("const", np.full(n, 3.25)),
                                   ("spikes", np.where(i % 97 == 50, 1e30, np.sin(i / 9))), ("steps", np.floor(i / 23)))):
        for j, (mode, bound) in enumerate(BOUNDS):
            if n == 100 or (n + k + j) % 4 == 0:
                vector(name, a, mode, bound)
steps = np.floor(np.arange(5000) / 23)
vector("steps", steps, "abs", 1e-3)
vector("steps", steps, "rel", 1e-7)
vector("steps", np.floor(np.arange(8193) / 23), "rel", 1e-7)  # 16384 bins
vector("defect", np.full(100, -2.0 ** 63), "abs", 1.0)  # the bound is broken, so the source does not come back
lines = ",\n".join(" " + json.dumps(v) for v in OUT)
pathlib.Path(sys.argv[1]).write_bytes(gzip.compress(f"[\n{lines}\n]\n".encode(), mtime=0))
print(len(OUT), "vectors", {a: sum(v["algorithm"] == a for v in OUT) for a in ("interpolation", "lorenzo", "lossless")})
