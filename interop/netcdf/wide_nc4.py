#!/usr/bin/env python3
"""Makes netCDF files with the netCDF library: models, CF attributes and what is odd about them, dimensions, groups, types.

usage: wide_nc4.py FOLDER
"""

import os
import random
import sys

import netCDF4
import numpy as np

TYPES = 'i1 u1 i2 u2 i4 u4 i8 u8 f4 f8'.split()
FORMATS = {
    'NETCDF4': TYPES,
    'NETCDF4_CLASSIC': 'i1 i2 i4 f4 f8'.split(),
    'NETCDF3_CLASSIC': 'i1 i2 i4 f4 f8'.split(),
    'NETCDF3_64BIT_OFFSET': 'i1 i2 i4 f4 f8'.split(),
    'NETCDF3_64BIT_DATA': TYPES,
}


def file(folder, name, fmt='NETCDF4'):
    return netCDF4.Dataset(
        os.path.join(folder, 'n_%s_%s.nc' % (name, fmt.lower().replace('netcdf', ''))), 'w', format=fmt
    )


def variable(d, name, t, dims, data, fill=None, attrs=(), **kw):
    v = d.createVariable(name, t, dims, fill_value=fill, **kw)
    v.set_auto_maskandscale(False)
    for k, x in dict(attrs).items():
        v.setncattr(k, x)
    if data is not None:
        v[...] = data
    return v


def packing(folder, fmt):
    """scale_factor, add_offset, fill and missing values of every type against every type of variable"""
    d = file(folder, 'packing', fmt)
    types = FORMATS[fmt]
    d.createDimension('x', 6)
    scales = [
        dict(scale_factor=0.01, add_offset=273.15),
        dict(scale_factor=np.float32(0.1)),
        dict(add_offset=np.float32(1.5)),
        dict(scale_factor=2),
        dict(add_offset=np.int16(-7)),
        dict(scale_factor=np.float32(0.001), add_offset=20.0),
        dict(scale_factor=0.5, add_offset=-1e6),
        dict(scale_factor=1.0, add_offset=0.0),
        dict(scale_factor=-0.25),
        dict(scale_factor=0.0),
        dict(scale_factor=np.array([0.5])),
        dict(scale_factor='0.1'),
        dict(scale_factor=np.array([1.0, 2.0])),
        dict(scale_factor=np.nan),
        dict(scale_factor=1e300, add_offset=-1e300),
        dict(scale_factor=2.0**-20, add_offset=100.0),
        dict(scale_factor=1e-5),
    ]
    n = 0
    for t in types:
        small = [0, 1, 2, 100, 99, 3] if t[0] == 'u' else [0, -1, 2, 100, -99, 3]
        for s in scales:
            n += 1
            variable(d, 's%03d_%s' % (n, t), t, ('x',), small, [None, 2, 100][n % 3], s)
        variable(d, 'scalar_' + t, t, (), 5, None, scales[0])
        info = np.finfo(t) if t[0] == 'f' else np.iinfo(t)
        variable(
            d, 'ends_' + t, t, ('x',), np.array([info.min, info.max, 0, 1, info.max, info.min], t), info.max, scales[0]
        )
        for m, value in enumerate(
            [
                2,
                2.0,
                np.float32(2),
                np.int8(2),
                [2, 3],
                [2.0, 1e20],
                1e20,
                -1e30,
                2.5,
                np.nan,
                'text',
                '',
                300,
                -1,
                np.float32(1e20),
                [1e20, 2],
                'NaN',
                np.array([], 'f4'),
            ]
        ):
            if fmt != 'NETCDF4' and np.asarray(value).dtype.kind == 'i':
                value = np.asarray(value, 'i4')
            for s in {}, scales[0]:
                n += 1
                data = small if t[0] != 'f' else np.array([2, np.nan, 1e20, np.inf, 3, 2.5], t)
                try:
                    variable(d, 'm%03d_%d_%s' % (n, m, t), t, ('x',), data, None, dict(s, missing_value=value))
                except Exception as e:
                    print('skipped', fmt, t, value, e, file=sys.stderr)
        for f in (np.nan, 2, 9.969209968386869e36) if t[0] == 'f' else (2, 100, 0):
            n += 1
            data = small if t[0] != 'f' else np.array([2, np.nan, 9.969209968386869e36, np.inf, 3, -np.inf], t)
            variable(d, 'f%03d_%s' % (n, t), t, ('x',), data, f)
            variable(
                d,
                'fp%03d_%s' % (n, t),
                t,
                ('x',),
                data,
                f,
                dict(
                    scale_factor=0.1,
                    missing_value=np.array(3, t),
                    valid_min=np.array(1, t),
                    valid_range=np.array([1, 50], t),
                ),
            )
        v = d.createVariable('never_' + t, t, ('x',))
        v = d.createVariable('never_filled_' + t, t, ('x',), fill_value=7)
        v = d.createVariable('never_packed_' + t, t, ('x',), fill_value=7)
        v.scale_factor = 0.1
        if t[0] == 'i':
            variable(
                d, 'unsigned_' + t, t, ('x',), small, -1, {'_Unsigned': 'true', 'valid_range': np.array([0, -6], t)}
            )
            variable(d, 'unsigned_packed_' + t, t, ('x',), small, -1, {'_Unsigned': 'true', 'scale_factor': 0.1})
        if t[0] == 'u':
            variable(d, 'signed_' + t, t, ('x',), small, 99, {'_Unsigned': 'false'})
    d.close()


