"""Measures commands against what is asked of them, one figure a line, beside a peer where there is one.

    .interop/venv/bin/python bench/rows.py TGMCONV [ROW...]

Times are processor time (user and system) of whole processes, the least of some runs that alternate with those of the peer. TGMCONV
should be stripped, as releases are: its size and its start are rows too. Inputs are made once, in .bench/rows.

The peak memory of a child is at least that of this process, whose memory it has until it is a program of its own. So all that takes
memory, numpy included, is left to other processes, and this one takes 20 MB.
"""
import functools
import glob
import http.server
import os
import re
import shutil
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FIXTURES = os.path.join(ROOT, 'fixtures/grib')
DIR = os.path.join(ROOT, '.bench/rows')
TGMCONV = ''
ROWS = {}


def row(function):
    ROWS[function.__name__] = function
    return function


def report(name, asked, reached, detail=''):
    print(f'{name:<44} asked {asked:<22} reached {reached:<22} {detail}', flush=True)


def spent(*command, output=os.devnull, env=None):
    """Runs a command; returns its processor time, its peak memory in MB, and its time by the clock."""
    with open(output, 'wb') as out:
        start = time.monotonic()
        actions = [(os.POSIX_SPAWN_DUP2, out.fileno(), 1), (os.POSIX_SPAWN_DUP2, out.fileno(), 2)]
        pid = os.posix_spawnp(command[0], command, {**os.environ, **(env or {})}, file_actions=actions)
        _, status, used = os.wait4(pid, 0)
    if status:
        sys.exit(f'{" ".join(command)}: status {status}')
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, time.monotonic() - start


def least(n, *commands, **options):
    """The least of each figure of n runs of each command, in turn."""
    runs = [[spent(*c, **options) for c in commands] for _ in range(n)]
    return [tuple(map(min, zip(*(r[i] for r in runs)))) for i in range(len(commands))]


def made(name):
    """The path of an input, which the decorated function writes unless it is there."""
    path = os.path.join(DIR, name)

    def decorate(make):
        @functools.cache
        def get():
            if not os.path.exists(path):
                pid = os.fork()
                if pid == 0:
                    status = 1
                    try:
                        make(path + '.part')
                        os.replace(path + '.part', path)
                        status = 0
                    finally:
                        os._exit(status)
                if os.waitpid(pid, 0)[1]:
                    sys.exit(f'{path} was not made')
            return path
        return get
    return decorate


def convert(source, path, *flags):
    spent(TGMCONV, 'convert', '--quiet', '--force', *flags, source, path + '.tgm')
    os.replace(path + '.tgm', path)


@made('tiny.grib2')
def tiny(path):
    """100 000 messages of 195 bytes, whose labels differ."""
    import eccodes
    import numpy
    h = eccodes.codes_grib_new_from_samples('regular_ll_sfc_grib2')
    keys = {'Ni': 4, 'Nj': 4, 'latitudeOfFirstGridPointInDegrees': 3, 'latitudeOfLastGridPointInDegrees': 0,
            'longitudeOfFirstGridPointInDegrees': 0, 'longitudeOfLastGridPointInDegrees': 3, 'iDirectionIncrementInDegrees': 1,
            'jDirectionIncrementInDegrees': 1, 'typeOfLevel': 'isobaricInhPa', 'bitsPerValue': 8}
    for key, value in keys.items():
        eccodes.codes_set(h, key, value)
    eccodes.codes_set_values(h, numpy.arange(16.0))
    with open(path, 'wb') as f:
        for step in range(100):
            eccodes.codes_set(h, 'step', step)
            for level in range(1, 1001):
                eccodes.codes_set(h, 'level', level)
                f.write(eccodes.codes_get_message(h))


@made('tiny.tgm')
def tiny_messages(path):
    """The same with a message for each field."""
    convert(tiny(), path)


@made('large.grib2')
def large(path):
    """A field of 25 million values in CCSDS packing of 16 bits."""
    import eccodes
    import numpy
    h = eccodes.codes_grib_new_from_samples('regular_ll_sfc_grib2')
    for key, value in {'Ni': 7072, 'Nj': 3536, 'latitudeOfFirstGridPointInDegrees': 89.9, 'latitudeOfLastGridPointInDegrees': -89.9,
                       'longitudeOfFirstGridPointInDegrees': 0, 'longitudeOfLastGridPointInDegrees': 359.9, 'bitsPerValue': 16}.items():
        eccodes.codes_set(h, key, value)
    y, x = numpy.mgrid[0:3536, 0:7072]
    values = 280 + 30 * numpy.cos(y / 900) * numpy.sin(x / 700) + numpy.random.default_rng(1).normal(0, 0.1, y.shape)
    eccodes.codes_set(h, 'packingType', 'grid_ccsds')
    eccodes.codes_set_values(h, values.ravel())
    with open(path, 'wb') as f:
        f.write(eccodes.codes_get_message(h))


