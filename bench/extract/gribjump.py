"""Measures ECMWF's GribJump on the fields of bench/extract: python gribjump.py FIELDS.grib2

Needs pygribjump, gribjumplib and eccodes of PyPI. The messages are named by path and offset, without an FDB; what GribJump
learns of a message in the first round it has in the others ("warm"). Processor time of one thread.
"""

import os
import random
import resource
import sys

os.environ.setdefault("GRIBJUMP_IGNORE_GRID", "1")
os.environ.setdefault("FDB5_CONFIG", "{type: local, engine: toc, spaces: [{roots: [{path: /tmp}]}]}")

import eccodes  # noqa: E402
import numpy as np  # noqa: E402
import pygribjump  # noqa: E402


def processor_time():
    return sum(resource.getrusage(resource.RUSAGE_SELF)[:2])


def main(path):
    offsets, values, grid = [], None, ""
    with open(path, "rb") as f:
        while (h := eccodes.codes_any_new_from_file(f)) is not None:
            offsets.append(int(eccodes.codes_get(h, "offset")))
            if values is None:
                values, grid = eccodes.codes_get_array(h, "values"), eccodes.codes_get_string(h, "md5GridSection")
            eccodes.codes_release(h)
    jump, rng = pygribjump.GribJump(), random.Random(1)
    for n in (1, 10, 100, 1000):
        at = sorted(rng.sample(range(len(values)), n))
        ranges, best = [(i, i + 1) for i in at], None
        for _ in range(4):
            requests = [pygribjump.PathExtractionRequest(path, "file", o, "", 0, ranges, grid) for o in offsets]
            start, first = processor_time(), None
            for result in jump.extract_from_paths(requests):
                if first is None:
                    first = np.concatenate(result.values)
            took = processor_time() - start
            best = took if best is None else min(best, took)
        same = "the same values" if np.array_equal(first, values[at]) else "OTHER VALUES"
        print(f"{n} points of a field: GribJump {len(offsets) / best:.0f} fields/s, {same} as ecCodes")


main(sys.argv[1])
