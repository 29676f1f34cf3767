"""Derives GRIB messages from ecCodes' samples, to compare their keys.

usage: keys_make.py OUTDIR [GROUP ...]

Writes OUTDIR/GROUP.grib for each group: params (every paramId), templates
(product definition templates), marskw (class, type, stream), locals (local
definitions), centres, levels, steps, versions, grids, packings, mutated
(samples with header bytes changed), rawlocal and marsbytes (local sections made by octets), datasections (data sections
made by octets). What ecCodes refuses to set is left out. The last four are in keys_octets.py.
"""

import itertools
import os
import random
import re
import sys

import eccodes as ec

from keys_base import DEFS, Out, codes, g1, g2, names, sample
from keys_octets import datasections, marsbytes, mutated, rawlocal


def params():
    o = Out('params')
    ids = set()
    for root, _, files in os.walk(DEFS):
        for f in files:
            if re.match(r'paramId.*\.def', f):
                for m in re.finditer(r"^'(\d+)' *=", open(os.path.join(root, f)).read(), re.M):
                    ids.add(int(m.group(1)))
    for i in sorted(ids):
        for base in (g2, g1):
            o.made(base, [('paramId', i)], need=True)
        for sets in (
            [('centre', 'edzw')],
            [('centre', 'kwbc')],
            [('centre', 'lfpw')],
            [('tablesVersion', 34)],
            [('productionStatusOfProcessedData', 4)],
            [('setLocalDefinition', 1), ('tablesVersion', 34), ('class', 'mc')],
        ):
            if random.random() < 0.2:
                o.made(g2, sets + [('paramId', i)], need=True)
    o.close()


def templates():
    o = Out('templates')
    nums = [int(x) for x in names('grib2/templates', r'template\.4\.(\d+)\.def')]
    for n in nums:
        h = ec.codes_clone(g2)
        try:
            ec.codes_set(h, 'productDefinitionTemplateNumber', n)
        except Exception:
            continue
        o.add(h)
        for k in range(12):
            sets = [
                ('parameterCategory', random.randrange(8)),
                ('parameterNumber', random.randrange(40)),
                ('typeOfFirstFixedSurface', random.choice([1, 100, 103, 105, 106, 109, 111, 150, 255])),
                ('scaledValueOfFirstFixedSurface', random.choice([0, 2, 10, 85000, 50])),
                ('scaleFactorOfFirstFixedSurface', random.choice([0, 0, 1, 255])),
                ('forecastTime', random.choice([0, 6, 90])),
                ('indicatorOfUnitOfTimeRange', random.choice([0, 1, 1, 1, 2, 13])),
                ('numberOfTimeRange', random.choice([1, 1, 2])),
                ('typeOfStatisticalProcessing', random.choice([0, 1, 2, 3, 4, 10])),
                ('typeOfTimeIncrement', random.choice([1, 2, 255])),
                ('lengthOfTimeRange', random.choice([1, 6, 24, 45])),
                ('indicatorOfUnitForTimeRange', random.choice([0, 1, 1, 13])),
                ('perturbationNumber', random.randrange(51)),
                ('numberOfForecastsInEnsemble', 51),
                ('derivedForecast', random.choice([0, 2, 4])),
                ('percentileValue', 90),
                ('constituentType', random.choice([0, 1, 17, 62100])),
                ('aerosolType', random.choice([62000, 62001, 62026])),
                ('probabilityType', random.choice([0, 1, 2, 3])),
                ('scaledValueOfLowerLimit', 5),
                ('scaleFactorOfLowerLimit', 0),
                ('setLocalDefinition', random.choice([0, 1])),
                ('tablesVersion', random.choice([4, 27, 33, 34, 37])),
                ('centre', random.choice([98, 98, 7, 78, 85])),
            ]
            o.made(h, random.sample(sets, random.randrange(3, len(sets))))
        ec.codes_release(h)
    o.close()


def marskw():
    o = Out('marskw')
    combos = [m.split('.') for m in names('mars', r'grib\.(\w+\.\w+)\.def')]
    streams = [a for _, a in codes('mars/stream.table')]
    types = [a for _, a in codes('mars/type.table')]
    classes = [a for _, a in codes('mars/class.table')]
    combos += [(random.choice(streams), random.choice(types)) for _ in range(300)]
    for st, ty in combos:
        for base in (g2, g1):
            o.made(base, [('setLocalDefinition', 1), ('class', random.choice(classes)), ('stream', st), ('type', ty)])
            o.made(
                base,
                [
                    ('setLocalDefinition', 1),
                    (
                        'localDefinitionNumber',
                        random.choice(
                            [1, 5, 7, 9, 11, 12, 15, 16, 18, 20, 21, 24, 25, 26, 28, 30, 36, 38, 39, 40, 41, 42]
                        ),
                    ),
                    ('class', random.choice(classes)),
                    ('stream', st),
                    ('type', ty),
                    ('number', 3),
                    ('step', 24),
                    ('tablesVersion', random.choice([5, 33, 34])),
                ],
            )
    for c in classes:
        for base in (g2, g1):
            for st in ('oper', 'enfo', 'wave', 'waef', 'mnth', 'dacl'):
                o.made(
                    base,
                    [
                        ('setLocalDefinition', 1),
                        ('class', c),
                        ('stream', st),
                        ('tablesVersion', random.choice([5, 34])),
                    ],
                )
    o.close()


