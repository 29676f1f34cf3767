#!/usr/bin/env bash
# Runs the tests of the library packages as 32-bit programs. An amd64 Linux runs these itself.
[ "$(uname -sm)" = "Linux x86_64" ] || exit 77
set -eu
export GOARCH=386 CGO_ENABLED=0
# Tests of damaged bytes, and of much memory, take long and are the same on every machine.
exec go test -skip '^TestEvery(Bit|Byte)|^TestReaderIsNew|^TestBombs|^TestMemory|^TestManyObjects|^TestLargeObjects' -timeout 30m ./codec/... ./grib/... ./tgm/... ./netcdf/... ./serve/... ./zarr/... ./importers/... ./mars/... ./cf/... ./mapping/... \
  ./exporters/... ./tet/... ./dataset/... ./internal/catalog/... ./storage/... ./internal/archive/... ./internal/tetquery/...
