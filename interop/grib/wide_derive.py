#!/usr/bin/env python3
"""Makes GRIB files at random: grids of every kind in every scanning mode, and fields in every packing with parameters of every size.

  wide_derive.py OUTDIR [--count N] [--seed S]

writes OUTDIR/{latlon,gaussian,reduced,projected}{1,2}.grib, of up to N messages each, OUTDIR/values{1,2}.grib of up to 4 N, and
OUTDIR/no_bitmap.grib. What ecCodes refuses to write is left out, and what it reads as nonsense is not made: see
check_wide.py, which compares what tgmconv makes of these files with ecCodes.
"""
import argparse
import ctypes
import os
import random
from pathlib import Path

import eccodes as ec
import numpy as np

import messages
from values_derive import run, sections2

LIBRARY = ctypes.CDLL(f"{messages.LIBRARY}/lib64/libeccodes.so")
LIBRARY.codes_get_gaussian_latitudes.argtypes = [ctypes.c_long, ctypes.c_void_p]
MISSING = 9999.0
SCANS = list(range(0, 256, 16))
GRID_PACKINGS = {1: [None, None, "grid_second_order", "grid_second_order_SPD2", "grid_ieee"],
                 2: [None, None, "grid_ccsds", "grid_jpeg", "grid_png", "grid_complex", "grid_complex_spatial_differencing", "grid_ieee"]}
SECOND_ORDER = ["grid_second_order", "grid_second_order_no_boustrophedonic", "grid_second_order_no_SPD", "grid_second_order_SPD1",
                "grid_second_order_SPD2", "grid_second_order_SPD3"]
PACKINGS = {1: ["grid_simple"] * 3 + ["grid_ieee", "grid_simple_matrix", "grid_second_order_constant_width", "grid_second_order_row_by_row",
                                      "grid_second_order_general_grib1"] + SECOND_ORDER,
            2: ["grid_simple"] * 3 + ["grid_ieee", "grid_simple_matrix", "grid_simple_log_preprocessing", "grid_ccsds", "grid_ccsds", "grid_jpeg",
                                      "grid_png", "grid_complex", "grid_complex_spatial_differencing", "grid_run_length"] + SECOND_ORDER}
ROTATION = {"latitudeOfSouthernPoleInDegrees": [-30.0, -90.0, -40.123, 35.0, 0.0, 90.0], "longitudeOfSouthernPoleInDegrees": [10.0, 0.0, -170.0, 200.0],
            "angleOfRotationInDegrees": [0.0, 0.0, 0.0, 10.0, -5.5]}
STRETCHING = {"latitudeOfStretchingPoleInDegrees": [46.0], "longitudeOfStretchingPoleInDegrees": [10.0], "stretchingFactor": [2.4]}


