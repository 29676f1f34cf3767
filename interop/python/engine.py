"""Compares the engine tgmconv of xarray with the engines cfgrib and netcdf4, and kills its process. check_engine.py runs it.

    python engine.py FIXTURES
"""

import os
import pathlib
import pickle
import signal
import sys
import threading
import warnings

import numpy as np
import xarray

import tgmconv
from tgmconv import _worker

warnings.simplefilter("ignore")
fixtures = pathlib.Path(sys.argv[1])
failures = []


def fail(what):
    print(what)
    failures.append(what)


# Attributes of cfgrib that do not come from the file: they name cfgrib, or the single group of its files.
GRIB = [
    "grib/2t.grib2", "grib/q_150.grib2", "grib/lsm.grib2", "grib/sanity.grib2", "grib/cfgrib/era5-levels-members.grib", "grib/cfgrib/lambert_grid.grib",
    "grib/cfgrib/reduced_gg.grib", "grib/cfgrib/regular_gg_sfc.grib", "grib/cfgrib/t_analysis_and_fc_0.grib", "grib/cfgrib/forecast_monthly_ukmo.grib",
]


def check_grib():
    """Values, type, dimensions and coordinates of each variable of cfgrib."""
    compared = 0
    for name in GRIB:
        path = fixtures / name
        if not path.exists():
            continue
        try:
            wanted = xarray.open_dataset(path, engine="cfgrib", backend_kwargs={"indexpath": ""}).load()
        except Exception as err:  # of ecCodes, for grids that it cannot make
            print(f"{name}: cfgrib: {err}")
            continue
        with xarray.open_dataset(path, engine="tgmconv", min_fill=1e-6) as found:  # cfgrib never divides a variable
            for variable, w in wanted.data_vars.items():
                if variable not in found:
                    fail(f"{name}: there is no {variable}, but {list(found)}")
                    continue
                f = found[variable].load()
                if f.dtype != w.dtype or sorted(f.dims) != sorted(w.dims) and "values" not in w.dims:
                    fail(f"{name}: {variable} is {f.dtype}{f.dims}, expected {w.dtype}{w.dims}")
                    continue
                values = f.values if "values" in w.dims else f.transpose(*w.dims).values
                if not np.array_equal(values, w.values, equal_nan=True):
                    fail(f"{name}: {variable} has other values")
                for coordinate, c in w.coords.items():
                    if coordinate in f.coords and f[coordinate].shape == c.shape and not np.array_equal(f[coordinate].values, c.values):
                        if c.dtype.kind != "f" or not np.allclose(f[coordinate], c, atol=1e-6):
                            fail(f"{name}: {variable}: the coordinate {coordinate} is {f[coordinate].values}, expected {c.values}")
                compared += 1
    return compared


def check_netcdf():
    """netCDF files equal the output of the engine netcdf4, without attributes that only a file has."""
    compared = 0
    for path in sorted(fixtures.glob("netcdf/*.nc")):
        try:
            wanted = xarray.open_dataset(path, engine="netcdf4").load()
        except Exception:
            continue  # what xarray does not open
        try:
            found = xarray.open_dataset(path, engine="tgmconv").load()
        except tgmconv.TgmconvError as err:
            if wanted.variables:
                fail(f"{path.name}: {err}")
            continue
        for name, w in wanted.variables.items():
            if name not in found.variables:
                if w.dims and w.size == 0 or w.dtype.kind in "VO":
                    continue  # no elements, or compounds, which are variables of their own
                fail(f"{path.name}: there is no {name}")
                continue
            f = found[name].variable
            if f.dims != w.dims:
                fail(f"{path.name}: {name} has the dimensions {f.dims}, expected {w.dims}")
            elif not np.array_equal(f.values, w.values, equal_nan=w.dtype.kind in "fM"):
                fail(f"{path.name}: {name} has other values")
            compared += 1
    return compared


def check_indexing():
    """Parts of an array equal the parts of the whole array."""
    path = fixtures / "grib/cfgrib/era5-levels-members.grib"
    whole = xarray.open_dataset(path, engine="tgmconv")["t"].load().values
    rng = np.random.default_rng(1)
    for _ in range(60):
        key = []
        for n in whole.shape:
            match rng.integers(4):
                case 0:
                    key.append(int(rng.integers(-n, n)))
                case 1:
                    key.append(slice(None, None, int(rng.choice([-3, -1, 1, 2]))))
                case 2:
                    a, b = sorted(rng.integers(0, n + 1, 2))
                    key.append(slice(int(a), int(b)))
                case 3:
                    key.append(rng.integers(0, n, 3))
        found = xarray.open_dataset(path, engine="tgmconv")["t"]
        by_dim = dict(zip(found.dims, key))
        wanted = xarray.DataArray(whole, dims=found.dims).isel(by_dim).values
        if not np.array_equal(found.isel(by_dim).values, wanted):
            fail(f"indexing with {key}: other values")


