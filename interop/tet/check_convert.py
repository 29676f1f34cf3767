"""Compares `tgmconv to-tet` of HDF5, netCDF and Zarr v3 with tet-py's tet.convert, and with the command `tet convert` where
it is installed (TET, or `tet` in the path): names, types, shapes and values, and of the command attributes and dimension names.

    python check_convert.py [TGMCONV]

It runs itself again in the environment that has tet-py, and is skipped without. tet.convert writes raw and one chunk and
no attributes, the command the chunks of the source; both leave fill values alone, as --objects does.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

top = pathlib.Path(__file__).resolve().parents[2]
python = top / ".interop" / "venvtet" / "bin" / "python"
if "TET_CONVERT" not in os.environ:
    if not python.exists():
        print("tet-py (.interop/venvtet) is not installed")
        sys.exit(77)
    sys.exit(subprocess.run([python, __file__, *sys.argv[1:]], env=os.environ | {"TET_CONVERT": "1"}).returncode)

import numpy as np
import tet

TYPES = ["f4", "f8", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]


def values(n, dtype):
    a = (np.arange(n) % 100).astype(dtype)
    if np.dtype(dtype).kind == "f":
        a[n // 2] = np.inf  # tet-py 0.8.3 cannot read NaN out of several chunks, or out of zstd
    return a


def make_hdf5(path):
    import h5py

    with h5py.File(path, "w") as f:
        for i, t in enumerate(TYPES):
            shape = [(7,), (5, 12), (3, 4, 5)][i % 3]
            chunks = [None, (2, 5), (1, 4, 3)][i % 3]
            f.create_dataset(f"g{i % 2}/{t}", data=values(np.prod(shape), t).reshape(shape), chunks=chunks,
                             compression="gzip" if chunks and i % 2 else None)


def make_netcdf(path):
    import netCDF4

    with netCDF4.Dataset(path, "w") as f:
        for name, n in (("time", 3), ("lat", 4), ("lon", 5)):
            f.createDimension(name, n)
            f.createVariable(name, "f8", (name,))[:] = np.arange(n) * 1.5
        for i, t in enumerate(TYPES):
            v = f.createVariable(t, t, ("time", "lat", "lon"), zlib=i % 2 == 0, chunksizes=(1, 2, 5))
            v.units = "K"
            v[:] = values(60, t).reshape(3, 4, 5)


def make_classic(path):
    import netCDF4

    with netCDF4.Dataset(path, "w", format="NETCDF3_CLASSIC") as f:
        f.createDimension("t", None)
        f.createDimension("x", 5)
        f.createVariable("a", "f4", ("t", "x"))[:] = values(20, "f4").reshape(4, 5)
        f.createVariable("b", "i2", ("t", "x"))[:] = values(20, "i2").reshape(4, 5)


def make_zarr(path):
    import zarr

    g = zarr.open_group(path, mode="w", zarr_format=3)
    for i, t in enumerate(["f2", *TYPES]):
        more = {"compressors": None} if i % 3 == 0 else {"shards": (4, 6)} if i % 3 == 1 and "shards" in path else {}
        a = g.create_array(f"g{i % 2}/{t}", shape=(7, 6), chunks=(2, 3), dtype=t, **more)
        rows = 5 if "shards" in path else 7  # `tet convert` needs all chunks
        a[:rows] = values(6 * rows, t).reshape(rows, 6)


def datasets(path):
    with tet.open(path) as f:
        return {d.name: f.read_numpy(d.name) for d in f.iter_datasets()}


def grids(tgmconv, path):
    """The shape of the chunks of each dataset."""
    report = json.loads(subprocess.run([tgmconv, "tet", "info", "--json", path], check=True, stdout=subprocess.PIPE).stdout)
    return {d["name"]: d["chunk_shape"] for d in report["summary"]["datasets"]}


def described(tgmconv, path):
    """The metadata of each dataset."""
    report = json.loads(subprocess.run([tgmconv, "tet", "info", "--json", path], check=True, stdout=subprocess.PIPE).stdout)
    return ((report["summary"]["metadata"] or {}).get("datasets")) or {}


def compare_command(tet, tgmconv, name):
    """The differences from the command's output for a source; None if it cannot convert the source."""
    done = subprocess.run([tet, "convert", name, name + ".tet"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        print(f"{name}: tet convert cannot: {done.stderr.strip().splitlines()[-1]}")
        return None
    return list(differences(tgmconv, name))


def differences(tgmconv, name):
    """The differences of two .tet files made of a source."""
    ours, theirs = datasets(name + ".ours.tet"), datasets(name + ".tet")
    if not theirs.keys() <= ours.keys():  # it passes over uint32 and uint64 of netCDF
        yield f"{name}: ours has {sorted(ours)}, tet convert {sorted(theirs)}"
    grid, grid_theirs = grids(tgmconv, name + ".ours.tet"), grids(tgmconv, name + ".tet")
    about, about_theirs = described(tgmconv, name + ".ours.tet"), described(tgmconv, name + ".tet")
    for key in ours.keys() & theirs.keys():
        a, b = ours[key], theirs[key]
        if a.dtype != b.dtype or a.shape != b.shape or a.tobytes() != b.tobytes():
            yield f"{name}: {key}: {a.dtype} {a.shape}, tet convert {b.dtype} {b.shape}, or other values"
        if grid[key] != grid_theirs[key]:
            yield f"{name}: {key}: chunks {grid[key]}, tet convert {grid_theirs[key]}"
        mine, other = about.get(key, {}), about_theirs.get(key, {})
        for what in "attrs", "dim_names":
            if other.get(what) and mine.get(what) != other[what]:
                yield f"{name}: {key}: {what} {mine.get(what)}, tet convert {other[what]}"


def main():
    failed = compared = commands = 0
    built = top / ".interop" / "cargo" / "bin" / "tet"
    command = os.environ.get("TET") or (str(built) if built.exists() else shutil.which("tet"))
    with tempfile.TemporaryDirectory() as scratch:
        if len(sys.argv) > 1:
            tgmconv = os.path.abspath(sys.argv[1])
        else:
            tgmconv = scratch + "/tgmconv"
            subprocess.run(["go", "build", "-o", tgmconv, "./cmd/tgmconv"], cwd=top, check=True)
        os.chdir(scratch)
        for name, make in (("a.h5", make_hdf5), ("b.nc", make_netcdf), ("c.nc", make_classic), ("d.zarr", make_zarr), ("shards.zarr", make_zarr)):
            try:
                make(name)
                tet.convert(name, name + ".theirs.tet")
            except ImportError as e:
                print(f"{name}: skipped: {e}")
                continue
            subprocess.run([tgmconv, "to-tet", "-q", "--objects", "--codec", "raw", "-o", name + ".ours.tet", name], check=True)
            subprocess.run([tgmconv, "tet", "verify", "-q", "--deep", name + ".ours.tet"], check=True, stdout=subprocess.DEVNULL)
            ours, theirs = datasets(name + ".ours.tet"), datasets(name + ".theirs.tet")
            if ours.keys() != theirs.keys():
                print(f"{name}: ours has {sorted(ours)}, tet.convert {sorted(theirs)}")
                failed += 1
            for key in ours.keys() & theirs.keys():
                a, b = ours[key], theirs[key]
                compared += 1
                if a.dtype != b.dtype or a.shape != b.shape or a.tobytes() != b.tobytes():
                    print(f"{name}: {key}: {a.dtype} {a.shape}, tet.convert {b.dtype} {b.shape}, or other values")
                    failed += 1
            if command:
                found = compare_command(command, tgmconv, name)
                for difference in found or ():
                    print(difference)
                    failed += 1
                commands += found is not None
    if commands:
        print(f"{commands} sources compared with {command}")
    print(f"{compared} datasets are those of tet.convert" if not failed else f"{failed} of {compared} datasets differ")
    return 1 if failed or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
