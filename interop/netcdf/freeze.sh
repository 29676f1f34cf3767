#!/usr/bin/env bash
# Makes the files in netcdf/testdata/odd and the expectations beside them, from what the netCDF library and
# h5py in .interop/venv read. Run it after a change to make.py.
set -eu
cd "$(dirname "$0")/../.."
python=.interop/venv/bin/python
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
$python interop/netcdf/make.py "$work" --kitchen fixtures/netcdf/kitchen.cdl
# variants of the same that only make interop reads
rm -f "$work"/index_{earliest,fletcher_*,gzip_latest,mixed_earliest}.h5 "$work"/groups_{earliest_order,latest}.h5
out=netcdf/testdata
rm -rf $out/odd && mkdir -p $out/odd
: > $out/odd.json; : > $out/h5py.json; : > $out/fixtures.json
for f in "$work"/*; do
  case $f in
    *x_streaming.nc) sed 's/classic_nc3.nc/x_streaming.nc/' < <($python interop/netcdf/expect.py "$work/classic_nc3.nc") >> $out/odd.json ;;
    *) $python interop/netcdf/expect.py "$f" >> $out/odd.json ;;
  esac
  case $f in *.h5) $python interop/netcdf/read_h5py.py "$f" >> $out/h5py.json ;; esac
  gzip -9n < "$f" > $out/odd/"$(basename "$f")".gz
done
for f in $(find fixtures/netcdf -type f ! -name '*.cdl' ! -name '*.bin' | sort); do
  $python interop/netcdf/expect.py "$f" >> $out/fixtures.json
done
gzip -9nf $out/odd.json $out/h5py.json $out/fixtures.json
du -sh $out
