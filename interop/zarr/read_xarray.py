"""Prints the arrays of a served .tgm file as xarray reads them.

    python read_xarray.py URL MESSAGES
"""

import sys

import xarray
from digest import line

url, messages = sys.argv[1], int(sys.argv[2])
for i in range(messages):
    dataset = xarray.open_zarr(url, group=None if messages == 1 else str(i), chunks=None)
    for j, name in enumerate(dataset.attrs["_tensogram_variables"]):
        print(line(i, j, dataset[name].values))
