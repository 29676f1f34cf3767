"""Converts the sample files with tgmconv and compares what the reference decodes with ecCodes and the netCDF library.

    .interop/venv/bin/python interop/convert/check_convert.py [FILE ...]

GRIB, field by field: every value, the missing points, the short name, the keys of MARS with their types, the coordinates.
netCDF, variable by variable: every value, type, shape and missing point. Both: the reference validates the file, and what is
written for release 0.17 as well. Prints a line for each file that falls short and the totals. Exit 1 if anything
differs, 77 if the programs to compare with are not installed.
"""
import collections
import glob
import math
import os
import subprocess
import sys
import tempfile
import warnings

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..'))
sys.path[:0] = ['interop/grib', 'interop/netcdf', 'interop/tgm']
try:
    import eccodes as ec
    import netCDF4
    import numpy as np
    import tensogram

    import cfvalues
    from messages import get, in_rows, messages, namespace, values
except ImportError as e:
    print('check_convert:', e)
    sys.exit(77)

warnings.filterwarnings('ignore')
TGMCONV = os.environ.get('TGMCONV', 'bin/tgmconv')
REFERENCE = '.interop/cargo/bin/tensogram'
totals = collections.Counter()
# ecCodes makes nothing of these either; tgmconv must refuse them.
BROKEN = ('era5-levels-corrupted.grib', 'lsm_bitmap.grib2')

# Grids whose coordinates ecCodes gives column by column where the values are stored so.
PROJECTED = {'lambert', 'lambert_lam', 'polar_stereographic', 'polar_stereographic_lam', 'mercator', 'mercator_lam', 'albers', 'space_view'}
BY_COLUMNS = ('regular_ll', 'rotated_ll', 'stretched_ll', 'stretched_rotated_ll', 'lambert_azimuthal_equal_area')


class Problems:
    """The problems of one file: the first example of each kind."""

    def __init__(self, path):
        self.path, self.kinds = path, {}

    def add(self, kind, example=''):
        self.kinds.setdefault(kind, []).append(str(example))
        totals['differences'] += 1

    def print(self):
        if self.kinds:
            print('DIFFERS', self.path, '; '.join(f'{k} x{len(v)} ({v[0][:150]})' for k, v in self.kinds.items()))


def convert(verb, path, *flags):
    out = tempfile.mktemp(suffix='.tgm')
    if verb == 'convert-netcdf':
        flags = (*flags, '--external')
    r = subprocess.run([TGMCONV, verb, '-q', *flags, '-o', out, path], capture_output=True, text=True, timeout=600)
    if r.returncode and os.path.exists(out):
        return None, 'an output was left behind: ' + r.stderr
    return (out, '') if r.returncode == 0 else (None, r.stderr.strip())


def decode(path):
    """All objects of a file as (array, base) with the reference's decoder."""
    f, out = tensogram.TensogramFile.open(path), []
    for i in range(len(f)):
        m = f.decode_message(i)
        out += [(np.asarray(o[1]), b) for o, b in zip(m.objects, m.metadata.base)]
    return out


def reference_validates(verb, path, problems):
    if not os.path.exists(REFERENCE):
        totals['not validated by release 0.17: it is not installed'] += 1
        return
    out, err = convert(verb, path)
    if out is None:
        return problems.add('not converted for 0.17', err)
    r = subprocess.run([REFERENCE, 'validate', '--full', out], capture_output=True, text=True)
    # Missing points are NaN on purpose, and declared as such.
    if r.returncode:
        problems.add('release 0.17 does not validate', r.stderr.strip() or r.stdout)
    totals['validated by release 0.17'] += 1
    os.remove(out)


# --- GRIB ---

def close(got, want, ulps=4):
    """Equal within some units in the last place of the largest value: all that rounding may do where the decimal scale is not 0."""
    if want.size == 0:
        return True
    return bool((np.abs(got - want) <= ulps * np.spacing(np.abs(want).max())).all())


