"""The netCDF and HDF5 files that the checks of this folder convert: the fixtures, and those of other projects."""

import glob
import os

FOLDERS = ['fixtures/netcdf/**/*', '.interop/corpus/netcdf/*']


def is_netcdf(path):
    if not os.path.isfile(path):
        return False
    with open(path, 'rb') as f:
        start = f.read(8)
    return start[:4] in (b'CDF\1', b'CDF\2', b'CDF\5') or start == b'\x89HDF\r\n\x1a\n'


def files():
    return [f for pattern in FOLDERS for f in sorted(glob.glob(pattern, recursive=True)) if is_netcdf(f)]
