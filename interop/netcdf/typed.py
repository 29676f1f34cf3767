#!/usr/bin/env python3
"""Makes HDF5 files with every kind of type that has no direct tensor form, and files that refer to others.

usage: typed.py FOLDER

typed.h5     compounds (nested, arrays of compounds, text and sequences inside), text of every kind, enums,
             sequences, opaque data, references; compounds and sequences as attributes
elsewhere/   links.h5 with variables in other files, of which internal/archive/testdata/elsewhere has copies;
linked/      main.h5 with external links, external raw data and virtual datasets over part0.h5, part1.h5, ...;
             growing.h5 with virtual datasets without a length of their own
"""
import os, sys
import h5py, numpy as np


def typed(path):
    text = h5py.string_dtype('utf-8')
    point = np.dtype([('x', '<f4'), ('y', '>f8')])
    colour = h5py.enum_dtype({'red': 0, 'green': 1, 'blue': 250}, basetype='u1')
    station = np.dtype([('id', '>i2'), ('at', point), ('corners', point, (3,)), ('name', 'S4'), ('note', text),
                        ('counts', '<u2', (2,)), ('colour', colour), ('levels', h5py.vlen_dtype('<i4'))])
    with h5py.File(path, 'w') as f:
        d = f.create_dataset('station', (2,), dtype=station)
        d[0] = (-7, (1.5, 2.5), [(1, 2), (3, 4), (5, 6)], b'abcd', 'größe', (8, 9), 250, np.array([1, 2, 3], '<i4'))
        d[1] = (300, (-1, -2), [(7, 8), (9, 10), (11, 12)], b'ef', '', (65535, 0), 1, np.array([], '<i4'))
        c = f.create_dataset('chunked', (3, 4), dtype=point, chunks=(2, 2), compression='gzip', fillvalue=np.array((9, 8), point))
        c[0, 0] = (1, 2)
        d.attrs.create('first', d[0], dtype=station)
        d.attrs['points'] = np.array([(1, 2), (3, 4)], point)
        d.attrs.create('ragged', [np.array([1, 2], '<i4'), np.array([3], '<i4')], dtype=h5py.vlen_dtype('<i4'))
        d.attrs.create('colour', 250, dtype=colour)
        d.attrs['to'] = c.ref
        d.attrs['scalar_text'] = 'é'
        d.attrs['chars'] = np.bytes_('abc')
        f.create_dataset('colour', data=np.array([0, 250, 1], 'u1'), dtype=colour)
        v = f.create_dataset('levels', (2, 2), dtype=h5py.vlen_dtype('>f4'))
        v[0, 0], v[1, 1] = [1.5, 2.5], [3.5]
        s = f.create_dataset('texts', (3,), dtype=text)
        s[0], s[2] = 'größer', 'b'
        f.create_dataset('fixed', data=np.array([b'ab', b'abcde'], 'S5'))
        f.create_dataset('one', data='alone', dtype=text)
        f.create_dataset('times', data=np.array([1, 2], '<M8[s]').astype(h5py.opaque_dtype('<M8[s]')))
        r = f.create_dataset('refs', (3,), dtype=h5py.ref_dtype)
        r[0], r[1] = d.ref, f['/'].ref
        g = f.create_dataset('regions', (2,), dtype=h5py.regionref_dtype)
        g[0] = c.regionref[0:2, 1:3]
        f.create_dataset('sparse', (1000, 1000), 'f4', chunks=(10, 1000), compression='gzip', fillvalue=-1)[20:30] = 5


def linked(folder):
    os.makedirs(folder, exist_ok=True)
    for i in range(3):
        with h5py.File(os.path.join(folder, 'part%d.h5' % i), 'w') as f:
            f.create_dataset('grp/data', data=np.arange(4 * 5, dtype='<i4').reshape(4, 5) + 100 * i)
            f['grp'].attrs['number'] = i
    with open(os.path.join(folder, 'raw.bin'), 'wb') as f:
        f.write(b'head' + np.arange(6, dtype='>f8').tobytes())
    with h5py.File(os.path.join(folder, 'main.h5'), 'w', libver='latest') as f:
        f['here'] = np.arange(10.)
        f.create_dataset('far', (2**31,), 'i1', maxshape=(None,), chunks=(1,))[2**30] = 1
        f['soft'] = h5py.SoftLink('/outside/data')
        f['outside'] = h5py.ExternalLink('part1.h5', '/grp')
        f['missing'] = h5py.ExternalLink('nowhere.h5', '/grp')
        f['above'] = h5py.ExternalLink('../typed.h5', '/colour')
        f.create_dataset('raw', (2, 3), '>f8', external=[('raw.bin', 4, 24), ('raw.bin', 28, 24)])
        f.create_dataset('escape', (2,), '<f4', external=[('../typed.h5', 0, 8)])
        rows = h5py.VirtualLayout((12, 5), '<i4')
        for i in range(3):
            rows[4 * i:4 * i + 4] = h5py.VirtualSource('part%d.h5' % i, 'grp/data', (4, 5))
        f.create_virtual_dataset('rows', rows, fillvalue=-1)
        mixed = h5py.VirtualLayout((2, 10), 'f8')
        mixed[0] = h5py.VirtualSource('.', 'here', (10,))
        mixed[1, 0:10:2] = h5py.VirtualSource('part1.h5', 'grp/data', (4, 5))[3]
        f.create_virtual_dataset('mixed', mixed, fillvalue=-9)
        gone = h5py.VirtualLayout((2, 4), 'i2')
        gone[0] = h5py.VirtualSource('nowhere.h5', 'data', (4,))
        f.create_virtual_dataset('gone', gone, fillvalue=7)
        # as many parts as there are files, each a block along an axis without limit
        space = h5py.h5s.create_simple((12, 5), (h5py.h5s.UNLIMITED, 5))
        space.select_hyperslab((0, 0), (h5py.h5s.UNLIMITED, 1), (4, 1), (4, 5))
        plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        plist.set_virtual(space, b'part%b.h5', b'grp/data', h5py.h5s.create_simple((4, 5)))
        h5py.h5d.create(f.id, b'numbered', h5py.h5t.STD_I32LE, space, plist)