def locals_():
    o = Out('locals')
    for n in range(256):
        for k in range(3):
            o.made(g1, [('setLocalDefinition', 1), ('localDefinitionNumber', n), ('number', 5)])
    for n in sorted({int(x) for x in names('grib2', r'local\.98\.(\d+)\.def')}):
        o.made(g2, [('setLocalDefinition', 1), ('grib2LocalSectionNumber', n)])
        for t in (0, 1, 8, 11, 32, 40):
            o.made(
                g2,
                [
                    ('productDefinitionTemplateNumber', t),
                    ('setLocalDefinition', 1),
                    ('grib2LocalSectionNumber', n),
                    ('tablesVersion', random.choice([5, 34])),
                ],
            )
    for st in range(20):
        for n in range(4):
            o.made(
                g2, [('productionStatusOfProcessedData', st), ('setLocalDefinition', 1), ('grib2LocalSectionNumber', n)]
            )
            o.made(
                g2,
                [
                    ('productionStatusOfProcessedData', st),
                    ('setLocalDefinition', 1),
                    ('grib2LocalSectionNumber', n),
                    ('productDefinitionTemplateNumber', 11),
                    ('suiteName', n),
                ],
            )
    for c, n in itertools.product((7, 34, 46, 54, 78, 80, 82, 85, 96, 214, 253, 254, 98), range(6)):
        for base in (g1, g2):
            o.made(base, [('centre', c), ('setLocalDefinition', 1), ('localDefinitionNumber', n)])
            o.made(base, [('centre', c), ('subCentre', 98), ('setLocalDefinition', 1), ('grib2LocalSectionNumber', n)])
    o.close()


def centres():
    o = Out('centres')
    for c in range(256):
        for base in (g1, g2):
            o.made(base, [('centre', c)])
            o.made(
                base,
                [
                    ('centre', c),
                    ('subCentre', random.choice([0, 2, 4, 98, 241])),
                    ('localTablesVersion', random.choice([0, 1, 2])),
                ],
            )
            for k in range(4):
                if base is g2:
                    o.made(
                        base,
                        [
                            ('centre', c),
                            ('discipline', random.choice([0, 0, 0, 1, 2, 3, 4, 10, 20, 192])),
                            ('parameterCategory', random.choice(list(range(8)) + [191, 192, 200])),
                            ('parameterNumber', random.randrange(255)),
                            ('typeOfFirstFixedSurface', random.choice([1, 100, 103])),
                        ],
                    )
                else:
                    o.made(
                        base,
                        [
                            ('centre', c),
                            ('table2Version', random.choice([1, 2, 3, 128, 129, 130, 140, 200, 201, 203, 228, 253])),
                            ('indicatorOfParameter', random.randrange(255)),
                            ('indicatorOfTypeOfLevel', random.choice([1, 100, 105, 109, 112])),
                        ],
                    )
    o.close()


def levels():
    o = Out('levels')
    for a in range(256):
        o.made(g1, [('indicatorOfTypeOfLevel', a), ('level', random.choice([0, 2, 500]))])
        o.made(g1, [('indicatorOfTypeOfLevel', a), ('topLevel', 7), ('bottomLevel', 28)])
        for b in (255, a, 1, 8, 103, 106):
            o.made(
                g2,
                [
                    ('typeOfFirstFixedSurface', a),
                    ('typeOfSecondFixedSurface', b),
                    ('scaleFactorOfFirstFixedSurface', random.choice([0, 1, 2, -2, 'missing'])),
                    ('scaledValueOfFirstFixedSurface', random.choice([0, 1, 5, 50, 85000, 'missing'])),
                    ('scaleFactorOfSecondFixedSurface', random.choice([0, 2, 'missing'])),
                    ('scaledValueOfSecondFixedSurface', random.choice([7, 28, 'missing'])),
                ],
            )
    for a in [x for _, x in codes('grib2/typeOfLevelConcept.def')]:
        pass
    for v in (1, 5, 50, 99, 100, 101, 250, 1000, 99999, 100000):
        o.made(
            g2,
            [
                ('typeOfFirstFixedSurface', 100),
                ('scaleFactorOfFirstFixedSurface', random.choice([0, 0, 1, 3])),
                ('scaledValueOfFirstFixedSurface', v),
            ],
        )
    o.close()


