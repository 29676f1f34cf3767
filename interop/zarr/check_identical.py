"""Demands that xarray sees a served netCDF file as it sees the file itself.

    .interop/venv/bin/python interop/zarr/check_identical.py [FILE ...]

The dataset of each file, served as it is and converted to Tensogram, is compared with xarray.testing.assert_identical; files
with an unlimited dimension with open_mfdataset. What is served can be written with to_netcdf, and read with dask. Prints
a line for each file that differs and the totals. Exit 1 for a difference that is not listed here, 77 without xarray.
"""
import glob
import os
import subprocess
import sys
import tempfile
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
try:
    import dask  # noqa: F401
    import numpy as np
    import xarray as xr
except ImportError as e:
    print('check_identical:', e)
    sys.exit(77)
from served import ROOT, command, served

warnings.filterwarnings('ignore')

# What cannot be identical. Complex numbers are compounds to the netCDF library, sequences and compounds have no form in Zarr; an
# enum is integers with flag_values and flag_meanings; attributes that are references are paths. The valid range of packed numbers
# is that of the values that are shown; xarray shows that of the packed numbers beside them.
EQUAL = {'complex_types.nc', 'complex_types_unlimited.nc', 'enum_variable.nc', 'enums_from_netcdf.nc', 'packed_floats.nc', 'vlen_string_s390x.h5'}
OTHER = {'compound-dtype-complex.h5', 'types.nc'}


def compare(want, got):
    try:
        xr.testing.assert_identical(want, got)
        return 'identical', ''
    except AssertionError as e:
        why = str(e)
    try:
        xr.testing.assert_equal(want, got)
        return 'equal', why
    except AssertionError:
        return 'different', why


def check(tgmconv, path, folder, totals):
    try:
        want = xr.open_dataset(path).load()
    except Exception:
        totals['xarray cannot open'] = totals.get('xarray cannot open', 0) + 1
        return []
    if not want.variables:
        return []
    wrong = []
    converted = os.path.join(folder, 'converted.tgm')
    subprocess.run([tgmconv, 'convert-netcdf', '--cf', '--quiet', '--external', '-o', converted, path], check=True, capture_output=True)
    # A server takes elements only from files that it serves itself.
    for served_path in [converted] if 'linked' in path else [path, converted]:
        with served(tgmconv, served_path) as address:
            got = xr.open_zarr(address)
            if not got.chunks and got.data_vars:
                wrong.append('dask has no chunks')
            got = got.load()
            if not any(v.dtype.kind == 'c' for v in got.variables.values()):
                got.drop_encoding().to_netcdf(os.path.join(folder, 'out.nc'))
        how, why = compare(want, got)
        totals[how] = totals.get(how, 0) + 1
        name = os.path.basename(path)
        if how != 'identical' and not (how == 'equal' and name in EQUAL) and name not in OTHER:
            wrong.append(why)
    return wrong


def check_many(tgmconv, folder):
    days = np.arange('2020-01-01', '2020-01-11', dtype='M8[D]').astype('M8[ns]')
    whole = xr.Dataset({'a': (('time', 'y'), np.random.default_rng(1).random((10, 3)), {'units': 'K'}), 's': (('y',), np.arange(3.))},
                       coords={'time': days, 'y': [1., 2., 3.]})
    wrong = []
    whole['time_bnds'] = ('time', 'nv'), np.stack([days, days + np.timedelta64(1, 'D')], 1)
    whole['time'].attrs['bounds'] = 'time_bnds'
    one = {'time': {'units': 'days since 2020-01-01'}}
    first_days = {}  # xarray counts from the first day of each file
    halves = {'time': {'dtype': 'f8'}}
    for ends, encoding in ([4, 8, 10], one), ([3, 4, 10], one), ([1, 7, 8, 10], one), ([3, 4, 10], first_days), ([5, 10], halves):
        parts = tempfile.mkdtemp(dir=folder)
        for first, end in zip([0] + ends, ends):
            path = f'{parts}/{first}.nc'
            whole.isel(time=slice(first, end)).to_netcdf(path, unlimited_dims=['time'], encoding=encoding)
        paths = sorted(glob.glob(parts + '/*.nc'))
        wrong += compare_many(tgmconv, folder, parts)
    for name, files in {
        'other units': [(slice(0, 3), {'time': {'units': 'days since 2020-01-01'}}, {}), (slice(3, 10), {'time': {'units': 'hours since 2020-01-02'}}, {})],
        'packed': [(slice(0, 3), {'time': {'units': 'days since 2020-01-01', 'dtype': 'i2', 'scale_factor': 0.25, 'add_offset': 1.0}}, {}), (slice(3, 10), one, {})],
        'names that are not in order': [(slice(6, 10), first_days, {}), (slice(0, 3), first_days, {}), (slice(3, 6), first_days, {})],
        'texts of other lengths': [(slice(0, 3), one, {'label': ('time', ['a', 'bcd', 'e'])}), (slice(3, 5), one, {'label': ('time', ['fghijk', ''])})],
        'bytes of other lengths': [(slice(0, 3), one, {'label': ('time', np.array(['a', 'bcd', 'e'], 'S3'))}), (slice(3, 5), one, {'label': ('time', np.array(['fghijk', 'l'], 'S6'))})],
        'constants that differ': [(slice(0, 3), one, {'height': 1.5, 'same': 2.5}), (slice(3, 5), one, {'height': 3.5, 'same': 2.5})],
    }.items():
        parts = tempfile.mkdtemp(dir=folder)
        for i, (part, encoding, more) in enumerate(files):
            whole.isel(time=part).assign(more).to_netcdf(f'{parts}/{i}.nc', unlimited_dims=['time'], encoding=encoding)
        wrong += [f'{name}: {why}' for why in compare_many(tgmconv, folder, parts)]
    return wrong


def compare_many(tgmconv, folder, parts):
    """Compares the files of a folder, and one that they are converted to, with what open_mfdataset makes of them."""
    wrong, paths = [], sorted(glob.glob(parts + '/*.nc'))
    want = xr.open_mfdataset(paths, data_vars='different', coords='different', compat='equals', join='exact').load()
    converted = os.path.join(folder, 'joined.tgm')
    for flags in [], ['--split-by', 'record']:
        subprocess.run([tgmconv, 'convert-netcdf', '--cf', '--quiet', *flags, '-o', converted, *paths], check=True, capture_output=True)
        for path in parts, converted:
            with served(tgmconv, path) as address:
                how, why = compare(want, xr.open_zarr(address).load())
            if how != 'identical':
                wrong.append(why)
    return wrong


def main():
    paths = sys.argv[1:] or sorted(p for p in glob.glob(ROOT + '/fixtures/netcdf/**/*', recursive=True) if p.endswith(('.nc', '.h5', '.nc4')))
    totals, bad = {}, 0
    with command() as tgmconv, tempfile.TemporaryDirectory() as folder:
        checks = [(p, lambda p=p: check(tgmconv, p, folder, totals)) for p in paths] + [('open_mfdataset', lambda: check_many(tgmconv, folder))]
        for name, run in checks:
            try:
                wrong = run()
            except Exception as e:
                wrong = [repr(e)[:300]]
            bad += bool(wrong)
            for why in wrong:
                print(f'{os.path.basename(name)}: {why[:600]}')
    print('check_identical:', ', '.join(f'{n} {how}' for how, n in sorted(totals.items())) + f'; {bad} files wrong')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
