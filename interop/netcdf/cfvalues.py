"""What CF and the NetCDF Users Guide make of stored numbers: _Unsigned, missing values, scale and offset."""
import numpy as np

PACKING = ('scale_factor', 'add_offset')


def meant(raw, attrs):
    """Integers with the sign that _Unsigned says."""
    said = attrs.get('_Unsigned')
    if isinstance(said, str) and (raw.dtype.kind, said.lower()) in (('i', 'true'), ('u', 'false')):
        return raw.view(raw.dtype.str.replace('i', 'U').replace('u', 'i').replace('U', 'u'))
    return raw


def factors(attrs):
    """{name: number}; {} if there are none, or if one is not a number."""
    have = {k: np.atleast_1d(np.asarray(attrs[k])) for k in PACKING if k in attrs}
    if any(a.size != 1 or a.dtype.kind not in 'iuf' for a in have.values()):
        return {}
    return {k: a[0] for k, a in have.items()}


def unpacked_type(raw, have):
    """float32 if the factors are float32 and lose nothing, as in xarray."""
    single = all(f.dtype == np.float32 for f in have.values()) and raw.dtype.itemsize <= 4
    if 'add_offset' in have and ('scale_factor' not in have or raw.dtype.kind in 'iu' and raw.dtype.itemsize == 4):
        single = False
    return np.float32 if single else np.float64


def fills(raw, attrs, dtype):
    """The elements that mean a missing point; dtype is that in the file."""
    for key in ('_FillValue', 'missing_value'):
        a = np.atleast_1d(np.asarray(attrs.get(key, '')))
        if a.dtype.kind not in 'iuf':
            continue
        for x in a:
            if dtype.kind == 'f' or a.dtype == dtype and dtype != raw.dtype:
                yield x.astype(dtype).view(raw.dtype) if dtype.itemsize == raw.dtype.itemsize and dtype.kind != 'f' else x.astype(raw.dtype)
            elif np.isfinite(x) and x == np.trunc(x) and np.iinfo(raw.dtype).min <= int(x) <= np.iinfo(raw.dtype).max:
                yield x.astype(raw.dtype)


def decoded(stored, attrs):
    """(the values, whether they are unpacked): missing points of floating-point values are NaN."""
    stored = stored.astype(stored.dtype.newbyteorder('='))
    if stored.dtype.kind not in 'iuf':
        return stored, False
    raw, have = meant(stored, attrs), factors(attrs)
    want = raw
    if have:
        t = unpacked_type(raw, have)
        want = raw.astype(t) * t(have.get('scale_factor', 1)) + t(have.get('add_offset', 0))
    if want.dtype.kind == 'f':
        want = np.array(want)  # of a scalar it is a number, to which nothing can be assigned
        for fill in fills(raw, attrs, stored.dtype):
            want[(raw == fill) | (np.isnan(raw) if raw.dtype.kind == 'f' and np.isnan(fill) else False)] = np.nan
    return want, bool(have)


def shown(x, netcdf, attr_types):
    """An array of a message as it is meant: numbers that were kept packed are unpacked by their attributes."""
    if x.dtype.kind not in 'iuf' or not any(k in netcdf for k in PACKING):
        return x
    # Integers above 2^63 - 1 are text in the metadata.
    as_type = {'float': np.float32, 'uint64': lambda v: np.array(v, 'u8') if isinstance(v, str) else v}
    typed = {k: as_type.get(attr_types.get(k), lambda v: v)(v) for k, v in netcdf.items()}
    if not factors(typed):
        return x
    return decoded(x, typed)[0]
