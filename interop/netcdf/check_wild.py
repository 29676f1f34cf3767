"""Looks at netCDF files as models, satellites and floats write them with every verb, and compares with other programs.

    .interop/venv/bin/python interop/netcdf/check_wild.py [FILE or FOLDER ...]

Without arguments it takes fixtures/netcdf/wild, and up to 100 files of the folder that the variable WILD names, those of each project in
turn. No verb may crash, hang, or end because of one variable. Each variable for which cf_xarray knows latitude and longitude must have
a place; the value nearest to a place must be that which xarray has there; the times must be those of cftime, and where cdo is installed
and reads the file, those of cdo. Exit 1 if anything differs, 77 if xarray or cf_xarray is not there.
"""
import csv
import io
import os
import subprocess
import sys
import tempfile
import warnings

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..'))
try:
    import cf_xarray  # noqa: F401
    import numpy as np
    import xarray as xr
except ImportError as e:
    print('netcdf/check_wild:', e)
    sys.exit(77)

warnings.simplefilter('ignore')
TGMCONV = os.environ.get('TGMCONV', 'bin/tgmconv')
PLACE = (47.1, 9.2)
MOST = 100
# Errors that a command may end with although the file can be read: no variable is left for it.
NOTHING = ('no coordinates:', 'holds text, expected numbers', 'lies at one place', 'inputs hold no field', 'too many for a sheet', 'no variables',
           'are no single numbers', 'the grid has no points')
VERBS = {'stats': [], 'values': ['--lat', str(PLACE[0]), '--lon', str(PLACE[1])], 'plot': ['-o', '{}/o.png'], 'info': ['--dataset'],
         'to-netcdf': ['-q', '-o', '{}/o.nc'], 'to-zarr': ['-q', '-o', '{}/o.zarr'], 'convert': ['-q', '-o', '{}/o.tgm'], 'serve': ['--check']}


