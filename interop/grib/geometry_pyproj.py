#!/usr/bin/env python3
"""Where the points of projected GRIB grids are by WMO's rules, computed with pyproj (PROJ).

    geometry_pyproj.py [SEED [COUNT]]

Makes grid definition sections of every projection, scanning mode, hemisphere and figure of the Earth,
COUNT of each kind. For each a line of JSON goes to standard output: name, edition, the section in
hexadecimal, and points: [column, row, latitude, longitude] where column and row count from the first
value in the direction of scanning. Nothing of ecCodes is used: the first grid point belongs to the
first value, and rows and columns lead away from it as flag table 3.4 says.

interop/grib/geometry_freeze.sh keeps a sample in grib/geometry/testdata; TestPyproj reads both.
"""
import json
import math
import random
import struct
import sys

import pyproj

SCANS = [i << 7 | j << 6 | c << 5 | a << 4 for i in (0, 1) for j in (0, 1) for c in (0, 1) for a in (0, 1)]
EARTHS = [(0, 6367470.0, 6367470.0), (6, 6371229.0, 6371229.0), (8, 6371200.0, 6371200.0), (2, 6378160.0, 6356775.0),
          (4, 6378137.0, 6356752.314), (5, 6378137.0, 6356752.314), (9, 6377563.396, 6356256.909)]


def s4(v):
    return struct.pack(">I", v if v >= 0 else 1 << 31 | -v)


def s3(v):
    return struct.pack(">I", v if v >= 0 else 1 << 23 | -v)[1:]


def u4(v):
    return struct.pack(">I", v)


def u3(v):
    return struct.pack(">I", v)[1:]


def section2(template, points, shape, nx, ny, rest):
    earth = bytes([shape]) + b"\xff" * 15
    body = bytes([3, 0]) + u4(points) + b"\0\0" + struct.pack(">H", template) + earth + u4(nx) + u4(ny) + rest
    return u4(len(body) + 4) + body


def section1(kind, nx, ny, rest):
    body = bytes([0, 255, kind]) + struct.pack(">HH", nx, ny) + rest
    return u3(len(body) + 3) + body


