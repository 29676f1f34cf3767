#!/usr/bin/env bash
# `make demo`: real GRIB and netCDF files become .tgm, are listed, validated and read back over HTTP as Zarr.
set -eu
tgmconv=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
show() { printf '\n$ tgmconv %s\n' "${*//$out\//}"; "$tgmconv" "$@"; }

show convert-grib -o "$out/ecmwf.tgm" fixtures/grib/2t.grib2 fixtures/grib/q_150.grib2 fixtures/grib/lsm.grib2
show convert-grib -o "$out/gfs.tgm" fixtures/grib/gfs_2p50_f000.grib2
show convert-netcdf --cf -o "$out/cf_temperature.tgm" fixtures/netcdf/cf_temperature.nc
show ls "$out/ecmwf.tgm" "$out/cf_temperature.tgm"
show validate "$out/ecmwf.tgm" "$out/gfs.tgm" "$out/cf_temperature.tgm"
show serve --check "$out/ecmwf.tgm"
printf '\ndemo: every step succeeded\n'
