"""Writes fixtures/netcdf/made/packed_floats.nc: floating-point numbers that are packed as such.

    .interop/venv/bin/python interop/netcdf/packed_floats.py OUT.nc
"""
import sys

import netCDF4
import numpy as np


def make(path):
    d = netCDF4.Dataset(path, 'w', format='NETCDF3_CLASSIC')
    d.title = 'packed floating-point numbers'
    d.createDimension('time', None)
    d.createDimension('x', 6)
    x = d.createVariable('x', 'f4', ('x',))
    x.scale_factor, x.add_offset = np.float32(0.1), np.float32(3)
    x.set_auto_maskandscale(False)
    x[:] = np.arange(6)
    rng = np.random.default_rng(1)
    for name, kind, factor in (('f32', 'f4', np.float32), ('f32_to_f64', 'f4', np.float64), ('f64', 'f8', np.float64)):
        v = d.createVariable(name, kind, ('time', 'x'), fill_value=-99)
        v.set_auto_maskandscale(False)
        v.scale_factor, v.add_offset = factor(0.1), factor(273.15)
        v.missing_value = np.array(8, kind)
        v.valid_range = np.array([-50, 50], kind)
        values = rng.normal(0, 20, (4, 6)).astype(kind)
        values[1, :5] = [-99, 8, np.nan, np.inf, -99]
        v[:] = values
    d.close()


make(sys.argv[1])
