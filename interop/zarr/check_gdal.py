"""Compares what GDAL 3.12 (rasterio 1.5) reads from a server with what zarr-python reads: values, CRS and transform.

    python check_gdal.py [TGMCONV]

Skipped where rasterio (.interop/venvgdal, Python 3.12 and newer) is not installed.
"""

import contextlib
import hashlib
import json
import os
import subprocess
import sys

import zarr

import served

PYTHON = os.environ.get("GDAL_PYTHON", os.path.join(served.ROOT, ".interop", "venvgdal", "bin", "python"))

# Files, options of serve, arrays, and the transform of their grid.
SOURCES = [
    ("grib/gfs_2p50_f000.grib2", [], ["gust", "t", "t2m"], [2.5, 0, -1.25, 0, -2.5, 91.25]),
    ("grib/gfs_2p50_f000.grib2", ["--codec", "zstd", "--dtype", "float32"], ["t"], [2.5, 0, -1.25, 0, -2.5, 91.25]),
    ("grib/gfs_2p50_f000.grib2", ["--codec", "blosc", "--chunks", "latitude=50,longitude=100"], ["t"], [2.5, 0, -1.25, 0, -2.5, 91.25]),
    ("grib/cfgrib/era5-levels-members.grib", [], ["t", "z"], [3, 0, -1.5, 0, -3, 91.5]),
]


def main():
    if not os.path.exists(PYTHON):
        print("rasterio (.interop/venvgdal) is not installed")
        return 77
    failed = compared = 0
    with served.command() if len(sys.argv) < 2 else contextlib.nullcontext(sys.argv[1]) as tgmconv:
        for name, options, arrays, transform in SOURCES:
            with served.served(tgmconv, *options, os.path.join(served.ROOT, "fixtures", name)) as url:
                read = [PYTHON, os.path.join(served.ROOT, "interop/zarr/read_gdal.py"), url, *arrays]
                found = json.loads(subprocess.run(read, check=True, timeout=200, stdout=subprocess.PIPE).stdout)
                group = zarr.open_group(url, mode="r")
                for array in arrays:
                    a = group[array][...]
                    bands = a.size // (a.shape[-1] * a.shape[-2])
                    want = {"listed": True, "type": str(a.dtype), "bands": bands, "crs": True, "transform": transform,
                            "hash": hashlib.sha256(a.tobytes()).hexdigest()}
                    compared += 1
                    if found[array] != want:
                        print(f"{name} {options}: {array}: {found[array]}, expected {want}")
                        failed += 1
    print(f"{compared} arrays are the same in GDAL" if not failed else f"{failed} of {compared} arrays differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
