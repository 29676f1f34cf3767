#!/usr/bin/env python3
"""Writes what h5py reads from HDF5 files, as JSON on standard output: one line a file.

usage: read_h5py.py FILE...

For every dataset that a path without soft links leads to: its shape and a hash of the elements in C order, little-endian
(float16, booleans and enums as their integers, complex numbers as pairs, text of variable length ended by a zero byte). Types
that h5py has no numbers for are given without a hash; what it cannot read, with the error.
"""
import hashlib
import json
import os
import sys

import h5py
import numpy as np
try:
    import hdf5plugin  # noqa: registers filters
except ImportError:
    pass


def canonical(d):
    t = d.dtype
    if h5py.check_string_dtype(t) is not None and t.kind == 'O':
        return b''.join((x if isinstance(x, bytes) else x.encode('utf-8', 'surrogateescape')) + b'\0' for x in np.ravel(d[...]))
    if t.kind == 'O' or t.names and t.kind != 'c' or t.kind not in 'iufcbS' or t.subdtype:
        return None
    a = np.asarray(d[()])
    if t.kind == 'S':
        return None if t.itemsize == 1 else b''.join(x.split(b'\0')[0] + b'\0' for x in np.ravel(a))
    return np.ascontiguousarray(a.astype(a.dtype.newbyteorder('<'))).tobytes()


def main():
    for path in sys.argv[1:]:
        out = {}
        with h5py.File(path, 'r') as f:
            def visit(name, obj):
                if not isinstance(obj, h5py.Dataset) or obj.shape is None:
                    return
                e = {'shape': list(obj.shape)}
                try:
                    # A file of some kB can claim any number of elements.
                    raw = canonical(obj) if obj.nbytes < 1 << 28 else None
                    if raw is not None:
                        e['hash'] = hashlib.sha256(raw).hexdigest()[:24]
                except Exception as err:
                    e['error'] = str(err)
                out['/' + name] = e
            f.visititems(visit)
        print(json.dumps({'file': os.path.basename(path), 'datasets': out}, sort_keys=True), flush=True)


main()
