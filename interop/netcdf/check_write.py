"""Writes netCDF files with package ncwrite and compares what the netCDF and HDF5 libraries read from them with the originals.

    .interop/venv/bin/python interop/netcdf/check_write.py [FILE ...]

The originals are made here by the netCDF library (every format and type, groups, filters, many names, long text), and those of the
repository and of .interop/corpus. Each is copied by interop/netcdf/rewrite as it is, and with other filters and formats. netCDF4-python
must read the same dimensions, types, attributes, storage and values; ncdump and h5dump must run clean, ncdump of a plain copy must
print the same text; h5py and xarray must open it; and the netCDF library must be able to change it afterwards.
Exit 1 if anything differs, 77 if the programs to compare with are not there.
"""
import collections
import glob
import gzip
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import warnings

# Some originals are small files that declare large variables: variables that do not fit are not compared.
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..'))
try:
    import h5py
    import hdf5plugin  # noqa: before netCDF4, which brings filters of its own
    import netCDF4
    import numpy as np
    import xarray
except ImportError as e:
    print('netcdf/check_write:', e)
    sys.exit(77)

warnings.filterwarnings('ignore')
totals = collections.Counter()
failures = []
CLASSIC = ['CDF-1', 'CDF-2', 'CDF-5']
# What the reader gives another form: text without a value (NIL) is empty; phony dimensions get names; links to links.
DIFFERENT_TEXT = ('pyfive', 'h5py', 'dag', 'vds', 'linked', 'odd', 'test_gold', 'tutorial')


def run(*args):
    return subprocess.run(args, capture_output=True, timeout=120)


# --- originals ---

def made(folder):
    for fmt, name in (('NETCDF3_CLASSIC', 'c1'), ('NETCDF3_64BIT_OFFSET', 'c2'), ('NETCDF3_64BIT_DATA', 'c5'),
                      ('NETCDF4_CLASSIC', 'c4'), ('NETCDF4', 'n4')):
        for fill in (True, False):
            path = f'{folder}/{name}_{fill}.nc'
            plain(path, fmt, fill)
            yield path
    for make in (kitchen, names):
        path = f'{folder}/{make.__name__}.nc'
        make(path)
        yield path


def plain(path, fmt, fill):
    d = netCDF4.Dataset(path, 'w', format=fmt)
    if not fill:
        d.set_fill_off()
    for name, n in (('t', None), ('y', 3), ('x', 5)):
        d.createDimension(name, n)
    types = ['i1', 'S1', 'i2', 'i4', 'f4', 'f8'] + (['u1', 'u2', 'u4', 'i8', 'u8'] if fmt in ('NETCDF3_64BIT_DATA', 'NETCDF4') else [])
    rng = np.random.default_rng(3)
    d.title = 'plain'
    for t in types:
        values = rng.integers(0, 100, (4, 3, 5)).astype('u1').astype(t if t != 'S1' else 'u1')
        values = values.view('S1') if t == 'S1' else values
        for name, dims in (('f_', ('y', 'x')), ('r_', ('t', 'x')), ('b_', ('t', 'y', 'x'))):
            v = d.createVariable(name + t, t, dims)
            if t != 'S1':
                v.numbers = np.arange(3).astype(t)
            v[:] = values[0] if dims[0] == 'y' else values[:, 0] if len(dims) == 2 else values
    d.createVariable('scalar', 'i2', ())[...] = 7
    d.createVariable('t', 'f8', ('t',))[:] = np.arange(4)
    d.close()


