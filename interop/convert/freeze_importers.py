"""Writes what ecCodes 2.50 and the netCDF library say of the sample files, for the tests of the importers.

    .interop/venv/bin/python interop/convert/freeze_importers.py

Makes importers/fromgrib/testdata/expected.json and importers/fromnetcdf/testdata/expected.json. Values are reduced to
their count, their missing points, minimum, maximum and exact sum; the comparison of every value is check_convert.py.
"""
import glob
import json
import math
import os
import sys
import warnings

import eccodes as ec
import netCDF4
import numpy as np

warnings.filterwarnings('ignore')
os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..'))
sys.path[:0] = ['interop/grib', 'interop/netcdf']
import cfvalues
from messages import namespace, values

PER_FILE = 3


def summary(v):
    present = v[~np.isnan(v)]
    s = {'count': int(v.size), 'missing': int(np.isnan(v).sum())}
    if present.size:
        s.update(min=float(present.min()), max=float(present.max()), sum=math.fsum(present.tolist()))
    return s


def grib_message(h):
    v, _ = values(h)
    d, t = ec.codes_get(h, 'validityDate'), ec.codes_get(h, 'validityTime')
    return {'name': ec.codes_get(h, 'shortName'), 'mars': namespace(h, 'mars'), 'valid': f'{d:08d}{t:04d}',
            'level_type': ec.codes_get(h, 'typeOfLevel'), 'values': summary(v)}


def grib_files():
    out = {}
    for path in sorted(glob.glob('fixtures/grib/*.grib2') + glob.glob('fixtures/grib/*/*.grib*')):
        if 'malformed' in path:
            continue
        with open(path, 'rb') as f:
            count, messages = ec.codes_count_in_file(f), []
        with open(path, 'rb') as f:
            for _ in range(min(PER_FILE, count)):
                h = ec.codes_grib_new_from_file(f)
                messages.append(grib_message(h))
                ec.codes_release(h)
        out[os.path.relpath(path, 'fixtures/grib')] = {'count': count, 'messages': messages}
    return out


def variables(group, path=''):
    for name, v in group.variables.items():
        yield path + name, v
    for name, sub in group.groups.items():
        yield from variables(sub, path + name + '/')


def numbers(v):
    """The expected values of a conversion: unpacked, missing points NaN, None for variables without a tensor form."""
    v.set_auto_maskandscale(False)
    v.set_auto_chartostring(False)
    if not isinstance(v.dtype, np.dtype) or v.dtype.kind not in 'iuf' or isinstance(v.datatype, netCDF4.VLType):
        return None
    want, _ = cfvalues.decoded(np.asarray(v[...]), {k: v.getncattr(k) for k in v.ncattrs()})
    return {'dtype': str(want.dtype), 'shape': list(want.shape), 'values': summary(want.ravel().astype('f8'))}


def netcdf_files():
    out = {}
    for path in sorted(p for p in glob.glob('fixtures/netcdf/**/*', recursive=True) if os.path.isfile(p) and not p.endswith(('.cdl', 'dag10.h5'))):  # netCDF lists a group once for each path
        try:
            d = netCDF4.Dataset(path)
        except Exception:
            continue
        found = {name: n for name, v in variables(d) if (n := numbers(v)) is not None}
        if found:
            out[os.path.relpath(path, 'fixtures/netcdf')] = found
    return out


for package, expected in (('fromgrib', grib_files()), ('fromnetcdf', netcdf_files())):
    folder = f'importers/{package}/testdata'
    os.makedirs(folder, exist_ok=True)
    with open(f'{folder}/expected.json', 'w') as f:
        lines = ',\n'.join(f'{json.dumps(k)}: {json.dumps(v)}' for k, v in expected.items())
        f.write('{\n' + lines + '\n}\n')
    print(folder, len(expected), 'files')
