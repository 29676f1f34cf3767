#!/usr/bin/env python3
"""Makes cmd/tgmconv/testdata/forms: a small file for each form in which netCDF, HDF5 and GRIB store an array.

    .interop/venv/bin/python interop/forms/make.py cmd/tgmconv/testdata/forms

forms.json lists the files and the values that were written. All variables of a form have numbers of their own, so that
the elements of another variable, of another file or at another offset cannot look right: v begins at 1000, w, which
lies beside it, at 300, and files that others link to have the same layout as these.
"""
import glob
import json
import os
import struct
import sys

import eccodes
import h5py
import hdf5plugin  # noqa: F401 (registers its filters)
import netCDF4
import numpy as np
from h5py import h5d, h5p, h5s, h5t

SHAPE = (5, 7)
LAT = np.arange(50., 45., -1.)
LON = np.arange(0., 7.)
FORMS = []


def numbers(first, kind='<f4', shape=SHAPE):
    return (first + np.arange(np.prod(shape)).reshape(shape)).astype(kind)


def plain(values):
    """Values as JSON has them: null for a missing point."""
    values = np.ma.masked_invalid(np.ma.asarray(values, 'f8')) if not isinstance(values, np.ma.MaskedArray) else values
    flat = np.ma.masked_invalid(values.astype('f8')).ravel()
    return [None if m else float(x) for x, m in zip(flat.data, np.ma.getmaskarray(flat))]


def form(name, file, variables, stores, beside=()):
    FORMS.append({
        'name': name, 'file': file, 'beside': list(beside), 'stores': stores,
        'variables': {k: {'shape': list(np.shape(v)), 'values': plain(v)} for k, v in variables.items()},
    })


# HDF5

def axes(f):
    for name, values, units in (('lat', LAT, 'degrees_north'), ('lon', LON, 'degrees_east')):
        d = f.create_dataset(name, data=values)
        d.attrs['units'] = np.bytes_(units)  # char, which all formats of netCDF have
        d.make_scale(name)


def attach(f, d):
    for i, name in enumerate(('lat', 'lon')):
        d.dims[i].attach_scale(f[name])


def hdf5(name, stores, make, libver='latest', values=None, **file):
    """A file with axes, w as it comes, and v, which make creates."""
    path = name.replace(' ', '_') + '.h5'
    with h5py.File(path, 'w', libver=libver, **file) as f:
        axes(f)
        attach(f, f.create_dataset('w', data=numbers(300)))
        values = make(f) if values is None else (make(f), values)[1]
        attach(f, f['v'])
    form('hdf5 ' + name, path, {'v': values, 'w': numbers(300)}, stores)


def dataset(**options):
    """v of 1000 and so on, created with options of h5py."""
    def make(f):
        v = numbers(1000, options.pop('kind', '<f4'))
        f.create_dataset('v', data=v, **options)
        return v
    return make


def low_level(prepare, maximum=None, written=slice(None), fill=None, kind=h5t.IEEE_F32LE):
    """v created with a property list, for what h5py has no option for."""
    def make(f):
        plist = h5p.create(h5p.DATASET_CREATE)
        prepare(plist)
        h5d.create(f.id, b'v', kind, h5s.create_simple(SHAPE, maximum), plist)
        v = np.full(SHAPE, fill, 'f4') if fill is not None else numbers(1000)
        v[written] = numbers(1000)[written]
        if not (isinstance(written, slice) and written == slice(0, 0)):
            f['v'][written] = v[written]
        return v
    return make


def chunked(plist):
    plist.set_chunk((2, 3))


def implicit(plist):
    plist.set_chunk((2, 3))
    plist.set_alloc_time(h5d.ALLOC_TIME_EARLY)


def contiguous():
    hdf5('contiguous', ['netcdf.Contiguous', 'hdf5.Contiguous'], dataset())
    hdf5('compact', ['netcdf.Compact', 'hdf5.Compact'], low_level(lambda p: p.set_layout(h5d.COMPACT)))
    hdf5('big-endian', [], dataset(kind='>f4'))
    hdf5('user block', [], dataset(), userblock_size=512)
    hdf5('never written', [], low_level(lambda p: p.set_fill_value(np.array(7777, 'f4')), written=slice(0, 0), fill=7777))


