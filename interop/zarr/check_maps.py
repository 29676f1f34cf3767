"""Compares the maps that viewers draw with numpy's means and with the fields, as xarray reads both.

    python check_maps.py [TGMCONV]

The finest level of a field on a regular grid has its values; each other level is the mean of two by two cells of the one before,
without missing ones (numpy.nanmean). Each level says where its cells lie by the conventions proj:, spatial: and multiscales, and
by coordinates; both must agree.
"""

import contextlib
import json
import os
import re
import sys
import tempfile
import urllib.request
import warnings

import numpy as np
import xarray as xr

import served

# Files, and whether their grids are regular.
SOURCES = [
    ("grib/gfs_2p50_f000.grib2", True),
    ("grib/2t.grib2", True),
    ("grib/q_150.grib2", False),
    ("grib/lsm.grib2", True),
    ("grib/cfgrib/fields_with_missing_values.grib", True),
    ("grib/cfgrib/reduced_gg.grib", False),
    ("grib/cfgrib/lambert_grid.grib", False),
    ("grib/earthkit/O32_global.grib2", False),
    ("made", True),
]
MOST = 12  # fields of a file


def make(path):
    """A field of many tiles with missing points, packed, along a time, south up."""
    values = np.random.default_rng(1).normal(280, 20, (2, 700, 900))
    values[:, 100:333, 250:261] = np.nan
    values[1, ::2, ::2] = np.nan
    made = xr.Dataset({"t": (("time", "lat", "lon"), values, {"units": "K"})}, {
        "time": np.array(["2026-01-01", "2026-01-02"], "datetime64[ns]"),
        "lat": ("lat", np.linspace(-35, 34.9, 700), {"units": "degrees_north"}),
        "lon": ("lon", np.linspace(-45, 44.9, 900), {"units": "degrees_east"}),
    })
    made.to_netcdf(path, encoding={"t": {"dtype": "i2", "scale_factor": 0.01, "add_offset": 280, "_FillValue": -32768, "zlib": True, "chunksizes": (1, 300, 400)}})


def halved(a):
    rows, cols = a.shape
    padded = np.full((rows + rows % 2, cols + cols % 2), np.nan)
    padded[:rows, :cols] = a
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.nanmean(padded.reshape(padded.shape[0] // 2, 2, -1, 2), axis=(1, 3))


def check(url, regular):
    page = urllib.request.urlopen(urllib.request.Request(url + "/index.html")).read().decode()
    maps = url + "/" + re.search(r'data-maps="(@[0-9a-f]+)"', page).group(1)
    fields = [f for f in json.load(urllib.request.urlopen(maps + "/@fields.json"))["fields"] if "why" not in f]
    compared = finite = 0
    for f in fields[:MOST]:
        group = maps + "/@map/" + f["path"]
        name = f["path"].split("/")[-1]
        attributes = json.load(urllib.request.urlopen(group + "/zarr.json"))["attributes"]
        assert {c["uuid"][:8] for c in attributes["zarr_conventions"]} == {"d35379db", "f17cb550", "689b58e2"}, attributes
        before = None
        for entry in attributes["multiscales"]["layout"]:
            level = xr.open_zarr(f"{maps}/@map", group=f"{f['path']}/{entry['asset']}")
            a = level[name]
            lead = {d: a.sizes[d] - 1 for d in a.dims[:-2]}
            values = a.isel(lead).values
            dlon, _, west, _, dlat, north = entry["spatial:transform"]
            assert list(values.shape) == entry["spatial:shape"], (values.shape, entry)
            np.testing.assert_allclose(level.longitude, west + (np.arange(values.shape[1]) + 0.5) * dlon, rtol=0, atol=1e-9)
            np.testing.assert_allclose(level.latitude, north + (np.arange(values.shape[0]) + 0.5) * dlat, rtol=0, atol=1e-9)
            if before is None:
                finite += int(np.isfinite(values).sum())
                if regular:
                    path = f["path"].split("/")
                    source = xr.open_zarr(url, group="/".join(path[:-1]) or None)[name].isel(lead)
                    dims = source.dims
                    source = source.sortby(dims[0], ascending=False).sortby(dims[1]).values.astype("f4")
                    np.testing.assert_array_equal(values, source[:, : values.shape[1]])
            else:
                assert entry["transform"]["scale"] == [2, 2], entry
                np.testing.assert_allclose(values, halved(before), rtol=1e-6)
            before = values.astype("f8")
            compared += 1
        for dim in lead:
            np.testing.assert_array_equal(level[dim], xr.open_zarr(url, group="/".join(f["path"].split("/")[:-1]) or None)[dim])
    assert finite > 0, "all values are missing"
    return compared


def main():
    failed = compared = 0
    with tempfile.TemporaryDirectory() as folder, served.command() if len(sys.argv) < 2 else contextlib.nullcontext(sys.argv[1]) as tgmconv:
        for source, regular in SOURCES:
            path = os.path.join(served.ROOT, "fixtures", source)
            if source == "made":
                path = os.path.join(folder, "made.nc")
                make(path)
            for codec in ("none", "blosc"):
                try:
                    with served.served(tgmconv, "--codec", codec, path) as url:
                        n = check(url, regular)
                        assert n > 0, "there are no maps"
                        compared += n
                except Exception as err:
                    print(f"{source}, --codec {codec}: {type(err).__name__}: {str(err)[:600]}")
                    failed += 1
    print(f"{compared} levels are as numpy has them" if not failed else f"{failed} files differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
