#!/usr/bin/env bash
# Converts GRIB 2 messages that NCEP's own encoder wrote and compares them with ecCodes, and has NCEP's
# decoder read the messages that to-grib writes. Exit 77 if the encoder is not installed.
set -u
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo '#include <grib2.h>' | cc -E - >"$work/installed" 2>&1 || { echo "check_g2c: libg2c-dev is not installed"; exit 77; }
cc -o "$work/g2c_make" interop/grib/g2c_make.c -lg2c -lm || exit 1
"$work/g2c_make" "$work/small.grib2" 1 600 2000 || exit 1
"$work/g2c_make" "$work/large.grib2" 2 60 40000 || exit 1
cc -O2 -o "$work/g2c_read" interop/grib/g2c_read.c -lg2c -lm || exit 1
.interop/venv/bin/python interop/grib/g2c_compare.py "$work/g2c_read" || exit 1
.interop/venv/bin/python interop/grib/check_wide.py "$work"/*.grib2
