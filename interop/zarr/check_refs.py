"""Compares what xarray reads through the references of `tgmconv refs` with what it reads from the source.

    python check_refs.py [TGMCONV]

Each source is read through kerchunk's JSON, its Parquet files with both of pandas' readers, and VirtualiZarr's manifests.
It runs itself again in the environment that has kerchunk and VirtualiZarr, and is skipped without.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

here = pathlib.Path(__file__).resolve().parent
top = here.parents[1]
fixtures = top / "fixtures" / "netcdf"
clients = pathlib.Path(os.environ.get("ZARR_CLIENTS", top / ".interop" / "venvzarr")) / "bin" / "python"
warnings.simplefilter("ignore")

SOURCES = [
    "cf_temperature.nc",
    "cf_temperature_deflate.nc",
    "multi_dtype.nc",
    "nc3_classic.nc",
    "record_multi_dtype.nc",
    "sanity-classic.nc",
    "sanity-hdf5.nc",
    "tetration_cf_3d.nc",
    "unlimited_time.nc",
]


def from_parquet(path, engine):
    """A dataset through fsspec's lazy references."""
    import fsspec
    import xarray
    import zarr
    from fsspec.implementations.asyn_wrapper import AsyncFileSystemWrapper
    from fsspec.implementations.reference import LazyReferenceMapper, ReferenceFileSystem

    local = fsspec.filesystem("file")
    refs = LazyReferenceMapper(path, fs=local, engine=engine)
    files = ReferenceFileSystem(fo=refs, remote_protocol="file", asynchronous=True, fs={"file": AsyncFileSystemWrapper(local, asynchronous=True)})
    store = zarr.storage.FsspecStore(files, read_only=True, path="")
    return xarray.open_dataset(store, engine="zarr", consolidated=False, zarr_format=2).load()


def from_manifests(folder):
    """The arrays of a folder of manifests that have one, through VirtualiZarr's own store."""
    import obstore.store
    import zarr
    from obspec_utils.registry import ObjectStoreRegistry
    from virtualizarr.manifests import ChunkManifest, ManifestArray, ManifestGroup, ManifestStore
    from zarr.core.metadata.v3 import ArrayV3Metadata

    arrays = {}
    for path in pathlib.Path(folder).glob("*/manifest.json"):
        metadata = ArrayV3Metadata.from_dict(json.loads((path.parent / "zarr.json").read_text()))
        if not metadata.shape:
            continue  # ManifestStore 2.5.1 fails on the only chunk of a scalar
        manifest = ChunkManifest(entries=json.loads(path.read_text()))
        arrays[path.parent.name] = ManifestArray(metadata=metadata, chunkmanifest=manifest)
    registry = ObjectStoreRegistry({"file://": obstore.store.LocalStore()})
    group = zarr.open_group(ManifestStore(ManifestGroup(arrays=arrays), registry=registry), mode="r", zarr_format=3)
    return {name: group[name][...] for name in arrays}


def check(tgmconv, source, scratch):
    import numpy
    import xarray

    out = pathlib.Path(scratch, source)
    report = subprocess.run([tgmconv, "refs", "--json", "-o", f"{out}.json", fixtures / source], check=True, capture_output=True, text=True)
    left_out = {o["variable"] for o in json.loads(report.stdout)["left_out"]}
    subprocess.run([tgmconv, "refs", "-q", "-o", f"{out}.parq", fixtures / source], check=True)
    subprocess.run([tgmconv, "refs", "-q", "-o", f"{out}.manifests", fixtures / source], check=True)
    original = xarray.open_dataset(fixtures / source, engine="netcdf4").drop_vars(left_out, errors="ignore").load()
    through = xarray.open_dataset(f"{out}.json", engine="kerchunk").load()
    for name in original.variables:
        xarray.testing.assert_allclose(through[name].variable, original[name].variable, rtol=1e-6)
    for engine in ("fastparquet", "pyarrow"):
        xarray.testing.assert_identical(through, from_parquet(f"{out}.parq", engine))
    raw = xarray.open_dataset(fixtures / source, engine="netcdf4", mask_and_scale=False, decode_times=False).load()
    for name, values in from_manifests(f"{out}.manifests").items():
        numpy.testing.assert_array_equal(values, raw[name].values, err_msg=name)


def main():
    if not clients.exists():
        print("interop: kerchunk and VirtualiZarr are not installed (part zarr)")
        sys.exit(77)
    if pathlib.Path(sys.prefix).resolve() != clients.parent.parent.resolve() and "REFS_AGAIN" not in os.environ:
        os.environ["REFS_AGAIN"] = "1"
        os.execv(clients, [str(clients), *sys.argv])
    failures = 0
    with tempfile.TemporaryDirectory() as scratch:
        tgmconv = sys.argv[1] if len(sys.argv) > 1 else f"{scratch}/tgmconv"
        if len(sys.argv) < 2:
            subprocess.run(["go", "build", "-o", tgmconv, "./cmd/tgmconv"], cwd=top, check=True)
        for source in SOURCES:
            try:
                check(tgmconv, source, scratch)
            except Exception as err:  # any client may fail in any way
                print(f"{source}: {type(err).__name__}: {str(err)[:300]}")
                failures += 1
    print(f"interop: references to {len(SOURCES)} sources: {failures} differences")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
