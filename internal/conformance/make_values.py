"""Makes values/: 260 elements of each type, little-endian, finite (TYPE.bin) and with NaN and infinities (TYPE-holes.bin).

    python make_values.py
"""

import pathlib

import numpy as np

OUT = pathlib.Path(__file__).parent / "values"
N = 260
smooth = 280 + 30 * np.sin(np.arange(N) / 17) + np.random.default_rng(1).normal(size=N)


def holes(a, nan, plus, minus):
    a = a.copy()
    a[3::17], a[5], a[7:130:29] = nan, plus, minus
    return a


OUT.mkdir(exist_ok=True)
for name in "int8 int16 int32 int64 uint8 uint16 uint32 uint64".split():
    (OUT / f"{name}.bin").write_bytes(np.floor(smooth * 1.7).astype(np.int64).astype(name).tobytes())
for name in "float16 float32 float64 complex64 complex128".split():
    a = (smooth - 1j * smooth if name.startswith("c") else smooth).astype(name)
    both = (lambda x: complex(x, x)) if name.startswith("c") else (lambda x: x)
    (OUT / f"{name}.bin").write_bytes(a.tobytes())
    (OUT / f"{name}-holes.bin").write_bytes(holes(a, both(np.nan), both(np.inf), both(-np.inf)).tobytes())
brain = (smooth.astype("<f4").view("<u4") >> 16).astype("<u2")
(OUT / "bfloat16.bin").write_bytes(brain.tobytes())
(OUT / "bfloat16-holes.bin").write_bytes(holes(brain, 0x7FC0, 0x7F80, 0xFF80).tobytes())
(OUT / "bitmask.bin").write_bytes(np.packbits(np.arange(N) % 7 < 3).tobytes())
