"""Compares maps of tgmconv plot with cartopy's of the same fields, pixel by pixel.

    python check_pictures.py [TGMCONV [FOLDER]]

In each projection: the class of each pixel of filled contours, with places by cartopy and values by scipy; isolines and coastlines as
cartopy draws them; the direction and the side of barbs, with vectors turned by cartopy. The pairs of pictures are written to the
folder, if one is named.
"""

import math
import os
import struct
import subprocess
import sys
import tempfile
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PYTHON = os.path.join(ROOT, ".interop", "venvcartopy", "bin", "python")
if not os.path.exists(PYTHON):
    print("cartopy is not installed (interop/setup.sh cartopy)")
    sys.exit(77)
if os.path.abspath(sys.executable) != PYTHON:
    os.execv(PYTHON, [PYTHON, *sys.argv])

import matplotlib

matplotlib.use("Agg")
import cartopy.crs as ccrs
import eccodes as ec
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image
from scipy.interpolate import RegularGridInterpolator
from scipy.ndimage import distance_transform_edt
from shapely.geometry import LineString

GFS = os.path.join(ROOT, "fixtures", "grib", "gfs_2p50_f000.grib2")
R = 6371229.0
GLOBE = ccrs.Globe(semimajor_axis=R, semiminor_axis=R, ellipse=None)
PLAIN = ccrs.PlateCarree(globe=GLOBE)
WIDTH = 800
LETTER = WIDTH / 66
MERCATOR = math.asinh(math.tan(math.radians(85)))


def field(name):
    """Latitudes from south to north, longitudes from 0 to 360, and values."""
    with open(GFS, "rb") as f:
        while (g := ec.codes_grib_new_from_file(f)) is not None:
            if ec.codes_get(g, "shortName") == name:
                rows, cols = ec.codes_get(g, "Nj"), ec.codes_get(g, "Ni")
                v = ec.codes_get_values(g).reshape(rows, cols)[::-1]
                ec.codes_release(g)
                return np.linspace(-90, 90, rows), np.linspace(0, 360, cols + 1), np.column_stack([v, v[:, :1]])
            ec.codes_release(g)
    raise SystemExit(f"{GFS} has no {name}")


def at(lat, lon, values):
    """The values between the points of the grid."""
    return RegularGridInterpolator((lat, lon), values, bounds_error=False)


def coast(detail):
    """The coastlines and borders that are embedded in the program."""
    with open(os.path.join(ROOT, "internal", "plot", "coast", detail + ".bin"), "rb") as f:
        raw = zlib.decompress(f.read(), -15)
    pos, lines = 0, []

    def number():
        nonlocal pos
        shift = value = 0
        while True:
            byte = raw[pos]
            pos += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def signed():
        value = number()
        return value >> 1 if value & 1 == 0 else ~(value >> 1)

    while pos < len(raw):
        border = raw[pos] == 1
        pos += 1
        x, y, points = 0, 0, []
        for _ in range(number()):
            x, y = x + signed(), y + signed()
            points.append((x / 1000, y / 1000))
        if len(points) > 1:
            lines.append((border, points))
    return lines


