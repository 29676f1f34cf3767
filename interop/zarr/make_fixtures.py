"""Writes fixtures/zarr: small stores with an array for each codec and each data type, as ZIP archives, and the digests of their arrays.

    python make_fixtures.py [FOLDER]

The codecs and zarr-python are those of .interop/venv; the digests are what they read (see digest in random_stores.py). zfpy.zip needs a
Python with zfpy and without zarr: ZFPY names it.
"""

import json
import os
import random
import shutil
import subprocess
import sys
import zipfile

import numcodecs as n
import numpy as np
import random_stores as s
import zarr
from zarr.codecs import BloscCodec, BytesCodec, Crc32cCodec, GzipCodec, ShardingCodec, TransposeCodec, ZstdCodec
from zarr.codecs import numcodecs as more

OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "fixtures", "zarr")
f8, i4 = "<f8", "<i4"
FORMAT2 = {  # name: data type, filters, compressor
    **{f"compressor_{c.codec_id}": (f8, [], c) for c in [n.Zlib(1), n.GZip(1), n.BZ2(1), n.LZMA(preset=0), n.LZ4(), n.Zstd(1)]},
    "compressor_lzma_alone": (f8, [], n.LZMA(format=2, preset=0)),
    **{f"blosc_{c}_{k}": (i4, [], n.Blosc(cname=c, shuffle=k)) for c in s.CNAMES for k in (0, 1, 2)},
    "blosc_auto": ("|u1", [], n.Blosc(shuffle=-1)),
    **{f"type_{t.strip('<>|')}_{'big' if t[0] == '>' else 'little'}": (t, [], None) for t in [*(o + k for o in "<>" for k in [*s.INTEGERS[2:], *s.FLOATS, "c8", "c16", "U3", "M8[ns]", "m8[10s]"]), "|i1", "|u1", "|b1", "|S4", "|V3"]},
    **{f"type_struct{i}": (t, [], n.Zlib(1)) for i, t in enumerate(s.STRUCTS)},
    **{f"objects_{o.codec_id}": ("|O", [o], n.Zlib(1)) for o in [n.VLenUTF8(), n.VLenBytes(), n.VLenArray("<i4"), n.JSON(), n.Categorize(s.WORDS[1:], dtype=object)]},
    "categories": ("<U3", [n.Categorize(["a", "bc"], dtype="<U3", astype=">u2")], None),
    "delta": (i4, [n.Delta(i4)], n.Zlib(1)), "delta_float": (">f4", [n.Delta(">f4")], None), "delta_wide": ("|u1", [n.Delta("|u1", ">i8")], None),
    "fixedscaleoffset": (f8, [n.FixedScaleOffset(1.5, 10, f8, "<i2")], None), "fixedscaleoffset_float": ("<f4", [n.FixedScaleOffset(1.5, 3, "<f4", "<f4")], None),
    "quantize": (f8, [n.Quantize(2, f8, "<f4")], None), "astype": (f8, [n.AsType(">f4", f8)], None), "bitround": ("<f4", [n.BitRound(5)], n.Zlib(1)),
    "shuffle": (f8, [n.Shuffle(8)], n.Zlib(1)), "packbits": ("|b1", [n.PackBits()], None),
    **{f"checksum_{c.codec_id}": (i4, [c], None) for c in [n.CRC32(), n.CRC32C(), n.Adler32(), n.Fletcher32(), n.JenkinsLookup3(7)]},
    "checksum_crc32_end": (i4, [n.CRC32(location="end")], None),
}  # fmt: skip