def compare_field(h, x, b, problems, n):
    try:
        want = in_rows(h, values(h)[0], x.shape)
    except ec.CodesInternalError:
        totals['fields ecCodes cannot read'] += 1
        return
    got = x.astype('f8').ravel()
    if got.size != want.size:
        return problems.add('number of values', f'#{n}: {got.size}, expected {want.size}')
    missing = np.isnan(want)
    if not (np.isnan(got) == missing).all():
        return problems.add('missing points', f'#{n}: {np.isnan(got).sum()}, expected {missing.sum()}')
    # Logarithmic pre-processing is undone with exp, which differs in the last place from one C library to another.
    exact = get(h, 'decimalScaleFactor', default=0) == 0 and get(h, 'packingType') != 'grid_simple_log_preprocessing'
    if not close(got[~missing], want[~missing], 0 if exact else 4):
        problems.add('values', f'#{n}: off by {np.abs(got - want)[~missing].max():g}')
    totals['fields bit for bit' if (got[~missing] == want[~missing]).all() else 'fields within 4 ulp'] += 1
    mars = b.get('mars', {})
    keys = namespace(h, 'mars')
    totals['keys'] += len(keys)
    for k, v in keys.items():
        g = mars.get(k)
        if type(g) is not type(v) or (not math.isclose(g, v, rel_tol=1e-12) if isinstance(v, float) else g != v):
            problems.add('key ' + k, f'#{n}: {g!r}, expected {v!r}')
    if extra := set(mars) - set(keys) - {'grid', 'area'}:
        problems.add('keys too many', f'#{n}: {extra}')
    name = get(h, 'shortName', default='unknown')
    if name != 'unknown' and b.get('name') != name:
        problems.add('name', f'#{n}: {b.get("name")!r}, expected {name!r}')
    valid = f"{get(h, 'validityDate', default=0):08d}{get(h, 'validityTime', default=0):04d}"
    ours = b.get('valid_time', '')
    if ours and valid != '000000000000' and not ours.translate(str.maketrans('', '', '-:TZ')).startswith(valid):
        problems.add('valid_time', f'#{n}: {ours}, expected {valid}')


def compare_coordinates(h, shape, geometry, coords, problems, n):
    """Compares the coordinates of a field's geometry with the points of ecCodes' iterator."""
    try:
        wanted = ec.codes_get_array(h, 'latitudes'), ec.codes_get_array(h, 'longitudes')
    except Exception:
        return
    if get(h, 'gridType') in PROJECTED and (get(h, 'scanningMode') or 0) & 0xc0 != (0 if get(h, 'gridType') == 'space_view' else 0x40):
        return  # ecCodes' iterator goes north and east whatever the scanning mode: see geometry_pyproj.py
    columns = get(h, 'jPointsAreConsecutive') == 1 and get(h, 'gridType') in BY_COLUMNS
    for i, (name, want) in enumerate(zip(('latitude', 'longitude'), wanted)):
        if columns:
            want = want.reshape(shape[1], shape[0]).T.ravel()  # rows that alternate are in one direction already
        found = [x for x, b in coords if b['name'].rstrip('s') == name and b['geometry'] == geometry]
        if len(found) != 1:
            problems.add('coordinates', f'#{n}: {len(found)} of {name}')
            continue
        x = found[0]
        if x.shape != tuple(shape):
            x = np.broadcast_to(x[:, None] if i == 0 else x[None, :], shape)
        off = np.abs(x.ravel() - want)
        if min(off.max(), np.abs(off - 360).max()) < 1e-9:
            totals['coordinates'] += 1
        else:
            problems.add('coordinates', f'#{n}, {name}: off by {off.max():g}')


def check_grib(path):
    problems = Problems(path)
    out, err = convert('convert-grib', path, '--coordinates', 'all', '--repeat-metadata')
    if path.endswith(BROKEN):
        if out is not None:
            problems.add('converted although it is broken')
        return problems.print()
    if out is None:
        problems.add('not converted', err)
        return problems.print()
    objects = decode(out)
    fields = [(x, b) for x, b in objects if 'mars' in b]
    coords = [(x, b) for x, b in objects if 'mars' not in b]
    grids = set()
    n = -1
    for n, h in enumerate(messages(path)):
        totals['fields'] += 1
        if n >= len(fields):
            problems.add('fields missing', f'from #{n} on')
            break
        compare_field(h, *fields[n], problems, n)
        grid = get(h, 'md5GridSection', default=n)
        if grid not in grids:
            grids.add(grid)
            compare_coordinates(h, fields[n][0].shape, fields[n][1].get('geometry'), coords, problems, n)
    if len(fields) != n + 1:
        problems.add('number of fields', f'{len(fields)}, expected {n + 1}')
    os.remove(out)
    reference_validates('convert-grib', path, problems)
    problems.print()


# --- netCDF ---

def variables(group, path=''):
    for name, v in group.variables.items():
        yield path + name, v
    for name, sub in group.groups.items():
        yield from variables(sub, path + name + '/')


