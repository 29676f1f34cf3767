#!/usr/bin/env bash
# Converts GRIB 1 messages that ECMWF's former encoder wrote and compares them with ecCodes. Exit 77 if the encoder is not installed.
set -u
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
gfortran -O1 -ffree-line-length-none -o "$work/gribex_make" interop/grib/gribex_make.f90 -lemosR64 2>"$work/why" ||
  { echo "check_gribex: libemos-dev or gfortran is not installed"; exit 77; }
"$work/gribex_make" "$work/gribex.grib" 1 500 2000 >/dev/null || exit 1
.interop/venv/bin/python interop/grib/check_wide.py "$work/gribex.grib"
