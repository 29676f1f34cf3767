"""Writes codec/blosc/testdata: frames and chunks of C-Blosc2 and of the reference.

    .interop/venv-codecs/bin/python interop/codecs/freeze_blosc.py codec/blosc/testdata
"""
import json
import pathlib
import struct
import sys

import blosc2 as b2
import h5py
import hdf5plugin
import numpy as np
import tensogram

OUT = pathlib.Path(sys.argv[1])
MANIFEST = []


def write(name, writer, kind, stream, raw, raw_name=None, **more):
    (OUT / f"{name}.{kind}").write_bytes(stream)
    raw_name = raw_name or name
    (OUT / f"{raw_name}.raw").write_bytes(raw)
    MANIFEST.append({"name": f"{name}.{kind}", "writer": writer, "kind": kind, "raw": f"{raw_name}.raw", **more})


def payload(message, skip=0):
    """The payload of the first data frame of a message."""
    m, p = bytes(message), 24
    while struct.unpack(">H", m[p + 2:p + 4])[0] != 9:
        length = struct.unpack(">Q", m[p + 8:p + 16])[0]
        p += length + -length % 8
    length = struct.unpack(">Q", m[p + 8:p + 16])[0]
    cbor = struct.unpack(">Q", m[p + length - 20:p + length - 12])[0]
    return m[p + 16 + skip:p + cbor]


def reference(name, array, exact=False, **params):
    desc = {"type": "ntensor", "shape": list(array.shape), "dtype": str(array.dtype), "byte_order": "little",
            "encoding": "none", "filter": "none", "compression": "blosc2", **params}
    message = tensogram.encode({}, [(desc, array.tobytes() if array.dtype.kind == "c" else array)])
    assert tensogram.decode(message).objects[0][1].tobytes() == array.tobytes()
    write(f"reference-{name}", "tensogram 0.24.0", "frame", payload(message), array.tobytes(), raw_name=f"{array.dtype}-{array.size}-{name.split('-')[0]}",
          codec=params.get("blosc2_codec", "lz4"), level=params.get("blosc2_clevel", 5), typesize=array.dtype.itemsize, filter=1, exact=exact)


def frames():
    i = np.arange(500)
    wave = np.round((280 + 30 * np.sin(i / 17)) * 256) / 256
    for codec in ("blosclz", "lz4", "lz4hc", "zlib", "zstd"):
        for level in (0, 1, 5, 9):
            reference(f"wave-{codec}-{level}", wave, codec == "blosclz" or level == 0, blosc2_codec=codec, blosc2_clevel=level)
    reference("default", wave)
    reference("zeros-blosclz", np.zeros(5000, "u1"), True, blosc2_codec="blosclz")
    reference("const-lz4", np.full(500, 3.25), True)
    reference("short-lz4", np.arange(31, dtype="u1"), True)
    reference("odd-lz4", np.arange(333, dtype="u1"))
    reference("complex-zstd", wave[:100] - 1j * i[:100], blosc2_codec="zstd")
    blocks = np.round(np.sin(np.arange(18000) / 5000) * 50).astype("f4")  # 72000 bytes in blocks of 32768
    reference("blocks-blosclz-1", blocks, True, blosc2_codec="blosclz", blosc2_clevel=1)


