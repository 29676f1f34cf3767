"""Makes netCDF and HDF5 files of every kind, converts them and compares what the reference decodes with the netCDF library.

    .interop/venv/bin/python interop/netcdf/check_wide.py [FILE ...]

Each variable that the library has numbers for must be there: values bit for bit, type, shape, missing points, names of dimensions, every attribute
of the variable and of the file. What netCDF cannot open or read is compared with h5py. Splitting by variable
and by record must give the same numbers. Exit 1 if anything differs, 77 if the programs to compare with are not there.
"""
import collections
import glob
import os
import subprocess
import sys
import tempfile
import warnings

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..'))
sys.path.insert(0, 'interop/netcdf')
try:
    import h5py
    import hdf5plugin  # noqa: before netCDF4, which brings filters of its own
    import netCDF4
    import numpy as np
    import tensogram

    import cfvalues
except ImportError as e:
    print('netcdf/check_wide:', e)
    sys.exit(77)

warnings.filterwarnings('ignore')
TGMCONV = os.environ.get('TGMCONV', 'bin/tgmconv')
totals = collections.Counter()
# Of plugins_x: packed by filters without a decoder, which a warning names.
NOT_DECODED = ('sz', 'sperr')
FROM_H5PY = {'by': 'h5py'}
USED_UP = {'scale_factor', 'add_offset', '_FillValue', 'missing_value', 'valid_min', 'valid_max', 'valid_range'}
CF = ('standard_name long_name units calendar cell_methods coordinates axis positive valid_min valid_max valid_range bounds '
      'grid_mapping ancillary_variables flag_values flag_meanings').split()


class Variable:
    """A variable as a library reads it: attrs are {name: value}, dims names or None."""

    def __init__(self, raw, dims, attrs, unlimited=()):
        self.raw, self.dims, self.attrs, self.unlimited = raw, dims, attrs, unlimited


# --- the netCDF library ---

def netcdf_variables(group, path=''):
    for name, v in group.variables.items():
        yield path + name, v
    for name, sub in group.groups.items():
        yield from netcdf_variables(sub, path + name + '/')


def netcdf_attrs(v):
    out = {}
    for k in v.ncattrs():
        try:
            out[k] = v.getncattr(k)
        except Exception:
            totals['attributes netCDF cannot read'] += 1
    return out


def with_netcdf(path):
    """{path: Variable}, names of variables that netCDF lists and cannot read, attributes of the file."""
    d = netCDF4.Dataset(path)
    d.set_auto_maskandscale(False)
    found, failed = {}, []
    for name, v in netcdf_variables(d):
        if not isinstance(v.dtype, np.dtype) or v.dtype.kind not in 'iuf' or isinstance(v.datatype, netCDF4.VLType):
            continue
        v.set_auto_maskandscale(False)
        try:
            raw = np.asarray(v[...])
        except Exception as e:
            failed.append((name, str(e)))
            continue
        dims = v.get_dims()
        found[name] = Variable(raw.astype(raw.dtype.newbyteorder('=')), [x.name for x in dims], netcdf_attrs(v), [x.isunlimited() for x in dims])
    attrs = netcdf_attrs(d)
    d.close()
    return found, failed, attrs


def group_attrs(path):
    """{path: attributes} of all groups but the root."""
    out = {}

    def walk(g, at):
        for name, sub in g.groups.items():
            out[at + '/' + name] = netcdf_attrs(sub)
            walk(sub, at + '/' + name)
    with netCDF4.Dataset(path) as d:
        walk(d, '')
    return out


def compare_groups(path, file, problems):
    got = {g['name']: g['attributes'] for g in file.get('groups', [])}
    for name, want in group_attrs(path).items():
        for k, value in want.items():
            w = plain(value)
            totals['attributes of groups'] += 1
            if w is not None and not same_attr(got.get(name, {}).get(k), w):
                problems.append(f'group {name}: attribute {k}: {str(got.get(name, {}).get(k))[:60]!r}, expected {str(w)[:60]!r}')