def indexes():
    for name, libver, maximum, prepare in (
        ('BTree1', 'earliest', None, chunked), ('Single', 'latest', None, lambda p: p.set_chunk(SHAPE)), ('Implicit', 'latest', None, implicit),
        ('FixedArray', 'latest', None, chunked), ('ExtensibleArray', 'latest', (h5s.UNLIMITED, 7), chunked),
        ('BTree2', 'latest', (h5s.UNLIMITED, h5s.UNLIMITED), chunked),
    ):
        stores = ['netcdf.Chunked', 'hdf5.Chunked', 'hdf5.Index' + name]
        hdf5(name, stores, low_level(prepare, maximum), libver)
        if name == 'Implicit':
            continue  # has no filters

        def packed(p, prepare=prepare):
            prepare(p)
            p.set_shuffle()
            p.set_deflate(4)
        hdf5(name + ' deflate', stores + ['hdf5.FilterShuffle', 'hdf5.FilterDeflate'], low_level(packed, maximum), libver)

        def holes(p, prepare=prepare):
            prepare(p)
            p.set_fill_value(np.array(7777, 'f4'))
        if name != 'Single':
            hdf5(name + ' sparse', stores, low_level(holes, maximum, slice(2, 4), 7777), libver)
    hdf5('no chunk', [], low_level(lambda p: (chunked(p), p.set_fill_value(np.array(7777, 'f4'))), None, slice(0, 0), 7777))
    hdf5('big-endian deflate', [], dataset(kind='>f4', chunks=(2, 3), compression='gzip', shuffle=True))


def filters():
    ints = {'kind': '<i4'}
    for name, options in (
        ('Fletcher32', dict(fletcher32=True)), ('Szip', dict(compression='szip', compression_opts=('nn', 4))),
        ('ScaleOffset', dict(scaleoffset=0, **ints)), ('LZF', dict(compression='lzf')), ('Bzip2', dict(hdf5plugin.BZip2())),
        ('Blosc', dict(hdf5plugin.Blosc('zstd', 5, 1))), ('LZ4', dict(hdf5plugin.LZ4())), ('Bitshuffle', dict(hdf5plugin.Bitshuffle())),
        ('Zstd', dict(hdf5plugin.Zstd(5), shuffle=True)), ('ZFP', dict(hdf5plugin.Zfp(reversible=True))), ('Blosc2', dict(hdf5plugin.Blosc2('zstd', 5, 1))),
    ):
        hdf5(name, ['hdf5.Filter' + name], dataset(chunks=(2, 4) if name != 'ZFP' else (4, 4), **options))
    hdf5('deflate Fletcher32', [], dataset(chunks=(2, 3), compression='gzip', fletcher32=True))
    hdf5('Nbit', ['hdf5.FilterNbit'], nbit)
    hdf5('filter left out', [], unfiltered)


def nbit(f):
    kind = h5t.STD_I32LE.copy()
    kind.set_precision(12)
    plist = h5p.create(h5p.DATASET_CREATE)
    plist.set_chunk((2, 3))
    plist.set_filter(5)
    h5d.create(f.id, b'v', kind, h5s.create_simple(SHAPE), plist)
    f['v'].id.write(h5s.ALL, h5s.ALL, np.ascontiguousarray(numbers(1000, '<i4')), h5t.NATIVE_INT32)
    return numbers(1000)


def unfiltered(f):
    """One chunk is not compressed, as writers may leave it where compression gains nothing."""
    v = numbers(1000)
    d = f.create_dataset('v', data=v, chunks=(2, 7), compression='gzip')
    d.id.write_direct_chunk((2, 0), v[2:4].tobytes(), 1)
    return v


