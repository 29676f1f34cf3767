"""Converts GRIB files with tgmconv, writes them again with tgmconv to-grib, and compares message by message.

    .interop/venv/bin/python interop/grib/check_togrib.py                the fixtures and a part of the corpus
    .interop/venv/bin/python interop/grib/check_togrib.py --all          the whole corpus, and fields made at random by wide_derive.py
    .interop/venv/bin/python interop/grib/check_togrib.py FILE ...       these files

Messages in simple packing, CCSDS packing, IEEE floats and spectral packing come back with the same bytes; with --keep-data all
do. Of the others ecCodes reads the same values and MARS keys, and its grib_compare finds nothing but the packing in the first ten
of each kind. Messages that are built of keys (--no-sections) have the same values and MARS keys, where they can be built: what
cannot is counted by reason. --set gives the bytes that grib_set gives. Prints each kind of difference with an example, and totals.
Exit 1 if anything differs, 77 if ecCodes is not installed.
"""

import argparse
import collections
import glob
import hashlib
import os
import re
import subprocess
import sys
import tempfile

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..'))
try:
    import eccodes as ec
    import numpy as np

    from messages import tool, tool_environment
except ImportError as e:
    print('grib/check_togrib:', e)
    sys.exit(77)

TGMCONV = os.path.abspath(os.environ.get('TGMCONV', 'bin/tgmconv'))
SAME = {'grid_simple', 'grid_ccsds', 'grid_ieee', 'spectral_simple', 'spectral_complex'}
# Keys that another packing has to change, and keys that only templates 5.2, 5.3, 5.40 and 5.50 or second order packing have.
PACKING = {
    'totalLength', 'section4Length', 'section5Length', 'section6Length', 'section7Length', 'codedValues', 'packingType', 'bitsPerValue',
    'dataRepresentationTemplateNumber', 'groupSplittingMethodUsed', 'missingValueManagementUsed', 'primaryMissingValueSubstitute',
    'secondaryMissingValueSubstitute', 'numberOfGroupsOfDataValues', 'referenceForGroupWidths', 'numberOfBitsUsedForTheGroupWidths',
    'referenceForGroupLengths', 'lengthIncrementForTheGroupLengths', 'trueLengthOfLastGroup', 'numberOfBitsForScaledGroupLengths',
    'orderOfSpatialDifferencing', 'numberOfOctetsExtraDescriptors', 'typeOfCompressionUsed', 'targetCompressionRatio',
}
# Missing values in the data become a bitmap.
BITMAP = {'numberOfValues', 'bitMapIndicator'}
COMPARED = 10  # messages of each packing that grib_compare compares as well
SETTINGS = [
    'expver=test', 'class=rd', 'dataDate=20200229', 'dataTime=1830', 'endStep=36', 'step=12', 'level=300', 'shortName=z', 'paramId=167',
    'generatingProcessIdentifier=77', 'subCentre=3', 'typeOfLevel=surface', 'typeOfLevel=heightAboveGround', 'perturbationNumber=4',
]
differences, examples, totals = collections.Counter(), {}, collections.Counter()


def differ(kind, example):
    differences[kind] += 1
    examples.setdefault(kind, example)


def tgmconv(*args):
    return subprocess.run([TGMCONV, *args], capture_output=True, text=True, timeout=600)


def messages(path):
    """The messages of a file as bytes."""
    out = []
    with open(path, 'rb') as f:
        while True:
            try:
                h = ec.codes_grib_new_from_file(f)
            except ec.CodesInternalError:
                continue
            if h is None:
                return out
            out.append(ec.codes_get_message(h))
            ec.codes_release(h)


def handle(message):
    return ec.codes_new_from_message(message)


def key(h, name, default=None):
    try:
        return ec.codes_get(h, name)
    except ec.CodesInternalError:
        return default


def mars(h):
    out, it = {}, ec.codes_keys_iterator_new(h, 'mars')
    while ec.codes_keys_iterator_next(it):
        name = ec.codes_keys_iterator_get_name(it)
        out[name] = key(h, name)
    ec.codes_keys_iterator_delete(it)
    return out


