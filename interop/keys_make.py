"""Derives GRIB messages from ecCodes' samples, to compare their keys.

usage: keys_make.py OUTDIR [GROUP ...]

Writes OUTDIR/GROUP.grib for each group: params (every paramId), templates
(product definition templates), marskw (class, type, stream), locals (local
definitions), centres, levels, steps, versions, grids, packings, mutated
(samples with header bytes changed), rawlocal and marsbytes (local sections made by bytes), datasections (data sections
made by bytes). What ecCodes refuses to set is left out.
"""
import itertools, os, random, re, subprocess, sys
import eccodes as ec

here = os.path.dirname(os.path.abspath(__file__))
out = sys.argv[1]; groups = sys.argv[2:]
os.makedirs(out, exist_ok=True)
devnull = os.open(os.devnull, os.O_WRONLY); os.dup2(devnull, 2)
DEFS = os.environ.get('KEYS_DEFINITIONS', '')   # a folder of exported definition files, for lists of names

def sample(name): return ec.codes_grib_new_from_samples(name)

class Out:
    def __init__(self, group): self.f = open(os.path.join(out, group + '.grib'), 'wb'); self.n = 0; self.group = group; self.seen = set()
    def add(self, h):
        m = ec.codes_get_message(h)
        if m in self.seen: return
        self.seen.add(m); self.f.write(m); self.n += 1
    def made(self, base, sets, need=None):
        """clone base, apply sets; True if all of need (default: all) took."""
        h = ec.codes_clone(base); ok = True
        for k, v in sets:
            try: ec.codes_set(h, k, v)
            except Exception: ok = False
        if ok or need is None: self.add(h)
        ec.codes_release(h); return ok
    def close(self): self.f.close(); print(self.group, self.n, flush=True)

g2 = sample('GRIB2'); g1 = sample('GRIB1')
for h in (g2, g1):
    ec.codes_set(h, 'dataDate', 20240229); ec.codes_set(h, 'dataTime', 1830)

def names(sub, pattern):
    d = os.path.join(DEFS, sub)
    return sorted(m.group(1) for m in (re.match(pattern, f) for f in os.listdir(d)) if m) if DEFS and os.path.isdir(d) else []

def codes(table):
    l = []
    p = os.path.join(DEFS, table)
    if DEFS and os.path.exists(p):
        for line in open(p, errors='replace'):
            f = line.split()
            if len(f) > 1 and f[0].isdigit(): l.append((int(f[0]), f[1]))
    return l

def params():
    o = Out('params'); ids = set()
    for root, _, files in os.walk(DEFS):
        for f in files:
            if re.match(r'paramId.*\.def', f):
                for m in re.finditer(r"^'(\d+)' *=", open(os.path.join(root, f)).read(), re.M): ids.add(int(m.group(1)))
    for i in sorted(ids):
        for base in (g2, g1): o.made(base, [('paramId', i)], need=True)
        for sets in ([('centre', 'edzw')], [('centre', 'kwbc')], [('centre', 'lfpw')], [('tablesVersion', 34)],
                     [('productionStatusOfProcessedData', 4)], [('setLocalDefinition', 1), ('tablesVersion', 34), ('class', 'mc')]):
            if random.random() < .2: o.made(g2, sets + [('paramId', i)], need=True)
    o.close()

