"""Runs the tests that cfgrib has of its engine of xarray against the engine tgmconv.

    python check_cfgrib.py

A test that fails with cfgrib's engine too, as some do with a newer xarray, says nothing. Others that may fail are listed with the reason.
"""

import importlib.util
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile

from check_engine import install

here = pathlib.Path(__file__).resolve().parent
top = here.parents[1]
source = top / ".interop/corpus/sources/cfgrib-0.9.15.1/tests"
FILES = ["test_40_xarray_store.py", "test_40_xarray_to_grib_regular_ll.py", "test_50_datamodels.py", "test_50_sample_data.py",
         "test_50_xarray_getitem.py", "test_50_xarray_plugin.py"]

# Functions of tests, and why they fail.
MAY_FAIL = {
    "test_xr_open_dataset_dict": "an input that is no file",
    "test_xr_open_dataset_dict_ignore_keys": "an input that is no file",
    "test_xr_open_dataset_list": "an input that is no file",
    "test_xr_open_dataset_list_ignore_keys": "an input that is no file",
    "test_xr_open_dataset_coords_to_attributes": "coords_as_attributes= is an error",
    "test_open_dataset_extra_coords": "extra_coords= is an error",
    "test_open_dataset_extra_coords_attrs": "extra_coords= is an error",
    "test_open_dataset_encode_cf_time": "encode_cf= with less than all is an error",
    "test_open_dataset_encode_cf_vertical": "encode_cf= with less than all is an error",
    "test_open_dataset_encode_cf_geography": "encode_cf= with less than all is an error",
    "test_open_dataset": "several grids or types of level are no error",
    "test_open_dataset_fail": "several grids or types of level are no error",
    "test_open_dataset_corrupted": "an error is a TgmconvError, not ecCodes' GribInternalError",
    "test_open_datasets": "cfgrib divides by opening with squeeze=False; a dataset has all variables here",
    "test_open_datasets_different_step_types": "cfgrib divides by opening with squeeze=False; a dataset has all variables here",
    "test_open_datasets_different_step_types_zeros": "cfgrib divides by opening with squeeze=False; a dataset has all variables here",
    "test_open_datasets_different_preserve_coordinate_encoding": "cfgrib divides by opening with squeeze=False; a dataset has all variables here",
    "test_alternating_scanning_mercator": "rows that alternate are rows here, one long row in cfgrib",
    "test_cds": "a coordinate more: crs, the CF grid mapping",
    "test_ecmwf": "a coordinate more: crs, the CF grid mapping",
}

PATCH = """
import cfgrib, xarray
from cfgrib import xarray_store

def open_dataset(path, engine="tgmconv", backend_kwargs={}, **options):
    return xarray.open_dataset(path, engine=engine, **backend_kwargs, **options)

xarray_store.open_dataset = cfgrib.open_dataset = open_dataset
"""


def failed(python, folder):
    """The names of the tests that fail, and how many pass."""
    done = subprocess.run([python, "-W", "ignore", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=line", *FILES],
                          cwd=folder, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"pytest ended with {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    passed = re.search(r"(\d+) passed", done.stdout)
    return set(re.findall(r"^FAILED \S+::(\S+)", done.stdout, re.M)), int(passed[1]) if passed else 0


def main():
    if sysconfig.get_platform() != "linux-x86_64" or not source.is_dir() or not importlib.util.find_spec("pytest"):
        sys.exit(77)
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        python = install(scratch)
        for name in ("theirs", "ours"):
            shutil.copytree(source, scratch / name)
        theirs, _ = failed(python, scratch / "theirs")
        for name in FILES:
            path = scratch / "ours" / name
            path.write_text(path.read_text().replace('engine="cfgrib"', 'engine="tgmconv"'))
        (scratch / "ours" / "conftest.py").write_text(PATCH)
        ours, passed = failed(python, scratch / "ours")
    new = {name for name in ours - theirs if name.partition("[")[0] not in MAY_FAIL}
    for name in sorted(new):
        print(f"{name}: fails, which it does not with cfgrib's engine")
    for name in sorted(MAY_FAIL.keys() - {name.partition("[")[0] for name in ours}):
        print(f"{name}: passes, although it is listed as one that may fail")
    print(f"cfgrib's tests: {passed} pass, {len(ours & theirs)} fail with cfgrib's engine too, {len(ours - theirs - new)} for reasons that are listed, {len(new)} for others")
    sys.exit(bool(new) or passed < 30)


if __name__ == "__main__":
    main()
