"""Prints what GDAL (rasterio) reads of a served group, as JSON: type, bands, transform, CRS and SHA-256 of each array of it.

    python read_gdal.py URL NAME...
"""
import hashlib
import json
import sys
import warnings

import rasterio

warnings.simplefilter("ignore")
url, *names = sys.argv[1:]
found = {}
with rasterio.open(f'ZARR:"/vsicurl/{url}"') as root:
    paths = {name.rsplit(":/", 1)[-1]: name for name in root.subdatasets}
for name in names:
    # An array of more than three dimensions has subdatasets for the positions along the first ones.
    with rasterio.open(f'ZARR:"/vsicurl/{url}":/{name}') as d:
        parts = [d.name] if d.count else d.subdatasets
        digest, bands = hashlib.sha256(), 0
        for part in parts:
            with rasterio.open(part) as p:
                crs, transform, dtype, bands = p.crs is not None, list(p.transform)[:6], p.dtypes[0], bands + p.count
                digest.update(p.read().tobytes())
    found[name] = {"listed": name in paths, "type": dtype, "bands": bands, "crs": crs, "transform": transform, "hash": digest.hexdigest()}
json.dump(found, sys.stdout)
