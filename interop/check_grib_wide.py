"""Converts GRIB files made at random with tgmconv and compares every field with ecCodes.

    .interop/venv/bin/python interop/check_grib_wide.py                  some thousand fields made by grib_wide_derive.py
    .interop/venv/bin/python interop/check_grib_wide.py --large          ten times as many, and those of grib_values_derive.py
    .interop/venv/bin/python interop/check_grib_wide.py --seed S         others
    .interop/venv/bin/python interop/check_grib_wide.py FILE ...         fields of these files

Compared are the values, the missing points, the coordinates, and the keys of all namespaces with their types. Values are equal
to the bit, but where a decimal scale, exp or pow is part of the formula: there 4 units in the last place of the largest value or of the reference.
A message that ecCodes does not read need not be converted. Prints each kind of difference with examples, and totals. Exit 1 if anything differs,
77 if the programs to compare with are not installed.
"""
import argparse, collections, glob, json, math, os, re, signal, subprocess, sys, tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..')
os.chdir(ROOT)
try:
    import eccodes as ec, numpy as np, tensogram
except ImportError as e:
    print('check_grib_wide:', e)
    sys.exit(77)
sys.path.insert(0, os.path.join(ROOT, 'interop'))

TGMCONV = os.environ.get('TGMCONV', 'bin/tgmconv')
MISSING = 1.7e308
NAMESPACES = ('mars', 'ls', 'geography', 'time', 'vertical', 'parameter', 'statistics')
NOT_EXACT = ('grid_simple_log_preprocessing', 'spectral_complex', 'bifourier_complex')
# Grids whose coordinates ecCodes gives column by column where the values are stored so.
PROJECTED = {'lambert', 'lambert_lam', 'polar_stereographic', 'polar_stereographic_lam', 'mercator', 'mercator_lam', 'albers', 'space_view'}
BY_COLUMNS = ('regular_ll', 'rotated_ll', 'stretched_ll', 'stretched_rotated_ll', 'lambert_azimuthal_equal_area')
SECONDS = 30  # of CPU time for one message
differences, examples, totals = collections.Counter(), {}, collections.Counter()


def get(h, key, default=None):
    try:
        return ec.codes_get(h, key, ec.codes_get_native_type(h, key))
    except Exception:
        return default


def key_value(h, key):
    kind = ec.codes_get_native_type(h, key)
    if kind not in (int, float, str):
        return None
    try:
        return ec.codes_get(h, key, kind)
    except ec.CodesInternalError:
        a = ec.codes_get_array(h, key, kind)
        return a.tolist() if 1 < len(a) <= 8192 else None


def said(value):
    """Whether a value says something, as package mars has it."""
    if isinstance(value, float):
        return math.isfinite(value)
    return not (value is None or value in ('MISSING', 'not_found') or isinstance(value, int) and abs(value) == 2147483647)


def namespace(h, name):
    it, out = ec.codes_keys_iterator_new(h, name), {}
    while ec.codes_keys_iterator_next(it):
        key = ec.codes_keys_iterator_get_name(it)
        try:
            value = key_value(h, key)
        except Exception:
            continue  # listed, but ecCodes itself cannot read it
        if isinstance(value, list) or said(value):
            out[key] = value
    ec.codes_keys_iterator_delete(it)
    return out


def same(got, want):
    if isinstance(want, list):
        return isinstance(got, (list, tuple)) and len(got) == len(want) and all(map(same, got, want))
    if type(got) is not type(want):
        return False
    return math.isclose(got, want, rel_tol=1e-9, abs_tol=1e-300) if isinstance(want, float) else got == want


def compare_keys(h, base, say):
    for name in NAMESPACES:
        got = base.get('mars', {}) if name == 'mars' else base.get('grib', {}).get(name, {})
        want = namespace(h, name)
        totals['keys'] += len(want)
        for k, w in want.items():
            if not same(got.get(k), w):
                say(f'key {name}.{k}', f'{got.get(k)!r:.80}, expected {w!r:.80}')
        for k in set(got) - set(want) - ({'grid', 'area'} if name == 'mars' else set()):
            say(f'key too many: {name}.{k}', repr(got[k]))
    name = get(h, 'shortName', 'unknown')
    if name != 'unknown' and base.get('name') != name:
        say('name', f'{base.get("name")!r}, expected {name!r}')


