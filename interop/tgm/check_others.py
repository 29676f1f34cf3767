"""Writes files as other writers of Tensogram do, and compares what tgmconv makes of them, as xarray opens its Zarr and its
netCDF, with what their authors mean: names, dimensions, coordinates, values."""

import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import xarray

HERE = pathlib.Path(__file__).parent
TGMCONV = os.environ.get("TGMCONV")
folder = pathlib.Path(tempfile.mkdtemp())
if not TGMCONV:
    TGMCONV = folder / "tgmconv"
    subprocess.run(["go", "build", "-o", TGMCONV, "./cmd/tgmconv"], check=True, cwd=HERE.parent.parent)
subprocess.run([sys.executable, "-W", "ignore", HERE / "write_others.py", folder], check=True)

lat, lon = np.linspace(90, -90, 5), np.arange(8) * 45.0
ramp = np.arange(40.0).reshape(5, 8)
n = 432
k = np.arange(n)
field = k % 97
hours = np.array([6, 12, 18])
# file: variable, dimensions, coordinates, values
EXPECTED = {
    "coordinates": ("temperature", ["latitude", "longitude"], {"latitude": lat, "longitude": lon}, ramp + 270),
    "steps": ("t", ["step", "dim_0", "dim_1"], {"step": np.arange(5) * 6}, np.stack([np.arange(24.0).reshape(4, 6) + 600 * i for i in range(5)])),
    "square": ("t", ["level", "latitude", "longitude"],
               {"level": [1000, 850, 500, 300], "latitude": np.linspace(60, 0, 4), "longitude": np.arange(4) * 10}, np.arange(64.0).reshape(4, 4, 4)),
    "params": ("wind", ["height", "latitude", "longitude"], {"latitude": lat, "longitude": lon}, np.arange(120.0).reshape(3, 5, 8)),
    "hypercube": ("x", ["band", "run", "latitude", "longitude"], {"band": ["red", "green"], "run": [1, 2, 3], "latitude": lat},
                  np.stack([[ramp + 1000 * run + len(band) for run in (1, 2, 3)] for band in ("red", "green")])),
    "mars": ("t", ["step", "isobaricInhPa", "latitude", "longitude"], {"step": [0, 6], "isobaricInhPa": [850, 500], "latitude": lat},
             np.stack([[ramp + 10 * s + level for level in (850, 500)] for s in (0, 6)])),
    "nohash": ("t", ["step", "latitude", "longitude"], {"step": [0, 3], "latitude": lat, "longitude": lon}, np.stack([ramp, ramp + 3])),
    "bids": ("object_0", ["subject", "task", "dim_0", "dim_1", "dim_2"], {"subject": ["01", "02"], "task": ["rest", "nback"]},
             np.tile(np.arange(60.0).reshape(3, 4, 5), (2, 2, 1, 1, 1))),
    "curvilinear": ("sst", ["y", "x"], {"latitude": np.add.outer(np.linspace(40, 50, 5), np.arange(8) / 10)}, ramp),
    "extra_sizes": ("q", ["values", "level"], {}, np.arange(63.0).reshape(21, 3)),
    "book_quickstart": ("t2m", ["dim_0", "dim_1"], {"step": 6, "time": np.datetime64("2026-04-04"), "surface": 0}, ramp),
    "book_metadata": ("u10", ["dim_0", "dim_1"], {"time": np.datetime64("2026-04-01T12")}, np.arange(12.0).reshape(3, 4) + 5),
    "book_schema": ("t", ["dim_0", "dim_1"], {"time": np.datetime64("2026-04-04"), "isobaricInhPa": 500}, np.arange(20.0).reshape(4, 5)),
    "book_objects": ("wave_spectra", ["dim_0", "dim_1", "dim_2"], {"step": 6}, np.arange(240.0).reshape(6, 8, 5)),
    "book_generic": ("intensity", ["dim_0", "dim_1"], {}, np.arange(30.0).reshape(5, 6)),
    "book_files": ("object_0", ["step", "dim_0", "dim_1"], {"step": [0, 1, 2]}, np.stack([np.arange(20.0).reshape(4, 5) + s for s in range(3)])),
    "book_streaming": ("b", ["dim_0", "dim_1"], {"step": 6}, np.arange(20.0).reshape(4, 5) + 7),
    "book_packing": ("t", ["dim_0", "dim_1"], {"isobaricInhPa": 500, "step": 6}, None),
    "book_xarray_names": ("u10", ["dim_0", "dim_1"], {}, np.arange(12.0).reshape(3, 4) + 5),
    "book_xarray_messages": ("u10", ["time", "dim_0", "dim_1"], {"time": np.array(["2026-04-01", "2026-04-02"], "M8[ns]")},
                             np.stack([np.arange(12.0).reshape(3, 4) + 100 + day for day in (1, 2)])),
    "book_xarray_kinds": ("wind", ["dim_0", "dim_1"], {}, np.arange(12.0).reshape(3, 4) + 9),
    "book_levels": ("t", ["level", "dim_0", "dim_1"], {"level": [500, 850]}, np.stack([np.arange(12.0).reshape(3, 4) + level for level in (500, 850)])),
    "book_dask": ("t", ["time", "level", "latitude", "longitude"], {"level": [500, 850, 1000], "latitude": lat, "longitude": lon},
                  np.stack([[ramp + level + 10000 * day for level in (500, 850, 1000)] for day in (1, 2)])),
    "book_earthkit": ("tp", ["latitude", "longitude"], {"latitude": np.linspace(60, 30, 4), "longitude": np.linspace(-10, 20, 6)},
                      np.arange(24.0).reshape(4, 6) + 50),
    "book_cube": ("generic_cube", ["dim_0", "dim_1", "dim_2"], {}, np.arange(24.0).reshape(2, 3, 4)),
    "anemoi": ("t", ["step", "isobaricInhPa", "values"],
               {"step": hours, "isobaricInhPa": [1000, 850, 500], "latitude": 89 - 178 * (k // 36) / 11, "longitude": (k % 36) * 10.0},
               np.stack([[field + h + level for level in (1000, 850, 500)] for h in hours])),
    "anemoi_stacked": ("t", ["step", "values", "level"],
                       {"step": hours, "level": [500, 850, 1000], "latitude": 89 - 178 * (k // 36) / 11},
                       np.stack([np.stack([field + h + level for level in (500, 850, 1000)], -1) for h in hours])),
}


def run(*args):
    done = subprocess.run([TGMCONV, *args], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"tgmconv {' '.join(map(str, args))}: {done.stderr}")


def check(name, form, dataset, variable, dims, coords, values):
    v = dataset[variable]
    problems = [] if list(v.dims) == dims else [f"dimensions {v.dims}, expected {dims}"]
    for key, want in coords.items():
        got = v.coords[key].values if key in v.coords else None
        if got is not None and got.dtype.kind == "m":
            got = got / np.timedelta64(1, "h")
        if got is None or not (np.array_equal(got, want) if got.dtype.kind in "UOTSM" else np.allclose(got, want)):
            problems.append(f"{key} is {got}, expected {want}")
    if not problems and values is not None and not np.array_equal(v.values, values):
        problems.append("other values")
    for p in problems:
        print(f"{name} as {form}: {p}")
    return len(problems)


bad, checked = 0, 0
for name, expected in EXPECTED.items():
    path = folder / f"{name}.tgm"
    if not path.exists():
        print(f"{name}: not written, as tensogram-anemoi is not installed")
        continue
    placed = [["plot", "-o", folder / f"{name}.png"], ["values", "--lat", "45", "--lon", "5"]] if "latitude" in expected[2] else []
    for looks in ["ls"], ["info", "--dataset"], ["stats"], ["values"], *placed:
        run(*looks, path)
    run("to-zarr", path, "-o", folder / f"{name}.zarr")
    run("to-netcdf", path, "-o", folder / f"{name}.nc")
    bad += check(name, "Zarr", xarray.open_zarr(folder / f"{name}.zarr", consolidated=False, decode_timedelta=True), *expected)
    bad += check(name, "netCDF", xarray.open_dataset(folder / f"{name}.nc", decode_timedelta=True), *expected)
    checked += 2

# Objects from GRIB have the units and names of their parameter where the reference's xarray looks.
run("convert-grib", "-q", "-o", folder / "2t.tgm", HERE.parent.parent / "fixtures/grib/2t_simple.grib2")
attrs = xarray.open_dataset(folder / "2t.tgm", engine="tensogram")["2t"].attrs
want = {"units": "K", "long_name": "2 metre temperature", "standard_name": "air_temperature"}
if {key: attrs.get(key) for key in want} != want:
    print(f"2t has the attributes {attrs}, expected {want}")
    bad += 1

print(f"{checked} datasets of other writers' files, {bad} differences")
sys.exit(bad > 0)
