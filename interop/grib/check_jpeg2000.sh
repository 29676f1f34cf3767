#!/usr/bin/env bash
# Compares what is decoded of JPEG 2000 of every kind with ecCodes. Exit 77 if OpenJPEG's encoder is not installed.
set -u
cd "$(dirname "$0")/../.."
command -v opj_compress >/dev/null || { echo "check_jpeg2000: libopenjp2-tools is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
.interop/venv/bin/python interop/grib/jpeg2000_make.py "$work/jpeg2000.grib" || exit 1
.interop/venv/bin/python interop/grib/check_wide.py "$work/jpeg2000.grib"
