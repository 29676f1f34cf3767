#!/usr/bin/env python3
"""What ecCodes says of the grids of GRIB messages, for grib/geometry's interop test.

    geometry_oracle.py files FILE ...     every message of the files
    geometry_oracle.py samples            every GRIB sample that ecCodes ships
    geometry_oracle.py derived            messages made from samples by changing their grids

For each message a line of JSON goes to standard output: name, edition, centre, the grid section in hexadecimal, gridType, number of points and
of values, and count, the number of coordinates, or an error. 16*count bytes follow: latitudes, then longitudes, as little-endian doubles
in the order of ecCodes' iterator.

    geometry_oracle.py --frozen EVERY ...

writes, for each section not seen before and of these each EVERY-th, the line only, with checksums and thirteen of the coordinates: what
grib/geometry/testdata holds. interop/grib/geometry_freeze.sh makes these files.
"""
import json
import re
import sys
import zlib
from pathlib import Path

import eccodes as ec
import numpy as np

from messages import LIBRARY, get, sample_names

out = sys.stdout.buffer
FROZEN = None
EVERY = 1


def section(h, edition):
    n = 3 if edition == 2 else 2
    at, length = get(h, f"offsetSection{n}", int), get(h, f"section{n}Length", int)
    if at is None or length is None:
        return b""
    return ec.codes_get_message(h)[at:at + length]


def describe(name, h):
    edition = get(h, "edition", int)
    r = {"name": name, "edition": edition, "centre": get(h, "centre", int), "gridType": get(h, "gridType", str),
         "points": get(h, "numberOfDataPoints", int), "section": section(h, edition).hex(), "count": 0}
    r["gridName"] = get(h, "gridName", str)
    try:
        r["values"] = ec.codes_get_size(h, "values")
    except ec.CodesInternalError:
        r["values"] = 0
    lat = lon = np.zeros(0)
    try:
        if edition == 1 and not get(h, "gridDescriptionSectionPresent", int):
            r["predefined"] = get(h, "gridDefinition", int)
        # The iterator with decoding of values off: what the keys latitudes and longitudes give.
        lat, lon = ec.codes_get_array(h, "latitudes"), ec.codes_get_array(h, "longitudes")
        r["count"] = len(lat)
    except ec.CodesInternalError as e:
        r["error"] = str(e)
        lat = lon = np.zeros(0)
    write(r, lat, lon)


