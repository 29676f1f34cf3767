"""Lets the reference change our files: every pair merged, each split, copied and encoded again, by its command and its Python.

    .interop/venv/bin/python interop/tgm/check_family.py

What comes out is looked at with both. tgmconv has to show the dataset and the keys that it shows of the files themselves, and the
reference to decode the same values under the same names and units. Then a file of many fields is opened by the reference at an
address: requests and bytes are counted. Exit 1 if anything differs.
"""
import http.server
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading

import numpy as np

try:
    import tensogram
except ImportError as e:
    print('check_family:', e)
    sys.exit(77)

TGMCONV = os.environ.get('TGMCONV', 'bin/tgmconv')
COMMAND = '.interop/cargo/bin/tensogram'
FILES = {
    'levels': 'grib/earthkit/t_pl.grib', 'wind': 'grib/earthkit/wind_20x20.grib', 'reduced': 'grib/earthkit/O32_global.grib2',
    'steps': 'grib/earthkit/t_time_series.grib', 'missing': 'grib/earthkit/test_single_with_missing.grib', 'rotated': 'grib/earthkit/rotated_wind_20x20.grib',
    'packed': 'netcdf/cf_temperature.nc', 'unlimited': 'netcdf/unlimited_time.nc', 'plain': 'netcdf/simple_2d.nc',
}
KEYS = 'name,units,long_name,standard_name,mars.param,mars.levelist,mars.step,dim_names,geometry'
PLAIN = {'encoding': 'none', 'filter': 'none', 'compression': 'none'}
wrong, looked = [], 0


def run(*args):
    r = subprocess.run([str(a) for a in args], capture_output=True, text=True, timeout=120)
    if r.returncode:
        raise RuntimeError(f'{" ".join(map(str, args))}: {r.stderr.strip()[-500:]}')
    return r.stdout


def shown(paths, folder):
    """The labelled dataset and the keys of each object, of the files one after the other: several files keep dimensions of length 1."""
    whole = folder / 'whole.tgm'
    whole.write_bytes(b''.join(path.read_bytes() for path in paths))
    dataset = [line for line in run(TGMCONV, 'info', '--dataset', whole).splitlines(True) if str(whole) not in line]  # the places of objects
    return ''.join(dataset), run(TGMCONV, 'ls', '-j', '-p', KEYS, whole)


def read(*paths):
    """The objects as the reference reads them: name, units and values."""
    found = []
    for path in paths:
        file = tensogram.TensogramFile.open(str(path))
        for i in range(len(file)):
            m = file.decode_message(i)
            found += [(b.get('name'), b.get('units'), a) for b, (_, a) in zip(m.metadata.base, m.objects)]
    return found


def equal(a, b):
    return len(a) == len(b) and all(x[:2] == y[:2] and x[2].dtype == y[2].dtype and np.array_equal(x[2], y[2], equal_nan=x[2].dtype.kind in 'fc')
                                    for x, y in zip(a, b))


def compare(what, results, sources, folder):
    """Compares files with the files that they were made of."""
    global looked
    looked += 1
    try:
        ours, theirs = shown(results, folder), read(*results)
        expected = shown(sources, folder)
        if ours[0] != expected[0]:
            wrong.append(f'{what}: the dataset\n{ours[0]}expected\n{expected[0]}')
        if sorted(keys(ours[1])) != sorted(keys(expected[1])):
            wrong.append(f'{what}: the keys\n{ours[1]}expected\n{expected[1]}')
        if not equal(theirs, read(*sources)):
            wrong.append(f'{what}: the reference reads other names, units or values')
    except Exception as e:
        wrong.append(f'{what}: {e}')


def keys(listing):
    """Lines without the place of the object."""
    return [re.sub(r'"(file|message|object|index)":("[^"]*"|\d+),?', '', line) for line in listing.splitlines()]


def objects(path):
    """The messages of a file as the Python's encoder takes them: metadata of the message, and base and objects."""
    file = tensogram.TensogramFile.open(str(path))
    for i in range(len(file)):
        m = file.decode_message(i)
        base = [{k: v for k, v in b.items() if k != '_reserved_'} for b in m.metadata.base]
        yield dict(m.metadata.extra or {}), base, [({'type': 'ntensor', 'shape': list(a.shape), 'dtype': str(a.dtype), **PLAIN}, a) for _, a in m.objects]


def encode(extra, base, arrays):
    return tensogram.encode({'base': base, **({'_extra_': extra} if extra else {})}, arrays, allow_nan=True)


def encoded(path, out):
    out.write_bytes(b''.join(encode(*m) for m in objects(path)))


def streamed(path, out):
    whole = b''
    for extra, base, arrays in objects(path):
        s = tensogram.StreamingEncoder({'base': base, **({'_extra_': extra} if extra else {})}, allow_nan=True)
        for descriptor, values in arrays:
            s.write_object(descriptor, values)
        whole += s.finish_backfilled()
    out.write_bytes(whole)


def separate(path, out):
    out.write_bytes(b''.join(encode(extra, [b], [a]) for extra, base, arrays in objects(path) for b, a in zip(base, arrays)))


