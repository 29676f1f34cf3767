"""The groups of keys_make.py whose messages are made octet by octet, for what cannot be set by name."""

import random

import eccodes as ec

from keys_base import Out, codes, g1, g2, names, sample


def mutated():
    """Messages whose header bytes are changed at random, lengths and section numbers kept."""
    o = Out('mutated')
    rnd = random.Random(5)
    bases = [g2, g1]
    for n in (
        'regular_ll_pl_grib2',
        'reduced_gg_pl_32_grib2',
        'regular_ll_sfc_grib1',
        'reduced_gg_pl_32_grib1',
        'sh_ml_grib1',
    ):
        try:
            bases.append(sample(n))
        except Exception:
            pass
    for t in (1, 8, 11, 2, 5, 6, 9, 12, 15, 40, 43, 44, 46, 48, 55, 61, 99, 103):
        h = ec.codes_clone(g2)
        try:
            ec.codes_set(h, 'productDefinitionTemplateNumber', t)
            bases.append(h)
        except Exception:
            pass
    for n in (1, 2, 5, 9, 12, 15, 16, 18, 26, 28, 30, 36, 38, 40):
        for base in (g1, g2):
            h = ec.codes_clone(base)
            try:
                ec.codes_set(h, 'setLocalDefinition', 1)
                ec.codes_set(h, 'localDefinitionNumber', n)
                bases.append(h)
            except Exception:
                pass

    def spans(m):
        if m[7] == 1:
            l = int.from_bytes(m[8:11], 'big')
            yield 12, 8 + l
            if m[15] & 128:
                p = 8 + l
                yield p + 6, p + int.from_bytes(m[p : p + 3], 'big')
        else:
            p = 16
            yield 6, 7
            while p + 5 < len(m) - 4:
                l = int.from_bytes(m[p : p + 4], 'big')
                s = m[p + 4]
                if s in (1, 2, 4):
                    yield p + 5, p + l
                if s == 3:
                    yield p + 10, p + l
                p += l

    msgs = [ec.codes_get_message(h) for h in bases]
    for i in range(12000):
        m = bytearray(rnd.choice(msgs))
        sp = list(spans(m))
        for _ in range(rnd.choice([1, 1, 2, 3, 5])):
            a, b = rnd.choice(sp)
            if b <= a:
                continue
            m[rnd.randrange(a, b)] = rnd.choice(
                [
                    0,
                    1,
                    2,
                    3,
                    4,
                    5,
                    6,
                    8,
                    9,
                    10,
                    11,
                    12,
                    15,
                    20,
                    98,
                    100,
                    103,
                    128,
                    254,
                    255,
                    rnd.randrange(256),
                    rnd.randrange(256),
                ]
            )
        m = bytes(m)
        if m not in o.seen:
            o.seen.add(m)
            o.f.write(m)
            o.n += 1
    o.close()


