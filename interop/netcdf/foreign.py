"""Makes exporters/tonetcdf/testdata/foreign.h5, with what programs other than netCDF put into HDF5 files.

    .interop/venv/bin/python interop/netcdf/foreign.py exporters/tonetcdf/testdata/foreign.h5
"""
import sys

import h5py
import numpy as np


def attributes(f):
    f.attrs['version'] = np.bytes_('1.0')  # padded with zeros, as PyTables and GPM have it
    f.attrs.create('granule', np.array([[b'NPP001']], 'S7'))  # VIIRS: one row, one column
    f.attrs.create('layers', np.array([b'dense', b'dense_1']))  # Keras
    f.attrs['ascii'] = b'text of any length'
    f.attrs['matrix'] = np.arange(6, dtype='i2').reshape(2, 3)
    f.attrs['columns'] = np.array([], 'f8')  # anndata
    f.attrs['flag'] = True
    fields = np.empty(2, object)  # MATLAB: names of fields, a character each
    fields[0], fields[1] = np.array([b'x'], 'S1'), np.array([b'n', b'a'], 'S1')
    f.attrs.create('MATLAB_fields', fields, dtype=h5py.vlen_dtype(np.dtype('S1')))
    spaces = h5py.h5t.C_S1.copy()  # Fortran
    spaces.set_size(6)
    spaces.set_strpad(h5py.h5t.STR_SPACEPAD)
    a = h5py.h5a.create(f.id, b'spaces', spaces, h5py.h5s.create(h5py.h5s.SCALAR))
    a.write(np.array(b'ab    ', 'S6'), spaces)


def datasets(f):
    f['mask'] = np.array([True, False, True])
    f['dates'] = np.array([b'2020-01-01', b'2020-01'], 'S12')
    f.create_dataset('ascii', data=[b'x', b'yy'], dtype=h5py.string_dtype('ascii'))
    f['letters'] = np.array([b'a', b'b'], 'S1')
    table = [('id', 'i4'), ('x', 'f8'), ('name', 'S4'), ('ok', '?')]
    f['table'] = np.array([(1, 2.5, b'ab', True), (2, 3.5, b'c', False)], table)
    f['complex'] = np.array([1 + 2j, 3])
    ragged = f.create_dataset('ragged', (2,), dtype=h5py.vlen_dtype('i4'))
    ragged[0], ragged[1] = [1, 2], [7]
    f.create_dataset('opaque', data=np.array([b'abc', b'def']).astype('V3'))


def lengths(f):
    f.create_dataset('empty', (0, 3), 'f4')
    f.create_dataset('grows', data=np.arange(6).reshape(2, 3), maxshape=(10, None))
    f['level'] = np.arange(4.)
    f['level'].make_scale('level')
    f['on_level'] = np.ones((4, 5), 'f4')  # the second axis has no scale
    f['on_level'].dims[0].attach_scale(f['level'])


def links(f):
    g = f.create_group('entry/instrument')  # as NeXus has them
    g.attrs['n'] = 1
    g['data'] = np.arange(3.)
    f['entry/data'] = h5py.SoftLink('instrument/data')
    f['entry/hard'] = g['data']
    f['a_soft'] = h5py.SoftLink('/entry')
    f['same'] = f['entry']
    f['entry/up'] = f['/']
    f['nowhere'] = h5py.SoftLink('/nothing')
    f['outside'] = h5py.ExternalLink('missing.h5', '/x')


def references(f):
    f['mask'].attrs['PALETTE'] = f['letters'].ref  # NWB, images with palettes
    f.attrs['specifications'] = f['entry'].ref
    f.attrs.create('several', [f['letters'].ref, f['/'].ref, h5py.Reference()], dtype=h5py.ref_dtype)
    f.attrs.create('two axes', [[f['letters'].ref, f['entry/hard'].ref]], dtype=h5py.ref_dtype)
    cells = f.create_dataset('cells', (2, 2), dtype=h5py.ref_dtype)  # MATLAB
    cells[0, 0], cells[0, 1], cells[1, 0] = f['letters'].ref, f['entry'].ref, cells.ref
    cells.attrs['MATLAB_class'] = np.bytes_('cell')


with h5py.File(sys.argv[1], 'w', libver='latest') as file:
    attributes(file)
    datasets(file)
    lengths(file)
    links(file)
    references(file)