# --- h5py ---

def with_h5py(path):
    found = {}
    with h5py.File(path, 'r') as f:
        def visit(name, d):
            if not isinstance(d, h5py.Dataset) or d.shape is None:
                return
            try:
                raw = np.asarray(d[()])
            except Exception as e:
                found[name] = str(e)
                return
            if raw.dtype.kind == 'b':
                raw = raw.view('i1')
            # Types without a name in numpy, for which h5py is no reference.
            if raw.dtype.kind in 'iufc' and raw.dtype.itemsize <= (16 if raw.dtype.kind == 'c' else 8):
                found[name] = Variable(raw.astype(np.dtype(raw.dtype.newbyteorder('='), metadata=FROM_H5PY)), None, None)
        f.visititems(visit)
    return found


# --- what is expected of a conversion ---

def plain(value):
    """An attribute as the metadata holds it: one number instead of a list of one, integers above 2^63 - 1 as text."""
    if isinstance(value, str):
        return value
    a = np.atleast_1d(np.asarray(value))
    if a.dtype.kind not in 'iufU':
        a = a.astype(object) if a.dtype.kind == 'O' else a
        if a.dtype.kind != 'O' or not all(isinstance(x, str) for x in a):
            return None
    items = [x.item() if isinstance(x, np.generic) else x for x in a]
    if any(isinstance(x, int) and x > 2**63 - 1 for x in items):
        items = [str(x) for x in items]
    return items[0] if len(items) == 1 else items


def same_attr(got, want):
    if isinstance(got, str) and isinstance(want, str):
        # netCDF4 drops every zero byte and has no characters for text that is not UTF-8.
        return got.replace('\0', '') == want or '\ufffd' in want and len(got) == len(want)
    if isinstance(want, list):
        return isinstance(got, (list, tuple)) and len(got) == len(want) and all(map(same_attr, got, want))
    if isinstance(want, float) and isinstance(got, float) and np.isnan(want):
        return bool(np.isnan(got))
    return type(got) is type(want) and got == want and np.signbit(got) == np.signbit(want) if isinstance(want, float) else type(got) is type(want) and got == want


def expected(v):
    """(the values, whether they are unpacked)."""
    if not v.attrs or v.raw.dtype.kind == 'c':
        want = v.raw
        if want.dtype.kind == 'f' and v.attrs is not None:
            want, _ = cfvalues.decoded(v.raw, v.attrs)
        return want, False
    return cfvalues.decoded(v.raw, v.attrs)


def described(v):
    """The attributes as they describe the elements: _Unsigned is used up."""
    attrs = dict(v.attrs or {})
    if v.raw.dtype.kind in 'iu' and cfvalues.meant(v.raw, attrs).dtype != v.raw.dtype:
        del attrs['_Unsigned']
        for k in ('_FillValue', 'missing_value', 'valid_min', 'valid_max', 'valid_range', 'flag_values', 'flag_masks'):
            a = np.atleast_1d(np.asarray(attrs.get(k, '')))
            if a.dtype == v.raw.dtype:
                attrs[k] = a.view(cfvalues.meant(a, {'_Unsigned': v.attrs['_Unsigned']}).dtype)
    return attrs


def equal(x, want):
    if want.dtype.kind in 'iu' and x.dtype.kind in 'iu' and want.dtype.metadata == FROM_H5PY and x.dtype != want.dtype:
        x = x.astype(want.dtype)  # netCDF chooses a type by the bits that count, h5py by the bytes
    if x.dtype != want.dtype or x.shape != want.shape:
        return f'{x.dtype} {x.shape}, expected {want.dtype} {want.shape}'
    if x.dtype.kind in 'fc':
        same = (x == want) & (np.signbit(x.real) == np.signbit(want.real)) | np.isnan(x) & np.isnan(want)
    else:
        same = x == want
    return '' if same.all() else f'{(~same).sum()} of {same.size} differ: {x[~same].ravel()[:3]}, expected {want[~same].ravel()[:3]}'


