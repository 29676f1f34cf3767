#!/usr/bin/env python3
"""Makes GRIB files of every packing with ecCodes, for the tests of package grib.

  values_derive.py OUTDIR          as described below
  values_derive.py --frozen FILE   a few messages of each packing in one file: how grib/testdata/packings.grib is made

The first writes OUTDIR/*.grib: the samples that ecCodes ships, and fields in every packing it can write, over bit widths, decimal scales, bitmaps,
missing values, negative and constant values. What ecCodes refuses to write is left out. Files made octet by octet, in packings that
ecCodes reads but does not write, are in OUTDIR/made_*.grib.
"""

import os
import subprocess
import sys
import tempfile

import eccodes as ec
import numpy as np

from messages import sample_names, tool

MISSING = 9999.0

WIDTHS = [1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 15, 16, 17, 19, 20, 21, 23, 24]
WIDE = [25, 28, 30, 31, 32, 40, 48, 56]
TRUNCATIONS = [1, 10, 63, 127]
DECIMALS = [2, -3]
SAMPLES = {"ll": "regular_ll_sfc_grib", "gg": "reduced_gg_pl_32_grib"}
PACKINGS = {
    1: ["grid_simple", "grid_ieee", "grid_simple_matrix", "grid_second_order", "grid_second_order_no_boustrophedonic",
        "grid_second_order_no_SPD", "grid_second_order_SPD1", "grid_second_order_SPD2", "grid_second_order_SPD3"],
    2: ["grid_simple", "grid_ieee", "grid_simple_matrix", "grid_simple_log_preprocessing", "grid_ccsds", "grid_complex",
        "grid_complex_spatial_differencing", "grid_jpeg", "grid_png", "grid_second_order", "grid_second_order_no_boustrophedonic",
        "grid_second_order_no_SPD", "grid_second_order_SPD1", "grid_second_order_SPD2", "grid_second_order_SPD3"],
}