def conventions(folder, fmt):
    """CF: coordinates, bounds, cell methods, flags, grid mappings, times of all calendars, attributes of the wrong type"""
    d = file(folder, 'cf', fmt)
    d.setncatts(
        {
            'Conventions': 'CF-1.11',
            'title': 'a title',
            'history': 'one\ntwo',
            'empty': '',
            'version': 3,
            'nan': np.nan,
            'many': [1.0, 2.0, 3.0],
        }
    )
    for n, size in (('time', None), ('lat', 3), ('lon', 4), ('bnds', 2), ('strlen', 8), ('lev', 2)):
        d.createDimension(n, size)
    calendars = [
        'standard',
        'gregorian',
        'proleptic_gregorian',
        'noleap',
        '365_day',
        '366_day',
        'all_leap',
        '360_day',
        'julian',
        'none',
        'Gregorian',
        '',
        'bogus',
    ]
    units = [
        'days since 1850-01-01',
        'hours since 1900-1-1 00:00:0.0',
        'seconds since 1970-01-01T00:00:00Z',
        'days since 0000-01-01',
        'months since 2000-01-01',
        'days since 1-1-1',
        'day as %Y%m%d.%f',
        'hours since 2000-01-01 00:00:00 -6:00',
        'microseconds since 2000-01-01',
        'nonsense',
        '',
        'days',
        'minutes since 1582-10-15 12:00',
    ]
    variable(
        d,
        'time',
        'f8',
        ('time',),
        [0.0, 1.0, 2.5],
        None,
        {
            'units': units[0],
            'calendar': 'noleap',
            'bounds': 'time_bnds',
            'axis': 'T',
            'standard_name': 'time',
            'climatology': 'no',
        },
    )
    variable(d, 'time_bnds', 'f8', ('time', 'bnds'), [[0, 1], [1, 2], [2, 3]])
    for i, c in enumerate(calendars):
        for j, u in enumerate(units):
            if (i + j) % 3 == 0:
                variable(
                    d,
                    't%d_%d' % (i, j),
                    ['f8', 'i4', 'f4'][j % 3],
                    ('time',),
                    [1, 2, 3],
                    None,
                    {'units': u, 'calendar': c},
                )
    variable(
        d,
        'lat',
        'f4',
        ('lat',),
        [-90, 0, 90],
        None,
        {'units': 'degrees_north', 'standard_name': 'latitude', 'valid_min': np.float32(-90), 'valid_max': 90.0},
    )
    variable(
        d,
        'lon',
        'f8',
        ('lon',),
        [0, 90, 180, 270],
        None,
        {'units': 'degrees_east', 'long_name': 'länge', 'positive': 'up'},
    )
    v = variable(
        d,
        't2m',
        'i2',
        ('time', 'lat', 'lon'),
        np.arange(36).reshape(3, 3, 4),
        -9,
        {
            'scale_factor': 0.5,
            'add_offset': np.float32(250),
            'coordinates': 'aux region lat2d',
            'cell_methods': 'time: mean (interval: 1 hour) area: max',
            'grid_mapping': 'crs',
            'ancillary_variables': 't2m_flag other',
            'valid_range': np.array([0, 30], 'i2'),
            'units': 'K',
            'standard_name': 'air_temperature',
            'comment': 'x' * 300,
        },
    )
    variable(
        d,
        't2m_flag',
        'i1',
        ('time', 'lat', 'lon'),
        np.arange(36).reshape(3, 3, 4) % 3,
        -1,
        {
            'flag_values': np.array([0, 1, 2], 'i1'),
            'flag_meanings': 'good bad ugly',
            'flag_masks': np.array([1, 2], 'i1'),
            'standard_name': 'status_flag',
        },
    )
    variable(
        d,
        'crs',
        'i4',
        (),
        0,
        None,
        {
            'grid_mapping_name': 'rotated_latitude_longitude',
            'grid_north_pole_latitude': 39.25,
            'crs_wkt': 'GEOGCRS["x"]',
            'towgs84': [0.0, 0.0, 0.0],
        },
    )
    variable(
        d,
        'lev',
        'f4',
        ('lev',),
        [0.1, 0.9],
        None,
        {'formula_terms': 'a: a b: b ps: ps', 'positive': 'down', 'units': '1'},
    )
    variable(
        d,
        'wrong',
        'f4',
        ('lat',),
        [1, 2, 3],
        None,
        {
            'units': 5,
            'standard_name': [1, 2],
            'valid_min': 'low',
            'valid_range': 'none',
            'coordinates': 1.5,
            'long_name': np.int8(3),
            'calendar': 7,
            'name': 'x',
            'type': 'y',
        },
    )
    variable(d, 'region', 'S1', ('lat', 'strlen'), netCDF4.stringtochar(np.array(['abc', 'd', ''], 'S8')))
    d.close()