# --- conversion ---

def shown(x, base):
    netcdf = base.get('netcdf', {})
    return cfvalues.shown(x, netcdf, netcdf.get('_attr_types', {}))


def convert(path, *flags):
    out = tempfile.mktemp(suffix='.tgm')
    r = subprocess.run([TGMCONV, 'convert-netcdf', '-q', '--external', *flags, '-o', out, path], capture_output=True, text=True, errors='replace', timeout=600)
    if r.returncode:
        return None, r.stderr.strip() + (' AND AN OUTPUT WAS LEFT BEHIND' if os.path.exists(out) else '')
    f, messages = tensogram.TensogramFile.open(out), []
    for i in range(len(f)):
        m = f.decode_message(i)
        extra = next((v for k, v in m.metadata.extra.items() if k.startswith('netcdf_')), {})
        messages.append([(shown(np.asarray(o[1]), b), dict(b, _file=extra)) for o, b in zip(m.objects, m.metadata.base)])
    os.remove(out)
    return messages, r.stderr


def compare_meta(name, v, b, file_attrs, problems, cf, of_h5py):
    n = b['netcdf']
    if v.dims is not None and list(n['_dims']) != v.dims:
        problems.append(f'{name}: dims {n["_dims"]}, expected {v.dims}')
    held = dict(n, **{k: x for k, x in n.get('_packing', {}).items() if k != 'dtype'})
    of_enum = {'flag_values', 'flag_meanings'} if '_enum' in n else set()
    for where, got, want in (('', held, described(v)), ('global ', b['_file']['global'], file_attrs)):
        for k, value in (want or {}).items():
            w = plain(value)
            if w is None:
                continue
            totals['attributes'] += 1
            if k not in got or not same_attr(got[k], w):
                problems.append(f'{name}: {where}attribute {k}: {str(got.get(k, "none"))[:60]!r}, expected {str(w)[:60]!r}')
        extra = {k for k in got if k not in (want or {}) and not (k.startswith('_') and where == '')} - of_enum
        if v.attrs is not None and want is not None and extra - (of_h5py if where else set()):
            problems.append(f'{name}: {where}attributes {sorted(extra)[:5]} are not in the file')
    if '_packing' in n and any(k in n for k in USED_UP):
        problems.append(f'{name}: packing attributes are left')
    for k in CF if cf and v.attrs else ():
        if k not in of_enum and (k in v.attrs) != (k in b.get('cf', {})) and plain(v.attrs.get(k, '')) is not None:
            problems.append(f'{name}: cf {k}')


def check_split(path, found, dims, problems):
    messages, err = convert(path, '--split-by', 'variable')
    if messages is None:
        return problems.append('--split-by variable: ' + err)
    got = {o[0][1]['name']: o[0][0] for o in messages if len(o) == 1}
    if len(got) != len(messages):
        problems.append('--split-by variable: several variables in a message')
    for name, v in found.items():
        if name in got and (why := equal(got[name], expected(v)[0])):
            problems.append(f'--split-by variable: {name}: {why}')
    record = next((x for x in dims if x['unlimited']), {'len': 0})
    if record['len'] > 200:
        return
    messages, err = convert(path, '--split-by', 'record')
    if messages is None:
        if 'no dimension is unlimited' not in err and 'no records' not in err:
            problems.append('--split-by record: ' + err)
        return
    if len(messages) != record['len']:
        problems.append(f'--split-by record: {len(messages)} messages for {record}')
    for r, m in enumerate(messages):
        for x, b in m:
            v = found.get(b['name'])
            if v is None or v.dims is None:
                continue
            want = expected(v)[0]
            at = next((i for i, (d, u) in enumerate(zip(v.dims, v.unlimited)) if u and d == record['name']), None)
            if at is not None and x.ndim == want.ndim - 1:
                want = want.take(r, at) if want.ndim > 1 else want[r]
            if b['record_index'] != r or (why := equal(x, np.asarray(want))):
                problems.append(f'--split-by record: {b["name"]}, record {r}: {b["record_index"]} {why}')