def check_pickle_and_dask():
    path = fixtures / "grib/cfgrib/era5-levels-members.grib"
    eager = xarray.open_dataset(path, engine="tgmconv").load()
    lazy = xarray.open_dataset(path, engine="tgmconv", chunks={})
    if lazy["t"].data.numblocks != (10, 4, 2, 1, 1):
        fail(f"chunks of t: {lazy['t'].data.numblocks}")
    xarray.testing.assert_identical(eager, lazy.compute())
    xarray.testing.assert_identical(eager, pickle.loads(pickle.dumps(xarray.open_dataset(path, engine="tgmconv"))).load())
    import dask

    with dask.config.set(scheduler="processes", num_workers=2):
        xarray.testing.assert_identical(eager, lazy.compute())


def check_kills(times):
    """A killed process is an exception for callers that wait for it, and another process is started."""
    path = fixtures / "grib/2t.grib2"
    whole = xarray.open_dataset(path, engine="tgmconv")["t2m"].load().values
    raised = 0
    for i in range(times):
        ds = xarray.open_dataset(path, engine="tgmconv")
        process = _worker.worker().process
        killer = threading.Timer(0.002 * (i % 10), os.kill, (process.pid, signal.SIGKILL))
        killer.start()
        try:
            if not np.array_equal(ds["t2m"].values, whole):
                fail(f"kill {i}: other values")
        except tgmconv.TgmconvError:
            raised += 1
        killer.join()
        process.wait()
        if not np.array_equal(ds["t2m"][:3, :3].values, whole[:3, :3]):
            fail(f"kill {i}: other values of the next process")
    return raised


def check_store():
    import zarr

    path = fixtures / "grib/cfgrib/era5-levels-members.grib"
    by_store = xarray.open_zarr(tgmconv.store(path), consolidated=True).load()
    xarray.testing.assert_identical(by_store, xarray.open_dataset(path, engine="tgmconv", dtype="source").load())
    found = zarr.open_group(tgmconv.store(fixtures / "netcdf/tetration_groups_3d.nc"), mode="r")
    if not list(found.groups()):
        fail("the store of a file with groups has none")
    tree = xarray.open_datatree(fixtures / "netcdf/tetration_groups_3d.nc", engine="tgmconv")
    if len(tree.children) < 1:
        fail("the tree of a file with groups has none")


def check_errors():
    for arguments, expected in [
        (dict(filename_or_obj=fixtures / "none.grib2"), tgmconv.TgmconvError),
        (dict(filename_or_obj=fixtures / "grib/2t.grib2", indexpath="{path}.idx"), tgmconv.UsageError),
        (dict(filename_or_obj=fixtures / "grib/2t.grib2", extra_coords={"number": "time"}), tgmconv.UsageError),
        (dict(filename_or_obj=fixtures / "grib/2t.grib2", where="level=2", filter_by_keys={"level": 2}), tgmconv.UsageError),
        (dict(filename_or_obj=fixtures / "grib/2t.grib2", where="level=77"), tgmconv.TgmconvError),
        (dict(filename_or_obj=fixtures / "grib/2t.grib2", group="none"), tgmconv.UsageError),
    ]:
        try:
            xarray.open_dataset(engine="tgmconv", **arguments)
            fail(f"{arguments}: no error")
        except expected:
            pass


def check_arguments_of_cfgrib():
    """Arguments of cfgrib's engine that mean something are taken."""
    path = fixtures / "grib/cfgrib/era5-levels-members.grib"
    plain = xarray.open_dataset(path, engine="tgmconv", dtype="source", time="valid", where={"shortName": "t"}).load()
    theirs = xarray.open_dataset(
        path, engine="tgmconv", indexpath="", squeeze=True, errors="raise", values_dtype=np.float64, time_dims=["valid_time"],
        filter_by_keys={"shortName": "t"}, encode_cf=("parameter", "time", "geography", "vertical"))
    xarray.testing.assert_identical(plain, theirs.load())
    if "GRIB_gridType" in xarray.open_dataset(path, engine="tgmconv", ignore_keys=["gridType"])["t"].attrs:
        fail("an attribute that ignore_keys names is there")


def check_written_anew():
    """A file that was written anew is opened as it is now, while an older dataset of it is still open."""
    path = pathlib.Path("anew.grib2")
    path.write_bytes((fixtures / "grib/2t.grib2").read_bytes())
    old = xarray.open_dataset(path, engine="tgmconv")
    path.unlink()
    path.write_bytes((fixtures / "grib/lsm.grib2").read_bytes())
    new = xarray.open_dataset(path, engine="tgmconv")
    if "t2m" in new or "lsm" not in new or not np.isfinite(new["lsm"].values).all():
        fail(f"a file that was written anew has {list(new)}")
    try:
        old["t2m"].values
    except tgmconv.InputChangedError:
        pass  # or its values, if the system keeps the file that is open


if __name__ == "__main__":  # processes of dask import this file
    grib, netcdf = check_grib(), check_netcdf()
    check_indexing()
    check_pickle_and_dask()
    check_store()
    check_errors()
    check_arguments_of_cfgrib()
    check_written_anew()
    raised = check_kills(100)
    print(f"engine: {grib} variables as cfgrib has them, {netcdf} as netCDF4, 100 kills ({raised} exceptions), {len(failures)} differences")
    sys.exit(bool(failures))
