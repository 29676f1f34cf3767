"""Writes codec/zfp/testdata/vectors.json: payloads of the reference, which zfpy writes as well.

    .interop/venv-codecs/bin/python interop/codecs/freeze_zfp.py codec/zfp/testdata/vectors.json
"""
import base64
import json
import pathlib
import struct
import sys

import numpy as np
import tensogram
import zfpy

KEYS = {"fixed_rate": ("zfp_rate", "rate"), "fixed_precision": ("zfp_precision", "precision"), "fixed_accuracy": ("zfp_tolerance", "tolerance")}
MODES = [("fixed_rate", v) for v in (0.0, 3.0, 3.25, 8.0, 13.5, 16.0, 64.0, 70.0)]
MODES += [("fixed_precision", v) for v in (0, 1, 20, 64, 99)]
MODES += [("fixed_accuracy", v) for v in (1.0, 0.01, 1e-10, 5e-324, 1e300)]
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


def vector(name, array, mode, value):
    key, keyword = KEYS[mode]
    desc = {"type": "ntensor", "shape": [array.size], "dtype": "float64", "byte_order": "little", "encoding": "none",
            "filter": "none", "compression": "zfp", "zfp_mode": mode, key: value}
    message = tensogram.encode({}, [(desc, array)])
    stream = payload(message)
    back = np.asarray(tensogram.decode(message).objects[0][1])
    if array.size and value != 0:  # zfpy takes 0 as not given
        assert stream == zfpy.compress_numpy(array, write_header=False, **{keyword: value})
    OUT.append({"name": f"{name}-{array.size}-{mode}-{value}", "mode": mode, "value": value, "source": b64(array.tobytes()), "stream": b64(stream),
                "decoded": b64(back.tobytes())})


for n in (0, 1, 2, 3, 4, 5, 7, 41):
    r = np.random.default_rng(n)
    i = np.arange(n)
    for name, array in (("wave", 280 + 30 * np.sin(i / 17) + r.normal(size=n)), ("zeros", np.zeros(n)),
                        ("mixed", r.normal(size=n) * 10.0 ** r.integers(-280, 300, n)), ("sparse", np.where(i % 6 == 5, -1e30, 0.0))):
        for k, (mode, value) in enumerate(MODES):
            if n == 41 or n == 5 and name == "mixed" or (k + n) % 5 == 0:
                vector(name, array, mode, value)
vector("signs", np.array([-0.0, 0.0, 1.0, -0.0, -0.0]), "fixed_precision", 64)
vector("tiny", np.array([2.0 ** -961, -2.0 ** -961, 0.0, 1e-300, 2.0 ** -960, 0.0, 0.0, 0.0]), "fixed_precision", 64)
vector("huge", np.array([1.7e308, 1.7e308, 1.7e308, -1.7e308]), "fixed_rate", 8.0)
# Defect: a block whose largest magnitude is below 2^-962. This package reads it and writes zeros instead.
vector("defect", np.array([2.0 ** -963, 1e-300, 0.0, 5e-324, 1e-310, 0.0, 0.0, 0.0]), "fixed_precision", 64)
lines = ",\n".join(" " + json.dumps(v) for v in OUT)
pathlib.Path(sys.argv[1]).write_text(f"[\n{lines}\n]\n")
print(len(OUT), "vectors")
