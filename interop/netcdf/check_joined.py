"""Writes netCDF files that follow one another as one file, and compares it with what xarray makes of the files.

    python check_joined.py [TGMCONV]

Sets of three files, not in order, of three formats, with and without an unlimited dimension: values with fill values, packed
integers, characters, strings, bounds, coordinates, variables without a time. Files that are not parts of one dataset must be an error.
"""
import os
import subprocess
import sys
import tempfile

import netCDF4
import numpy as np
import xarray

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../zarr'))
import served


def make(path, begin, times=2, kind='NETCDF4', unlimited=True, scale=0.01, lats=4, more=None):
    with netCDF4.Dataset(path, 'w', format=kind) as f:
        f.title, f.Conventions = f'from {begin}', 'CF-1.8'
        for name, n in ('time', None if unlimited else times), ('lat', lats), ('lon', 3), ('nv', 2), ('len', 5):
            f.createDimension(name, n)

        def variable(name, dtype, dims, values, fill_value=None, **attrs):
            chunks = (1, lats, 3) if kind == 'NETCDF4' and len(dims) == 3 else None
            v = f.createVariable(name, dtype, dims, fill_value=fill_value, zlib=chunks is not None, chunksizes=chunks)
            v.set_auto_maskandscale(False)
            v.setncatts(attrs)
            v[...] = values

        t = begin + np.arange(times, dtype=float)
        n = np.arange(times * lats * 3).reshape(times, lats, 3)
        variable('time', 'f8', ('time',), t, units='hours since 2000-01-01', bounds='time_bnds')
        variable('time_bnds', 'f8', ('time', 'nv'), np.stack([t - .5, t + .5], 1))
        variable('lat', 'f4', ('lat',), np.arange(lats), units='degrees_north')
        variable('lon', 'f4', ('lon',), np.arange(3), units='degrees_east')
        variable('t', 'f4', ('time', 'lat', 'lon'), np.where(n == 0, -999, n + 100 * begin), -999, units='K')
        variable('p', 'i2', ('time', 'lat', 'lon'), n + begin, -32768, scale_factor=scale, add_offset=10.)
        variable('name', 'S1', ('time', 'len'), netCDF4.stringtochar(np.array([f'a{i:.0f}' for i in t], 'S5')))
        variable('flag', 'i1', ('time', 'lat'), (n[:, :, 0] + begin) % 100)
        variable('orography', 'f4', ('lat', 'lon'), n[0])
        variable('crs', 'i4', (), 7, grid_mapping_name='latitude_longitude')
        if kind == 'NETCDF4':
            variable('text', str, ('time',), np.array([f'text {i:.0f}' for i in t], dtype=object))
        if more:
            variable(more, 'f4', ('time',), 1)


def differences(path, files):
    """The differences of a file from the dataset of files."""
    for mask in True, False:
        options = dict(mask_and_scale=mask, decode_times=False)
        with xarray.open_dataset(path, **options) as got, xarray.open_mfdataset(
                files, data_vars='minimal', coords='minimal', compat='override', join='exact', **options) as want:
            try:
                xarray.testing.assert_equal(got.load(), want.load())
            except AssertionError as e:
                yield str(e)
            for name in want.variables:
                if got[name].attrs.keys() != want[name].attrs.keys() or got[name].dtype != want[name].dtype and want[name].dtype.kind not in 'SUO':
                    yield f'{name}: {got[name].dtype} {got[name].attrs}, expected {want[name].dtype} {want[name].attrs}'


def check(tgmconv):
    wrong, sets = [], 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for kind in 'NETCDF4', 'NETCDF3_CLASSIC', 'NETCDF3_64BIT_DATA':
            for unlimited in True, False:
                files = ['0.nc', '1.nc', '2.nc']
                for file, begin, times in zip(files, (0, 10, 5), (2, 3, 2)):
                    make(file, begin, times, kind, unlimited)
                subprocess.run([tgmconv, 'to-netcdf', '-q', '-o', 'joined.nc', *files], check=True)
                found = list(differences('joined.nc', files))
                wrong += [f'{kind}, unlimited {unlimited}: {text}' for text in found]
                sets += 1
        make('0.nc', 0)
        for options in dict(scale=0.02), dict(lats=5), dict(more='more'):
            make('1.nc', 5, **options)
            r = subprocess.run([tgmconv, 'to-netcdf', '-q', '-o', 'none.nc', '0.nc', '1.nc'], capture_output=True, text=True)
            if r.returncode != 1 or 'name a folder' not in r.stderr or os.path.exists('none.nc'):
                wrong.append(f'{options}: code {r.returncode}, {r.stderr}')
            sets += 1
    for text in wrong:
        print(text)
    print(f'{sets} sets of files: {len(wrong)} differences')
    return not wrong


if __name__ == '__main__':
    if len(sys.argv) > 1:
        ok = check(os.path.abspath(sys.argv[1]))
    else:
        with served.command() as tgmconv:
            ok = check(os.path.abspath(tgmconv))
    sys.exit(0 if ok else 1)
