"""Does with a fresh installation of the wheel what a new user would, with numpy and xarray alone.

    python fresh.py FIXTURES

It prints what was read, which is the same for every Python.
"""

import hashlib
import pathlib
import pickle
import sys
import tempfile
import threading

import numpy as np
import xarray

import tgmconv

fixtures = pathlib.Path(sys.argv[1])
grib = fixtures / "grib/cfgrib/era5-levels-members.grib"
digest = hashlib.sha256()


def note(values):
    digest.update(np.ascontiguousarray(values).tobytes())


ds = xarray.open_dataset(grib, engine="tgmconv")
note(ds["t"].values)
note(ds.sel(isobaricInhPa=500, latitude=slice(60, 30))["z"].values)
note(pickle.loads(pickle.dumps(ds))["t"][3, 2].values)
parts = [None] * 8
threads = [threading.Thread(target=lambda i=i: parts.__setitem__(i, ds["t"][i].values)) for i in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
note(parts)
with tempfile.TemporaryDirectory() as folder:
    tgmconv.convert(grib, f"{folder}/members.tgm", where={"shortName": "t"})
    with xarray.open_dataset(f"{folder}/members.tgm", engine="tgmconv") as converted:
        note(converted["t"].values)
    tgmconv.convert(grib, f"{folder}/members.nc")
    with xarray.open_dataset(f"{folder}/members.nc", engine="tgmconv") as back:
        note(back["t"].values)
note(xarray.open_datatree(fixtures / "netcdf/tetration_groups_3d.nc", engine="tgmconv").nbytes)
try:
    xarray.open_dataset(fixtures / "none.grib2", engine="tgmconv")
except tgmconv.TgmconvError as err:
    note(np.array([type(err).__name__]))
print(tgmconv.version(), digest.hexdigest())