def templates():
    o = Out('templates'); nums = [int(x) for x in names('grib2/templates', r'template\.4\.(\d+)\.def')]
    for n in nums:
        h = ec.codes_clone(g2)
        try: ec.codes_set(h, 'productDefinitionTemplateNumber', n)
        except Exception: continue
        o.add(h)
        for k in range(12):
            sets = [('parameterCategory', random.randrange(8)), ('parameterNumber', random.randrange(40)),
                    ('typeOfFirstFixedSurface', random.choice([1, 100, 103, 105, 106, 109, 111, 150, 255])),
                    ('scaledValueOfFirstFixedSurface', random.choice([0, 2, 10, 85000, 50])), ('scaleFactorOfFirstFixedSurface', random.choice([0, 0, 1, 255])),
                    ('forecastTime', random.choice([0, 6, 90])), ('indicatorOfUnitOfTimeRange', random.choice([0, 1, 1, 1, 2, 13])),
                    ('numberOfTimeRange', random.choice([1, 1, 2])), ('typeOfStatisticalProcessing', random.choice([0, 1, 2, 3, 4, 10])), ('typeOfTimeIncrement', random.choice([1, 2, 255])),
                    ('lengthOfTimeRange', random.choice([1, 6, 24, 45])), ('indicatorOfUnitForTimeRange', random.choice([0, 1, 1, 13])),
                    ('perturbationNumber', random.randrange(51)), ('numberOfForecastsInEnsemble', 51), ('derivedForecast', random.choice([0, 2, 4])),
                    ('percentileValue', 90), ('constituentType', random.choice([0, 1, 17, 62100])), ('aerosolType', random.choice([62000, 62001, 62026])),
                    ('probabilityType', random.choice([0, 1, 2, 3])), ('scaledValueOfLowerLimit', 5), ('scaleFactorOfLowerLimit', 0),
                    ('setLocalDefinition', random.choice([0, 1])), ('tablesVersion', random.choice([4, 27, 33, 34, 37])),
                    ('centre', random.choice([98, 98, 7, 78, 85]))]
            o.made(h, random.sample(sets, random.randrange(3, len(sets))))
        ec.codes_release(h)
    o.close()

def marskw():
    o = Out('marskw')
    combos = [m.split('.') for m in names('mars', r'grib\.(\w+\.\w+)\.def')]
    streams = [a for _, a in codes('mars/stream.table')]; types = [a for _, a in codes('mars/type.table')]; classes = [a for _, a in codes('mars/class.table')]
    combos += [(random.choice(streams), random.choice(types)) for _ in range(300)]
    for st, ty in combos:
        for base in (g2, g1):
            o.made(base, [('setLocalDefinition', 1), ('class', random.choice(classes)), ('stream', st), ('type', ty)])
            o.made(base, [('setLocalDefinition', 1), ('localDefinitionNumber', random.choice([1, 5, 7, 9, 11, 12, 15, 16, 18, 20, 21, 24, 25, 26, 28, 30, 36, 38, 39, 40, 41, 42])),
                          ('class', random.choice(classes)), ('stream', st), ('type', ty), ('number', 3), ('step', 24), ('tablesVersion', random.choice([5, 33, 34]))])
    for c in classes:
        for base in (g2, g1):
            for st in ('oper', 'enfo', 'wave', 'waef', 'mnth', 'dacl'):
                o.made(base, [('setLocalDefinition', 1), ('class', c), ('stream', st), ('tablesVersion', random.choice([5, 34]))])
    o.close()

def locals_():
    o = Out('locals')
    for n in range(256):
        for k in range(3):
            o.made(g1, [('setLocalDefinition', 1), ('localDefinitionNumber', n), ('number', 5)])
    for n in sorted({int(x) for x in names('grib2', r'local\.98\.(\d+)\.def')}):
        o.made(g2, [('setLocalDefinition', 1), ('grib2LocalSectionNumber', n)])
        for t in (0, 1, 8, 11, 32, 40): o.made(g2, [('productDefinitionTemplateNumber', t), ('setLocalDefinition', 1), ('grib2LocalSectionNumber', n), ('tablesVersion', random.choice([5, 34]))])
    for st in range(20):
        for n in range(4):
            o.made(g2, [('productionStatusOfProcessedData', st), ('setLocalDefinition', 1), ('grib2LocalSectionNumber', n)])
            o.made(g2, [('productionStatusOfProcessedData', st), ('setLocalDefinition', 1), ('grib2LocalSectionNumber', n), ('productDefinitionTemplateNumber', 11), ('suiteName', n)])
    for c, n in itertools.product((7, 34, 46, 54, 78, 80, 82, 85, 96, 214, 253, 254, 98), range(6)):
        for base in (g1, g2):
            o.made(base, [('centre', c), ('setLocalDefinition', 1), ('localDefinitionNumber', n)])
            o.made(base, [('centre', c), ('subCentre', 98), ('setLocalDefinition', 1), ('grib2LocalSectionNumber', n)])
    o.close()

