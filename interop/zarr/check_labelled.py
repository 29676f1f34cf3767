"""Compares the labelled dataset of GRIB files with what cfgrib makes of them.

    .interop/venv/bin/python interop/zarr/check_labelled.py [FILE ...]

Every variable of cfgrib.open_datasets must be found in the served dataset: every value that is there, at its labels, with the
units, the time of validity, the places of the points and the order of the dimensions, and no field hidden. dask must take it,
and xarray write it. cfgrib lays points of grids that it does not know in one row; so does the comparison. Prints a line for
each file that falls short and the totals. Exit 1 if a variable is missing or differs, 77 without cfgrib.
"""
import glob
import json
import os
import sys
import tempfile
import urllib.request
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
try:
    import cfgrib
    import numpy as np
    import xarray as xr
except ImportError as e:
    print('check_labelled:', e)
    sys.exit(77)
from served import ROOT, command, served

warnings.filterwarnings('ignore')
# cfgrib makes 118 000 fields of the 372 of this file, most of which are not there.
LEFT_OUT = {'ncep-seasonal-monthly.grib'}
# ecCodes gives the points of boustrophedonic rows in the order of the file.
UNORDERED = {'ds.waveh.5.grib'}
MEMBERS = ROOT + '/fixtures/grib/cfgrib/era5-levels-members.grib'
LABELS = ('number', 'time', 'step')
BESIDE = ('modelVersion',)  # of hindcasts: cfgrib does not have it, and shows one of the fields


def key(v):
    a = v.attrs
    return tuple(a.get('GRIB_' + k) for k in ('shortName', 'typeOfLevel', 'stepType'))


def fields(v, level):
    """Yields labels and points of each field of a variable."""
    axes = [d for d in v.dims if d in LABELS + BESIDE or d == level or d.rsplit('_', 1)[0] in LABELS + (level,)]
    labels = {d.rsplit('_', 1)[0] if d not in LABELS + (level,) else d: d for d in axes}
    # xarray gives a variable all scalar coordinates of its dataset, and says in encoding which are its own.
    own = v.encoding['coordinates'].split() if 'coordinates' in v.encoding else list(v.coords)
    scalars = {}
    for k in v.coords:
        name = k if k in LABELS + (level,) else k.rsplit('_', 1)[0]  # step_1, isobaricInhPa_500
        if k in own and name in LABELS + (level,) and v.coords[k].ndim == 0:
            scalars[name] = v.coords[k].values[()]
    points = v.transpose(*axes, ...).values
    shape = points.shape[:len(axes)]
    for index in np.ndindex(*shape):
        at = dict(scalars)
        for (name, d), i in zip(labels.items(), index):
            at[name] = v.coords[d].values[i]
        yield at, np.asarray(points[index], 'f8').ravel()


def axis(v, name):
    """The dimension of a variable for a label: step, or step_1."""
    return next((d for d in v.dims if d == name or d.rsplit('_', 1)[0] == name), None)


def valid_times(v, level):
    """The times of validity of a variable, by its labels."""
    own = v.encoding['coordinates'].split() if 'coordinates' in v.encoding else list(v.coords)
    name = next((k for k in v.coords if k in own and (k == 'valid_time' or k.rsplit('_', 1)[0] == 'valid_time')), None)
    if name is None or not np.issubdtype(v.coords[name].dtype, np.datetime64):
        return {}
    times = v.coords[name]
    flat = v.isel({d: 0 for d in v.dims if axis(v, 'time') != d and axis(v, 'step') != d})
    at = {}
    for labels, valid in fields(times.broadcast_like(flat).assign_coords(flat.coords), level):
        at[tuple(number(labels[k]) if k in labels else None for k in ('time', 'step'))] = int(valid[0])
    return at


def places(v):
    """Latitudes and longitudes of the points of a field, in their order; None for grids that have none."""
    if 'latitude' not in v.coords or 'longitude' not in v.coords:
        return None
    dims = set(v.latitude.dims) | set(v.longitude.dims)
    field = v.isel({d: 0 for d in v.dims if d not in dims})
    return [c.broadcast_like(field).transpose(*field.dims).values.ravel() for c in (field.latitude, field.longitude)]


def misplaced(v, want):
    """The problems with the places of the points, '' if none."""
    a, b = places(v), places(want)
    if a is None or b is None:
        return '' if a is b else f'coordinates {list(v.coords)}, expected {list(want.coords)}'
    if a[0].shape != b[0].shape:
        return f'{a[0].size} points, expected {b[0].size}'
    far = np.maximum(np.abs(a[0] - b[0]), np.where(np.abs(b[0]) > 89.9999, 0, np.abs((a[1] - b[1] + 180) % 360 - 180)))
    return f'points are up to {far.max()} degrees away' if not far.max() < 2e-5 else ''


def number(x):
    return int(x) if np.issubdtype(np.asarray(x).dtype, np.datetime64) or np.issubdtype(np.asarray(x).dtype, np.timedelta64) else float(x)


def close(a, b, ordered):
    """cfgrib has float32 values."""
    if not ordered:
        a, b = np.sort(a), np.sort(b)
    scale = np.nanmax(np.abs(b)) if np.isfinite(b).any() else 0
    return a.shape == b.shape and np.array_equal(np.isnan(a), np.isnan(b)) and np.allclose(a, b, rtol=3e-7, atol=2e-7 * scale, equal_nan=True)


