#!/usr/bin/env python3
"""Makes HDF5 files in which a netCDF reader meets every way of storing, h5py's low-level interface.

usage: wide_h5.py FOLDER

For each format version: element types, layouts, chunk indexes, times of allocation, fill values, filters (those of hdf5plugin
too), attributes and links stored densely, user blocks, references, strings. Small files, together some MB.
"""

import os
import random
import sys

import h5py
import numpy as np
from h5py import h5d, h5p, h5s, h5t

VERSIONS = ['earliest', 'v108', 'v110', 'v112', 'v114', 'latest']
NUMBERS = (
    '<i1 <i2 >i2 <i4 >i4 <i8 >i8 <u1 <u2 >u2 <u4 >u4 <u8 >u8 <f4 >f4 <f8 >f8'.split()
)  # netCDF 4.10 crashes on two-byte floats beside others


def file(folder, name, ver, **kw):
    return h5py.File(
        os.path.join(folder, 'h_%s_%s.h5' % (name, ver)),
        'w',
        libver=(ver, 'latest') if ver != 'earliest' else 'earliest',
        **kw
    )


def numbers(rng, t, shape):
    t = np.dtype(t)
    if t.kind == 'f':
        a = rng.standard_normal(shape) * 50
        return a.astype(t)
    i = np.iinfo(t)
    return rng.integers(i.min, i.max, shape, dtype=t.newbyteorder('='), endpoint=True).astype(t)


def dataset(
    f, name, t, shape, maxshape=None, chunk=None, alloc=None, fill=None, fill_time=None, layout=None, filters=()
):
    p = h5p.create(h5p.DATASET_CREATE)
    if chunk:
        p.set_chunk(chunk)
    if layout is not None:
        p.set_layout(layout)
    if alloc is not None:
        p.set_alloc_time(alloc)
    if fill is not None:
        p.set_fill_value(np.array(fill, t))
    if fill_time is not None:
        p.set_fill_time(fill_time)
    for x in filters:
        x(p)
    s = h5s.create_simple(shape, tuple(h5s.UNLIMITED if m is None else m for m in maxshape) if maxshape else None)
    return h5py.Dataset(h5d.create(f.id, name.encode(), h5t.py_create(np.dtype(t)), s, p))


