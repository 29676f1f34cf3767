"""Converts GRIB files with the default options and opens every message with the xarray engine of the reference.

    .interop/venv/bin/python interop/grib/check_xarray.py            the sample files and a third of the corpus
    .interop/venv/bin/python interop/grib/check_xarray.py --all      all of it
    .interop/venv/bin/python interop/grib/check_xarray.py FILE ...   these files

Each message must open, with as many arrays as it has objects or fewer where names are the same; the axes must belong to
the arrays that have them as dimensions, and an array of each message must have values. --coordinates all is tried as well, and the same with a message for each field.
Prints what fails, the sizes that are more than 1.02 of the source's, and totals. Exit 1 if anything fails, 77 if the
reference is not installed.
"""

import collections
import glob
import os
import subprocess
import sys
import tempfile
import warnings

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..'))
try:
    import tensogram
    import xarray as xr
except ImportError as e:
    print('grib/check_xarray:', e)
    sys.exit(77)

TGMCONV = os.environ.get('TGMCONV', 'bin/tgmconv')
MODES = ([], ['--coordinates', 'all'], ['--split'])
MOST_MESSAGES = 40  # of a file that are opened
LARGE = 100_000  # bytes from which a file's size is compared
totals = collections.Counter()


def open_all(path):
    """Opens the messages of a file and reads a variable of each."""
    file = tensogram.TensogramFile.open(path)
    count = len(file)
    for i in range(0, count, max(1, count // MOST_MESSAGES)):
        with xr.open_dataset(path, engine='tensogram', message_index=i) as ds:
            totals['messages'] += 1
            for name, axis in ds.coords.items():
                if axis.dims != (name,):
                    raise ValueError(f'coordinate {name} has the dimensions {axis.dims}')
            if not ds.data_vars:
                raise ValueError('no variables')
            first = next(iter(ds.data_vars.values()))
            first.load()
            totals['variables'] += len(ds.data_vars)


def check(source, folder):
    for mode in MODES:
        out = os.path.join(folder, 'out.tgm')
        p = subprocess.run([TGMCONV, 'convert-grib', '-q', '--skip-bad', *mode, '-o', out, source], capture_output=True, timeout=600)
        if p.returncode:
            totals['not converted'] += 1
            continue
        try:
            open_all(out)
            totals['files that open'] += 1
        except Exception as e:  # whatever the reference raises
            totals['failures'] += 1
            print('FAILS', source, *mode, f'{type(e).__name__}: {str(e)[:200]}')
        size = os.path.getsize(source)
        if not mode and size >= LARGE:
            ratio = os.path.getsize(out) / size
            totals['sizes'] += 1
            if ratio > 1.02:
                totals['sizes above 1.02'] += 1
                print(f'size {ratio:.3f} of {size}: {source}')


def main():
    warnings.simplefilter('ignore')
    files = [f for f in sys.argv[1:] if f != '--all']
    if not files:
        corpus = sorted(glob.glob('.interop/corpus/grib/*'))
        files = sorted(glob.glob('fixtures/grib/*.grib*') + glob.glob('fixtures/grib/*/*.grib*'))
        files += corpus if '--all' in sys.argv else corpus[::3]
    with tempfile.TemporaryDirectory() as folder:
        for f in files:
            if os.path.isfile(f) and 'malformed' not in f:
                totals['files'] += 1
                check(f, folder)
    print('grib/check_xarray:', ', '.join(f'{k} {v}' for k, v in totals.items()))
    return 1 if totals['failures'] else 0


sys.exit(main())
