#!/usr/bin/env bash
# `make demo`: real GRIB and netCDF files become .tgm, are listed, validated, drawn, and read back over HTTP as Zarr.
# The results stay in demo/.
set -eu
tgmconv=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")"
rm -rf demo
mkdir demo
show() { printf '\n$ tgmconv %s\n' "$*"; "$tgmconv" "$@"; }

echo "demo: takes about ten seconds, and leaves its results in demo/"
show convert -o demo/ecmwf.tgm fixtures/grib/2t.grib2 fixtures/grib/q_150.grib2 fixtures/grib/lsm.grib2
show convert -o demo/gfs.tgm fixtures/grib/gfs_2p50_f000.grib2
show convert --cf -o demo/temperature.tgm fixtures/netcdf/cf_temperature.nc
show ls demo/ecmwf.tgm demo/temperature.tgm
show validate demo/ecmwf.tgm demo/gfs.tgm demo/temperature.tgm
show plot -w shortName=t,level=850 -o demo/t850.png demo/gfs.tgm
terminal=(--terminal ascii)
[ -t 1 ] && terminal=()
show plot -w shortName=t,level=850 --width 80 "${terminal[@]}" demo/gfs.tgm
show extract --at 50.1,8.7 -w name=2t demo/ecmwf.tgm
show convert -w shortName=t,level=850 demo/gfs.tgm demo/t850.nc
show serve --check demo/ecmwf.tgm

command=${1#./}
cat <<END

demo: every step succeeded. Try next:
  $command demo/ecmwf.tgm         # the dataset, as xarray shows it
  $command view demo/gfs.tgm      # maps in a browser
  $command serve demo/ecmwf.tgm   # a Zarr store for xarray: xarray.open_zarr("http://127.0.0.1:8000")
END
