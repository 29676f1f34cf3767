"""Writes netcdf/internal/hdf5/testdata/widths/*.h5.gz: files whose addresses and lengths have 4 bytes, or one of them.

    .interop/venv/bin/python interop/netcdf/widths.py FOLDER
"""
import gzip
import os
import sys

import h5py
from h5py import h5f, h5p


def make(folder, address, length):
    path = os.path.join(folder, f'{address}-{length}.h5')
    create = h5p.create(h5p.FILE_CREATE)
    create.set_sizes(address, length)
    with h5py.File(h5f.create(path.encode(), h5f.ACC_TRUNC, create, h5p.create(h5p.FILE_ACCESS))) as f:
        f['s'] = ['one', '', 'three and more']
        f['s'].attrs['list'] = ['a', 'bc']
        f['g/n'] = [1, 2]
        f['soft'] = h5py.SoftLink('/g/n')
    with open(path, 'rb') as f, open(path + '.gz', 'wb') as to:
        to.write(gzip.compress(f.read(), mtime=0))
    os.unlink(path)


for widths in ((4, 4), (4, 8), (8, 4)):
    make(sys.argv[1], *widths)