def merged(a, b, out):
    extra, base, arrays = {}, [], []
    for m in (*objects(a), *objects(b)):
        extra, base, arrays = {**m[0], **extra}, base + m[1], arrays + m[2]  # as the command's merge does
    out.write_bytes(encode(extra, base, arrays))


def joined(a, b, out):
    out.write_bytes(b''.join(f.read_message(i) for f in map(tensogram.TensogramFile.open, (str(a), str(b))) for i in range(len(f))))


def command(verb):
    return lambda *paths: run(COMMAND, verb, '--allow-nan', *paths[:-1], *(('-o', paths[-1]) if verb != 'copy' else (paths[-1],)))


class Counted(http.server.SimpleHTTPRequestHandler):
    """A server that answers ranges and notes them."""
    noted, folder = [], None
    protocol_version = 'HTTP/1.1'

    def log_message(self, *args):
        pass

    def do_HEAD(self):
        self.do_GET(body=False)

    def do_GET(self, body=True):
        data = (self.folder / self.path[1:]).read_bytes()
        asked = re.match(r'bytes=(\d+)-(\d*)', self.headers.get('Range', ''))
        first, last = (int(asked[1]), min(int(asked[2] or len(data)), len(data) - 1)) if asked else (0, len(data) - 1)
        self.send_response(206 if asked else 200)
        self.send_header('Content-Length', str(last - first + 1))
        self.send_header('Accept-Ranges', 'bytes')
        if asked:
            self.send_header('Content-Range', f'bytes {first}-{last}/{len(data)}')
        self.end_headers()
        if body:
            self.noted.append(last - first + 1)
            self.wfile.write(data[first:last + 1])


def remote(folder):
    """A file of many fields, at an address, opened by the reference."""
    import eccodes
    with open('fixtures/grib/earthkit/wind_20x20.grib', 'rb') as f:
        h = eccodes.codes_grib_new_from_file(f)
    with open(folder / 'many.grib', 'wb') as f:
        for step in range(700):
            eccodes.codes_set(h, 'step', step)
            eccodes.codes_write(h, f)
    run(TGMCONV, 'convert', '-q', '-o', folder / 'many.tgm', folder / 'many.grib')
    Counted.folder = folder
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Counted)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f'http://127.0.0.1:{server.server_address[1]}/many.tgm'
    file = tensogram.TensogramFile.open_remote(address, {'allow_http': 'true'})
    opened = len(Counted.noted)
    base = file.file_decode_metadata(0).base
    got = file.file_decode_object(0, 500)['data']
    requests, size = len(Counted.noted), sum(Counted.noted)
    with open(folder / 'many.grib', 'rb') as f:
        for _ in range(501):
            h = eccodes.codes_grib_new_from_file(f)
    want = eccodes.codes_get_values(h)
    print(f'check_family: at an address, {len(base)} objects: opened with {opened} requests, one field with {requests} in all, {size} of {(folder / "many.tgm").stat().st_size} bytes')
    if len(base) < 700 or base[500]['mars']['step'] != 500 or not np.array_equal(np.ravel(got), want) or requests > 5:
        wrong.append('at an address: other values, or more requests than preamble, postamble, footer and object need')
    ours = [run(TGMCONV, 'ls', '-j', '-p', KEYS, path) for path in (address, folder / 'many.tgm')]
    if ours[0] != ours[1]:
        wrong.append('tgmconv lists other objects at the address')


def main():
    with tempfile.TemporaryDirectory() as d:
        d = pathlib.Path(d)
        paths = {}
        for name, source in FILES.items():
            paths[name] = d / f'{name}.tgm'
            run(TGMCONV, 'convert', '-q', '-o', paths[name], f'fixtures/{source}')
        has = os.path.exists(COMMAND)
        out = d / 'out.tgm'
        alone = {'encoded': encoded, 'streamed': streamed, 'separate': separate} | ({f'command {v}': command(v) for v in ('copy', 'reshuffle')} if has else {})
        pairs = {'merged': merged, 'joined': joined} | ({'command merge': command('merge')} if has else {})
        for name, path in paths.items():
            for way, do in alone.items():
                try:
                    do(path, out)
                except Exception as e:
                    wrong.append(f'{way} {name}: {e}')
                    continue
                compare(f'{way} {name}', [out], [path], d)
            if has:
                (d / name).mkdir()
                run(COMMAND, 'split', '--allow-nan', path, '-o', d / name / 'part_[index].tgm')
                compare(f'command split {name}', sorted((d / name).iterdir()), [path], d)
        for a, b in itertools.combinations(paths, 2):
            for way, do in pairs.items():
                try:
                    do(paths[a], paths[b], out)
                except Exception as e:
                    wrong.append(f'{way} {a}, {b}: {e}')
                    continue
                compare(f'{way} {a}, {b}', [out], [paths[a], paths[b]], d)
        remote(d)
    for w in wrong:
        print('check_family:', w)
    print(f'check_family: {looked} files made by the reference of ours{"" if has else ", without its command"}: {len(wrong)} differences')
    return 1 if wrong else 0


sys.exit(main())
