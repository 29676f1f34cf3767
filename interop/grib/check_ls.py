"""Lists GRIB files with grib_ls of ecCodes and with tgmconv grib ls, and compares the texts line by line.

    .interop/venv/bin/python interop/grib/check_ls.py              every option set with 24 of the sample files
    .interop/venv/bin/python interop/grib/check_ls.py --all        with all sample files and some of the corpus
    .interop/venv/bin/python interop/grib/check_ls.py FILE ...     with these files
    .interop/venv/bin/python interop/grib/check_ls.py --freeze     writes cmd/tgmconv/testdata/grib_ls.json, which make test compares

Runs in which grib_ls itself fails are counted; tgmconv may list there. Prints the first line that differs of each
run, and totals. Exit 1 if anything differs, 77 if ecCodes is not installed.
"""

import argparse
import collections
import concurrent.futures
import glob
import json
import os
import subprocess
import sys

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..'))
try:
    from messages import tool, tool_environment
except ImportError as e:
    print('grib/check_ls:', e)
    sys.exit(77)

TGMCONV = os.environ.get('TGMCONV', 'bin/tgmconv')
OPTIONS = [
    [],
    ['-m'],
    ['-n', 'ls'],
    ['-n', 'time'],
    ['-n', 'vertical'],
    ['-n', 'parameter'],
    ['-n', 'geography'],
    ['-n', 'statistics'],
    ['-p', 'count,countTotal,offset,edition,GRIBEditionNumber,isMessageValid,7777,totalLength'],
    ['-p', 'centre,centre:i,centre:s,centre:d,subCentre,generatingProcessIdentifier'],
    ['-p', 'dataDate,dataTime,stepUnits,stepRange,startStep,endStep,step,stepType'],
    ['-p', 'date,time,dataTime:s,stepUnits:s,step:i,step:d,validityDate,validityTime,validityTime:s'],
    ['-p', 'shortName:s,level:d,level,level:s,typeOfLevel,typeOfLevel:i,levtype,indicatorOfTypeOfLevel'],
    ['-p', 'radius,shapeOfTheEarth,Ni,Nj,Ni:i,Nx,numberOfPoints,numberOfDataPoints,numberOfValues,latitudeOfFirstGridPointInDegrees'],
    ['-p', 'paramId,param,marsParam,name,units,cfName,cfVarName,parameterName,parameterUnits'],
    ['-p', 'absent,mars.param,ls.shortName,mars.levelist,time.dataDate,geography.Ni'],
    ['-p', 'bitsPerValue,referenceValue,binaryScaleFactor,decimalScaleFactor,packingType,bitmapPresent,missingValue'],
    ['-p', 'class,type,stream,expver,number,perturbationNumber,localDefinitionNumber,class:i,type:i,stream:i'],
    ['-p', 'max,min,average,standardDeviation,numberOfMissing,skewness,kurtosis,isConstant'],
    ['-p', 'max:d,min,average,numberOfMissing', '-F', '%.3f'],
    ['-p', 'values:s,pv:s,pl:s,scanningMode,resolutionAndComponentFlags,md5GridSection,md5Headers'],
    ['-P', 'units,validityDate', '-W', '15'],
    ['-P', 'count', '-n', 'mars'],
    ['-W', '3'],
    ['-w', 'count=1'],
    ['-w', 'count=2', '-p', 'count,shortName'],
    ['-w', 'level=500/850/0', '-p', 'shortName,level'],
    ['-w', 'edition:i=2,shortName!=t', '-p', 'shortName,level'],
    ['-w', 'absent!=1,count!=2', '-p', 'name'],
    ['-w', 'centre=98', '-p', 'centre,shortName'],
    ['-w', 'centre=ecmf/kwbc,typeOfLevel!=surface'],
    ['-B', 'shortName desc, level', '-p', 'level,shortName'],
    ['-B', 'level:i desc', '-p', 'step,level,shortName'],
    ['-i', '3', '-p', 'shortName,level'],
    ['-j'],
    ['-j', '-m'],
    ['-j', '-p', 'dataTime,level,paramId,expver,stepUnits,referenceValue,shortName'],
    ['-j', '-n', 'statistics'],
    ['-l', '50.3,10.2', '-p', 'level'],
    ['-l', '50.3,359.7,1'],
    ['-l', '-3,-7.1,1', '-F', '%.3e'],
    ['-l', '50.3,10.2', '-j', '-p', 'level,shortName'],
    ['-l', '50.3,10.2,1', '-j'],
    ['-M'],
    ['-X', '1', '-p', 'offset,shortName'],
    ['-s', 'dataDate=20200131,dataTime=600', '-p', 'dataDate,dataTime,validityDate,shortName'],
    ['-s', 'generatingProcessIdentifier=7', '-w', 'count=1', '-p', 'count,generatingProcessIdentifier,shortName'],
    ['-s', 'day=3,hour:i=7', '-j', '-n', 'time'],
]
SAMPLES = 24
FROZEN = [
    'fixtures/grib/' + name
    for name in (
        'sanity.grib2',
        'earthkit/t_pl.grib',
        'cfgrib/reduced_gg.grib',
        'cfgrib/soil-surface-level-mix.grib',
        'cfgrib/cfrzr_and_cprat.grib',
        'cfgrib/spherical_harmonics.grib',
    )
]