def compare_variable(name, v, x, problems, index=...):
    v.set_auto_maskandscale(False)
    want, _ = cfvalues.decoded(np.asarray(v[index]), {k: v.getncattr(k) for k in v.ncattrs()})
    if x.dtype != want.dtype.newbyteorder('=') or x.shape != want.shape:
        return problems.add('type or shape', f'{name}: {x.dtype} {x.shape}, expected {want.dtype} {want.shape}')
    same = x == want
    if want.dtype.kind == 'f':
        same |= np.isnan(x) & np.isnan(want)
    if not same.all():
        problems.add('values', f'{name}: {(~same).sum()} of {same.size} differ')


def shown(x, base):
    netcdf = base.get('netcdf', {})
    return cfvalues.shown(np.asarray(x), netcdf, netcdf.get('_attr_types', {}))


def check_netcdf(path):
    try:
        d = netCDF4.Dataset(path)
    except Exception:
        totals['files netCDF cannot open'] += 1
        return
    if 'ODIM' in str(getattr(d, 'Conventions', '')):
        totals['radars, which have other names'] += 1  # netcdf/check_wild.py compares these
        return
    problems = Problems(path)
    numeric = [(n, v) for n, v in variables(d) if isinstance(v.dtype, np.dtype) and v.dtype.kind in 'iuf' and not isinstance(v.datatype, netCDF4.VLType)]
    out, err = convert('convert-netcdf', path, '--cf')
    if out is None:
        if numeric:
            problems.add('not converted', err)
        return problems.print()
    got = {b['name']: shown(x, b) for x, b in decode(out)}
    for name, v in numeric:
        totals['variables'] += 1
        if name not in got:
            problems.add('variable missing', name)
        else:
            compare_variable(name, v, got[name], problems)
    os.remove(out)
    check_splits(path, d, dict(numeric), problems)
    reference_validates('convert-netcdf', path, problems)
    problems.print()


def unlimited(group):
    """The first unlimited dimension, as --split-by record takes it."""
    for dim in group.dimensions.values():
        if dim.isunlimited():
            return dim
    return next((dim for sub in group.groups.values() if (dim := unlimited(sub)) is not None), None)


def check_splits(path, d, numeric, problems):
    """The same values in a message for each variable, and in one for each record."""
    record = unlimited(d)
    for split in ['variable'] + (['record'] if record is not None and len(record) else []):
        out, err = convert('convert-netcdf', path, '--split-by', split)
        if out is None:
            if numeric:
                problems.add(f'not converted by {split}', err)
            continue
        f = tensogram.TensogramFile.open(out)
        if split == 'record' and len(f) != len(record):
            problems.add('number of messages', f'{len(f)}, expected {len(record)}')
        for i in range(len(f)):
            m = f.decode_message(i)
            if split == 'variable' and len(m.objects) != 1 and (numeric or m.objects or len(f) > 1):  # a file may have no variables
                problems.add('objects of one variable', len(m.objects))
            for o, b in zip(m.objects, m.metadata.base):
                v = numeric.get(b['name'])
                if v is None:
                    continue  # complex numbers and other types that netCDF does not have
                axes = [i if split == 'record' and dim is not None and dim.name == record.name and dim.group() == record.group()
                        else slice(None) for dim in v.get_dims()]
                compare_variable(f"{b['name']} by {split} {i}", v, shown(np.asarray(o[1]), b), problems, tuple(axes) or ...)
                totals[f'arrays by {split}'] += 1
        os.remove(out)


def main(paths):
    if not paths:
        corpus = sorted(glob.glob('.interop/corpus/grib/*') + glob.glob('.interop/corpus/netcdf/*'))
        if not corpus:
            print('check_convert: skipped: the corpus is not installed')
        paths = sorted(glob.glob('fixtures/grib/*.grib2') + glob.glob('fixtures/grib/*/*.grib*'))
        paths += sorted(p for p in glob.glob('fixtures/netcdf/**/*', recursive=True) if os.path.isfile(p) and not p.endswith(('.cdl', '.bin', 'dag10.h5')))
        paths += corpus
    for path in paths:
        with open(path, 'rb') as f:
            head = f.read(8)
        totals['files'] += 1
        (check_netcdf if head[:3] == b'CDF' or head == b'\x89HDF\r\n\x1a\n' else check_grib)(path)
    print('check_convert:', ', '.join(f'{k} {v}' for k, v in totals.items()))
    return 1 if totals['differences'] else 0


sys.exit(main(sys.argv[1:]))
