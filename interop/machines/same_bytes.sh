#!/usr/bin/env bash
# Converts sample files on this machine and as a program for another one, under qemu: the bytes are the same.
# same_bytes.sh GOARCH QEMU STEP FILE...: one file in STEP is taken. Exit code 77 if QEMU is not there.
set -eu
cd "$(dirname "$0")/../.."
arch=$1 qemu=$2 step=$3
shift 3
command -v "$qemu" >/dev/null || exit 77
export CGO_ENABLED=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -trimpath -o "$work/here" ./cmd/tgmconv
GOOS=linux GOARCH=$arch go build -o "$work/there" ./cmd/tgmconv
same=0 differ=0 n=0
for file; do
  n=$((n + 1))
  [ -f "$file" ] && [ $((n % step)) = 0 ] || continue
  rm -f "$work"/*.tgm
  "$work/here" convert --reproducible -q -o "$work/here.tgm" "$file" >/dev/null 2>&1 || continue
  "$qemu" "$work/there" convert --reproducible -q -o "$work/there.tgm" "$file" >/dev/null 2>&1 || true
  if cmp -s "$work/here.tgm" "$work/there.tgm"; then same=$((same + 1)); else echo "$arch converts $file to other bytes"; differ=$((differ + 1)); fi
done
echo "$same sample files convert to the same bytes on $arch, $differ do not"
[ "$same" -gt 0 ] && [ "$differ" = 0 ]
