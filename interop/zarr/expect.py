"""Prints what the arrays of a .tgm file must be as Zarr, as the reference implementation decodes them.

    python expect.py FILE
"""

import sys

import numpy as np
import tensogram
from digest import line


def shown(descriptor, array):
    """The array in the data type that Zarr has for it: bfloat16 is shown as float32, bitmask as bool."""
    array = np.asarray(array)
    if descriptor.dtype == "bfloat16":
        bits = array.view(np.uint16) if array.dtype.itemsize == 2 else array.astype(np.uint16)
        array = (bits.astype(np.uint32) << 16).view(np.float32)
    if descriptor.dtype == "bitmask":
        count = int(np.prod(descriptor.shape, dtype=np.int64))
        array = np.unpackbits(array.reshape(-1).view(np.uint8), count=count).astype(bool)
    return array.reshape(descriptor.shape)


with tensogram.TensogramFile.open(sys.argv[1]) as file:
    for i in range(len(file)):
        for j, (descriptor, array) in enumerate(file.decode_message(i).objects):
            print(line(i, j, shown(descriptor, array)))
