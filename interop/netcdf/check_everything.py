"""Converts netCDF files and looks for everything that netCDF4 finds in them: variables with their values and dimensions, and all attributes of
variables, groups and files.

    .interop/venv/bin/python interop/netcdf/check_everything.py [FILE ...]

The reference's decoder reads what was written. What is not there must be named by a warning or in others of _extra_.netcdf_SOURCE. Exit 1 if anything is
missing or differs, 77 if a Python package is not there.
"""

import collections
import json
import os
import subprocess
import sys
import tempfile
import warnings

import samples

try:
    import netCDF4
    import numpy as np
    import tensogram
except ImportError as e:
    print('netcdf/check_everything:', e)
    sys.exit(77)

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..'))
TGMCONV = os.environ.get('TGMCONV', 'bin/tgmconv')
KNOWN = {'dag10.h5': 'groups are converted once, whatever links lead to them',
         'odim.h5': 'variables of weather radars are named by their quantities'}
SHOWN = 8  # differences of a file
warnings.filterwarnings('ignore')


def plain(x):
    """A value as metadata have it: numbers, texts, lists and maps of these."""
    if isinstance(x, np.ndarray):
        x = x.ravel().tolist() if x.dtype.kind in 'iufb' else [plain(y) for y in x.ravel()]
    if isinstance(x, bytes):
        x = x.decode('utf-8', 'replace')
    if isinstance(x, np.void):
        return {n: plain(x[n]) for n in x.dtype.names} if x.dtype.names else 'opaque'
    if isinstance(x, np.generic):
        x = x.item()
    if isinstance(x, (tuple, list)):
        x = [plain(y) for y in x]
    if isinstance(x, list) and len(x) == 1:
        x = x[0]
    return x.rstrip('\0') if isinstance(x, str) else x


def same(a, b):
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, float) or isinstance(b, float):
        try:
            return float(a) == float(b) or (a != a and b != b) or np.float32(a) == np.float32(b)
        except (TypeError, ValueError):
            return False
    return a == b or str(a) == str(b) or (a in ([], '') and b in ([], '', None))


def groups(g, path=''):
    yield path, g
    for name, inner in g.groups.items():
        yield from groups(inner, path + name + '/')


def is_unsigned(v):
    return '_Unsigned' in v.ncattrs() and str(v.getncattr('_Unsigned')).lower() == 'true'


class Message:
    """The output of a conversion, and its messages."""

    def __init__(self, data, report):
        m = tensogram.decode(data)
        extra = next((v for k, v in m.metadata.extra.items() if k.startswith('netcdf_')), {})
        self.objects = {b['name']: (b, np.asarray(o[1] if isinstance(o, tuple) else o.data)) for b, o in zip(m.metadata.base, m.objects)}
        self.others = {o['name']: o['attributes'] for o in extra.get('others', [])}
        self.groups = {g['name'].strip('/'): g['attributes'] for g in extra.get('groups', [])}
        self.groups[''] = extra.get('global', {})
        self.dims = extra.get('dims', [])
        self.warnings = ' '.join(w['text'] for w in report['warnings'])

    def attributes(self, name):
        """The attributes of a variable, None if it is missing. Members of a compound have the variable's attributes."""
        if name in self.others:
            return self.others[name]
        for key, (base, _) in self.objects.items():
            if key == name or key.startswith(name + '/'):
                attributes = dict(base.get('netcdf', {}))
                return attributes | attributes.get('_packing', {})
        return None