def shapes(folder, fmt):
    d = file(folder, 'shapes', fmt)
    d.createDimension('t', None)
    if fmt == 'NETCDF4':
        d.createDimension('u', None)
        d.createDimension('never', None)
    for n, size in (('a', 1), ('b', 2), ('c', 3), ('unused', 7)):
        d.createDimension(n, size)
    more = ('u', 'never') if fmt == 'NETCDF4' else ()
    r = random.Random(7)
    for i in range(60):
        t = FORMATS[fmt][i % len(FORMATS[fmt])]
        dims = r.sample(['a', 'b', 'c'] + list(more), r.randrange(4))
        if r.random() < 0.6:
            dims.insert(0 if fmt != 'NETCDF4' else r.randrange(len(dims) + 1), 't')
        v = d.createVariable('v%d' % i, t, dims, fill_value=[None, 3][i % 2])
        if i % 4:
            # The library misplaces elements before the end of the file's part along another axis than the first.
            shape = [
                {'t': i % 4 if dims[:1] == ['t'] else 3, 'u': 2, 'never': 0, 'a': 1, 'b': 2, 'c': 3}[x] for x in dims
            ]
            if 0 not in shape and (dims or i % 2):
                v[tuple(slice(0, s) for s in shape)] = np.arange(int(np.prod(shape))).reshape(shape) % 100
    d.createVariable('a', 'f4', ('a',))[:] = 5
    d.createVariable('c', 'f4', ('b', 'c'))[:] = 5
    d.close()


def grouped(folder):
    d = file(folder, 'groups')
    d.createDimension('x', 3)
    d.createDimension('t', None)
    d.setncattr('where', 'root')
    variable(d, 'x', 'f4', ('x',), [1, 2, 3])
    variable(d, 'v', 'f4', ('t', 'x'), [[1, 2, 3], [4, 5, 6]])
    for path in 'a', 'a/b', 'a/b/c', 'z', 'with space', 'ünï/日本', 'y':
        g = d.createGroup(path)
        g.setncattr('where', path)
        g.setncattr('level', path.count('/'))
        variable(
            g,
            'v',
            'i4',
            ('t', 'x'),
            [[1, 2, 3], [4, 5, 6], [7, 8, 9]],
            None,
            {'where': path, 'scale_factor': 0.1} if path == 'z' else {'where': path},
        )
        g.createDimension('y', 2)
        variable(g, 'w', 'i2', ('y', 't'), [[1, 2, 3], [4, 5, 6]])
        variable(g, 'scalar', 'u8', (), 2**63 + 1)
    g = d['a/b']
    e = g.createEnumType('i2', 'e_t', {'no': 0, 'yes': 1, 'neg': -5})
    for h in g, d['a/b/c']:
        h.createVariable('enum', e, ('x',), fill_value=1)[:2] = [0, -5]
    d.createEnumType('u8', 'e8', {'big': 2**63 + 5, 'one': 1})
    d.createVariable('enum8', d.enumtypes['e8'], ('x',), fill_value=1)[:] = [1, 2**63 + 5, 1]
    c = d.createCompoundType(np.dtype([('r', 'f4'), ('i', 'f4')]), 'complex_t')
    d.createVariable('cplx', c, ('x',))[:] = np.array([(1, 2), (3, 4), (5, 6)], c.dtype)
    s = d.createVariable('s', str, ('x',))
    s[:] = np.array(['a', 'ü', ''], object)
    vl = d.createVLType('f4', 'vl_t')
    d.createVariable('vl', vl, ('x',))[0] = np.array([1, 2], 'f4')
    d.createVariable('ch', 'S1', ('x',))[:] = [b'a', b'b', b'c']
    d.setncattr_string('strings', ['a', 'bb', 'ccc'])
    d.setncattr_string('one_string', 'ü')
    d.close()


