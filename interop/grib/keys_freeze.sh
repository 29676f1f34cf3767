#!/usr/bin/env bash
# Writes grib/keys/testdata: the keys that ecCodes 2.50 gives for the sample files and for some derived messages.
set -eu
cd "$(dirname "$0")/../.."
python=$PWD/.interop/venv/bin/python
scripts=$PWD/interop/grib
out=$PWD/grib/keys/testdata
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"

go run ./grib/keys/internal/gen -export "$work" \
  -memfs '.interop/venv/lib/python3*/site-packages/eccodeslib/lib64/libeccodes_memfs.so'
find fixtures/grib -type f \( -name '*.grib*' -o -name '*.grb*' \) ! -path '*/malformed/*' | LC_ALL=C sort |
  xargs "$python" "$scripts/keys_dump.py" 2>/dev/null | zstd -19 -q -f -o "$out/fixtures.jsonl.zst"

KEYS_DEFINITIONS=$work/definitions "$python" "$scripts/keys_make.py" "$work/derived" \
  params templates marskw locals centres levels steps versions grids rawlocal marsbytes >/dev/null
"$python" "$scripts/keys_pick.py" pick "$work/derived" "$work"
cd "$work"
for name in derived backwards; do
  "$python" "$scripts/keys_dump.py" "$name.grib" >"$name.jsonl" 2>/dev/null
done
"$python" "$scripts/keys_pick.py" agree "$work" | zstd -19 -q -f -o "$out/derived.jsonl.zst"
zstd -19 -q -f derived.grib -o "$out/derived.grib.zst"
ls -l "$out"
