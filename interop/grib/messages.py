"""GRIB messages as ecCodes 2.50 reads them: what the scripts that ask ecCodes have in common.

Scripts of other folders find it with sys.path.insert(0, 'interop/grib'). Where ecCodes is not installed
the import fails; a check then ends with exit code 77.
"""

import math
import os
import re

import eccodes as ec
import numpy as np

LIBRARY = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(ec.__file__))), 'eccodeslib')
NAMESPACES = ('mars', 'ls', 'geography', 'time', 'vertical', 'parameter', 'statistics')
MISSING = -1.2345678912345e300  # a value that no field has


def tool(name):
    """The path of one of ecCodes' own commands, such as grib_ls."""
    return os.path.join(LIBRARY, 'bin', name)


def tool_environment():
    """The environment in which the commands find their library."""
    return {**os.environ, 'LD_LIBRARY_PATH': os.path.join(LIBRARY, 'lib64')}


def messages(path):
    """Yields a handle for every field of a file, fields of one message one by one."""
    ec.codes_grib_multi_support_on()
    with open(path, 'rb') as f:
        ec.codes_grib_multi_support_reset_file(f)
        while (h := ec.codes_grib_new_from_file(f)) is not None:
            try:
                yield h
            finally:
                ec.codes_release(h)


def get(h, key, kind=None, default=None):
    """A key in its native type or the given one, the default where ecCodes cannot read it."""
    try:
        return ec.codes_get(h, key, kind or ec.codes_get_native_type(h, key))
    except Exception:
        return default


def key_value(h, key):
    """A key in its native type, a list if it has several values, None if it is not a value at all."""
    kind = ec.codes_get_native_type(h, key)
    if kind not in (int, float, str):
        return None
    try:
        return ec.codes_get(h, key, kind)
    except ec.CodesInternalError:
        array = ec.codes_get_array(h, key, kind)
        return array.tolist() if 1 < len(array) <= 8192 else None


def has_value(value):
    """Reports whether a key's value is one that goes into base[i]: see docs/exact/grib-keys.md."""
    if isinstance(value, float):
        return math.isfinite(value)
    missing = value is None or value in ('MISSING', 'not_found')
    return not (missing or isinstance(value, int) and abs(value) == 2147483647)


def names(h, namespace=None):
    """The names that a keys iterator gives."""
    iterator = ec.codes_keys_iterator_new(h, namespace)
    found = []
    while ec.codes_keys_iterator_next(iterator):
        found.append(ec.codes_keys_iterator_get_name(iterator))
    ec.codes_keys_iterator_delete(iterator)
    return found


def namespace(h, name):
    """The keys of a namespace that have a value, with it."""
    out = {}
    for key in names(h, name):
        try:
            value = key_value(h, key)
        except Exception:
            continue  # listed, but ecCodes itself cannot read it
        if isinstance(value, list) or has_value(value):
            out[key] = value
    return out


def values(h):
    """The values of a field with NaN where missing, and the number of missing points."""
    try:
        ec.codes_set(h, 'missingValue', MISSING)
    except ec.CodesInternalError:
        pass  # spectral fields have none
    v = ec.codes_get_values(h)
    missing = v == MISSING
    v[missing] = np.nan
    return v, int(missing.sum())


def in_rows(h, v, shape):
    """Values in rows of one direction, as tgmconv writes them; ecCodes gives them as they are stored."""
    if len(shape) != 2 or get(h, 'gridType', default='').endswith('sh'):
        return v
    rows, columns = shape
    by_columns = get(h, 'jPointsAreConsecutive') == 1
    v = v.reshape((columns, rows) if by_columns else shape).copy()
    if get(h, 'alternativeRowScanning') == 1:
        v[1::2] = v[1::2, ::-1]
    return (v.T if by_columns else v).ravel()


def sample_names():
    """The names of the samples that ecCodes ships."""
    with open(os.path.join(LIBRARY, 'lib64', 'libeccodes_memfs.so'), 'rb') as f:
        found = set(re.findall(rb'/MEMFS/samples/([A-Za-z0-9_]+)\.tmpl', f.read()))
    return sorted(name.decode() for name in found)
