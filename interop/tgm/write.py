"""Writes .tgm files with the reference implementation over a matrix of types, pipelines and masks, for a Go test to read.

NAME.tgm is a message of one object, NAME.bin what the reference decodes from it, little-endian, and NAME.src, beside packed
values, what it was given, in the byte order of the descriptor. Combinations that the
reference refuses are left out.

    python write.py FOLDER
"""

import pathlib
import sys

import numpy as np
import tensogram

OUT = pathlib.Path(sys.argv[1])
WIDTH = {"float16": 2, "bfloat16": 2, "float32": 4, "float64": 8, "complex64": 8, "complex128": 16,
         "int8": 1, "int16": 2, "int32": 4, "int64": 8, "uint8": 1, "uint16": 2, "uint32": 4, "uint64": 8, "bitmask": 0}
SZIP = {"szip_rsi": 16, "szip_block_size": 8, "szip_flags": 8}
METHODS = ["none", "rle", "roaring", "zstd", "lz4", "blosc2"]
written = 0


def smooth(n):
    return 280 + 30 * np.sin(np.arange(n) / 17) + np.random.default_rng(n).normal(size=n)


def content(dtype, n):
    if dtype == "bitmask":
        return np.packbits(np.arange(n) % 7 < 3).tobytes()
    if dtype == "bfloat16":
        return (smooth(n).astype("<f4").view("<u4") >> 16).astype("<u2").tobytes()
    if dtype.startswith("complex"):
        return (smooth(n) - 1j * smooth(n)).astype(dtype).tobytes()
    if dtype.startswith(("int", "uint")):
        return np.floor(smooth(n) * 1.7).astype(np.int64).astype(dtype).tobytes()
    return smooth(n).astype(dtype).tobytes()


def little(descriptor, array):
    array = np.ascontiguousarray(array)
    return (array.byteswap() if array.dtype.byteorder == ">" else array).tobytes()


def swapped(dtype, data):
    part = WIDTH[dtype] // (2 if dtype.startswith("complex") else 1)
    return np.frombuffer(data, f"u{part}").byteswap().tobytes() if part else data


def write(name, dtype, shape, data, order="little", hash="xxh3", allow=False, **keys):
    global written
    descriptor = {"type": "ntensor", "shape": shape, "dtype": dtype, "byte_order": order, **keys}
    mask = {k: descriptor.pop(k) for k in list(descriptor) if k.endswith("mask_method") or k == "small_mask_threshold_bytes"}
    if order == "big":
        data = swapped(dtype, data)
    try:
        message = tensogram.encode({"base": [{"name": name}], "source": "matrix"}, [(descriptor, data)], hash=hash,
                                   allow_nan=allow, allow_inf=allow, **mask)
    except Exception:
        return
    got = tensogram.decode(message).objects[0]
    (OUT / f"{name}.tgm").write_bytes(message)
    (OUT / f"{name}.bin").write_bytes(little(*got))
    if "encoding" in keys:
        (OUT / f"{name}.src").write_bytes(data)
    written += 1