@made('500.grib2')
def fields(path):
    """500 ECMWF fields of 0.25 degrees, as bench/endtoend has them."""
    parts = [open(os.path.join(FIXTURES, name), 'rb').read() for name in ('2t.grib2', 'q_150.grib2')]
    with open(path, 'wb') as f:
        for i in range(500):
            f.write(parts[i % 2])


@row
def tiny_fields():
    out = os.path.join(DIR, 'out.tgm')
    (cpu, memory, _), = least(3, (TGMCONV, 'convert-grib', '--quiet', '--force', '-o', out, tiny()))
    beyond = (os.path.getsize(out) - os.path.getsize(tiny())) / 1e5
    report('convert-grib of 100 000 fields of 195 bytes', '60 us, 1100 bytes', f'{cpu * 10:.0f} us, {beyond:.0f} bytes', f'a field, beyond the GRIB; {memory:.0f} MB')


@row
def packings():
    inputs = [f for f in glob.glob(os.path.join(ROOT, '.bench/grib_*.grib')) if re.search('PNG|complex|differencing|JPEG', f)]
    inputs += [os.path.join(FIXTURES, 'gfs_2p50_f000.grib2')]
    out = os.path.join(DIR, 'out.tgm')
    if len(inputs) == 1:
        print('packings: bench/grib makes the inputs: run it first')
    for path in sorted(inputs):
        spent(TGMCONV, 'convert', '--quiet', '--force', path, out)
        report('size of ' + os.path.basename(path), '1.3', f'{os.path.getsize(out) / os.path.getsize(path):.3f}', 'of the GRIB')


@row
def catalogue():
    cache = os.path.join(DIR, 'cache')
    shutil.rmtree(cache, ignore_errors=True)
    env = {'XDG_CACHE_HOME': cache}
    first = spent(TGMCONV, 'info', '--dataset', tiny(), env=env)
    (cpu, memory, _), = least(3, (TGMCONV, 'info', '--dataset', tiny()), env=env)
    report('catalogue of 100 000 GRIB messages', '3 s, then 0.1 s', f'{first[0]:.2f} s, then {cpu:.2f} s', f'{first[1]:.0f} and {memory:.0f} MB')


@row
def many_objects():
    messages = tiny_messages()
    info, ls = least(3, (TGMCONV, 'info', messages), (TGMCONV, 'ls', messages))
    report('info and ls of 100 000 objects', '3 us, 15 us', f'{info[0] * 10:.1f} us, {ls[0] * 10:.1f} us', f'a message and an object, {os.path.getsize(messages) >> 20} MB; {info[1]:.0f} and {ls[1]:.0f} MB')


NUMPY = '''
import sys, eccodes, numpy
with open(sys.argv[1], "rb") as f:
    v = eccodes.codes_get_values(eccodes.codes_grib_new_from_file(f))
print(v.min(), v.max(), v.mean(), v.std(), numpy.quantile(v, [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99]), numpy.histogram(v, 20))
'''


VERSIONS = 'import eccodes, numpy; print("ecCodes", eccodes.codes_get_api_version(), "numpy", numpy.__version__)'


@row
def statistics():
    ours, theirs = least(3, (TGMCONV, 'stats', large()), (sys.executable, '-c', NUMPY, large()))
    report('stats of 25 million values, GRIB', '1.5 of numpy, 180 MB', f'{theirs[0] / ours[0]:.2f} of numpy, {ours[1]:.0f} MB', f'{ours[0]:.2f} s; numpy {theirs[0]:.2f} s, {theirs[1]:.0f} MB')


@row
def plot():
    (cpu, _, _), = least(5, (TGMCONV, 'plot', '-o', os.path.join(DIR, 'out.png'), os.path.join(FIXTURES, '2t.grib2')))
    report('plot of a 0.25 degree field', '0.2 s', f'{cpu:.2f} s')


