"""Compares random netCDF files as they are served with the files in xarray, and among clients of Zarr.

    python check_random.py [TGMCONV [FIRST LAST]]

FIRST and LAST are the seeds, the last one excluded. A file is served as it is or as a Tensogram file, with flags by its seed.
xarray must see what it sees in the file; obstore (over HTTP and as S3), tensorstore, zarrita and GDAL what zarr-python reads. What a
client cannot read is left out: texts, but for zarr-python; scalars, and dimensions in other orders, in GDAL; and without --codec the
codecs of numcodecs in tensorstore and GDAL. Clients that are not installed are named.
"""

import contextlib
import os
import random
import subprocess
import sys
import tempfile
import warnings

import netCDF4
import xarray
import zarr

import random_netcdf
import served
from check_page import GDAL, GDAL_READER, MODULES

HERE = os.path.dirname(os.path.abspath(__file__))
CLIENTS = os.environ.get("ZARR_CLIENTS", os.path.join(served.ROOT, ".interop", "venvzarr")) + "/bin/python"
warnings.simplefilter("ignore")

FLAGS = [
    [], [], ["--codec", "none"], ["--codec", "zstd"], ["--codec", "blosc"], ["--chunks", "lat=2,lon=3,x=5"], ["--chunks", "time=1,y=4", "--codec", "zstd"],
    ["--names", "cf", "--time", "valid"],
]


def lines(*command):
    """Shape and elements of arrays by their paths: clients have names of their own for data types."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=200)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)[-200:]}: code {done.returncode}, {len(done.stdout)} characters: {done.stderr.strip()[-300:]}")
    rows = [line.replace("/\t", "\t", 1).split("\t") for line in done.stdout.splitlines()]
    return {path: rest for path, _, *rest in rows}


def groups(path):
    def walk(group, path):
        yield path or "/"
        for name, child in group.groups.items():
            yield from walk(child, f"{path}/{name}")

    with netCDF4.Dataset(path) as root:
        return list(walk(root, ""))


def is_raster(array):
    """Whether GDAL has the dimensions in this order."""
    names = array.metadata.dimension_names
    return array.ndim == 1 or array.ndim in (2, 3) and names[-2:] in (("y", "x"), ("lat", "lon"))


def check_clients(url, codec, skipped):
    group = zarr.open_group(url, mode="r")
    arrays = {path: a for path, a in group.members(max_depth=None) if isinstance(a, zarr.Array)}
    numbers = [p for p, a in arrays.items() if a.dtype.kind in "iuf"]
    plain = [p for p in numbers if codec or "numcodecs." not in str(arrays[p].metadata.to_dict()["codecs"])]
    read = os.path.join(HERE, "arrays.py")
    want = lines(sys.executable, read, "zarr", url)
    found = {name: (lines(sys.executable, read, name, url), list(arrays)) for name in ("obstore", "s3")}
    if os.path.exists(CLIENTS):
        found["tensorstore"] = lines(CLIENTS, read, "tensorstore", url, *plain), plain
    if os.path.exists(MODULES):
        found["zarrita"] = lines("node", os.path.join(HERE, "arrays_zarrita.mjs"), MODULES, url, *numbers), numbers
    skipped.update({"tensorstore", "zarrita"} - set(found))
    for name, (got, paths) in found.items():
        wrong = [path for path in paths if got.get(path) != want[path]]
        assert not wrong and len(got) == len(paths), f"{name}: other elements of {wrong}"
    if not os.path.exists(GDAL):
        skipped.add("GDAL")
        return len(found) + 1
    for path in [p for p in plain if is_raster(arrays[p])]:
        name = f'ZARR:"/vsicurl/{url}":/{path}'
        got = subprocess.run([GDAL, "-c", GDAL_READER, name], capture_output=True, text=True, timeout=200)
        assert got.stdout.strip() == want[path][1], f"GDAL: other elements of {path}: {got.stderr[-200:]}"
    return len(found) + 2


def check(tgmconv, seed, folder, skipped):
    path = os.path.join(folder, f"{seed}.nc")
    random_netcdf.make(seed, path)
    flags = random.Random(seed).choice(FLAGS)
    source = path
    if seed % 3 == 0:
        source = os.path.join(folder, f"{seed}.tgm")
        subprocess.run([tgmconv, "convert-netcdf", "--cf", "-q", "-o", source, path], check=True)
    with served.served(tgmconv, *flags, source) as url:
        for group in groups(path):
            original = xarray.open_dataset(path, group=group, engine="netcdf4").load()
            xarray.testing.assert_identical(xarray.open_zarr(url, group=group).load(), original)
        return check_clients(url, "--codec" in flags, skipped)


def main():
    first, last = map(int, sys.argv[2:4] or (0, 7))
    failed, most, skipped = 0, 0, set()
    with tempfile.TemporaryDirectory() as folder, served.command() if len(sys.argv) < 2 else contextlib.nullcontext(sys.argv[1]) as tgmconv:
        for seed in range(first, last):
            try:
                most = max(most, check(tgmconv, seed, folder, skipped))
            except Exception as err:  # any client may fail in any way
                print(f"seed {seed}: {type(err).__name__}: {str(err)[:800]}")
                failed += 1
    for client in sorted(skipped):
        print(f"interop: not installed: {client}")
    print(f"interop: {last - first} random netCDF files in {most} clients: {failed} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
