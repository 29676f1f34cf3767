"""Compares what xarray reads through the references of `tgmconv refs` with what it reads from the source.

    python check_refs.py [TGMCONV]

Each source is read through kerchunk's JSON, its Parquet files with both of pandas' readers, and VirtualiZarr's manifests; JSON
and Parquet also with VirtualiZarr's parsers. A file that is made here has groups, compression and fill values of many types.
tgmconv reads all of these as a source, and so it does references that kerchunk makes of HDF5, classic netCDF and GRIB files.
It runs itself again in the environment that has kerchunk and VirtualiZarr, and is skipped without.
"""

import glob
import importlib.util
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
    from fsspec.implementations.reference import LazyReferenceMapper

    refs = LazyReferenceMapper(path, fs=fsspec.filesystem("file"), engine=engine)
    return xarray.open_dataset(reference_store(refs), engine="zarr", consolidated=False, zarr_format=2).load()


def reference_store(refs):
    """A store of fsspec's references: from a JSON file, or lazy references."""
    import fsspec
    import zarr
    from fsspec.implementations.asyn_wrapper import AsyncFileSystemWrapper
    from fsspec.implementations.reference import ReferenceFileSystem

    local = AsyncFileSystemWrapper(fsspec.filesystem("file"), asynchronous=True)
    files = ReferenceFileSystem(fo=refs, remote_protocol="file", asynchronous=True, fs={"file": local}, skip_instance_cache=True)
    return zarr.storage.FsspecStore(files, read_only=True, path="")


def from_virtualizarr(path, group=None):
    """The arrays that VirtualiZarr's parsers read in kerchunk's JSON or Parquet files. Its store has no scalars."""
    import obstore.store
    import xarray
    from obspec_utils.registry import ObjectStoreRegistry
    from virtualizarr.parsers import KerchunkJSONParser, KerchunkParquetParser

    parser = KerchunkJSONParser if path.endswith(".json") else KerchunkParquetParser
    store = parser(group=group)(url=f"file://{path}", registry=ObjectStoreRegistry({"file://": obstore.store.LocalStore()}))
    found = xarray.open_zarr(store, consolidated=False, zarr_format=3)
    return found.drop_vars([name for name, v in found.variables.items() if not v.shape]).load()


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


def make(path):
    """A netCDF-4 file with features that other sources lack: groups, missing chunks, fill values of integers and floats."""
    import netCDF4
    import numpy

    with netCDF4.Dataset(path, "w") as root:
        for group in root, root.createGroup("a"), root.createGroup("b"):
            group.createDimension("y", 4)
            group.createDimension("x", 6)
            group.createVariable("x", "f8", ("x",))[:] = numpy.linspace(0, 1, 6) + len(group.path)
            options = {"chunksizes": (2, 3)}
            for name, dtype, fill, more in [
                ("plain", "f4", -999.0, {}), ("zlib", "i2", -5, {"zlib": True, "shuffle": False}), ("shuffled", "f8", numpy.inf, {"zlib": True}),
                ("zero", "f4", 0.0, {}), ("unsigned", "u8", 2**64 - 1, {"zlib": True}), ("zstd", "i4", 0, {"compression": "zstd"}),
                ("nan", "f8", numpy.nan, {"endian": "big"}), ("absent", "f4", 0.0, {}),
            ]:
                v = group.createVariable(name, dtype, ("y", "x"), fill_value=fill, **options, **more)
                if name != "absent":
                    v[2:] = numpy.arange(12).reshape(2, 6)  # VirtualiZarr fails where the last chunks are absent
                    v[2, 0] = fill


def check_groups(tgmconv, scratch):
    import xarray

    source, out = f"{scratch}/made.nc", f"{scratch}/made"
    make(source)
    subprocess.run([tgmconv, "refs", "-q", "-o", f"{out}.json", source], check=True)
    for group in None, "a", "b":
        original = xarray.open_dataset(source, group=group, engine="netcdf4").load()
        for through in xarray.open_zarr(reference_store(f"{out}.json"), group=group, consolidated=True, zarr_format=2).load(), from_virtualizarr(f"{out}.json", group):
            xarray.testing.assert_identical(through, original)
    xarray.testing.assert_identical(xarray.open_dataset(f"{out}.json", engine="kerchunk").load(), xarray.open_dataset(source, engine="netcdf4").load())