def kitchen(path):
    d = netCDF4.Dataset(path, 'w')
    d.createDimension('time', None), d.createDimension('x', 6), d.createDimension('str', 4), d.createDimension('u', None)
    for n, kw in enumerate((dict(zlib=True, complevel=1, shuffle=True, fletcher32=True), dict(zlib=True, complevel=9, shuffle=False),
                            dict(compression='zstd', complevel=3), dict(fletcher32=True), dict(chunksizes=(2, 4)), dict(endian='big'))):
        v = d.createVariable(f'v{n}', 'f4', ('time', 'x'), **kw)
        v[:5] = np.arange(30).reshape(5, 6) / 7
    d.createVariable('two', 'i2', ('time', 'u'), zlib=True)[:5, :700] = np.arange(3500).reshape(5, 700)
    d.createVariable('str', 'i4', ('x',))[:] = 1
    d.createVariable('time', 'f8', ('time',))[:] = np.arange(5)
    text = d.createVariable('text', str, ('time', 'x'))
    for i in range(5):
        for j in range(6):
            text[i, j] = 'größe ' * (i * j)
    d.createVariable('chars', 'S1', ('x', 'str'))[:] = np.array(list('abcdefghijklmnopqrstuvwx')).astype('S1').reshape(6, 4)
    d.createVariable('nofill', 'f8', ('x',), fill_value=False)[:] = 1
    row, enum = d.createVLType('f8', 'row'), d.createEnumType('i2', 'kind', {'a': -1, 'b': 300})
    pair = d.createCompoundType(np.dtype([('i', 'i4'), ('f', 'f8'), ('s', 'u1', (3,))], align=True), 'pair')
    g = d.createGroup('inner').createGroup('most')
    g.createDimension('x', 3)
    rows = g.createVariable('rows', row, ('x',))
    for i in range(3):
        rows[i] = np.arange(i + 1.)
    g.createVariable('kinds', enum, ('time', 'x'), fill_value=300)[:2] = -1
    pairs = g.createVariable('pairs', pair, ('x',))
    pairs[:] = np.array([(1, 2.5, (1, 2, 3)), (4, 5.5, (6, 7, 8)), (-9, 1e300, (0, 0, 255))], dtype=pair.dtype)
    g.createVariable('x', 'f8', ('x', 'str'))[:] = 2
    d.setncattr_string('one', 'text'), d.setncattr('three', ['a', '', 'ccc'])
    d.empty, d.numbers, d.long = '', np.arange(20000, dtype='i8'), 'long ' * 20000
    d.close()


def names(path):
    d = netCDF4.Dataset(path, 'w')
    d.createDimension('x', 2), d.createDimension('namé', 2)
    for i in range(200):
        d.createVariable('v%03d' % i, 'i1', ('x', 'namé'))[:] = i % 100
        d.createGroup('g%d' % i).createVariable('v', 'i1', ('x',))
    v = d.createVariable('many', 'f8', ('x',))
    for i in range(150):
        v.setncattr('a%d' % i, 'value %d' % i)
    v.long = 'y' * 70000
    d.close()


def foreign():
    for pattern in ('fixtures/netcdf/*.nc', 'fixtures/netcdf/*/*', '.interop/corpus/netcdf/*'):
        yield from sorted(f for f in glob.glob(pattern) if os.path.getsize(f) < 40 << 20)


def unpacked(folder):
    for path in sorted(glob.glob('netcdf/testdata/odd/*.nc.gz')):
        out = os.path.join(folder, 'odd_' + os.path.basename(path)[:-3])
        with gzip.open(path) as f, open(out, 'wb') as g:
            shutil.copyfileobj(f, g)
        yield out


# --- comparison ---

def contents(path, storage):
    """All that netCDF4-python reads, as a list of comparable lines."""
    out = []
    with netCDF4.Dataset(path) as d:
        d.set_auto_maskandscale(False)
        group(d, '', storage and not d.data_model.startswith('NETCDF3'), out)
    return out


def attrs(path, of, out):
    for k in of.ncattrs():
        v = of.getncattr(k)
        a = np.asarray(v)
        if isinstance(v, str):
            v = v.rstrip('\x00')
        out.append((path, k, 'text' if a.dtype.kind in 'US' else str(a.dtype), v if isinstance(v, (str, list)) else a.tobytes()))


def group(g, path, storage, out):
    for name, dim in g.dimensions.items():
        out.append((path, 'dim', name, len(dim), dim.isunlimited()))
    for kind in ('cmptypes', 'vltypes', 'enumtypes'):
        for name, t in getattr(g, kind, {}).items():
            out.append((path, kind, name, str(t.dtype), getattr(t, 'enum_dict', None)))
    attrs(path, g, out)
    for name, v in g.variables.items():
        at = f'{path}/{name}'
        out.append((at, str(v.dtype), v.dimensions, v.shape))
        attrs(at, v, out)
        if storage:
            filters = {k: x for k, x in (v.filters() or {}).items() if x}
            out.append((at, v.chunking(), v.endian() if np.dtype(v.dtype if v.dtype is not str else 'O').kind in 'iuf' else '', filters))
        try:
            v.set_auto_chartostring(False)
            values = v[...]
        except Exception as e:  # a filter that this library does not have
            totals['not read'] += 1
            out.append((at, type(e).__name__))
            continue
        a = np.asarray(values)
        out.append((at, [str(x) for x in a.ravel()] if a.dtype.kind == 'O' else a.tobytes() if a.dtype.kind != 'V' else str(a.tolist())))
    for name, sub in g.groups.items():
        group(sub, f'{path}/{name}', storage, out)


def fail(path, args, what):
    failures.append(path)
    print(f'{path} {" ".join(args)}: {what}')