def steps():
    o = Out('steps')
    U = [0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 8, 192, 255]
    for u in U:
        for f in (0, 1, 3, 24, 30, 45, 60, 90, 1440, 3600, 5400, 7261, -6):
            o.made(g2, [('indicatorOfUnitOfTimeRange', u), ('forecastTime', f)])
    for t in (8, 11, 12, 9, 10, 13, 42, 43, 46, 61, 72, 73):
        h = ec.codes_clone(g2)
        ec.codes_set(h, 'productDefinitionTemplateNumber', t)
        for _ in range(60):
            o.made(
                h,
                [
                    ('indicatorOfUnitOfTimeRange', random.choice(U[:14])),
                    ('forecastTime', random.choice([0, 1, 6, 30, 90, 3600])),
                    ('indicatorOfUnitForTimeRange', random.choice(U[:14] + [255])),
                    ('lengthOfTimeRange', random.choice([0, 1, 3, 6, 15, 30, 45, 60, 3600])),
                    ('typeOfTimeIncrement', random.choice([0, 1, 2, 3, 255])),
                    (
                        'typeOfStatisticalProcessing',
                        random.choice([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 100, 101, 192, 255]),
                    ),
                    ('numberOfTimeRange', random.choice([1, 1, 1, 2, 3])),
                    ('hourOfEndOfOverallTimeInterval', 12),
                    ('yearOfEndOfOverallTimeInterval', 2024),
                    ('monthOfEndOfOverallTimeInterval', 3),
                    ('dayOfEndOfOverallTimeInterval', 1),
                ],
            )
        ec.codes_release(h)
    for t in range(256):
        o.made(g1, [('timeRangeIndicator', t), ('P1', 6), ('P2', 12)])
        o.made(
            g1,
            [
                ('timeRangeIndicator', t),
                ('unitOfTimeRange', random.choice([0, 2, 3, 10, 11, 12, 13, 14, 254])),
                ('P1', random.choice([0, 1, 24])),
                ('P2', random.choice([0, 2, 48])),
            ],
        )
        o.made(g1, [('timeRangeIndicator', t), ('centre', random.choice([7, 34, 54, 78, 85])), ('P1', 3), ('P2', 9)])
    for u in U:
        o.made(g1, [('unitOfTimeRange', u), ('P1', 36)])
        o.made(g1, [('unitOfTimeRange', u), ('P1', 0)])
    for d in ((20240228, 2330), (19000101, 0), (20241231, 1800), (15821014, 600), (20000229, 1200)):
        for s in (0, 1, 24, 744, 8784):
            o.made(g2, [('dataDate', d[0]), ('dataTime', d[1]), ('step', s)])
            o.made(g1, [('dataDate', d[0]), ('dataTime', d[1]), ('step', s)])
    for m in range(0, 14):
        o.made(g1, [('yearOfCentury', 255), ('month', m), ('day', random.choice([255, 15]))])
    for s in ('30m', '45s', '90m', '6h', '0m', '15-45m', '0-6', '30m-2h', '24-48'):
        o.made(g2, [('productDefinitionTemplateNumber', random.choice([0, 8, 11])), ('stepRange', s)])
    o.close()


def versions():
    o = Out('versions')
    for v in list(range(0, 45)) + [254, 255]:
        for k in range(6):
            o.made(
                g2,
                [
                    ('tablesVersion', v),
                    ('localTablesVersion', random.choice([0, 1, 255])),
                    ('discipline', random.choice([0, 2, 10])),
                    ('parameterCategory', random.randrange(20)),
                    ('parameterNumber', random.randrange(30)),
                    ('setLocalDefinition', k % 2),
                    ('productionStatusOfProcessedData', random.randrange(18)),
                    ('typeOfProcessedData', random.choice([0, 1, 2, 3, 4, 192, 255])),
                    ('typeOfGeneratingProcess', random.randrange(20)),
                    ('significanceOfReferenceTime', random.randrange(6)),
                ],
            )
    o.close()