def emit(name, edition, section, crs, nx, ny, scan, lat1, lon1, dx, dy):
    """Positions from the first grid point on, at the corners, the middle and some others."""
    p = pyproj.Proj(crs)
    x1, y1 = p(lon1, lat1)
    sx, sy = (-1 if scan & 128 else 1), (1 if scan & 64 else -1)
    points = []
    for i, j in sorted({(0, 0), (nx - 1, 0), (0, ny - 1), (nx - 1, ny - 1), (nx // 2, ny // 2), (nx // 3, 2 * ny // 3)}):
        lon, lat = p(x1 + sx * i * dx, y1 + sy * j * dy, inverse=True)
        if not (math.isfinite(lon) and math.isfinite(lat)):
            return
        points.append([i, j, lat, lon])
    print(json.dumps({"name": f"{name} scan {scan}", "edition": edition, "section": section.hex(), "points": points}))


def figure(edition, r):
    if edition == 2:
        return r.choice(EARTHS)
    return r.choice([(0, 6367470.0, 6367470.0), (64, 6378160.0, 6356775.0)])


def conic(r, edition, scan, south, equal_area):
    shape, a, b = figure(edition, r)
    q = 1000 if edition == 1 else 1000000
    nx, ny = r.randint(2, 40), r.randint(2, 40)
    side = -1 if south else 1
    one = side * r.randint(20, 45) * q
    two = one if r.random() < 0.3 else side * r.randint(46, 65) * q
    lat1, lon1 = side * r.randint(15 * q, 60 * q), r.randint(0, 360 * q - 1)
    lov = (lon1 + r.randint(-40 * q, 40 * q)) % (360 * q)
    dx, dy = r.randint(1000, 30000), r.randint(1000, 30000)
    kind = "aea" if equal_area else "lcc"
    crs = f"+proj={kind} +lat_1={one / q} +lat_2={two / q} +lat_0={one / q} +lon_0={lov / q} +a={a} +b={b}"
    centre = bytes([128 if south else 0])
    if edition == 2:
        rest = (s4(lat1) + u4(lon1) + b"\x38" + s4(one) + u4(lov) + u4(dx * 1000) + u4(dy * 1000) + centre + bytes([scan]) + s4(one) + s4(two) +
                s4(-90 * q) + u4(0))
        section = section2(31 if equal_area else 30, nx * ny, shape, nx, ny, rest)
    else:
        rest = (s3(lat1) + s3(lon1 if lon1 < 180 * q else lon1 - 360 * q) + bytes([shape | 0x80]) + s3(lov if lov < 180 * q else lov - 360 * q) +
                u3(dx) + u3(dy) + centre + bytes([scan]) + s3(one) + s3(two) + s3(-90 * q) + s3(0) + b"\0\0")
        section = section1(8 if equal_area else 3, nx, ny, rest)
    emit(f"{'albers' if equal_area else 'lambert'}{edition} {'south' if south else 'north'}", edition, section, crs, nx, ny, scan, lat1 / q, lon1 / q, dx, dy)


def stereographic(r, edition, scan, south):
    shape, a, b = figure(edition, r)
    q = 1000 if edition == 1 else 1000000
    nx, ny = r.randint(2, 40), r.randint(2, 40)
    side = -1 if south else 1
    lad = 60 if edition == 1 else r.choice([60, 90, 71, 52.5])
    coded = side * lad if r.random() < 0.5 else lad  # the flag names the pole, whatever the sign
    lat1, lon1 = side * r.randint(-10 * q, 80 * q), r.randint(0, 360 * q - 1)
    lov = r.randint(-180 * q + 1, 180 * q)
    dx, dy = r.randint(1000, 90000), r.randint(1000, 90000)
    crs = f"+proj=stere +lat_0={side * 90} +lat_ts={side * lad} +lon_0={lov / q} +a={a} +b={b}"
    centre = bytes([128 if south else 0])
    if edition == 2:
        rest = s4(lat1) + u4(lon1) + b"\x38" + s4(int(coded * q)) + s4(lov) + u4(dx * 1000) + u4(dy * 1000) + centre + bytes([scan])
        section = section2(20, nx * ny, shape, nx, ny, rest)
    else:
        rest = (s3(lat1) + s3(lon1 if lon1 < 180 * q else lon1 - 360 * q) + bytes([shape | 0x80]) + s3(lov) + u3(dx) + u3(dy) + centre + bytes([scan]) +
                b"\0" * 4)
        section = section1(5, nx, ny, rest)
    emit(f"polar stereographic{edition} {'south' if south else 'north'}", edition, section, crs, nx, ny, scan, lat1 / q, lon1 / q, dx, dy)


def mercator(r, edition, scan, south):
    shape, a, b = figure(edition, r)
    q = 1000 if edition == 1 else 1000000
    nx, ny = r.randint(2, 40), r.randint(2, 40)
    side = -1 if south else 1
    lad = r.choice([0, 10, 20, 33]) * side
    lat1, lon1 = side * r.randint(0, 60 * q), r.randint(-180 * q + 1, 180 * q)
    dx, dy = r.randint(1000, 90000), r.randint(1000, 60000)
    crs = f"+proj=merc +lat_ts={lad} +lon_0={lon1 / q} +a={a} +b={b}"
    if edition == 2:
        rest = s4(lat1) + s4(lon1) + b"\x38" + s4(lad * q) + s4(0) + s4(0) + bytes([scan]) + u4(0) + u4(dx * 1000) + u4(dy * 1000)
        section = section2(10, nx * ny, shape, nx, ny, rest)
    else:
        rest = s3(lat1) + s3(lon1) + bytes([shape | 0x80]) + s3(0) + s3(0) + s3(lad * q) + b"\0" + bytes([scan]) + u3(dx) + u3(dy) + b"\0" * 8
        section = section1(1, nx, ny, rest)
    emit(f"mercator{edition} {'south' if south else 'north'}", edition, section, crs, nx, ny, scan, lat1 / q, lon1 / q, dx, dy)


def equal_area(r, scan, south):
    shape, a, b = figure(2, r)
    q = 1000000
    nx, ny = r.randint(2, 40), r.randint(2, 40)
    side = -1 if south else 1
    parallel, central = side * r.randint(0, 89), r.randint(-180, 180)
    lat1, lon1 = side * r.randint(0, 60 * q), central * q + r.randint(-40 * q, 40 * q)
    dx, dy = r.randint(1000, 30000), r.randint(1000, 30000)
    crs = f"+proj=laea +lat_0={parallel} +lon_0={central} +a={a} +b={b}"
    rest = s4(lat1) + s4(lon1) + s4(parallel * q) + s4(central * q) + b"\x30" + u4(dx * 1000) + u4(dy * 1000) + bytes([scan])
    emit(f"equal area {'south' if south else 'north'}", 2, section2(140, nx * ny, shape, nx, ny, rest), crs, nx, ny, scan, lat1 / q, lon1 / q, dx, dy)


def space_view(r, scan):
    """A sector of a full disc; the point below the satellite is counted from the first value."""
    shape, a, b = r.choice(EARTHS)
    nx, ny = r.randint(5, 30), r.randint(5, 30)
    central = r.randint(-180, 180)
    height, across = 6.6107, 3622
    xp, yp = r.randint(0, nx * 40), r.randint(0, ny * 40)
    xo, yo = r.randint(0, 50), r.randint(0, 50)
    dx, dy = across // 20, (across - 10) // 20
    rest = (s4(0) + s4(central * 1000000) + b"\x38" + u4(dx) + u4(dy) + u4(xp * 1000) + u4(yp * 1000) + bytes([scan]) + s4(0) + u4(int(height * 1e6)) +
            u4(xo) + u4(yo))
    p = pyproj.Proj(f"+proj=geos +h={height * a - a} +lon_0={central} +sweep=y +a={a} +b={b}")
    step = 2 * math.asin(1 / height)
    sx, sy = (-1 if scan & 128 else 1), (1 if scan & 64 else -1)
    points = []
    for i, j in ((0, 0), (nx - 1, 0), (0, ny - 1), (nx - 1, ny - 1), (nx // 2, ny // 2)):
        # PROJ takes angles times the height above the ground.
        x = sx * (i - (xp - xo)) * step / dx * (height - 1) * a
        y = sy * (j - (yp - yo)) * step * (b / a) / dy * (height - 1) * a
        lon, lat = p(x, y, inverse=True)
        if math.isfinite(lon) and math.isfinite(lat):
            points.append([i, j, lat, lon])
    if points:
        print(json.dumps({"name": f"space view scan {scan}", "edition": 2, "section": section2(90, nx * ny, shape, nx, ny, rest).hex(), "points": points}))


def main(seed, count):
    r = random.Random(seed)
    for _ in range(count):
        for scan in SCANS:
            for south in (False, True):
                for edition in (1, 2):
                    s = scan if edition == 2 else scan & 0xe0
                    conic(r, edition, s, south, False)
                    conic(r, edition, s, south, True)
                    stereographic(r, edition, s, south)
                    mercator(r, edition, s, south)
                equal_area(r, scan, south)
            space_view(r, scan)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1, int(sys.argv[2]) if len(sys.argv) > 2 else 1)