class View:
    """A projection, the part of its plane that a map shows, and the flags that choose it."""

    def __init__(self, name, crs, limits, flags, detail="110m"):
        self.name, self.crs, self.limits, self.flags, self.detail = name, crs, limits, flags, detail
        self.box = [float(x) for x in flags[flags.index("--bbox") + 1].split("/")] if "--bbox" in flags else None

    def pixels(self, high, wide):
        """The places of the pixels of a map."""
        x1, x2, y1, y2 = self.limits
        x, y = np.meshgrid(x1 + (np.arange(wide) + 0.5) / wide * (x2 - x1), y2 - (np.arange(high) + 0.5) / high * (y2 - y1))
        with np.errstate(all="ignore"):
            p = PLAIN.transform_points(self.crs, x, y)
            back = self.crs.transform_points(PLAIN, p[..., 0], p[..., 1])
            near = np.hypot(back[..., 0] - x, back[..., 1] - y) < (x2 - x1) / wide
        lat, lon = p[..., 1], np.mod(p[..., 0], 360)
        lat[~near] = np.nan
        if self.box:
            north, west, south, east = self.box
            lat[(lat > north) | (lat < south) | (np.mod(lon - west, 360) > east - west)] = np.nan
        return lat, lon, x, y

    def drawn(self, high, wide, draw):
        """What cartopy draws, as an image of that many pixels."""
        fig = plt.figure(figsize=(wide / 100, high / 100), dpi=100)
        ax = fig.add_axes([0, 0, 1, 1], projection=self.crs)
        ax.set_aspect("auto")
        ax.set_xlim(*self.limits[:2])
        ax.set_ylim(*self.limits[2:])
        ax.spines["geo"].set_visible(False)
        draw(ax)
        fig.canvas.draw()
        image = np.asarray(fig.canvas.buffer_rgba())[..., :3].copy()
        plt.close(fig)
        return image


def lambert():
    crs = ccrs.LambertConformal(0, 50, standard_parallels=(50, 50), globe=GLOBE)
    lon, lat = np.meshgrid(np.arange(-40, 40.1, 2.5), np.arange(30, 70.1, 2.5))
    p = crs.transform_points(PLAIN, lon, lat)
    x, y = p[..., 0], p[..., 1]
    margin = 0.005 * max(np.ptp(x), np.ptp(y))
    return View("lambert", crs, [x.min() - margin, x.max() + margin, y.min() - margin, y.max() + margin], ["--projection", "lambert", "--bbox", "70/-40/30/40"], "50m")


top = (MERCATOR + 0.005 * 2 * MERCATOR) * R
VIEWS = [
    View("latlon", PLAIN, [-180, 180, -90, 90], []),
    View("area", ccrs.PlateCarree(globe=GLOBE), [-41.25, 21.25, 28.75, 66.25], ["--bbox", "65/-40/30/20"], "50m"),
    View("mercator", ccrs.Mercator(globe=GLOBE, min_latitude=-86, max_latitude=86), [-math.pi * R, math.pi * R, -top, top], ["--projection", "mercator"]),
    View("stereographic", ccrs.NorthPolarStereo(globe=GLOBE), [-1.5345 * R, 1.5345 * R] * 2, ["--projection", "stereographic"], "110m"),
    View("orthographic", ccrs.Orthographic(0, 0, globe=GLOBE), [-1.01 * R, 1.01 * R] * 2, ["--projection", "orthographic"]),
    lambert(),
]


def ours(*flags, bar):
    """The map of a picture of tgmconv, without what stands around it, and the colours of its bar."""
    name = os.path.join(work, "ours.png")
    subprocess.run([tgmconv, "plot", "--force", "--width", str(WIDTH), *flags, "-o", name, GFS], check=True, stdout=subprocess.DEVNULL)
    image = np.asarray(Image.open(name).convert("RGB")).astype(int)
    side, above, below = int(2.6 * LETTER), int(3.4 * LETTER), int((4.6 if bar else 1.7) * LETTER)
    foot = image.shape[0] - below
    colours = image[foot + int(2.4 * LETTER), side : WIDTH - side] if bar else None
    return image[above:foot, side : WIDTH - side], colours


def pair(name, a, b):
    if folder:
        Image.fromarray(np.concatenate([a.astype(np.uint8), np.full((a.shape[0], 6, 3), [255, 0, 0], np.uint8), b.astype(np.uint8)], 1)).save(os.path.join(folder, name + ".png"))


failed = 0


def expect(what, share, least):
    global failed
    print(f"{what}: {100 * share:.2f} %" + ("" if share >= least else f", expected {100 * least:g} %"))
    failed += share < least


def near(a, b, far):
    """The share of the pixels of a that have one of b within a distance."""
    return (distance_transform_edt(~b)[a] <= far).mean()