class Check:
    def __init__(self, dataset, message, counts):
        self.dataset, self.message, self.counts = dataset, message, counts
        self.wrong = []

    def run(self):
        for path, g in groups(self.dataset):
            self.attributes(g, f'group {path or "/"}', self.message.groups.get(path.strip('/'), {}))
            self.dimensions(path, g)
            for name, v in g.variables.items():
                self.variable(path + name, v)
        return self.wrong

    def attributes(self, owner, what, have):
        for k in owner.ncattrs():
            self.counts['attributes'] += 1
            if k == '_Unsigned':
                continue  # is in the type
            try:
                want = plain(owner.getncattr(k))
            except Exception:
                self.counts['attributes netCDF4 cannot read'] += 1
                continue
            got = have.get(k, 'MISSING')
            if same(got, want) or k in self.message.warnings or '_Unsigned' in owner.ncattrs() and self.same_bits(got, want):
                continue
            self.wrong.append(f'{what}, attribute {k}: {got!r:.80}, want {want!r:.80}')

    @staticmethod
    def same_bits(got, want):
        try:
            return bool(np.all((np.asarray(want) - np.asarray(got)) % 256 == 0))
        except (TypeError, ValueError):
            return False

    def dimensions(self, path, g):
        for name, dim in g.dimensions.items():
            if name.startswith('phony_dim'):
                continue  # invented by the library, for each way to a group
            self.counts['dimensions'] += 1
            if not any(d['name'] == name and d['len'] == len(dim) and bool(d['unlimited']) == dim.isunlimited() for d in self.message.dims):
                self.wrong.append(f'dimension {path}{name} of {len(dim)}')

    def variable(self, name, v):
        self.counts['variables'] += 1
        attributes = self.message.attributes(name)
        if attributes is None:
            self.wrong.append(f'variable {name} of {v.dtype} is lost')
            return
        self.attributes(v, f'variable {name}', attributes)
        if name not in self.message.objects:
            return
        base, got = self.message.objects[name]
        described = base.get('netcdf', {})
        try:
            v.set_auto_maskandscale(False)
            v.set_auto_chartostring(False)
        except Exception:
            pass  # not of this type
        if v.dtype is str:
            self.texts(name, v, got)
        if not isinstance(v.dtype, np.dtype) or getattr(v, '_isvlen', False) or v.dtype.kind not in 'iufcS':
            return
        try:
            want = np.asarray(v[...])
        except Exception:
            self.counts['variables netCDF4 cannot read'] += 1
            return
        if list(described.get('_dims', [])) != list(v.dimensions):
            self.wrong.append(f'variable {name}: dimensions {described.get("_dims")}, want {v.dimensions}')
        if got.size != want.size:
            self.wrong.append(f'variable {name}: shape {got.shape}, want {want.shape}')
            return
        self.counts['values'] += want.size
        bad = self.different(v, got.reshape(want.shape), want, described.get('_packing'))
        if bad.any():
            self.wrong.append(f'variable {name}: {bad.sum()} of {want.size} values differ ({got.dtype}, {want.dtype})')

    def texts(self, name, v, got):
        self.counts['text variables'] += 1
        want = [s.rstrip('\0') if isinstance(s, str) else '' for s in np.atleast_1d(v[...]).ravel()]
        rows = got.reshape(len(want), -1) if want else []
        have = [bytes(row).rstrip(b'\0').decode('utf-8', 'replace') for row in rows]
        if have != want:
            self.wrong.append(f'variable {name}: text {have[:3]!r:.80}, want {want[:3]!r:.80}')

    @staticmethod
    def different(v, got, want, packing):
        """Where values differ. Missing points may be NaN."""
        if want.dtype.kind == 'S':
            want = np.frombuffer(want.tobytes(), 'u1').reshape(want.shape)
        if is_unsigned(v):
            want = want.view(want.dtype.str.replace('i', 'u'))
        if packing:
            unpacked = want.astype('f8') * packing.get('scale_factor', 1.0) + packing.get('add_offset', 0.0)
            return ~((got == unpacked) | np.isclose(got, unpacked, rtol=1e-6, atol=0) | np.isnan(got))
        if got.dtype.kind != 'f':
            return got.astype(want.dtype) != want if got.dtype.kind in 'iu' else got != want
        missing = np.isnan(want)
        for k in ('_FillValue', 'missing_value'):
            if k in v.ncattrs():
                for fill in np.atleast_1d(v.getncattr(k)).ravel():
                    try:
                        missing |= want == np.asarray(fill).astype(want.dtype)
                    except (TypeError, ValueError):
                        pass  # a text
        return ~((got == want) | (np.isnan(got) & missing))


def check(path, folder, counts):
    """The missing parts and differences."""
    try:
        dataset = netCDF4.Dataset(path)
    except (OSError, RuntimeError):
        counts['files netCDF4 cannot open'] += 1
        return []
    counts['files'] += 1
    out = os.path.join(folder, 'a.tgm')
    r = subprocess.run([TGMCONV, 'convert-netcdf', '--json', '--external', '-o', out, path], capture_output=True, text=True, timeout=300)
    if r.returncode:
        counts['files not converted'] += 1
        variables = sum(len(g.variables) for _, g in groups(dataset))
        return [f'not converted, {variables} variables: {r.stderr[-150:]}'] if variables else []
    with open(out, 'rb') as f:
        data = f.read()
    os.unlink(out)
    return Check(dataset, Message(data, json.loads(r.stdout)), counts).run()


def main():
    files = sys.argv[1:] or samples.files()
    counts, differ = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            wrong = check(path, folder, counts)
            if wrong and os.path.basename(path) in KNOWN:
                counts['known'] += 1
                continue
            differ += bool(wrong)
            for text in wrong[:SHOWN]:
                print(f'netcdf/check_everything: {path}: {text}')
    print(f'netcdf/check_everything: {differ} files differ;', ', '.join(f'{n} {what}' for what, n in counts.items()))
    return 1 if differ or not counts['values'] else 0


sys.exit(main())
