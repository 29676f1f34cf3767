"""Compares what zarrita reads in a headless Chromium, from a page of another origin, with what zarr-python reads.

    python check_browser.py [TGMCONV]

Each file is served as it is, with each codec, and cut. Without --cors the browser must not be given anything. Skipped where
Chromium, Node or playwright-core is not installed.
"""

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys

import zarr

import served

MODULES = os.environ.get("NODE_MODULES", os.path.join(served.ROOT, ".interop", "node", "node_modules"))
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

SOURCES = [
    ["grib/cfgrib/era5-levels-members.grib"],
    ["grib/cfgrib/era5-levels-members.grib", "--codec", "blosc", "--dtype", "float32"],
    ["grib/cfgrib/era5-levels-members.grib", "--codec", "zstd", "--chunks", "latitude=25,longitude=50"],
    ["netcdf/cf_temperature_deflate.nc"],
]


def digests(url):
    """Type, shape and SHA-256 of every array of numbers with dimensions."""
    found = {}
    for path, a in zarr.open_group(url, mode="r").members(max_depth=None):
        if isinstance(a, zarr.Array) and a.shape and a.dtype.kind in "fiu":
            found[path] = [str(a.dtype), list(a.shape), hashlib.sha256(a[...].tobytes()).hexdigest()]
    return found


def main():
    if not CHROMIUM or not shutil.which("node") or not os.path.isdir(os.path.join(MODULES, "playwright-core")):
        print("Chromium, Node or playwright-core is not installed")
        return 77
    failed = compared = 0
    with contextlib.ExitStack() as stack:
        tgmconv = sys.argv[1] if len(sys.argv) > 1 else stack.enter_context(served.command())
        fixture = os.path.join(served.ROOT, "fixtures", SOURCES[0][0])
        urls = [stack.enter_context(served.served(tgmconv, "--cors", "*", *options, os.path.join(served.ROOT, "fixtures", name)))
                for name, *options in SOURCES]
        urls.append(stack.enter_context(served.served(tgmconv, fixture)))
        out = subprocess.run(["node", os.path.join(served.ROOT, "interop/zarr/browser.mjs"), MODULES, CHROMIUM, *urls],
                             check=True, timeout=400, stdout=subprocess.PIPE, text=True).stdout.splitlines()
        *answers, refused = map(json.loads, out)
        if "Failed to fetch" not in refused.get("error", ""):
            print(f"a page of another origin without --cors: {str(refused)[:200]}, expected Failed to fetch")
            failed += 1
        for source, url, got in zip(SOURCES, urls, answers, strict=False):
            want = digests(url)
            for path, value in want.items():
                compared += 1
                if got.get(path) != value:
                    print(f"{source}: {path}: {got.get(path, got.get('error'))}, expected {value}")
                    failed += 1
    print(f"{compared} arrays are the same in Chromium" if not failed else f"{failed} differences")
    return 1 if failed or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
