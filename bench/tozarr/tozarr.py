"""Compares `tgmconv to-zarr` with xarray and cfgrib's to_zarr, in one run, with equal codecs and chunks.

    python tozarr.py TGMCONV FILE.grib...

Prints the wall and CPU seconds of both, best of three, and their ratio. The files must be ones that cfgrib opens as one
dataset. cfgrib's index is made before.
"""

import resource
import shutil
import subprocess
import sys
import tempfile
import time

CFGRIB = """
import sys, xarray, zarr
from zarr.codecs import BloscCodec
out, *files = sys.argv[1:]
ds = xarray.open_mfdataset(files, engine="cfgrib", combine="nested", concat_dim="time") if len(files) > 1 else xarray.open_dataset(files[0], engine="cfgrib")
spatial = ("latitude", "longitude", "y", "x", "values")
encoding = {}
for name, v in ds.data_vars.items():
    chunks = tuple(n if d in spatial else 1 for d, n in v.sizes.items())
    encoding[name] = {"chunks": chunks, "compressors": [BloscCodec(cname="zstd", clevel=1, shuffle="bitshuffle", typesize=v.dtype.itemsize)]}
ds.to_zarr(out, zarr_format=3, consolidated=True, encoding=encoding)
"""


def seconds(command, out):
    best = None
    for _ in range(3):
        shutil.rmtree(out, ignore_errors=True)
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        now = (time.monotonic() - start, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        best = now if best is None else tuple(map(min, best, now))
    return best


def main():
    tgmconv, *files = sys.argv[1:]
    with tempfile.TemporaryDirectory() as scratch:
        # float32, as cfgrib decodes.
        ours = [tgmconv, "to-zarr", "-q", "--dtype", "float32", "-o", f"{scratch}/ours.zarr", *files]
        theirs = [sys.executable, "-c", CFGRIB, f"{scratch}/theirs.zarr", *files]
        subprocess.run(theirs, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        a, b = seconds(ours, f"{scratch}/ours.zarr"), seconds(theirs, f"{scratch}/theirs.zarr")
    print(f"to-zarr: {a[0]:.2f} s, {a[1]:.2f} s of CPU; xarray with cfgrib: {b[0]:.2f} s, {b[1]:.2f} s of CPU; "
          f"{b[0] / a[0]:.1f} times as fast, {b[1] / a[1]:.1f} times less CPU")


if __name__ == "__main__":
    main()
