"""Dumps the keys of GRIB messages as ecCodes 2.50 gives them, one JSON object a line.

usage: keys_dump.py [--extra KEY,KEY] [--all] FILE...

Each line is {"file", "index", "offset", "ns": {namespace: [[name, type, value], ...]}, "keys": {name: [type, value]}}.
type is i, f, s (native type long, double, string) or b, x for others; the value
is null where ecCodes returns an error, {"a": [...]} for an array.
"""

import json
import math
import os
import signal
import sys

import eccodes as ec
import gribapi.gribapi as g
from gribapi.bindings import ffi, lib

NAMESPACES = ['mars', 'ls', 'geography', 'time', 'vertical', 'parameter', 'statistics']
KEYS = '''edition discipline gridType packingType bitsPerValue decimalScaleFactor tablesVersion centre subCentre
productionStatusOfProcessedData typeOfProcessedData typeOfGeneratingProcess generatingProcessIdentifier
setLocalDefinition grib2LocalSectionNumber marsClass marsType marsStream experimentVersionNumber
shortName name units cfName cfVarName paramId typeOfLevel level topLevel bottomLevel stepType stepRange step startStep endStep
stepUnits dataDate dataTime validityDate validityTime number numberOfDataPoints numberOfValues numberOfMissing
missingValue Ni Nj Nx Ny localTablesVersion significanceOfReferenceTime levtype class type stream expver
domain parameterCategory parameterNumber typeOfFirstFixedSurface typeOfSecondFixedSurface
productDefinitionTemplateNumber gridDefinitionTemplateNumber dataRepresentationTemplateNumber bitmapPresent
isOctahedral global gaussianGridName N chemId chemShortName md5GridSection typeOfStatisticalProcessing
date time year month day hour minute julianDay marsParam param indicatorOfTypeOfLevel indicatorOfParameter
timeRangeIndicator totalLength centreDescription stepTypeInternal is_chemical is_aerosol derivedForecast
perturbationNumber numberOfForecastsInEnsemble scaleFactorOfFirstFixedSurface scaledValueOfFirstFixedSurface
endStepUnit startStepUnit forecastTime indicatorOfUnitOfTimeRange lengthOfTimeRange MTG2Switch datasetForLocal
jScansPositively iScansNegatively iDirectionIncrementInDegrees jDirectionIncrementInDegrees'''.split()

ALL = False
BIG = {
    'values',
    'codedValues',
    'latitudes',
    'longitudes',
    'latLonValues',
    'distinctLatitudes',
    'distinctLongitudes',
    'bitmap',
    'packedValues',
    'unpackedValues',
    'libraryVersion',
    'gridSpec',
}
TYPES = {1: 'i', 2: 'f', 3: 's', 4: 'b'}


def native(h, k):
    t = ffi.new('int*')
    if lib.grib_get_native_type(h, k.encode(), t):
        return None
    return t[0]


def number(v):
    if isinstance(v, float) and not math.isfinite(v):
        return repr(v)
    return v


def value(gid, h, k):
    t = native(h, k)
    if t is None:
        return ['-', None]
    kt = {1: int, 2: float}.get(t, str)
    try:
        v = ec.codes_get(gid, k, kt)
        if t == 4:
            v = ec.codes_get(gid, k, str)
        return [TYPES.get(t, 'x'), number(v)]
    except Exception:
        pass
    if t in (1, 2):
        try:
            v = ec.codes_get_array(gid, k, kt)
            if len(v) > 1:
                return [TYPES[t], {'a': [number(x) for x in v.tolist()] if len(v) <= 4096 else len(v)}]
        except Exception:
            pass
    return [TYPES.get(t, 'x'), None]


def dump(path, start, offset, keys, w):
    """Dumps the messages of a file from the given place on; tells where it is before each message."""

    with open(path, 'rb') as f:
        f.seek(offset)
        i = start
        while True:
            at = f.tell()
            signal.alarm(8)  # ecCodes adds very long steps hour by hour
            w('@%d %d\n' % (i, at))
            try:
                gid = ec.codes_grib_new_from_file(f)
            except Exception:
                w(json.dumps({'file': path, 'index': i, 'error': repr(e)}) + '\n')
                i += 1
                if f.tell() == at:
                    break
                continue
            if gid is None:
                break
            h = g.get_handle(gid)
            off = int(ec.codes_get_message_offset(gid))
            d = {
                'file': path,
                'index': i,
                'offset': off,
                'size': int(ec.codes_get_message_size(gid)),
                'ns': {},
                'keys': {},
            }
            w('@%d %d\n' % (i, off))
            for ns in NAMESPACES:
                it = ec.codes_keys_iterator_new(gid, ns)
                l = []
                while ec.codes_keys_iterator_next(it):
                    k = ec.codes_keys_iterator_get_name(it)
                    l.append([k] + value(gid, h, k))
                ec.codes_keys_iterator_delete(it)
                d['ns'][ns] = l
            if ALL:
                it = ec.codes_keys_iterator_new(gid, None)
                l = []
                while ec.codes_keys_iterator_next(it):
                    l.append(ec.codes_keys_iterator_get_name(it))
                ec.codes_keys_iterator_delete(it)
                d['all'] = [[k] + value(gid, h, k) for k in l if k not in BIG]
            for k in keys:
                d['keys'][k] = value(gid, h, k)
            w(json.dumps(d) + '\n')
            ec.codes_release(gid)
            i += 1
    w('@end\n')


def guarded(path, keys, w):
    """Runs dump in a child process: a message on which ecCodes aborts is reported and passed over."""

    start = offset = 0
    while True:
        r, wr = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(r)
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 2)
            out = os.fdopen(wr, 'w')

            def put(s):
                out.write(s)
                if s[0] == '@':
                    out.flush()

            dump(path, start, offset, keys, put)
            out.flush()
            os._exit(0)
        os.close(wr)
        at = None
        ended = False
        with os.fdopen(r) as src:
            for line in src:
                if line.startswith('@end'):
                    ended = True
                elif line[0] == '@':
                    at = [int(x) for x in line[1:].split()]
                else:
                    w(line)
        os.waitpid(pid, 0)
        if ended:
            return
        i, off = at
        w(json.dumps({'file': path, 'index': i, 'error': 'ecCodes aborts or takes too long'}) + '\n')
        start, offset = i + 1, off + 8  # the next "GRIB" is looked for


def main():
    args = sys.argv[1:]
    keys = KEYS
    if args and args[0] == '--extra':
        keys = KEYS + args[1].split(',')
        args = args[2:]
    if args and args[0] == '--all':
        global ALL
        ALL = True
        args = args[1:]
    for path in args:
        guarded(path, keys, sys.stdout.write)


main()
