"""Reads the catalogue of an archive, which tgmconv index -o writes, with pyarrow, fastparquet, DuckDB and Polars, and
compares its rows with offset, length, name and time that ecCodes has of the messages.

    .interop/venv/bin/python interop/cluster/check_catalogue.py

Exit 1 if anything differs, 77 if none of the four is installed (parts zarr and cluster of interop/setup.sh).
"""
import json
import os
import subprocess
import sys
import tempfile

import eccodes

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..'))
TGMCONV = os.path.abspath(os.environ.get('TGMCONV', 'bin/tgmconv'))
FILES = ['fixtures/grib/' + name for name in ('2t.grib2', 'q_150.grib2', 'gfs_2p50_f000.grib2', 'cfgrib/era5-levels-members.grib', 'hindcast_edition1.grib')]
NAMES = ['file', 'offset', 'length', 'name', 'reference_time']
READERS = {
    'pyarrow': ('.interop/venvzarr', 'import pyarrow.parquet as p; t = p.read_table(path).to_pandas()'),
    'fastparquet': ('.interop/venvzarr', 'import fastparquet as p; t = p.ParquetFile(path).to_pandas()'),
    'duckdb': ('.interop/venvcluster', 'import duckdb; c = duckdb.sql("select * from read_parquet(\'" + path + "\')"); rows = [dict(zip(c.columns, r)) for r in c.fetchall()]'),
    'polars': ('.interop/venvcluster', 'import polars; rows = polars.read_parquet(path).to_dicts()'),
}
PROGRAM = '''
import json, math, sys
path = sys.argv[1]
{read}
if 't' in dir():
    rows = t.to_dict('records')
def plain(v):
    if v is None or v != v:
        return None
    if hasattr(v, 'isoformat'):
        return v.isoformat()[:19]
    if isinstance(v, bytes):
        return v.decode()
    return v.item() if hasattr(v, 'item') else v
print(json.dumps([{{k: plain(r[k]) for k in {names}}} for r in rows]))
'''


def expected(path):
    """The rows of a file by ecCodes: the offset of each message, its length, name and time."""
    rows = []
    with open(path, 'rb') as f:
        while (g := eccodes.codes_grib_new_from_file(f)) is not None:
            get = lambda key: eccodes.codes_get(g, key)
            date, clock = get('dataDate'), get('dataTime')
            rows.append((int(eccodes.codes_get_message_offset(g)), get('totalLength'), get('shortName'),
                         f'{date // 10000:04}-{date // 100 % 100:02}-{date % 100:02}T{clock // 100:02}:{clock % 100:02}:00'))
            eccodes.codes_release(g)
    return rows


bad = compared = read = 0
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, 'all.parquet')
    subprocess.run([TGMCONV, 'index', '-o', path, *FILES], check=True, capture_output=True)
    want = {os.path.abspath(f): expected(f) for f in FILES}
    for name, (venv, code) in READERS.items():
        python = venv + '/bin/python'
        if not os.path.exists(python) or subprocess.run([python, '-c', f'import {name}'], capture_output=True).returncode:
            print(f'check_catalogue: {name} is not installed')
            continue
        out = subprocess.run([python, '-c', PROGRAM.format(read=code, names=NAMES), path], capture_output=True, text=True)
        if out.returncode:
            print(f'check_catalogue: {name}: {out.stderr.strip()[-300:]}')
            bad += 1
            continue
        read += 1
        rows = json.loads(out.stdout)
        got = {}
        for r in rows:
            known = 'unknown' if r['name'].startswith('unknown') else r['name']  # unknown_0_3_196 tells parameters apart
            got.setdefault(r['file'], []).append((int(r['offset']), int(r['length']), known, r['reference_time']))
        for file, fields in want.items():
            compared += len(fields)
            if got.get(file) != fields:
                bad += 1
                differs = next(((a, b) for a, b in zip(got.get(file, []), fields) if a != b), (len(got.get(file, [])), len(fields)))
                print(f'check_catalogue: {name}: {file}: {differs[0]}, expected {differs[1]}')
    size = os.path.getsize(path)
rows = sum(map(len, want.values()))
print(f'check_catalogue: {compared} rows read by {read} programs, {bad} differ; {size / rows:.0f} bytes a field with the places of its values')
sys.exit(1 if bad else 0 if read else 77)