def storage(folder, ver):
    """layouts, indexes, allocation, partial writes"""
    rng = np.random.default_rng(1)
    with file(folder, 'storage', ver) as f:
        for t in NUMBERS:
            f.create_dataset('contiguous_' + t.replace('>', 'be').replace('<', 'le'), data=numbers(rng, t, (3, 5)))
            d = dataset(f, 'compact_' + t.replace('>', 'be').replace('<', 'le'), t, (2, 4), layout=h5d.COMPACT, fill=3)
            if t[1] != 'i':
                d[...] = numbers(rng, t, (2, 4))
        shapes = [
            ((17,), (5,)),
            ((6, 7), (6, 7)),
            ((6, 7), (4, 3)),
            ((5, 6, 7), (2, 6, 3)),
            ((3, 4, 5, 6), (2, 3, 2, 5)),
            ((1, 1), (1, 1)),
            ((40,), (1,)),
        ]
        times = [h5d.ALLOC_TIME_EARLY, h5d.ALLOC_TIME_LATE, h5d.ALLOC_TIME_INCR]
        n = 0
        for shape, chunk in shapes:
            for limits in (), (0,), (len(shape) - 1,), (0, len(shape) - 1), 'larger':
                for alloc in times:
                    for part in 'none', 'some', 'all':
                        n += 1
                        maxshape = (
                            tuple(s + 9 for s in shape)
                            if limits == 'larger'
                            else tuple(None if i in limits else s for i, s in enumerate(shape))
                        )
                        t = NUMBERS[n % len(NUMBERS)]
                        d = dataset(
                            f,
                            'c%03d' % n,
                            t,
                            shape,
                            maxshape,
                            chunk,
                            alloc,
                            fill=[None, 7, -3 if t[1] != 'u' else 200][n % 3],
                            fill_time=[None, h5d.FILL_TIME_ALLOC][n % 2],
                        )
                        a = numbers(rng, t, shape)
                        if part == 'all':
                            d[...] = a
                        elif part == 'some':
                            at = tuple(slice(s // 2, s // 2 + 1) for s in shape)
                            d[at] = a[at]
        for t in '<i4', '>f8':  # contiguous and never written
            for alloc in times:
                dataset(f, 'never_%s_%d' % (t[1:], alloc), t, (4, 3), alloc=alloc, fill=9)
                dataset(f, 'never0_%s_%d' % (t[1:], alloc), t, (4, 3), alloc=alloc)
        for shape in (0,), (0, 3), (3, 0), (2, 0, 4):
            dataset(
                f,
                'zero%s' % '_'.join(map(str, shape)),
                '<f4',
                shape,
                tuple(None for _ in shape),
                tuple(2 for _ in shape),
            )
            f.create_dataset('zeroc%s' % '_'.join(map(str, shape)), shape=shape, dtype='<i2')
        d = dataset(f, 'resized', '<i4', (10, 10), (None, None), (3, 4), fill=-1)
        d[...] = np.arange(100).reshape(10, 10)
        d.resize((4, 5))
        d.resize((12, 8))
        d = dataset(f, 'resized1', '<i4', (10, 10), (None, 10), (3, 4), fill=-1)
        d[...] = np.arange(100).reshape(10, 10)
        d.resize((4, 10))
        d.resize((12, 10))


def indexes(folder, ver):
    """many chunks: pages of fixed arrays, secondary blocks of extensible arrays, deep trees; holes in all of them"""
    with file(folder, 'index', ver) as f:
        for filtered in False, True:
            kw = dict(compression='gzip', compression_opts=1) if filtered else {}
            for name, n, maxshape in (
                ('fixed', 2500, (2500,)),
                ('ext', 9000 if not filtered else 3000, (None,)),
                ('fixed_few', 60, (60,)),
                ('ext_few', 60, (None,)),
            ):
                d = f.create_dataset(
                    name + '_z' * filtered, shape=(n,), maxshape=maxshape, dtype='i4', chunks=(1,), fillvalue=-7, **kw
                )
                a = np.arange(n)
                sel = np.zeros(n, bool)
                sel[:20] = sel[n // 3 : n // 3 + 15] = sel[-3:] = True
                sel[::97] = True
                lo = np.flatnonzero(np.diff(np.r_[False, sel, False].astype(int)))
                for b, e in zip(lo[::2], lo[1::2]):
                    d[b:e] = a[b:e]
            d = f.create_dataset(
                'tree' + '_z' * filtered,
                shape=(60, 70),
                maxshape=(None, None),
                dtype='i2',
                chunks=(2, 3),
                fillvalue=5,
                **kw
            )
            d[10:50, 3:66] = np.arange(40 * 63).reshape(40, 63)
            d = f.create_dataset(
                'ext3' + '_z' * filtered, shape=(30, 6, 8), maxshape=(None, 12, 9), dtype='u2', chunks=(4, 5, 3), **kw
            )
            d[3:29] = np.arange(26 * 48).reshape(26, 6, 8)
            d = f.create_dataset(
                'mid' + '_z' * filtered, shape=(6, 30, 8), maxshape=(7, None, 20), dtype='u2', chunks=(4, 5, 3), **kw
            )
            d[:, 3:29] = np.arange(26 * 48).reshape(6, 26, 8)
            # chunks whose filters were skipped, and of raw bytes
            d = f.create_dataset(
                'masked' + '_z' * filtered, shape=(12,), dtype='<i4', chunks=(4,), maxshape=(None,), **kw
            )
            for i in range(2):
                d.id.write_direct_chunk(
                    (4 * i,), np.arange(4 * i, 4 * i + 4, dtype='<i4').tobytes(), 1 if filtered else 0
                )


def deflate(level=4):
    return lambda p: p.set_deflate(level)


def filters(folder, ver):
    rng = np.random.default_rng(3)
    shuffle, fletcher = (lambda p: p.set_shuffle()), (lambda p: p.set_fletcher32())
    szip = lambda o, b: lambda p: p.set_szip(o, b)
    nbit = lambda p: p.set_filter(5, 0, ())
    scale = lambda k, v: lambda p: p.set_scaleoffset(k, v)
    EC, NN = 4, 32
    optional = lambda p: p.set_filter(1, h5py.h5z.FLAG_OPTIONAL, (9,))
    twice = [deflate(1), deflate(9)]
    lists = {
        'd0': [deflate(0)],
        'd1': [deflate(1)],
        'd9': [deflate(9)],
        's': [shuffle],
        'sd': [shuffle, deflate()],
        'ds': [deflate(), shuffle],
        'f': [fletcher],
        'fd': [fletcher, deflate()],
        'df': [deflate(), fletcher],
        'sdf': [shuffle, deflate(), fletcher],
        'fsd': [fletcher, shuffle, deflate()],
        'ec8': [szip(EC, 8)],
        'nn32': [szip(NN, 32)],
        'nn4': [szip(NN, 4)],
        'ssz': [shuffle, szip(NN, 16)],
        'szf': [szip(EC, 16), fletcher],
        'opt': [optional],
        'dd': twice,
        'nbit': [nbit],
        'nbitd': [nbit, deflate()],
        'nbitsf': [nbit, shuffle, fletcher],
    }
    with file(folder, 'filters', ver) as f:
        for n, fl in lists.items():
            for t in ('<i2', '>i4', '<f4', '>f8', '<u1', '<i8', '>u2'):
                name = '%s_%s' % (n, t.replace('>', 'be').replace('<', 'le'))
                try:
                    d = dataset(f, name, t, (19, 23), (None, 23) if len(n) % 2 else None, (8, 9), filters=fl, fill=4)
                    if n.startswith('nbit') and t[1] == 'f':
                        d[...] = numbers(rng, t, (19, 23))
                    else:
                        d[2:17, 1:] = (np.cumsum(rng.integers(-2, 3, 15 * 22)) + 60).reshape(15, 22) % 120
                except (ValueError, RuntimeError, OSError) as e:
                    if name in f:
                        del f[name]
        for t in '<i1 <u1 >i2 <u2 <i4 >u4 <i8 >u8'.split():
            for v in 0, 3, 7:
                for fill in None, 1:
                    d = dataset(
                        f,
                        'so%d_%s_%s' % (v, fill, t.replace('>', 'be').replace('<', 'le')),
                        t,
                        (40, 9),
                        None,
                        (16, 9),
                        filters=[scale(2, v)],
                        fill=fill,
                    )
                    d[:35] = rng.integers(0, 100 if v == 0 else 8 if v == 3 else 100, (35, 9))
            d = dataset(
                f, 'so_full_' + t.replace('>', 'be').replace('<', 'le'), t, (30,), None, (10,), filters=[scale(2, 0)]
            )
            d[...] = numbers(rng, t, 30)
        for t in '<f4 >f4 <f8 >f8'.split():
            for v in 0, 2, 4:
                for fill in None, -99.5:
                    d = dataset(
                        f,
                        'sof%d_%s_%s' % (v, 'fill' if fill else 'no', t.replace('>', 'be').replace('<', 'le')),
                        t,
                        (40, 9),
                        None,
                        (16, 9),
                        filters=[scale(0, v), deflate()],
                        fill=fill,
                    )
                    d[:30] = rng.standard_normal((30, 9)) * 40
    try:
        import hdf5plugin as hp
    except ImportError:
        return
    if ver not in ('earliest', 'latest'):
        return
    with file(folder, 'plugins', ver) as f:
        lists = {
            'bzip2': hp.BZip2(),
            'lz4': hp.LZ4(),
            'lz4_b': hp.LZ4(nbytes=64),
            'zstd1': hp.Zstd(clevel=1),
            'zstd22': hp.Zstd(clevel=22),
            'bshuf': hp.Bitshuffle(cname='none'),
            'bshuf_lz4': hp.Bitshuffle(cname='lz4'),
            'bshuf_zstd': hp.Bitshuffle(cname='zstd'),
            'bshuf_n': hp.Bitshuffle(nelems=64, cname='lz4'),
        }
        for c in 'blosclz lz4 lz4hc zlib zstd'.split():
            for s in 0, 1, 2:
                for l in 1, 9:
                    lists['blosc_%s_%d_%d' % (c, s, l)] = hp.Blosc(cname=c, clevel=l, shuffle=s)
        for n, c in lists.items():
            for t in '<i2 <f4 >f8 <u1'.split():
                for kind, shape, chunk in (
                    ('walk', (50, 31), (20, 31)),
                    ('noise', (400,), (150,)),
                    ('zeros', (4000,), (1999,)),
                ):
                    a = {
                        'walk': np.cumsum(rng.integers(-2, 3, 1550)) % 100,
                        'noise': numbers(rng, t, 400),
                        'zeros': np.zeros(4000),
                    }[kind]
                    try:
                        f.create_dataset(
                            '%s_%s_%s' % (n, t.replace('>', 'be').replace('<', 'le'), kind),
                            data=a.astype(t).reshape(shape),
                            chunks=chunk,
                            compression=c,
                        )
                    except ValueError as e:
                        print('skipped', n, e, file=sys.stderr)
    with file(folder, 'plugins_x', ver) as f:  # not decoded: a warning names them
        f['readable'] = np.arange(5)
        a = np.linspace(0, 1, 64 * 64).astype('f4').reshape(64, 64)
        for n, make in (
            ('blosc2', lambda: hp.Blosc2()),
            ('zfp', lambda: hp.Zfp(accuracy=0.1)),
            ('sz', lambda: hp.SZ(absolute=0.1)),
            ('sz3', lambda: hp.SZ3(absolute=0.1)),
            ('sperr', lambda: hp.Sperr()),
        ):
            try:
                f.create_dataset(n, data=a, chunks=(64, 64), compression=make())
            except (ValueError, AttributeError, RuntimeError) as e:
                print('skipped', n, e, file=sys.stderr)


def attributes(folder, ver):
    with file(folder, 'attributes', ver) as f:
        d = f.create_dataset('v', data=np.arange(3.0))
        e = f.create_dataset('dense', data=np.arange(3.0))
        for n, x in [('t' + t.replace('>', 'be').replace('<', 'le'), t) for t in NUMBERS]:
            for obj in d, f, e:
                obj.attrs.create(n + '_0', 5 if x[1] != 'f' else 2.5, dtype=x)
                obj.attrs.create(n + '_1', [1], dtype=x)
                obj.attrs.create(n + '_3', [1, 2, 3], dtype=x)
                obj.attrs.create(n + '_none', np.zeros(0, x))
        texts = ['', 'a', 'ünïcode €', 'x' * 5000, 'two\nlines', 'zero\0inside', ' spaces ', '"quote\'']
        for i, s in enumerate(texts):
            for obj in d, f:
                obj.attrs['vs%d' % i] = s if '\0' not in s else 'none'
                obj.attrs['fs%d' % i] = np.bytes_(s.encode()) if s else h5py.Empty('S3')
                for j, pad in enumerate((h5t.STR_NULLTERM, h5t.STR_NULLPAD, h5t.STR_SPACEPAD)):
                    for cset in h5t.CSET_ASCII, h5t.CSET_UTF8:
                        t = h5t.C_S1.copy()
                        t.set_size(max(1, len(s.encode()) + 2))
                        t.set_strpad(pad)
                        t.set_cset(cset)
                        a = h5py.h5a.create(obj.id, ('p%d_%d_%d' % (i, j, cset)).encode(), t, h5s.create(h5s.SCALAR))
                        a.write(
                            np.array(s.encode().ljust(t.get_size(), b' ' if j == 2 else b'\0'), 'S%d' % t.get_size()),
                            mtype=t,
                        )
        d.attrs['vlist'] = ['one', '', 'drei €']
        d.attrs['flist'] = np.array([b'ab', b'', b'cde'], 'S3')
        d.attrs['vone'] = np.array(['only'], dtype=object)
        d.attrs.create('vnone', np.zeros(0, object), dtype=h5py.string_dtype())
        d.attrs['nan'] = [np.nan, np.inf, -np.inf, -0.0]
        d.attrs['big'] = np.arange(8000, dtype='i4')
        for i in range(400):
            e.attrs['many%03d' % (i * 7 % 400)] = i
            if i % 3 == 0:
                del e.attrs['many%03d' % (i * 7 % 400)]
    with file(folder, 'attributes_odd', ver) as f:  # for which the library has no form
        d = f.create_dataset('v', data=np.arange(3.0))
        d.attrs.create('v2d', np.array([['a', 'b'], ['c', 'd']], dtype=object), dtype=h5py.string_dtype())
        d.attrs['n2d'] = [[1, 2], [3, 4]]
        d.attrs['bool'] = True
        d.attrs['complex'] = 1 + 2j
        d.attrs['ref'] = f.ref
        d.attrs['enum'] = np.array(1, dtype=h5py.enum_dtype({'A': 0, 'B': 1}))
        d.attrs.create('vlen', np.array([np.array([1, 2]), np.array([3])], dtype=object), dtype=h5py.vlen_dtype('i4'))
        d.attrs['compound'] = np.array((1, 2.5), dtype=[('a', 'i4'), ('b', 'f8')])
        d.attrs['array'] = np.zeros((2, 3), 'i4')
        d.attrs['opaque'] = np.void(b'abcd')
        d.attrs['empty'] = h5py.Empty('f8')
        d.attrs['n' * 300] = 1
        d.attrs['日本語 name/x'] = 2


def groups(folder, ver, order):
    with file(folder, 'groups%d' % order, ver, track_order=bool(order)) as f:
        for i in range(700):
            g = f.require_group('g%d' % (i % 7)).create_group('s%03d' % (i * 11 % 700), track_order=bool(order))
            if i % 50 == 0:
                g.create_dataset('v', data=np.int32(i))
        for i in range(90):
            f.create_dataset('v%02d' % (i * 7 % 90), data=np.float32(i))
            f.create_dataset('longer name %02d ' % i + 'é' * (i % 40), data=np.uint8([i]))
        for i in range(0, 90, 4):
            del f['v%02d' % i]
        f['x' * 250] = 1.5
        f['日本'] = 2.5
        f['a b'] = 3.5
        f['hard'] = f['x' * 250]
        f['soft'] = h5py.SoftLink('/g0')
        f['soft_v'] = h5py.SoftLink('日本')
        h = f.create_group('same')
        for p in 'a', 'a/a', 'a/a/a', 'b':
            h.create_group(p)['same'] = np.arange(len(p))


def links(folder, ver):
    """links that lead nowhere"""
    with file(folder, 'links', ver) as f:
        f['v'] = [1, 2]
        f['dangling'] = h5py.SoftLink('/nope/x')
        f['external'] = h5py.ExternalLink('not_there.h5', '/v')


def scales(folder, ver):
    with file(folder, 'scales', ver) as f:
        for n, size in (('x', 4), ('y', 3), ('t', 5)):
            d = f.create_dataset(
                n,
                data=np.arange(size, dtype='f8'),
                maxshape=(None,) if n == 't' else None,
                chunks=(2,) if n == 't' else None,
            )
            d.make_scale(n)
        f.create_dataset('nodata', shape=(6,), dtype='f4').make_scale(
            'This is a netCDF dimension but not a netCDF variable.         6'
        )
        for n, dims in (('a', 'tyx'), ('b', 'xy'), ('c', 't'), ('d', 'xx')):
            d = f.create_dataset(
                n,
                shape=[len(f[k]) for k in dims],
                dtype='i4',
                maxshape=[None if k == 't' else len(f[k]) for k in dims],
                chunks=tuple(2 for k in dims),
            )
            d[...] = np.arange(d.size).reshape(d.shape)
            for i, k in enumerate(dims):
                d.dims[i].attach_scale(f[k])
        d = f.create_dataset('partly', data=np.arange(24.0).reshape(4, 6))
        d.dims[1].attach_scale(f['nodata'])
        f['phony'] = np.arange(12).reshape(3, 4)
        f['phony2'] = np.arange(16).reshape(4, 4)
        f['phony3'] = np.arange(7)
        g = f.create_group('g/h')
        d = g.create_dataset('in', data=np.arange(12).reshape(4, 3))
        d.dims[0].attach_scale(f['x'])
        d.dims[1].attach_scale(f['y'])
        g['x'] = np.arange(4.0) + 100
        g['x'].make_scale('x')
        d = g.create_dataset('own', data=np.arange(4))
        d.dims[0].attach_scale(g['x'])
        d = f.create_dataset('two', data=np.arange(4))
        f.create_dataset('x2', data=np.arange(4)).make_scale('x2')
        d.dims[0].attach_scale(f['x'])
        d.dims[0].attach_scale(f['x2'])
        f['x'].dims[0].label = 'label'


def custom(f, name, t, data, mem=None, **kw):
    d = h5d.create(f.id, name.encode(), t, h5s.create_simple(data.shape))
    d.write(h5s.ALL, h5s.ALL, data, mtype=mem)


def types(folder, ver):
    with file(folder, 'types', ver) as f:
        for t in '<c8 >c8 <c16 >c16'.split():
            f['complex_' + t.replace('>', 'be').replace('<', 'le')] = (np.arange(5) * (1 + 2j)).astype(t)
        for t in 'i1 i2 >i4 u1 >u8'.split():
            f.create_dataset(
                'enum_' + t.replace('>', 'be'),
                data=np.array([0, 3, 1, 3], t),
                dtype=h5py.enum_dtype({'A': 0, 'B': 1, 'C': 3}, basetype=t),
            )
        f['bool'] = np.array([[True, False], [False, True]])
        f.create_dataset('arr', data=np.arange(24).reshape(4, 3, 2), dtype=np.dtype('>i2'))
        d = f.create_dataset('arrtype', shape=(4,), dtype=np.dtype(('<f4', (3, 2))))
        d[...] = np.arange(24).reshape(4, 3, 2)
        f['compound'] = np.zeros(3, [('a', 'i4'), ('b', 'f8', (2,)), ('s', 'S3')])
        f['opaque'] = np.array([b'abcd', b'xyz1'], 'V4')
        f['ref'] = np.array([f.ref, f['bool'].ref], dtype=h5py.ref_dtype)
        f.create_dataset('vlen', shape=(3,), dtype=h5py.vlen_dtype('<f4'))[1] = [1, 2]
        f.create_dataset('vstr', data=['a', 'ü', ''], dtype=h5py.string_dtype())
        f['fstr'] = np.array([b'abc', b'd'], 'S4')
        f['datetime'] = np.array(['2020-01-01', '1970-01-01'], 'M8[s]').astype('i8')
        f['f16'] = np.array([0, -0.0, 1, 65504, 6e-8, np.inf, np.nan], '>f2')
        f['null'] = h5py.Empty('f4')
        for bits, off, size in (
            (12, 5, 4),
            (3, 0, 1),
            (31, 1, 4),
            (33, 7, 8),
            (24, 0, 3),
            (40, 0, 5),
            (56, 3, 8),
            (9, 2, 2),
        ):
            for base, n in ((h5t.STD_I64LE, 'i'), (h5t.STD_U64BE, 'u')):
                t = base.copy()
                t.set_precision(bits)
                t.set_size(size)
                t.set_offset(off)
                lo = -(1 << bits - 1) if n == 'i' else 0
                custom(
                    f,
                    '%s%d_%d_%d' % (n, bits, off, size),
                    t,
                    np.array([lo, 0, 1, lo + (1 << bits) - 1], 'i8' if n == 'i' else 'u8'),
                )
        for n, fields, bias, size in (
            ('bf16', (15, 7, 8, 0, 7), 127, 2),
            ('f24', (23, 15, 8, 0, 15), 127, 3),
            ('f8e4m3', (7, 3, 4, 0, 3), 7, 1),
            ('f8e5m2', (7, 2, 5, 0, 2), 15, 1),
            ('f48', (47, 36, 11, 0, 36), 1023, 6),
        ):
            t = h5t.IEEE_F64LE.copy()
            t.set_fields(*fields)
            t.set_precision(8 * size)
            t.set_size(size)
            t.set_ebias(bias)
            custom(f, n, t, np.array([0, 1, -2.5, 0.1, 30, -0.0, 1e-3], 'f8'))
        custom(f, 'ldouble', h5t.NATIVE_LDOUBLE, np.array([0, 1, -2.5, 0.1]))
        for n in 'STD_B8LE STD_B16BE STD_B32LE STD_B64BE'.split():
            t = getattr(h5t, n)
            custom(f, n.lower(), t, np.array([1, 2, 3, 255], np.dtype('u%d' % t.get_size())), mem=t)


def blocks(folder):
    for size in 512, 2048, 65536:
        for ver in 'earliest', 'v110', 'latest':
            path = os.path.join(folder, 'h_block%d_%s.h5' % (size, ver))
            with h5py.File(path, 'w', libver=ver, userblock_size=size) as f:
                f['v'] = np.arange(30.0).reshape(5, 6)
                f.create_dataset('z', data=np.arange(90), chunks=(7,), maxshape=(None,), compression='gzip')
                f['v'].attrs['units'] = 'K'
                f.create_dataset('s', data=['a', 'b'])
            with open(path, 'r+b') as f:
                f.write(b'# a user block\n' + b'x' * 400)


def creation(folder):
    """settings of file creation"""

    def make(name, fcpl):
        fapl = h5p.create(h5p.FILE_ACCESS)
        if name.startswith('page') or name.startswith('agg'):
            fapl.set_libver_bounds(h5py.h5f.LIBVER_LATEST, h5py.h5f.LIBVER_LATEST)
        f = h5py.File(h5py.h5f.create(os.path.join(folder, 'h_%s.h5' % name).encode(), h5py.h5f.ACC_TRUNC, fcpl, fapl))
        f['v'] = np.arange(30.0).reshape(5, 6)
        # The library does not know "unlimited" in lengths of four bytes.
        f.create_dataset('z', data=np.arange(90), chunks=(7,), maxshape=(200,), compression='gzip')
        for i in range(30):
            f['v'].attrs['a%d' % i] = i
            f['g%d/w' % i] = i
        f.close()

    for n, s in (
        ('pagefsm', h5py.h5f.FSPACE_STRATEGY_PAGE),
        ('aggr', h5py.h5f.FSPACE_STRATEGY_AGGR),
        ('none', h5py.h5f.FSPACE_STRATEGY_NONE),
    ):
        for persist in False, True:
            p = h5p.create(h5p.FILE_CREATE)
            p.set_file_space_strategy(s, persist, 1)
            make('%s_%d' % (n, persist), p)
    for sizes in (4, 4), (8, 4), (4, 8), (8, 8):
        p = h5p.create(h5p.FILE_CREATE)
        p.set_sizes(*sizes)
        make('sizes%d%d' % sizes, p)


def random_files(folder, n):
    """files at random, within what h5py lets one ask for"""
    for seed in range(n):
        r, rng = random.Random(seed), np.random.default_rng(seed)
        with file(folder, 'random%02d' % seed, r.choice(VERSIONS), track_order=r.random() < 0.5) as f:
            gs = [f]
            for i in range(r.randrange(4)):
                gs.append(r.choice(gs).create_group(r.choice('abc') + str(i), track_order=r.random() < 0.5))
            for i in range(25):
                g = r.choice(gs)
                rank = r.randrange(5)
                shape = tuple(r.choice([1, 2, 3, 5, 8]) for _ in range(rank))
                kw = {}
                if rank and r.random() < 0.8:
                    kw['chunks'] = tuple(r.randrange(1, s + 1) for s in shape)
                    kw['maxshape'] = tuple(r.choice([None, s, s + 3]) for s in shape)
                    kw['shuffle'], kw['fletcher32'] = r.random() < 0.4, r.random() < 0.3
                    kw['compression'] = r.choice([None, 'gzip', 'lzf', 'szip'])
                    if kw['compression'] == 'szip' and np.prod(kw['chunks']) < 8:
                        kw['compression'] = None
                t = r.choice(NUMBERS)
                if r.random() < 0.5:
                    kw['fillvalue'] = r.choice([1, 2, 5])
                d = g.create_dataset('v%d' % i, shape, t, **kw)
                if r.random() < 0.8:
                    at = tuple(slice(r.randrange(s), s) for s in shape)
                    d[at] = numbers(rng, t, shape)[at]
                if rank and None in d.maxshape and r.random() < 0.5:
                    d.resize(tuple(s + r.randrange(4) if m is None else s for s, m in zip(shape, d.maxshape)))
                for j in range(r.choice([0, 1, 3, 12])):
                    d.attrs['a%d' % j] = r.choice(['text', 1, 2.5, [1, 2], np.float32(3)])


def make(folder):
    for ver in VERSIONS:
        storage(folder, ver)
        indexes(folder, ver)
        filters(folder, ver)
        attributes(folder, ver)
        groups(folder, ver, 0)
        groups(folder, ver, 1)
        scales(folder, ver)
        links(folder, ver)
        types(folder, ver)
    blocks(folder)
    creation(folder)
    random_files(folder, 30)


if __name__ == '__main__':
    os.makedirs(sys.argv[1], exist_ok=True)
    make(sys.argv[1])