def check_catalogue(tgmconv, scratch):
    """References of the catalogue of an archive of three files, of which the last is new after the first catalogue."""
    import netCDF4
    import numpy
    import xarray

    folder = f"{scratch}/archive"
    os.makedirs(folder)
    for n in range(3):
        if n == 2:
            subprocess.run([tgmconv, "index", "-o", f"{folder}/all.parquet", folder], check=True, capture_output=True)
        with netCDF4.Dataset(f"{folder}/{n}.nc", "w") as root:
            root.createDimension("time", None)
            root.createDimension("x", 6)
            root.createVariable("time", "f8", ("time",))[:] = [n]
            root["time"].units = "days since 2020-01-01"
            root.createVariable("x", "f8", ("x",))[:] = numpy.arange(6)
            root.createVariable("t", "f4", ("time", "x"), zlib=True)[:] = numpy.arange(6).reshape(1, 6) + 10 * n
    subprocess.run([tgmconv, "index", "-o", f"{folder}/all.parquet", folder], check=True, capture_output=True)
    subprocess.run([tgmconv, "refs", "-q", "-o", f"{folder}/all.parq", f"{folder}/all.parquet"], check=True)
    original = xarray.concat([xarray.open_dataset(f"{folder}/{n}.nc", engine="netcdf4").load() for n in range(3)], "time", data_vars="minimal")
    for engine in ("fastparquet", "pyarrow"):
        same(from_parquet(f"{folder}/all.parq", engine), original, f"catalogue, {engine}")


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
    shaped = through.drop_vars([name for name, v in through.variables.items() if not v.shape])
    for path in f"{out}.json", f"{out}.parq":
        xarray.testing.assert_identical(shaped, from_virtualizarr(path))
    raw = xarray.open_dataset(fixtures / source, engine="netcdf4", mask_and_scale=False, decode_times=False).load()
    for name, values in from_manifests(f"{out}.manifests").items():
        numpy.testing.assert_array_equal(values, raw[name].values, err_msg=name)
    for form in "json", "parq", "manifests":
        same(read_back(tgmconv, f"{out}.{form}", fixtures, scratch), through, f"{source} read back of {form}")


# GRIB files of which kerchunk makes references, which need ecCodes of the other environment.
GRIB = ["2t.grib2", "gfs_2p50_f000.grib2", "cfgrib/lambert_grid.grib", "cfgrib/era5-levels-members.grib", "cfgrib/t_on_different_level_types.grib"]


def read_back(tgmconv, refs, folder, scratch, *more):
    """The output of tgmconv for references to files in a folder."""
    import xarray

    out = f"{scratch}/back.zarr"
    subprocess.run(["rm", "-rf", out], check=True)
    subprocess.run([tgmconv, "to-zarr", "-q", f"--external={folder}", "-o", out, *more, refs], check=True)
    return xarray.open_zarr(out).load()


def check_kerchunk(tgmconv, scratch):
    """References that kerchunk makes: JSON of version 1, with templates, and of version 0, and Parquet files."""
    import kerchunk.df
    import kerchunk.hdf
    import xarray

    have_scipy = importlib.util.find_spec("scipy") is not None
    for source in SOURCES:
        path = str(fixtures / source)
        classic = open(path, "rb").read(3) == b"CDF"
        if classic and not have_scipy:
            continue  # with which kerchunk reads classic files
        if classic:
            import kerchunk.netCDF3
        made = kerchunk.netCDF3.NetCDF3ToZarr(path).translate() if classic else kerchunk.hdf.SingleHdf5ToZarr(path, inline_threshold=0).translate()
        refs = made["refs"]
        shortened = {key: [v[0].replace(str(fixtures), "{{u}}"), *v[1:]] if isinstance(v, list) else v for key, v in refs.items()}
        forms = {"one": made, "zero": refs, "templates": {"version": 1, "templates": {"u": f"file://{fixtures}"}, "refs": shortened}}
        for name, form in forms.items():
            json.dump(form, open(f"{scratch}/{name}.json", "w"))
        want = xarray.open_dataset(f"{scratch}/one.json", engine="kerchunk").load()
        for name in forms:
            same(read_back(tgmconv, f"{scratch}/{name}.json", fixtures, scratch), want, f"{source} {name}")
        subprocess.run(["rm", "-rf", f"{scratch}/{source}.kerchunk.parq"], check=True)
        os.makedirs(f"{scratch}/{source}.kerchunk.parq")
        kerchunk.df.refs_to_dataframe(made, f"{scratch}/{source}.kerchunk.parq", record_size=7)
        same(read_back(tgmconv, f"{scratch}/{source}.kerchunk.parq", fixtures, scratch), want, f"{source} Parquet")


