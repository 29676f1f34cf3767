"""Looks at the viewer of served files in a headless Chromium, and compares the colours of its map with the fields.

    python check_viewer.py [TGMCONV]

On each of several grids, flat and as a globe, the pixel at a place has the colour of the value that xarray reads there. Keys, the
address, a phone, what cannot be drawn, and names that would be markup are tried as well. No page may break its
Content-Security-Policy or ask another host. Skipped where Chromium, Node or playwright-core is not installed.
"""

import base64
import contextlib
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request

import netCDF4
import numpy as np
import xarray as xr

import served

MODULES = os.environ.get("NODE_MODULES", os.path.join(served.ROOT, ".interop", "node", "node_modules"))
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

# Files of the fixtures, and files that are made here.
GRIDS = [
    "grib/gfs_2p50_f000.grib2",
    "grib/2t.grib2",
    "grib/q_150.grib2",
    "grib/cfgrib/regular_gg_sfc.grib",
    "grib/cfgrib/reduced_gg.grib",
    "grib/cfgrib/lambert_grid.grib",
    "grib/earthkit/O32_global.grib2",
    "grib/cfgrib/era5-levels-members.grib",
    "curvilinear",
    "points",
]
EVIL = '<img src=x onerror=alert(1)>'


def make(folder):
    """A curvilinear grid, unstructured points, and names that would be markup."""
    with netCDF4.Dataset(os.path.join(folder, "curvilinear.nc"), "w") as d:
        d.createDimension("y", 60)
        d.createDimension("x", 80)
        j, i = np.mgrid[:60, :80]
        for name, values, units in ("lat", 40 + j * 0.3 + i * 0.05, "degrees_north"), ("lon", i * 0.4 - j * 0.1, "degrees_east"), ("t", j + i * 2.0, "K"):
            v = d.createVariable(name, "f8", ("y", "x"))
            v.units = units
            v[:] = values
        d["t"].coordinates = "lat lon"
    with netCDF4.Dataset(os.path.join(folder, "points.nc"), "w") as d:
        d.createDimension("point", 3000)
        n = np.arange(3000)
        for name, values, units in ("lat", np.degrees(np.arcsin(2 * (n + 0.5) / 3000 - 1)), "degrees_north"), ("lon", n * 137.50776 % 360, "degrees_east"), ("t", n * 1.0, "K"):
            v = d.createVariable(name, "f8", ("point",))
            v.units = units
            v[:] = values
        d["t"].coordinates = "lat lon"
    with netCDF4.Dataset(os.path.join(folder, "evil.nc"), "w") as d:
        d.title = EVIL
        for name, n in ("lat", 5), ("lon", 6), ("member", 3):
            d.createDimension(name, n)
            v = d.createVariable(name, "f8", (name,))
            v.units = {"lat": "degrees_north", "lon": "degrees_east"}.get(name, EVIL)
            v.long_name = EVIL
            v[:] = np.arange(n)
        v = d.createVariable("x" + EVIL.replace("/", ""), "f4", ("member", "lat", "lon"))
        v.long_name, v.units = EVIL, EVIL
        v[:] = np.arange(90).reshape(3, 5, 6)


def project(lon, lat, camera, globe, stretch):
    """The pixel of a place from the middle of the map, None behind the globe."""
    clon, clat, scale = camera
    east = (lon - clon + 180) % 360 - 180
    if not globe:
        return east * stretch * scale, (lat - clat) * scale
    r, p, p0, e = scale * 180 / math.pi, math.radians(lat), math.radians(clat), math.radians(east)
    if math.sin(p0) * math.sin(p) + math.cos(p0) * math.cos(p) * math.cos(e) < 0.3:
        return None
    return r * math.cos(p) * math.sin(e), r * (math.cos(p0) * math.sin(p) - math.sin(p0) * math.cos(p) * math.cos(e))


def maps_of(url):
    page = urllib.request.urlopen(url + "/index.html").read().decode()
    return url + "/" + re.search(r'data-maps="(@[0-9a-f]+)"', page).group(1)


