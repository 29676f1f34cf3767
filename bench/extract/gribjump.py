"""Measures ECMWF's GribJump on the fields of bench/extract: python gribjump.py FIELDS.grib2

Needs pygribjump, gribjumplib, pyfdb and eccodes of PyPI. The fields are named by path and offset, and then by their labels
in an FDB that is made for the run. What GribJump learns of a message in the first round it has in the others ("warm").
Processor time of one thread; requests are made before the clock starts.
"""

import os
import random
import resource
import shutil
import sys
import tempfile

FOLDER = tempfile.mkdtemp(prefix="gribjump")
SCHEMA = """param: Param;
step: Step;
date: Date;
expver: Expver;
time: Time;

[ class, expver, stream, date, time
  [ type, levtype
    [ step, param ]]]
"""
LABELS = {"class": "od", "expver": "0001", "stream": "oper", "type": "an", "levtype": "sfc", "step": "0", "param": "167"}

os.environ.setdefault("GRIBJUMP_IGNORE_GRID", "1")
os.environ["FDB5_CONFIG"] = (
    "{type: local, engine: toc, schema: %s/schema, spaces: [{handler: Default, roots: [{path: %s/root}]}]}" % (FOLDER, FOLDER)
)

import eccodes  # noqa: E402
import numpy as np  # noqa: E402
import pyfdb  # noqa: E402
import pygribjump  # noqa: E402


def processor_time():
    return sum(resource.getrusage(resource.RUSAGE_SELF)[:2])


def archived(path):
    """Puts the fields into the FDB; returns their offsets and labels, and the values and the grid of the first."""
    os.mkdir(os.path.join(FOLDER, "root"))
    with open(os.path.join(FOLDER, "schema"), "w") as f:
        f.write(SCHEMA)
    offsets, labels, values, grid = [], [], None, ""
    fdb = pyfdb.FDB()
    with open(path, "rb") as f:
        while (h := eccodes.codes_grib_new_from_file(f)) is not None:
            offsets.append(int(eccodes.codes_get(h, "offset")))
            labels.append(LABELS | {"date": eccodes.codes_get_string(h, "dataDate"), "time": f"{eccodes.codes_get(h, 'dataTime'):04d}"})
            fdb.archive(eccodes.codes_get_message(h), labels[-1])
            if values is None:
                values, grid = eccodes.codes_get_array(h, "values"), eccodes.codes_get_string(h, "md5GridSection")
            eccodes.codes_release(h)
    fdb.flush()
    return offsets, labels, values, grid


def measure(name, requests, extract, fields, at, values):
    """Prints how many fields a second extract takes the points of, in the best of some rounds."""
    best = None
    for _ in range(4):
        made = requests()
        start, first = processor_time(), None
        for result in extract(made):
            if first is None:
                first = np.concatenate(result.values)
        took = processor_time() - start
        best = took if best is None else min(best, took)
    same = "the same values" if np.array_equal(first, values[at]) else "OTHER VALUES"
    print(f"{len(at)} points of a field: GribJump, {name}, {fields / best:.0f} fields/s, {same} as ecCodes")


def main(path):
    offsets, labels, values, grid = archived(path)
    jump, rng = pygribjump.GribJump(), random.Random(1)
    for n in (1, 10, 100, 1000):
        at = sorted(rng.sample(range(len(values)), n))
        ranges = [(i, i + 1) for i in at]
        measure(
            "by path and offset",
            lambda: [pygribjump.PathExtractionRequest(path, "file", o, "", 0, ranges, grid) for o in offsets],
            jump.extract_from_paths, len(offsets), at, values,
        )
        measure(
            "by its FDB",
            lambda: [pygribjump.ExtractionRequest(r, ranges, grid) for r in labels],
            jump.extract, len(offsets), at, values,
        )


try:
    main(sys.argv[1])
finally:
    shutil.rmtree(FOLDER)
