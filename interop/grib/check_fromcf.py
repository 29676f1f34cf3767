"""Writes netCDF files as GRIB with tgmconv, and compares what ecCodes reads from it with what xarray reads from the netCDF.

    .interop/venv/bin/python interop/grib/check_fromcf.py [FILE.nc ...]

Every message must have the values of the variable of its parameter at its time, level and member, to the last bit where the units are
those of GRIB. Exit 1 if anything differs, 77 if the programs to compare with are not there.
"""
import collections
import glob
import os
import subprocess
import sys
import tempfile

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..'))
try:
    import eccodes
    import numpy as np
    import xarray
except ImportError as e:
    print('grib/check_fromcf:', e)
    sys.exit(77)

totals = collections.Counter()
failures = []
LEVELS = ('level', 'isobaricInhPa', 'pressure_level', 'plev', 'model_level_number')
PRESSURE = {'hpa': 1, 'millibars': 1, 'mbar': 1, 'pa': 0.01}


def messages(path):
    with open(path, 'rb') as f:
        while (h := eccodes.codes_grib_new_from_file(f)) is not None:
            yield h
            eccodes.codes_release(h)


def variable(dataset, h):
    """The variable that a message is of: by its short name, or else by its standard name."""
    for name in (eccodes.codes_get(h, 'cfVarName'), eccodes.codes_get(h, 'shortName')):
        if name in dataset:
            return dataset[name]
    for v in dataset.data_vars.values():
        if v.attrs.get('standard_name') == eccodes.codes_get(h, 'cfName'):
            return v
    return None


def select(v, h):
    """The values of a variable at the labels of a message."""
    for dim in v.dims:
        c = v[dim] if dim in v.coords else None
        if c is None:
            continue
        if np.issubdtype(c.dtype, np.datetime64):
            date, time = eccodes.codes_get(h, 'validityDate', int), eccodes.codes_get(h, 'validityTime', int)
            v = v.sel({dim: np.datetime64(f'{date // 10000}-{date // 100 % 100:02}-{date % 100:02}T{time // 100:02}:{time % 100:02}')})
        elif dim in LEVELS:
            scale = PRESSURE.get(str(c.attrs.get('units', '')).lower(), 1)
            v = v.isel({dim: int(np.argmin(np.abs(c.values * scale - eccodes.codes_get(h, 'level', float))))})
        elif dim in ('number', 'realization'):
            v = v.sel({dim: eccodes.codes_get(h, 'number', int)})
    return v.values


def compare(source, out):
    dataset = xarray.open_dataset(source, decode_timedelta=False)
    for h in messages(out):
        totals['messages'] += 1
        v = variable(dataset, h)
        if v is None:
            failures.append(source)
            print(f'{source}: no variable of {eccodes.codes_get(h, "shortName")}')
            continue
        eccodes.codes_set(h, 'missingValue', 1e30)
        got = eccodes.codes_get_values(h)
        got = np.where(got == 1e30, np.nan, got)
        want = np.asarray(select(v, h), 'f8').ravel()
        if got.shape != want.shape or not np.array_equal(got, want, equal_nan=True) and not np.allclose(got, want, rtol=1e-7, equal_nan=True):
            failures.append(source)
            print(f'{source}: {eccodes.codes_get(h, "shortName")}: {got[:3]} of {got.shape}, not {want[:3]} of {want.shape}')
        elif np.array_equal(got, want, equal_nan=True):
            totals['equal to the last bit'] += 1
        places(h, v)


def places(h, v):
    """The coordinates of the first and the last point."""
    ends = eccodes.codes_get_array(h, 'latitudes')[[0, -1]], eccodes.codes_get_array(h, 'longitudes')[[0, -1]]
    lat, lon = (v[d].values[[0, -1]].astype('f8') for d in v.dims[-2:])
    if not np.allclose(ends[0], lat, atol=2e-3) or not np.allclose((ends[1] - lon + 180) % 360, 180, atol=2e-3):
        failures.append(v.name)
        print(f'{v.name}: corners {ends}, not {lat} {lon}')


def main():
    with tempfile.TemporaryDirectory() as folder:
        tgm, grib = os.path.join(folder, 'a.tgm'), os.path.join(folder, 'a.grib2')
        for path in sys.argv[1:] or sorted(glob.glob('fixtures/netcdf/*.nc') + glob.glob('.interop/corpus/netcdf/*.nc')):
            if subprocess.run(['bin/tgmconv', 'convert-netcdf', '-q', path, '-o', tgm], capture_output=True).returncode:
                continue
            r = subprocess.run(['bin/tgmconv', 'to-grib', '-q', '--skip-bad', tgm, '-o', grib], capture_output=True)
            if r.returncode:
                totals['files without a field for GRIB'] += 1
                continue
            totals['files'] += 1
            compare(path, grib)
    print('grib/check_fromcf:', ', '.join(f'{n} {what}' for what, n in sorted(totals.items())), f'- {len(failures)} differ')
    return 1 if failures or not totals['messages'] else 0


if __name__ == '__main__':
    sys.exit(main())