def values(h):
    ec.codes_set(h, 'missingValue', 1e300)
    return ec.codes_get_values(h)


def round_trip(path, folder, flags, write=()):
    tgm, back = os.path.join(folder, 'x.tgm'), os.path.join(folder, 'x.grib')
    made = tgmconv('convert-grib', '-q', '--coordinates', 'none', *flags, '-o', tgm, path)
    if made.returncode != 0:
        return None, None, made.stderr
    r = tgmconv('to-grib', *write, '-o', back, tgm)
    if r.returncode != 0:
        return None, None, r.stderr
    return messages(back), os.path.getsize(tgm), ''


def compare_same(path, before, after, everything, folder):
    if len(before) != len(after):
        differ('number of messages', f'{path}: {len(after)}, expected {len(before)}')
        return
    for i, (a, b) in enumerate(zip(before, after)):
        h = handle(a)
        packing = key(h, 'packingType', '?')
        totals['messages'] += 1
        if hashlib.md5(a).digest() == hashlib.md5(b).digest():
            totals['same bytes'] += 1
        elif everything or packing in SAME:
            differ(f'bytes of {packing}', f'{path}, message {i}: {len(b)} bytes, expected {len(a)}')
        else:
            compare_values(path, i, h, a, b, folder)
        ec.codes_release(h)


def compare_values(path, i, h, original, message, folder):
    g = handle(message)
    try:
        want, got = values(h), values(g)
    except ec.CodesInternalError:
        totals['not decoded by ecCodes'] += 1
        ec.codes_release(g)
        return
    if len(want) != len(got) or not np.array_equal(want, got):
        differ(f"values of {key(h, 'packingType')}", f'{path}, message {i}: {np.sum(want != got) if len(want) == len(got) else len(got)} others')
    if mars(h) != mars(g):
        differ('MARS keys', f'{path}, message {i}: {mars(g)}, expected {mars(h)}')
    totals['same values'] += 1
    ec.codes_release(g)
    kind = f"grib_compare of {key(h, 'packingType')}, edition {key(h, 'edition')}"
    if totals[kind] < COMPARED:
        totals[kind] += 1
        ignored = PACKING | (BITMAP if key(h, 'missingValueManagementUsed', 0) else set())
        code, text = grib_compare(folder, original, message, ignored)
        if code != 0:
            differ(kind, f'{path}, message {i}: {text}')


def grib_compare(folder, a, b, ignored):
    """The exit code of ecCodes' grib_compare, and what it finds in other keys than these."""
    for name, data in (('a', a), ('b', b)):
        with open(os.path.join(folder, name), 'wb') as f:
            f.write(data)
    r = subprocess.run([tool('grib_compare'), '-b', ','.join(sorted(ignored)), os.path.join(folder, 'a'), os.path.join(folder, 'b')], capture_output=True, text=True,
                       env=tool_environment())
    return r.returncode, r.stdout + r.stderr


def check_keys(path, folder, before):
    """Messages that are built of keys."""
    after, _, error = round_trip(path, folder, ['--no-sections'])
    if after is None:
        totals['files not built of keys'] += 1
        reason = re.sub(r'.*built of its keys: ', '', error.strip())
        totals['not built: ' + re.sub(r'[0-9.]+', 'N', reason)[:70]] += 1
        return
    if len(before) != len(after):
        return  # of several fields each
    for i, (a, b) in enumerate(zip(before, after)):
        h, g = handle(a), handle(b)
        totals['built of keys'] += 1
        want, got = mars(h), mars(g)
        if want.get('param') != got.get('param') and key(h, 'edition') == key(g, 'edition'):
            differ('param of built messages', f'{path}, message {i}: {got.get("param")}, expected {want.get("param")}')
        if {k: v for k, v in want.items() if k != 'param'} != {k: v for k, v in got.items() if k != 'param'}:
            differ('MARS keys of built messages', f'{path}, message {i}: {got}, expected {want}')
        try:
            v, w = values(h), values(g)
        except ec.CodesInternalError:
            continue
        finite = v[v < 1e299]
        spread = np.ptp(finite) if len(finite) else 0
        step = spread / (2 ** max(1, key(g, 'bitsPerValue') or 1) - 1) + 1e-6 * np.max(np.abs(finite), initial=0)
        if len(v) != len(w) or not np.array_equal(v > 1e299, w > 1e299) or not np.all(np.abs(v - w) <= 1.01 * step):
            differ('values of built messages', f'{path}, message {i}: at most {np.max(np.abs(v - w)) if len(v) == len(w) else "other length"}, step {step}')
        ec.codes_release(h)
        ec.codes_release(g)


