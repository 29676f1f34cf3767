#!/usr/bin/env bash
# Converts sample files on this machine and as a big-endian program, s390x under qemu: the bytes are the same. One in forty
# is taken; all tests of ./codec/... ./grib/... ./tgm ./mars/... ./tet/... ./netcdf pass there too, in half an hour.
command -v qemu-s390x-static >/dev/null || exit 77
set -eu
cd "$(dirname "$0")/../.."
export CGO_ENABLED=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -trimpath -o "$work/here" ./cmd/tgmconv
GOOS=linux GOARCH=s390x go build -o "$work/there" ./cmd/tgmconv
same=0 differ=0 n=0
for file in fixtures/grib/*.grib* fixtures/grib/*/*.grib* fixtures/netcdf/*.nc fixtures/tet/*.tet; do
  n=$((n + 1))
  [ -f "$file" ] && [ $((n % ${STEP:-40})) = 0 ] || continue
  rm -f "$work"/*.tgm
  "$work/here" convert --reproducible -q -o "$work/here.tgm" "$file" >/dev/null 2>&1 || continue
  qemu-s390x-static "$work/there" convert --reproducible -q -o "$work/there.tgm" "$file" >/dev/null 2>&1 || true
  if cmp -s "$work/here.tgm" "$work/there.tgm"; then same=$((same + 1)); else echo "s390x converts $file to other bytes"; differ=$((differ + 1)); fi
done
echo "$same sample files convert to the same bytes on s390x, $differ do not"
[ "$same" -gt 0 ] && [ "$differ" = 0 ]