def in_rows(h, values, shape):
    """ecCodes gives values as they are stored; tgmconv row after row in one direction."""
    if len(shape) != 2 or get(h, 'gridType', '').endswith('sh'):
        return values
    rows, columns = shape
    alternating = get(h, 'alternativeRowScanning') == 1
    values = values.reshape((columns, rows) if get(h, 'jPointsAreConsecutive') == 1 else shape).copy()
    if alternating:
        values[1::2] = values[1::2, ::-1]
    return (values.T if get(h, 'jPointsAreConsecutive') == 1 else values).ravel()


def compare_coordinates(h, shape, coords, points, say):
    try:
        want = [ec.codes_get_array(h, k) for k in ('latitudes', 'longitudes')]
    except Exception:
        return
    grid = get(h, 'gridType')
    if want[0].size != points:
        return  # a broken message: they belong to no value
    if grid in PROJECTED and (get(h, 'scanningMode') & 0xc0 != (0 if grid == 'space_view' else 0x40) or grid == 'albers' or get(h, 'projectionCentreFlag', 0) & 128):
        return  # ecCodes' iterator heeds neither scanning mode nor projection centre: see geometry_pyproj.py
    totals['coordinates'] += 1
    columns = get(h, 'jPointsAreConsecutive') == 1 and grid in BY_COLUMNS and not (grid.startswith('lambert') and get(h, 'earthIsOblate') == 1)
    for i, name in enumerate(('latitude', 'longitude')):
        w, x = want[i], coords.get(name)
        if x is None:
            say(f'no {name} of {grid}')
            continue
        if columns and len(shape) == 2:
            w = w.reshape(shape[1], shape[0]).T.ravel()
        if x.shape != shape:
            x = np.broadcast_to(x[:, None] if i == 0 else x[None, :], shape)
        x = x.ravel()
        off = np.where(np.isnan(x) & np.isnan(w), 0, np.abs(x - w))
        if not off.max(initial=0) < 1e-9:
            k = int(off.argmax())
            say(f'{name} of {grid}', f'scanning mode {get(h, "scanningMode")}, point {k} of {w.size}: {x[k]!r}, expected {w[k]!r}')


def values_of(h):
    try:
        ec.codes_set(h, 'missingValue', MISSING)
    except Exception:
        pass  # spectral fields have none
    return ec.codes_get_values(h)


def compare_values(h, x, values, say):
    packing, decimal = get(h, 'packingType'), get(h, 'decimalScaleFactor', 0)
    about = f'{packing}, {get(h, "bitsPerValue")} bits, decimal scale {decimal}'
    got = x.astype('f8').ravel()
    if got.size != values.size:
        return say('number of values', f'{about}: {got.size}, expected {values.size}')
    want = in_rows(h, values, x.shape)
    none = (want == MISSING) | np.isnan(want)
    if not (np.isnan(got) == none).all():
        return say('missing points', f'{about}: {np.isnan(got).sum()}, expected {none.sum()}')
    got, want = got[~none], want[~none]
    if (got == want).all():
        totals['bit for bit'] += 1
        return
    with np.errstate(all='ignore'):
        off = np.where(got == want, 0, np.abs(got - want)).max()
    largest = np.abs(want[np.isfinite(want)]).max(initial=abs(get(h, 'referenceValue', 0.)) * 10. ** -decimal)
    if off <= 4 * np.spacing(largest) and (decimal != 0 or packing in NOT_EXACT):
        totals['within 4 ulp'] += 1
        return
    say(f'values of {packing}', f'{about}: off by {off:g} where the maximum is {largest:g}')


def compare(h, objects, base, say):
    x = objects[0]
    compare_keys(h, base[0], say)
    try:
        size = ec.codes_get_size(h, 'values')
    except Exception:
        size = 0
    compare_coordinates(h, x.shape, {b.get('name'): o for o, b in zip(objects[1:], base[1:])}, size, say)
    try:
        values = values_of(h)
    except Exception:
        totals['values ecCodes cannot read'] += 1
        return
    totals['values compared'] += 1
    compare_values(h, x, values, say)