def check_set(folder):
    """--set against grib_set."""
    for path in ('fixtures/grib/2t.grib2', 'fixtures/grib/q_150.grib2', 'fixtures/grib/earthkit/t_pl.grib', 'fixtures/grib/cfgrib/t_analysis_and_fc_0.grib',
                 'fixtures/grib/cfgrib/regular_gg_ml_g2.grib', 'fixtures/grib/sanity.grib2'):
        if not os.path.exists(path):
            continue
        for setting in SETTINGS:
            want = os.path.join(folder, 'set.grib')
            r = subprocess.run([tool('grib_set'), '-s', setting, path, want], capture_output=True, text=True, env=tool_environment())
            got, _, error = round_trip(path, folder, [], ['--set', setting])
            if r.returncode != 0 or got is None:
                totals['settings that one of both refuses'] += 1
                if r.returncode == 0 and 'cannot be set' not in error and 'found' not in error and 'no combination' not in error:
                    differ('refusal', f'{path}, {setting}: {error.strip()}')
                continue
            totals['settings'] += 1
            for a, b in zip(messages(want), got):
                if a != b:
                    at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
                    differ(f'--set {setting}', f'{path}: byte {at} is {b[at]}, expected {a[at]}')
                    break


def check(path, folder, built):
    before = messages(path)
    if not before:
        return
    after, size, error = round_trip(path, folder, [])
    if after is None:
        totals['files not converted'] += 1
        return
    totals['bytes of GRIB'] += sum(map(len, before))
    totals['bytes of Tensogram'] += size
    compare_same(path, before, after, False, folder)
    after, _, error = round_trip(path, folder, ['--keep-data'])
    if after is None:
        differ('to-grib', f'{path}: {error}')
    else:
        compare_same(path, before, after, True, folder)
    if built:
        check_keys(path, folder, before)


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--all', action='store_true')
    p.add_argument('files', nargs='*')
    args = p.parse_args()
    files = args.files
    with tempfile.TemporaryDirectory() as folder:
        if not files:
            fixtures = sorted(f for f in glob.glob('fixtures/grib/**/*', recursive=True) if os.path.isfile(f))
            corpus = sorted(glob.glob('.interop/corpus/grib/*'))
            files = fixtures + corpus if args.all else fixtures[::2] + corpus[::6]
            check_set(folder)
        if args.all and not args.files:
            made = os.path.join(folder, 'made')
            os.mkdir(made)
            subprocess.run([sys.executable, 'interop/grib/wide_derive.py', made, '--count', '100'], check=True)
            files += sorted(glob.glob(made + '/*.grib'))
        for path in files:
            with open(path, 'rb') as f:
                if b'GRIB' not in f.read(65536):
                    continue
            check(path, folder, True)
    for name, n in sorted(totals.items()):
        print(f'{n:10} {name}')
    if totals['bytes of GRIB']:
        print(f"{totals['bytes of Tensogram'] / totals['bytes of GRIB']:10.4f} size of Tensogram files, as a part of that of GRIB")
    for kind, n in differences.most_common():
        print(f'DIFFERENT {n:6} {kind}: {examples[kind][:300]}')
    return 1 if differences else 0


sys.exit(main())