def centres():
    o = Out('centres')
    for c in range(256):
        for base in (g1, g2):
            o.made(base, [('centre', c)]); o.made(base, [('centre', c), ('subCentre', random.choice([0, 2, 4, 98, 241])), ('localTablesVersion', random.choice([0, 1, 2]))])
            for k in range(4):
                if base is g2: o.made(base, [('centre', c), ('discipline', random.choice([0, 0, 0, 1, 2, 3, 4, 10, 20, 192])), ('parameterCategory', random.choice(list(range(8)) + [191, 192, 200])), ('parameterNumber', random.randrange(255)), ('typeOfFirstFixedSurface', random.choice([1, 100, 103]))])
                else: o.made(base, [('centre', c), ('table2Version', random.choice([1, 2, 3, 128, 129, 130, 140, 200, 201, 203, 228, 253])), ('indicatorOfParameter', random.randrange(255)), ('indicatorOfTypeOfLevel', random.choice([1, 100, 105, 109, 112]))])
    o.close()

def levels():
    o = Out('levels')
    for a in range(256):
        o.made(g1, [('indicatorOfTypeOfLevel', a), ('level', random.choice([0, 2, 500]))])
        o.made(g1, [('indicatorOfTypeOfLevel', a), ('topLevel', 7), ('bottomLevel', 28)])
        for b in (255, a, 1, 8, 103, 106):
            o.made(g2, [('typeOfFirstFixedSurface', a), ('typeOfSecondFixedSurface', b), ('scaleFactorOfFirstFixedSurface', random.choice([0, 1, 2, -2, 'missing'])), ('scaledValueOfFirstFixedSurface', random.choice([0, 1, 5, 50, 85000, 'missing'])),
                         ('scaleFactorOfSecondFixedSurface', random.choice([0, 2, 'missing'])), ('scaledValueOfSecondFixedSurface', random.choice([7, 28, 'missing']))])
    for a in [x for _, x in codes('grib2/typeOfLevelConcept.def')]: pass
    for v in (1, 5, 50, 99, 100, 101, 250, 1000, 99999, 100000): o.made(g2, [('typeOfFirstFixedSurface', 100), ('scaleFactorOfFirstFixedSurface', random.choice([0, 0, 1, 3])), ('scaledValueOfFirstFixedSurface', v)])
    o.close()

def steps():
    o = Out('steps')
    U = [0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 8, 192, 255]
    for u in U:
        for f in (0, 1, 3, 24, 30, 45, 60, 90, 1440, 3600, 5400, 7261, -6):
            o.made(g2, [('indicatorOfUnitOfTimeRange', u), ('forecastTime', f)])
    for t in (8, 11, 12, 9, 10, 13, 42, 43, 46, 61, 72, 73):
        h = ec.codes_clone(g2); ec.codes_set(h, 'productDefinitionTemplateNumber', t)
        for _ in range(60):
            o.made(h, [('indicatorOfUnitOfTimeRange', random.choice(U[:14])), ('forecastTime', random.choice([0, 1, 6, 30, 90, 3600])), ('indicatorOfUnitForTimeRange', random.choice(U[:14] + [255])),
                       ('lengthOfTimeRange', random.choice([0, 1, 3, 6, 15, 30, 45, 60, 3600])), ('typeOfTimeIncrement', random.choice([0, 1, 2, 3, 255])), ('typeOfStatisticalProcessing', random.choice([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 100, 101, 192, 255])),
                       ('numberOfTimeRange', random.choice([1, 1, 1, 2, 3])), ('hourOfEndOfOverallTimeInterval', 12), ('yearOfEndOfOverallTimeInterval', 2024), ('monthOfEndOfOverallTimeInterval', 3), ('dayOfEndOfOverallTimeInterval', 1)])
        ec.codes_release(h)
    for t in range(256):
        o.made(g1, [('timeRangeIndicator', t), ('P1', 6), ('P2', 12)])
        o.made(g1, [('timeRangeIndicator', t), ('unitOfTimeRange', random.choice([0, 2, 3, 10, 11, 12, 13, 14, 254])), ('P1', random.choice([0, 1, 24])), ('P2', random.choice([0, 2, 48]))])
        o.made(g1, [('timeRangeIndicator', t), ('centre', random.choice([7, 34, 54, 78, 85])), ('P1', 3), ('P2', 9)])
    for u in U: o.made(g1, [('unitOfTimeRange', u), ('P1', 36)]); o.made(g1, [('unitOfTimeRange', u), ('P1', 0)])
    for d in ((20240228, 2330), (19000101, 0), (20241231, 1800), (15821014, 600), (20000229, 1200)):
        for s in (0, 1, 24, 744, 8784): o.made(g2, [('dataDate', d[0]), ('dataTime', d[1]), ('step', s)]); o.made(g1, [('dataDate', d[0]), ('dataTime', d[1]), ('step', s)])
    for m in range(0, 14): o.made(g1, [('yearOfCentury', 255), ('month', m), ('day', random.choice([255, 15]))])
    for s in ('30m', '45s', '90m', '6h', '0m', '15-45m', '0-6', '30m-2h', '24-48'): o.made(g2, [('productDefinitionTemplateNumber', random.choice([0, 8, 11])), ('stepRange', s)])
    o.close()

