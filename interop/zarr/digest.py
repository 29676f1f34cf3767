"""What the Zarr interop scripts have in common: an array as a client got it, in one line that can be compared.

A line is MESSAGE/OBJECT<tab>DTYPE<tab>SHAPE<tab>SHA-256 of the little-endian elements in C order.
"""

import hashlib

import numpy as np


def line(message, index, array):
    array = np.asarray(array)
    shape = "x".join(str(n) for n in array.shape)
    little = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False)
    return f"{message}/{index}\t{array.dtype.name}\t{shape}\t{hashlib.sha256(little.tobytes()).hexdigest()}"