def types():
    kinds = ('u1', '<i2', '>i2', '<u2', '>u2', '<i4', '>i4', '<u4', '<i8', '>i8', '<u8', '<f2', '<f4', '<f8', '>f8')
    with h5py.File('types.h5', 'w', libver='latest') as f:
        axes(f)
        expected = {}
        for i, kind in enumerate(kinds):
            name = kind.replace('<', '').replace('>', 'big_')
            first = 5 * i if kind[-1] == '1' else 100 * i
            options = dict(chunks=(2, 3), compression='gzip') if i % 2 else {}
            attach(f, f.create_dataset(name, data=numbers(first, kind), **options))
            expected[name] = numbers(first)
    form('hdf5 types', 'types.h5', expected, [])
    hdf5('int8', [], lambda f: (f.create_dataset('v', data=numbers(50, 'i1')), numbers(50))[1])
    hdf5('enum', [], enum)


def enum(f):
    v = numbers(50, 'u1')
    f.create_dataset('v', data=v, dtype=h5py.enum_dtype({'n%d' % i: i for i in v.ravel()}, basetype='u1'))
    return v


def links():
    with h5py.File('target.h5', 'w', libver='latest') as f:
        axes(f)
        attach(f, f.create_dataset('v', data=numbers(1000)))
        attach(f, f.create_dataset('chunks', data=numbers(2000), chunks=(2, 3)))
        attach(f, f.create_dataset('deflate', data=numbers(3000), chunks=(2, 3), compression='gzip', shuffle=True))

    def main(name, make, variables, beside=('target.h5',)):
        path = name.replace(' ', '_') + '.h5'
        with h5py.File(path, 'w', libver='latest') as f:
            axes(f)
            attach(f, f.create_dataset('w', data=numbers(300)))
            attach(f, f.create_dataset('x', data=numbers(400), chunks=(2, 3)))
            attach(f, f.create_dataset('y', data=numbers(500), chunks=(2, 3), compression='gzip', shuffle=True))
            make(f)
        form('hdf5 ' + name, path, {**variables, 'w': numbers(300), 'x': numbers(400), 'y': numbers(500)},
             {'raw external': ['netcdf.External'], 'virtual': ['netcdf.Virtual', 'hdf5.Virtual']}.get(name, []), beside)

    def link(target, *names):
        def make(f):
            for to in names:
                f[to] = target(to)
        return make

    external = {'v': numbers(1000), 'chunks': numbers(2000), 'deflate': numbers(3000)}
    main('external link', link(lambda n: h5py.ExternalLink('target.h5', '/' + n), *external), external)
    main('external group', link(lambda n: h5py.ExternalLink('target.h5', '/'), 'g'), {'g/' + k: v for k, v in external.items()})

    def soft(f):
        f['v'], f['g/v'] = h5py.SoftLink('/w'), h5py.SoftLink('/x')
    main('soft link', soft, {'v': numbers(300)}, ())

    def hard(f):
        f['v'] = f['w']
    main('hard link', hard, {'v': numbers(300)}, ())

    def virtual(f):
        v = h5py.VirtualLayout(SHAPE, '<f4')
        v[:2] = h5py.VirtualSource('target.h5', 'v', SHAPE)[:2]
        v[2:4] = h5py.VirtualSource('target.h5', 'deflate', SHAPE)[2:4]
        f.create_virtual_dataset('v', v, fillvalue=7777)
        attach(f, f['v'])
    expected = np.full(SHAPE, 7777, 'f4')
    expected[:2], expected[2:4] = numbers(1000)[:2], numbers(3000)[2:4]
    main('virtual', virtual, {'v': expected})

    def itself(f):
        v = h5py.VirtualLayout(SHAPE, '<f4')
        v[:2], v[2:] = h5py.VirtualSource('.', 'x', SHAPE)[:2], h5py.VirtualSource('.', 'y', SHAPE)[2:]
        f.create_virtual_dataset('v', v)
        attach(f, f['v'])
    expected = numbers(400)
    expected[2:] = numbers(500)[2:]
    main('virtual of itself', itself, {'v': expected}, ())

    with open('raw.bin', 'wb') as f:
        f.write(b'head' + numbers(1000).tobytes() + b'tail')

    def raw(f):
        f.create_dataset('v', SHAPE, '<f4', external=[('raw.bin', 4, 60), ('raw.bin', 64, 80)])
        attach(f, f['v'])
    main('raw external', raw, {'v': numbers(1000)}, ('raw.bin',))