def versions():
    o = Out('versions')
    for v in list(range(0, 45)) + [254, 255]:
        for k in range(6):
            o.made(g2, [('tablesVersion', v), ('localTablesVersion', random.choice([0, 1, 255])), ('discipline', random.choice([0, 2, 10])), ('parameterCategory', random.randrange(20)), ('parameterNumber', random.randrange(30)), ('setLocalDefinition', k % 2),
                        ('productionStatusOfProcessedData', random.randrange(18)), ('typeOfProcessedData', random.choice([0, 1, 2, 3, 4, 192, 255])), ('typeOfGeneratingProcess', random.randrange(20)), ('significanceOfReferenceTime', random.randrange(6))])
    o.close()

def grids():
    o = Out('grids')
    for n in [int(x) for x in names('grib2/templates', r'template\.3\.(\d+)\.def')]:
        h = ec.codes_clone(g2)
        try: ec.codes_set(h, 'gridDefinitionTemplateNumber', n)
        except Exception: continue
        o.add(h)
        for _ in range(8):
            o.made(h, random.sample([('Ni', 16), ('Nj', 31), ('Nx', 20), ('Ny', 10), ('DxInMetres', 2500), ('DyInMetres', 2500), ('LaD', 60000000), ('LoV', 350000000), ('Latin1', 60000000), ('Latin2', 30000000),
              ('latitudeOfFirstGridPoint', 45000000), ('longitudeOfFirstGridPoint', 350000000), ('latitudeOfLastGridPoint', -20000000), ('longitudeOfLastGridPoint', 20000000), ('scanningMode', random.choice([0, 64, 128, 192, 80, 32, 16])),
              ('resolutionAndComponentFlags', random.choice([0, 8, 48, 32, 16])), ('basicAngleOfTheInitialProductionDomain', random.choice([0, 0, 1])), ('shapeOfTheEarth', random.randrange(10)), ('angleOfRotation', 10), ('latitudeOfSouthernPole', -30000000), ('longitudeOfSouthernPole', 10000000),
              ('N', 32), ('iDirectionIncrement', random.choice([2000000, 'missing'])), ('jDirectionIncrement', 2000000), ('nside', 32), ('ordering', 0), ('stretchingFactorScaled', 2000000)], 14))
        ec.codes_release(h)
    for name in ('reduced_gg_pl_32_grib2', 'reduced_gg_pl_640_grib2', 'reduced_gg_pl_32_grib1', 'reduced_ll_sfc_grib2', 'reduced_rotated_gg_pl_32_grib2', 'polar_stereographic_pl_grib2', 'sh_ml_grib1', 'sh_ml_grib2', 'rotated_ll_pl_grib1', 'regular_gg_pl_grib1', 'polar_stereographic_pl_grib1'):
        try: h = sample(name)
        except Exception: continue
        o.add(h)
        for sets in ([('scanningMode', 64)], [('longitudeOfLastGridPoint', 90000 if name.endswith('1') else 90000000)], [('latitudeOfFirstGridPoint', 10000)], [('N', 33)], [('iDirectionIncrement', 'missing')], [('Nj', 10)], [('setLocalDefinition', 1), ('stream', 'wave')]): o.made(h, sets)
        ec.codes_release(h)
    for t in (0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 20, 24, 30, 34, 50, 60, 70, 80, 90, 192, 193): 
        o.made(g1, [('dataRepresentationType', t)]); o.made(g1, [('dataRepresentationType', t), ('scanningMode', 64), ('resolutionAndComponentFlags', 128), ('Latin1', 45000), ('LoV', 5000)])
        o.made(g1, [('centre', 78), ('dataRepresentationType', t)])
    for g in list(range(21, 27)) + [37, 50, 61, 62, 63, 64, 255]: o.made(g1, [('gridDescriptionSectionPresent', 0), ('gridDefinition', g)])
    o.close()