def values_of(url, field):
    """The first map of a field as the server's array has it: latitudes, longitudes and values of points."""
    path = field["path"].split("/")
    group = "/".join(path[:-1]) or None
    set_ = xr.open_zarr(url, group=group, decode_times=False)
    a = set_[path[-1]]
    a = a.isel({axis["name"]: 0 for axis in field["lead"]})
    names = [n for n in ("latitude", "lat") if n in a.coords], [n for n in ("longitude", "lon") if n in a.coords]
    lat, lon = a[names[0][0]], a[names[1][0]]
    lat, lon, a = xr.broadcast(lat, lon, a)
    return lat.values.ravel(), lon.values.ravel(), a.values.ravel()


def ask(jobs):
    out = subprocess.run(["node", os.path.join(served.ROOT, "interop/zarr/viewer.mjs"), MODULES, CHROMIUM], check=True, timeout=800,
                         input="".join(json.dumps(j) + "\n" for j in jobs), stdout=subprocess.PIPE, text=True).stdout.splitlines()
    return [json.loads(line) for line in out]


def clean(answer, url):
    assert not answer["problems"], answer["problems"]
    assert answer["hosts"] == [urllib.parse.urlparse(url).netloc], answer["hosts"]


def check_colours(url):
    """The share of the pixels at grid points that have the colours of their values, flat and on the globe."""
    maps = maps_of(url)
    field = next(f for f in json.load(urllib.request.urlopen(maps + "/@fields.json"))["fields"] if "why" not in f)
    tables = {t["name"]: base64.b64decode(t["colours"]) for t in json.load(urllib.request.urlopen(url + "/@viewer/tables.json"))}
    lat, lon, values = values_of(url, field)
    there = np.isfinite(values) & (np.abs(lat) < 75)
    low, high = float(values[there].min()), float(values[there].max())
    turn = math.degrees(np.angle(np.exp(1j * np.radians(lon)).mean()))
    if len(lon) > 1 and abs(np.exp(1j * np.radians(lon)).mean()) > 0.5:  # of a region, also one across the meridian of 0
        lon = (lon - turn + 180) % 360 - 180 + turn
    wide = lon.max() - lon.min()
    middle = [((lon.max() + lon.min()) / 2 + 180) % 360 - 180, (lat.max() + lat.min()) / 2]
    stretch = 1 if wide > 180 else max(0.2, math.cos(math.radians(middle[1])))
    # Cells of 12 pixels, so that the point is well within its own, and nothing is averaged.
    spacing = math.sqrt((lat.max() - lat.min()) * wide * (1 if wide > 180 else math.cos(math.radians(middle[1]))) / len(values))
    scale = 12 / spacing
    mesh = next((d for d in (0.5, 1, 2, 5, 10) if d * scale >= 90), 30)
    steps, places = [], []
    for globe in (False, True):
        q = {"field": field["path"], "c": f"{middle[0]:.3f},{middle[1]:.3f},{scale:.5g}", "table": "viridis", "range": f"{low},{high}"}
        if globe:
            q["globe"] = "1"
        camera = [float(x) for x in q["c"].split(",")]
        pixels, chosen = [], []
        for k in np.random.default_rng(2).permutation(np.flatnonzero(there)):
            p = project(lon[k], lat[k], camera, globe, stretch)
            if any(abs(x / mesh - round(x / mesh)) * mesh * scale < 2 for x in (lon[k], lat[k])):
                continue  # under a meridian or parallel
            if p and abs(p[0]) < 380 and abs(p[1]) < 220 and not (p[0] > 300 or p[1] > 180) and len(pixels) < 400:
                pixels.append(p)
                chosen.append(k)
        steps += [{"goto": urllib.parse.urlencode(q)}, {"colours": pixels}]
        places.append(chosen)
    (answer,) = ask([{"url": url, "size": [1100, 760], "steps": steps}])
    clean(answer, url)
    shares = []
    for chosen, colours in zip(places, answer["answers"][1::2], strict=True):
        assert len(chosen) >= 40, f"{len(chosen)} points in the window"
        right = 0
        for k, c in zip(chosen, colours, strict=True):
            i = min(255, int((values[k] - low) / (high - low or 1) * 256))
            want = tables["viridis"][3 * i : 3 * i + 3]
            right += all(abs(a - b) <= 6 for a, b in zip(c, want))
        shares.append(right / len(chosen))
    return answer["first"], shares


