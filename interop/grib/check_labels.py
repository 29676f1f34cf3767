"""Checks that conversion keeps what tells GRIB 2 fields apart.

For every product template that ecCodes knows, and for every key coded in sections 1 and 4, a pair of
messages is made that differ in this key only. Both are converted, and what tgmconv dump shows of them
must differ.

Usage: check_labels.py [--bases FILE]    (writes one message per template, for the Go tests)
       check_labels.py --locals FILE     (writes one message per local definition, and does nothing else)
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path


import eccodes as ec

# Keys about the form of the message or its values; keys whose change changes the kind of the message;
# keys that matter only together with others.
FORM = {
    "section1Length", "section4Length", "numberOfSection", "NV", "numberOfCoordinatesValues",
    "productDefinitionTemplateNumber", "tablesVersion", "centre", "subCentre", "stepUnits",
}
# A layer between 1 and 2 m in the ground after 6 hours: of a step of no hours the unit means nothing.
LAYER = {
    "forecastTime": 6, "lengthOfTimeRange": 6, "typeOfFirstFixedSurface": 106, "scaleFactorOfFirstFixedSurface": 0, "scaledValueOfFirstFixedSurface": 1,
    "typeOfSecondFixedSurface": 106, "scaleFactorOfSecondFixedSurface": 0, "scaledValueOfSecondFixedSurface": 2,
}
# Keys of the output about packing, and keys that no two objects share.
PACKING = {"_reserved_", "bitsPerValue", "decimalScaleFactor", "packingType", "hash"}


def templates():
    """The numbers of the product templates that can be set on ecCodes' sample."""
    for number in [*range(0, 200), *range(254, 256), *range(1000, 1102), 2000, *range(40000, 40100), *range(50001, 50030)]:
        h = ec.codes_grib_new_from_samples("GRIB2")
        try:
            ec.codes_set(h, "setLocalDefinition", 0)
            ec.codes_set(h, "tablesVersion", 34)
            ec.codes_set(h, "productDefinitionTemplateNumber", number)
            for key, value in LAYER.items():
                try:
                    ec.codes_set(h, key, value)
                except ec.CodesInternalError:
                    pass  # not in this template
            if ec.codes_get(h, "section4Length") > 9:
                yield number, ec.codes_get_message(h)
        except ec.CodesInternalError:
            pass
        finally:
            ec.codes_release(h)


# Keys of local definitions of edition 1 that say how much follows, with counts.
COUNTS = [(6, "countOfICEFieldsUsed", 2), (2, "numberOfForecastsInCluster", 3), (32, "numberOfForecastsInCluster", 3), (33, "numberOfForcasts", 2),
          (29, "numberOfForecastsInCluster", 2), (37, "numberOfFrequencies", 3), (14, "numberOfFrequencies", 3), (31, "numberOfModels", 2)]
LOCALS2 = (1, 5, 7, 9, 11, 12, 14, 15, 16, 18, 20, 21, 24, 25, 26, 28, 30, 36, 37, 38, 39, 41, 42, 43, 44, 45, 46, 51, 52, 60, 192, 300, 500)
CENTRES = (7, 34, 46, 54, 78, 80, 82, 85, 96, 214, 250, 253, 254)


def with_locals():
    """A message of each local definition that ecCodes knows, and of two parts that it does not know."""
    tries = [("GRIB1", [("localDefinitionNumber", n), ("dataDate", 20060316)]) for n in range(256)]
    tries += [("GRIB1", [("localDefinitionNumber", 13), ("localFlag", n)]) for n in range(5)]
    tries += [("GRIB1", [("localDefinitionNumber", n), (key, count)]) for n, key, count in COUNTS]
    tries += [("GRIB2", [("centre", 98), ("grib2LocalSectionNumber", n)]) for n in LOCALS2]
    for key, sample in ("localDefinitionNumber", "GRIB1"), ("grib2LocalSectionNumber", "GRIB2"):
        tries += [(sample, [("centre", c), (key, n)]) for c in CENTRES for n in (0, 1, 2, 82, 83)]
    seen = set()
    for sample, sets in tries:
        h = ec.codes_grib_new_from_samples(sample)
        try:
            ec.codes_set(h, "setLocalDefinition", 1)
            for key, value in sorted(sets, key=lambda s: s[0] != "centre"):
                ec.codes_set(h, key, value)
            message = ec.codes_get_message(h)
        except ec.CodesInternalError:
            continue
        finally:
            ec.codes_release(h)
        length = int.from_bytes(message[8:11], "big") if sample == "GRIB1" else int.from_bytes(message[37:41], "big") * (message[41] == 2)
        if length > (41 if sample == "GRIB1" else 7) and message not in seen:
            seen.add(message)
            yield message
    yield from unknown_parts()