def packings():
    o = Out('packings')
    vals = [float((i * 7919) % 1000) / 3 for i in range(496)]
    bm = list(vals); bm[3] = bm[100] = 9999.
    for base in (g2, g1):
        for p in ('grid_simple', 'grid_ieee', 'grid_ccsds', 'grid_complex', 'grid_complex_spatial_differencing', 'grid_jpeg', 'grid_png', 'grid_second_order', 'grid_second_order_SPD1', 'grid_second_order_SPD2', 'grid_second_order_SPD3', 'grid_second_order_no_SPD', 'grid_second_order_row_by_row', 'grid_second_order_constant_width', 'grid_simple_log_preprocessing', 'grid_run_length', 'grid_second_order_no_boustrophedonic'):
            for v, b in ((vals, 0), (bm, 1), ([5.] * 496, 0), ([0.] * 496, 0)):
                for bits in (0, 1, 8, 12, 16, 24):
                    h = ec.codes_clone(base)
                    try:
                        ec.codes_set(h, 'bitmapPresent', b); ec.codes_set(h, 'bitsPerValue', bits)
                        ec.codes_set_values(h, v); ec.codes_set(h, 'packingType', p)
                        if bits == 12: ec.codes_set(h, 'decimalScaleFactor', 1)
                        o.add(h)
                    except Exception: pass
                    ec.codes_release(h)
    o.close()

def mutated():
    """Messages whose header bytes are changed at random, lengths and section numbers kept."""
    o = Out('mutated'); rnd = random.Random(5)
    bases = [g2, g1]
    for n in ('regular_ll_pl_grib2', 'reduced_gg_pl_32_grib2', 'regular_ll_sfc_grib1', 'reduced_gg_pl_32_grib1', 'sh_ml_grib1'):
        try: bases.append(sample(n))
        except Exception: pass
    for t in (1, 8, 11, 2, 5, 6, 9, 12, 15, 40, 43, 44, 46, 48, 55, 61, 99, 103):
        h = ec.codes_clone(g2)
        try: ec.codes_set(h, 'productDefinitionTemplateNumber', t); bases.append(h)
        except Exception: pass
    for n in (1, 2, 5, 9, 12, 15, 16, 18, 26, 28, 30, 36, 38, 40):
        for base in (g1, g2):
            h = ec.codes_clone(base)
            try: ec.codes_set(h, 'setLocalDefinition', 1); ec.codes_set(h, 'localDefinitionNumber', n); bases.append(h)
            except Exception: pass
    def spans(m):
        if m[7] == 1:
            l = int.from_bytes(m[8:11], 'big'); yield 12, 8 + l
            if m[15] & 128: 
                p = 8 + l; yield p + 6, p + int.from_bytes(m[p:p+3], 'big')
        else:
            p = 16; yield 6, 7
            while p + 5 < len(m) - 4:
                l = int.from_bytes(m[p:p+4], 'big'); s = m[p+4]
                if s in (1, 2, 4): yield p + 5, p + l
                if s == 3: yield p + 10, p + l
                p += l
    msgs = [ec.codes_get_message(h) for h in bases]
    for i in range(12000):
        m = bytearray(rnd.choice(msgs))
        sp = list(spans(m))
        for _ in range(rnd.choice([1, 1, 2, 3, 5])):
            a, b = rnd.choice(sp)
            if b <= a: continue
            m[rnd.randrange(a, b)] = rnd.choice([0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 15, 20, 98, 100, 103, 128, 254, 255, rnd.randrange(256), rnd.randrange(256)])
        m = bytes(m)
        if m not in o.seen: o.seen.add(m); o.f.write(m); o.n += 1
    o.close()