def elsewhere(folder):
    """links.h5, whose variables lie in target.h5, raw.bin, and in deep.h5 to which target.h5 refers."""
    os.makedirs(folder, exist_ok=True)
    with h5py.File(os.path.join(folder, 'deep.h5'), 'w') as f:
        f['d'] = np.arange(4000, 4008, dtype='<f8')
    with h5py.File(os.path.join(folder, 'target.h5'), 'w') as f:
        f['pad'] = np.arange(100, dtype='<f8')
        f['x'] = np.arange(1000, 1012, dtype='>f4')
        f.create_dataset('z', data=np.arange(2000, 2024, dtype='<f8'), chunks=(10,), compression='gzip', shuffle=True)
        layout = h5py.VirtualLayout((8,), '<f8')
        layout[:] = h5py.VirtualSource('deep.h5', 'd', (8,))
        f.create_virtual_dataset('v', layout)
    np.arange(3000, 3006, dtype='<i4').tofile(os.path.join(folder, 'raw.bin'))
    with h5py.File(os.path.join(folder, 'links.h5'), 'w') as f:
        f['own'] = np.arange(200, dtype='<f8')
        f['x'] = h5py.ExternalLink('target.h5', '/x')
        f['z'] = h5py.ExternalLink('target.h5', '/z')
        f.create_dataset('raw', (5,), '<i4', external=[('raw.bin', 4, 20)])
        layout = h5py.VirtualLayout((20,), '<f8')
        layout[:8] = h5py.VirtualSource('target.h5', 'v', (8,))
        layout[8:] = h5py.VirtualSource('later.h5', 'x', (12,))
        f.create_virtual_dataset('both', layout, fillvalue=-1)


def growing(folder):
    """Virtual datasets of length 0 in the file, which grow with their sources."""
    unlimited, part, every2 = h5py.h5s.UNLIMITED, (4, 5), (5,)
    with h5py.File(os.path.join(folder, 'many.h5'), 'w', libver='latest') as f:
        f.create_dataset('grown', data=np.arange(5, dtype='<i4'), maxshape=(None,), chunks=(5,))
    numbered = h5py.h5s.create_simple((0, 5), (unlimited, 5))
    numbered.select_hyperslab((0, 0), (unlimited, 1), (4, 1), part)
    second = h5py.h5s.create_simple((0,), (unlimited,))
    second.select_hyperslab((1,), (unlimited,), (2,), (1,))
    source = h5py.h5s.create_simple(every2, (unlimited,))
    source.select_hyperslab((0,), (unlimited,), (1,), (1,))
    with h5py.File(os.path.join(folder, 'growing.h5'), 'w', libver='latest') as f:
        for name, space, file, dataset, src in (
            (b'numbered', numbered, b'part%b.h5', b'grp/data', h5py.h5s.create_simple(part)),
            (b'second', second, b'many.h5', b'grown', source),
            (b'gone', second, b'nowhere.h5', b'grown', source),
        ):
            plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            plist.set_fill_value(np.array(-9, '<i4'))
            plist.set_virtual(space, file, dataset, src)
            h5py.h5d.create(f.id, name, h5py.h5t.STD_I32LE, space, plist)


if __name__ == '__main__':
    os.makedirs(sys.argv[1], exist_ok=True)
    typed(os.path.join(sys.argv[1], 'typed.h5'))
    elsewhere(os.path.join(sys.argv[1], 'elsewhere'))
    linked(os.path.join(sys.argv[1], 'linked'))
    growing(os.path.join(sys.argv[1], 'linked'))