def check_kerchunk_grib(tgmconv, scratch):
    import kerchunk.grib2
    import xarray

    files = top / "fixtures" / "grib"
    messages = 0
    for name in GRIB:
        for refs in kerchunk.grib2.scan_grib(str(files / name), skip=4):
            json.dump(refs, open(f"{scratch}/grib.json", "w"))
            want = xarray.open_dataset(f"{scratch}/grib.json", engine="kerchunk").load()
            found = read_back(tgmconv, f"{scratch}/grib.json", files, scratch)
            for coordinate in "latitude", "longitude":
                if coordinate in want and want[coordinate].ndim == 2:
                    xarray.testing.assert_allclose(found[coordinate], want[coordinate], rtol=1e-12)
                    found, want = found.drop_vars(coordinate), want.drop_vars(coordinate)
            same(found, want, name)
            messages += 1
    assert messages >= 8, f"{messages} messages"


def check_stores(tgmconv, scratch):
    """References to the chunks of stores, also in shards and in ZIP archives, as kerchunk reads them."""
    import numpy
    import xarray
    import zarr.codecs
    import zarr.storage

    noise = numpy.random.default_rng(1)
    made = xarray.Dataset(
        {name: (("time", "y", "x"), noise.normal(size=(6, 50, 60)).astype(dtype)) for name, dtype in [("t", "f4"), ("w", "f8"), ("i", "i2")]},
        coords={"time": numpy.arange(6)},
    )
    chunks, shards = {"chunks": (2, 25, 30)}, {"shards": (4, 50, 60)}
    checked = {"compressors": (zarr.codecs.GzipCodec(), zarr.codecs.Crc32cCodec())}
    for number, (form, encoding) in enumerate([
        (3, {"t": chunks, "w": {**chunks, **shards}}), (3, {"t": {**chunks, **checked}, "w": {**chunks, "compressors": (zarr.codecs.BloscCodec(),)}}), (2, {"t": chunks}),
    ]):
        for zipped in False, True:
            path = f"{scratch}/store{number}.zarr" + ".zip" * zipped
            store = zarr.storage.ZipStore(path, mode="w") if zipped else path
            made.to_zarr(store, zarr_format=form, encoding=encoding, consolidated=form == 2)
            if zipped:
                store.close()
            refs = f"{scratch}/stores.json"
            report = subprocess.run([tgmconv, "refs", "--json", "-o", refs, path], check=True, capture_output=True, text=True)
            report = json.loads(report.stdout)
            assert not report["left_out"] and not report["inline"], report
            same(xarray.open_dataset(refs, engine="kerchunk").load(), made, path)
            same(read_back(tgmconv, refs, scratch, scratch), made, f"{path} read back")


def same(found, want, what):
    import xarray

    try:
        xarray.testing.assert_identical(found, want)
    except AssertionError as err:
        raise AssertionError(f"{what}: {str(err)[:600]}") from None


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
        checks = [(source, lambda source=source: check(tgmconv, source, scratch)) for source in SOURCES]
        checks.append(("a catalogue", lambda: check_catalogue(tgmconv, scratch)))
        checks.append(("a file with groups", lambda: check_groups(tgmconv, scratch)))
        sys.path += glob.glob(str(top / ".interop" / "venv" / "lib" / "python3*" / "site-packages"))  # ecCodes, cfgrib and SciPy
        checks.append(("stores", lambda: check_stores(tgmconv, scratch)))
        checks.append(("references by kerchunk", lambda: check_kerchunk(tgmconv, scratch)))
        checks.append(("references to GRIB by kerchunk", lambda: check_kerchunk_grib(tgmconv, scratch)))
        for source, run in checks:
            try:
                run()
            except Exception as err:  # any client may fail in any way
                print(f"{source}: {type(err).__name__}: {str(err)[:800]}")
                failures += 1
    print(f"interop: references to {len(checks)} sources: {failures} differences")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