def run(command, environment=None):
    p = subprocess.run(command, capture_output=True, env=environment, timeout=300)
    return p.returncode, p.stdout.decode('utf-8', 'replace'), p.stderr.decode('utf-8', 'replace')


# Fields in alternating rows, of which grib_ls takes the values of points from the other ends of rows.
NOT_NEAR = ('alternate-scanning.grib',)


def near_lines(lines):
    """The lines of a list with the values near a place, up to where these are listed. The four values are sorted:
    on grids without rows along parallels ecCodes has no rule for which of them comes first that one could name."""
    out = []
    for line in lines:
        if line.startswith('Input Point'):
            break
        out.append(' '.join(sorted(line.split())))
    return out


def compare(args):
    """Runs both programs; returns None if ecCodes fails, else the first lines that differ, or ()."""
    code, want, said = run([tool('grib_ls'), *args], tool_environment())
    no_messages = 'no messages found' in said.lower()
    if code or no_messages or '-l' in args and ('ERROR' in said or args[-1].endswith(NOT_NEAR)):
        return None
    ours, got, why = run([TGMCONV, 'grib', 'ls', *args])
    got, want = got.split('\n'), want.split('\n')
    if '-l' in args:
        got, want = near_lines(got), near_lines(want)
    if '-B' in args:  # fields that are equal in all keys are in the order of files; in ecCodes in the order of its sort
        got, want = got[:1] + sorted(got[1:]), want[:1] + sorted(want[1:])
    for i in range(max(len(got), len(want))):
        g, w = (x[i] if i < len(x) else None for x in (got, want))
        if g != w:
            return f'line {i + 1}: {g!r}', f'expected: {w!r}', why.strip()
    return () if ours == 0 else ('exit code', str(ours), why.strip())


def files(every):
    found = sorted(glob.glob('fixtures/grib/*.grib*') + glob.glob('fixtures/grib/*/*.grib*'))
    found = [f for f in found if 'malformed' not in f and os.path.getsize(f) < 1 << 21]
    if every:
        corpus = sorted(glob.glob('.interop/corpus/grib/*.gr*b*'))
        return found + [f for f in corpus if os.path.getsize(f) < 200 << 10][::7]
    return found[:: max(1, len(found) // SAMPLES)][:SAMPLES]


def freeze(path):
    """Writes what grib_ls prints for some files of every kind with every option set."""
    kept = []
    for i, options in enumerate(OPTIONS):
        for f in FROZEN[i % 2 :: 2]:
            args = [*options, f]
            if '-l' in options or '-B' in options or compare(args) is None:
                continue
            _, text, _ = run([tool('grib_ls'), *args], tool_environment())
            kept.append({'args': args, 'text': text})
    with open(path, 'w') as out:
        json.dump(kept, out, indent=1)
        out.write('\n')
    print('grib/check_ls:', path, len(kept), 'lists')


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--all', action='store_true')
    p.add_argument('--freeze', action='store_true')
    p.add_argument('files', nargs='*')
    a = p.parse_args()
    if a.freeze:
        return freeze('cmd/tgmconv/testdata/grib_ls.json')
    runs = [(options, f) for f in a.files or files(a.all) for options in OPTIONS]
    totals = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda r: compare([*r[0], r[1]]), runs)
        for (options, f), result in zip(runs, results):
            totals['runs'] += 1
            if result is None:
                totals['grib_ls fails'] += 1
            elif result:
                totals['differences'] += 1
                print('DIFFERS', ' '.join(options), f, *result, sep='\n    ')
            else:
                totals['the same text'] += 1
    print('grib/check_ls:', ', '.join(f'{k} {v}' for k, v in totals.items()))
    return 1 if totals['differences'] else 0


sys.exit(main())