def fill(view):
    low, high, step = -60, 45, 5
    got, bar = ours("-w", "shortName=2t", "--units", "degC", "--style", "contourf", "--min", str(low), "--max", str(high), "--interval", str(step), "--colours", "viridis", "--no-coastlines", *view.flags, bar=True)
    edges = np.arange(low, high + 1, step)
    tones = bar[((np.arange(len(edges) - 1) + 0.5) / (len(edges) - 1) * len(bar)).astype(int)]
    lat, lon, _, _ = view.pixels(*got.shape[:2])
    values = at(*field("2t"))(np.stack([lat, lon], -1)) - 273.15
    known = ~np.isnan(values)
    want = np.clip(np.searchsorted(edges, values, "right") - 1, 0, len(tones) - 1)
    off = np.abs(got[:, :, None, :] - tones).sum(-1)
    classes, plain = off.argmin(-1), off.min(-1) == 0  # other pixels have a line of the graticule
    pair("fill-" + view.name, got, np.where(known[..., None], tones[want], 255))
    expect(f"{view.name}: pixels of the same class", (classes == want)[known & plain].mean(), 0.99)
    expect(f"{view.name}: pixels of any class", plain[known].mean(), 0.9)
    if (~known).any() and not view.box:
        expect(f"{view.name}: pixels outside the globe are white", (got[~known] > 100).all(-1).mean(), 0.97)


def isolines(view):
    got, _ = ours("-w", "shortName=prmsl", "--units", "hPa", "--style", "contour", "--interval", "10", "--no-coastlines", *view.flags, bar=False)
    lat, lon, values = field("prmsl")
    inside = slice(None), slice(None)
    if view.box:
        north, west, south, east = view.box
        lon, values = np.concatenate([lon[:-1] - 360, lon]), np.concatenate([values[:, :-1], values], 1)
        inside = np.ix_((lat >= south) & (lat <= north), (lon >= west) & (lon <= east))
        lat, lon = lat[(lat >= south) & (lat <= north)], lon[(lon >= west) & (lon <= east)]
    values = values[inside] / 100
    theirs = view.drawn(*got.shape[:2], lambda ax: ax.contour(lon, lat, values, levels=np.arange(900, 1100, 10), colors="black", linewidths=0.8, transform=PLAIN))
    pair("isolines-" + view.name, got, theirs)
    a, b = got.max(-1) < 90, theirs.max(-1) < 140
    a[:3] = a[-3:] = a[:, :3] = a[:, -3:] = False  # the frame
    b[:5] = b[-5:] = b[:, :5] = b[:, -5:] = False
    expect(f"{view.name}: pixels of isolines near cartopy's", near(a, b, 6), 0.97)  # their numbers too
    expect(f"{view.name}: pixels of cartopy's isolines near ours, but at numbers", near(b, a, 2), 0.85)


def coasts(view):
    got, _ = ours("-w", "shortName=prmsl", "--style", "contour", "--interval", "1e6", *view.flags, bar=False)

    def draw(ax):
        ax.add_geometries([LineString(p) for _, p in coast(view.detail)], crs=PLAIN, facecolor="none", edgecolor="black", linewidth=0.6)

    theirs = view.drawn(*got.shape[:2], draw)
    pair("coasts-" + view.name, got, theirs)
    a, b = got.max(-1) < 140, theirs.max(-1) < 140
    lat, _, x, y = view.pixels(*a.shape)
    edge = np.isnan(lat) if not view.box else np.zeros_like(a)
    if view.name == "orthographic":
        edge |= np.hypot(x, y) > 0.97 * R
    for m in a, b:
        m[:4] = m[-4:] = m[:, :4] = m[:, -4:] = False
        m[edge] = False
    expect(f"{view.name}: pixels of coasts near cartopy's", near(a, theirs.max(-1) < 250, 1.5), 0.99)
    expect(f"{view.name}: pixels of cartopy's coasts near ours", near(b, got.max(-1) < 240, 1.5), 0.99)


