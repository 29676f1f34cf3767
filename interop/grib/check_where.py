"""Compares the selection of --where with that of ecCodes' grib_ls.

Every key of the fields below, by its text, integer and real value, with = and !=. EVERY=1 in the
environment compares all clauses, which takes half an hour; every tenth is the default.
"""
import os
import subprocess
import sys
from pathlib import Path

import eccodes as ec

TGMCONV = os.environ.get("TGMCONV", "bin/tgmconv")
GRIB_LS = next(Path(".interop/venv/lib").glob("python3*/site-packages/eccodeslib/bin/grib_ls"))
FIELDS = [
    "2t.grib2", "q_150.grib2", "gfs_2p50_f000.grib2", "cfgrib/multi_param_on_multi_dims.grib", "cfgrib/era5-levels-members.grib",
    "cfgrib/cfrzr_and_cprat.grib", "cfgrib/reduced_gg.grib", "cfgrib/spherical_harmonics.grib", "cfgrib/forecast_monthly_ukmo.grib",
    "cfgrib/lambert_grid.grib",
]
# Bytes that ecCodes shows in several ways, and a computed name.
KNOWN = ("padding_", "nameOfSecondFixedSurface")
# Keys of the place of a field, and keys that need the values of all fields.
SKIPPED = {"count", "offset", "values", "codedValues", "latLonValues", "latitudes", "longitudes", "distinctLatitudes", "distinctLongitudes"}


def clauses(path):
    """The clauses for the first field of a file."""
    with open(path, "rb") as f:
        h = ec.codes_grib_new_from_file(f)
    found = {}
    it = ec.codes_keys_iterator_new(h)
    while ec.codes_keys_iterator_next(it):
        key = ec.codes_keys_iterator_get_name(it)
        if key in SKIPPED or key.startswith(KNOWN):
            continue
        for get in (ec.codes_get_string, ec.codes_get_long, ec.codes_get_double):
            try:
                value = str(get(h, key)) if ec.codes_get_size(h, key) == 1 else ""
            except ec.CodesInternalError:
                continue
            # Commas and slashes separate; a text with a blank at its end is cut by grib_ls.
            if value and not set(value) & set(",/=!<>*?") and value == value.strip():
                found[f"{key}={value}"] = found[f"{key}!={value}"] = True
    return list(found)


def selected(command, path, clause):
    out = subprocess.run([*command, "-w", clause, "-p", "count", path], capture_output=True, text=True).stdout
    return [line.split()[0] for line in out.splitlines() if line.split()[:1] and line.split()[0].isdigit() and " of " not in line]


def main():
    compared, differ = 0, []
    every = int(os.environ.get("EVERY", "10"))
    for name in FIELDS:
        path = f"fixtures/grib/{name}"
        for clause in clauses(path)[::every]:
            compared += 1
            if selected([str(GRIB_LS)], path, clause) != selected([TGMCONV, "grib", "ls"], path, clause):
                differ.append(f"{name}: {clause}")
    print(f"where: {compared} clauses, {len(differ)} select other fields than grib_ls", *differ[:50], sep="\n  ")
    return 1 if differ or compared < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
