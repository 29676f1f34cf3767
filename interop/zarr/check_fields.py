"""Compares each message of GRIB files, as ecCodes reads it, with the place at which the labelled dataset shows it.

    .interop/venv/bin/python interop/zarr/check_fields.py [FILE ...]

Without files these are every second fixture, and archives that are derived from ecCodes' samples: see archives.py; points are
compared of about ten messages of each. The report of
`tgmconv serve` says where a message is. Its values must be there, the latitudes and longitudes of its points, its reference
time, valid time, step, member, level, percentile, direction and frequency, and the name, units and kind of its parameter. No
field may be hidden. Prints a line for each kind of difference in a file and the totals. Exit 1 if there are any, 77 without
ecCodes or xarray.
"""
import collections
import datetime
import glob
import json
import os
import sys
import tempfile
import urllib.request
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
try:
    import eccodes
    import numpy as np
    import xarray as xr
    from archives import derive
except ImportError as e:
    print('check_fields:', e)
    sys.exit(77)
from served import ROOT, command, served

warnings.filterwarnings('ignore')
eccodes.codes_grib_multi_support_on()
GRID_DIMS = {'latitude', 'longitude', 'y', 'x', 'rlat', 'rlon', 'values', 'coefficient', 'part'}
# The names of ecCodes' keys in the dataset.
ATTRIBUTES = {'units': 'units', 'shortName': 'GRIB_shortName', 'paramId': 'GRIB_paramId', 'stepType': 'GRIB_stepType', 'name': 'long_name'}
LABELS = {'percentileValue': 'percentile', 'directionNumber': 'direction', 'frequencyNumber': 'frequency', 'waveDirectionNumber': 'direction',
          'waveFrequencyNumber': 'frequency'}


def get(h, key, kind=None):
    try:
        return eccodes.codes_get(h, key, kind) if kind else eccodes.codes_get(h, key)
    except Exception:
        return None