def grids():
    o = Out('grids')
    for n in [int(x) for x in names('grib2/templates', r'template\.3\.(\d+)\.def')]:
        h = ec.codes_clone(g2)
        try:
            ec.codes_set(h, 'gridDefinitionTemplateNumber', n)
        except Exception:
            continue
        o.add(h)
        for _ in range(8):
            o.made(
                h,
                random.sample(
                    [
                        ('Ni', 16),
                        ('Nj', 31),
                        ('Nx', 20),
                        ('Ny', 10),
                        ('DxInMetres', 2500),
                        ('DyInMetres', 2500),
                        ('LaD', 60000000),
                        ('LoV', 350000000),
                        ('Latin1', 60000000),
                        ('Latin2', 30000000),
                        ('latitudeOfFirstGridPoint', 45000000),
                        ('longitudeOfFirstGridPoint', 350000000),
                        ('latitudeOfLastGridPoint', -20000000),
                        ('longitudeOfLastGridPoint', 20000000),
                        ('scanningMode', random.choice([0, 64, 128, 192, 80, 32, 16])),
                        ('resolutionAndComponentFlags', random.choice([0, 8, 48, 32, 16])),
                        ('basicAngleOfTheInitialProductionDomain', random.choice([0, 0, 1])),
                        ('shapeOfTheEarth', random.randrange(10)),
                        ('angleOfRotation', 10),
                        ('latitudeOfSouthernPole', -30000000),
                        ('longitudeOfSouthernPole', 10000000),
                        ('N', 32),
                        ('iDirectionIncrement', random.choice([2000000, 'missing'])),
                        ('jDirectionIncrement', 2000000),
                        ('nside', 32),
                        ('ordering', 0),
                        ('stretchingFactorScaled', 2000000),
                    ],
                    14,
                ),
            )
        ec.codes_release(h)
    for name in (
        'reduced_gg_pl_32_grib2',
        'reduced_gg_pl_640_grib2',
        'reduced_gg_pl_32_grib1',
        'reduced_ll_sfc_grib2',
        'reduced_rotated_gg_pl_32_grib2',
        'polar_stereographic_pl_grib2',
        'sh_ml_grib1',
        'sh_ml_grib2',
        'rotated_ll_pl_grib1',
        'regular_gg_pl_grib1',
        'polar_stereographic_pl_grib1',
    ):
        try:
            h = sample(name)
        except Exception:
            continue
        o.add(h)
        for sets in (
            [('scanningMode', 64)],
            [('longitudeOfLastGridPoint', 90000 if name.endswith('1') else 90000000)],
            [('latitudeOfFirstGridPoint', 10000)],
            [('N', 33)],
            [('iDirectionIncrement', 'missing')],
            [('Nj', 10)],
            [('setLocalDefinition', 1), ('stream', 'wave')],
        ):
            o.made(h, sets)
        ec.codes_release(h)
    for t in (0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 20, 24, 30, 34, 50, 60, 70, 80, 90, 192, 193):
        o.made(g1, [('dataRepresentationType', t)])
        o.made(
            g1,
            [
                ('dataRepresentationType', t),
                ('scanningMode', 64),
                ('resolutionAndComponentFlags', 128),
                ('Latin1', 45000),
                ('LoV', 5000),
            ],
        )
        o.made(g1, [('centre', 78), ('dataRepresentationType', t)])
    for g in list(range(21, 27)) + [37, 50, 61, 62, 63, 64, 255]:
        o.made(g1, [('gridDescriptionSectionPresent', 0), ('gridDefinition', g)])
    o.close()


def packings():
    o = Out('packings')
    vals = [float((i * 7919) % 1000) / 3 for i in range(496)]
    bm = list(vals)
    bm[3] = bm[100] = 9999.0
    for base in (g2, g1):
        for p in (
            'grid_simple',
            'grid_ieee',
            'grid_ccsds',
            'grid_complex',
            'grid_complex_spatial_differencing',
            'grid_jpeg',
            'grid_png',
            'grid_second_order',
            'grid_second_order_SPD1',
            'grid_second_order_SPD2',
            'grid_second_order_SPD3',
            'grid_second_order_no_SPD',
            'grid_second_order_row_by_row',
            'grid_second_order_constant_width',
            'grid_simple_log_preprocessing',
            'grid_run_length',
            'grid_second_order_no_boustrophedonic',
        ):
            for v, b in ((vals, 0), (bm, 1), ([5.0] * 496, 0), ([0.0] * 496, 0)):
                for bits in (0, 1, 8, 12, 16, 24):
                    h = ec.codes_clone(base)
                    try:
                        ec.codes_set(h, 'bitmapPresent', b)
                        ec.codes_set(h, 'bitsPerValue', bits)
                        ec.codes_set_values(h, v)
                        ec.codes_set(h, 'packingType', p)
                        if bits == 12:
                            ec.codes_set(h, 'decimalScaleFactor', 1)
                        o.add(h)
                    except Exception:
                        pass
                    ec.codes_release(h)
    o.close()


GROUPS = {
    'params': params,
    'templates': templates,
    'marskw': marskw,
    'locals': locals_,
    'centres': centres,
    'levels': levels,
    'steps': steps,
    'versions': versions,
    'grids': grids,
    'packings': packings,
    'mutated': mutated,
    'rawlocal': rawlocal,
    'marsbytes': marsbytes,
    'datasections': datasections,
}

random.seed(7)
for name in sys.argv[2:] or GROUPS:
    GROUPS[name]()
