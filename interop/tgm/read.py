"""Decodes .tgm files with the reference implementation and leaves what it found for a Go test to judge.

For NAME.tgm in the folder: NAME.<message>.<object>.bin holds the decoded elements, little-endian; NAME.json says what went
wrong, or dtype, shape and metadata of each object and the issues of a full validation. Ranges that NAME.ranges.json lists
([object, first, count], first message) become NAME.range<i>.bin.

    python read.py FOLDER
"""

import json
import pathlib
import sys

import numpy as np
import tensogram


def little(array):
    array = np.ascontiguousarray(array)
    if array.dtype.byteorder == ">" or (array.dtype.byteorder == "=" and sys.byteorder == "big"):
        array = array.byteswap()
    return array.tobytes()


def plain(value):
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if isinstance(value, float):
        return {"float": repr(value)}
    return value


def read(path):
    report = {"messages": [], "ranges": []}
    data = path.read_bytes()
    for m, (offset, length) in enumerate(tensogram.scan(data)):
        message = data[offset : offset + length]
        decoded = tensogram.decode(message, verify_hash=False)
        objects = []
        for j, (descriptor, array) in enumerate(decoded.objects):
            path.with_suffix(f".{m}.{j}.bin").write_bytes(little(array))
            objects.append({"dtype": descriptor.dtype, "shape": list(descriptor.shape), "params": plain(dict(descriptor.params))})
        report["messages"].append(
            {
                "objects": objects,
                "base": plain([dict(b) for b in decoded.metadata.base]),
                "extra": plain(dict(decoded.metadata.extra)),
                "validation": tensogram.validate(message, level="full", check_canonical=True),
            }
        )
        if m == 0:
            ranges = path.with_suffix(".ranges.json")
            for i, (j, first, count) in enumerate(json.loads(ranges.read_text()) if ranges.exists() else []):
                part = tensogram.decode_range(message, j, [(first, count)], join=True)
                path.with_suffix(f".range{i}.bin").write_bytes(little(part))
    return report


for path in sorted(pathlib.Path(sys.argv[1]).glob("*.tgm")):
    try:
        report = read(path)
    except Exception as error:  # an error of the reference is a finding, not a failure of this script
        report = {"error": f"{type(error).__name__}: {error}"}
    path.with_suffix(".json").write_text(json.dumps(report))