class Maker:
    """Random choices, reproducible from a seed."""

    def __init__(self, seed):
        self.r, self.n = random.Random(seed), np.random.default_rng(seed)

    def of(self, choices):
        return {k: self.r.choice(v) for k, v in choices.items()}

    def often(self, p):
        return self.r.random() < p

    # --- jobs: functions that make a message ---

    def job(self, sample, keys, points, edition, pl=None, missing=()):
        values = 250 + self.n.normal(0, 5, points)
        holes = self.often(.3)
        if holes:
            values[self.n.random(points) < self.r.choice([.1, .5])] = MISSING
        packing = self.r.choice(GRID_PACKINGS[edition])

        def make():
            h = ec.codes_grib_new_from_samples(sample)
            for k, v in keys.items():
                try:
                    ec.codes_set(h, k, v)
                except ec.CodesInternalError:
                    if k == "gridType":
                        raise
            for k in missing:
                ec.codes_set_missing(h, k)
            if pl is not None:
                ec.codes_set_array(h, "pl", [int(x) for x in pl])
            if holes:
                ec.codes_set(h, "bitmapPresent", 1)
                ec.codes_set(h, "missingValue", MISSING)
            ec.codes_set_values(h, values)
            if packing and not (packing == "grid_second_order" and pl is not None):  # ecCodes damages its memory
                ec.codes_set(h, "packingType", packing)
                ec.codes_set_values(h, values)
            return ec.codes_get_message(h)

        return make

    def earth(self):
        k = self.r.choice([0, 1, 2, 3, 4, 5, 6, 6, 6, 7, 8, 9, 11, 255])
        e = {"shapeOfTheEarth": k}
        if k == 1:
            factor, value = self.r.choice([(0, 6371200), (2, 637122000), (-3, 6371)])
            e |= {"scaleFactorOfRadiusOfSphericalEarth": factor, "scaledValueOfRadiusOfSphericalEarth": value}
        if k in (3, 7):
            for name, metres in (("Major", 6378137), ("Minor", 6356752)):
                e |= {f"scaleFactorOfEarth{name}Axis": 0, f"scaledValueOfEarth{name}Axis": metres // (1000 if k == 3 else 1)}
        return e

    def latlon(self, e):
        q, r = unit(e), self.r
        ni, nj = r.choice([1, 2, 3, 5, 8, 12, 24, 36]), r.choice([1, 2, 3, 4, 7, 13])
        scan = r.choice(SCANS + [0, 0, 64, 64]) | r.choice([0] * 9 + [8, 15, 1])
        di = r.choice([.1, .25, .5, 1, 1.25, 2.5, 10, 360 / ni, 1 / 3, .0625])
        dj = min(r.choice([.1, .25, .5, 1, 1.25, 2.5, 10, 1 / 3, .0625]), 170 / max(nj - 1, 1))
        first = r.choice([0, -180, 180, 350, -10, 359.5, 10, -.125, 100.123, 360, -25])
        last = first + di * (ni - 1) * (-1 if scan & 128 else 1)
        if self.often(.7):
            first, last = first % 360, last % 360
        top = max(r.choice([90, 60, 45.5, 0, -10, 33.333]), -90 + dj * (nj - 1))
        rows = [top, top - dj * (nj - 1)]
        if bool(scan & 64) != self.often(.04):
            rows.reverse()
        kind = r.choice(["regular_ll"] * 4 + ["rotated_ll"] * 2 + ["stretched_ll", "stretched_rotated_ll"])
        keys = {"gridType": kind, "Ni": ni, "Nj": nj, "scanningMode": scan} | corners(q, rows, first, last)
        given, missing = r.randrange(3), ()
        keys["ijDirectionIncrementGiven"] = int(given == 0)
        if given == 0:
            keys |= {"iDirectionIncrement": int(round(di * q)) % (65000 if e == 1 else 1 << 31), "jDirectionIncrement": int(round(dj * q))}
        elif given == 1:
            keys |= {"iDirectionIncrement": 0, "jDirectionIncrement": 0}
        else:
            missing = ("iDirectionIncrement", "jDirectionIncrement")
        return self.job(f"regular_ll_pl_grib{e}", keys | self.turned(kind) | (self.earth() if e == 2 else {}), ni * nj, e, missing=missing)

    def turned(self, kind):
        return (self.of(ROTATION) if "rotated" in kind else {}) | (self.of(STRETCHING) if "stretched" in kind else {})

    def gaussian(self, e):
        q, r = unit(e), self.r
        n = r.choice([4, 8, 16, 24, 32, 47, 48])
        latitudes, top, rows = self.band(n)
        scan = r.choice(SCANS + [0] * 6)
        ends = [latitudes[top], latitudes[top + rows - 1]]
        if scan & 64:
            ends.reverse()
        jitter = r.choice([0, 0, 0, .0004, -.0009, .002])
        ni = r.choice([4 * n, 4 * n, 1, 2, 10, n])
        first = r.choice([0, 0, 0, -180, 350, 10, 180])
        last = first + 90 / n * (ni - 1)
        if scan & 128:
            first, last = last, first
        kind = r.choice(["regular_gg"] * 3 + ["rotated_gg", "stretched_gg", "stretched_rotated_gg"])
        keys = {"gridType": kind, "N": n, "Ni": ni, "Nj": rows, "scanningMode": scan} | corners(q, [x + jitter for x in ends], first % 360, last % 360)
        missing = ()
        if self.often(.3):
            keys["ijDirectionIncrementGiven"], missing = 0, ("iDirectionIncrement",)
        return self.job(f"regular_gg_pl_grib{e}", keys | self.turned(kind) | (self.earth() if e == 2 else {}), ni * rows, e, missing=missing)

    def band(self, n):
        """Gaussian latitudes, the first row of a band and its number of rows: the globe half of the time."""
        latitudes = np.zeros(2 * n)
        LIBRARY.codes_get_gaussian_latitudes(n, latitudes.ctypes.data)
        if self.often(.5):
            return latitudes, 0, 2 * n
        top = self.r.randrange(2 * n)
        return latitudes, top, self.r.randint(1, 2 * n - top)

    def reduced(self, e):
        return self.reduced_latlon(e) if self.often(.25) else self.reduced_gaussian(e)

    def reduced_latlon(self, e):
        q, r = unit(e), self.r
        nj, dj = r.choice([3, 5, 9, 19]), r.choice([10, 2.5, 5])
        pl = [max(4, int(36 * np.cos(np.pi * (j - nj // 2) / nj))) + r.randrange(3) for j in range(nj)]
        if self.often(.15):
            pl[r.randrange(nj)] = 0
        first = r.choice([0, 0, -10, 350, 180, 90])
        last = first + r.choice([360 - 360 / max(pl), 359, 90, 180, 30.5, 0])
        scan = r.choice([0, 0, 0, 64, 128, 192, 16, 32])
        rows = [dj * (nj - 1) / 2, -dj * (nj - 1) / 2]
        if scan & 64:
            rows.reverse()
        keys = {"Nj": nj, "ijDirectionIncrementGiven": 1, "jDirectionIncrement": int(dj * q), "scanningMode": scan} | corners(q, rows, first, last)
        if e == 2:
            keys["numberOfDataPoints"] = sum(pl)
        return self.job(f"reduced_ll_sfc_grib{e}", keys, sum(pl), e, pl=pl)

    def reduced_gaussian(self, e):
        q, r = unit(e), self.r
        n = r.choice([4, 8, 16, 32, 48])
        latitudes, top, rows = self.band(n)
        half = [20 + 4 * i for i in range(n)] if self.often(.5) else [min(4 * n, 20 + 4 * i // 2 * 2) for i in range(n)]
        pl = (half + half[::-1])[top:top + rows]
        first = r.choice([0, 0, 0, 0, -180, 350, 10, -20.5])
        last = first + r.choice([360 - 360 / max(pl)] * 3 + [90, 30.25, 359, 180])
        if self.often(.6):
            first, last = first % 360, last % 360
        # From south to north ecCodes reads beyond its latitudes.
        keys = {"N": n, "Nj": rows, "scanningMode": r.choice([0] * 6 + [s for s in SCANS if not s & 64])}
        keys |= corners(q, [latitudes[top], latitudes[top + rows - 1]], first, last)
        kind = r.choice(["reduced"] * 3 + ["reduced_rotated", "reduced_stretched", "reduced_stretched_rotated"])
        sample, keys = f"{kind}_gg_pl_grib{e}", keys | (self.of(ROTATION) if "rotated" in kind else {})
        try:
            h = ec.codes_grib_new_from_samples(sample)
            for k, v in keys.items():
                ec.codes_set(h, k, v)
            ec.codes_set_array(h, "pl", pl)
            points = ec.codes_get(h, "numberOfDataPointsExpected", int)
            ec.codes_release(h)
        except ec.CodesInternalError:
            points = sum(pl)
        if not 0 < points <= sum(pl):
            points = sum(pl)
        return self.job(sample, keys | ({"numberOfDataPoints": points} if e == 2 else {}), points, e, pl=pl)

    def projected(self, e):
        q, r = unit(e), self.r
        nx, ny = r.choice([1, 2, 3, 5, 7, 16]), r.choice([1, 2, 3, 4, 6, 11])
        kinds = ["lambert", "mercator", "polar_stereographic", "space_view", "albers"]
        if e == 2:
            kinds += ["lambert_azimuthal_equal_area", "lambert_lam", "mercator_lam", "polar_stereographic_lam", "transverse_mercator",
                      "equatorial_azimuthal_equidistant", "unstructured_grid", "triangular_grid", "cross_section", "healpix"]
        kind = r.choice(kinds)
        la, lo = r.choice([r.uniform(-80, 80), 0, 45, -35, 20.191999]), r.choice([r.uniform(0, 360), 0, 238.446, 350])
        keys = {"gridType": kind, "Nx": nx, "Ny": ny, "Ni": nx, "Nj": ny, "scanningMode": r.choice(SCANS + [0, 64, 64]),
                "latitudeOfFirstGridPoint": int(la * q), "longitudeOfFirstGridPoint": int(lo * q), "uvRelativeToGrid": r.randrange(2)}
        keys |= self.earth() if e == 2 else {"earthIsOblate": r.randrange(2)}
        if kind in ("healpix", "unstructured_grid"):
            side = r.choice([1, 2, 3, 4, 8])
            points = 12 * side * side
            keys = {"gridType": kind, "numberOfDataPoints": points, "shapeOfTheEarth": 6}
            keys |= {"Nside": side, "orderingConvention": r.choice(["ring", "nested"]), "longitudeOfFirstGridPoint": r.choice([45, 45, 45, 0]) * q} \
                if kind == "healpix" else {"numberOfGridUsed": r.randrange(4), "numberOfGridInReference": r.choice([1, 2, 3])}
            return self.job("regular_ll_pl_grib2", keys, points, e)
        return self.job(f"regular_ll_pl_grib{e}", keys | self.projection(kind, e, q, la, lo, nx, ny), nx * ny, e)

    def projection(self, kind, e, q, la, lo, nx, ny):
        r = self.r
        d = r.choice([1000, 2500, 12190.58, 60000, 135000])
        lov = int(r.choice([lo + r.uniform(-20, 40), 265, 0, 180]) % 360 * q)
        if kind == "lambert_azimuthal_equal_area":
            return {"standardParallel": int(r.choice([52, 90, 0, -90, 54.9]) * q), "centralLongitude": int(r.choice([10, 0, 200, -2.5]) * q),
                    "Dx": int(d * 1000), "Dy": int(d * 1000)}
        if kind.startswith("lambert") or kind == "albers":
            l1, l2 = r.choice([(25, 25), (30, 60), (60, 30), (50, 50), (33.5, 46.25), (38.5, 38.5), (0, 0), (20, -20), (90, 90), (90, 30)])
            if la < 0 and self.often(.8):
                l1, l2 = -l1, -l2
            keys = {"Latin1": int(l1 * q), "Latin2": int(l2 * q), "LoV": lov, "DxInMetres": d, "DyInMetres": d * r.choice([1, 1, 1.5])}
            return keys | ({"LaD": int(r.choice([l1, l1, l2, 60, 25]) * q)} if e == 2 else {})
        if kind.startswith("mercator"):
            return {"LaDInDegrees": r.choice([0, 20.0, 22.5, -20.0]), "latitudeOfLastGridPoint": int((la + r.choice([9, 5, 0, -9])) * q), "DiInMetres": d, "DjInMetres": d,
                    "longitudeOfLastGridPoint": int((lo + r.choice([20, 100, 0, 300])) % 360 * q), "orientationOfTheGrid": r.choice([0, 0, 0, 10 * q])}
        if kind.startswith("polar"):
            keys = {"orientationOfTheGrid": lov, "DxInMetres": d, "DyInMetres": d, "projectionCentreFlag": r.choice([0, 0, 128, 64])}
            return keys | ({"LaD": r.choice([60, 60, -60, 90, -90, 52, 0]) * q} if e == 2 else {})
        if kind == "space_view":
            keys = {"latitudeOfSubSatellitePoint": r.choice([0, 0, 0, 10 * q]), "longitudeOfSubSatellitePoint": int(r.choice([0, 0, 140.7, -75., 9.5, 360]) * q),
                    "dx": r.choice([nx, 3622, 3712]), "dy": r.choice([ny + 1, 3610, 3712]), "Xo": r.choice([0, 0, 5, 1000]), "Yo": r.choice([0, 0, 3]),
                    "orientationOfTheGrid": r.choice([0, 0, 180 * q]), "Nr": r.choice([6610700, 6610674, 7000000])}
            return keys | ({"XpInGridLengths": nx // 2, "YpInGridLengths": ny // 2} if e == 1 else
                           {"Xp": r.choice([nx * 500, 1856000]), "Yp": r.choice([ny * 500, 1856000])})
        return {}

    # --- values ---

    def field(self, n):
        r, g = self.r, self.n
        constant = np.full(n, r.choice([0.0, 1.0, -1.0, 273.15, 1e-10, -1e10, 1e30, 1e-40]))
        spike = np.zeros(n)
        spike[r.randrange(n)] = r.choice([1, -1, 1e-6, 1e6])
        wave = np.sin(np.linspace(0, r.choice([1, 10, 40]), n))
        return r.choice([constant, spike, np.round(g.normal(0, 3, n)), g.integers(0, 2, n).astype(float), 10.0 ** g.uniform(-30, 20, n), g.normal(0, 1e-12, n),
                         1e5 + g.normal(0, 500, n), np.abs(g.normal(0, 1e-5, n)) * (g.random(n) < .2), -250 - 30 * wave, g.normal(0, 1e25, n),
                         250 + 30 * wave + g.normal(0, .1, n), 250 + 30 * wave])

    def gaps(self, n):
        """The mask of missing points."""
        i = np.arange(n)
        return self.r.choice([i < 0, i >= 0, self.n.random(n) < .3, self.n.random(n) < .95, i == self.r.randrange(n), i != self.r.randrange(n), i > n // 2, i < n // 2])

    def values(self, e):
        r = self.r
        gaussian = self.often(.25)
        ni, nj = r.choice([(1, 1), (2, 1), (1, 2), (3, 1), (2, 2), (5, 3), (7, 9), (33, 17), (100, 3)])
        keys = {} if gaussian else {"Ni": ni, "Nj": nj, "scanningMode": r.choice([0, 0, 0] + SCANS)}
        n = 6114 if gaussian else ni * nj
        values = self.field(n)
        holes = self.often(.4)
        if holes:
            values = np.where(self.gaps(n), MISSING, values)
        packing = r.choice(PACKINGS[e])
        bits = r.choice([0, 1, 2, 3, 5, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 20, 21, 23, 24, 25, 27, 28, 30, 31, 32])
        scale = r.choice([{"bitsPerValue": bits}, {"bitsPerValue": bits}, {"decimalPrecision": r.randrange(-5, 9)}, {"bitsPerValue": 16},
                          {"bitsPerValue": r.choice([8, 12, 16, 24]), "decimalScaleFactor": r.randrange(-5, 9)},
                          {"binaryScaleFactor": r.randrange(-20, 20), "bitsPerValue": 16, "optimizeScaleFactor": 1}])
        # ecCodes writes no data of a field that is missing throughout, and reads them from after the message.
        managed = packing.startswith("grid_complex") and holes and not (values == MISSING).all() and self.often(.6)
        order, precision = r.choice([1, 2]), r.choice([1, 2])
        sample = f"reduced_gg_pl_32_grib{e}" if gaussian else f"regular_ll_sfc_grib{e}"

        def make():
            h = ec.codes_grib_new_from_samples(sample)
            for k, v in keys.items():
                ec.codes_set(h, k, v)
            if holes:
                ec.codes_set(h, "bitmapPresent", int(not managed))
                ec.codes_set(h, "missingValue", MISSING)
            for k, v in scale.items():
                ec.codes_set(h, k, v)
            if not managed:
                ec.codes_set_values(h, values)
            if packing != "grid_simple":
                ec.codes_set(h, "packingType", packing)
            if managed:
                ec.codes_set(h, "missingValueManagementUsed", 1)
            if packing.endswith("differencing"):
                ec.codes_set(h, "orderOfSpatialDifferencing", order)
            if packing == "grid_ieee":
                ec.codes_set(h, "precision", precision)
            ec.codes_set_values(h, values)
            return ec.codes_get_message(h)

        return make


def unit(e):
    return 1000 if e == 1 else 1000000


def corners(q, rows, first, last):
    return {"latitudeOfFirstGridPoint": int(round(rows[0] * q)), "latitudeOfLastGridPoint": int(round(rows[1] * q)),
            "longitudeOfFirstGridPoint": int(round(first * q)), "longitudeOfLastGridPoint": int(round(last * q))}


def no_bitmap(path):
    """Messages that name a bitmap and do not hold it."""
    h = ec.codes_grib_new_from_samples("regular_ll_sfc_grib2")
    ec.codes_set_values(h, np.arange(ec.codes_get_size(h, "values")) * 1.0)
    m = sections2(ec.codes_get_message(h))
    ec.codes_release(h)
    with open(path, "wb") as f:
        for indicator in (1, 200, 253, 254):
            m[6] = (6).to_bytes(4, "big") + bytes([6, indicator])
            body = b"".join(m[s] for s in sorted(m))
            f.write(b"GRIB\0\0\0\2" + (20 + len(body)).to_bytes(8, "big") + body + b"7777")


def derive(out, count, seed):
    os.makedirs(out, exist_ok=True)
    m = Maker(seed)
    for e in (1, 2):
        for make in (m.latlon, m.gaussian, m.reduced, m.projected, m.values):
            n = 4 * count if make == m.values else count
            run(os.path.join(out, f"{make.__name__}{e}.grib"), [make(e) for _ in range(n)])
    no_bitmap(os.path.join(out, "no_bitmap.grib"))


if __name__ == "__main__":
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("out")
    p.add_argument("--count", type=int, default=60)
    p.add_argument("--seed", type=int, default=1)
    a = p.parse_args()
    derive(a.out, a.count, a.seed)
