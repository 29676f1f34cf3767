#!/usr/bin/env bash
# Converts one sample file in eight as an arm64 program, and runs the tests of the packages whose results must not depend on the machine.
cd "$(dirname "$0")/../.." || exit 1
interop/machines/same_bytes.sh arm64 qemu-aarch64-static 8 fixtures/grib/*.grib* fixtures/grib/*/*.grib* fixtures/netcdf/*.nc || exit
export CGO_ENABLED=0 GOOS=linux GOARCH=arm64
# Tests of damaged bytes, of memory and of one code beside another are the same on every machine, and take two fifths of the time.
same='^(Fuzz|TestEvery(Bit|Byte)|TestReaderIsNew|TestEncodePiecesIsEncodeArray|TestDisposable|TestRepair|TestBlockTwins|TestGeometryMap|TestBombs|TestMemory|TestManyObjects)'
exec go test -exec qemu-aarch64-static -skip "$same" -timeout 60m ./codec/... ./grib/... ./tgm/... ./mars/...