def check_use(url):
    """Keys, the address, a place, a phone."""
    hash_ = "#field=t&at.isobaricInhPa=500&contours=5&units=%C2%B0C&place=50,10"
    (a,) = ask([{"url": url + "/" + hash_, "steps": [
        {"count": ".chart .line"}, {"hash": 1}, {"press": "."}, {"hash": 1}, {"press": "g"}, {"hash": 1}, {"press": "ArrowLeft"}, {"press": "+"},
        {"press": "Escape"}, {"count": "#place:not([hidden])"}, {"press": "/"}, {"type": "humidity"}, {"count": ".field"}, {"press": "Escape"}, {"count": ".field"},
        {"press": "?"}, {"count": "dialog[open]"}, {"press": "Escape"}, {"click": "#tabs button:nth-child(2)"}, {"text": "#page:not([hidden]) h1"}, {"hash": 1},
    ]}])
    clean(a, url)
    got = a["answers"]
    assert got[0] == 1, "no diagram of the place in the address"
    assert "at.isobaricInhPa=500&" in got[1] and "units=%C2%B0C" in got[1] and "contours=5" in got[1] and "place=50.0000,10.0000" in got[1], got[1]
    assert "at.isobaricInhPa=450&" in got[3] or "at.isobaricInhPa=550&" in got[3], got[3]
    assert "globe=1" in got[5], got[5]
    assert got[9] == 0, "the place is not closed"
    assert 0 < got[12] < 20 < got[14], (got[12], got[14])
    assert got[16] == 1, "no help"
    assert "gfs" in got[19] and "tab=data" in got[20], got[19:]
    # Who opens the address sees the same.
    points = [[x, y] for x in range(-300, 301, 60) for y in range(-150, 151, 50)]
    same = ask([{"url": url + "/" + got[5], "steps": [{"colours": points}, {"hash": 1}]} for _ in range(2)])
    for s in same:
        clean(s, url)
    differ = sum(p != q for p, q in zip(same[0]["answers"][0], same[1]["answers"][0], strict=True))
    assert differ == 0, f"{differ} of {len(points)} pixels differ"
    assert same[0]["answers"][1] == got[5], f"{same[0]['answers'][1]}, expected {got[5]}"
    (phone,) = ask([{"url": url, "size": [390, 760], "touch": True, "steps": [
        {"overflow": 1}, {"click": "#menu"}, {"click": ".field:not([aria-current])"}, {"click": [195, 300]}, {"count": "#place:not([hidden])"}]}])
    clean(phone, url)
    assert phone["answers"][0] is False and phone["answers"][4] == 1, phone["answers"]
    return a["first"], a["bytes"]