def skipped_fields(report):
    """What tgmconv did not convert: {(offset, field or None): why}."""
    out = {}
    for s in report.get('skipped', []):
        if m := re.search(r' at byte (\d+)(?:, field (\d+))?$', s['where']):
            out[int(m[1]), int(m[2]) if m[2] else None] = s['text']
    return out


def compare_file(path, converted, skipped, done, tell):
    """Compares the fields of a file, but the messages at the offsets of done. Runs in a process of its own: ecCodes aborts over some messages."""
    totals.clear()
    ec.codes_grib_multi_support_on()
    ours = tensogram.TensogramFile.open(converted) if converted else []
    n, field, last = 0, -1, None
    with open(path, 'rb') as f:
        while (h := ec.codes_grib_new_from_file(f)) is not None:
            offset = ec.codes_get(h, 'offset', int)
            field, last = (field + 1 if offset == last else 0), offset
            why = skipped.get((offset, None)) or skipped.get((offset, field))
            if offset not in done:
                if field == 0:
                    tell('at', offset)
                say = lambda kind, example='': tell('differs', kind, f'{os.path.basename(path)} at {offset}: {example}')
                signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
                totals['fields'] += 1
                if why:
                    try:
                        say('not converted', f'{len(values_of(h))} values, {why}')
                    except Exception:
                        totals['refused as by ecCodes'] += 1
                elif n >= len(ours):
                    say('fields missing')
                else:
                    m = ours.decode_message(n)
                    compare(h, [np.asarray(o[1]) for o in m.objects], [dict(b) for b in m.metadata.base], say)
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
                tell('totals', dict(totals))
                totals.clear()
            n += not why
            ec.codes_release(h)
    if n != len(ours):
        tell('differs', 'number of fields', f'{path}: {len(ours)}, expected {n}')
    tell('end')


def guarded(path, converted, skipped):
    done = set()
    while True:
        r, w = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(r)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            out = os.fdopen(w, 'w')

            def tell(*what):
                out.write(json.dumps(what) + '\n')
                out.flush()

            try:
                compare_file(path, converted, skipped, done, tell)
            except Exception as e:
                tell('differs', 'the comparison failed', f'{path}: {e!r}')
                tell('end')
            os._exit(0)
        os.close(w)
        ended = at = None
        with os.fdopen(r) as lines:
            for what, *more in map(json.loads, lines):
                if what == 'at':
                    at = more[0]
                    done.add(at)
                elif what == 'totals':
                    totals.update(more[0])
                elif what == 'differs':
                    differences[more[0]] += 1
                    examples.setdefault(more[0], []).append(more[1])
                else:
                    ended = True
        os.waitpid(pid, 0)
        if ended:
            return
        totals['ecCodes aborts or takes too long'] += 1
        if at is None:
            return


def check(path):
    totals['files'] += 1
    with tempfile.TemporaryDirectory() as d:
        out = os.path.join(d, 'out.tgm')
        r = subprocess.run([TGMCONV, 'convert-grib', '--split', '--all-keys', '--skip-bad', '--json', '-o', out, path], capture_output=True, text=True)
        try:
            report = json.loads(r.stdout)
        except ValueError:
            report = {}
        if not os.path.exists(out):
            differences['file not converted'] += 1
            examples.setdefault('file not converted', []).append(f'{path}: {r.stderr.strip()[-200:]}')
            return
        guarded(path, out, skipped_fields(report))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--large', action='store_true')
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('files', nargs='*')
    a = p.parse_args()
    with tempfile.TemporaryDirectory() as d:
        if not a.files:
            import grib_values_derive, grib_wide_derive
            sys.stderr.flush()
            saved = os.dup(2)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # what ecCodes refuses to make
            grib_wide_derive.derive(d, 600 if a.large else 60, a.seed)
            if a.large:
                grib_values_derive.main(os.path.join(d, 'values'))
            os.dup2(saved, 2)
            a.files = sorted(glob.glob(d + '/**/*.grib', recursive=True))
        for path in a.files:
            check(path)
    for kind, n in differences.most_common():
        print(f'DIFFERS {kind} x{n}: ' + '; '.join(examples[kind][:3]))
    print('check_grib_wide:', ', '.join(f'{k} {v}' for k, v in totals.items()))
    return 1 if differences else 0


sys.exit(main())
