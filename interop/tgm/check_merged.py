"""Messages that the reference joins by its rules: base is concatenated, and one _extra_ is kept.

    .interop/venv/bin/python interop/tgm/check_merged.py

Fields of different grids and parameters, in both orders: what tgmconv shows of the joined message is what it shows of each file.
With the reference's command, if it is installed, its own merge is looked at as well. Exit 1 if anything differs.
"""
import os
import subprocess
import sys
import tempfile

try:
    import tensogram
except ImportError as e:
    print('check_merged:', e)
    sys.exit(77)

TGMCONV = os.environ.get('TGMCONV', 'bin/tgmconv')
REFERENCE = '.interop/cargo/bin/tensogram'
FILES = ['fixtures/grib/earthkit/t_pl.grib', 'fixtures/grib/earthkit/wind_20x20.grib']
KEYS = 'name,grib_repro.paramId,grib_repro.shortName,grib_repro.level,geometry,grib_repro'


def run(*args):
    r = subprocess.run(args, capture_output=True, text=True, timeout=120)
    if r.returncode:
        sys.exit(f'check_merged: {args}: {r.stderr}')
    return r.stdout


def joined(paths, out):
    """The messages of files as one, by the reference's decoder and encoder."""
    base, objects, extra = [], [], None
    for path in paths:
        m = tensogram.TensogramFile.open(path).decode_message(0)
        extra = extra if extra is not None else dict(m.metadata.extra or {})
        base += [{k: v for k, v in b.items() if k != '_reserved_'} for b in m.metadata.base]
        objects += [({'type': 'ntensor', 'shape': list(a.shape), 'dtype': str(a.dtype), 'encoding': 'none', 'filter': 'none', 'compression': 'none'}, a)
                    for _, a in m.objects]
    with open(out, 'wb') as f:
        f.write(tensogram.encode({'version': 3, 'base': base, **({'_extra_': extra} if extra else {})}, objects))


def main():
    wrong = 0
    with tempfile.TemporaryDirectory() as d:
        paths, shown = [], []
        for i, path in enumerate(FILES):
            paths.append(f'{d}/{i}.tgm')
            run(TGMCONV, 'convert', '-q', '-o', paths[i], path)
            shown.append(run(TGMCONV, 'get', '-p', KEYS, paths[i]))
        ways = [('joined', joined)]
        if os.path.exists(REFERENCE):
            ways.append(('merge', lambda paths, out: run(REFERENCE, 'merge', *paths, '-o', out)))
        for name, way in ways:
            for order in ([0, 1], [1, 0]):
                out = f'{d}/{name}.tgm'
                way([paths[i] for i in order], out)
                got, want = run(TGMCONV, 'get', '-p', KEYS, out), ''.join(shown[i] for i in order)
                ok = got == want and 'OK' in run(TGMCONV, 'validate', '--full', out)
                wrong += not ok
                print('check_merged:', name, order, 'equal' if ok else f'DIFFERS:\n{got}\nexpected\n{want}')
    return 1 if wrong else 0


sys.exit(main())
