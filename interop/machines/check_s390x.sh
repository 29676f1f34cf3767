#!/usr/bin/env bash
# Converts one sample file in forty as a big-endian program, for s390x. All tests of ./codec/... ./grib/... ./tgm ./mars/...
# ./tet/... ./netcdf pass there too, in half an hour.
cd "$(dirname "$0")/../.." || exit 1
exec interop/machines/same_bytes.sh s390x qemu-s390x-static "${STEP:-40}" fixtures/grib/*.grib* fixtures/grib/*/*.grib* fixtures/netcdf/*.nc fixtures/tet/*.tet