def check_together(url):
    """Two fields as a difference and side by side, barbs, the statistics of an area, each from an address that comes back."""
    wanted = xr.open_zarr(url, decode_times=False)["t"]
    low, high = (wanted.sel(isobaricInhPa=p).values.astype("f8") for p in (850, 500))
    rows, cols = (wanted.latitude.values <= 60) & (wanted.latitude.values >= 30), (wanted.longitude.values >= 10) & (wanted.longitude.values <= 40)
    points = [[x, 7] for x in (-280, 7, 320)]
    minus = "#field=t&at.isobaricInhPa=500&c=0.000,10.000,2.5000&minus=t&with.isobaricInhPa=850&table=balance&range=-40,40"
    (a,) = ask([{"url": url + "/" + minus, "steps": [
        {"text": "#heading"}, {"hash": 1}, {"colours": points}, {"press": "c"}, {"count": "#compare:not([hidden])"}, {"press": "c"}, {"text": "#heading"}, {"press": "c"},
        {"goto": "field=t&at.isobaricInhPa=500&beside=r&wind=u&box=60,10,30,40"}, {"wait": 1500}, {"count": "#map2:not([hidden])"}, {"text": ".statistics"}, {"ink": "#over"}, {"hash": 1},
        {"text": "#compare"}]}])
    clean(a, url)
    got = a["answers"]
    assert "minus" in got[0] and "850 hPa" in got[0], got[0]
    assert "minus=t" in got[1] and "with.isobaricInhPa=850" in got[1], got[1]
    tables = {t["name"]: base64.b64decode(t["colours"]) for t in json.load(urllib.request.urlopen(url + "/@viewer/tables.json"))}
    for (x, y), colour in zip(points, got[2], strict=True):
        lon, lat = x / 2.5 % 360, 10 + y / 2.5
        j = int(np.abs(wanted.latitude.values - lat).argmin())
        i = int(np.abs(np.exp(1j * np.radians(wanted.longitude.values)) - np.exp(1j * np.radians(lon))).argmin())
        k = int((high[j, i] - low[j, i] + 40) / 80 * 256)
        assert all(abs(p - q) <= 8 for p, q in zip(colour, tables["balance"][3 * k : 3 * k + 3])), (lon, lat, colour, high[j, i] - low[j, i])
    assert got[4] == 0 and "minus" in got[6], got[4:7]
    assert got[10] == 1, "no second map"
    box = high[np.ix_(rows, cols)]
    for text in (f"points{box.size}{box.size}", f"least{box.min():.1f}", f"mean{box.mean():.1f}"):
        assert text in got[11], (text, got[11])
    assert got[12] > 1000, f"{got[12]} pixels of barbs and the area"
    assert "beside=r" in got[13] and "wind=u" in got[13] and "box=60.00,10.00,30.00,40.00" in got[13], got[13]
    assert "its units are %" in got[14], got[14]


def check_bands(url):
    (a,) = ask([{"url": url + "/#field=t&place=48,9&along=time", "steps": [{"count": ".chart .band"}, {"count": ".chart .median"}, {"text": ".chart .readout"}]}])
    clean(a, url)
    assert a["answers"][:2] == [3, 1] and " to " in a["answers"][2], a["answers"]


def check_evil(url):
    (a,) = ask([{"url": url, "steps": [{"count": "img"}, {"count": "#bar #colours"}, {"click": [600, 350]}, {"count": ".chart .line"}, {"count": "img"}]}])
    clean(a, url)
    assert a["answers"] == [0, 1, None, 1, 0], a["answers"]


def check_undrawn(url):
    (a,) = ask([{"url": url, "drawn": False, "steps": [{"text": "#status"}, {"click": "#values"}, {"count": "dialog[open] .values td"}]}])
    clean(a, url)
    assert "cannot be drawn" in a["answers"][0] and "spherical harmonics" in a["answers"][0], a["answers"]
    assert a["answers"][2] == 1000, f"{a['answers'][2]} first values"


def main():
    if not CHROMIUM or not shutil.which("node") or not os.path.isdir(os.path.join(MODULES, "playwright-core")):
        print("Chromium, Node or playwright-core is not installed")
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as folder, served.command() if len(sys.argv) < 2 else contextlib.nullcontext(sys.argv[1]) as tgmconv:
        make(folder)

        def tried(name, what, *options):
            nonlocal failed
            path = os.path.join(served.ROOT, "fixtures", name) if "/" in name else os.path.join(folder, name + ".nc")
            try:
                with served.served(tgmconv, *options, path) as url:
                    return what(url)
            except Exception as err:
                print(f"{name}: {what.__name__}: {type(err).__name__}: {str(err)[:800]}")
                failed += 1
                return None

        for name in GRIDS:
            found = tried(name, check_colours)
            if found and min(found[1]) < 0.8:
                print(f"{name}: {found[1][0]:.0%} and {found[1][1]:.0%} of the pixels have the colour of their value, expected 80 % beside lines")
                failed += 1
            elif found:
                print(f"{name}: {found[1][0]:.0%} flat, {found[1][1]:.0%} on the globe; first map after {found[0]} ms")
        tried("grib/gfs_2p50_f000.grib2", check_use)
        tried("grib/gfs_2p50_f000.grib2", check_together)
        tried("grib/cfgrib/era5-levels-members.grib", check_bands)
        tried("evil", check_evil)
        tried("grib/cfgrib/spherical_harmonics.grib", check_undrawn)
    print(f"{failed} checks failed" if failed else "the viewer shows what is there")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