# netCDF

def netcdf(name, format, make, stores=(), suffix='.nc'):
    path = 'nc_' + name.replace(' ', '_') + suffix
    with netCDF4.Dataset(path, 'w', format=format) as f:
        f.createDimension('time', None)
        for n, values, units in (('lat', LAT, 'degrees_north'), ('lon', LON, 'degrees_east')):
            f.createDimension(n, len(values))
            f.createVariable(n, 'f8', (n,))[:] = values
            f[n].units = units
        f.set_auto_maskandscale(False)
        variables = make(f)
    form('netcdf ' + name, path, variables, list(stores))


def variable(f, name, kind, dims, elements, fill=None, attributes=(), **options):
    v = f.createVariable(name, kind, dims, fill_value=fill, **options)
    v.set_auto_maskandscale(False)
    for k, x in dict(attributes).items():
        v.setncattr(k, x)
    v[:] = elements


def time(f, n):
    variable(f, 'time', 'f8', ('time',), np.arange(n), attributes={'units': 'hours since 2020-01-01'})


def fixed(f):
    variable(f, 'v', 'f4', ('lat', 'lon'), numbers(1000))
    variable(f, 'b', 'i2', ('lat', 'lon'), numbers(50))
    variable(f, 'w', 'i2', ('lat', 'lon'), numbers(300))
    return {'v': numbers(1000), 'b': numbers(50), 'w': numbers(300)}


def records(f):
    shape = (3,) + SHAPE
    time(f, 3)
    variable(f, 'v', 'f4', ('time', 'lat', 'lon'), numbers(1000, shape=shape))
    variable(f, 'b', 'i2', ('time', 'lat', 'lon'), numbers(3000, shape=shape))
    variable(f, 'w', 'f8', ('time', 'lat', 'lon'), numbers(300, shape=shape))
    return {'v': numbers(1000, shape=shape), 'b': numbers(3000, shape=shape), 'w': numbers(300, shape=shape)}


def one_record_variable(f):
    """Records of one variable have no padding."""
    shape = (3,) + SHAPE
    variable(f, 'v', 'i2', ('time', 'lat', 'lon'), numbers(1000, shape=shape))
    return {'v': numbers(1000, shape=shape)}


def packed(f):
    """Integers with scale and offset, and missing points, some of them unsigned by an attribute."""
    values = np.ma.array(1000 + 0.5 * np.arange(35).reshape(SHAPE), mask=False)
    values[1, 2] = values[3, 3] = np.ma.masked
    stored = np.ma.filled((values - 1000) * 2, -99).astype('i2')
    variable(f, 'v', 'i2', ('lat', 'lon'), stored, np.int16(-99), {'scale_factor': 0.5, 'add_offset': 1000.})
    counts = np.arange(200, 235).reshape(SHAPE)
    masked = np.ma.array(2000 + 0.25 * counts, mask=counts == 220)
    variable(f, 'u', 'i1', ('lat', 'lon'), counts.astype('u1').view('i1'), np.uint8(220).view('i1'),
             {'_Unsigned': 'true', 'scale_factor': 0.25, 'add_offset': 2000.})
    variable(f, 'w', 'i2', ('lat', 'lon'), numbers(300))
    return {'v': values, 'u': masked, 'w': numbers(300)}


def masked(f):
    v = np.ma.array(numbers(1000), mask=False)
    v[0, 0] = v[2, 5] = np.ma.masked
    variable(f, 'v', 'f4', ('lat', 'lon'), v.filled(-1e30), np.float32(-1e30))
    m = np.ma.array(numbers(300), mask=v.mask)
    variable(f, 'w', 'f4', ('lat', 'lon'), m.filled(1e20), attributes={'missing_value': np.float32(1e20)})
    n = numbers(500)
    n[1, 1] = np.nan
    variable(f, 'n', 'f4', ('lat', 'lon'), n)
    i = np.ma.array(numbers(7000, 'i4'), mask=v.mask)
    variable(f, 'i', 'i4', ('lat', 'lon'), i.filled(-7), np.int32(-7))
    return {'v': v, 'w': m, 'n': n, 'i': i}


