"""Makes exporters/tonetcdf/testdata/half.h5, with attributes of 16-bit numbers.

    .interop/venv/bin/python interop/netcdf/half.py exporters/tonetcdf/testdata/half.h5
"""
import sys

import h5py
import numpy as np

with h5py.File(sys.argv[1], 'w', libver='latest') as f:
    f['v'] = np.int32(1)
    f['v'].attrs['one'] = np.float16(1.5)
    f['v'].attrs['several'] = np.array([1.5, np.inf, 65504], 'f2')