def samples(out):
    """Exports the samples of ecCodes that are GRIB."""
    for name in sample_names():
        path = os.path.join(out, f"sample_{name}.grib")
        subprocess.run([tool("codes_export_resource"), "-s", f"{name}.tmpl", path], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if os.path.exists(path):
            with open(path, "rb") as f:
                if f.read(4) != b"GRIB":
                    os.remove(path)


def patterns(n, rng):
    """Yields named fields of n values; missing points are MISSING."""
    x = np.linspace(0, 40, n)
    smooth = 250 + 30 * np.sin(x) + rng.normal(0, 0.5, n)
    yield "smooth", smooth, False
    yield "negative", -smooth, False
    yield "mixed", (smooth - 250) * 1e-4, False
    yield "large", smooth * 1e9, False
    holes = smooth.copy()
    holes[rng.random(n) < 0.3] = MISSING
    yield "holes", holes, True
    block = smooth.copy()
    block[n // 5:n // 2] = MISSING
    yield "block", block, True
    yield "constant", np.full(n, 273.15), False
    half = np.full(n, -4.25)
    half[::2] = MISSING
    yield "constant_holes", half, True
    yield "empty", np.full(n, MISSING), True
    yield "zero", np.zeros(n), False
    spike = np.zeros(n)
    spike[n // 3] = 1.0
    yield "spike", spike, False
    yield "positive", np.abs(rng.normal(0, 3, n)) + 0.01, False


def grids(edition):
    """Yields named handles: a regular grid of 31 by 16 points and a reduced Gaussian one."""
    for name, sample in SAMPLES.items():
        yield name, ec.codes_grib_new_from_samples(f"{sample}{edition}")


def run(path, jobs):
    """Writes the messages that jobs return to a file, leaving out those that ecCodes refuses to make. They are made in a process of their
    own, as ecCodes aborts over some of what it is asked for here; a new one goes on after the job that ended the last."""
    done = 0
    with open(path, "wb") as f:
        while done < len(jobs):
            r, w = os.pipe()
            pid = os.fork()
            if pid == 0:
                os.close(r)
                os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
                child(os.fdopen(w, "wb"), jobs[done:])
            os.close(w)
            with os.fdopen(r, "rb") as pipe:
                while head := pipe.read(4):
                    f.write(pipe.read(int.from_bytes(head, "big")))
                    done += 1
            _, status = os.waitpid(pid, 0)
            if status:
                done += 1


def child(pipe, jobs):
    """Makes messages and writes each with its length; one that fails has length 0."""
    for job in jobs:
        try:
            message = job()
        except ec.CodesInternalError:
            message = b""
        pipe.write(len(message).to_bytes(4, "big") + message)
        pipe.flush()
    os._exit(0)


def field(h, values, bitmap, keys, packing=None):
    """Returns the job that makes a message of values with these keys; with a packing, in simple packing first, as grib_set -r does it."""

    def job():
        g = ec.codes_clone(h)
        try:
            if bitmap:
                ec.codes_set(g, "bitmapPresent", 1)
                ec.codes_set(g, "missingValue", MISSING)
            for k, v in keys.items():
                ec.codes_set(g, k, v)
            ec.codes_set_values(g, values)
            if packing:
                ec.codes_set(g, "packingType", packing)
                ec.codes_set_values(g, values)
            ec.codes_get_values(g)
            return ec.codes_get_message(g)
        finally:
            ec.codes_release(g)

    return job


def packed(out):
    rng = np.random.default_rng(7)
    for edition, packings in PACKINGS.items():
        for grid, h in grids(edition):
            n = ec.codes_get_size(h, "values")
            for packing in packings:
                # ecCodes damages its memory when it writes rows of a reduced grid back and forth
                if grid == "gg" and packing == "grid_second_order":
                    continue
                jobs = []
                for name, values, bitmap in patterns(n, rng):
                    jobs += [field(h, values, bitmap, {"bitsPerValue": bits}, packing) for bits in widths(packing, name)]
                    jobs += [field(h, values, bitmap, {"bitsPerValue": 16, "decimalScaleFactor": d}, packing) for d in DECIMALS]
                run(os.path.join(out, f"derived_{edition}_{grid}_{packing}.grib"), jobs)
            ec.codes_release(h)


def widths(packing, pattern):
    if pattern != "smooth" and pattern != "holes":
        return [8, 12, 16, 24]
    if packing == "grid_simple":
        return WIDTHS + WIDE
    if packing == "grid_ccsds":
        return WIDTHS + [25, 28, 31, 32]
    return WIDTHS


def ieee64(out):
    rng = np.random.default_rng(8)
    for edition in (1, 2):
        jobs = []
        for _, h in grids(edition):
            for name, values, bitmap in patterns(ec.codes_get_size(h, "values"), rng):
                jobs += [field(h, values, bitmap, {"packingType": "grid_ieee", "precision": precision}) for precision in (1, 2)]
        run(os.path.join(out, f"derived_{edition}_ieee64.grib"), jobs)


def spectral(out):
    """Spherical harmonics, simple and complex, of several truncations, subsets and powers; and bi-Fourier fields."""
    rng = np.random.default_rng(9)
    for edition in (1, 2):
        jobs = []
        h = ec.codes_grib_new_from_samples(f"sh_pl_grib{edition}")
        for j in TRUNCATIONS:
            n = (j + 1) * (j + 2)
            values = rng.normal(0, 280, n) / np.linspace(1, 30, n) ** 2
            values[1:2 * (j + 1):2] = 0
            for bits in (8, 12, 16, 24):
                keys = {f"pentagonalResolutionParameter{k}": j for k in "JKM"}
                jobs.append(field(h, values, False, keys | {"packingType": "spectral_simple", "bitsPerValue": bits}))
                for subset in (0, 5, 20, j):
                    more = {"packingType": "spectral_complex", "bitsPerValue": bits} | {f"subSet{k}": subset for k in "JKM"}
                    if edition == 2:
                        more["unpackedSubsetPrecision"] = 1 + bits % 16 // 8
                    jobs.append(field(h, values, False, keys | more))
        run(os.path.join(out, f"derived_{edition}_spectral.grib"), jobs)
    h = ec.codes_grib_new_from_samples("lambert_bf_grib2")
    n = ec.codes_get_size(h, "values")
    run(os.path.join(out, "derived_2_bifourier.grib"), [
        field(h, rng.normal(0, 10, n), False, {"bitsPerValue": bits, "biFourierPackingModeForAxes": keep, "biFourierSubTruncationType": shape,
                                               "unpackedSubsetPrecision": precision})
        for bits in (8, 12, 16, 24)[:len(WIDTHS)] for keep in (0, 1) for shape in (77, 88, 99) for precision in (1, 2)])


def spectral_ieee(out):
    """Spherical harmonics as floats (template 5.50000), which ecCodes reads and does not write."""
    rng = np.random.default_rng(16)
    with open(os.path.join(out, "made_spectral_ieee.grib"), "wb") as f:
        for j in TRUNCATIONS:
            h = ec.codes_grib_new_from_samples("sh_pl_grib2")
            for k in "JKM":
                ec.codes_set(h, f"pentagonalResolutionParameter{k}", j)
            m = sections2(ec.codes_get_message(h))
            ec.codes_release(h)
            n = (j + 1) * (j + 2)
            values = rng.normal(0, 280, n)
            for precision, dtype in ((1, ">f4"), (2, ">f8")):
                for decimal in (0, 1):
                    five = n.to_bytes(4, "big") + (50000).to_bytes(2, "big") + bytes(4) + bytes([0, 0, 0, decimal, 16])
                    five += (500000).to_bytes(4, "big") + n.to_bytes(4, "big") + bytes([precision])
                    data = values.astype(dtype).tobytes()
                    m[5] = (5 + len(five)).to_bytes(4, "big") + b"\5" + five
                    m[7] = (5 + len(data)).to_bytes(4, "big") + b"\7" + data
                    body = b"".join(m[s] for s in sorted(m))
                    f.write(b"GRIB\0\0\0\2" + (20 + len(body)).to_bytes(8, "big") + body + b"7777")


def missing_management(out):
    """Complex packing with missing values among the numbers."""
    rng = np.random.default_rng(10)
    jobs = []
    for grid, h in grids(2):
        for name, values, bitmap in patterns(ec.codes_get_size(h, "values"), rng):
            if name == "empty":
                continue  # ecCodes writes no data then, and reads them from after the message
            for bits in (8, 13, 16):
                keys = {"packingType": "grid_complex", "missingValueManagementUsed": 1, "missingValue": MISSING, "bitsPerValue": bits}
                jobs.append(field(h, values, False, keys))
                for order in (1, 2):
                    jobs.append(field(h, values, False, keys | {"packingType": "grid_complex_spatial_differencing", "orderOfSpatialDifferencing": order}))
    run(os.path.join(out, "derived_2_missing_management.grib"), jobs)


def lossy(out):
    """JPEG 2000 that leaves bits out to reach a size."""
    rng = np.random.default_rng(15)
    jobs = []
    for _, h in grids(2):
        for _, values, bitmap in patterns(ec.codes_get_size(h, "values"), rng):
            for ratio in (2, 5, 20):
                keys = {"packingType": "grid_jpeg", "typeOfCompressionUsed": 1, "targetCompressionRatio": ratio, "bitsPerValue": 16}
                jobs.append(field(h, values, bitmap, keys))
    run(os.path.join(out, "derived_2_lossy_jpeg.grib"), jobs)


def several_fields(out):
    """A message of several fields, the later ones with the bitmap of the first (indicator 254)."""
    rng = np.random.default_rng(11)
    h = ec.codes_grib_new_from_samples("regular_ll_sfc_grib2")
    n = ec.codes_get_size(h, "values")
    values = 250 + rng.normal(0, 5, n)
    values[rng.random(n) < 0.4] = MISSING
    parts = []
    for i in range(4):
        g = ec.codes_clone(h)
        ec.codes_set(g, "bitmapPresent", 1)
        ec.codes_set(g, "missingValue", MISSING)
        ec.codes_set(g, "level", i)
        ec.codes_set_values(g, np.where(values == MISSING, MISSING, values * (i + 1)))
        parts.append(sections2(ec.codes_get_message(g)))
        ec.codes_release(g)
    body = b"".join(parts[0][s] for s in (1, 3, 4, 5, 6, 7))
    same = (6).to_bytes(4, "big") + bytes([6, 254])
    for i, repeated in ((1, (4, 5, 6, 7)), (2, (3, 4, 5, 6, 7)), (3, (4, 5, 6, 7))):
        for s in repeated:
            body += same if s == 6 and i != 2 else parts[i][s]
    with open(os.path.join(out, "made_several_fields.grib"), "wb") as f:
        message = b"GRIB\0\0\0\2" + (16 + len(body) + 4).to_bytes(8, "big") + body + b"7777"
        f.write(b"some junk before " + message + b"junk between" + message)


def sections2(m):
    """Returns the sections of an edition 2 message by number."""
    out, pos = {}, 16
    while m[pos:pos + 4] != b"7777":
        n = int.from_bytes(m[pos:pos + 4], "big")
        out[m[pos + 4]] = m[pos:pos + n]
        pos += n
    return out


class Bits:
    """A string of bits, written most significant first."""

    def __init__(self):
        self.s = ""

    def put(self, v, width):
        if width:
            self.s += format(int(v), f"0{width}b")

    def align(self):
        self.s += "0" * (-len(self.s) % 8)

    def bytes(self):
        self.align()
        return bytes(int(self.s[i:i + 8], 2) for i in range(0, len(self.s), 8))


def sections1(m):
    """Returns the sections of an edition 1 message by number."""
    out, pos = {}, 8
    flags = m[15]
    for number, present in ((1, True), (2, flags & 128), (3, flags & 64), (4, True)):
        if present:
            n = int.from_bytes(m[pos:pos + 3], "big")
            out[number] = m[pos:pos + n]
            pos += n
    return out


def message1(sections):
    body = b"".join(sections[n] for n in sorted(sections))
    return b"GRIB" + (8 + len(body) + 4).to_bytes(3, "big") + b"\1" + body + b"7777"


def second_order1(values_per_group, flags, first_width, widths, firsts, seconds, bitmap, constant):
    """Section 4 of second-order packing of edition 1 in the forms before ECMWF's general extended one."""
    n = len(seconds)
    bits = Bits()
    if bitmap:
        for length in values_per_group:
            bits.put(1 << (length - 1), length)
        bits.align()
    for v in firsts:
        bits.put(v, first_width)
    bits.align()
    at = 0
    for g, length in enumerate(values_per_group):
        for v in seconds[at:at + length]:
            bits.put(v, widths[g])
        at += length
    data = bits.bytes()
    head = bytes([0x40 | 0x10]) + (0x8003).to_bytes(2, "big") + bytes.fromhex("43100000")
    head += bytes([first_width]) + (0).to_bytes(2, "big") + bytes([flags]) + (0).to_bytes(2, "big")
    head += len(firsts).to_bytes(2, "big") + n.to_bytes(2, "big") + bytes([0])
    head += bytes([widths[0]]) if constant else bytes(widths)
    length = 3 + len(head) + len(data)
    pad = length % 2
    return (length + pad).to_bytes(3, "big") + head + data + bytes(pad)


def second_order(out):
    rng = np.random.default_rng(12)
    with open(os.path.join(out, "made_second_order.grib"), "wb") as f:
        for missing in (False, True):
            h = ec.codes_grib_new_from_samples("regular_ll_sfc_grib1")
            ni, nj = ec.codes_get(h, "Ni"), ec.codes_get(h, "Nj")
            values = rng.normal(0, 1, ni * nj)
            if missing:
                values[rng.random(ni * nj) < 0.2] = MISSING
                ec.codes_set(h, "bitmapPresent", 1)
                ec.codes_set(h, "missingValue", MISSING)
            ec.codes_set_values(h, values)
            s = sections1(ec.codes_get_message(h))
            present = (values != MISSING).reshape(nj, ni)
            n = int(present.sum())
            for first_width in (5, 11, 16):
                # row by row
                rows = [int(r.sum()) for r in present]
                widths = [int(w) for w in rng.integers(0, 14, nj)]
                firsts = rng.integers(0, 1 << first_width, nj)
                seconds = [int(rng.integers(0, 1 << widths[i])) for i, k in enumerate(rows) for _ in range(k)]
                s[4] = second_order1(rows, 0x10, first_width, widths, firsts, seconds, False, False)
                f.write(message1(s))
                # groups with a secondary bitmap, of different widths and of one width
                groups = []
                while sum(groups) < n:
                    groups.append(min(int(rng.integers(1, 40)), n - sum(groups)))
                for constant in (False, True):
                    widths = [7] * len(groups) if constant else [int(w) for w in rng.integers(0, 14, len(groups))]
                    firsts = rng.integers(0, 1 << first_width, len(groups))
                    seconds = [int(rng.integers(0, 1 << widths[i])) for i, k in enumerate(groups) for _ in range(k)]
                    flags = 0x20 if constant else 0x30
                    s[4] = second_order1(groups, flags, first_width, widths, firsts, seconds, True, constant)
                    f.write(message1(s))
            ec.codes_release(h)


def runs(rng, n, bits, top):
    """Returns n points in runs of levels up to top."""
    b, base = Bits(), (1 << bits) - 1 - top
    while n:
        run = min(int(rng.integers(1, 90)), n)
        b.put(rng.integers(0, top + 1), bits)
        rest = run - 1
        while rest:
            b.put(top + 1 + rest % base, bits)
            rest //= base
        n -= run
    return b


def run_length(out):
    """Run length packing with level values, as radar composites of JMA have it."""
    rng = np.random.default_rng(13)
    h = ec.codes_grib_new_from_samples("regular_ll_sfc_grib2")
    n = ec.codes_get_size(h, "values")
    m = sections2(ec.codes_get_message(h))
    with open(os.path.join(out, "made_run_length.grib"), "wb") as f:
        for bits, top, levels, decimal in ((8, 98, 98, 1), (4, 5, 9, 0), (8, 3, 3, 130), (12, 1000, 1000, 2)):
            b = runs(rng, n, bits, top)
            while len(b.s) % 8 >= bits or -len(b.s) % 8 >= bits:
                b = runs(rng, n, bits, top)  # the bits up to the next octet would be a run more
            data = b.bytes()
            five = n.to_bytes(4, "big") + (200).to_bytes(2, "big") + bytes([bits]) + top.to_bytes(2, "big") + levels.to_bytes(2, "big") + bytes([decimal])
            five += b"".join(int(v).to_bytes(2, "big") for v in np.sort(rng.integers(0, 60000, levels)))
            m[5] = (5 + len(five)).to_bytes(4, "big") + b"\5" + five
            m[7] = (5 + len(data)).to_bytes(4, "big") + b"\7" + data
            body = b"".join(m[s] for s in sorted(m))
            f.write(b"GRIB\0\0\0\2" + (20 + len(body)).to_bytes(8, "big") + body + b"7777")
    ec.codes_release(h)


def no_grid(out):
    """Edition 1 without a grid description: an international exchange grid, named by its number."""
    rng = np.random.default_rng(14)
    with open(os.path.join(out, "made_exchange_grid.grib"), "wb") as f:
        h = ec.codes_grib_new_from_samples("regular_ll_sfc_grib1")
        ec.codes_set_values(h, np.round(rng.normal(0, 1, ec.codes_get_size(h, "values")), 2))
        s = sections1(ec.codes_get_message(h))
        ec.codes_release(h)
        del s[2]
        for number, n in ((21, 1333), (25, 1297), (61, 4096)):
            for bits in (10, 12, 0):
                b = Bits()
                for v in rng.integers(0, 1 << bits, n):
                    b.put(v, bits)
                unused = -len(b.s) % 8
                data = b.bytes()
                pad = (11 + len(data)) % 2
                s[4] = (11 + len(data) + pad).to_bytes(3, "big") + bytes([unused + 8 * pad, 0x80, 5]) + bytes.fromhex("c3123456") + bytes([bits]) + data + bytes(pad)
                one = bytearray(s[1])
                one[6], one[7] = number, 0
                s[1] = bytes(one)
                f.write(message1(s))


def large(out):
    """Edition 1 messages longer than their 24 bits of length can say."""
    h = ec.codes_grib_new_from_samples("regular_ll_sfc_grib1")
    run(os.path.join(out, "derived_1_large.grib"), [
        field(h, np.sin(np.arange(2000 * nj) / 1000.0) * 30, False, {"Ni": 2000, "Nj": nj, "bitsPerValue": bits})
        for nj, bits in ((1500, 24), (2100, 16))])


def no_data(out):
    """The mark by which ECMWF says that a field has no values at all: binary scale factor -32767."""
    with open(os.path.join(out, "made_no_data.grib"), "wb") as f:
        h = ec.codes_grib_new_from_samples("regular_ll_sfc_grib1")
        m = bytearray(ec.codes_get_message(h))
        ec.codes_release(h)
        at = 8 + int.from_bytes(m[8:11], "big")
        at += int.from_bytes(m[at:at + 3], "big")
        m[at + 4:at + 6] = b"\xff\xff"
        f.write(m)


def main(out):
    os.makedirs(out, exist_ok=True)
    samples(out)
    for make in (packed, ieee64, spectral, spectral_ieee, missing_management, lossy, several_fields, second_order, run_length, no_grid, large, no_data):
        make(out)
    for name in os.listdir(out):
        path = os.path.join(out, name)
        if os.path.getsize(path) == 0:
            os.remove(path)


def frozen(path):
    """Writes a few messages of each packing, on the small regular grid, and the messages made octet by octet."""
    global WIDTHS, WIDE, TRUNCATIONS, DECIMALS, patterns
    WIDTHS, WIDE, TRUNCATIONS, DECIMALS = [11], [31], [10], [2]
    del SAMPLES["gg"]
    every = patterns
    patterns = lambda n, rng: (p for p in every(n, rng) if p[0] in ("smooth", "holes"))
    with tempfile.TemporaryDirectory() as out:
        for make in (packed, spectral, spectral_ieee, missing_management, several_fields, second_order, run_length, no_grid, no_data):
            make(out)
        with open(path, "wb") as f:
            for name in sorted(os.listdir(out)):
                with open(os.path.join(out, name), "rb") as g:
                    m = g.read()
                f.write(m)


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--frozen":
        frozen(sys.argv[2])
    elif len(sys.argv) == 2:
        main(sys.argv[1])
    else:
        sys.exit(__doc__)