def rawlocal():
    """Local sections with any contents, made by bytes: for what cannot be set by name."""
    o = Out('rawlocal')
    rnd = random.Random(11)

    def blob(n, first=None):
        b = bytearray(
            rnd.choice([0, 0, 0, 1, 1, 2, 3, 4, 5, 9, 11, 24, 36, 82, 83, 255, rnd.randrange(256)]) for _ in range(n)
        )
        if first is not None and n:
            b[0] = first
        return bytes(b)

    m1 = ec.codes_get_message(g1)
    for i in range(5000):
        l1 = int.from_bytes(m1[8:11], 'big')
        s1 = bytearray(m1[8 : 8 + 28])
        n = rnd.choice([10, 12, 20, 30, 41, 60, 100, 300])
        s1[4] = rnd.choice([98, 78, 80, 85, 82, 96, 34, 46, 54, 7, 214, 253, 254, 74, 99, 200, rnd.randrange(256)])
        if rnd.random() < 0.15:
            s1[25] = 98
        if s1[4] == 98 or s1[25] == 98:
            first = rnd.choice(
                [
                    1,
                    2,
                    3,
                    5,
                    9,
                    15,
                    16,
                    18,
                    20,
                    23,
                    26,
                    28,
                    30,
                    36,
                    49,
                    50,
                    190,
                    191,
                    192,
                    244,
                    245,
                    254,
                    rnd.randrange(256),
                ]
            )
        else:
            first = rnd.choice([0, 1, 2, 82, 83, 244, 245, 253, 254, rnd.randrange(256)])
        body = bytearray(blob(n, first))
        if (s1[4] == 98 or s1[25] == 98) and n > 8:
            body[1] = rnd.choice([1, 2, 3, 23])
            body[2] = rnd.choice([2, 9, 10, 11, 17])
            body[3:5] = rnd.choice([1025, 1035, 1043, 1045, 1082, 1088, 1090, 1093, 1248]).to_bytes(2, 'big')
            body[5:9] = b'0001'
        s1 += bytes(12) + body
        s1[0:3] = len(s1).to_bytes(3, 'big')
        m = bytearray(m1[:8] + bytes(s1) + m1[8 + l1 :])
        m[4:7] = len(m).to_bytes(3, 'big')
        o.f.write(bytes(m))
        o.n += 1
    bases = [g2]
    for t in (1, 8, 11, 40, 15, 32):
        h = ec.codes_clone(g2)
        ec.codes_set(h, 'productDefinitionTemplateNumber', t)
        bases.append(h)
    msgs = [ec.codes_get_message(h) for h in bases]
    for i in range(6000):
        m = rnd.choice(msgs)
        l1 = int.from_bytes(m[16:20], 'big')
        s1 = bytearray(m[16 : 16 + l1])
        s1[5:7] = rnd.choice(
            [98, 82, 85, 78, 7, 34, 46, 54, 74, 214, 215, 250, 1098, 98, 98, rnd.randrange(300)]
        ).to_bytes(2, 'big')
        if rnd.random() < 0.1:
            s1[7:9] = (98).to_bytes(2, 'big')
        s1[9] = rnd.choice([5, 27, 32, 33, 34, 35, 36])
        s1[19] = rnd.choice([0, 0, 0, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17])
        if rnd.random() < 0.1:  # calendar
            s1 += rnd.choice([b'\0\0\0', b'\0\1' + blob(4), b'\0\2' + blob(6)])
            s1[0:4] = len(s1).to_bytes(4, 'big')
        n = rnd.choice([2, 4, 12, 17, 20, 30, 60, 120, 400])
        first = rnd.choice(
            [
                0,
                1,
                2,
                3,
                5,
                7,
                9,
                11,
                12,
                14,
                15,
                16,
                18,
                20,
                21,
                24,
                25,
                26,
                28,
                30,
                36,
                38,
                39,
                41,
                42,
                43,
                44,
                45,
                46,
                51,
                52,
                60,
                82,
                83,
                192,
                244,
                300,
                500,
            ]
        )
        b = bytearray(blob(n))
        b[0:2] = first.to_bytes(2, 'big')
        if n > 12:
            b[2:4] = rnd.choice([1, 2, 3, 4, 22, 23, 36, 40, 44]).to_bytes(2, 'big')
            b[4:6] = rnd.choice([2, 9, 10, 11, 17, 30]).to_bytes(2, 'big')
            b[6:8] = rnd.choice([1025, 1035, 1043, 1045, 1082, 1088, 1220, 1248]).to_bytes(2, 'big')
            b[8:12] = b'0001'
        s2 = (5 + n).to_bytes(4, 'big') + b'\2' + bytes(b)
        rest = m[16 + l1 :]
        if rest[4] == 2:
            rest = rest[int.from_bytes(rest[0:4], 'big') :]
        r = bytearray(m[:16] + bytes(s1) + s2 + rest)
        r[8:16] = len(r).to_bytes(8, 'big')
        o.f.write(bytes(r))
        o.n += 1
    o.close()


