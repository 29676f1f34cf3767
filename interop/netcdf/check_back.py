"""Converts netCDF files to Tensogram and back, and compares what ncdump prints and h5diff finds.

    .interop/venv/bin/python interop/netcdf/check_back.py [--all | FILE ...]

--all takes the files that wide_classic.py, wide_nc4.py and wide_h5.py make as well, some 450 in all. The text of ncdump must be the same except for the name of the file, h5diff must find no difference, and classic files must be the same bytes unless
their layout is another than the library's. HDF5 files that ncdump cannot read are compared object by object with h5py.
Exit 1 if anything differs, 77 if ncdump is not there.
"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile

import objects
import samples

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..'))
TGMCONV = os.environ.get('TGMCONV', 'bin/tgmconv')
MOST = 300
# Variables that do not come back: types of HDF5 that no tensor has.
KNOWN = {
    'odim.h5': 'variables of weather radars are named by their quantities, and have dimensions of these',
    'dim_scales.hdf5': 'the order of REFERENCE_LIST, which h5diff sees', 'h5netcdf_test.hdf5': 'the order of REFERENCE_LIST, which h5diff sees', 'references.hdf5': 'references to regions become paths',
    'h5types.h5': 'half precision, data without elements', 'main.h5': 'raw data that lie outside the folder',
}
# The same of the files of wide_*.py, by the beginnings of their names.
KNOWN_WIDE = {
    'h_types': 'numbers of odd sizes, bit fields, arrays', 'h_attributes_odd': 'names that netCDF does not have',
    'h_plugins_x': 'a filter that is not implemented', 'n_storage_4': 'variables of fewer records than their dimension',
    'h_scales': 'scales of other types, the order of REFERENCE_LIST, which h5diff sees', 'n_groups_4': 'variables of fewer records than their dimension, which h5diff sees',
    'n_shapes': 'variables of fewer records than their dimension, which h5diff sees', 'bad_missing_data': 'variables of fewer records than their dimension, which h5diff sees',
}


def known(path):
    """Whether a difference was traced; names of the corpus begin with the project."""
    name = os.path.basename(path)
    return any(name.endswith(k) for k in KNOWN) or any(name.startswith(k) for k in KNOWN_WIDE)


def make_wide(folder):
    for kind in ('classic', 'nc4', 'h5'):
        subprocess.run([sys.executable, f'interop/netcdf/wide_{kind}.py', os.path.join(folder, kind)], check=True, timeout=600)
    return sorted(glob.glob(folder + '/*/*'))


def run(*args):
    return subprocess.run(args, capture_output=True, timeout=300)


def dump(path):
    """The text of ncdump, None where it cannot read the file."""
    r = run('ncdump', '-n', 'file', path)
    return r.stdout if r.returncode == 0 else None


def first_difference(a, b):
    for x, y in zip(a.splitlines(), b.splitlines()):
        if x != y:
            return f'{x[:80]!r} became {y[:80]!r}'
    return f'{len(a.splitlines())} lines became {len(b.splitlines())}'


def differences(path, back):
    """The differences that h5diff finds, '' if none."""
    r = run('h5diff', '-c', path, back)
    # It does not compare empty datasets.
    wrong = [line for line in r.stdout.decode('latin1').splitlines()
             if 'ot comparable' in line and 'empty dataset' not in line and 'dimensions [0]' not in line or line.endswith('differences found') and line[:2] != '0 ']
    return 'h5diff: ' + '; '.join(wrong)[:200] if wrong else ''


def check(path, folder, counts):
    """The differences, '' if none."""
    message, back = os.path.join(folder, 'a.tgm'), os.path.join(folder, 'a.nc')
    if run(TGMCONV, 'convert', '-q', '-o', message, path).returncode:
        counts['not converted'] += 1
        return ''
    r = run(TGMCONV, 'to-netcdf', '-q', '-o', back, message)
    if r.returncode:
        return r.stderr.decode()[-200:]
    want = dump(path)
    if want is None:
        wrong = objects.difference(path, back)
        counts['same objects' if wrong == '' else 'cannot be read'] += not wrong
        return wrong or ''
    have = dump(back)
    if have is None:
        return 'ncdump cannot read what was written'
    if want != have:
        return first_difference(want, have)
    with open(path, 'rb') as f, open(back, 'rb') as g:
        if f.read() == g.read():
            counts['same bytes'] += 1
            return ''
    if shutil.which('h5diff') and open(path, 'rb').read(4) == b'\x89HDF':
        wrong = differences(path, back)
        if wrong:
            return wrong
    counts['same text'] += 1
    return ''


def main():
    if not shutil.which('ncdump'):
        print('netcdf/check_back: ncdump is not there')
        return 77
    everything = sys.argv[1:] == ['--all']
    files = samples.files() if everything else sys.argv[1:] or samples.files()[:MOST]
    counts = dict.fromkeys(['same bytes', 'same text', 'same objects', 'cannot be read', 'not converted', 'known', 'differ'], 0)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as made:
        if everything:
            files += make_wide(made)
        for path in files:
            wrong = check(path, folder, counts)
            if wrong and known(path):
                counts['known'] += 1
            elif wrong:
                counts['differ'] += 1
                print(f'netcdf/check_back: {path}: {wrong}')
    print(f'netcdf/check_back: {len(files)} files:', ', '.join(f'{n} {what}' for what, n in counts.items()))
    return 1 if counts['differ'] or not counts['same bytes'] else 0


sys.exit(main())