def compare(path, args, out, storage):
    # A group with many names is listed under another name; the library takes the mark of a stream for a number of records;
    # virtual datasets that grow become chunks.
    if 'dag' in path or 'x_streaming' in path or 'growing' in path:
        return
    try:
        want = contents(path, storage)
    except Exception:
        totals['originals that netCDF does not read'] += 1
        return
    got = contents(out, storage)
    for a, b in zip(got, want):
        if a != b:
            return fail(path, args, f'{str(a)[:300]}\n    not {str(b)[:300]}')
    if len(got) != len(want):
        fail(path, args, f'{len(got)} things, not {len(want)}')


def clean(path, args, out):
    """The tools of both libraries, old and new."""
    original = run('ncdump', '-h', path)
    r = run('ncdump', '-h', out)
    if r.returncode and not original.returncode:
        fail(path, args, 'ncdump -h: ' + r.stderr.decode()[:200])
    if open(out, 'rb').read(4) != b'\x89HDF':
        return
    r = run('h5dump', '-p', '-H', out)
    if r.returncode:
        fail(path, args, 'h5dump: ' + r.stderr.decode()[:200])
    with h5py.File(out) as f:
        f.visititems(lambda name, x: [x.shape if isinstance(x, h5py.Dataset) else 0, dict(x.attrs)] and None)


def same_text(path, out):
    try:
        a, b = run('ncdump', '-n', 'x', path), run('ncdump', '-n', 'x', out)
    except subprocess.TimeoutExpired:  # much text
        return
    if a.returncode == 0 and a.stdout != b.stdout and not any(s in path for s in DIFFERENT_TEXT):
        fail(path, [], 'ncdump prints other text')


def opens(path, out):
    for engine in ('netcdf4', 'h5netcdf'):
        try:
            xarray.open_dataset(path, engine=engine, decode_times=False).load().close()
        except Exception:
            continue
        try:
            xarray.open_dataset(out, engine=engine, decode_times=False).load().close()
            totals['opened by xarray'] += 1
        except Exception as e:
            fail(path, [], f'xarray with {engine}: {e}')


def changed(path, out):
    """The library adds to a file, and changes existing variables."""
    with netCDF4.Dataset(out, 'a') as d:
        if d.data_model.startswith('NETCDF3'):
            return
        d.new_attribute = 'new'
        for v in list(d.variables.values())[:50]:
            v.setncattr('another', 'attribute ' * 8000 if v.name == 'many' else np.arange(3))
        d.createDimension('a_new_dimension', 3)
        for i in range(100):
            d.createVariable('new%d' % i, 'i4', ('a_new_dimension',))[:] = i
        if 'v0' in d.variables and 'time' in d.dimensions:
            d['v0'][9], d['text'][0, 0] = 3, 'changed'
    with netCDF4.Dataset(out) as d:
        if d['new99'][2] != 99 or 'v0' in d.variables and 'text' in d.variables and (d['v0'][9] != 3).any():
            fail(path, [], 'another value after a change by the library')
    if run('h5dump', '-H', out).returncode or run('ncdump', '-h', out).returncode:
        fail(path, [], 'cannot be dumped after a change by the library')
    totals['changed by the library'] += 1


def check(program, path, folder, full):
    out = os.path.join(folder, 'out.nc')
    options = [[]]
    if full and not os.path.basename(path).startswith('odd'):
        options += [['-plain'], ['-shuffle', '-deflate', '1'], ['-fletcher32', '-shuffle', '-zstd', '3'], ['-kind', 'netCDF-4']]
        options += [['-kind', k] for k in CLASSIC + ['netCDF-4 classic model']]
    for args in options:
        if os.path.exists(out):
            os.remove(out)
        r = run(program, *args, path, out)
        if r.returncode:
            if not args:
                totals['refused'] += 1
                print(f'  {path}: {r.stderr.decode().strip()[:200]}')
            continue
        totals['written'] += 1
        compare(path, args, out, storage=not args)
        clean(path, args, out)
        if not args:
            same_text(path, out)
            opens(path, out)
            if full:
                changed(path, out)


def main():
    if not shutil.which('ncdump') or not shutil.which('h5dump'):
        print('netcdf/check_write: ncdump or h5dump is not installed')
        return 77
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, 'rewrite')
        subprocess.run(['go', 'build', '-o', program, './interop/netcdf/rewrite'], check=True)
        given = sys.argv[1:]
        for path in given or list(made(folder)) + list(unpacked(folder)):
            check(program, path, folder, full=True)
        for path in [] if given else sorted(foreign(), key=os.path.getsize)[:40]:  # the others by hand
            check(program, path, folder, full=False)
    print('netcdf/check_write:', ', '.join(f'{n} {what}' for what, n in sorted(totals.items())), f'- {len(failures)} differ')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