def write(r, lat, lon):
    if FROZEN is None:
        out.write(json.dumps(r).encode() + b"\n")
        out.write(np.asarray(lat, "<f8").tobytes() + np.asarray(lon, "<f8").tobytes())
        return
    if r["section"] in FROZEN:
        return
    FROZEN.add(r["section"])
    if (len(FROZEN) - 1) % EVERY:
        return
    # Of every axis a checksum of all values and a few of them.
    n = r["count"]
    r["latCRC"] = zlib.crc32(np.asarray(lat, "<f8").tobytes())
    r["lonCRC"] = zlib.crc32(np.asarray(lon, "<f8").tobytes())
    at = sorted({i * max(n - 1, 0) // 12 for i in range(13)}) if n else []
    r["at"], r["lat"], r["lon"] = at, [lat[i] for i in at], [lon[i] for i in at]
    out.write(json.dumps(r).encode() + b"\n")


def files(paths):
    ec.codes_grib_multi_support_on()
    for p in paths:
        with open(p, "rb") as f:
            i = 0
            while True:
                try:
                    h = ec.codes_grib_new_from_file(f)
                except ec.CodesInternalError as e:
                    print(f"{p} message {i}: {e}", file=sys.stderr)
                    break
                if h is None:
                    break
                describe(f"{Path(p).name}#{i}", h)
                ec.codes_release(h)
                i += 1
            ec.codes_grib_multi_support_reset_file(f)


def samples():
    for name in sample_names():
        if re.search("rotated_gg_pl_(1024|1280|2000|640)_", name):
            continue  # half a minute each, and similar to samples of fewer points
        try:
            h = ec.codes_grib_new_from_samples(name)
        except ec.CodesInternalError:
            continue
        describe(name, h)
        ec.codes_release(h)


def make(name, sample, points=None, pl=None, raw=(), **keys):
    """A message from a sample with keys set, described when ecCodes accepts them all. raw patches octets of the grid section."""
    try:
        h = ec.codes_grib_new_from_samples(sample)
        for k, v in keys.items():
            if isinstance(v, str) and v == "missing":
                ec.codes_set_missing(h, k)
            else:
                ec.codes_set(h, k, v)
        if pl is not None:
            ec.codes_set_array(h, "pl", [int(x) for x in pl])
        if points is not None:
            ec.codes_set_array(h, "values", np.arange(points, dtype=float))
        # Read it back: ecCodes evaluates some definitions, such as the figure of the Earth, on reading only.
        b = bytearray(ec.codes_get_message(h))
        at = get(h, "offsetSection3" if get(h, "edition", int) == 2 else "offsetSection2", int)
        for octet, data in raw:
            b[at + octet - 1:at + octet - 1 + len(data)] = data
        ec.codes_release(h)
        h = ec.codes_new_from_message(bytes(b))
        describe(name, h)
        ec.codes_release(h)
    except ec.CodesInternalError as e:
        print(f"{name}: {e}", file=sys.stderr)


def octahedral(n):
    half = [20 + 4 * i for i in range(n)]
    return half + half[::-1]


def gaussian_latitudes(n):
    import ctypes
    lib = ctypes.CDLL(f"{LIBRARY}/lib64/libeccodes.so")
    a = np.zeros(2 * n)
    lib.codes_get_gaussian_latitudes.argtypes = [ctypes.c_long, ctypes.c_void_p]
    lib.codes_get_gaussian_latitudes(n, a.ctypes.data)
    return a


def derived():
    rng = np.random.default_rng(4)
    for e in (1, 2):
        derived_latlon(e, rng)
        derived_gaussian(e, rng)
        derived_projections(e, rng)
    derived_edition2(rng)


def derived_latlon(e, rng):
    s = f"regular_ll_pl_grib{e}"
    unit = 1000 if e == 1 else 1000000
    for n in range(40):
        ni, nj = int(rng.integers(1, 60)), int(rng.integers(1, 40))
        scan = int(rng.choice([0, 64, 128, 192, 32, 96, 16, 80, 48, 112, 160]))
        la = sorted(np.round(rng.uniform(-90, 90, 2), 3))
        lo = np.round(rng.uniform(-180, 360, 2), 3)
        first, last = (la[0], la[1]) if scan & 64 else (la[1], la[0])
        given = int(rng.integers(0, 2))
        k = dict(Ni=ni, Nj=nj, scanningMode=scan, latitudeOfFirstGridPoint=int(first * unit), latitudeOfLastGridPoint=int(last * unit),
                 longitudeOfFirstGridPoint=int(lo[0] * unit), longitudeOfLastGridPoint=int(lo[1] * unit))
        if given:
            k.update(ijDirectionIncrementGiven=1, jDirectionIncrement=int(round((la[1] - la[0]) / max(nj - 1, 1) * unit)) % 60000,
                     iDirectionIncrement=500)
        elif nj > 1:
            k.update(ijDirectionIncrementGiven=0)
        make(f"ll{e} random {n}", s, points=ni * nj, **k)
        south = np.round(rng.uniform(-90, 0), 3)
        r = dict(k, latitudeOfSouthernPoleInDegrees=south, longitudeOfSouthernPoleInDegrees=float(np.round(rng.uniform(0, 180), 3)),
                 angleOfRotationInDegrees=float(rng.choice([0, 0, 10.5])))
        make(f"rotated ll{e} random {n}", f"rotated_ll_pl_grib{e}", points=ni * nj, **r)
    q = 1 if e == 1 else 1000
    for name, sample in (("global quarter", s), ("rotated cosmo", f"rotated_ll_pl_grib{e}")):
        make(f"{name}{e}", sample, points=1440 * 721, Ni=1440, Nj=721, latitudeOfFirstGridPoint=90000 * q, latitudeOfLastGridPoint=-90000 * q,
             longitudeOfFirstGridPoint=0, longitudeOfLastGridPoint=359750 * q, iDirectionIncrement=250 * q, jDirectionIncrement=250 * q)
    for lo1, lo2 in ((180, 179.75), (-180, 179.75), (359.75, 0), (0, 360), (10, 10), (350, 10), (720 if e == 2 else 0, 1079)):
        make(f"ll{e} {lo1} to {lo2}", s, points=144 * 7, Ni=144, Nj=7, latitudeOfFirstGridPoint=30000 * q, latitudeOfLastGridPoint=15000 * q,
             longitudeOfFirstGridPoint=int(lo1 * 1000 * q), longitudeOfLastGridPoint=int(lo2 * 1000 * q), jDirectionIncrement=2500 * q)
    pl = [20, 25, 30, 36, 40, 36, 30, 25, 20]
    for lo2 in (359, 342, 90, 0):
        make(f"reduced ll{e} to {lo2}", f"reduced_ll_sfc_grib{e}", Nj=9, latitudeOfFirstGridPoint=80000 * q, latitudeOfLastGridPoint=-80000 * q,
             jDirectionIncrement=20000 * q, pl=pl, longitudeOfFirstGridPoint=0, longitudeOfLastGridPoint=lo2 * 1000 * q, points=sum(pl))


def derived_gaussian(e, rng):
    q = 1000 if e == 1 else 1000000
    for n in (2, 16, 32, 48, 80, 128, 160, 200, 320, 640):
        lat = gaussian_latitudes(n)
        for rows, top, scan in ((2 * n, 0, 0), (2 * n, 0, 64), (n // 2 + 1, n // 3, 0), (n // 2 + 1, n // 3, 128)):
            part = lat[top:top + rows]
            first, last = (part[-1], part[0]) if scan & 64 else (part[0], part[-1])
            ni = 4 * n if n < 200 else 50
            make(f"regular gg{e} N{n} {rows} rows scan {scan}", f"regular_gg_pl_grib{e}", points=ni * rows, N=n, Ni=ni, Nj=rows, scanningMode=scan,
                 latitudeOfFirstGridPoint=int(round(first * q)), latitudeOfLastGridPoint=int(round(last * q)),
                 longitudeOfFirstGridPoint=0, longitudeOfLastGridPoint=int((360 - 360 / ni) * q))
    make(f"rotated gg{e}", f"rotated_gg_pl_grib{e}", latitudeOfSouthernPoleInDegrees=-40, longitudeOfSouthernPoleInDegrees=15)
    for n in (4, 8, 16, 32, 45, 64, 96, 128, 160, 256, 320, 400, 512, 640, 1000, 1280)[:13 if e == 1 else None]:
        lat = gaussian_latitudes(n)
        pl = octahedral(n)
        west, east = 0, 360 - 360 / max(pl)
        make(f"O{n} edition {e}", f"reduced_gg_pl_grib{e}", N=n, Nj=2 * n, pl=pl, points=sum(pl),
             latitudeOfFirstGridPoint=int(round(lat[0] * q)), latitudeOfLastGridPoint=int(round(lat[-1] * q)),
             longitudeOfFirstGridPoint=west, longitudeOfLastGridPoint=int(round(east * q)))
    for i in range(60):
        n = int(rng.choice([16, 32, 48, 80, 160, 320]))
        lat = gaussian_latitudes(n)
        top = int(rng.integers(0, n))
        rows = int(rng.integers(1, 2 * n - top))
        pl = octahedral(n)[top:top + rows] if i % 2 else [4 * n - abs(n - (top + j)) for j in range(rows)]
        west = float(np.round(rng.uniform(0, 360), int(rng.integers(0, 4))))
        east = west + float(np.round(rng.uniform(0, 360), int(rng.integers(0, 4))))
        if i % 5 == 0:
            west -= 180
        keys = dict(N=n, Nj=rows, pl=pl, latitudeOfFirstGridPoint=int(round(lat[top] * q)), latitudeOfLastGridPoint=int(round(lat[top + rows - 1] * q)),
                    longitudeOfFirstGridPoint=int(west * q), longitudeOfLastGridPoint=int(east % 360 * q))
        sample = f"reduced_gg_pl_grib{e}" if i % 3 else f"reduced_rotated_gg_pl_grib{e}"
        area(f"area {i} of {'O' if i % 2 else 'N'}{n} edition {e}", sample, keys)


def area(name, sample, keys):
    """A sub-area with as many points as ecCodes expects, then one with as many as the legacy rule of libemos gives."""
    pl = keys.pop("pl")
    try:
        h = ec.codes_grib_new_from_samples(sample)
        for k, v in keys.items():
            ec.codes_set(h, k, v)
        ec.codes_set_array(h, "pl", pl)
        n = ec.codes_get(h, "numberOfDataPointsExpected", int)
        west, east = (ec.codes_get(h, f"longitudeOf{x}GridPointInDegrees", float) for x in ("First", "Last"))
        ec.codes_release(h)
    except ec.CodesInternalError as e:
        print(f"{name}: {e}", file=sys.stderr)
        return
    extra = {} if sample.endswith("1") else {}
    for count, how in {n: "", legacy(pl, west, east): " legacy", n + 3: " three more"}.items():
        if count > 0:
            if sample.endswith("2"):
                extra = {"numberOfDataPoints": count}
            make(name + how, sample, pl=pl, points=count, **keys, **extra)


def legacy(pl, west, east):
    import math
    total = 0
    west, east = west % 360 if west < 0 else west, east % 360 if east < 0 else east
    for p in pl:
        w, rng = west, east - west
        if rng < 0:
            rng += 360
            w -= 360
        n, i1, i2 = int(rng * p / 360 + 1), math.trunc(w * p / 360), math.trunc(east * p / 360)
        span = i2 - i1 + 1
        if span < n:
            grown = (i1 - 1) * 360 / p > w or (i2 + 1) * 360 / p < east
            n -= 0 if grown else 1
        total += n
    return total


EARTHS = [dict(shapeOfTheEarth=0), dict(shapeOfTheEarth=1, scaleFactorOfRadiusOfSphericalEarth=1, scaledValueOfRadiusOfSphericalEarth=63712207),
          dict(shapeOfTheEarth=2), dict(shapeOfTheEarth=3, scaleFactorOfEarthMajorAxis=3, scaledValueOfEarthMajorAxis=6378137,
                                        scaleFactorOfEarthMinorAxis=3, scaledValueOfEarthMinorAxis=6356752),
          dict(shapeOfTheEarth=4), dict(shapeOfTheEarth=5), dict(shapeOfTheEarth=6),
          dict(shapeOfTheEarth=7, scaleFactorOfEarthMajorAxis=0, scaledValueOfEarthMajorAxis=6378140, scaleFactorOfEarthMinorAxis=1,
               scaledValueOfEarthMinorAxis=63567550), dict(shapeOfTheEarth=8), dict(shapeOfTheEarth=9), dict(shapeOfTheEarth=11)]


def derived_projections(e, rng):
    q = 1000 if e == 1 else 1000000
    m = 1 if e == 1 else 1000
    earths = [dict(earthIsOblate=0), dict(earthIsOblate=1)] if e == 1 else EARTHS
    for i, earth in enumerate(earths * (6 if e == 1 else 3)):
        nx, ny = int(rng.integers(2, 30)), int(rng.integers(2, 30))
        scan = int(rng.choice([0, 64, 128, 192, 32, 80]))
        base = dict(Nx=nx, Ny=ny, scanningMode=scan)
        south = i % 4 == 3
        la = float(np.round(rng.uniform(-70, -20) if south else rng.uniform(-10, 60), 3))
        lo = float(np.round(rng.uniform(0, 360), 3))
        lov = float(np.round((lo + rng.uniform(0, 40)) % 360, 3))
        first = dict(latitudeOfFirstGridPoint=int(la * q), longitudeOfFirstGridPoint=int(lo * q))
        make(f"polar stereographic{e} {i}", f"polar_stereographic_pl_grib{e}", points=nx * ny, **base, **first, **earth,
             orientationOfTheGrid=int(lov * q), **({} if e == 1 else dict(LaD=(-60 if south else int(rng.choice([60, 90, 52]))) * q)),
             **{"DxInMetres": 60000, "DyInMetres": 60000})
        lats = (-25, -25) if i % 3 == 0 else (-30, -60)
        if not south:
            lats = (-lats[0], -lats[1])
        conic = dict(Latin1=lats[0] * q, Latin2=lats[1] * q, LoV=int(lov * q), **({} if e == 1 else dict(LaD=lats[i % 2] * q)))
        make(f"lambert{e} {i}", f"regular_ll_pl_grib{e}", points=nx * ny, **dict(gridType="lambert"), **base, **first, **earth, **conic,
             DxInMetres=12191, DyInMetres=12191)
        make(f"mercator{e} {i}", f"regular_ll_pl_grib{e}", points=nx * ny, gridType="mercator", Ni=nx, Nj=ny, scanningMode=scan, **first, **earth,
             latitudeOfLastGridPoint=int((la + 20) * q), longitudeOfLastGridPoint=int((lo + 20) % 360 * q), LaDInDegrees=20,
             DiInMetres=15000, DjInMetres=15000)
        make(f"space view{e} {i}", f"regular_ll_pl_grib{e}", points=nx * ny, gridType="space_view", Nx=nx, Ny=ny, scanningMode=scan, **earth,
             latitudeOfSubSatellitePoint=0, longitudeOfSubSatellitePoint=int(lo * q) if e == 1 else int(min(lo, 180) * q), dx=nx, dy=ny + 1,
             **(dict(XpInGridLengths=nx // 2, YpInGridLengths=ny // 2, Nr=6610700) if e == 1 else dict(Xp=nx * 500, Yp=ny * 500, Nr=6610700)),
             Xo=i % 3, Yo=0)
    if e == 1:
        make("albers as lambert1", "regular_ll_pl_grib1", gridType="albers", Nx=4, Ny=3, points=12)


def derived_edition2(rng):
    q = 1000000
    for i, earth in enumerate(EARTHS * 3):
        nx, ny = int(rng.integers(2, 30)), int(rng.integers(2, 30))
        scan = int(rng.choice([0, 64, 128, 192, 32, 80]))
        la, lo = float(np.round(rng.uniform(20, 60), 3)), float(np.round(rng.uniform(-30, 30), 3))
        make(f"azimuthal equal area {i}", "regular_ll_pl_grib2", points=nx * ny, gridType="lambert_azimuthal_equal_area", Nx=nx, Ny=ny, scanningMode=scan,
             latitudeOfFirstGridPoint=int(la * q), longitudeOfFirstGridPoint=int(lo * q), standardParallel=52 * q, centralLongitude=10 * q,
             Dx=5000000, Dy=5000000, **earth)
    for n in (1, 2, 3, 4, 7, 8, 16, 64, 128):
        for order, first in (("ring", 45), ("nested", 45), ("ring", 0)):
            make(f"healpix {n} {order} {first}", "regular_ll_pl_grib2", points=12 * n * n, gridType="healpix", Nside=n, orderingConvention=order,
                 shapeOfTheEarth=6, numberOfDataPoints=12 * n * n, longitudeOfFirstGridPoint=first * q)
    for t in ("transverse_mercator", "albers", "equatorial_azimuthal_equidistant", "unstructured_grid", "stretched_ll", "stretched_rotated_ll",
              "stretched_gg", "stretched_rotated_gg", "varres_ll", "triangular_grid", "cross_section", "lambert_lam", "mercator_lam",
              "polar_stereographic_lam", "rotated_sh", "stretched_sh", "stretched_rotated_sh", "mercator_bf", "polar_stereographic_bf"):
        base = "regular_gg_pl_grib2" if t.endswith("gg") else "sh_ml_grib2" if t.endswith("sh") else "regular_ll_pl_grib2"
        make(t, base, gridType=t)
    for basic, sub in ((1, 1000), (360, 1440 * 7), (0, 1000000), (180, 3000)):
        make(f"basic angle {basic}/{sub}", "regular_ll_pl_grib2", basicAngleOfTheInitialProductionDomain=basic, subdivisionsOfBasicAngle=sub,
             Ni=16, Nj=31, latitudeOfFirstGridPoint=sub // 4, latitudeOfLastGridPoint=0, longitudeOfFirstGridPoint=0, longitudeOfLastGridPoint=sub // 3,
             ijDirectionIncrementGiven=0, points=496)
    # Widths of the list of points along each parallel, and a list where the number along a parallel is given too.
    for width in (1, 3):
        make(f"list of {width} octets", "reduced_gg_pl_32_grib2", numberOfOctectsForNumberOfPoints=width)


if __name__ == "__main__":
    args = sys.argv[1:]
    if args and args[0] == "--frozen":
        FROZEN, EVERY, args = set(), int(args[1]), args[2:]
    {"files": lambda: files(args[1:]), "samples": samples, "derived": derived}[args[0]]()