def differs(want, candidates, level, ordered):
    """The problems with the variables that may be a variable of cfgrib, '' if none."""
    ours = {}
    rounded = level.endswith('Layer')  # cfgrib's levels of layers are integers, in other units
    for v in candidates:
        for at, points in fields(v, level):
            if not np.isnan(points).all():
                ours.setdefault(tuple(number(at[k]) if k in at else None for k in LABELS + (level,)), []).append(points)
    for at, points in fields(want, level):
        if np.isnan(points).all():
            continue
        k = tuple(number(at[k]) if k in at else None for k in LABELS + (level,))
        found = [p for o, list_ in ours.items() if all(x is None or y is None or x == y or np.isreal(x) and np.isclose(x, y, rtol=1e-12, atol=0) for x, y in list(zip(o, k))[:3 if rounded else 4]) for p in list_]
        if not any(close(p, points, ordered) for p in found):
            return f'{dict(at)}: {len(found)} fields there, none of them equal'
    valid = [valid_times(v, level) for v in candidates]
    for at, time in valid_times(want, level).items():
        if not any(times.get(at) == time for times in valid if at in times) and any(at in times for times in valid):
            return f'valid at {[np.datetime64(times[at], "ns") for times in valid if at in times]}, expected {np.datetime64(time, "ns")}'
    for v in candidates:
        order, expected = ([k for d in x.dims for k in LABELS + (level,) if axis(x, k) == d] for x in (v, want))
        if [k for k in order if k in expected] != [k for k in expected if k in order]:
            return f'dimensions {v.dims}, expected {want.dims}'
    wrong = [misplaced(v, want) for v in candidates]
    if all(wrong):
        return wrong[0]
    if candidates[0].attrs.get('units') != want.attrs.get('GRIB_units', want.attrs.get('units')) and want.attrs.get('GRIB_units') != '~':
        return f"units {candidates[0].attrs.get('units')}, expected {want.attrs.get('GRIB_units')}"
    return ''


def check(tgmconv, path):
    """The number of variables of a file, and their problems."""
    try:
        wanted = cfgrib.open_datasets(path, backend_kwargs={'indexpath': ''})
    except Exception:
        return 0, []
    n, wrong = 0, []
    with served(tgmconv, path) as address:
        tree = xr.open_datatree(address, engine='zarr')
        sets = [node.to_dataset() for node in tree.subtree]
        for ds in sets:
            ds.chunks  # raises where arrays have different chunks along a dimension
        ours = [v for ds in sets for v in ds.data_vars.values()]
        hidden = json.load(urllib.request.urlopen(address + '/@report.json'))['hidden']
        if hidden:
            wrong.append(f'{hidden} fields are hidden')
        for d in wanted:
            for v in d.data_vars.values():
                try:
                    v.load()
                except Exception:
                    continue  # messages that ecCodes cannot read
                if v.attrs.get('GRIB_shortName') == 'unknown':
                    continue  # ours has a name with the numbers of the parameter
                n += 1
                candidates = [o for o in ours if key(o) == key(v)]
                why = differs(v, candidates, v.attrs['GRIB_typeOfLevel'], os.path.basename(path) not in UNORDERED) if candidates else 'is not there'
                if why:
                    wrong.append(f'{key(v)}: {why}')
    return n, wrong


def check_dask(tgmconv, path):
    """The problems with a dataset that dask works on, and that xarray writes and opens again."""
    with served(tgmconv, path) as address, tempfile.TemporaryDirectory() as folder:
        ds = xr.open_zarr(address)
        if set(ds.chunks['time']) != {1}:
            return [f"chunks along time are {ds.chunks['time']}, expected 1 each"]
        want = ds.load()
        ds = xr.open_zarr(address)
        copies = {'unify_chunks': ds.unify_chunks(), 'map_blocks': xr.map_blocks(lambda d: d, ds)}
        ds.to_zarr(folder + '/copy.zarr')
        ds.to_netcdf(folder + '/copy.nc')
        copies.update({'to_zarr': xr.open_zarr(folder + '/copy.zarr'), 'to_netcdf': xr.open_dataset(folder + '/copy.nc')})
        wrong = [name for name, copy in copies.items() if not copy.load().equals(want)]
        return [f'the dataset is another one after {name}' for name in wrong]


def main():
    paths = sys.argv[1:] or sorted(p for p in glob.glob(ROOT + '/fixtures/grib/**/*', recursive=True)
                                   if os.path.isfile(p) and '/malformed/' not in p and os.path.basename(p) not in LEFT_OUT)
    variables = bad = 0
    with command() as tgmconv:
        checks = [(p, check) for p in paths] + [(MEMBERS, lambda t, p: (0, check_dask(t, p)))]
        for path, run in checks:
            try:
                n, wrong = run(tgmconv, path)
            except Exception as e:
                n, wrong = 0, [repr(e)[:300]]
            variables += n
            bad += len(wrong)
            for line in wrong[:5]:
                print(f'{os.path.basename(path)}: {line}')
    print(f'check_labelled: {len(paths)} files, {variables} variables of cfgrib, {bad} missing or different')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
