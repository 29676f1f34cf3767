#!/usr/bin/env bash
# `make bench`: every benchmark that has a peer, the peer in the same run. Peers come from .interop/ (make
# interop-setup); one that is not installed is named as skipped. C peers are compiled into .bench/.
set -u
cd "$(dirname "$0")/.."
mkdir -p .bench bin
CGO_ENABLED=0 go build -trimpath -o bin/tgmconv ./cmd/tgmconv || exit 1
echo "machine: $(nproc) cores, $(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2 | xargs), $(go version | cut -d' ' -f3), $(date -u +%F)"
for part in bench/*/main.go; do
  part=$(dirname "$part")
  printf '\n== %s\n' "$part"
  go run "./$part" || exit 1
done
python=.interop/venv/bin/python
printf '\n== bench/extract/gribjump.py\n'
if .interop/venvgribjump/bin/python -c 'import pyfdb, pygribjump' 2>/dev/null; then
  .interop/venvgribjump/bin/python bench/extract/gribjump.py .bench/extract-40.grib2 || exit 1
else
  echo 'skipped: pyfdb or pygribjump is not installed in .interop/venvgribjump'
fi
printf '\n== bench/netcdf/read.py\n'
if "$python" -c 'import netCDF4' 2>/dev/null; then
  reference=.interop/cargo/bin/tensogram
  [ -x "$reference" ] || { echo 'the reference is skipped: it is not installed in .interop/cargo'; reference=; }
  "$python" bench/netcdf/read.py bin/tgmconv $reference || exit 1
else
  echo 'skipped: netCDF4 is not installed in .interop/venv'
fi
printf '\n== bench/rows.py\n'
if "$python" -c 'import eccodes, numpy' 2>/dev/null; then
  CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o .bench/tgmconv ./cmd/tgmconv || exit 1
  "$python" bench/rows.py .bench/tgmconv || exit 1
else
  echo 'skipped: eccodes or numpy are not installed in .interop/venv'
fi
printf '\n== bench/zarr\n'
if "$python" -c 'import cfgrib, dask, eccodes, xarray, zarr' 2>/dev/null; then
  "$python" bench/zarr/labelled.py bin/tgmconv || exit 1
  "$python" bench/zarr/read.py || exit 1
  "$python" bench/tozarr/tozarr.py bin/tgmconv fixtures/grib/cfgrib/era5-levels-members.grib || exit 1
else
  echo 'skipped: cfgrib, xarray or zarr are not installed in .interop/venv'
fi