def rawlocal():
    """Local sections with any contents, made by bytes: for what cannot be set by name."""
    o = Out('rawlocal'); rnd = random.Random(11)
    def blob(n, first=None):
        b = bytearray(rnd.choice([0, 0, 0, 1, 1, 2, 3, 4, 5, 9, 11, 24, 36, 82, 83, 255, rnd.randrange(256)]) for _ in range(n))
        if first is not None and n: b[0] = first
        return bytes(b)
    m1 = ec.codes_get_message(g1)
    for i in range(5000):
        l1 = int.from_bytes(m1[8:11], 'big'); s1 = bytearray(m1[8:8 + 28])
        n = rnd.choice([10, 12, 20, 30, 41, 60, 100, 300])
        s1[4] = rnd.choice([98, 78, 80, 85, 82, 96, 34, 46, 54, 7, 214, 253, 254, 74, 99, 200, rnd.randrange(256)])
        if rnd.random() < .15: s1[25] = 98
        if s1[4] == 98 or s1[25] == 98:
            first = rnd.choice([1, 2, 3, 5, 9, 15, 16, 18, 20, 23, 26, 28, 30, 36, 49, 50, 190, 191, 192, 244, 245, 254, rnd.randrange(256)])
        else: first = rnd.choice([0, 1, 2, 82, 83, 244, 245, 253, 254, rnd.randrange(256)])
        body = bytearray(blob(n, first))
        if (s1[4] == 98 or s1[25] == 98) and n > 8:
            body[1] = rnd.choice([1, 2, 3, 23]); body[2] = rnd.choice([2, 9, 10, 11, 17]); body[3:5] = rnd.choice([1025, 1035, 1043, 1045, 1082, 1088, 1090, 1093, 1248]).to_bytes(2, 'big'); body[5:9] = b'0001'
        s1 += bytes(12) + body
        s1[0:3] = len(s1).to_bytes(3, 'big')
        m = bytearray(m1[:8] + bytes(s1) + m1[8 + l1:]); m[4:7] = len(m).to_bytes(3, 'big')
        o.f.write(bytes(m)); o.n += 1
    bases = [g2]
    for t in (1, 8, 11, 40, 15, 32): 
        h = ec.codes_clone(g2); ec.codes_set(h, 'productDefinitionTemplateNumber', t); bases.append(h)
    msgs = [ec.codes_get_message(h) for h in bases]
    for i in range(6000):
        m = rnd.choice(msgs); l1 = int.from_bytes(m[16:20], 'big'); s1 = bytearray(m[16:16 + l1])
        s1[5:7] = rnd.choice([98, 82, 85, 78, 7, 34, 46, 54, 74, 214, 215, 250, 1098, 98, 98, rnd.randrange(300)]).to_bytes(2, 'big')
        if rnd.random() < .1: s1[7:9] = (98).to_bytes(2, 'big')
        s1[9] = rnd.choice([5, 27, 32, 33, 34, 35, 36]); s1[19] = rnd.choice([0, 0, 0, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17])
        if rnd.random() < .1: # calendar
            s1 += rnd.choice([b'\0\0\0', b'\0\1' + blob(4), b'\0\2' + blob(6)]); s1[0:4] = len(s1).to_bytes(4, 'big')
        n = rnd.choice([2, 4, 12, 17, 20, 30, 60, 120, 400])
        first = rnd.choice([0, 1, 2, 3, 5, 7, 9, 11, 12, 14, 15, 16, 18, 20, 21, 24, 25, 26, 28, 30, 36, 38, 39, 41, 42, 43, 44, 45, 46, 51, 52, 60, 82, 83, 192, 244, 300, 500])
        b = bytearray(blob(n)); b[0:2] = first.to_bytes(2, 'big')
        if n > 12: b[2:4] = rnd.choice([1, 2, 3, 4, 22, 23, 36, 40, 44]).to_bytes(2, 'big'); b[4:6] = rnd.choice([2, 9, 10, 11, 17, 30]).to_bytes(2, 'big'); b[6:8] = rnd.choice([1025, 1035, 1043, 1045, 1082, 1088, 1220, 1248]).to_bytes(2, 'big'); b[8:12] = b'0001'
        s2 = (5 + n).to_bytes(4, 'big') + b'\2' + bytes(b)
        rest = m[16 + l1:]
        if rest[4] == 2: rest = rest[int.from_bytes(rest[0:4], 'big'):]
        r = bytearray(m[:16] + bytes(s1) + s2 + rest); r[8:16] = len(r).to_bytes(8, 'big')
        o.f.write(bytes(r)); o.n += 1
    o.close()