def constant(f):
    variable(f, 'v', 'f4', ('lat', 'lon'), np.full(SHAPE, 1000.))
    variable(f, 'w', 'i4', ('lat', 'lon'), np.full(SHAPE, 300))
    return {'v': np.full(SHAPE, 1000.), 'w': np.full(SHAPE, 300)}


def compressed(make, **options):
    """The variables of make with the filters of options."""
    class With:
        def __init__(self, f):
            self.f = f

        def createVariable(self, *args, **more):
            return self.f.createVariable(*args, **more, **options)
    return lambda f: make(With(f))


def unlimited(f):
    shape = (3,) + SHAPE
    time(f, 3)
    variable(f, 'v', 'f4', ('time', 'lat', 'lon'), numbers(1000, shape=shape), chunksizes=(1, 5, 7))
    variable(f, 'w', 'f4', ('time', 'lat', 'lon'), numbers(300, shape=shape)[:2], np.float32(-9), chunksizes=(1, 2, 3))
    w = np.ma.array(numbers(300, shape=shape), mask=False)
    w[2] = np.ma.masked
    return {'v': numbers(1000, shape=shape), 'w': w}


def groups(f):
    g = f.createGroup('g')
    variable(f, 'v', 'f4', ('lat', 'lon'), numbers(300))
    variable(g, 'v', 'f4', ('lat', 'lon'), numbers(1000), zlib=True)
    return {'v': numbers(300), 'g/v': numbers(1000)}


def netcdfs():
    for kind in ('NETCDF3_CLASSIC', 'NETCDF3_64BIT_OFFSET', 'NETCDF3_64BIT_DATA'):
        short = {'NETCDF3_CLASSIC': 'CDF1', 'NETCDF3_64BIT_OFFSET': 'CDF2', 'NETCDF3_64BIT_DATA': 'CDF5'}[kind]
        netcdf(short + ' fixed', kind, fixed, ['netcdf.' + short, 'netcdf.Contiguous'])
        netcdf(short + ' records', kind, records, ['netcdf.' + short, 'netcdf.Records'])
        netcdf(short + ' one record variable', kind, one_record_variable, ['netcdf.Records'])
    for short, kind in (('CDF1', 'NETCDF3_CLASSIC'), ('netCDF4', 'NETCDF4')):
        for make in (packed, masked, constant):
            netcdf(short + ' ' + make.__name__, kind, make, ['netcdf.' + {'CDF1': 'CDF1', 'netCDF4': 'NetCDF4'}[short]])
    for make in (packed, masked, constant):
        netcdf('netCDF4 ' + make.__name__ + ' deflate', 'NETCDF4', compressed(make, zlib=True, chunksizes=(2, 3)))
    netcdf('netCDF4 unlimited', 'NETCDF4', unlimited)
    netcdf('netCDF4 classic model', 'NETCDF4_CLASSIC', records, ['netcdf.NetCDF4Classic'])
    netcdf('netCDF4 groups', 'NETCDF4', groups)


# GRIB

def message(edition, values, packing, **keys):
    h = eccodes.codes_grib_new_from_samples('regular_ll_pl_grib%d' % edition)
    for k, v in {'Ni': 7, 'Nj': 5, 'latitudeOfFirstGridPointInDegrees': 50, 'latitudeOfLastGridPointInDegrees': 46,
                 'longitudeOfFirstGridPointInDegrees': 0, 'longitudeOfLastGridPointInDegrees': 6,
                 'iDirectionIncrementInDegrees': 1, 'jDirectionIncrementInDegrees': 1, 'dataDate': 20200101}.items():
        eccodes.codes_set(h, k, v)
    eccodes.codes_set(h, 'bitsPerValue', 16)
    for k, v in keys.items():
        eccodes.codes_set(h, k, v)
    flat = np.ma.asarray(values, 'f8').ravel()
    if np.ma.getmaskarray(flat).any():
        eccodes.codes_set(h, 'bitmapPresent', 1)
        eccodes.codes_set(h, 'missingValue', 1e20)
    eccodes.codes_set_values(h, flat.filled(1e20))
    if eccodes.codes_get(h, 'packingType') != packing:
        eccodes.codes_set(h, 'packingType', packing)  # of values that are there: else it packs those of the sample
    eccodes.codes_set(h, 'missingValue', 1e20)
    back = np.ma.masked_equal(eccodes.codes_get_values(h), 1e20).reshape(SHAPE)
    got = eccodes.codes_get(h, 'packingType')
    if got != packing:
        raise SystemExit('packing is %s, expected %s' % (got, packing))
    if abs(back - np.ma.asarray(values)).max() > 0.05:
        raise SystemExit('%s loses values' % packing)
    b = eccodes.codes_get_message(h)
    eccodes.codes_release(h)
    return b, back


