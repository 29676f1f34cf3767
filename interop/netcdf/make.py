#!/usr/bin/env python3
"""Makes netCDF and HDF5 files with uncommon features, to compare readers on.

usage: make.py FOLDER [--kitchen kitchen.cdl]

Needs ncgen and nccopy on PATH and h5py, netCDF4, numpy, hdf5plugin. Small files only: all take about 10 MB.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy as np

CLASSIC = """netcdf classic {
dimensions: t = UNLIMITED ; x = 3 ; y = 2 ; s = 5 ;
variables:
  byte b(t) ; short sh(t, x) ; int i(t, y, x) ; float f(y, x) ; double d(t) ; char c(t, s) ; char c0 ; double fixed(x) ;
  short odd(x) ; byte b3(t, x) ;
  b:one = 1b ; b:many = 1b, 2b, 3b ; sh:s = 7s, -7s, 300s ; i:i = 1, -2 ; f:f = 1.5f ; d:d = 1.e300, -0. ;
  c:text = "three" ; c:empty = "" ; f:_FillValue = -9.f ; sh:scale_factor = 0.01 ; sh:add_offset = 273.15 ;
  :title = "classic" ; :nums = 1, 2, 3 ; :long_name_to_pad = "abcde" ;
data:
  b = 1, -2, 3 ; sh = 1, 2, 3, 4, 5, 6, 7, 8, -9 ; i = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18 ;
  f = 1, 2, _, 4, 5, NaN ; d = 1.5, -0., Infinity ; c = "hello", "wor", "" ; c0 = "Q" ; fixed = 1, 2, 3 ; odd = 1, 2, 3 ;
  b3 = 1, 2, 3, 4, 5, 6, 7, 8, 9 ;
}
"""
FIVE = """netcdf five {
dimensions: t = UNLIMITED ; x = 3 ;
variables:
  ubyte ub(t, x) ; ushort us(t) ; uint ui(x) ; int64 i64(t) ; uint64 u64(t, x) ; byte b(t) ;
  ub:a = 255ub ; us:a = 65535us, 1us ; ui:a = 4294967295u ; i64:a = -9223372036854775807LL ; u64:a = 18446744073709551615ULL ;
data:
  ub = 1, 2, 255, 4, 5, 6 ; us = 1, 65535 ; ui = 1, 2, 4294967295 ; i64 = -9223372036854775807, 9223372036854775807 ;
  u64 = 0, 1, 18446744073709551615, 3, 4, 5 ; b = -1, 1 ;
}
"""
ONE = {
    'one_byte': 'byte v(t) ; data: v = 1, 2, 3, 4, 5 ;',
    'one_short': 'short v(t, x) ; data: v = 1, 2, 3, 4, 5, 6, 7, 8, 9 ;',
    'one_char': 'char v(t) ; data: v = "abcde" ;',
    'one_double': 'double v(t) ; data: v = 1, 2, 3 ;',
    'none': 'byte v(t, x) ; double w(t) ;',
}


def run(*args):
    subprocess.run(args, check=True)


def classic(folder):
    def cdl(name, text, *kinds):
        path = os.path.join(folder, name + '.cdl')
        with open(path, 'w') as f:
            f.write(text)
        for k in kinds:
            run('ncgen', '-k', k, '-o', os.path.join(folder, '%s_%s.nc' % (name, k)), path)
        os.remove(path)

    cdl('classic', CLASSIC, 'nc3', 'nc6', 'nc5', 'nc4', 'nc7')
    cdl('five', FIVE, 'nc5', 'nc4')
    for name, body in ONE.items():
        cdl(name, 'netcdf %s { dimensions: t = UNLIMITED ; x = 3 ; variables: %s }' % (name, body), 'nc3', 'nc6', 'nc5')
    # a writer that did not know the number of records
    with open(os.path.join(folder, 'classic_nc3.nc'), 'rb') as f:
        b = bytearray(f.read())
    b[4:8] = b'\xff' * 4
    with open(os.path.join(folder, 'x_streaming.nc'), 'wb') as f:
        f.write(b)


def kitchen(folder, cdl):
    base = os.path.join(folder, 'kitchen.nc')
    run('ncgen', '-k', 'nc4', '-o', base, cdl)
    run('nccopy', '-c', 'time/1,y/2,x/3,obs/2', base, os.path.join(folder, 'kitchen_chunks.nc'))
    run('nccopy', '-u', base, os.path.join(folder, 'kitchen_fixed.nc'))
    # Debian's nccopy refuses filters on strings and user-defined types
    plain = os.path.join(folder, 'classic_nc4.nc')
    for i, flags in enumerate(
        (
            ['-d', '1'],
            ['-d', '9', '-s'],
            ['-k', 'nc7', '-d', '5', '-s', '-c', 't/2,x/3,y/1'],
            ['-F', '*,1,3|2|3'],
            ['-u', '-k', 'cdf5'],
        )
    ):
        run('nccopy', *flags, plain, os.path.join(folder, 'copy%d.nc' % i))


def datasets(f, **kw):
    """one dataset for each way chunks are found, in the latest format"""
    a = np.arange(7 * 11 * 5, dtype='<f4').reshape(7, 11, 5)
    f.create_dataset('single', data=a, chunks=a.shape, **kw)
    f.create_dataset('fixed', data=a, chunks=(2, 3, 4), **kw)
    f.create_dataset('fixed_big', data=np.arange(5000, dtype='i2'), chunks=(2,), **kw)  # several pages
    f.create_dataset('ext', data=a, chunks=(2, 3, 4), maxshape=(None, 11, 5), **kw)
    f.create_dataset('ext_mid', data=a, chunks=(2, 3, 4), maxshape=(7, None, 9), **kw)
    f.create_dataset('ext_last', data=a, chunks=(2, 3, 4), maxshape=(8, 20, None), **kw)
    f.create_dataset('ext_big', data=np.arange(2500, dtype='u2'), chunks=(1,), maxshape=(None,), **kw)
    f.create_dataset('bt2', data=a, chunks=(2, 3, 4), maxshape=(None, None, 5), **kw)
    d = f.create_dataset('bt2_big', shape=(40, 40), dtype='i4', chunks=(1, 1), maxshape=(None, None), **kw)
    d[...] = np.arange(1600).reshape(40, 40)
    d = f.create_dataset(
        'sparse', shape=(100, 100), dtype='f8', chunks=(7, 9), maxshape=(None, 100), fillvalue=-1.5, **kw
    )
    d[20:30, 50:60] = 3
    d = f.create_dataset('sparse_fixed', shape=(4000,), dtype='i8', chunks=(2,), fillvalue=7, **kw)
    d[3000:3010] = 1
    d = f.create_dataset('sparse_ext', shape=(4000,), dtype='i8', chunks=(2,), maxshape=(None,), **kw)
    d[3990:] = 1
    d = f.create_dataset('sparse_paged', shape=(200000,), dtype='i1', chunks=(1,), maxshape=(None,), **kw)
    d[199000:199010] = 5
    d[140000] = 6
    d = f.create_dataset(
        'sparse2', shape=(100, 100), dtype='f8', chunks=(7, 9), maxshape=(None, None), fillvalue=2.5, **kw
    )
    d[20:30, 50:60] = 3
    f.create_dataset('empty_chunked', shape=(10, 10), dtype='f4', chunks=(3, 3), fillvalue=4, **kw)


def early(folder, ver):
    with h5py.File(os.path.join(folder, 'index_%s.h5' % ver), 'w', libver=ver) as f:
        datasets(f)
        if ver == 'latest':
            p = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            p.set_chunk((2, 3))
            p.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
            s = h5py.h5s.create_simple((5, 7))
            d = h5py.h5d.create(f.id, b'implicit', h5py.h5t.STD_I32LE, s, p)
            d.write(h5py.h5s.ALL, h5py.h5s.ALL, np.arange(35, dtype='i4').reshape(5, 7))
    with h5py.File(os.path.join(folder, 'index_gzip_%s.h5' % ver), 'w', libver=ver) as f:
        datasets(f, compression='gzip', shuffle=True)
    with h5py.File(os.path.join(folder, 'index_fletcher_%s.h5' % ver), 'w', libver=ver) as f:
        datasets(f, fletcher32=True)
    with h5py.File(os.path.join(folder, 'index_mixed_%s.h5' % ver), 'w', libver=ver) as f:
        datasets(f, compression='gzip', compression_opts=9, shuffle=True, fletcher32=True)


def types(folder, ver):
    with h5py.File(os.path.join(folder, 'types_%s.h5' % ver), 'w', libver=ver) as f:
        for t in '<i1 <i2 >i2 <i4 >i4 <i8 >i8 <u1 <u2 >u2 <u4 >u4 <u8 >u8 <f2 >f2 <f4 >f4 <f8 >f8'.split():
            n = ('be_' if t[0] == '>' else 'le_') + t[1:]
            f.create_dataset(n, data=np.array([0, 1, 2, 100, 127], dtype=t))
            f.attrs[n] = np.array([1, 2, 3], dtype=t)
        f.create_dataset(
            'half', data=np.array([0, -0.0, 1, -2, 65504, 6e-8, 6.1e-5, np.inf, -np.inf, np.nan], dtype='<f2')
        )
        f.create_dataset('scalar', data=np.float64(3.25))
        f.create_dataset('null', data=h5py.Empty('f4'))
        f.attrs['null'] = h5py.Empty('f4')
        f.attrs['nullstr'] = h5py.Empty('S5')
        f.create_dataset('zero', shape=(0,), dtype='f4', maxshape=(None,))
        f.create_dataset('zero2', shape=(3, 0, 2), dtype='i2')
        f.create_dataset('bool', data=np.array([True, False, True]))
        f.create_dataset('complex', data=np.array([1 + 2j, 3 - 4j], dtype='<c16'))
        f.create_dataset('complex_be', data=np.array([1 + 2j, 3 - 4j], dtype='>c8'))
        f.create_dataset(
            'cmp', data=np.array([(1, 2.5, b'ab'), (3, 4.5, b'cde')], dtype=[('a', '<i2'), ('b', '>f8'), ('c', 'S3')])
        )
        f.create_dataset('nested', data=np.zeros(3, dtype=[('a', [('x', '<i4'), ('y', '<f4')]), ('b', '<i2', (2, 3))]))
        f.create_dataset('arr', shape=(3,), dtype=np.dtype(('<i4', (2, 2))))
        f['arr'][...] = np.arange(12).reshape(3, 2, 2)
        f.create_dataset('fixedstr', data=np.array([b'abc', b'', b'hello'], dtype='S5'))
        f.create_dataset('char', data=np.array([b'a', b'b'], dtype='S1'))
        f.create_dataset('vstr', data=['one', '', 'drei €'], dtype=h5py.string_dtype())
        f.create_dataset(
            'vstr2',
            data=np.array([['a', 'bb'], ['ccc', 'd']], dtype=object),
            dtype=h5py.string_dtype(),
            chunks=(1, 2),
            compression='gzip',
        )
        d = f.create_dataset('vstr_unwritten', shape=(3,), dtype=h5py.string_dtype())
        v = f.create_dataset('vlen', shape=(3,), dtype=h5py.vlen_dtype('<i4'))
        v[0] = [1, 2, 3]
        v[2] = [9]
        v = f.create_dataset('vlen_be', shape=(2,), dtype=h5py.vlen_dtype('>f8'))
        v[0] = [1.5, -2]
        f.create_dataset(
            'enum',
            data=np.array([0, 2, 1], dtype='i2'),
            dtype=h5py.enum_dtype({'RED': 0, 'GREEN': 1, 'BLUE': 2}, basetype='i2'),
        )
        f.create_dataset('opaque', data=np.array([b'abcd', b'efgh'], dtype='V4'))
        f.create_dataset('objref', data=[f['scalar'].ref, f['zero'].ref], dtype=h5py.ref_dtype)
        f.create_dataset('regref', data=[f['le_i4'].regionref[1:3]], dtype=h5py.regionref_dtype)
        # odd integers and floats
        t = h5py.h5t.STD_I32LE.copy()
        t.set_precision(12)
        t.set_offset(5)
        odd(f, b'i12', t, np.array([-2048, -1, 0, 5, 2047], dtype='i4'))
        t = h5py.h5t.STD_U32BE.copy()
        t.set_precision(20)
        t.set_offset(3)
        odd(f, b'u20be', t, np.array([0, 1, 1000000], dtype='u4'))
        t = h5py.h5t.STD_I32LE.copy()
        t.set_size(3) if False else None
        t = h5py.h5t.STD_I64LE.copy()
        t.set_precision(24)
        t.set_size(3)
        odd(f, b'i24', t, np.array([-8388608, -1, 0, 8388607], dtype='i4'))
        t = h5py.h5t.STD_U64BE.copy()
        t.set_precision(40)
        t.set_size(5)
        odd(f, b'u40be', t, np.array([0, 1, 2**40 - 1], dtype='u8'))
        t = h5py.h5t.STD_B16LE.copy()
        odd(f, b'bits', t, np.array([1, 2, 65535], dtype='u2'), mem=h5py.h5t.STD_B16LE)
        t = h5py.h5t.IEEE_F32LE.copy()  # bfloat16
        t.set_fields(15, 7, 8, 0, 7)
        t.set_precision(16)
        t.set_size(2)
        t.set_ebias(127)
        odd(f, b'bf16', t, np.array([0, 1, -2.5, 3e38, 1e-39, np.inf, np.nan], dtype='f4'))
        t = h5py.h5t.IEEE_F64LE.copy()  # 24 bits
        t.set_fields(23, 15, 8, 0, 15)
        t.set_precision(24)
        t.set_size(3)
        t.set_ebias(127)
        odd(f, b'f24', t, np.array([0, 1, -2.5, 0.1, 1e30], dtype='f8'))
        odd(
            f,
            b'vaxf',
            h5py.h5t.VAX_F32 if hasattr(h5py.h5t, 'VAX_F32') else h5py.h5t.IEEE_F32BE,
            np.array([0, 1, -2.5, 0.1], dtype='f4'),
        )
        odd(f, b'ldouble', h5py.h5t.NATIVE_LDOUBLE, np.array([0, 1, -2.5, 0.1], dtype='f8'))


def odd(f, name, t, data, mem=None):
    s = h5py.h5s.create_simple(data.shape)
    d = h5py.h5d.create(f.id, name, t, s)
    d.write(h5py.h5s.ALL, h5py.h5s.ALL, data, mtype=mem)


def groups(folder, ver, track):
    name = 'groups_%s%s.h5' % (ver, '_order' if track else '')
    with h5py.File(os.path.join(folder, name), 'w', libver=ver, track_order=track) as f:
        g = f
        for i in range(12):
            g = g.create_group('level%d' % (11 - i), track_order=track)
            g.attrs['depth'] = i
            g.create_dataset('v', data=np.arange(i + 1))
        for i in range(150):
            f.create_dataset('var%03d' % (149 - i), data=np.int16(i), track_order=track)
        many = f.create_group('many', track_order=track)
        for i in range(300):
            many.create_group('g%04d' % (i * 7 % 300))
        d = f.create_dataset('attrs', data=[1.5, 2.5], track_order=track)
        for i in range(120):
            d.attrs['a%03d' % (i * 7 % 120)] = i * 0.5
        d.attrs['text'] = 'x' * 3000
        d = f.create_dataset('few', data=[1], track_order=track)
        for n in 'zebra', 'apple', 'mango':
            d.attrs[n] = n
        d = f.create_dataset('big', data=[1], track_order=track)
        d.attrs['a'] = np.arange(5000, dtype='i4') if ver != 'earliest' else np.arange(5000, dtype='i4')
        d.attrs['b'] = 'y' * 40000
        f['soft'] = h5py.SoftLink('/attrs')
        f['soft2'] = h5py.SoftLink('soft')
        many['up'] = h5py.SoftLink('/few')
        f['hard'] = f['few']


def links(folder):
    """links the netCDF library cannot follow"""
    with h5py.File(os.path.join(folder, 'x_links.h5'), 'w', libver='latest') as f:
        f['v'] = [1, 2]
        f['dangling'] = h5py.SoftLink('/nowhere')
        f['outside'] = h5py.ExternalLink('other.h5', '/v')
        f['loop'] = h5py.SoftLink('/loop')
        g = f.create_group('g')
        g['self'] = h5py.SoftLink('/g')
        g['w'] = [3]


def dims(folder):
    with h5py.File(os.path.join(folder, 'dims.h5'), 'w') as f:
        f['x'] = np.arange(4.0)
        f['y'] = np.arange(3)
        f['x'].make_scale('x name')
        f['y'].make_scale()
        f['z'] = np.arange(2)
        f['z'].make_scale('z')
        f['v'] = np.arange(12.0).reshape(3, 4)
        f['v'].dims[0].attach_scale(f['y'])
        f['v'].dims[1].attach_scale(f['x'])
        f['w'] = np.arange(24.0).reshape(3, 4, 2)
        f['square'] = np.arange(9).reshape(3, 3)
        f['unl'] = np.arange(3)
        f.create_dataset('u', data=np.arange(6).reshape(3, 2), maxshape=(None, 2))
        g = f.create_group('g')
        g['q'] = np.arange(4.0)
        g['q'].dims[0].attach_scale(f['x'])
        g['r'] = np.arange(8).reshape(4, 2)


def zero(folder):
    """axes of no length, which have no dimensions: the library invents a new one for each, which it takes for unlimited"""
    with h5py.File(os.path.join(folder, 'phony_zero.h5'), 'w') as f:
        f.create_dataset('a', shape=(0, 3), dtype='i2')
        f.create_dataset('b', shape=(2, 0, 3), dtype='i2')
        f.create_dataset('c', shape=(0,), dtype='i2', maxshape=(None,))
        f.create_dataset('d', data=[[1, 2, 3]], maxshape=(None, 3))
        # a variable that the library does not list has no dimensions
        f.create_dataset('_ref', data=[f.ref] * 7, dtype=h5py.ref_dtype)
        f.create_dataset('bool', data=np.zeros(5, 'i2'))


def netcdf(folder):
    import netCDF4  # brings its own filters, which h5py must not find earlier

    d = netCDF4.Dataset(os.path.join(folder, 'unlimited.nc'), 'w')
    d.createDimension('t', None)
    d.createDimension('u', None)
    d.createDimension('x', 3)
    d.createDimension('empty', None)
    for n, t in (('a', 'f4'), ('b', 'i2'), ('c', 'f8'), ('e', 'u8'), ('n', 'i4')):
        v = d.createVariable(n, t, ('t', 'x'), fill_value=-5 if n == 'b' else False if n == 'n' else None)
        v[: {'a': 5, 'b': 2, 'c': 0, 'e': 1, 'n': 2}[n]] = 7
    d.createVariable('s', str, ('t',))[0] = 'x'
    d.createVariable('tu', 'i4', ('t', 'u'))[4, 4] = 9
    d.createVariable('never', 'f4', ('empty', 'x'))
    # a variable with the name of a dimension, with other dimensions
    d.createVariable('x', 'i4', ('t',))[:] = [1, 2]
    d.createVariable('t', 'f8', ('t', 'x'))[:] = 3
    d.close()
    # texts with a fill value that were never written, in the dataset and beyond its end
    d = netCDF4.Dataset(os.path.join(folder, 'fill_text.nc'), 'w')
    d.createDimension('t', None)
    d.createDimension('x', 2)
    d.createVariable('inside', str, ('x',), fill_value='gap')
    d.createVariable('beyond', str, ('t', 'x'), fill_value='gap')
    d.createVariable('partly', str, ('t',), fill_value='gap')[0] = 'x'
    d.createVariable('n', 'i4', ('t',))[:3] = 1
    d.close()
    d = netCDF4.Dataset(os.path.join(folder, 'types.nc'), 'w')
    d.createDimension('x', 4)
    inner = np.dtype([('i', 'i4'), ('f', 'f4')])
    d.createCompoundType(inner, 'inner_t')
    outer = np.dtype([('b', 'i1'), ('in', inner), ('arr', 'f8', (2,))], align=True)
    c = d.createCompoundType(outer, 'outer_t')
    v = d.createVariable('o', c, ('x',))
    v[:] = np.array([(i, (i, i * 0.5), (i, -i)) for i in range(4)], dtype=outer)
    e = d.createEnumType('u1', 'enum_t', {'a': 1, 'b': 2, 'z': 255})
    d.createVariable('e', e, ('x',), fill_value=255)[:3] = [1, 2, 1]
    vl = d.createVLType('i2', 'vl_t')
    w = d.createVariable('v', vl, ('x',))
    w[1] = np.array([5, 6, 7], 'i2')
    d.createVariable('str', str, ('x',))[1] = 'ünïcode'
    d.createDimension('n', 2000)
    for c in 'zlib zstd szip bzip2 blosc_lz blosc_lz4 blosc_lz4hc blosc_zlib blosc_zstd'.split():
        for t in 'i1', 'f4', 'f8':
            d.createVariable(c + '_' + t, t, ('n', 'x'), compression=c, complevel=4, shuffle=t != 'f8')[:] = (
                np.arange(8000).reshape(2000, 4) // 80
            )
    d.close()


def szip(folder):
    with h5py.File(os.path.join(folder, 'filters.h5'), 'w') as f:
        rng = np.random.default_rng(1)
        n = 1500
        for t in 'i1 u1 i2 >i2 u2 i4 >u4 i8 f4 >f4 f8'.split():
            a = (np.cumsum(rng.integers(-3, 4, n)) + 60).astype(t)
            if t in ('i1', 'u1'):
                a = np.abs(a.astype('i4') % 100).astype(t)
            for mode, ppb in (('nn', 16), ('ec', 32), ('nn', 8)):
                for chunk in (400, 77):
                    name = 'szip_%s_%s%d_%d' % (t.replace('>', 'be'), mode, ppb, chunk)
                    f.create_dataset(name, data=a, chunks=(chunk,), compression='szip', compression_opts=(mode, ppb))
            f.create_dataset('lzf_' + t.replace('>', 'be'), data=a, chunks=(999,), compression='lzf', shuffle=True)
            f.create_dataset(
                'gzip_' + t.replace('>', 'be'), data=a.reshape(30, 50), chunks=(7, 13), compression='gzip', shuffle=True
            )
        b = rng.integers(0, 4, (40, 30)).astype('i4')
        f.create_dataset('szip2d', data=b, chunks=(10, 20), compression='szip')
        f.create_dataset('lzf_noise', data=rng.random(3000), chunks=(500,), compression='lzf')
        f.create_dataset(
            'odd_shuffle', data=np.array([b'abcde'] * 10, 'S5'), chunks=(3,), shuffle=True, compression='gzip'
        )
        s = np.round(rng.random((50, 20)) * 1000)
        for k in 'i2 i4 u1 u2 u4 i8'.split():
            f.create_dataset('so_' + k, data=(s % 100).astype(k), chunks=(20, 20), scaleoffset=0)
            f.create_dataset('so_fill_' + k, data=(s % 100).astype(k), chunks=(20, 20), scaleoffset=0, fillvalue=3)
        for k in 'f4 f8'.split():
            f.create_dataset('so_' + k, data=(s / 8).astype(k), chunks=(20, 20), scaleoffset=3)
        f.create_dataset('so_const', data=np.full((9, 9), 5, 'i4'), chunks=(4, 4), scaleoffset=0)
        f.create_dataset('so_bits', data=(s % 16).astype('i4'), chunks=(20, 20), scaleoffset=5)
        f.create_dataset('so_be', data=(s % 50).astype('>i4'), chunks=(20, 20), scaleoffset=0)
        for name, base, prec, off in (
            ('nbit_i4', h5py.h5t.STD_I32LE, 12, 5),
            ('nbit_be', h5py.h5t.STD_I32BE, 17, 3),
            ('nbit_u2', h5py.h5t.STD_U16LE, 11, 0),
        ):
            t = base.copy()
            t.set_precision(prec)
            t.set_offset(off)
            p = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            p.set_chunk((100,))
            p.set_filter(5, 0, ())
            d = h5py.h5d.create(f.id, name.encode(), t, h5py.h5s.create_simple((1000,)), p)
            d.write(h5py.h5s.ALL, h5py.h5s.ALL, (np.arange(1000) % 1000).astype('i4'))
    try:
        import hdf5plugin
    except ImportError:
        return
    with h5py.File(os.path.join(folder, 'x_plugins.h5'), 'w') as f:
        a = np.cumsum(np.random.default_rng(2).integers(-3, 4, 5000)).astype('i4')
        filters = {
            'zstd': hdf5plugin.Zstd(clevel=6),
            'lz4': hdf5plugin.LZ4(nbytes=2048),
            'lz4_one': hdf5plugin.LZ4(),
            'bzip2': hdf5plugin.BZip2(),
            'bitshuffle': hdf5plugin.Bitshuffle(),
            'zfp': hdf5plugin.Zfp(accuracy=0.1),
        }
        for c in 'blosclz lz4 lz4hc zlib zstd'.split():
            for s in 0, 1, 2:
                filters['blosc_%s_%d' % (c, s)] = hdf5plugin.Blosc(cname=c, clevel=5, shuffle=s)
        for n, c in filters.items():
            try:
                f.create_dataset(n, data=a.astype('f4') if n == 'zfp' else a, chunks=(2000,), compression=c)
            except ValueError as e:
                print('skipped %s: %s' % (n, e), file=sys.stderr)


def userblock(folder):
    for ver in 'earliest', 'latest':
        with h5py.File(os.path.join(folder, 'userblock_%s.h5' % ver), 'w', userblock_size=1024, libver=ver) as f:
            f['v'] = np.arange(10)
            f.create_dataset('c', data=np.arange(100.0), chunks=(10,), compression='gzip')
            f['s'] = ['a', 'b']


def chunks(folder):
    with h5py.File(os.path.join(folder, 'manychunks.h5'), 'w') as f:
        d = f.create_dataset('v', shape=(100, 100), dtype='i2', chunks=(1, 3))
        d[...] = np.arange(10000).reshape(100, 100)
        d = f.create_dataset('edge', shape=(10, 11, 12), dtype='f4', chunks=(4, 4, 5), compression='gzip')
        d[...] = np.arange(1320).reshape(10, 11, 12)
    p = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    with h5py.File(os.path.join(folder, 'plainedges.h5'), 'w', libver='latest') as f:
        p.set_chunk((4, 4))
        p.set_deflate(6)
        if hasattr(p, 'set_chunk_opts'):
            p.set_chunk_opts(2)
        d = h5py.h5d.create(f.id, b'v', h5py.h5t.STD_I32LE, h5py.h5s.create_simple((10, 11)), p)
        d.write(h5py.h5s.ALL, h5py.h5s.ALL, np.arange(110, dtype='i4').reshape(10, 11))
        f.create_dataset('resized', data=np.arange(10), maxshape=(None,), chunks=(4,))
        f['resized'].resize((6,))
        f['resized'].resize((9,))


def rare(folder):
    """features that h5py does not offer; needs Debian's libhdf5-dev"""
    if not shutil.which('h5cc'):
        print('not installed: h5cc (libhdf5-dev)', file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as d:
        program = os.path.join(d, 'make')
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'make.c')
        subprocess.run(['h5cc', '-shlib', '-o', program, source], check=True, cwd=d, stdout=subprocess.DEVNULL)
        run(program, folder)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('folder')
    ap.add_argument('--kitchen')
    a = ap.parse_args()
    os.makedirs(a.folder, exist_ok=True)
    classic(a.folder)
    if a.kitchen:
        kitchen(a.folder, a.kitchen)
    for ver in 'earliest', 'latest':
        early(a.folder, ver)
        types(a.folder, ver)
        groups(a.folder, ver, False)
        groups(a.folder, ver, True)
    links(a.folder)
    dims(a.folder)
    zero(a.folder)
    rare(a.folder)
    szip(a.folder)
    userblock(a.folder)
    chunks(a.folder)
    netcdf(a.folder)


main()
