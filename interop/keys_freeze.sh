#!/usr/bin/env bash
# Writes grib/keys/testdata: the keys that ecCodes 2.50 gives for the sample files and for some derived messages.
set -eu
cd "$(dirname "$0")/.."
py=$PWD/.interop/venv/bin/python
out=$PWD/grib/keys/testdata
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
mkdir -p "$out"
go run ./grib/keys/gen -export "$tmp" \
  -memfs '.interop/venv/lib/python3*/site-packages/eccodeslib/lib64/libeccodes_memfs.so'
find fixtures/grib -type f \( -name '*.grib*' -o -name '*.grb*' \) ! -path '*/malformed/*' | LC_ALL=C sort |
  xargs $py interop/keys_dump.py 2>/dev/null | zstd -19 -q -f -o "$out/fixtures.jsonl.zst"

KEYS_DEFINITIONS=$tmp/definitions $py interop/keys_make.py "$tmp/derived" \
  params templates marskw locals centres levels steps versions grids rawlocal marsbytes >/dev/null
# A few messages of each group, forwards and backwards: what ecCodes says of some depends on those before them.
cat >"$tmp/pick.py" <<'EOF'
import os, sys
every = {'params': 60, 'marskw': 20, 'rawlocal': 60, 'marsbytes': 20, 'templates': 10, 'centres': 15, 'levels': 10, 'steps': 10}
messages = []
for name in sorted(os.listdir('.')):
    b = open(name, 'rb').read(); at = i = 0
    while at < len(b):
        n = int.from_bytes(b[at + 4:at + 7], 'big') if b[at + 7] == 1 else int.from_bytes(b[at + 8:at + 16], 'big')
        if i % every.get(name[:-5], 5) == 0 and n < 3000: messages.append(b[at:at + n])
        at += n; i += 1
open(sys.argv[1] + '/derived.grib', 'wb').write(b''.join(messages))
open(sys.argv[1] + '/backwards.grib', 'wb').write(b''.join(reversed(messages)))
EOF
cat >"$tmp/agree.py" <<'EOF'
import json, sys
folder = sys.argv[1]
def said(name):
    b = open(f'{folder}/{name}.grib', 'rb').read(); out = {}
    for line in open(f'{folder}/{name}.jsonl'):
        j = json.loads(line)
        if 'error' not in j: out[b[j['offset']:j['offset'] + j['size']]] = (j['ns'], j['keys'], line)
    return out
there, back = said('derived'), said('backwards')
for m, (ns, keys, line) in there.items():
    if m in back and back[m][:2] == (ns, keys): sys.stdout.write(line)
EOF
(cd "$tmp/derived" && $py "$tmp/pick.py" "$tmp")
for name in derived backwards; do (cd "$tmp" && $py "$OLDPWD/interop/keys_dump.py" $name.grib >$name.jsonl 2>/dev/null); done
$py "$tmp/agree.py" "$tmp" | zstd -19 -q -f -o "$out/derived.jsonl.zst"
zstd -19 -q -f "$tmp/derived.grib" -o "$out/derived.grib.zst"
ls -l "$out"
