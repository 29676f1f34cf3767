"""Compares GRIB files with what to-zarr, convert and to-grib make of them, field by field, by ecCodes.

    .interop/venv/bin/python interop/zarr/check_gribback.py [FILE ...]

Every field must come back with equal values, and with equal keys of the namespaces ls, parameter, time, vertical, geography and mars.
Values in complex packing may differ in the last bits: encoders round the reference value in other ways.
"""
import collections
import os
import subprocess
import sys
import tempfile

import eccodes
import numpy as np

NAMESPACES = "ls", "parameter", "time", "vertical", "geography", "mars"
ROUNDING = 2e-15  # of complex packing
FILES = [
    "2t.grib2", "gfs_2p50_f000.grib2", "cfgrib/ncep-seasonal-monthly.grib", "cfgrib/forecast_monthly_ukmo.grib", "cfgrib/cams-egg4-monthly.grib", "cfgrib/era5-levels-members.grib", "cfgrib/hpa_and_pa.grib", "cfgrib/cfrzr_and_cprat.grib",
    "cfgrib/soil-surface-level-mix.grib", "cfgrib/step_60m.grib", "cfgrib/uv_on_different_levels.grib", "earthkit/chem-cams.grib",
    "earthkit/ml_data.grib", "earthkit/rotated_wind_20x20.grib",
]


def keys(h, namespace):
    iterator = eccodes.codes_keys_iterator_new(h, namespace)
    while eccodes.codes_keys_iterator_next(iterator):
        name = eccodes.codes_keys_iterator_get_name(iterator)
        if name != "pv":
            yield name, eccodes.codes_get_string(h, name)
    eccodes.codes_keys_iterator_delete(iterator)


def fields(path):
    """The values of the fields by all their keys."""
    found = collections.defaultdict(list)
    with open(path, "rb") as f:
        while (h := eccodes.codes_grib_new_from_file(f)) is not None:
            eccodes.codes_set(h, "missingValue", 1e300)
            all_keys = {k: v for n in NAMESPACES for k, v in keys(h, n)}
            number = eccodes.codes_get_string(h, "number") if eccodes.codes_is_defined(h, "number") else ""
            found[number, tuple(sorted(all_keys.items()))].append(eccodes.codes_get_values(h))
            eccodes.codes_release(h)
    return found


def check(path, tgmconv, folder):
    store, tgm, back = (os.path.join(folder, "a." + e) for e in ("zarr", "tgm", "grib"))
    subprocess.run(["rm", "-rf", store], check=True)
    for command in ["to-zarr", "-o", store, path], ["convert", "-o", tgm, store], ["to-grib", "-o", back, tgm]:
        subprocess.run([tgmconv, command[0], "-q", *command[1:]], check=True)
    want, got = fields(path), fields(back)
    wrong = [k for k in want if len(got.get(k, [])) != len(want[k])]
    for k in want:
        limit = ROUNDING if "complex" in dict(k[1])["packingType"] else 0
        for v in want[k]:
            if k not in wrong and not any(v.shape == w.shape and np.allclose(v, w, rtol=limit, atol=0) for w in got[k]):
                wrong.append(k)
    total = sum(len(v) for v in want.values())
    print(f"{path}: {total} fields, {len(wrong)} wrong", dict(wrong[0][1]) if wrong else "")
    return bool(wrong) or sum(len(v) for v in got.values()) != total


if __name__ == "__main__":
    eccodes.codes_grib_multi_support_on()
    files = sys.argv[1:] or ["fixtures/grib/" + f for f in FILES if os.path.exists("fixtures/grib/" + f)]
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "tgmconv")
        subprocess.run(["go", "build", "-buildvcs=false", "-o", program, "./cmd/tgmconv"], check=True)
        sys.exit(1 if any([check(f, program, folder) for f in files]) else 0)
