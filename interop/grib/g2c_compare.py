"""Has tgmconv write fields in simple and in complex packing with spatial differencing, and compares what g2c decodes with ecCodes.

    .interop/venv/bin/python interop/grib/g2c_compare.py G2C_READ     the program of g2c_read.c

g2c 1.7 knows neither template 5.4, IEEE floats, nor 5.42, CCSDS.
Exit 1 if anything differs.
"""
import os
import subprocess
import sys
import tempfile

import eccodes as ec
import numpy as np

TGMCONV = os.environ.get('TGMCONV', 'bin/tgmconv')
# A regular grid, a Gaussian one, bitmaps, levels, complex packing with missing values, a constant field.
FILES = ['fixtures/grib/q_150.grib2', 'fixtures/grib/2t.grib2', 'fixtures/grib/lsm.grib2', 'fixtures/grib/gfs_2p50_f000.grib2', 'fixtures/grib/sanity.grib2',
         'fixtures/grib/cfgrib/regular_gg_ml_g2.grib', 'fixtures/grib/eccodes-python/tiggelam_cnmc_sfc.grib2']
MISSING = np.float32(9.999e20)


def eccodes_values(path):
    with open(path, 'rb') as f:
        while (h := ec.codes_grib_new_from_file(f)) is not None:
            if ec.codes_get(h, 'edition') == 2:
                ec.codes_set(h, 'missingValue', float(MISSING))
                yield ec.codes_get(h, 'packingType'), ec.codes_get_values(h).astype('f4')
            ec.codes_release(h)


def g2c_values(program, path):
    subprocess.run([program, path, path + '.out'], stdout=subprocess.DEVNULL, timeout=300, check=True)
    with open(path + '.out', 'rb') as f:
        data, at = f.read(), 0
    while at < len(data):
        n, error = np.frombuffer(data, 'i4', 2, at)
        yield error, np.frombuffer(data, 'f4', n, at + 8)
        at += 8 + 4 * int(n)


def same(a, b):
    """g2c computes in single precision."""
    holes = a == MISSING
    if a.shape != b.shape or not np.array_equal(holes, b == MISSING):
        return False
    return bool(np.all(np.abs(a - b)[~holes] <= 4e-7 * max(1e-30, float(np.max(np.abs(a[~holes]), initial=0)))))


def main():
    ec.codes_grib_multi_support_on()
    counts, wrong = {}, []
    with tempfile.TemporaryDirectory() as folder:
        message, out = os.path.join(folder, 'a.tgm'), os.path.join(folder, 'a.grib2')
        for path in filter(os.path.exists, FILES):
            subprocess.run([TGMCONV, 'convert-grib', '-q', '-o', message, path], check=True, timeout=300)
            for packing in ('simple', 'complex'):
                r = subprocess.run([TGMCONV, 'to-grib', '-q', '--packing', packing, '-o', out, message], capture_output=True, text=True, timeout=300)
                if r.returncode:
                    wrong.append(f'{path}, {packing}: {r.stderr}')
                    continue
                ours, theirs = list(eccodes_values(out)), list(g2c_values(sys.argv[1], out))
                if len(ours) != len(theirs):
                    wrong.append(f'{path}, {packing}: g2c reads {len(theirs)} fields, ecCodes {len(ours)}')
                for i, ((name, a), (error, b)) in enumerate(zip(ours, theirs)):
                    if error or not same(a, b):
                        wrong.append(f'{path}, {packing}, field {i} ({name}): ' + (f'error {error}' if error else 'other values'))
                    else:
                        counts[name] = counts.get(name, 0) + 1
    for w in wrong[:20]:
        print('grib/g2c_compare:', w)
    print('grib/g2c_compare: fields that g2c and ecCodes read alike:', ', '.join(f'{n} {k}' for k, n in sorted(counts.items())), f'; {len(wrong)} differ')
    return 1 if wrong or not counts else 0


sys.exit(main())