def barbs(view):
    got, _ = ours("-w", "shortName=10u/10v", "--style", "barbs", "--no-coastlines", *view.flags, bar=False)
    dark = got.max(-1) < 120
    close = distance_transform_edt(~dark)
    high, wide = dark.shape
    lat, lon, x, y = view.pixels(high, wide)
    apart = max(2.3 * LETTER, 23)
    length = apart * 0.82
    js, is_ = np.meshgrid(np.arange(apart / 2, high, apart), np.arange(apart / 2, wide, apart), indexing="ij")
    j, i = js.astype(int).ravel(), is_.astype(int).ravel()
    places = np.stack([lat[j, i], lon[j, i]], -1)
    u, v = at(*field("10u"))(places), at(*field("10v"))(places)
    keep = ~np.isnan(u + v) & (np.abs(places[:, 0]) < 85)
    js, is_, j, i, u, v, south = js.ravel()[keep], is_.ravel()[keep], j[keep], i[keep], u[keep], v[keep], places[keep, 0] < 0
    dx, dy = u, v  # the scale of a plain map differs between its axes
    if not isinstance(view.crs, ccrs.PlateCarree):
        # cartopy's vectors are degrees along the axes of the plain map, not metres.
        dx, dy = view.crs.transform_vectors(PLAIN, np.mod(lon[j, i] + 180, 360) - 180, lat[j, i], u / np.cos(np.radians(lat[j, i])), v)
    size = np.hypot(dx, dy)
    dx, dy = dx / size, -dy / size
    knots = np.hypot(u, v) * 3600 / 1852

    def draw(ax):
        ax.set_axis_off()
        x, y = view.limits[0] + is_ / wide * (view.limits[1] - view.limits[0]), view.limits[3] - js / high * (view.limits[3] - view.limits[2])
        ax.barbs(x, y, dx * knots, -dy * knots, length=5, linewidth=0.7, flip_barb=south, rounding=True)

    pair("barbs-" + view.name, got, view.drawn(high, wide, draw) if folder else got)

    def read(t, out):
        """The distance from the nearest dark pixel, at a part t along the shafts and out beside them, to the left of who looks along the wind for 1."""
        px, py = is_ - dx * t * length - dy * out * length, js - dy * t * length + dx * out * length
        inside = (px > 3) & (py > 3) & (px < wide - 3) & (py < high - 3)
        return np.where(inside, close[np.clip(py, 0, high - 1).astype(int), np.clip(px, 0, wide - 1).astype(int)], np.nan)

    shaft = np.nanmax([read(t, 0) for t in (0.1, 0.3, 0.5, 0.7, 0.9)], 0)
    full = (knots > 12) & (knots < 48)
    whole = ~np.isnan(np.sum([read(t, o) for t in (0, 1.2) for o in (-0.5, 0.5)], 0))
    some = whole & (knots > 3) & (knots < 48)
    expect(f"{view.name}: {some.sum()} barbs along the wind", (shaft[some] <= 1.5).mean(), 0.98)
    # The tip of the outermost line is at 0.4 of the shaft: to the right of who looks against the wind in the north.
    right, left = read(1.12, -0.4), read(1.12, 0.4)
    side = np.where(south, right - left, left - right)
    full &= whole
    expect(f"{view.name}: {full.sum()} barbs with lines at the side of lower pressure", (side[full] > 0).mean(), 0.9)


folder = sys.argv[2] if len(sys.argv) > 2 else None
with tempfile.TemporaryDirectory() as work:
    tgmconv = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else os.path.join(work, "tgmconv")
    if len(sys.argv) < 2:
        subprocess.run(["go", "build", "-o", tgmconv, "./cmd/tgmconv"], cwd=ROOT, check=True, env={**os.environ, "CGO_ENABLED": "0"})
    for view in VIEWS:
        fill(view)
        coasts(view)
        isolines(view)
        barbs(view)
sys.exit(1 if failed else 0)