def via_alias(name, aliases):
    """The path of a variable in a group that is an alias of another group."""
    parts, at = name.split('/'), ''
    for part in parts[:-1]:
        at = aliases.get(at + '/' + part, at + '/' + part)
        at = '' if at == '/' else at
    return (at + '/' + parts[-1]).lstrip('/')


def check(path):
    totals['files'] += 1
    problems, found, failed, file_attrs, opened = [], {}, [], None, True
    try:
        found, failed, file_attrs = with_netcdf(path)
    except Exception as e:
        opened = False
        totals['files netCDF cannot open'] += 1
    others = {}
    hidden = set()  # attributes of the file for which netCDF has no type
    try:
        others = with_h5py(path)
        with h5py.File(path) as f:
            hidden = set(f.attrs) - set(file_attrs or {})
    except Exception:
        totals['files nobody can open'] += 0 if opened else 1
    unreadable = {n: v for n, v in others.items() if isinstance(v, str)}
    others = {n: v for n, v in others.items() if not isinstance(v, str)}
    for n in others if not opened else [n for n, _ in failed if n in others]:
        found[n] = others[n]
    cf = totals['files'] % 2 == 0
    messages, err = convert(path, *(['--cf'] if cf else []))
    found = {n: v for n, v in found.items() if not n.startswith(NOT_DECODED)}
    if messages is None:
        if found or not err.startswith('tgmconv: ') or 'LEFT BEHIND' in err:
            problems.append('not converted: ' + err)
        return report(path, problems)
    got = {b['name']: (x, b) for x, b in messages[0]}
    aliases = messages[0][0][1]['_file'].get('aliases', {}) if messages[0] else {}
    for name, v in found.items():
        totals['variables'] += 1
        if name not in got and via_alias(name, aliases) in got:
            totals['variables by a second path'] += 1
            continue
        if name not in got:
            why = next((l for l in err.splitlines() if name in l), '')
            problems.append(f'{name}: not there ({v.raw.dtype} {v.raw.shape}) {why}')
            continue
        x, b = got[name]
        want, _ = expected(v)
        if why := equal(x, want):
            problems.append(f'{name}: {why}')
        compare_meta(name, v, b, file_attrs, problems, cf, hidden)
    if opened and messages[0]:
        compare_groups(path, messages[0][0][1]['_file'], problems)
    for name in set(got) - set(found):
        totals['variables netCDF does not read'] += 1
        if name in others:
            if why := equal(got[name][0], others[name].raw):
                problems.append(f'{name}, which only h5py reads: {why}')
            totals['of these, equal to h5py'] += not why
            continue
        if VERBOSE:
            print('  only ours', os.path.basename(path), name, got[name][0].dtype, got[name][0].shape, unreadable.get(name, ''))
    if len(found) < 60 and messages[0]:  # a file may have no variables
        check_split(path, found, messages[0][0][1]['_file']['dims'], problems)
    report(path, problems)


def report(path, problems):
    totals['differences'] += len(problems)
    if problems:
        print('DIFFERS', os.path.basename(path), len(problems), '; '.join(problems[:3])[:500], flush=True)


VERBOSE = '-v' in sys.argv


def main(paths):
    with tempfile.TemporaryDirectory() as d:
        if not paths:
            for script in sorted(glob.glob('interop/netcdf/wide_*.py')):
                subprocess.run([sys.executable, script, d], check=True)
            paths = sorted(glob.glob(d + '/*'))
        for p in paths:
            if p.endswith('x_streaming.nc'):
                continue  # the library takes the open number of records for 4294967295
            try:
                check(p)
            except Exception as e:
                report(p, [f'the check itself: {e!r}'])
            sys.stdout.flush()
    print('netcdf/check_wide:', ', '.join(f'{k} {v}' for k, v in totals.items()))
    return 1 if totals['differences'] else 0


sys.exit(main([a for a in sys.argv[1:] if a != '-v']))
