#!/usr/bin/env python3
"""Values of GRIB messages as ecCodes decodes them, for the tests of package grib.

  values.py dump OUTDIR FILE...    writes OUTDIR/N.f64 (little-endian float64, missing points are NaN) for every field and
                                        OUTDIR/index.jsonl, a line a field: file, message, offset, points, missing, packing, values or error
  values.py digest FILE...         prints a line a field: file, message, packing, points, missing, and the first 8 bytes of the SHA-256 of the
                                        values; of float32 values where the last bit is the C library's. grib/testdata/*.values are so made

Fields of a message that has several are listed one by one. Missing points are told from values by a missing value that no field has.
"""

import hashlib
import json
import os
import sys

import eccodes as ec
import numpy as np

from messages import values


def fields(path):
    """Yields (message number, offset, handle or error) for every field of the file."""
    ec.codes_grib_multi_support_on()
    with open(path, "rb") as f:
        ec.codes_grib_multi_support_reset_file(f)
        number, last = -1, None
        while True:
            try:
                h = ec.codes_grib_new_from_file(f)
            except ec.CodesInternalError as err:
                yield number + 1, -1, err
                return
            if h is None:
                return
            offset = ec.codes_get_long(h, "offset")
            if offset != last:
                number, last = number + 1, offset
            yield number, offset, h
            ec.codes_release(h)


def describe(path, number, offset, h):
    """Returns the line of a field and its values."""
    line = {"file": path, "message": number, "offset": offset}
    if isinstance(h, Exception):
        return line | {"error": str(h)}, None
    line["packing"] = ec.codes_get_string(h, "packingType")
    try:
        v, missing = values(h)
    except ec.CodesInternalError as err:
        return line | {"error": str(err)}, None
    return line | {"points": len(v), "missing": missing}, v


def dump(out, paths):
    os.makedirs(out, exist_ok=True)
    n = 0
    with open(os.path.join(out, "index.jsonl"), "w") as index:
        for path in paths:
            for number, offset, h in fields(path):
                line, v = describe(path, number, offset, h)
                if v is not None:
                    line["values"] = f"{n}.f64"
                    v.tofile(os.path.join(out, line["values"]))
                    n += 1
                index.write(json.dumps(line) + "\n")


def digest(paths):
    for path in paths:
        for number, offset, h in fields(path):
            line, v = describe(path, number, offset, h)
            if v is None:
                sys.exit(f"{path}: message {number}: {line['error']}")
            v[np.isnan(v)] = np.nan  # one NaN
            if line["packing"] in ("spectral_complex", "bifourier_complex", "grid_simple_log_preprocessing"):
                v = v.astype("<f4").astype("<f8")
            print(path, number, line["packing"], line["points"], line["missing"], hashlib.sha256(v.tobytes()).hexdigest()[:16])


if __name__ == "__main__":
    if len(sys.argv) > 3 and sys.argv[1] == "dump":
        dump(sys.argv[2], sys.argv[3:])
    elif len(sys.argv) > 2 and sys.argv[1] == "digest":
        digest(sys.argv[2:])
    else:
        sys.exit(__doc__)
