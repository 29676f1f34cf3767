"""Compares what tgmconv makes of stores of many writers with what xarray reads in them.

    .interop/venv/bin/python interop/zarr/check_writers.py [WRITER ...]

Writers are zarr-python 2.18, tensorstore, zarrita, GDAL and the netCDF library, each in the environment that interop/setup.sh made
for it; one that is not there is named and left out. Every store is served and opened with xarray.open_zarr, and converted to
Tensogram and back with to-zarr: both must be identical to xarray.open_zarr of the store. Of stores of the netCDF library,
to-netcdf must give what the library's nccopy gives.
"""
import json
import os
import subprocess
import sys
import tempfile
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "../..")
INTEROP = os.path.join(ROOT, ".interop")


def values(np, dtype, shape):
    """Numbers of a type that are easy to tell apart, with missing and extreme ones."""
    d, n = np.dtype(dtype), int(np.prod(shape))
    a = np.arange(n) * 7 % 101
    if d.kind == "f":
        a = a / 8
        a[:: max(n // 5, 1)] = np.nan
    if d.kind == "c":
        a = a / 4 + 1j * a
    if d.kind in "SU":
        a = [f"t{i % 13}" for i in range(n)]
    return np.asarray(a).astype(d).reshape(shape)


def write_zarr2(folder):
    """All compressors and filters, orders, fill values and separators that zarr-python 2 has."""
    import numcodecs
    import numpy as np
    import zarr

    def create(group, name, data, dims, **options):
        a = group.create_dataset(name, data=data, overwrite=True, **options)
        a.attrs.update({"_ARRAY_DIMENSIONS": dims, "units": "K", "numbers": [1, 2.5], "valid": 3, "nested": {"a": [None, True]}})

    for consolidated in False, True:
        path = f"{folder}/zarr2-{'consolidated' if consolidated else 'plain'}.zarr"
        root = zarr.open_group(path, mode="w")
        root.attrs.update(title="written by zarr-python 2", history="none")
        types = ["i1", "u1", "<i2", ">i2", "<u2", "<i4", ">i4", "<u4", "<i8", "<u8", "<f2", "<f4", ">f4", "<f8", ">f8", "?", "<c8", "<c16", "|S5", "<U4"]
        for t in types:
            data = values(np, t, (6, 10))
            # xarray makes whatever is the fill value missing, also false, empty texts, and complex numbers; tgmconv only other numbers.
            fill = {"fill_value": None} if np.dtype(t).kind in "bcSU" else {}
            create(root, "type_" + np.dtype(t).str.strip("<>|") + ("_big" if t[0] == ">" else ""), data, ["y", "x"], chunks=(4, 3), **fill)
        shuffles = [(c, s) for c in ("blosclz", "lz4", "lz4hc", "zlib", "zstd") for s in (0, 1, 2)]
        compressors = {f"blosc_{c}_{s}": numcodecs.Blosc(c, 5, s) for c, s in shuffles}
        compressors |= {c: getattr(numcodecs, c)() for c in ("Zlib", "GZip", "BZ2", "LZMA", "LZ4", "Zstd")} | {"none": None}
        for name, c in compressors.items():
            create(root, "codec_" + name, values(np, "<f4", (9, 20)), ["t", "s"], chunks=(5, 20), compressor=c, fill_value=-9999.0)
        for name, f in {
            "delta": [numcodecs.Delta("<i4")], "shuffle": [numcodecs.Shuffle(4)], "astype": [numcodecs.AsType("<i8", "<i4")],
            "crc": [numcodecs.CRC32()], "adler": [numcodecs.Adler32()], "fletcher": [numcodecs.Fletcher32()], "two": [numcodecs.Delta("<i4"), numcodecs.Shuffle(4)],
        }.items():
            create(root, "filter_" + name, values(np, "<i4", (30,)), ["f"], chunks=(7,), filters=f, fill_value=None)
        create(root, "filter_scale", np.round(values(np, "<f8", (30,)), 2)[1:6], ["five"], filters=[numcodecs.FixedScaleOffset(0, 100, "<f8", "<i4")], fill_value=None)
        create(root, "filter_quantize", values(np, "<f8", (30,)), ["f"], filters=[numcodecs.Quantize(2, "<f8")], fill_value=np.nan)
        create(root, "filter_bits", values(np, "?", (30,)), ["f"], filters=[numcodecs.PackBits()], fill_value=None)
        sub = root.create_group("sub/deep")
        create(sub, "order_f", values(np, "<i4", (6, 10)), ["y", "x"], chunks=(4, 3), order="F", dimension_separator="/")
        partly = sub.create_dataset("partly", shape=(20, 4), chunks=(5, 4), dtype="<i2", fill_value=7)
        partly.attrs["_ARRAY_DIMENSIONS"] = ["p", "q"]
        partly[5:9] = 3
        for name, fill in {"nan": np.nan, "inf": -np.inf, "zero": 0.0}.items():
            a = sub.create_dataset("fill_" + name, shape=(4,), chunks=(2,), dtype="<f8", fill_value=fill)
            a.attrs["_ARRAY_DIMENSIONS"] = ["four"]
            a[:2] = 1
        text = sub.create_dataset("text", shape=(5,), chunks=(2,), dtype=object, object_codec=numcodecs.VLenUTF8(), fill_value="")
        text.attrs["_ARRAY_DIMENSIONS"] = ["five"]
        text[:3] = np.array(["a", "", "dé"], dtype=object)
        if consolidated:
            zarr.consolidate_metadata(path)
        yield path, ["", "sub/deep"]


def write_tensorstore(folder):
    """Both drivers, with shards, orders and codecs. It writes arrays; the groups around them are made here."""
    import numpy as np
    import tensorstore as ts

    path = f"{folder}/tensorstore-v2.zarr"
    os.makedirs(path)
    json.dump({"zarr_format": 2}, open(f"{path}/.zgroup", "w"))
    for name, dtype, more in [
        ("plain", "<f4", {"compressor": None}), ("blosc", "<i2", {"compressor": {"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": -1, "blocksize": 0}}),
        ("zlib", ">f8", {"compressor": {"id": "zlib", "level": 4}}), ("zstd", "<u4", {"compressor": {"id": "zstd", "level": 3}}),
        ("bz2", "|i1", {"compressor": {"id": "bz2", "level": 1}}), ("slash", "<i8", {"dimension_separator": "/"}), ("order_f", "<f4", {"order": "F", "fill_value": "NaN"}),
        ("filled", "<i4", {"fill_value": -1}), ("boolean", "|b1", {}), ("complex", "<c8", {}),
    ]:
        data = values(np, dtype, (11, 9))
        spec = {"driver": "zarr", "kvstore": {"driver": "file", "path": f"{path}/{name}/"}, "create": True,
                "metadata": {"shape": [11, 9], "chunks": [4, 5], "dtype": dtype, **more}}
        ts.open(spec).result()[0:7].write(data[0:7]).result()
        json.dump({"_ARRAY_DIMENSIONS": ["y", "x"]}, open(f"{path}/{name}/.zattrs", "w"))
    yield path, [""]
    path = f"{folder}/tensorstore-v3.zarr"
    os.makedirs(path)
    json.dump({"zarr_format": 3, "node_type": "group", "attributes": {"title": "tensorstore"}}, open(f"{path}/zarr.json", "w"))
    little, big = ({"name": "bytes", "configuration": {"endian": e}} for e in ("little", "big"))
    blosc = {"name": "blosc", "configuration": {"cname": "zstd", "clevel": 3, "shuffle": "bitshuffle"}}
    gzip, zstd, crc = {"name": "gzip", "configuration": {"level": 3}}, {"name": "zstd", "configuration": {"level": 2}}, {"name": "crc32c"}
    transpose = {"name": "transpose", "configuration": {"order": [1, 0]}}

    def shards(*codecs, at="end"):
        return {"name": "sharding_indexed", "configuration": {"chunk_shape": [2, 3], "codecs": codecs, "index_codecs": [little, crc], "index_location": at}}

    for name, dtype, codecs in [
        ("plain", "float32", [little]), ("big", "int16", [big]), ("gzip", "uint16", [little, gzip]), ("zstd", "float64", [little, zstd]), ("blosc", "int64", [little, blosc]),
        ("turned", "float32", [transpose, little, zstd, crc]), ("shards", "int32", [shards(little, zstd)]), ("at_start", "float64", [shards(big, gzip, at="start")]),
        ("turned_shards", "uint8", [shards(transpose, {"name": "bytes"}, crc)]), ("boolean", "bool", [{"name": "bytes"}]), ("complex", "complex128", [little]),
    ]:
        data = values(np, dtype, (11, 9))
        spec = {"driver": "zarr3", "kvstore": {"driver": "file", "path": f"{path}/{name}/"}, "create": True,
                "metadata": {"shape": [11, 9], "data_type": dtype, "dimension_names": ["y", "x"], "codecs": codecs, "attributes": {"units": "m"},
                             "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4, 6]}}, "chunk_key_encoding": {"name": "default"}}}
        ts.open(spec).result()[0:7].write(data[0:7]).result()
    yield path, [""]


def write_gdal(folder):
    """Rasters of both formats with a reference system."""
    import numpy as np
    import rasterio
    from rasterio.transform import from_origin

    for fmt, more in ("ZARR_V2", {}), ("ZARR_V2", {"COMPRESS": "BLOSC"}), ("ZARR_V2", {"COMPRESS": "ZLIB", "FILTER": "delta"}), ("ZARR_V3", {}), ("ZARR_V3", {"COMPRESS": "GZIP"}):
        path = f"{folder}/gdal-{fmt}-{'-'.join(more.values()) or 'plain'}.zarr".lower()
        kinds = {"dtype": "int16"} if "FILTER" in more else {"dtype": "float32", "nodata": -9999.0}
        with rasterio.open(path, "w", driver="Zarr", width=20, height=12, count=1, crs="EPSG:32632", transform=from_origin(5e5, 6e6, 1000, 1000), FORMAT=fmt, **kinds, **more) as d:
            a = values(np, kinds["dtype"], (12, 20))
            d.write(np.nan_to_num(a, nan=-9999).astype(kinds["dtype"]), 1)
        yield path, [""]


def write_nczarr(folder):
    """Files of this repository, as the library copies them."""
    import glob

    for path in sorted(glob.glob(os.path.join(ROOT, "fixtures/netcdf/*.nc")) + glob.glob(os.path.join(ROOT, "fixtures/netcdf/made/*.nc"))):
        store = f"{folder}/nczarr-{os.path.basename(path)}.zarr"
        done = subprocess.run(["nccopy", path, f"file://{store}#mode=nczarr,file"], capture_output=True, timeout=60)
        if done.returncode == 0 and os.path.exists(f"{store}/.zgroup"):  # not types that Zarr has not
            yield store, [""]


WRITERS = {"zarr2": "venvzarr2", "tensorstore": "venvzarr", "gdal": "venvgdal", "nczarr": "venv", "zarrita": "node"}


def written(writer, folder):
    """The stores of a writer with their groups; None if it is not there."""
    place = os.path.join(INTEROP, WRITERS[writer])
    if writer == "zarrita":
        command = ["node", os.path.join(HERE, "write_zarrita.mjs"), os.path.join(place, "node_modules"), folder]
        there = os.path.exists(f"{place}/node_modules/zarrita")
    else:
        command = [f"{place}/bin/python", __file__, "--write", writer, folder]
        there = os.path.exists(command[0]) and (writer != "nczarr" or subprocess.run(["which", "nccopy"], capture_output=True).returncode == 0)
    if not there:
        return None
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{writer}: {done.stderr[-2000:]}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]


def opened(xr, path, group):
    warnings.simplefilter("ignore")
    kind = 3 if os.path.exists(f"{path}/zarr.json") else 2
    return xr.open_zarr(path, group=group or None, zarr_format=kind, consolidated=None if os.path.exists(f"{path}/.zmetadata") else False).load()


def differs(xr, want, got):
    """The differences of two datasets, "" if none."""
    try:
        xr.testing.assert_identical(want, got)
        return ""
    except AssertionError as e:
        return str(e)


def check(xr, served, tgmconv, writer, path, groups, folder):
    wrong = []
    tgm, back = f"{folder}/a.tgm", f"{folder}/back.zarr"
    subprocess.run(["rm", "-rf", back], check=True)
    converted = subprocess.run([tgmconv, "convert", "-q", "-o", tgm, path], capture_output=True, text=True)
    if converted.returncode == 0:
        converted = subprocess.run([tgmconv, "to-zarr", "-q", "-o", back, tgm], capture_output=True, text=True)
    if converted.returncode:
        wrong.append(converted.stderr.strip()[-300:])
    with served(tgmconv, path) as address:
        for group in groups:
            try:
                want = opened(xr, path, group)
            except Exception as e:
                print(f"{os.path.basename(path)}: xarray: {str(e)[:150]}")
                continue
            wrong += [f"{group or '/'}: served: {d}" for d in [differs(xr, want, xr.open_zarr(address, group=group or None).load())] if d]
            if not converted.returncode:
                wrong += [f"{group or '/'}: to-zarr: {d}" for d in [differs(xr, want, xr.open_zarr(back, group=group or None).load())] if d]
    return wrong


def check_copy(xr, tgmconv, path, folder):
    """Compares to-netcdf with the library's own way out of its store."""
    ours, theirs = f"{folder}/ours.nc", f"{folder}/theirs.nc"
    subprocess.run(["rm", "-f", ours, theirs], check=True)
    if subprocess.run(["nccopy", "-4", f"file://{path}#mode=nczarr,file", theirs], capture_output=True).returncode:
        return []  # arrays that the library itself cannot read: release 4.9.0 crashes with some
    done = subprocess.run([tgmconv, "to-netcdf", "-q", "--force", "-o", ours, path], capture_output=True, text=True)
    if done.returncode:
        return [done.stderr.strip()[-300:]]
    both = [xr.open_dataset(p, decode_cf=False).load() for p in (theirs, ours)]
    return [f"to-netcdf: {d}" for d in [differs(xr, *both)] if d]


def main(writers):
    import xarray as xr

    sys.path.insert(0, HERE)
    from served import command, served

    stores = failed = there = 0
    with command() as tgmconv, tempfile.TemporaryDirectory() as folder:
        for writer in writers:
            paths = written(writer, folder)
            if paths is None:
                print(f"{writer} is not installed")
                continue
            there += 1
            for path, groups in paths:
                stores += 1
                wrong = check(xr, served, tgmconv, writer, path, groups, folder)
                if writer == "nczarr":
                    wrong += check_copy(xr, tgmconv, path, folder)
                failed += bool(wrong)
                for w in wrong:
                    print(f"{os.path.basename(path)}: {w[:1500]}")
            print(f"{writer}: {len(paths)} stores", flush=True)
    print(f"{stores} stores, {failed} differ")
    return 77 if not there else failed > 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write"]:
        for path, groups in globals()["write_" + sys.argv[2]](sys.argv[3]):
            print(json.dumps([path, groups]))
    else:
        sys.exit(main(sys.argv[1:] or list(WRITERS)))
