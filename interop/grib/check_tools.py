"""Runs grib_get, grib_count, grib_copy and grib_compare of ecCodes and what tgmconv grib has for them, and compares
texts, exit codes and the files that are written.

    .interop/venv/bin/python interop/grib/check_tools.py

Prints what differs, and totals. Exit 1 if anything differs, 77 if ecCodes is not installed.
"""

import collections
import glob
import os
import subprocess
import sys
import tempfile

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..'))
try:
    import eccodes as ec

    from messages import tool, tool_environment
except ImportError as e:
    print('grib/check_tools:', e)
    sys.exit(77)

TGMCONV = os.path.abspath(os.environ.get('TGMCONV', 'bin/tgmconv'))
GRIB = 'fixtures/grib/'
FILES = [
    GRIB + name
    for name in (
        'sanity.grib2',
        'earthkit/t_pl.grib',
        'earthkit/rotated_wind_20x20.grib',
        'cfgrib/regular_ll_msl.grib',
        'cfgrib/reduced_gg.grib',
        'cfgrib/spherical_harmonics.grib',
        'cfgrib/cfrzr_and_cprat.grib',
        'cfgrib/fields_with_missing_values.grib',
        'eccodes-python/tiggelam_cnmc_sfc.grib2',
    )
]
GET = [
    ['-p', 'shortName,level,centre:i,dataTime,stepUnits'],
    ['-m'],
    ['-n', 'ls'],
    ['-n', 'statistics', '-F', '%.3f'],
    ['-p', 'step', '-l', '50.3,10.2,1'],
    ['-p', 'max', '-F', '%.2f', '-i', '3'],
    ['-p', 'level', '-w', 'typeOfLevel=surface'],
    ['-p', 'absent'],
    ['-B', 'level:i', '-p', 'level,count'],
]
COPY = [[], ['-w', 'level=500/0'], ['-B', 'level:i, shortName, stepRange', '-p', 'level'], ['-v'], ['-p', 'shortName,level']]
OUTPUTS = ['out.grib', 'out_[shortName]_[level:i].grib', 'out_[absent].grib']
COMPARE = [
    [],
    ['-f'],
    ['-f', '-H', '-b', 'numberOfSection'],  # which -H of ecCodes counts in the headers only
    ['-f', '-b', 'level,indicatorOfParameter,codedValues'],
    ['-f', '-c', 'level,shortName,centre:i,values'],
    ['-f', '-c', 'mars:n,ls:n'],
    ['-f', '-c', 'shortName', '-a'],
    ['-f', '-e'],
    ['-f', '-A', '0.5'],
    ['-f', '-R', 'all=0.01'],
    ['-f', '-R', 'referenceValue=0.5,codedValues=0.001'],
    ['-f', '-P'],
    ['-f', '-P', '-T', '3'],
    ['-f', '-2'],
    ['-f', '-w', 'level=1000'],
    ['-f', '-r'],
    ['-v'],
    ['-f', '-v'],
    ['-f', '-v', '-2'],
    ['-f', '-v', '-H', '-b', 'numberOfSection'],
    ['-f', '-v', '-P'],
    ['-f', '-v', '-R', 'all=0.01'],
    ['-f', '-v', '-c', 'level,shortName,values,mars:n'],
]
# packedValues of spherical harmonics holds all values here; in ecCodes only the packed values.
KNOWN = [('-e', 'spherical_harmonics.grib')]
totals = collections.Counter()


def run(command, folder=None, environment=None):
    p = subprocess.run(command, capture_output=True, cwd=folder, env=environment, timeout=300)
    return p.returncode, p.stdout.decode('utf-8', 'replace')


def both(name, verb, args):
    """Runs both programs; returns exit code and text of ecCodes' and of ours."""
    return run([tool(name), *args], None, tool_environment()), run([TGMCONV, 'grib', verb, *args])


def complete(result):
    """The lines of a text, without one that an error has ended."""
    lines = result[1].split('\n')
    return lines[:-1] if result[0] else lines