def marsbytes():
    """Every stream and type the mars labels know, with local sections made by bytes."""
    o = Out('marsbytes')
    rnd = random.Random(12)
    combos = [m.split('.') for m in names('mars', r'grib\.(\w+\.\w+)\.def')]
    eswi = [m.split('.') for m in names('mars/eswi', r'grib\.(\w+\.\w+)\.def')]
    stream = {a: n for n, a in codes('mars/stream.table')}
    type_ = {a: n for n, a in codes('mars/type.table')}
    estream = {a: n for n, a in codes('mars/eswi/stream.table')} or stream
    etype = {a: n for n, a in codes('mars/eswi/type.table')} or type_
    small = lambda n: bytes(rnd.choice([0, 0, 1, 1, 2, 3, 4, 6, 12, 24, 31, 255, rnd.randrange(256)]) for _ in range(n))
    m1 = ec.codes_get_message(g1)
    bases = [ec.codes_get_message(g2)]
    for t in (1, 8, 11, 5, 9, 15, 40, 61, 99, 103):
        h = ec.codes_clone(g2)
        ec.codes_set(h, 'productDefinitionTemplateNumber', t)
        bases.append(ec.codes_get_message(h))

    def first(local, st, ty, size):
        return (
            local
            + bytes([rnd.randrange(1, 60), ty & 255])
            + st.to_bytes(2, 'big')
            + b'0001'
            + small(rnd.choice([0, 4, 20, 60, size]))
        )

    def edition1(st, ty, centre):
        l1 = int.from_bytes(m1[8:11], 'big')
        s1 = bytearray(m1[8:36])
        s1[4] = centre
        s1[15:21] = bytes(
            [
                24,
                rnd.randrange(1, 13),
                rnd.randrange(1, 29),
                rnd.choice([0, 6, 12]),
                0,
                rnd.choice([1, 1, 1, 2, 0, 3, 10, 11]),
            ]
        )[:6]
        s1[17] = rnd.choice([1, 1, 1, 2, 3, 4, 10])
        s1[18] = rnd.choice([0, 6, 24])
        s1[19] = rnd.choice([0, 12, 30])
        s1[20] = rnd.choice([0, 1, 2, 3, 4, 5, 10, 13, 113, 133])
        s1[9] = rnd.choice([1, 100, 102, 105, 109, 111, 160, 210])
        s1[8] = rnd.choice([1, 11, 129, 131, 140, 151, 165, 167, 228, rnd.randrange(256)])
        s1[3] = rnd.choice([128, 128, 2, 131, 140, 162, 172, 228])
        n = rnd.choice(
            [
                1,
                1,
                2,
                3,
                4,
                5,
                6,
                7,
                8,
                9,
                10,
                11,
                13,
                14,
                15,
                16,
                17,
                18,
                19,
                20,
                21,
                23,
                25,
                26,
                27,
                28,
                29,
                30,
                31,
                33,
                35,
                36,
                37,
                38,
                39,
                40,
                42,
                43,
                49,
                50,
            ]
        )
        s1 += bytes(12) + first(bytes([n]), st, ty, 200)
        s1[0:3] = len(s1).to_bytes(3, 'big')
        m = bytearray(m1[:8] + bytes(s1) + m1[8 + l1 :])
        m[4:7] = len(m).to_bytes(3, 'big')
        o.f.write(bytes(m))
        o.n += 1

    def edition2(st, ty, centre):
        m = rnd.choice(bases)
        l1 = int.from_bytes(m[16:20], 'big')
        s1 = bytearray(m[16 : 16 + l1])
        s1[5:7] = centre.to_bytes(2, 'big')
        s1[9] = rnd.choice([5, 27, 32, 33, 34, 35])
        s1[19] = rnd.choice([0, 0, 0, 0, 0, 2] + list(range(3, 20)))
        n = rnd.choice(
            [
                1,
                1,
                1,
                5,
                7,
                9,
                11,
                12,
                14,
                15,
                16,
                18,
                20,
                21,
                24,
                25,
                26,
                28,
                30,
                36,
                38,
                39,
                41,
                42,
                43,
                44,
                45,
                46,
                60,
            ]
        )
        c = first(n.to_bytes(2, 'big'), st, ty, 200)
        b = c[:2] + bytes([0, c[2], 0]) + c[3:] if rnd.random() < 0.9 else c
        s2 = (5 + len(b)).to_bytes(4, 'big') + b'\2' + b
        rest = m[16 + l1 :]
        if rest[4] == 2:
            rest = rest[int.from_bytes(rest[0:4], 'big') :]
        r = bytearray(m[:16] + bytes(s1) + s2 + rest)
        r[8:16] = len(r).to_bytes(8, 'big')
        o.f.write(bytes(r))
        o.n += 1

    for make in (edition1, edition2):
        for st, ty in combos:
            if st in stream and ty in type_:
                for _ in range(4):
                    make(stream[st], type_[ty], 98)
        for st, ty in eswi:
            if st in estream and ty in etype:
                for _ in range(20):
                    make(estream[st], etype[ty], 82)
    o.close()


