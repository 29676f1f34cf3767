"""Converts GRIB files made at random with tgmconv and compares every field with ecCodes.

    .interop/venv/bin/python interop/grib/check_wide.py                  some thousand fields made by wide_derive.py
    .interop/venv/bin/python interop/grib/check_wide.py --large          ten times as many, and those of values_derive.py
    .interop/venv/bin/python interop/grib/check_wide.py --seed S         others
    .interop/venv/bin/python interop/grib/check_wide.py FILE ...         fields of these files

Compared are the values, the missing points, the coordinates, and the keys of all namespaces with their types. Values are equal
to the bit, but where a decimal scale, exp or pow is part of the formula: there 4 units in the last place of the largest value or of the reference.
A message that ecCodes does not read need not be converted. Prints each kind of difference with examples, and totals. Exit 1 if anything differs,
77 if the programs to compare with are not installed.
"""
import argparse
import collections
import glob
import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..'))
sys.path.append('interop/tgm')
try:
    import eccodes as ec
    import numpy as np
    import tensogram

    from messages import NAMESPACES, get, in_rows, namespace, values
except ImportError as e:
    print('grib/check_wide:', e)
    sys.exit(77)

TGMCONV = os.environ.get('TGMCONV', 'bin/tgmconv')
NOT_EXACT = ('grid_simple_log_preprocessing', 'spectral_complex', 'bifourier_complex')
# Grids whose coordinates ecCodes gives column by column where the values are stored so.
PROJECTED = {'lambert', 'lambert_lam', 'polar_stereographic', 'polar_stereographic_lam', 'mercator', 'mercator_lam', 'albers', 'space_view'}
BY_COLUMNS = ('regular_ll', 'rotated_ll', 'stretched_ll', 'stretched_rotated_ll', 'lambert_azimuthal_equal_area')
SECONDS = 30  # of CPU time for one message
differences, examples, totals = collections.Counter(), {}, collections.Counter()


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
    name = get(h, 'shortName', default='unknown')
    if name != 'unknown' and base.get('name') != name:
        say('name', f'{base.get("name")!r}, expected {name!r}')


def point_coordinates(file):
    """The coordinates of points, which the first message on a grid has, by the grid."""
    found = {}
    for i in range(len(file)):
        base = tensogram.decode_metadata(file.read_message(i)).base
        if any(b.get('name') in ('latitudes', 'longitudes') for b in base):
            m = file.decode_message(i)
            for o, b in zip(m.objects, base):
                if 'mars' not in b:
                    found[json.dumps(b['geometry'], sort_keys=True), b['name'].rstrip('s')] = np.asarray(o[1])
    return found


def compare_coordinates(h, shape, coords, points, say):
    try:
        want = [ec.codes_get_array(h, k) for k in ('latitudes', 'longitudes')]
    except Exception:
        return
    grid = get(h, 'gridType')
    if want[0].size != points:
        return  # a broken message: they belong to no value
    if grid in PROJECTED and ((get(h, 'scanningMode') or 0) & 0xc0 != (0 if grid == 'space_view' else 0x40) or grid == 'albers' or (get(h, 'projectionCentreFlag') or 0) & 128):
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


def compare_values(h, x, expected, say):
    packing, decimal = get(h, 'packingType'), get(h, 'decimalScaleFactor', default=0)
    about = f'{packing}, {get(h, "bitsPerValue")} bits, decimal scale {decimal}'
    got = x.astype('f8').ravel()
    if got.size != expected.size:
        return say('number of values', f'{about}: {got.size}, expected {expected.size}')
    want = in_rows(h, expected, x.shape)
    none = np.isnan(want)
    if not (np.isnan(got) == none).all():
        return say('missing points', f'{about}: {np.isnan(got).sum()}, expected {none.sum()}')
    got, want = got[~none], want[~none]
    if (got == want).all():
        totals['bit for bit'] += 1
        return
    with np.errstate(all='ignore'):
        off = np.where(got == want, 0, np.abs(got - want)).max()
    largest = np.abs(want[np.isfinite(want)]).max(initial=abs(get(h, 'referenceValue', default=0.)) * 10. ** -decimal)
    if off <= 4 * np.spacing(largest) and (decimal != 0 or packing in NOT_EXACT):
        totals['within 4 ulp'] += 1
        return
    say(f'values of {packing}', f'{about}: off by {off:g} where the maximum is {largest:g}')


def compare(h, objects, base, points, say):
    x = objects[0]
    compare_keys(h, base[0], say)
    try:
        size = ec.codes_get_size(h, 'values')
    except Exception:
        size = 0
    coords = {b.get('name').rstrip('s'): o for o, b in zip(objects[1:], base[1:])}
    for name in ('latitude', 'longitude'):
        coords.setdefault(name, points.get((json.dumps(base[0].get('geometry'), sort_keys=True), name)))
    compare_coordinates(h, x.shape, coords, size, say)
    try:
        expected, _ = values(h)
    except Exception:
        totals['values ecCodes cannot read'] += 1
        return
    totals['values compared'] += 1
    compare_values(h, x, expected, say)


def skipped_fields(report):
    """The fields that tgmconv did not convert: {(offset, field or None): reason}."""
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
    points = point_coordinates(ours) if ours else {}
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
                        say('not converted', f'{len(values(h)[0])} values, {why}')
                    except Exception:
                        totals['refused as by ecCodes'] += 1
                elif n >= len(ours):
                    say('fields missing')
                else:
                    m = ours.decode_message(n)
                    compare(h, [np.asarray(o[1]) for o in m.objects], [dict(b) for b in m.metadata.base], points, say)
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
        r = subprocess.run([TGMCONV, 'convert-grib', '--split', '--coordinates', 'all', '--repeat-metadata', '--all-keys', '--skip-bad', '--json', '-o', out, path], capture_output=True, text=True)
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
            import values_derive
            import wide_derive
            sys.stderr.flush()
            saved = os.dup(2)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # what ecCodes refuses to make
            wide_derive.derive(d, 600 if a.large else 60, a.seed)
            if a.large:
                values_derive.main(os.path.join(d, 'values'))
            os.dup2(saved, 2)
            a.files = sorted(glob.glob(d + '/**/*.grib', recursive=True))
        for path in a.files:
            check(path)
    for kind, n in differences.most_common():
        print(f'DIFFERS {kind} x{n}: ' + '; '.join(examples[kind][:3]))
    print('grib/check_wide:', ', '.join(f'{k} {v}' for k, v in totals.items()))
    return 1 if differences else 0


sys.exit(main())
