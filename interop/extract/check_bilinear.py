"""Compares what tgmconv extract --bilinear interpolates with NumPy, on coordinates and values that ecCodes decodes.

    .interop/venv/bin/python interop/extract/check_bilinear.py

Reduced grids: two points in each of two rows, by longitude and then by latitude. Other grids: the four points of the
cell in the plane about the place (stereographic, where tgmconv has a gnomonic one), solved by least squares over all
cells near the place; the two planes differ by the curvature of a cell, which the tolerance allows for.
"""

import csv
import io
import os
import random
import subprocess
import sys

import eccodes
import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TGMCONV = os.environ.get("TGMCONV", os.path.join(ROOT, "bin", "tgmconv"))
FILES = sys.argv[1:] or [os.path.join(ROOT, "fixtures/grib", name) for name in (
    "2t.grib2", "cfgrib/reduced_gg.grib", "cfgrib/lambert_grid.grib", "earthkit/rotated_wind_20x20.grib")]
PLACES = 20


def in_row(lats, lons, values, row, lon):
    at = np.flatnonzero(lats == row)
    east = np.remainder(lons[at] - lon, 360)
    right, left = at[np.argmin(east)], at[np.argmax(east)]
    a, b = np.remainder(lon - lons[left], 360), np.remainder(lons[right] - lon, 360)
    return values[left] if a + b == 0 else (values[left] * b + values[right] * a) / (a + b)


def between_rows(lats, lons, values, lat, lon):
    rows = np.unique(lats)
    k = np.searchsorted(rows, lat)
    if k == 0 or k == len(rows):
        return in_row(lats, lons, values, rows[min(k, len(rows) - 1)], lon)
    south, north = rows[k - 1], rows[k]
    part = (lat - south) / (north - south)
    return (1 - part) * in_row(lats, lons, values, south, lon) + part * in_row(lats, lons, values, north, lon)


def stereographic(lats, lons, lat, lon):
    p, q, d = np.radians(lats), np.radians(lat), np.radians(lons - lon)
    k = 2 / (1 + np.sin(q) * np.sin(p) + np.cos(q) * np.cos(p) * np.cos(d))
    return k * np.cos(p) * np.sin(d), k * (np.cos(q) * np.sin(p) - np.sin(q) * np.cos(p) * np.cos(d))


def in_cell(lats, lons, values, lat, lon):
    """The value in the cell around the place, None if there is no cell, and how much the values of the cell differ."""
    x, y = stereographic(lats, lons, lat, lon)
    j0, i0 = np.unravel_index(np.argmin(x * x + y * y), x.shape)
    for j in range(max(j0 - 1, 0), min(j0 + 1, x.shape[0] - 1)):
        for i in range(max(i0 - 1, 0), min(i0 + 1, x.shape[1] - 1)):
            c = [(j, i), (j, i + 1), (j + 1, i), (j + 1, i + 1)]
            px, py, v = (np.array([m[at] for at in c]) for m in (x, y, values))
            u = np.array([0.5, 0.5])
            for _ in range(50):
                w = np.array([(1 - u[1]) * (1 - u[0]), (1 - u[1]) * u[0], u[1] * (1 - u[0]), u[1] * u[0]])
                dr = np.array([-(1 - u[1]), 1 - u[1], -u[1], u[1]])
                dd = np.array([-(1 - u[0]), -u[0], 1 - u[0], u[0]])
                u = u - np.linalg.lstsq(np.array([[dr @ px, dd @ px], [dr @ py, dd @ py]]), np.array([w @ px, w @ py]), rcond=None)[0]
            if (u > -1e-6).all() and (u < 1 + 1e-6).all():
                return float(w @ v), float(v.max() - v.min())
    return None, 0


def check(path, rng):
    with open(path, "rb") as f:
        h = eccodes.codes_grib_new_from_file(f)
    lats, lons, values = (eccodes.codes_get_array(h, key) for key in ("latitudes", "longitudes", "values"))
    kind = eccodes.codes_get(h, "gridType")
    at = [rng.randrange(len(lats)) for _ in range(PLACES)]
    spread = 0.3 * (180 / np.sqrt(len(lats)) if np.ptp(lats) > 60 else np.ptp(lats) / np.sqrt(len(lats)))
    places = [(float(np.clip(lats[i] + rng.uniform(-spread, spread), -89.9, 89.9)), float(np.remainder(lons[i] + rng.uniform(-spread, spread), 360))) for i in at]
    command = [TGMCONV, "extract", "--bilinear", "--at=" + ";".join(f"{a!r},{b!r}" for a, b in places), path]
    out = subprocess.run(command, capture_output=True, text=True)
    rows = list(csv.DictReader(io.StringIO(out.stdout)))[:PLACES]
    bad, compared = [], 0
    if len(rows) < PLACES:
        return [f"{path}: {out.stderr.strip()}"], 0
    for (lat, lon), row in zip(places, rows):
        if kind.startswith(("reduced", "regular")):
            wanted, tolerance = between_rows(lats, lons, values, lat, lon), 1e-9 * np.abs(values).max()
        else:
            shape = eccodes.codes_get(h, "Nj" if "rotated" in kind else "Ny"), eccodes.codes_get(h, "Ni" if "rotated" in kind else "Nx")
            wanted, differ = in_cell(*(m.reshape(shape) for m in (lats, lons, values)), lat, lon)
            tolerance = 0.05 * differ + 1e-9 * np.abs(values).max()
        if wanted is None or row["value"] == "":
            if wanted is not None and "outside" not in out.stderr:
                bad.append(f"{path} at {lat}, {lon}: nothing, NumPy has {wanted}")
            continue
        compared += 1
        if abs(float(row["value"]) - wanted) > tolerance:
            bad.append(f"{path} at {lat}, {lon}: {row['value']}, NumPy has {wanted} +- {tolerance}")
    return bad, compared


def main():
    rng, bad, compared = random.Random(1), [], 0
    for path in FILES:
        more, n = check(path, rng)
        bad, compared = bad + more, compared + n
    for line in bad[:20]:
        print("FAIL", line)
    print(f"extract: {compared} interpolated values compared with NumPy, {len(bad)} differ")
    return 1 if bad or compared < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
