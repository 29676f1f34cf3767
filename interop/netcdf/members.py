"""Makes exporters/tonetcdf/testdata/members.h5, of compounds that netCDF does not have: within arrays, and with names it refuses.

    .interop/venv/bin/python interop/netcdf/members.py exporters/tonetcdf/testdata/members.h5
"""
import sys

import h5py
import numpy as np


def array(f, name, dtype, data):
    """Writes elements that are arrays."""
    element = h5py.h5t.array_create(h5py.h5t.py_create(np.dtype(dtype)), data.shape[1:])
    d = h5py.h5d.create(f.id, name, element, h5py.h5s.create_simple(data.shape[:1]))
    d.write(h5py.h5s.ALL, h5py.h5s.ALL, data, element)


with h5py.File(sys.argv[1], 'w', libver='latest') as f:
    pairs = np.zeros((2, 3), [('a', 'i2'), ('b', 'f4')])
    pairs['a'] = np.arange(6).reshape(2, 3)
    pairs['b'] = pairs['a'] + .5
    array(f, b'pairs', pairs.dtype, pairs)
    array(f, b'waves', 'c16', np.array([[1 + 2j, complex(np.nan, 3)]]))
    f['odd'] = np.array([(1, 2)], [('m/s', 'f4'), ('n', 'i4')])
    f['plain'] = np.array([(7, 8)], [('x', 'f4'), ('n', 'i4')])