def check(what, want, got):
    totals['runs'] += 1
    if (want[0] != 0) != (got[0] != 0):
        problem = f'exit code {got[0]}, expected {want[0]}'
    elif complete(want) != complete(got):
        w, g = complete(want), complete(got)
        i = next((i for i in range(min(len(w), len(g))) if w[i] != g[i]), min(len(w), len(g)))
        problem = f'line {i + 1}: {g[i : i + 1]}, expected {w[i : i + 1]}'
    else:
        return
    totals['differences'] += 1
    print('DIFFERS', what, problem)


def check_copies(options, file, pattern):
    """Compares the texts and the files that are written."""
    results, source = [], os.path.abspath(file)
    for command, environment in (([tool('grib_copy')], tool_environment()), ([TGMCONV, 'grib', 'copy'], None)):
        with tempfile.TemporaryDirectory() as folder:
            code, text = run([*command, *options, source, pattern], folder, environment)
            written = {name: open(os.path.join(folder, name), 'rb').read() for name in sorted(os.listdir(folder))}
            results.append((code, text, written))
    what = f'copy {options} {file} {pattern}'
    check(what, results[0], results[1])
    if results[0][2] != results[1][2]:
        totals['differences'] += 1
        print('DIFFERS', what, list(results[1][2]), 'expected', list(results[0][2]))


def fewer_bits(h):
    values = ec.codes_get_values(h)
    ec.codes_set(h, 'bitsPerValue', 8)
    ec.codes_set_values(h, values)


def changed(file, folder):
    """Files like this one except for some keys or values of a message."""
    changes = {
        'level': lambda h: ec.codes_set(h, 'level', 7),
        'date': lambda h: ec.codes_set(h, 'dataDate', 20010203),
        'parameter': lambda h: ec.codes_set(h, 'paramId', 130),
        'value': lambda h: ec.codes_set_values(h, [v * 1.001 + 0.1 for v in ec.codes_get_values(h)]),
        'flags': lambda h: ec.codes_set(h, 'uvRelativeToGrid', 1),
        'local': lambda h: ec.codes_set(h, 'setLocalDefinition', 1),
        'bits': fewer_bits,
        'missing': lambda h: ec.codes_set_missing(h, 'scaledValueOfFirstFixedSurface'),
    }
    for name, change in changes.items():
        path = os.path.join(folder, f'{name}_{os.path.basename(file)}')
        with open(file, 'rb') as source, open(path, 'wb') as out:
            number = 0
            while (h := ec.codes_grib_new_from_file(source)) is not None:
                try:
                    if number == 0:
                        change(h)
                except ec.CodesInternalError:
                    pass
                out.write(ec.codes_get_message(h))
                ec.codes_release(h)
                number += 1
        yield path


def check_comparisons(file, folder):
    shorter = os.path.join(folder, 'shorter.grib')
    run([tool('grib_copy'), '-w', 'count=1', file, shorter], None, tool_environment())
    pairs = [(file, file), (file, shorter), (shorter, file)] + [(file, other) for other in changed(file, folder)]
    for options in COMPARE:
        for pair in pairs:
            args = [*options, *pair]
            if any(option in options and file.endswith(name) for option, name in KNOWN):
                continue
            if '-v' in options and pair == (shorter, file) or '-r' in options and pair == (file, shorter):
                continue  # files of unequal length: see docs/exact/grib-keys.md
            check(f'compare {args}', *both('grib_compare', 'compare', args))


def main():
    # Three of the files, which takes a minute; all of them with --all.
    for file in FILES if '--all' in sys.argv else FILES[::4]:
        for options in GET:
            if '-l' in options and 'spherical' in file:
                continue
            check(f'get {options} {file}', *both('grib_get', 'get', [*options, file]))
        for options in COPY:
            for pattern in OUTPUTS:
                check_copies(options, file, pattern)
        with tempfile.TemporaryDirectory() as folder:
            check_comparisons(file, folder)
    for args in (['-v', *FILES], FILES, sorted(glob.glob(GRIB + 'malformed/*')), ['README.md']):
        check(f'count {args}', *both('grib_count', 'count', args))
    print('grib/check_tools:', ', '.join(f'{k} {v}' for k, v in totals.items()))
    return 1 if totals['differences'] else 0


sys.exit(main())
