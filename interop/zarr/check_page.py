"""Runs the snippets of the web page of served files as they are printed: xarray, zarr-python, zarrita.js and GDAL.

    python check_page.py [TGMCONV]

What they open must be there, and its elements the same in all of them. GDAL's program is not called: rasterio opens the name it
is given. Clients that are not installed are named.
"""

import contextlib
import html
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import urllib.request

import netCDF4
import numpy as np

import served

INTEROP = os.path.join(served.ROOT, ".interop")
MODULES = os.path.join(INTEROP, "node", "node_modules")
GDAL = os.environ.get("GDAL_PYTHON", os.path.join(INTEROP, "venvgdal", "bin", "python"))

# Files, or one that is made here, and flags of serve.
SOURCES = [
    ("grib/2t.grib2",),
    ("grib/gfs_2p50_f000.grib2",),
    ("grib/gfs_2p50_f000.grib2", "--view", "tree", "--names", "cf"),
    ("grib/cfgrib/tp_on_different_grid_resolutions.grib", "--time", "valid"),
    ("netcdf/cf_temperature.nc",),
    ("netcdf/tetration_groups_3d.nc",),
    ("netcdf/tetration_groups_3d.nc", "--codec", "zstd"),
    ("netcdf/multi_var.nc",),
    ("netcdf/h5py/vlen_string_dset.h5",),
    ("netcdf/empty_file.nc",),
    ("netcdf/made/types.nc",),
    ("tet/tetpy/weather.tet",),
    ("tgm/v0.20/multi_object.tgm",),
    ("made",),
    ("made", "--view", "tree", "--codec", "none"),
]

# The lines after a snippet, which print the data that it opened.
AFTER_XARRAY = """
nodes = data.values() if isinstance(data, dict) else [n.to_dataset() for n in data.subtree] if hasattr(data, "subtree") else [data]
print(sum(len(n.load().variables) for n in nodes))
"""
AFTER_ZARR = """
import hashlib, json, numpy
text = numpy.asarray(values).dtype.kind in "OTSU"
print(list(values.shape), "text" if text else hashlib.sha256(numpy.ascontiguousarray(values).tobytes()).hexdigest())
"""
AFTER_ZARRITA = """
const { createHash } = await import("node:crypto");
const bytes = data?.buffer instanceof ArrayBuffer ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : undefined;
console.log(JSON.stringify(shape), bytes === undefined ? "text" : createHash("sha256").update(bytes).digest("hex"));
"""
GDAL_READER = """
import hashlib, sys, warnings
import rasterio
warnings.simplefilter("ignore")
with rasterio.open(sys.argv[1]) as d:
    parts = [d.read()] if d.count else [rasterio.open(name).read() for name in d.subdatasets]
print(hashlib.sha256(b"".join(p.tobytes() for p in parts)).hexdigest())
"""


def make(path):
    """Names that addresses cannot have, and groups that xarray's DataTree refuses."""
    with netCDF4.Dataset(path, "w") as root:
        for group, n in (root, 3), (root.createGroup("a"), 4), (root.createGroup("ü b"), 5):
            group.createDimension("x", n)
            group.createVariable("name", str, ("x",))[:] = np.array(["q"] * n, object)
            group.createVariable("50%", "f4", ("x",))[:] = range(n)
            group.createVariable("with blank", "f4", ("x",))[:] = range(n)
            group.createVariable("x", "f8", ("x",))[:] = range(n)


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, **more)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]}: {done.stderr.strip()[-400:]}")
    return done.stdout.strip()


def check(tgmconv, source, folder, skipped):
    path = os.path.join(served.ROOT, "fixtures", source[0])
    if source[0] == "made":
        path = os.path.join(folder, "made.nc")
        make(path)
    with served.served(tgmconv, *source[1:], path) as url:
        page = urllib.request.urlopen(url + "/index.html").read().decode()
        found = dict(re.findall(r"(?s)<h3>([^<]*)</h3>\s*<pre>(.*?)</pre>", page))
        snippets = {client: html.unescape(code) for client, code in found.items()}
        for link in re.findall(r'href="(/[^"@]*/zarr\.json)"', page):
            urllib.request.urlopen(url + html.unescape(link)).read()
        count = int(run([sys.executable, "-W", "ignore", "-c", snippets["xarray"] + AFTER_XARRAY]))
        if "zarr-python" not in snippets:
            assert count == 0, f"{count} variables, and no snippet for them"
            return
        assert count > 0, "xarray finds no variables"
        shape, want = run([sys.executable, "-W", "ignore", "-c", snippets["zarr-python"] + AFTER_ZARR]).rsplit(" ", 1)
        if os.path.exists(MODULES):
            script = os.path.join(folder, "snippet.mjs")
            with open(script, "w", encoding="utf-8") as out:
                out.write(snippets["zarrita.js"] + AFTER_ZARRITA)
            got = run(["node", script]).rsplit(" ", 1)
            assert json.loads(got[0]) == json.loads(shape) and got[1] == want, f"zarrita has {got}, zarr-python {shape} {want}"
        else:
            skipped.add("zarrita")
        gdal = snippets.get("GDAL", "# no array that GDAL reads")
        words = shlex.split(gdal, comments=True)
        if words and os.path.exists(GDAL):
            # Another array where this one has a codec or a name that GDAL does not take.
            array = re.search(r'group\["(.*)"\]', snippets["zarr-python"]).group(1)
            got = run([GDAL, "-c", GDAL_READER, words[1]])
            assert words[0] == "gdalinfo" and (got == want or not words[1].endswith(":/" + array)), "GDAL has other elements"
        elif words:
            skipped.add("GDAL")
        elif "--codec" in source:
            raise AssertionError("no snippet for GDAL: " + gdal)


def main():
    failed, skipped = 0, set()
    with tempfile.TemporaryDirectory() as folder, served.command() if len(sys.argv) < 2 else contextlib.nullcontext(sys.argv[1]) as tgmconv:
        os.symlink(MODULES, os.path.join(folder, "node_modules"))
        for source in SOURCES:
            try:
                check(tgmconv, source, folder, skipped)
            except Exception as err:  # any client may fail in any way
                print(f"{' '.join(source)}: {type(err).__name__}: {str(err)[:600]}")
                failed += 1
    for client in sorted(skipped):
        print(f"interop: not installed: {client}")
    print(f"interop: snippets of {len(SOURCES)} pages: {failed} do not run")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