def moment(date, time):
    """Seconds since 1970, None if that is no time."""
    try:
        return int(datetime.datetime(date // 10000, date // 100 % 100, date % 100, time // 100, time % 100, tzinfo=datetime.timezone.utc).timestamp())
    except (TypeError, ValueError):
        return None


def end_of_step(h):
    """The end of the step in seconds, None where ecCodes cannot say."""
    clone = eccodes.codes_clone(h)
    try:
        if get(h, 'numberOfForecastsUsedInLocalTime'):
            return 3600 * eccodes.codes_get(clone, 'endStep', int)  # it has no other unit
        eccodes.codes_set(clone, 'stepUnits', 's')
        return eccodes.codes_get(clone, 'endStep', int)
    except Exception:
        return None
    finally:
        eccodes.codes_release(clone)


def named(v):
    """The coordinates of a variable: xarray gives it all scalar ones of its dataset."""
    return set(v.dims) | set(v.encoding.get('coordinates', '').split())


def label(field, own, name):
    """A scalar coordinate of a field, which may be numbered (step_1) or have its value in its name (isobaricInhPa_500)."""
    for c in field.coords:
        if (c == name or c.rsplit('_', 1)[0] == name) and field.coords[c].ndim == 0 and c in own:
            v = field.coords[c].values[()]
            if np.issubdtype(np.asarray(v).dtype, np.datetime64):
                return int(v.astype('M8[s]').astype(int))
            if np.issubdtype(np.asarray(v).dtype, np.timedelta64):
                return int(v.astype('m8[s]').astype(int))
            return v
    return None


def arranged(h, shape, points, turned):
    """Points in the order of ecCodes as rows and columns of a field. It has the values of boustrophedonic rows as they are in
    the file, but their places in order."""
    if len(shape) != 2 or get(h, 'gridType') == 'sh':
        return points
    columns = get(h, 'jPointsAreConsecutive')
    points = points.reshape(shape[::-1] if columns else shape)
    if turned and get(h, 'alternativeRowScanning'):
        points = points.copy()
        points[1::2] = points[1::2, ::-1]
    return (points.T if columns else points).ravel()


def check_points(h, field, bad):
    try:
        values = eccodes.codes_get_values(h)
    except Exception:
        return  # messages that ecCodes cannot read
    if get(h, 'bitmapPresent') or get(h, 'numberOfMissing'):
        values = np.where(values == eccodes.codes_get(h, 'missingValue'), np.nan, values)
    ours = np.asarray(field.values, 'f8').ravel()
    if ours.shape != values.shape:
        bad('shape', f'{field.shape}, expected {values.size} points')
        return
    if not np.allclose(ours, arranged(h, field.shape, values, True), rtol=1e-12, atol=0, equal_nan=True):
        bad('values', f'{ours[:3]}, expected {values[:3]}')
    try:
        latitudes, longitudes = (arranged(h, field.shape, eccodes.codes_get_array(h, k), False) for k in ('latitudes', 'longitudes'))
    except Exception:
        return
    if 'latitude' not in field.coords or 'longitude' not in field.coords:
        bad('places', 'none')
        return
    lat, lon = (field[k].broadcast_like(field).transpose(*field.dims).values.ravel() for k in ('latitude', 'longitude'))
    far = np.maximum(np.abs(lat - latitudes), np.where(np.abs(latitudes) > 89.9999, 0, np.abs((lon - longitudes + 180) % 360 - 180)))
    if not np.nanmax(far, initial=0) < 2e-5 or not np.array_equal(np.isnan(lat), ~np.isfinite(latitudes)):
        bad('places', f'up to {np.nanmax(far)} degrees away')


def check_layer(h, v, field, dataset, at, bad):
    """Top and bottom, of which ecCodes has whole numbers. It has a top in Pa after a bottom of 0 hPa was asked for."""
    kind, top, bottom = get(h, 'typeOfLevel'), get(h, 'topLevel'), get(h, 'bottomLevel')
    if not kind or not kind.endswith('Layer') or bottom in (None, eccodes.CODES_MISSING_LONG, top):
        return
    own = named(v)
    axis = next((c for c in field.coords if c in own and (c == kind or c.rsplit('_', 1)[0] == kind)), None)
    name = field.coords[axis].attrs.get('bounds') if axis else None
    if name is None:
        bad('bounds', f'none of {kind}')
        return
    bounds = dataset[name]
    found = bounds.isel({d: at[d] for d in bounds.dims if d in at}).values
    if np.abs(found - (top, bottom)).max() > 0.501:
        bad('bounds', f'{found} of {kind}, expected {top} and {bottom}')


def check_labels(h, v, field, bad):
    own = named(v)
    reference = moment(get(h, 'dataDate'), get(h, 'dataTime'))
    valid = moment(get(h, 'validityDate'), get(h, 'validityTime'))
    number = get(h, 'number') if get(h, 'number') is not None else get(h, 'perturbationNumber')
    # ecCodes' times have no seconds.
    for name, expected, slack in (('time', reference, 59), ('valid_time', valid, 59), ('step', end_of_step(h), 0), ('number', number, 0)):
        found = label(field, own, name)
        if expected is not None and (found is None or abs(int(found) - int(expected)) > slack):
            bad(name, f'{found}, expected {expected}')
    kind, level = get(h, 'typeOfLevel'), get(h, 'level', float)
    found = label(field, own, kind)
    if kind == 'unknown':
        pass
    elif found is None and level:
        bad('level', f'none, expected {kind} {level}')
    elif kind and not kind.endswith('Layer') and found is not None and level is not None:  # ecCodes has whole hectopascals
        if not (np.isclose(found, level, rtol=1e-9, atol=0) or kind == 'isobaricInhPa' and int(found) == level):
            bad('level', f'{found}, expected {kind} {level}')
    for key, name in LABELS.items():
        expected, found = get(h, key), label(field, own, name)
        if expected is not None and (found is None or float(found) != expected):
            bad(key, f'{found}, expected {expected}')
    for key, name in ATTRIBUTES.items():
        expected, found = get(h, key), v.attrs.get(name)
        if expected not in (None, 0, 'unknown', 'Unknown', '~') and found != expected and not (key == 'stepType' and found is None):
            bad(key, f'{found}, expected {expected}')


def check(tgmconv, path, most):
    """The number of messages of a file, and their problems. Most messages are compared at a sample of points."""
    wrong = collections.OrderedDict()
    with served(tgmconv, path) as address, open(path, 'rb') as f:
        report = json.load(urllib.request.urlopen(address + '/@report.json'))
        groups = {node.path.strip('/'): node.to_dataset() for node in xr.open_datatree(address, engine='zarr', decode_timedelta=True).subtree}
        for n, line in enumerate(report['lines']):
            try:
                h = eccodes.codes_grib_new_from_file(f)
            except Exception:
                break  # messages that ecCodes cannot read
            if h is None:
                wrong['messages'] = [f'{n} of ecCodes, {len(report["lines"])} objects']
                break

            def bad(what, text):
                wrong.setdefault(what, []).append(f'message {n}, {line.get("array")}: {text}')

            if 'array' not in line:
                bad('hidden', line['why'])
            else:
                group, _, name = line['array'].rpartition('/')
                v = groups[group][name]
                leading = [d for d in v.dims if d not in GRID_DIMS and not d.startswith('dim_')]
                at = np.unravel_index(line['chunk'], [v.sizes[d] for d in leading]) if leading else ()
                field = v.isel(dict(zip(leading, at)))
                if n % max(1, len(report['lines']) // most) == 0:
                    check_points(h, field, bad)
                check_labels(h, v, field, bad)
                check_layer(h, v, field, groups[group], dict(zip(leading, at)), bad)
            eccodes.codes_release(h)
    return len(report['lines']), [f'{what}: {len(list_)} times, first {list_[0]}' for what, list_ in wrong.items()]


def main():
    messages = bad = 0
    with command() as tgmconv, tempfile.TemporaryDirectory() as folder:
        paths, most = sys.argv[1:], 10**9
        if not paths:  # a sample
            most = 10
            paths = sorted(p for p in glob.glob(ROOT + '/fixtures/grib/**/*', recursive=True)
                           if os.path.isfile(p) and '/malformed/' not in p)[::2] + derive(folder)
        for path in paths:
            try:
                n, wrong = check(tgmconv, path, most)
            except Exception as e:
                n, wrong = 0, [repr(e)[:300]]
            messages += n
            bad += len(wrong)
            for line in wrong:
                print(f'{os.path.basename(path)}: {line}'[:400])
    print(f'check_fields: {len(paths)} files, {messages} messages, {bad} kinds of differences')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
