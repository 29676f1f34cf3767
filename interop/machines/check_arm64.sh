#!/usr/bin/env bash
# Runs the tests of the packages whose results must not depend on the machine as arm64 programs, under qemu, and
# converts the sample files on both machines: the bytes are the same.
command -v qemu-aarch64-static >/dev/null || exit 77
set -eu
cd "$(dirname "$0")/../.."
export CGO_ENABLED=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -trimpath -o "$work/here" ./cmd/tgmconv
GOOS=linux GOARCH=arm64 go build -o "$work/there" ./cmd/tgmconv
same=0 differ=0
for file in fixtures/grib/*.grib* fixtures/grib/*/*.grib* fixtures/netcdf/*.nc; do
  [ -f "$file" ] || continue
  rm -f "$work"/*.tgm
  "$work/here" convert --reproducible -q -o "$work/here.tgm" "$file" >/dev/null 2>&1 || continue
  qemu-aarch64-static "$work/there" convert --reproducible -q -o "$work/there.tgm" "$file" >/dev/null 2>&1 || true
  if cmp -s "$work/here.tgm" "$work/there.tgm"; then same=$((same + 1)); else echo "arm64 converts $file to other bytes"; differ=$((differ + 1)); fi
done
echo "$same sample files convert to the same bytes on arm64, $differ do not"
[ "$same" -gt 0 ] && [ "$differ" = 0 ]
GOOS=linux GOARCH=arm64 go test -exec qemu-aarch64-static -short -timeout 60m ./codec/... ./grib/... ./tgm/... ./mars/...
