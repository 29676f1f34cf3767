"""Compares statistics that tgmconv extract --over takes with NumPy, on values that ecCodes decodes.

    .interop/venv/bin/python interop/extract/check_statistics.py
"""

import collections
import csv
import io
import os
import subprocess
import sys

import eccodes
import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TGMCONV = os.environ.get("TGMCONV", os.path.join(ROOT, "bin", "tgmconv"))
STATISTICS = {
    "mean": np.mean, "std": np.std, "min": np.min, "max": np.max, "median": np.median, "count": len,
    "p10": lambda v: np.percentile(v, 10), "p97.5": lambda v: np.percentile(v, 97.5),
}
FILES = [("cfgrib/era5-levels-members.grib", "number"), ("cfgrib/era5-levels-members.grib", "time"), ("earthkit/t_time_series.grib", "step")]
POINTS = [0, 7, 60]


def expected(path, over):
    """The values of the file at the points, by the labels that are left."""
    groups = collections.defaultdict(list)
    with open(path, "rb") as f:
        while (h := eccodes.codes_grib_new_from_file(f)) is not None:
            labels = {key: eccodes.codes_get(h, key) for key in ("shortName", "level", "number", "dataDate", "dataTime", "step")}
            for key in {"time": ("dataDate", "dataTime")}.get(over, (over,)):
                labels.pop(key)
            values = eccodes.codes_get_array(h, "values")
            for point in POINTS:
                groups[(point, *labels.values())].append(values[point])
            eccodes.codes_release(h)
    return groups


def check(name, over):
    path = os.path.join(ROOT, "fixtures", "grib", name)
    command = [TGMCONV, "extract", "--over", over, "--stat", ",".join(STATISTICS), path]
    for point in POINTS:
        command += ["--index", str(point)]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = collections.defaultdict(list)
    for row in csv.DictReader(io.StringIO(out)):
        short, statistic = row["name"].rsplit("_", 1)
        found[int(row["point"]), short, int(row["level"]), statistic].append(float(row["value"]))
    bad, compared = [], 0
    wanted = collections.defaultdict(list)
    for (point, short, level, *_), values in expected(path, over).items():
        for statistic, of in STATISTICS.items():
            wanted[point, short, level, statistic].append(float(of(np.array(values))))
    for key, values in wanted.items():
        compared += len(values)
        if len(values) != len(found[key]) or not np.allclose(sorted(values), sorted(found[key]), rtol=1e-12, atol=1e-9):
            bad.append(f"{name} over {over}: {key}: {found[key]}, NumPy has {values}")
    if len(found) != len(wanted):
        bad.append(f"{name} over {over}: {len(found)} series, expected {len(wanted)}")
    return bad, compared


def main():
    bad, compared = [], 0
    for name, over in FILES:
        more, n = check(name, over)
        bad, compared = bad + more, compared + n
    for line in bad[:20]:
        print("FAIL", line)
    print(f"extract: {compared} statistics compared with NumPy, {len(bad)} differ")
    return 1 if bad or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