def foreign():
    i = np.arange(1000)
    data = np.round((280 + 30 * np.sin(i / 17)) * 256) / 256
    raw = data.tobytes()
    none, trunc = [b2.Filter.NOFILTER], [b2.Filter.TRUNC_PREC, b2.Filter.SHUFFLE]
    for name, chunk, opts in (
            ("bitshuffle", 8000, {"filters": [b2.Filter.BITSHUFFLE]}), ("no-filter", 8000, {"filters": none}),
            ("delta-shuffle", 8000, {"filters": [b2.Filter.DELTA, b2.Filter.SHUFFLE], "blocksize": 2000}),
            ("delta-bitshuffle", 8000, {"filters": [b2.Filter.DELTA, b2.Filter.BITSHUFFLE], "blocksize": 2000}),
            ("trunc-shuffle", 8000, {"filters": trunc, "filters_meta": [20, 0]}),
            ("dictionary", 8000, {"codec": b2.Codec.ZSTD, "use_dict": True, "blocksize": 1024}),
            ("40-chunks", 200, {"codec": b2.Codec.BLOSCLZ}), ("short-last-chunk", 3000, {"codec": b2.Codec.LZ4}),
            ("threads", 8000, {"blocksize": 512, "nthreads": 4})):
        opts = {"typesize": 8, "clevel": 5, **opts}
        if "filters" in opts:
            opts.setdefault("filters_meta", [0] * len(opts["filters"]))
        frame = b2.SChunk(chunksize=chunk, data=raw, cparams=b2.CParams(**opts)).to_cframe()
        write(f"c-blosc2-{name}", f"blosc2 {b2.__version__}", "frame", frame, b2.schunk_from_cframe(frame)[:])
    for name, value in (("nan", b2.SpecialValue.NAN), ("zero", b2.SpecialValue.ZERO)):
        s = b2.SChunk(chunksize=800, cparams=b2.CParams(typesize=8))
        s.fill_special(350, value)
        write(f"c-blosc2-{name}", f"blosc2 {b2.__version__}", "frame", s.to_cframe(), s[:])
    value = b2.full((300,), 1.5, chunks=(100,), blocks=(50,))
    write("c-blosc2-repeated", f"blosc2 {b2.__version__}", "frame", value.to_cframe(), np.full(300, 1.5).tobytes())
    for codec in ("BLOSCLZ", "LZ4", "ZLIB", "ZSTD"):
        for filter in (b2.Filter.NOFILTER, b2.Filter.SHUFFLE, b2.Filter.BITSHUFFLE):
            c = b2.compress2(raw, cparams=b2.CParams(codec=getattr(b2.Codec, codec), clevel=5, typesize=8, filters=[filter], filters_meta=[0]))
            write(f"c-blosc2-chunk-{codec.lower()}-{filter.name.lower()}", f"blosc2 {b2.__version__}", "chunk", c, raw, raw_name="chunk")


def hdf5():
    """The chunks of HDF5 filters 32001 (Blosc 1) and 32026 (Blosc 2)."""
    with h5py.File("blosc.h5", "w", driver="core", backing_store=False) as f:
        a = np.round(np.sin(np.arange(600) / 50) * 100).astype("i2")
        for codec in ("blosclz", "lz4", "lz4hc", "zlib", "zstd"):
            for shuffle in (0, 1, 2):
                d = f.create_dataset(f"{codec}{shuffle}", data=a, chunks=a.shape, **hdf5plugin.Blosc(cname=codec, clevel=5, shuffle=shuffle))
                skipped, chunk = d.id.read_direct_chunk((0,))
                if not skipped:  # the filter leaves out data that do not compress
                    write(f"hdf5-32001-{codec}-{shuffle}", "hdf5plugin 7.1.0", "chunk", chunk, a.tobytes(), raw_name="hdf5-32001")
        for shape in ((700,), (30, 40), (11, 7, 5), (4, 3, 5, 6)):
            n = int(np.prod(shape))
            a = (np.arange(n) % 977).astype("i4").reshape(shape)
            d = f.create_dataset("x".join(map(str, shape)), data=a, chunks=shape, **hdf5plugin.Blosc2(cname="zstd", clevel=5, filters=1))
            write(f"hdf5-32026-{'x'.join(map(str, shape))}", "hdf5plugin 7.1.0", "array", d.id.read_direct_chunk((0,) * len(shape))[1], a.tobytes())
    # Blocks smaller than the chunk: the elements of the frame are in another order than those of the array.
    for shape, blocks in (((50, 37), (16, 10)), ((9, 10, 11), (4, 5, 3)), ((33,), (8,))):
        a = np.arange(np.prod(shape), dtype="i4").reshape(shape)
        x = b2.asarray(a, chunks=shape, blocks=blocks)
        write(f"c-blosc2-array-{'x'.join(map(str, shape))}", f"blosc2 {b2.__version__}", "array", x.to_cframe(), a.tobytes())


frames()
foreign()
hdf5()
lines = ",\n".join(" " + json.dumps(v) for v in MANIFEST)
(OUT / "MANIFEST.json").write_text(f"[\n{lines}\n]\n")
print(len(MANIFEST), "vectors,", sum(f.stat().st_size for f in OUT.iterdir()) // 1024, "KiB")