def storage(folder):
    d = file(folder, 'storage')
    d.createDimension('t', None)
    d.createDimension('y', 30)
    d.createDimension('x', 41)
    rng = np.random.default_rng(9)
    n = 0
    for t in TYPES:
        a = (np.arange(4 * 30 * 41) // 50 % 100).reshape(4, 30, 41).astype(t)
        for kw in (
            dict(),
            dict(zlib=True),
            dict(zlib=True, shuffle=False, complevel=9),
            dict(fletcher32=True),
            dict(zlib=True, fletcher32=True, chunksizes=(1, 7, 9)),
            dict(chunksizes=(3, 30, 41)),
            dict(endian='big'),
            dict(endian='big', zlib=True),
            dict(compression='zstd'),
            dict(compression='bzip2'),
            dict(compression='szip'),
            dict(compression='blosc_lz4', blosc_shuffle=2),
            dict(compression='blosc_zstd', blosc_shuffle=1),
            dict(compression='blosc_zlib', blosc_shuffle=2, chunksizes=(1, 29, 41)),
        ):
            n += 1
            dims = ('t', 'y', 'x') if n % 3 else ('y', 'x')
            try:
                v = d.createVariable('v%03d' % n, t, dims, **kw)
            except Exception as e:
                print('skipped', kw, e, file=sys.stderr)
                continue
            v[:] = a[: 1 + n % 4] if n % 3 else a[0]
        for kw in (dict(contiguous=True), dict(contiguous=True, endian='big')):
            n += 1
            d.createVariable('v%03d' % n, t, ('y', 'x'), **kw)[3:] = a[0, 3:]
    for q in 'BitGroom', 'GranularBitRound', 'BitRound':
        v = d.createVariable(q, 'f4', ('t', 'y', 'x'), zlib=True, significant_digits=3, quantize_mode=q)
        v[:2] = rng.standard_normal((2, 30, 41)) * 100
    v = d.createVariable('lsd', 'f8', ('t', 'y', 'x'), zlib=True, least_significant_digit=2)
    v[:2] = rng.standard_normal((2, 30, 41))
    d.close()


def xarrays(folder):
    import pandas as pd
    import xarray as xr

    times = pd.date_range('2020-01-01', periods=4, freq='6h')
    ds = xr.Dataset(
        {
            't': (('time', 'x'), np.arange(12.0).reshape(4, 3)),
            'b': ('x', [True, False, True]),
            'td': ('time', pd.to_timedelta([1, 2, 3, 4], 'h')),
            'i': ('x', np.array([1, 2, 3])),
            's': ('x', ['a', 'bc', 'd']),
            'n': ((), np.float32(2)),
        },
        {'time': times, 'x': [1.0, 2.0, 3.0], 'aux': ('x', [5, 6, 7])},
    )
    ds.t[1, 1] = np.nan
    packed = {'t': {'dtype': 'i2', 'scale_factor': 0.1, '_FillValue': -1, 'zlib': True}}
    for engine in 'netcdf4', 'h5netcdf':
        for name, enc in (('plain', {}), ('packed', packed)):
            ds.to_netcdf(
                os.path.join(folder, 'n_xarray_%s_%s.nc' % (engine, name)),
                engine=engine,
                encoding=enc,
                unlimited_dims=['time'],
            )
    import h5netcdf

    with h5netcdf.File(os.path.join(folder, 'n_h5netcdf.nc'), 'w', libver='latest', track_order=True) as f:
        f.dimensions = {'x': 5, 't': None}
        f.create_variable('v', ('t', 'x'), 'f4', chunks=(2, 3), compression='gzip', fillvalue=3.0)
        f.resize_dimension('t', 3)
        f['v'][:] = np.arange(15).reshape(3, 5)
        f.create_variable('/g/h/w', ('x',), data=np.arange(5))
        f.create_variable('x', ('x',), data=np.arange(5.0))
        f.attrs['title'] = 'h5netcdf'


def make(folder):
    for fmt in FORMATS:
        packing(folder, fmt)
        conventions(folder, fmt)
        shapes(folder, fmt)
    grouped(folder)
    storage(folder)
    try:
        xarrays(folder)
    except ImportError as e:
        print('skipped', e, file=sys.stderr)


if __name__ == '__main__':
    os.makedirs(sys.argv[1], exist_ok=True)
    make(sys.argv[1])
