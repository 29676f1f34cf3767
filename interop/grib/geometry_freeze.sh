#!/usr/bin/env bash
# Writes grib/geometry/testdata: what ecCodes 2.50 says of the grids of the sample files and of derived messages,
# and where PROJ puts the points of projected grids.
set -eu
cd "$(dirname "$0")/../.."
py=.interop/venv/bin/python
dir=grib/geometry/testdata
mkdir -p "$dir/pyproj"
$py interop/grib/geometry_oracle.py --frozen 1 files fixtures/grib/*.grib2 fixtures/grib/*/*.grib* 2>/dev/null | gzip -9n >"$dir/fixtures.jsonl.gz"
$py interop/grib/geometry_oracle.py --frozen 5 derived 2>/dev/null | gzip -9n >"$dir/derived.jsonl.gz"
.interop/pyproj/bin/python interop/grib/geometry_pyproj.py | gzip -9n >"$dir/pyproj/grids.jsonl.gz"
ls -l "$dir"