def grib(name, fields, stores=()):
    """fields are messages by the short name of their parameters."""
    path = 'grib_' + name.replace(' ', '_') + '.grib'
    with open(path, 'wb') as f:
        for b, _ in fields.values():
            f.write(b)
    form('grib ' + name, path, {k: v for k, (_, v) in fields.items()}, list(stores))


def sections(b):
    at, all = 16, []
    while b[at:at + 4] != b'7777':
        n = struct.unpack('>I', b[at:at + 4])[0]
        all.append(b[at:at + n])
        at += n
    return all


def several(fields, same_bitmap=False):
    """One message of edition 2 with several fields; of the sections before the fourth it has one."""
    all = [sections(b) for b in fields]
    body = b''.join(s for s in all[0] if s[4] < 4)
    for i, s in enumerate(all):
        for section in s:
            if section[4] == 6 and same_bitmap and i > 0:
                section = struct.pack('>IBB', 6, 6, 254)
            if section[4] >= 4:
                body += section
    n = 16 + len(body) + 4
    return fields[0][:8] + struct.pack('>Q', n) + body + b'7777'


def gribs():
    v, w = np.ma.array(numbers(1000, 'f8'), mask=False), np.ma.array(numbers(300, 'f8'), mask=False)
    holes = v.copy()
    holes[0, 0] = holes[2, 5] = np.ma.masked
    t = dict(shortName='t', level=500)
    r = dict(shortName='r', level=500)
    for edition, packings in ((1, ('grid_simple', 'grid_ieee', 'grid_second_order')), (2, (
            'grid_simple', 'grid_ccsds', 'grid_complex', 'grid_complex_spatial_differencing', 'grid_ieee', 'grid_jpeg', 'grid_png',
            'grid_simple_log_preprocessing', 'grid_second_order', 'grid_run_length'))):
        for p in packings:
            for what, values in (('', v), (' bitmap', holes), (' constant', np.full(SHAPE, 1000.))):
                if what == ' constant' and p not in ('grid_simple', 'grid_ccsds', 'grid_complex') or what and 'log' in p:
                    continue
                try:
                    fields = {'t': message(edition, values, p, **t), 'r': message(edition, w, p, **r)}
                except (eccodes.CodesInternalError, SystemExit) as e:
                    print('left out: edition %d %s%s: %s' % (edition, p, what, e))
                    continue
                template = [s for s in sections(fields['t'][0]) if s[4] == 5][0][9:11] if edition == 2 else b''
                stores = ['grib.%d' % struct.unpack('>H', template)] if edition == 2 else ['grib edition 1']
                grib('%d %s%s' % (edition, p, what), fields, stores)
    a, b = message(2, holes, 'grid_simple', **t), message(2, np.ma.array(w, mask=holes.mask), 'grid_simple', **r)
    grib('several fields', {'t': (several([a[0], b[0]]), a[1]), 'r': (b'', b[1])})
    grib('same bitmap', {'t': (several([a[0], b[0]], True), a[1]), 'r': (b'', b[1])})


def main():
    os.makedirs(sys.argv[1], exist_ok=True)
    os.chdir(sys.argv[1])
    for old in glob.glob('*'):
        os.remove(old)
    contiguous()
    indexes()
    filters()
    types()
    links()
    netcdfs()
    gribs()
    with open('forms.json', 'w') as f:
        f.write('[\n' + ',\n'.join(json.dumps(x) for x in FORMS) + '\n]\n')


main()
