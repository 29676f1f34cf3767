"""Compares the objects of two HDF5 files as h5py reads them: links, groups, types, spaces, values and attributes."""
import h5py
import numpy as np

# The attributes that make dimensions of datasets; other attributes may say the same.
LARGE = 1 << 20  # elements; the values of larger datasets are not compared
RESERVED = {'CLASS', 'NAME', 'DIMENSION_LIST', 'REFERENCE_LIST', '_Netcdf4Dimid', '_Netcdf4Coordinates', '_NCProperties'}
UNREADABLE = 'unreadable'
CLASSES = {h5py.h5t.INTEGER: 'integer', h5py.h5t.FLOAT: 'float', h5py.h5t.STRING: 'string', h5py.h5t.ENUM: 'enum',
           h5py.h5t.COMPOUND: 'compound', h5py.h5t.VLEN: 'vlen', h5py.h5t.ARRAY: 'array', h5py.h5t.OPAQUE: 'opaque'}


def type_text(t):
    kind = CLASSES.get(t.get_class(), str(t.get_class()))
    text = f'{"committed " if t.committed() else ""}{kind} {t.get_size()}'
    if kind == 'string':
        text += f' {t.is_variable_str()} {t.get_cset()} {None if t.is_variable_str() else t.get_strpad()}'
    elif kind == 'integer':
        text += f' {t.get_sign()}'
    elif kind == 'opaque':
        text += f' {t.get_tag()}'
    elif kind in ('enum', 'vlen', 'array'):
        text += f' of ({type_text(t.get_super())})'
    if kind in ('integer', 'float') and t.get_size() > 1:
        text += f' {t.get_order()}'
    if kind == 'array':
        text += f' {t.get_array_dims()}'
    if kind == 'enum':
        text += f' {[(t.get_member_name(i), t.get_member_value(i)) for i in range(t.get_nmembers())]}'
    if kind == 'compound':
        text += f' {[(t.get_member_name(i), t.get_member_offset(i), type_text(t.get_member_type(i))) for i in range(t.get_nmembers())]}'
    return text


def space_text(s):
    return f'{s.get_simple_extent_type()} {s.get_simple_extent_dims()} {s.get_simple_extent_dims(True)}'


def plain(f, paths, x):
    """A value with the paths of objects in place of references."""
    if isinstance(x, h5py.RegionReference):
        return ('region', paths.get(address(f[x])), h5py.h5r.get_region(x, f.id).get_select_bounds()) if x else 'none'
    if isinstance(x, h5py.Reference):
        return ('object', paths.get(address(f[x]))) if x else 'none'
    if isinstance(x, np.ndarray) and x.dtype.kind in 'iufcb':
        return x.astype(x.dtype.newbyteorder('=')).tobytes()
    if isinstance(x, np.ndarray):
        return [plain(f, paths, y) for y in (x.ravel() if x.dtype.kind == 'O' else x.ravel().tolist())]
    if isinstance(x, (list, tuple)):
        return [plain(f, paths, y) for y in x]
    if isinstance(x, np.generic):
        return plain(f, paths, np.asarray(x))
    return repr(x)


def address(o):
    return h5py.h5o.get_info(o.id).addr


def value(f, paths, read):
    try:
        return plain(f, paths, read())
    except Exception:  # h5py has no form for it, or no filter
        return UNREADABLE


def attributes(f, paths, o):
    out = {}
    for i in range(h5py.h5a.get_num_attrs(o.id)):
        a = h5py.h5a.open(o.id, index=i)
        if a.name not in [r.encode() for r in RESERVED]:
            out[a.name] = (type_text(a.get_type()), space_text(a.get_space()), value(f, paths, lambda: o.attrs[a.name]))
    return out


def describe(f, paths, o):
    of = [type(o).__name__, attributes(f, paths, o)]
    if isinstance(o, h5py.Dataset):
        large = o.size is not None and o.size > LARGE
        of += [type_text(o.id.get_type()), space_text(o.id.get_space()), 'large' if large else value(f, paths, lambda: o[()])]
    elif isinstance(o, h5py.Datatype):
        of.append(type_text(o.id))
    return of


def objects(path):
    """All objects by their paths, with their properties. A further hard link is the path of the first link."""
    out, paths = {}, {}

    def walk(o, at):
        if address(o) in paths:
            out[at] = ['HardLink', paths[address(o)]]
            return
        paths[address(o)], out[at] = at, o
        for name in sorted(o) if isinstance(o, h5py.Group) else []:
            link = o.get(name, getlink=True)
            if isinstance(link, h5py.HardLink):
                walk(o[name], f'{at}/{name}')
            else:
                out[f'{at}/{name}'] = [type(link).__name__, link.path, getattr(link, 'filename', '')]

    with h5py.File(path) as f:
        walk(f['/'], '')
        return {at: o if isinstance(o, list) else describe(f, paths, o) for at, o in out.items()}


def difference(path, other):
    """The first difference, '' if there is none, None if h5py cannot read the file."""
    try:
        a = objects(path)
    except Exception:
        return None
    b = objects(other)
    for at in sorted(a.keys() | b.keys()):
        if at in b and a.get(at, [''])[-1] == UNREADABLE:
            a[at][-1] = b[at][-1]
        if a.get(at) != b.get(at):
            return f'h5py: {at}: {str(a.get(at))[:150]} became {str(b.get(at))[:150]}'
    return ''
