"""Writes random Zarr stores with zarr-python and with numcodecs, and says what their elements are.

    python random_stores.py FOLDER COUNT FIRST_SEED     writes FOLDER/SEED.zarr (or .zip) and FOLDER/expected.json

An odd seed gives a store of format 3 that zarr-python writes, an even one a store of format 2, which is written here from what the codecs
of numcodecs give: so has types and filters that zarr-python 3 does not write any more.
"""

import base64
import hashlib
import itertools
import json
import os
import random
import shutil
import struct
import sys
import warnings
import zipfile

import numcodecs
import numpy as np
import zarr
from zarr.codecs import BloscCodec, BytesCodec, Crc32cCodec, GzipCodec, ShardingCodec, TransposeCodec, ZstdCodec
from zarr.codecs import numcodecs as more

warnings.simplefilter("ignore")

INTEGERS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"]
FLOATS = ["f2", "f4", "f8"]
STRUCTS = [
    [["a", "<i4"], ["b", "<f8"], ["c", "|S3"]],
    [["a", ">i2"], ["p", "<f4", [2, 3]], ["t", "<M8[s]"], ["u", "<U2"]],
    [["x", [["y", ">f8"], ["z", "|b1"]]], ["n", "|u1", [2]], ["r", "|V3"]],
]
WORDS = ["", "a", "bc", "d\u00e9f", "\u6c34\u6587", "long " * 20]
CNAMES = ["lz4", "lz4hc", "blosclz", "zstd", "zlib"]


def digest(values):
    """The line that interop/zarr/stores prints for an array."""
    values = np.asarray(values)
    sum_ = hashlib.sha256()
    if values.dtype.kind in "SUOT":
        for v in values.ravel().tolist():
            v = v.encode() if isinstance(v, str) else v.tobytes() if isinstance(v, np.ndarray) else v
            sum_.update(struct.pack("<Q", len(v)) + v)
    else:
        little = values.astype(values.dtype.newbyteorder("<"))
        sum_.update(np.ascontiguousarray(little).tobytes())
    return sum_.hexdigest()


def descr(dtype):
    """The data type as NumPy has it: JSON has lists where NumPy wants tuples."""
    if isinstance(dtype, str):
        return np.dtype(dtype)
    return np.dtype([(f[0], descr(f[1]), tuple(f[2])) if len(f) > 2 else (f[0], descr(f[1])) for f in dtype])