class Ranges(http.server.SimpleHTTPRequestHandler):
    """Serves ranges of files, and counts what it sends."""
    protocol_version = 'HTTP/1.1'
    requests = sent = 0

    def log_message(self, *args):
        pass

    def do_GET(self):
        path = self.translate_path(self.path)
        if not os.path.isfile(path):
            return self.send_error(404)
        size = os.path.getsize(path)
        wanted = re.fullmatch(r'bytes=(\d*)-(\d*)', self.headers.get('Range', ''))
        first, last = 0, size - 1
        if wanted and wanted[1]:
            first, last = int(wanted[1]), min(int(wanted[2] or last), last)
        elif wanted:
            first = size - int(wanted[2])
        self.send_response(206 if wanted else 200)
        if wanted:
            self.send_header('Content-Range', f'bytes {first}-{last}/{size}')
        self.send_header('ETag', '"1"')
        self.send_header('Accept-Ranges', 'bytes')
        self.send_header('Content-Length', str(last + 1 - first))
        self.end_headers()
        Ranges.requests += 1
        if self.command == 'GET':
            with open(path, 'rb') as f:
                f.seek(first)
                while first <= last:
                    part = f.read(min(1 << 16, last + 1 - first))
                    try:
                        self.wfile.write(part)
                    except OSError:
                        return
                    first += len(part)
                    Ranges.sent += len(part)

    do_HEAD = do_GET


@row
def over_http():
    path = os.path.join(DIR, 'one.tgm')
    if not os.path.exists(path):
        convert(os.path.join(FIXTURES, '2t.grib2'), path)
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), functools.partial(Ranges, directory=DIR))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    cache = {'XDG_CACHE_HOME': os.path.join(DIR, 'cache')}
    for what, command in {'values': ('values', '-w', 'shortName=2t'), 'stats': ('stats',)}.items():
        Ranges.requests = Ranges.sent = 0
        spent(TGMCONV, *command, f'http://127.0.0.1:{server.server_port}/one.tgm', env=cache)
        report(f'a whole object over HTTP, by {what}', '1.05, 4 requests', f'{Ranges.sent / os.path.getsize(path):.2f}, {Ranges.requests} requests', f'of {os.path.getsize(path)} bytes')
    server.shutdown()


@row
def start():
    one = os.path.join(DIR, 'one.tgm')
    if not os.path.exists(one):
        convert(os.path.join(FIXTURES, '2t.grib2'), one)
    version, ls, true = least(40, (TGMCONV, '--version'), (TGMCONV, 'ls', one), ('true',))
    report('start: --version, ls of a message', '6 ms, 9 ms', f'{version[0] * 1e3:.1f} ms, {ls[0] * 1e3:.1f} ms', f'true: {true[0] * 1e3:.1f} ms')


@row
def size():
    sections = {m[1]: int(m[2], 16) for m in re.finditer(r'\] (\.\S+) +\S+ +[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+)', subprocess.run(['readelf', '-SW', TGMCONV], capture_output=True, text=True, check=True).stdout)}
    parts = {'code': ['.text'], 'line tables': ['.gopclntab'], 'data': ['.rodata', '.noptrdata', '.data', '.typelink', '.itablink']}
    detail = ', '.join(f'{name} {sum(sections.get(s, 0) for s in list) / 1e6:.1f}' for name, list in parts.items())
    report('stripped program', '42 MB', f'{os.path.getsize(TGMCONV) / 1e6:.1f} MB', detail)


@row
def threads():
    # In memory, since an output is synced, for which a busy disk takes longer than all else; cp does not sync.
    out = os.path.join('/dev/shm' if os.path.isdir('/dev/shm') else DIR, 'tgmconv-rows.tgm')
    command = (TGMCONV, 'convert-grib', '--quiet', '--force', '-o', out, fields())
    runs = {n: least(5, command, env={'GOMAXPROCS': str(n)})[0] for n in (1, 2)}
    one, two = runs[1], runs[2]
    cp, = least(5, ('cp', '--reflink=never', fields(), out))
    os.remove(out)
    report('convert-grib of 500 fields, threads 1 to 2', '1.85', f'{one[2] / two[2]:.2f} by the clock',
           f'{one[2]:.2f} and {two[2]:.2f} s, {one[0]:.2f} and {two[0]:.2f} s of processor time; cp {cp[0]:.2f} s')


def main():
    global TGMCONV
    TGMCONV, *names = sys.argv[1:]
    TGMCONV = os.path.abspath(TGMCONV)
    os.makedirs(DIR, exist_ok=True)
    load = os.getloadavg()[0]
    for name in names or ROWS:
        ROWS[name]()
    print(f'load {load:.0f} at the beginning, {os.getloadavg()[0]:.0f} at the end')
    subprocess.run([sys.executable, '-c', VERSIONS], check=True)


if __name__ == '__main__':
    main()
