#!/usr/bin/env python3
"""Makes classic netCDF files (CDF-1, CDF-2, CDF-5) byte by byte, with what the libraries allow and rarely write.

usage: wide_classic.py FOLDER

Every combination of one to four record variables of odd sizes, gaps and bytes after the data, absent lists with either tag,
names of many kinds, attributes of every type and of none, vsize fields that are wrong, records without end padding.
"""

import os
import random
import struct
import sys

import numpy as np

TYPES = {'i1': 1, 'S1': 2, 'i2': 3, 'i4': 4, 'f4': 5, 'f8': 6, 'u1': 7, 'u2': 8, 'u4': 9, 'i8': 10, 'u8': 11}
OLD = ['i1', 'S1', 'i2', 'i4', 'f4', 'f8']


class Classic:
    """A header and data; vars are (name, type, dims, attributes, array)."""

    def __init__(self, version, dims, vars, attrs=(), records=None, **quirks):
        self.v, self.dims, self.vars, self.attrs, self.records, self.q = version, dims, vars, attrs, records, quirks

    def n(self, x):
        return struct.pack('>Q' if self.v == 5 else '>I', x)

    def text(self, s):
        b = s if isinstance(s, bytes) else s.encode()
        return self.n(len(b)) + b + b'\0' * (-len(b) % 4)

    def list(self, tag, entries):
        if not entries:
            return struct.pack('>I', tag if self.q.get('tagged_empty') else 0) + self.n(0)
        return struct.pack('>I', tag) + self.n(len(entries)) + b''.join(entries)

    def attribute(self, name, t, value):
        raw = value if t == 'S1' else np.asarray(value, '>' + t).tobytes()
        n = len(raw) // np.dtype(t).itemsize
        return (
            self.text(name) + struct.pack('>I', TYPES[t]) + self.n(n) + raw + self.q.get('pad', b'\0') * (-len(raw) % 4)
        )

    def attributes(self, list_):
        return self.list(12, [self.attribute(*a) for a in list_])

    def is_record(self, dims):
        return bool(dims) and self.dims[dims[0]][1] == 0

    def slice_bytes(self, t, dims):
        n = np.dtype(t).itemsize
        for d in dims[1:] if self.is_record(dims) else dims:
            n *= self.dims[d][1]
        return n

    def header(self, begins):
        h = b'CDF' + bytes([self.v]) + (self.q['numrecs'] if 'numrecs' in self.q else self.n(self.records or 0))
        h += self.list(10, [self.text(n) + self.n(l) for n, l in self.dims])
        h += self.attributes(self.attrs)
        entries = []
        for (name, t, dims, attrs, _), begin in zip(self.vars, begins):
            vsize = -(-self.slice_bytes(t, dims) // 4) * 4 if not self.q.get('vsize') else self.q['vsize']
            entries.append(
                self.text(name)
                + self.n(len(dims))
                + b''.join(self.n(d) for d in dims)
                + self.attributes(attrs)
                + struct.pack('>I', TYPES[t])
                + self.n(vsize)
                + struct.pack('>I' if self.v == 1 else '>Q', begin)
            )
        return h + self.list(11, entries)

    def write(self, path):
        at = len(self.header([0] * len(self.vars))) + self.q.get('gap', 0)
        begins = [0] * len(self.vars)
        chunks = []
        recs = [i for i in range(len(self.vars)) if self.is_record(self.vars[i][2])]
        padded = lambda n: n if len(recs) == 1 else -(-n // 4) * 4
        for i, (_, t, dims, _, a) in enumerate(self.vars):
            if i in recs:
                continue
            begins[i] = at
            raw = np.asarray(a, t if t == 'S1' else '>' + t).tobytes()
            raw += b'\0' * (-len(raw) % 4)
            chunks.append((at, raw))
            at += len(raw) + self.q.get('gap', 0)
        sizes = {i: self.slice_bytes(self.vars[i][1], self.vars[i][2]) for i in recs}
        for i in recs:
            begins[i] = at
            at += padded(sizes[i])
        recsize = sum(padded(sizes[i]) for i in recs)
        for i in recs:
            _, t, dims, _, a = self.vars[i]
            raw = np.asarray(a, t if t == 'S1' else '>' + t).tobytes()
            for r in range(self.records):
                chunks.append(
                    (
                        begins[i] + r * recsize,
                        raw[r * sizes[i] : (r + 1) * sizes[i]].ljust(
                            padded(sizes[i]), b'\x81' if self.v < 5 else b'\0'
                        ),
                    )
                )
        with open(path, 'wb') as f:
            f.write(self.header(begins))
            for pos, raw in chunks:
                f.seek(pos)
                f.write(raw)
            if self.q.get('trailing'):
                f.seek(0, 2)
                f.write(b'\xa5' * self.q['trailing'])
            if self.q.get('unpadded') and recs:
                f.truncate(begins[recs[-1]] + (self.records - 1) * recsize + sizes[recs[-1]])


def data(rng, t, shape):
    if t == 'S1':
        return rng.integers(32, 127, shape).astype('u1').view('S1') if shape else np.array(b'q', 'S1')
    if t[0] == 'f':
        return (rng.standard_normal(shape) * 100).astype(t)
    i = np.iinfo(t)
    return rng.integers(i.min, i.max, shape, dtype=t, endpoint=True)


def all_attributes(v):
    """one attribute of each type with none, one and some values"""
    out = []
    for t in OLD if v < 5 else TYPES:
        for n in 0, 1, 2, 3, 5:
            if t == 'S1':
                out.append(('S1_%d' % n, t, b'text\xc3\xa9'[:n]))
            else:
                i = np.finfo(t) if t[0] == 'f' else np.iinfo(t)
                out.append(('%s_%d' % (t, n), t, [i.max, i.min, 0, 1, i.max][:n]))
    return out + [
        ('nans', 'f8', [np.nan, np.inf, -np.inf, -0.0]),
        ('latin', 'S1', b'caf\xe9'),
        ('nul', 'S1', b'a\0b\0'),
        ('newline', 'S1', b'a\nb\tc"\\'),
        ('_FillValue_not', 'S1', b'\0'),
    ]


def make(folder):
    rng = np.random.default_rng(5)
    pick = random.Random(5)

    def out(name, f):
        f.write(os.path.join(folder, 'c_%s_v%d.nc' % (name, f.v)))

    for v in 1, 2, 5:
        types = OLD if v < 5 else list(TYPES)
        dims = [('time', 0), ('x', 3), ('y', 1), ('z', 5)]
        for k in range(24):  # record variables in all mixtures
            n = 1 + k % 4
            records = [3, 1, 0, 2, 5, 4][k % 6]
            vars_ = []
            for i in range(n):
                t = pick.choice(types)
                d = [0] + pick.sample([1, 2, 3], pick.randrange(0, 3))
                vars_.append(('r%d_%s' % (i, t), t, d, [], data(rng, t, [records] + [dims[j][1] for j in d[1:]])))
            for i in range(k % 3):
                t = pick.choice(types)
                d = pick.sample([1, 2, 3], pick.randrange(0, 4))
                vars_.insert(
                    pick.randrange(len(vars_) + 1), ('f%d_%s' % (i, t), t, d, [], data(rng, t, [dims[j][1] for j in d]))
                )
            out('mix%02d' % k, Classic(v, dims, vars_, records=records))
            if k % 4 == 0:
                out('quirk%02d' % k, Classic(v, dims, vars_, records=records, gap=52, vsize=0xFFFFFFFC))
            if k % 4 == 1:
                out('trailing%02d' % k, Classic(v, dims, vars_, records=records, trailing=7))
            if k % 4 == 2 and records:
                out('unpadded%02d' % k, Classic(v, dims, vars_, records=records, unpadded=True))
        for t in types:  # one record variable: its slices are not padded
            for shape in [], [1], [3]:
                a = data(rng, t, [5] + [dims[j][1] for j in shape])
                out('single_%s_%d' % (t, len(shape)), Classic(v, dims, [('v', t, [0] + shape, [], a)], records=5))
        out(
            'attributes',
            Classic(v, dims, [('v', 'i2', [1], all_attributes(v), [1, 2, 3])], all_attributes(v), records=0),
        )
        many = [('att%04d' % i, 'f4', [i]) for i in range(1500)]
        out(
            'many',
            Classic(
                v,
                [('x', 2)] + [('d%d' % i, i + 1) for i in range(400)],
                [
                    (
                        'v%03d' % i,
                        types[i % len(types)],
                        [0],
                        many if i == 0 else [],
                        data(rng, types[i % len(types)], [2]),
                    )
                    for i in range(300)
                ],
                many,
            ),
        )
        names = [
            'ünïcode',
            '日本語',
            'a b c',
            'with-dash',
            'a.b',
            '@x',
            '1digit',
            'x' * 255,
            'UPPER',
            'per%cent',
            "quo'te",
            'plus+',
            '_lead',
            'tr(u)',
        ]
        out(
            'names',
            Classic(
                v,
                [('ä' * 10, 2), ('dim with space', 3)],
                [(n, 'i4', [i % 2], [(n, 'S1', n.encode())], np.arange(2 + i % 2)) for i, n in enumerate(names)],
                [(n, 'i4', [1]) for n in names],
            ),
        )
        out('empty', Classic(v, [], []))
        out('empty_tags', Classic(v, [], [], tagged_empty=True))
        out('scalars', Classic(v, [], [('s_' + t, t, [], [], data(rng, t, ())) for t in types], tagged_empty=True))
        out('dims_only', Classic(v, dims, [], records=0))
        out('same_dim', Classic(v, dims, [('cov', 'f8', [1, 1], [], data(rng, 'f8', (3, 3)))], records=0))
        out(
            'rank20',
            Classic(
                v,
                [('d%d' % i, 1 + i % 2) for i in range(20)],
                [('v', 'i1', list(range(20)), [], np.arange(1024) % 100)],
            ),
        )
        out(
            'pads',
            Classic(
                v,
                dims,
                [('v', 'i1', [1], [('a', 'i1', [1])], [1, 2, 3]), ('w', 'i1', [1], [], [4, 5, 6])],
                [('b', 'i2', [1])],
                records=0,
                pad=b'\0',
            ),
        )


if __name__ == '__main__':
    os.makedirs(sys.argv[1], exist_ok=True)
    make(sys.argv[1])