def unknown_parts():
    """Messages of a centre of whose local parts ecCodes knows nothing."""
    for sample, at in ("GRIB1", 8), ("GRIB2", 37):
        h = ec.codes_grib_new_from_samples(sample)
        ec.codes_set(h, "centre", 74)
        message = bytearray(ec.codes_get_message(h))
        ec.codes_release(h)
        if sample == "GRIB2":
            message[at:at] = bytes([0, 0, 0, 12, 2, 1, 2, 3, 4, 5, 6, 7])
            message[8:16] = len(message).to_bytes(8, "big")
        else:
            length = int.from_bytes(message[at : at + 3], "big")
            message[at : at + length] = message[at : at + 28] + bytes(12) + bytes([1, 2, 3, 4, 5, 6])
            message[at : at + 3] = (46).to_bytes(3, "big")
            message[4:7] = len(message).to_bytes(3, "big")
        yield bytes(message)


def coded_keys(message):
    """The keys that are coded in sections 1 and 4, each with its offset."""
    h = ec.codes_new_from_message(message)
    ranges = [(ec.codes_get(h, f"offsetSection{n}"), ec.codes_get(h, f"section{n}Length")) for n in (1, 4)]
    found = {}
    it = ec.codes_keys_iterator_new(h)
    while ec.codes_keys_iterator_next(it):
        key = ec.codes_keys_iterator_get_name(it)
        try:
            offset = ec.codes_get_offset(h, key)
        except ec.CodesInternalError:
            continue
        if any(a <= offset < a + n for a, n in ranges) and key not in FORM:
            found.setdefault(offset, key)
    ec.codes_keys_iterator_delete(it)
    ec.codes_release(h)
    return found


def changed(message, key):
    """The message with another value of key, or None if ecCodes cannot write one."""
    h = ec.codes_new_from_message(message)
    try:
        old = ec.codes_get_long(h, key) if not ec.codes_is_missing(h, key) else None
        for value in (1, 2, 3) if old is None else (old + 1, old - 1, old + 2):
            try:
                ec.codes_set_long(h, key, value)
            except ec.CodesInternalError:
                continue
            out = ec.codes_get_message(h)
            if len(out) == len(message) and out != message and ec.codes_get_long(h, key) == value:
                return out
    except ec.CodesInternalError:
        pass
    finally:
        ec.codes_release(h)
    return None


def labels(entry):
    return {k: labels(v) for k, v in entry.items() if k not in PACKING} if isinstance(entry, dict) else entry


def main():
    if "--locals" in sys.argv:
        Path(sys.argv[sys.argv.index("--locals") + 1]).write_bytes(b"".join(with_locals()))
        return 0
    tgmconv = os.environ.get("TGMCONV", "bin/tgmconv")
    with tempfile.TemporaryDirectory() as scratch:
        return check(tgmconv, Path(scratch))


def check(tgmconv, scratch):
    bases, pairs, lost = b"", 0, {}
    for number, base in templates():
        bases += base
        tries = [(key, other) for key in coded_keys(base).values() if (other := changed(base, key))]
        source, output = scratch / "pairs.grib2", scratch / "pairs.tgm"
        source.write_bytes(base + b"".join(other for _, other in tries))
        subprocess.run([tgmconv, "convert-grib", "--quiet", "--coordinates", "none", "-o", output, source], check=True)
        dump = subprocess.run([tgmconv, "dump", "--json", output], capture_output=True, check=True, text=True)
        entries = [labels(entry) for entry in json.loads(dump.stdout)[0]["base"]]
        for (key, _), entry in zip(tries, entries[1:], strict=True):
            pairs += 1
            if entry == entries[0]:
                lost.setdefault(key, []).append(f"4.{number}")
    if "--bases" in sys.argv:
        Path(sys.argv[sys.argv.index("--bases") + 1]).write_bytes(bases)
    print(f"labels: {pairs} pairs, {len(lost)} not told apart", *(f"{key} of {', '.join(of)}" for key, of in lost.items()), sep="\n  ")
    return 1 if lost or pairs < 1000 else 0


if __name__ == "__main__":
    sys.exit(main())