def marsbytes():
    """Every stream and type the mars labels know, with local sections made by bytes."""
    o = Out('marsbytes'); rnd = random.Random(12)
    combos = [m.split('.') for m in names('mars', r'grib\.(\w+\.\w+)\.def')]
    eswi = [m.split('.') for m in names('mars/eswi', r'grib\.(\w+\.\w+)\.def')]
    stream = {a: n for n, a in codes('mars/stream.table')}; type_ = {a: n for n, a in codes('mars/type.table')}
    estream = {a: n for n, a in codes('mars/eswi/stream.table')} or stream; etype = {a: n for n, a in codes('mars/eswi/type.table')} or type_
    small = lambda n: bytes(rnd.choice([0, 0, 1, 1, 2, 3, 4, 6, 12, 24, 31, 255, rnd.randrange(256)]) for _ in range(n))
    m1 = ec.codes_get_message(g1); bases = [ec.codes_get_message(g2)]
    for t in (1, 8, 11, 5, 9, 15, 40, 61, 99, 103):
        h = ec.codes_clone(g2); ec.codes_set(h, 'productDefinitionTemplateNumber', t); bases.append(ec.codes_get_message(h))
    def first(local, st, ty, size): return local + bytes([rnd.randrange(1, 60), ty & 255]) + st.to_bytes(2, 'big') + b'0001' + small(rnd.choice([0, 4, 20, 60, size]))
    def edition1(st, ty, centre):
        l1 = int.from_bytes(m1[8:11], 'big'); s1 = bytearray(m1[8:36]); s1[4] = centre
        s1[15:21] = bytes([24, rnd.randrange(1, 13), rnd.randrange(1, 29), rnd.choice([0, 6, 12]), 0, rnd.choice([1, 1, 1, 2, 0, 3, 10, 11])])[:6]
        s1[17] = rnd.choice([1, 1, 1, 2, 3, 4, 10]); s1[18] = rnd.choice([0, 6, 24]); s1[19] = rnd.choice([0, 12, 30]); s1[20] = rnd.choice([0, 1, 2, 3, 4, 5, 10, 13, 113, 133])
        s1[9] = rnd.choice([1, 100, 102, 105, 109, 111, 160, 210]); s1[8] = rnd.choice([1, 11, 129, 131, 140, 151, 165, 167, 228, rnd.randrange(256)]); s1[3] = rnd.choice([128, 128, 2, 131, 140, 162, 172, 228])
        n = rnd.choice([1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 17, 18, 19, 20, 21, 23, 25, 26, 27, 28, 29, 30, 31, 33, 35, 36, 37, 38, 39, 40, 42, 43, 49, 50])
        s1 += bytes(12) + first(bytes([n]), st, ty, 200); s1[0:3] = len(s1).to_bytes(3, 'big')
        m = bytearray(m1[:8] + bytes(s1) + m1[8 + l1:]); m[4:7] = len(m).to_bytes(3, 'big'); o.f.write(bytes(m)); o.n += 1
    def edition2(st, ty, centre):
        m = rnd.choice(bases); l1 = int.from_bytes(m[16:20], 'big'); s1 = bytearray(m[16:16 + l1]); s1[5:7] = centre.to_bytes(2, 'big')
        s1[9] = rnd.choice([5, 27, 32, 33, 34, 35]); s1[19] = rnd.choice([0, 0, 0, 0, 0, 2] + list(range(3, 20)))
        n = rnd.choice([1, 1, 1, 5, 7, 9, 11, 12, 14, 15, 16, 18, 20, 21, 24, 25, 26, 28, 30, 36, 38, 39, 41, 42, 43, 44, 45, 46, 60])
        c = first(n.to_bytes(2, 'big'), st, ty, 200); b = c[:2] + bytes([0, c[2], 0]) + c[3:] if rnd.random() < .9 else c
        s2 = (5 + len(b)).to_bytes(4, 'big') + b'\2' + b; rest = m[16 + l1:]
        if rest[4] == 2: rest = rest[int.from_bytes(rest[0:4], 'big'):]
        r = bytearray(m[:16] + bytes(s1) + s2 + rest); r[8:16] = len(r).to_bytes(8, 'big'); o.f.write(bytes(r)); o.n += 1
    for make in (edition1, edition2):
        for st, ty in combos:
            if st in stream and ty in type_:
                for _ in range(4): make(stream[st], type_[ty], 98)
        for st, ty in eswi:
            if st in estream and ty in etype:
                for _ in range(20): make(estream[st], etype[ty], 82)
    o.close()

