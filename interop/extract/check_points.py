"""Compares what tgmconv extract takes at places with ecCodes: codes_grib_find_nearest and codes_get_values.

    .interop/venv/bin/python interop/extract/check_points.py [FILE ...]

For each field of the GRIB fixtures, and of the same fields converted to Tensogram: the value at the point is that of the
decoded field, bit for bit, and no point is nearer to the place than the one that was taken, by ecCodes' own distances.

Known differences, which are passed over:

- Polar stereographic grids of edition 1 about the south pole, such as ref_grid_220.landmask.grib1 of NCEPLIBS-grib_util.
  Their grid lengths are true at the parallel of 60 degrees nearest to the pole on the projection plane (FM 92 GRIB edition 1,
  section 2): 60 degrees south. ecCodes takes 60 degrees north, by which all points lie elsewhere.
"""

import json
import math
import os
import random
import subprocess
import sys
import tempfile

import eccodes
import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TGMCONV = os.environ.get("TGMCONV", os.path.join(ROOT, "bin", "tgmconv"))
TOLERANCE = 2e-5  # degrees: coordinates of rotated grids are rounded on the way
PLACES = 5
FIELDS = 1  # of each file


def files():
    if len(sys.argv) > 1:
        return sys.argv[1:]
    found = []
    for folder, _, names in os.walk(os.path.join(ROOT, "fixtures", "grib")):
        if "malformed" not in folder:
            found += [os.path.join(folder, name) for name in sorted(names)]
    return found


def fields(path):
    """The first fields of a file: (handle, latitudes, longitudes, values)."""
    with open(path, "rb") as f:
        while (h := eccodes.codes_grib_new_from_file(f)) is not None:
            yield h


def is_known(h):
    """Whether ecCodes has other places for the points, see above."""
    return (
        eccodes.codes_get(h, "edition") == 1
        and eccodes.codes_get_string(h, "gridType") == "polar_stereographic"
        and eccodes.codes_get(h, "projectionCentreFlag") & 128 != 0
    )


def places(h, rng):
    """Places on the field's area, at points, between them and at the edges of the globe."""
    lats, lons = eccodes.codes_get_array(h, "latitudes"), eccodes.codes_get_array(h, "longitudes")
    south, north = max(lats.min(), -90), min(lats.max(), 90)
    west, east = lons.min(), lons.max()
    list_ = [(float(lats[0]), float(lons[0])), (float(lats[-1]), float(lons[-1]))]
    while len(list_) < PLACES:
        list_.append((rng.uniform(south, north), rng.uniform(west, east)))
    return [(lat, math.remainder(lon, 360)) for lat, lon in list_], lats, lons


def extracted(path, list_):
    text = ";".join(f"{float(lat)!r},{float(lon)!r}" for lat, lon in list_)
    # An equals sign, as the first latitude may be negative.
    p = subprocess.run([TGMCONV, "extract", "--format", "json", f"--at={text}", path], capture_output=True, text=True)
    return p, [json.loads(line) for line in p.stdout.splitlines()]


def haversine(lat1, lon1, lat2, lon2):
    """The distance in km on a sphere of 6371 km; exact for points that are near each other."""
    a, b, c, d = map(math.radians, (lat1, lon1, lat2, lon2))
    h = math.sin((c - a) / 2) ** 2 + math.cos(a) * math.cos(c) * math.sin((d - b) / 2) ** 2
    return 2 * 6371 * math.asin(math.sqrt(min(1, h)))


def check(what, handles, list_, lats, lons, bad):
    """Compares the rows of a file whose fields have the grid of the places.

    lats and lons were read before: codes_grib_find_nearest leaves the coordinates of rotated grids unrotated."""
    p, rows = extracted(what, list_)
    if len(rows) < len(list_):
        bad.append(f"{what}: {len(rows)} rows: {p.stderr.strip()}")
        return 0
    compared = 0
    for n, h in enumerate(handles[:FIELDS]):
        values = eccodes.codes_get_array(h, "values")
        missing = eccodes.codes_get(h, "missingValue")
        has_bitmap = eccodes.codes_get(h, "bitmapPresent")
        if eccodes.codes_is_defined(h, "alternativeRowScanning") and eccodes.codes_get(h, "alternativeRowScanning"):
            # ecCodes has them as they are stored, every other row turned; cfgrib turns them as is done here.
            rows_ = values.reshape(eccodes.codes_get(h, "Nj"), eccodes.codes_get(h, "Ni"))
            rows_[1::2] = rows_[1::2, ::-1].copy()
        for (lat, lon), row in zip(list_, rows[n * len(list_) : (n + 1) * len(list_)]):
            where = f"{os.path.relpath(what, ROOT)}: field {n} at {lat}, {lon}"
            near = haversine(lat, lon, row["latitude"], row["longitude"])
            try:
                points = eccodes.codes_grib_find_nearest(h, lat, lon, npoints=4)
            except eccodes.CodesInternalError:
                points = []
            for q in points:
                if haversine(lat, lon, q["lat"], q["lon"]) < near - 1e-6:
                    bad.append(f"{where}: the point at {row['latitude']}, {row['longitude']} is {near} km away, ecCodes has one at {q['lat']}, {q['lon']}, {q['distance']} km")
                    break
            if "reason" in row:
                continue  # outside: ecCodes knows no outside on most grids
            east = np.remainder(lons - row["longitude"] + TOLERANCE, 360)
            at = np.flatnonzero((np.abs(lats - row["latitude"]) < TOLERANCE) & (east < 2 * TOLERANCE))
            if len(at) == 0:
                bad.append(f"{where}: ecCodes has no point at {row['latitude']}, {row['longitude']}")
            for i in at:
                absent = values[i] == missing and (has_bitmap or missing == 9999)
                if absent != (row["value"] is None) or not absent and row["value"] != values[i]:
                    if len(at) > 1 and any(row["value"] == values[k] for k in at):
                        continue  # several points at one place, such as the points of a pole
                    bad.append(f"{where}: {row['value']!r}, ecCodes has {values[i]!r}")
            compared += 1
    return compared


def main():
    rng = random.Random(1)
    bad, compared, passed, known = [], 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for path in files():
            try:
                handles = list(fields(path))
                grids = {(eccodes.codes_get_string(h, "md5GridSection"), eccodes.codes_get_string(h, "gridType")) for h in handles}
            except eccodes.CodesInternalError:  # messages that ecCodes cannot read, and messages that are BUFR
                passed += 1
                continue
            if len(grids) != 1 or next(iter(grids))[1] in ("sh", "unknown") or len(handles) > 400:
                passed += 1
                continue
            if is_known(handles[0]):
                known += 1
                continue
            try:
                list_, lats, lons = places(handles[0], rng)
            except eccodes.CodesInternalError:
                passed += 1
                continue
            compared += check(path, handles, list_, lats, lons, bad)
            converted = os.path.join(folder, os.path.basename(path) + ".tgm")
            # With decimal scale factors values may differ in the last place, see importers/fromgrib.
            if subprocess.run([TGMCONV, "convert", "-q", "-o", converted, path], capture_output=True).returncode == 0:
                compared += check(converted, handles, list_, lats, lons, [] if eccodes.codes_get(handles[0], "decimalScaleFactor") else bad)
            for h in handles:
                eccodes.codes_release(h)
    for line in bad[:40]:
        print("FAIL", line)
    print(f"extract: {compared} values at places compared with ecCodes, {len(bad)} differ; {passed} files have several grids, or none, {known} a known difference")
    return 1 if bad or compared < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