little, big = BytesCodec(endian="little"), BytesCodec(endian="big")
inner = ShardingCodec(chunk_shape=(1, 3), codecs=[big, Crc32cCodec()], index_location="start")
FORMAT3 = {  # name: data type, options of create_array
    **{f"type_{t}": ("<" + t, {}) for t in [*s.INTEGERS, *s.FLOATS, "b1", "c8", "c16", "S4", "U3", "V3", "M8[ns]", "m8[10s]"]},
    "type_structured": (s.STRUCTS[0], {}), "texts": (str, {}), "texts_in_shards": (str, {"shards": (4, 6)}), "big": (i4, {"serializer": big}),
    "gzip": (f8, {"compressors": [GzipCodec(level=1)]}), "zstd": (f8, {"compressors": [ZstdCodec(checksum=True)]}), "crc32c": (f8, {"compressors": [ZstdCodec(), Crc32cCodec()]}),
    **{f"blosc_{c}_{k}": (i4, {"compressors": [BloscCodec(cname=c, shuffle=k)]}) for c in ("lz4", "zstd") for k in ("noshuffle", "shuffle", "bitshuffle")},
    "transpose": (i4, {"filters": [TransposeCodec(order=(1, 0))]}), "shards": (f8, {"shards": (4, 6), "compressors": [ZstdCodec()]}),
    "shards_in_shards": (i4, {"chunks": (4, 6), "serializer": ShardingCodec(chunk_shape=(2, 3), codecs=[inner]), "compressors": None}),
    "shards_transposed": (i4, {"chunks": (4, 6), "serializer": ShardingCodec(chunk_shape=(2, 3), codecs=[TransposeCodec(order=(1, 0)), little]), "compressors": None}),
    **{f"numcodecs_{c.codec_name[10:]}": (i4, {"compressors": [c]}) for c in [more.LZ4(), more.Zstd(level=1), more.Zlib(level=1), more.GZip(level=1), more.BZ2(level=1), more.LZMA(preset=0), more.Blosc(cname="lz4", shuffle=1), more.Shuffle(elementsize=4), more.CRC32(), more.CRC32C(), more.Adler32(), more.Fletcher32(), more.JenkinsLookup3(initval=3)]},
    "numcodecs_delta": (i4, {"filters": [more.Delta(dtype=i4)]}), "numcodecs_astype": (i4, {"filters": [more.AsType(encode_dtype="<i8", decode_dtype=i4)]}),
    "numcodecs_fixedscaleoffset": (f8, {"filters": [more.FixedScaleOffset(offset=1, scale=10, dtype=f8, astype="<i2")]}), "numcodecs_quantize": (f8, {"filters": [more.Quantize(digits=2, dtype=f8)]}),
    "numcodecs_bitround": (f8, {"filters": [more.BitRound(keepbits=5)]}), "numcodecs_packbits": ("|b1", {"filters": [more.PackBits()]}),
}  # fmt: skip

ZFPY = """
import sys, numpy as np, zfpy
a = np.cumsum(np.random.default_rng(1).normal(size=(5, 6)), 1)
for name, t, how in [("f8", "f8", {"tolerance": 1e-3}), ("f4", "f4", {"rate": 16}), ("i4", "i4", {}), ("f8_precision", "f8", {"precision": 20})]:
    stored = zfpy.compress_numpy((a * 100).astype(t), write_header=True, **how)
    open(f"{sys.argv[1]}/{name}", "wb").write(stored); np.save(f"{sys.argv[1]}/{name}.npy", zfpy.decompress_numpy(stored))
"""


