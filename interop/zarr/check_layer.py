"""Draws the maps of served files with CarbonPlan's zarr-layer on MapLibre GL, by the conventions multiscales, proj: and spatial:.

    python check_layer.py [TGMCONV]

Pixels at places must have the colours of the values there, on the flat map and on the globe, and a map of the world must be drawn from a
coarser level than a part of it. Skipped where Chromium, Node or the bundle is not installed (interop/setup.sh).
"""

import base64
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request

import numpy as np
import xarray as xr

import served

NODE = os.path.join(served.ROOT, ".interop", "node")
MODULES = os.environ.get("NODE_MODULES", os.path.join(NODE, "node_modules"))
BUNDLE = os.environ.get("LAYER_BUNDLE", os.path.join(NODE, "layer.js"))
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

# Files of a regular, reduced Gaussian and Lambert grid, and where they are looked at.
SOURCES = [("grib/2t.grib2", (10, 30), 6), ("grib/earthkit/O32_global.grib2", (10, 30), 4), ("grib/cfgrib/lambert_grid.grib", None, 5)]


def jobs_of(url, middle, near):
    page = urllib.request.urlopen(url + "/index.html").read().decode()
    maps = url + "/" + re.search(r'data-maps="(@[0-9a-f]+)"', page).group(1)
    field = next(f for f in json.load(urllib.request.urlopen(maps + "/@fields.json"))["fields"] if "why" not in f)
    tables = {t["name"]: base64.b64decode(t["colours"]) for t in json.load(urllib.request.urlopen(url + "/@viewer/tables.json"))}
    colours = [list(tables["viridis"][3 * i : 3 * i + 3]) for i in range(256)]
    a = xr.open_zarr(maps + "/@map", group=f"{field['path']}/0")[field["name"]]
    a = a.isel({d: 0 for d in a.dims[:-2]}).load()
    low, high = float(a.min()), float(a.max())
    looks = [("mercator", 0.6), ("mercator", near), ("globe", near)][0 if middle else 1 :]
    middle = middle or (float(a.longitude.mean()), float(a.latitude.mean()))
    cell = abs(float(a.latitude[1] - a.latitude[0]))
    for projection, zoom in looks:
        wide = 150 if zoom < 1 else 250 / 2**zoom
        lon = middle[0] + np.linspace(-wide, wide, 15)[1:-1]
        lat = np.clip(middle[1] + np.linspace(-wide / 2, wide / 2, 9)[1:-1], -70, 70)
        places = [[float(x), float(y)] for x in lon for y in lat]
        at = a.sel(latitude=xr.DataArray([p[1] for p in places]), longitude=xr.DataArray([(p[0] - float(a.longitude[0]) + cell) % 360 + float(a.longitude[0]) - cell for p in places]), method="nearest")
        options = {"source": f"{maps}/@map/{field['path']}", "variable": field["name"], "colormap": colours, "clim": [low, high], "center": list(middle), "zoom": zoom, "projection": projection}
        yield {"options": options, "places": places}, (at.values - low) / (high - low), colours


def main():
    if not CHROMIUM or not shutil.which("node") or not os.path.isfile(BUNDLE):
        print("Chromium, Node or the bundle of zarr-layer is not installed")
        return 77
    failed = 0
    with contextlib.ExitStack() as stack:
        tgmconv = sys.argv[1] if len(sys.argv) > 1 else stack.enter_context(served.command())
        work = []
        for name, middle, near in SOURCES:
            url = stack.enter_context(served.served(tgmconv, "--cors", "*", os.path.join(served.ROOT, "fixtures", name)))
            work += [(name, *job) for job in jobs_of(url, middle, near)]
        out = subprocess.run(["node", os.path.join(served.ROOT, "interop/zarr/layer.mjs"), MODULES, CHROMIUM, BUNDLE], check=True, timeout=800,
                             input="".join(json.dumps(w[1]) + "\n" for w in work), stdout=subprocess.PIPE, text=True).stdout.splitlines()
        levels = {}
        for (name, job, want, colours), line in zip(work, out, strict=True):
            got, options = json.loads(line), job["options"]
            what = f"{name}, {options['projection']}, zoom {options['zoom']}"
            if "error" in got:
                print(f"{what}: {got['error']}; asked for {got['asked'][-5:]}")
                failed += 1
                continue
            known = np.isfinite(want)
            right = [max(abs(a - b) for a, b in zip(c, colours[int(np.clip(w * 256, 0, 255))])) <= 40 for w, c in zip(want[known], np.array(got["colours"])[known][:, :3])]
            levels[what] = {int(m.group(1)) for p in got["asked"] if (m := re.match(r"/(\d+)/[^/]+/c/", p))}
            print(f"{what}: {np.mean(right):.0%} of {len(right)} places have the colour of their value; levels {sorted(levels[what])}, {len(got['asked'])} requests, {got['milliseconds']} ms")
            if len(right) < 30 or np.mean(right) < 0.8:
                print(f"{what}: expected 80 % of 30 places or more")
                failed += 1
        if not failed and not max(levels["grib/2t.grib2, mercator, zoom 0.6"]) > max(levels["grib/2t.grib2, mercator, zoom 6"]):
            print(f"the world and a part of it are drawn from the same level: {levels}")
            failed += 1
    print(f"{failed} checks failed" if failed else "zarr-layer draws the maps")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