def values(r, dtype, shape):
    g = np.random.default_rng(r.getrandbits(32))
    n = int(np.prod(shape, dtype=np.int64))
    if dtype.names:
        a = np.zeros(n, dtype)
        for name in dtype.names:
            inner = dtype[name]
            base, extra = inner.subdtype or (inner, ())
            a[name] = values(r, base, (n, *extra))
        return a.reshape(shape)
    match dtype.kind:
        case "i" | "u":
            limits = np.iinfo(dtype)
            a = g.integers(limits.min, limits.max, n, endpoint=True, dtype=dtype.newbyteorder("="))
            if r.random() < 0.7:
                a = np.cumsum(g.integers(0, 2, n)) % 100
        case "f":
            a = np.round(np.cumsum(g.normal(size=n)), r.choice([1, 15]))
            a[g.random(n) < 0.05] = r.choice([np.nan, np.inf, 0.0])
        case "c":
            a = g.normal(size=n) + 1j * g.normal(size=n)
        case "b":
            a = g.random(n) < 0.4
        case "M" | "m":
            a = g.integers(-9999, 10**9, n).astype("i8").view(dtype.newbyteorder("="))
        case "S" | "V":
            a = np.array([bytes(g.integers(1, 255, g.integers(0, dtype.itemsize + 1), dtype="u1")).ljust(dtype.itemsize, b"\0") for _ in range(n)])
            if dtype.kind == "V":
                return np.frombuffer(b"".join(v.ljust(dtype.itemsize, b"\0") for v in a.tolist()), dtype).reshape(shape)
        case "U":
            a = np.array([r.choice(WORDS)[: dtype.itemsize // 4] for _ in range(n)])
        case "O":
            a = np.array([r.choice(WORDS) for _ in range(n)], dtype=object)
    return np.asarray(a).astype(dtype).reshape(shape)


def compressor(r):
    return r.choice([
        None, numcodecs.Zlib(r.randint(0, 9)), numcodecs.GZip(2), numcodecs.BZ2(1), numcodecs.LZMA(preset=1), numcodecs.LZMA(format=2), numcodecs.LZMA(check=r.choice([0, 1, 4, 10])),
        numcodecs.LZ4(), numcodecs.Zstd(r.choice([-3, 1, 9])), numcodecs.Zstd(checksum=True), numcodecs.Shuffle(r.choice([2, 3, 4, 8])),
        numcodecs.Blosc(cname=r.choice(CNAMES), shuffle=r.choice([-1, 0, 1, 2]), clevel=r.choice([1, 5, 9]), blocksize=r.choice([0, 0, 64])),
    ])  # fmt: skip


def filters(r, dtype):
    """Filters whose types are the types of the elements, one after another."""
    out, now = [], dtype
    if dtype.kind in "iu" and r.random() < 0.5:
        wide = np.dtype(r.choice("<>") + "i8")
        out.append(r.choice([numcodecs.Delta(dtype.str), numcodecs.Delta(dtype.str, wide.str), numcodecs.AsType(wide.str, dtype.str)]))
        now = np.dtype(getattr(out[-1], "astype", None) or getattr(out[-1], "encode_dtype", dtype))
    if dtype.kind == "f" and r.random() < 0.6:
        narrow = r.choice(["<i2", ">i4", "<f4", "<u1", "<f8", "<f2"])
        out.append(r.choice([
            numcodecs.FixedScaleOffset(r.choice([0, 1.5, -3]), r.choice([10, 0.5, 3]), dtype.str, narrow), numcodecs.Quantize(2, dtype.str),
            numcodecs.Quantize(1, dtype.str, "<f4"), numcodecs.AsType(narrow, dtype.str), numcodecs.Delta(dtype.str),
        ]))  # fmt: skip
        now = np.dtype(getattr(out[-1], "astype", None) or getattr(out[-1], "encode_dtype", dtype))
    if dtype.kind == "f" and not out and dtype.isnative and r.random() < 0.5:
        out.append(numcodecs.BitRound(r.randint(1, 8)))
    if dtype.kind == "b" and r.random() < 0.7:
        out.append(numcodecs.PackBits())
    if now.itemsize > 1 and r.random() < 0.3:
        out.append(numcodecs.Shuffle(now.itemsize))
    if r.random() < 0.3:
        out.append(r.choice([numcodecs.CRC32(), numcodecs.CRC32(location="end"), numcodecs.CRC32C(), numcodecs.Adler32(), numcodecs.Fletcher32(), numcodecs.JenkinsLookup3(r.choice([0, 7]))]))
    return out


def format2(r, folder):
    """Writes a store of format 2, and returns the digests of its arrays."""
    expected, documents = {}, {}
    groups = [""] + r.choice([[], ["g/", "g/h/"]])
    for g in groups:
        documents[g + ".zgroup"] = {"zarr_format": 2}
        documents[g + ".zattrs"] = {"where": g, "none": float("nan"), "list": [1, 2.5, "x", None]}
    for i in range(r.randint(1, 5)):
        path = f"{r.choice(groups)}a{i}"
        kind = r.choice([*INTEGERS, *FLOATS, *FLOATS, "b1", "c8", "c16", "S6", "U5", "V4", "M8[ns]", "M8[D]", "m8[10ms]", "struct", "O"])
        dtype = descr(r.choice(STRUCTS) if kind == "struct" else r.choice("<>") + kind)
        shape = tuple(r.randint(0 if r.random() < 0.1 else 1, 12) for _ in range(r.choice([0, 1, 1, 2, 2, 3, 4])))
        chunks = tuple(r.randint(1, max(n, 1) + 2) for n in shape)
        order = r.choice("CF")
        data = values(r, dtype, shape)
        chain = filters(r, dtype)
        if kind == "O":
            chain, data = objects(r, data)
        if kind == "U5" and r.random() < 0.4:
            labels = sorted({str(v) for v in data.ravel()})
            chain = [numcodecs.Categorize(labels, dtype=dtype.str, astype=r.choice(["u1", "<i4", ">u2"]))]
        pack = compressor(r)
        fill, fill_json = fill_of(r, dtype, data)
        separator = r.choice("./")
        documents[f"{path}/.zarray"] = {
            "zarr_format": 2, "shape": shape, "chunks": chunks, "dtype": spelled(dtype), "order": order, "fill_value": fill_json,
            "filters": [f.get_config() for f in chain] or None, "compressor": pack and pack.get_config(),
        } | ({"dimension_separator": separator} if separator == "/" or r.random() < 0.5 else {})  # fmt: skip
        documents[f"{path}/.zattrs"] = {"_ARRAY_DIMENSIONS": [f"d{j}" for j in range(len(shape))], "units": "K"}
        try:
            read = chunks2(r, f"{folder}/{path}", data, dtype, fill, chunks, order, separator, chain + ([pack] if pack else []))
        except Exception as error:  # cases that numcodecs refuses, such as a shuffle of a part of an element
            print(f"not written: {dtype} {chain} {pack}: {error!r}"[:200], file=sys.stderr)
            shutil.rmtree(f"{folder}/{path}", ignore_errors=True)
            del documents[f"{path}/.zarray"], documents[f"{path}/.zattrs"]
            continue
        expected[path] = digest(read)
    for name, document in documents.items():
        os.makedirs(os.path.dirname(f"{folder}/{name}"), exist_ok=True)
        with open(f"{folder}/{name}", "w") as f:
            json.dump(document, f)
    if r.random() < 0.4:
        with open(f"{folder}/.zmetadata", "w") as f:
            json.dump({"zarr_consolidated_format": 1, "metadata": documents}, f)
    return expected


def chunks2(r, folder, data, dtype, fill, chunks, order, separator, chain):
    """Writes chunks of format 2, most of them, and returns the elements that numcodecs reads."""
    if dtype.kind == "O":
        fill = b"" if isinstance(chain[0], numcodecs.VLenBytes) else ""
    read = np.full(data.shape, fill, dtype)
    for at in itertools.product(*(range(-(-n // c)) for n, c in zip(data.shape, chunks))):
        if r.random() < 0.1:
            continue
        part = tuple(slice(a * c, min((a + 1) * c, n)) for a, c, n in zip(at, chunks, data.shape))
        inside = tuple(slice(0, s.stop - s.start) for s in part)
        chunk = np.full(chunks, fill, dtype)
        if chain and isinstance(chain[0], numcodecs.VLenArray):
            for j in np.ndindex(chunks):
                chunk[j] = np.zeros(0, chain[0].dtype)
        chunk[inside] = data[part]
        stored = np.asarray(chunk, order=order)
        for f in chain:
            stored = f.encode(stored)
        stored = numcodecs.compat.ensure_bytes(stored)
        name = f"{folder}/{separator.join(map(str, at)) or '0'}"
        os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(name, "wb") as f:
            f.write(stored)
        back = stored
        for f in reversed(chain):
            back = f.decode(back)
        back = np.asarray(back) if dtype.kind == "O" else numcodecs.compat.ensure_ndarray(back).reshape(-1, order="A").view(dtype)
        read[part] = back.reshape(-1, order="A").reshape(chunks, order=order)[inside]
    return read


def objects(r, data):
    """A codec of objects, and objects that it takes."""
    kind = r.choice(["text", "bytes", "json", "list", "category"])
    match kind:
        case "text":
            return [numcodecs.VLenUTF8()], data
        case "json":
            return [numcodecs.JSON()], data
        case "category":
            return [numcodecs.Categorize(WORDS[1:], dtype=object, astype=r.choice(["u1", "<i4", ">u2"]))], data
        case "bytes":
            return [numcodecs.VLenBytes()], np.frompyfunc(str.encode, 1, 1)(data) if data.ndim else np.array(data[()].encode(), dtype=object)
    lists = np.empty(data.shape, dtype=object)
    for at in np.ndindex(data.shape):
        lists[at] = np.arange(r.randint(0, 4), dtype="<i4")
    return [numcodecs.VLenArray("<i4")], lists


def spelled(dtype):
    if not dtype.names:
        return dtype.str
    out = []
    for name in dtype.names:
        base, shape = dtype[name].subdtype or (dtype[name], ())
        out.append([name, spelled(base), list(shape)] if shape else [name, spelled(base)])
    return out


def fill_of(r, dtype, data):
    """A fill value, and how the document writes it."""
    if dtype.kind == "O":
        return "", r.choice([None, ""])
    if r.random() < 0.3:
        return (np.array("NaT", dtype)[()] if dtype.kind in "mM" else np.zeros((), dtype)[()]), None
    fill = data.ravel()[0] if data.size else np.zeros((), dtype)[()]
    match dtype.kind:
        case "i" | "u":
            return fill, int(fill)
        case "b":
            return fill, bool(fill)
        case "f":
            return fill, number(fill)
        case "c":
            return fill, [number(fill.real), number(fill.imag)]
        case "m" | "M":
            return fill, int(fill.astype("i8"))
        case "U":
            return fill, str(fill)
    return fill, base64.b64encode(np.asarray(fill, dtype).tobytes()).decode()


def number(v):
    v = float(v)
    return "NaN" if v != v else "Infinity" if v == np.inf else "-Infinity" if v == -np.inf else v


def format3(r, folder):
    """Writes a store of format 3; None stands for the values that zarr-python reads."""
    root = zarr.open_group(folder, mode="w", attributes={"title": "random", "none": None})
    groups = [root] + r.choice([[], [root.create_group("g", attributes={"g": [1, {"h": 2}]})]])
    for i in range(r.randint(1, 5)):
        group = r.choice(groups)
        kind = r.choice([*INTEGERS, *FLOATS, "b1", "c8", "c16", "S6", "U5", "V4", "M8[ns]", "m8[10ms]", "struct", "string"])
        dtype = np.dtypes.StringDType() if kind == "string" else descr(STRUCTS[0] if kind == "struct" else "<" + kind)
        shape = tuple(r.randint(1, 12) for _ in range(r.choice([0, 1, 1, 2, 2, 3])))
        inner = tuple(r.randint(1, 4) for _ in shape)
        options = codecs3(r, dtype, kind, shape, inner)
        data = values(r, np.dtype(object) if kind == "string" else dtype, shape)
        try:
            array = group.create_array(
                f"a{i}", shape=shape, dtype=dtype, dimension_names=[f"d{j}" for j in range(len(shape))], attributes={"units": "K"},
                chunk_key_encoding={"name": r.choice(["default", "v2"]), "separator": r.choice("./")},
                fill_value=None if kind == "string" or r.random() < 0.5 or not dtype.kind in "iuf" else 7, **options,
            )  # fmt: skip
            array[...] = data
            array[...]
        except Exception as error:  # cases that zarr-python refuses, such as structs in shards
            print(f"not written: {kind} {options}: {error!r}"[:200], file=sys.stderr)
            shutil.rmtree(f"{folder}/{group.path}/a{i}", ignore_errors=True)
            continue
        for at, _, files in os.walk(f"{folder}/{array.path}"):
            for name in sorted(files):
                if name != "zarr.json" and r.random() < 0.1:
                    os.remove(f"{at}/{name}")
    if r.random() < 0.4:
        zarr.consolidate_metadata(folder)
    return {path: digest(node[...]) for path, node in zarr.open_group(folder, mode="r").members(max_depth=None) if isinstance(node, zarr.Array)}


def codecs3(r, dtype, kind, shape, inner):
    packs = r.choice([
        [], [GzipCodec(level=1)], [ZstdCodec(level=r.choice([-1, 3]), checksum=r.random() < 0.5)], [Crc32cCodec()], [ZstdCodec(), Crc32cCodec()],
        [BloscCodec(cname=r.choice(CNAMES), shuffle=r.choice(["noshuffle", "shuffle", "bitshuffle"]))], [more.LZ4()], [more.BZ2(level=1)],
        [more.Shuffle(elementsize=4), more.Zlib(level=1)], [more.LZMA(preset=1)], [more.CRC32(), more.Adler32()], [more.Fletcher32(), more.Zstd(level=1)],
        [more.Blosc(cname="lz4", shuffle=-1)], [more.GZip(level=1)], [more.CRC32C(), more.JenkinsLookup3(initval=3)],
    ])  # fmt: skip
    if kind == "string":
        shards = {"shards": tuple(c * r.randint(1, 3) for c in inner)} if shape and r.random() < 0.4 else {}
        return {"chunks": inner or "auto", "compressors": packs} | shards
    name = np.dtype(dtype).str if kind in INTEGERS + FLOATS else ""
    filters = []
    if len(shape) > 1 and r.random() < 0.4:
        filters.append(TransposeCodec(order=tuple(r.sample(range(len(shape)), len(shape)))))
    if kind in INTEGERS and r.random() < 0.3:
        filters.append(r.choice([more.Delta(dtype=name), more.AsType(encode_dtype="<i8", decode_dtype=name)]))
    if kind in FLOATS and r.random() < 0.3:
        filters.append(r.choice([more.FixedScaleOffset(offset=1, scale=10, dtype=name, astype="<i4"), more.Quantize(digits=2, dtype=name), more.BitRound(keepbits=5)]))
    if kind == "b1" and not filters and r.random() < 0.5:
        filters.append(more.PackBits())
    # zarr-python reads numbers of big-endian chunks wrongly behind the filters of numcodecs, and structs.
    only_little = kind == "struct" or any(not isinstance(f, TransposeCodec) for f in filters)
    serializer = BytesCodec(endian="little" if only_little else r.choice(["little", "big"]))
    if shape and r.random() < 0.4 and not isinstance(filters and filters[-1], more.PackBits):
        outer = tuple(c * r.randint(1, 3) for c in inner)
        nested = ShardingCodec(chunk_shape=inner, codecs=[*filters, serializer, *packs], index_location=r.choice(["start", "end"]), index_codecs=[BytesCodec(endian=r.choice(["little", "big"])), Crc32cCodec()])
        if r.random() < 0.3:
            nested = ShardingCodec(chunk_shape=outer, codecs=[nested, *packs], index_location=r.choice(["start", "end"]))
            outer = tuple(c * r.randint(1, 2) for c in outer)
        return {"chunks": outer, "serializer": nested, "compressors": None, "filters": []}
    return {"chunks": inner or "auto", "filters": filters, "serializer": serializer, "compressors": packs or None}


def write(folder, seed):
    """Writes the store of a seed, and returns its path and the digests of its arrays."""
    r = random.Random(seed)
    path = f"{folder}/{seed}.zarr"
    shutil.rmtree(path, ignore_errors=True)
    expected = (format3 if seed % 2 else format2)(r, path)
    if r.random() < 0.2:
        with zipfile.ZipFile(path[:-5] + ".zip", "w", r.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])) as archive:
            for at, _, files in os.walk(path):
                for name in files:
                    archive.write(f"{at}/{name}", os.path.relpath(f"{at}/{name}", path))
        shutil.rmtree(path)
        path = path[:-5] + ".zip"
    return path, expected


if __name__ == "__main__":
    folder, count, first = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/expected.json", "w") as f:
        json.dump(dict(write(folder, seed) for seed in range(first, first + count)), f)