def files():
    found = sys.argv[1:] or ['fixtures/netcdf/wild']
    for name in found:
        if os.path.isdir(name):
            yield from sorted(os.path.join(name, n) for n in os.listdir(name) if n.endswith('.nc'))
        else:
            yield name
    wild = os.environ.get('WILD') if not sys.argv[1:] else None
    projects = []
    for project in sorted(os.listdir(wild)) if wild else []:
        names = []
        for folder, _, list_ in sorted(os.walk(os.path.join(wild, project))):
            names += [os.path.join(folder, n) for n in sorted(list_) if n.endswith(('.nc', '.nc4', '.cdf'))]
        names = [n for n in names if open(n, 'rb').read(3) in (b'CDF', b'\x89HD') and os.path.getsize(n) < 1 << 20]
        step = max(1, len(names) // 8) # not the same kind each time
        projects.append(names[::step])
    n = 0
    for i in range(MOST):
        for names in projects:
            if i < len(names) and n < MOST:
                n += 1
                yield names[i]


def run(*args):
    try:
        return subprocess.run([TGMCONV, *args], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(args, 99, b'', b'no end within a minute')


def verbs(name):
    """The problems of one of the verbs."""
    with tempfile.TemporaryDirectory() as folder:
        for verb, flags in VERBS.items():
            p = run(verb, *[f.format(folder) for f in flags], name)
            said = p.stderr.decode(errors='replace').strip()
            if p.returncode == 3 or p.returncode == 1 and any(text in said for text in NOTHING):
                continue
            if p.returncode or 'panic' in said:
                yield f'{verb}: exit {p.returncode}: {said[-200:]}'


def opened(name):
    ds = xr.open_dataset(name, decode_times=False, mask_and_scale=False)
    ds = ds.cf.guess_coord_axis()
    return xr.decode_cf(ds, decode_times=False)


def bounds(ds):
    """The variables that describe cells, or join the elements of meshes: they are not fields."""
    named = {v.attrs.get(k) for v in ds.variables.values() for k in ('bounds', 'climatology')}
    named |= {text for v in ds.variables.values() for k, text in v.attrs.items() if k.endswith('_connectivity')}
    return named | {n for n in ds if 'vertices' in n or '_bnds' in n or '_bounds' in n}


def places(ds, name):
    """The variables that have a place, each with its latitude and longitude."""
    for n in ds.data_vars:
        v = ds[n]
        if v.dtype.kind not in 'fiu' or v.ndim == 0 or v.size == 0 or n in bounds(ds):
            continue
        try:
            c = v.cf.coordinates
        except Exception:
            continue
        if 'latitude' in c and 'longitude' in c and not any(ds[c[k][0]].attrs.get('units') in ('km', 'm') for k in ('latitude', 'longitude')): # called lat
            yield n, v, ds[c['latitude'][0]], ds[c['longitude'][0]]


def compare(name):
    try:
        ds = opened(name)
    except Exception:
        return # not a file of xarray
    p = run('values', '--lat', str(PLACE[0]), '--lon', str(PLACE[1]), name)
    rows = list(csv.DictReader(io.StringIO(p.stdout.decode()))) if p.returncode == 0 else []
    for n, v, lat, lon in places(ds, name):
        mine = [r for r in rows if r['name'] == n]
        if not mine:
            yield f'{n} has no place, cf_xarray knows {lat.name} and {lon.name}'
            continue
        counted['variables'] += 1
        dims = set(lat.dims) | set(lon.dims)
        if lat.ndim > 2 or 'rad' in str(lat.attrs.get('units', '')) or not dims <= set(v.dims):
            continue
        flat = v.stack(place=[d for d in v.dims if d in dims]) if dims else v
        wide = xr.broadcast(lat, lon, v)[:2] if dims else (lat, lon)
        at = {d: 0 for d in v.dims if d not in dims}
        a, b = (w.isel({d: 0 for d in w.dims if d in at}) for w in wide)
        if dims:
            a, b = a.stack(place=[d for d in v.dims if d in dims]), b.stack(place=[d for d in v.dims if d in dims])
            x, y = np.radians(a.values.astype('f8')), np.radians(b.values.astype('f8') - PLACE[1])
            cos = np.sin(x) * np.sin(np.radians(PLACE[0])) + np.cos(x) * np.cos(np.radians(PLACE[0])) * np.cos(y)
            best = np.nanmax(cos)
            candidates = np.flatnonzero(cos > best - 1e-12)
        first = flat.isel(at).values
        value = mine[0]['value']
        got = float(value) if value else float('nan')
        want = first[candidates] if dims else np.array([first])
        if not np.any(np.isclose(got, want.astype('f8'), rtol=1e-5, atol=0, equal_nan=True)):
            yield f'{n} is {got} at {mine[0]["latitude"]} {mine[0]["longitude"]}, xarray has {want[:3]}'


def times(name):
    """Dates of a dimension that is a time, against cftime through xarray, and cdo."""
    try:
        ds = xr.open_dataset(name, decode_times=xr.coders.CFDatetimeCoder(use_cftime=True))
    except Exception:
        return
    p = run('values', '--index', '0', name)
    rows = list(csv.DictReader(io.StringIO(p.stdout.decode()))) if p.returncode == 0 else []
    for n, v in ds.data_vars.items():
        t = v.dims[0] if v.dims else ''
        mine = [r['time'].rstrip('Z') for r in rows if r['name'] == n]
        if t in ds.coords and ds[t].dtype == object and len(mine) == ds[t].size and not any(c.ndim == 0 and c.dtype == object for c in v.coords.values()):
            counted['times'] += len(mine)
            for got, want in zip(mine, ds[t].values):
                if got != '' and got.split('.')[0] != want.isoformat().split('.')[0]:
                    yield f'{n} at {got}, cftime has {want.isoformat()}'
                    break
                if got == '':
                    yield f'{n} has no time, cftime has {want.isoformat()}'
                    break
    try:
        p = subprocess.run(['cdo', '-s', 'showtimestamp', name], capture_output=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return
    stamps = p.stdout.decode().split()
    dims = [t for t in ds.dims if t in ds.coords and ds[t].dtype == object and ds.sizes[t] == len(stamps)]
    if p.returncode or not dims:
        return
    for n, v in ds.data_vars.items():
        mine = [r['time'].rstrip('Z').split('.')[0] for r in rows if r['name'] == n]
        if v.dims[:1] == (dims[0],) and len(mine) == len(stamps):
            counted['cdo'] += len(mine)
            if mine != stamps:
                i = [a != b for a, b in zip(mine, stamps)].index(True)
                yield f'{n} at {mine[i]}, cdo has {stamps[i]}'
            return


counted = {'files': 0, 'variables': 0, 'times': 0, 'cdo': 0}
wrong = 0
for name in files():
    counted['files'] += 1
    for check in (verbs, compare, times):
        for what in check(name):
            wrong += 1
            print(f'{name}: {what}')
print('netcdf/check_wild: ' + ', '.join(f'{n} {what}' for what, n in counted.items()) + f' compared, {wrong} differ')
sys.exit(1 if wrong else 0)