def datasections():
    """Data sections of every template and flag with bytes made at random, and spectral fields of every packing."""
    o = Out('datasections')
    rnd = random.Random(13)
    for name in ('sh_ml_grib1', 'sh_ml_grib2', 'sh_sfc_grib1', 'sh_pl_grib2'):
        try:
            base = sample(name)
        except Exception:
            continue
        for p in ('spectral_simple', 'spectral_complex', 'spectral_ieee'):
            for bits in (8, 12, 16, 24):
                h = ec.codes_clone(base)
                try:
                    n = ec.codes_get_size(h, 'values')
                    ec.codes_set(h, 'packingType', p)
                    ec.codes_set(h, 'bitsPerValue', bits)
                    ec.codes_set_values(h, [1 / (i + 1) for i in range(n)])
                    o.add(h)
                except Exception:
                    pass
                ec.codes_release(h)
    small = lambda n: bytes(rnd.choice([0, 0, 0, 1, 1, 2, 3, 8, 16, 24, 255, rnd.randrange(256)]) for _ in range(n))
    shapes1 = [ec.codes_get_message(sample(n)) for n in ('GRIB1', 'reduced_gg_pl_32_grib1', 'sh_ml_grib1')]
    shapes2 = [ec.codes_get_message(sample(n)) for n in ('GRIB2', 'reduced_gg_pl_32_grib2', 'sh_ml_grib2')]
    for i in range(1500):
        m = bytearray(rnd.choice(shapes1))
        p = 8
        for _ in range(1 + (m[15] >> 7 & 1) + (m[15] >> 6 & 1)):
            p += int.from_bytes(m[p : p + 3], 'big')
        m[p + 3] = rnd.randrange(16) << 4 | rnd.choice([0, 0, 8, 4])
        m[p + 4 : p + 10] = small(6)
        m[p + 10] = rnd.choice([0, 8, 12, 16])
        m[p + 11 : p + 24] = small(13)
        if rnd.random() < 0.5:
            m[p + 13] = rnd.randrange(256)
        o.f.write(bytes(m))
        o.n += 1
    for i in range(2500):
        m = rnd.choice(shapes2)
        p = 16
        while m[p + 4] != 5:
            p += int.from_bytes(m[p : p + 4], 'big')
        l = int.from_bytes(m[p : p + 4], 'big')
        n = rnd.choice([10, 13, 14, 20, 30, 36, 50])
        s5 = (
            (11 + n).to_bytes(4, 'big')
            + b'\5'
            + m[p + 5 : p + 9]
            + rnd.choice(
                [0, 1, 2, 3, 4, 40, 41, 42, 50, 51, 53, 61, 200, 40000, 40010, 50000, 50001, 50002, 65535]
            ).to_bytes(2, 'big')
            + small(n)
        )
        r = bytearray(m[:p] + s5 + m[p + l :])
        q = p + len(s5)
        if rnd.random() < 0.3:
            r[q + 5] = rnd.choice([0, 1, 253, 254, 255])
        r[8:16] = len(r).to_bytes(8, 'big')
        o.f.write(bytes(r))
        o.n += 1
    o.close()