def datasections():
    """Data sections of every template and flag with bytes made at random, and spectral fields of every packing."""
    o = Out('datasections'); rnd = random.Random(13)
    for name in ('sh_ml_grib1', 'sh_ml_grib2', 'sh_sfc_grib1', 'sh_pl_grib2'):
        try: base = sample(name)
        except Exception: continue
        for p in ('spectral_simple', 'spectral_complex', 'spectral_ieee'):
            for bits in (8, 12, 16, 24):
                h = ec.codes_clone(base)
                try: n = ec.codes_get_size(h, 'values'); ec.codes_set(h, 'packingType', p); ec.codes_set(h, 'bitsPerValue', bits); ec.codes_set_values(h, [1 / (i + 1) for i in range(n)]); o.add(h)
                except Exception: pass
                ec.codes_release(h)
    small = lambda n: bytes(rnd.choice([0, 0, 0, 1, 1, 2, 3, 8, 16, 24, 255, rnd.randrange(256)]) for _ in range(n))
    shapes1 = [ec.codes_get_message(sample(n)) for n in ('GRIB1', 'reduced_gg_pl_32_grib1', 'sh_ml_grib1')]
    shapes2 = [ec.codes_get_message(sample(n)) for n in ('GRIB2', 'reduced_gg_pl_32_grib2', 'sh_ml_grib2')]
    for i in range(1500):
        m = bytearray(rnd.choice(shapes1)); p = 8
        for _ in range(1 + (m[15] >> 7 & 1) + (m[15] >> 6 & 1)): p += int.from_bytes(m[p:p + 3], 'big')
        m[p + 3] = rnd.randrange(16) << 4 | rnd.choice([0, 0, 8, 4]); m[p + 4:p + 10] = small(6)
        m[p + 10] = rnd.choice([0, 8, 12, 16]); m[p + 11:p + 24] = small(13)
        if rnd.random() < .5: m[p + 13] = rnd.randrange(256)
        o.f.write(bytes(m)); o.n += 1
    for i in range(2500):
        m = rnd.choice(shapes2); p = 16
        while m[p + 4] != 5: p += int.from_bytes(m[p:p + 4], 'big')
        l = int.from_bytes(m[p:p + 4], 'big'); n = rnd.choice([10, 13, 14, 20, 30, 36, 50])
        s5 = (11 + n).to_bytes(4, 'big') + b'\5' + m[p + 5:p + 9] + rnd.choice([0, 1, 2, 3, 4, 40, 41, 42, 50, 51, 53, 61, 200, 40000, 40010, 50000, 50001, 50002, 65535]).to_bytes(2, 'big') + small(n)
        r = bytearray(m[:p] + s5 + m[p + l:])
        q = p + len(s5)
        if rnd.random() < .3: r[q + 5] = rnd.choice([0, 1, 253, 254, 255])
        r[8:16] = len(r).to_bytes(8, 'big'); o.f.write(bytes(r)); o.n += 1
    o.close()

random.seed(7)
for g in groups or ['params', 'templates', 'marskw', 'locals', 'centres', 'levels', 'steps', 'versions', 'grids', 'packings', 'mutated', 'rawlocal', 'marsbytes', 'datasections']:
    {'locals': locals_}.get(g, globals().get(g))()
