#!/usr/bin/env python3
"""Makes a large file for benchmarks, or times netCDF4-python reading one.

usage: bench.py make FILE CHUNK,CHUNK,CHUNK   60 fields of 721 x 1440 float32 (249 MB), deflate 4 and shuffle
       bench.py read FILE [record]            seconds to read all, or record by record
"""

import sys
import time

import netCDF4
import numpy as np

if sys.argv[1] == 'make':
    rng = np.random.default_rng(0)
    lat, lon = np.linspace(90, -90, 721), np.linspace(0, 360, 1440, endpoint=False)
    base = 280 + 30 * np.cos(np.radians(lat))[:, None] + 5 * np.sin(np.radians(3 * lon))[None, :]
    d = netCDF4.Dataset(sys.argv[2], 'w')
    for n, s in (('time', None), ('lat', 721), ('lon', 1440)):
        d.createDimension(n, s)
    v = d.createVariable(
        't2m',
        'f4',
        ('time', 'lat', 'lon'),
        zlib=True,
        complevel=4,
        shuffle=True,
        chunksizes=[int(c) for c in sys.argv[3].split(',')],
    )
    for i in range(0, 60, 12):
        noise = np.cumsum(rng.normal(0, 0.05, (12, 721, 1440)), axis=2)
        v[i : i + 12] = np.round(base + noise + i * 0.1, 2).astype('f4')
    d.close()
else:
    d = netCDF4.Dataset(sys.argv[2])
    v = d['t2m']
    v.set_auto_maskandscale(False)
    t = time.perf_counter()
    n = 0
    if len(sys.argv) > 3:
        for i in range(v.shape[0]):
            n += v[i].nbytes
    else:
        n = v[:].nbytes
    print('%.3f' % (time.perf_counter() - t))