def with_holes(dtype, n):
    if dtype == "bfloat16":
        a = np.frombuffer(content(dtype, n), "<u2").copy()
        specials = [0x7FC0, 0x7F80, 0xFF80]
    else:
        a = np.frombuffer(content(dtype, n), dtype).copy()
        specials = [np.nan, np.inf, -np.inf]
    a[3::17] = specials[0]
    a[5] = specials[1]
    a[7 : n // 2 : 29] = specials[2]
    return a.tobytes()


for dtype in WIDTH:
    for n in (0, 1, 33, 4100):
        data = content(dtype, n)
        for order in ("little", "big"):
            for filter_ in ("none", "shuffle"):
                for compression in ("none", "zstd", "lz4", "szip", "blosc2", "rle", "roaring"):
                    keys = {"filter": filter_, "compression": compression}
                    if filter_ == "shuffle":
                        keys["shuffle_element_size"] = max(1, WIDTH[dtype])
                    if compression == "szip":
                        keys.update(SZIP)
                    write(f"{dtype}-{n}-{order}-{filter_}-{compression}", dtype, [n], data, order, **keys)
    for codec in ("blosclz", "lz4", "lz4hc", "zlib", "zstd"):
        for level in (0, 1, 9):
            write(f"{dtype}-blosc2-{codec}-{level}", dtype, [30000], content(dtype, 30000), compression="blosc2", blosc2_codec=codec, blosc2_clevel=level)
    write(f"{dtype}-scalar", dtype, [], content(dtype, 1))
    write(f"{dtype}-nohash", dtype, [3, 5, 7], content(dtype, 105), hash=None)

for n in (1, 33, 4100, 100000):
    for order in ("little", "big"):
        data = content("float64", n)
        for mode, key, values in (("fixed_rate", "zfp_rate", (4.0, 16.0, 33.5)), ("fixed_precision", "zfp_precision", (8, 40, 64)),
                                  ("fixed_accuracy", "zfp_tolerance", (1.0, 1e-3, 1e-9))):
            for value in values:
                write(f"zfp-{n}-{order}-{mode}-{value}", "float64", [n], data, order, compression="zfp", zfp_mode=mode, **{key: value})
        for mode, values in (("abs", (0.0, 1e-4, 0.1)), ("rel", (1e-6, 1e-2)), ("psnr", (40.0, 90.0))):
            for value in values:
                write(f"sz3-{n}-{order}-{mode}-{value}", "float64", [n], data, order, compression="sz3", sz3_error_bound_mode=mode, sz3_error_bound=value)

for bits in list(range(1, 33)) + [40, 48, 53, 64]:
    for order in ("little", "big"):
        for filter_, compression in (("none", "none"), ("none", "zstd"), ("none", "lz4"), ("none", "szip"), ("shuffle", "lz4"), ("none", "blosc2")):
            if compression == "szip" and bits not in (8, 16, 24, 32):
                continue  # the reference writes these and loses bits
            keys = {"filter": filter_, "compression": compression}
            if filter_ == "shuffle":
                keys["shuffle_element_size"] = (bits + 7) // 8
            if compression == "szip":
                keys.update(SZIP)
            write(f"packed{bits}-{order}-{filter_}-{compression}", "float64", [40, 100], content("float64", 4000), order,
                  encoding="simple_packing", sp_bits_per_value=bits, sp_decimal_scale_factor=bits % 3 - 1, **keys)

for dtype in ("float16", "bfloat16", "float32", "float64", "complex64", "complex128"):
    for method in METHODS:
        for threshold in (0, 128):
            for order in ("little", "big"):
                write(f"{dtype}-mask-{method}-{threshold}-{order}", dtype, [4100], with_holes(dtype, 4100), order, allow=True,
                      nan_mask_method=method, pos_inf_mask_method=method, neg_inf_mask_method=method,
                      small_mask_threshold_bytes=threshold)

for method in METHODS:
    write(f"packed-mask-{method}", "float64", [4100], with_holes("float64", 4100), allow=True, nan_mask_method=method,
          encoding="simple_packing", sp_bits_per_value=16, sp_reference_value=0.0, sp_binary_scale_factor=-6,
          sp_decimal_scale_factor=0, compression="szip", **SZIP)


def streamed():
    enc = tensogram.StreamingEncoder({"base": [{"index": i} for i in range(5)], "source": "stream"})
    for i in range(5):
        enc.write_object({"type": "ntensor", "shape": [7], "dtype": "float64"}, np.arange(7.0) * i)
    return enc


for name, finish in (("streamed", "finish"), ("backfilled", "finish_backfilled")):
    if not hasattr(tensogram.StreamingEncoder, finish):
        continue
    (OUT / f"{name}.tgm").write_bytes(bytes(getattr(streamed(), finish)()))
    (OUT / f"{name}.bin").write_bytes(np.concatenate([np.arange(7.0) * i for i in range(5)]).tobytes())

print(written)