def format2(folder):
    documents, digests = {".zgroup": {"zarr_format": 2}, ".zattrs": {"none": float("nan"), "list": [1, 2.5, "x", None]}}, {}
    for i, (name, (dtype, chain, pack)) in enumerate(FORMAT2.items()):
        r = random.Random(i)
        dtype = s.descr(dtype)
        shape, chunks, order = (5, 7), (2, 3), "FC"[i % 2]
        data = s.values(r, dtype, shape)
        if name == "categories":
            data[...] = np.array(["a", "bc", ""], dtype)[np.arange(35).reshape(shape) % 3]
        if name == "objects_vlen-bytes":
            data = np.frompyfunc(str.encode, 1, 1)(data)
        if name == "objects_vlen-array":
            for at in np.ndindex(shape):
                data[at] = np.arange(sum(at) % 4, dtype="<i4")
        fill, text = s.fill_of(r, dtype, data)
        digests[name] = s.digest(s.chunks2(r, f"{folder}/{name}", data, dtype, fill, chunks, order, "./"[i % 3 == 0], chain + ([pack] if pack else [])))
        documents[f"{name}/.zarray"] = {
            "zarr_format": 2, "shape": shape, "chunks": chunks, "dtype": s.spelled(dtype), "order": order, "fill_value": text,
            "filters": [f.get_config() for f in chain] or None, "compressor": pack and pack.get_config(), "dimension_separator": "./"[i % 3 == 0],
        }  # fmt: skip
        documents[f"{name}/.zattrs"] = {"_ARRAY_DIMENSIONS": ["y", "x"], "units": "K"}
    for name, document in documents.items():
        os.makedirs(os.path.dirname(f"{folder}/{name}"), exist_ok=True)
        json.dump(document, open(f"{folder}/{name}", "w"))
    return digests


def format3(folder):
    root = zarr.open_group(folder, mode="w", attributes={"title": "format 3"})
    for i, (name, (dtype, options)) in enumerate(FORMAT3.items()):
        r = random.Random(i)
        text = dtype is str
        data = s.values(r, np.dtype(object) if text else s.descr(dtype), (5, 7))
        a = root.create_array(name, shape=(5, 7), dtype=dtype if text else s.descr(dtype), dimension_names=["y", "x"], **{"chunks": (2, 3), "compressors": None, **options})
        a[...] = data
        chunk = f"{folder}/{name}/c/1/1"
        if os.path.exists(chunk):
            os.remove(chunk)
    return {name: s.digest(a[...]) for name, a in zarr.open_group(folder, mode="r").members()}


def zfp(folder):
    raw = folder + ".raw"
    os.makedirs(raw)
    subprocess.run([os.environ["ZFPY"], "-c", ZFPY, raw], check=True)
    os.makedirs(folder)
    json.dump({"zarr_format": 2}, open(f"{folder}/.zgroup", "w"))
    digests = {}
    for name in sorted(f[:-4] for f in os.listdir(raw) if f.endswith(".npy")):
        a = np.load(f"{raw}/{name}.npy")
        os.makedirs(f"{folder}/{name}")
        shutil.copy(f"{raw}/{name}", f"{folder}/{name}/0.0")
        json.dump({"zarr_format": 2, "shape": a.shape, "chunks": a.shape, "dtype": a.dtype.str, "order": "C", "fill_value": 0, "filters": None, "compressor": {"id": "zfpy", "mode": 4}}, open(f"{folder}/{name}/.zarray", "w"))
        digests[name] = s.digest(a)
    shutil.rmtree(raw)
    return digests


os.makedirs(OUT, exist_ok=True)
for name, write, method in [("format2", format2, zipfile.ZIP_DEFLATED), ("format3", format3, zipfile.ZIP_STORED), ("zfpy", zfp, zipfile.ZIP_STORED)]:
    if write is zfp and "ZFPY" not in os.environ:
        continue
    folder = f"{OUT}/{name}.zarr"
    digests = write(folder)
    with zipfile.ZipFile(f"{OUT}/{name}.zip", "w", method) as archive:
        for at, _, files in sorted(os.walk(folder)):
            for file in sorted(files):
                entry = zipfile.ZipInfo(os.path.relpath(f"{at}/{file}", folder), (2026, 1, 1, 0, 0, 0))
                entry.compress_type = method
                archive.writestr(entry, open(f"{at}/{file}", "rb").read())
    shutil.rmtree(folder)
    json.dump(digests, open(f"{OUT}/{name}.json", "w"), indent=0, sort_keys=True)
