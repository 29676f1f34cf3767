"""Compares the labelled dataset of `tgmconv serve` with xarray and cfgrib, in one run.

    .interop/venv/bin/python bench/zarr/labelled.py TGMCONV

Prints processor time and ratios: 100 fields of 0.25 degrees opened and read in xarray with dask and in zarr-python; a GRIB file of
550 MB on a server with a latency of 20 ms; 100 000 messages opened, at first and from the index.
"""
import http.server
import importlib.util
import itertools
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import eccodes

FIXTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../fixtures/grib/')
TIMED = '''
import sys, time, warnings, dask, xarray, zarr, cfgrib
warnings.filterwarnings("ignore")
def values(d):
    return sum(v.values.nbytes for v in d.data_vars.values())
{}
start, clock = time.process_time(), time.monotonic()
{}
print(time.process_time() - start, time.monotonic() - clock)
'''
READERS = {
    'xarray with cfgrib': 'values(xarray.open_dataset(sys.argv[1], engine="cfgrib", chunks={"step": 1}))',
    'xarray': 'values(xarray.open_zarr(sys.argv[1]))',
    'xarray without dask': 'values(xarray.open_zarr(sys.argv[1], chunks=None))',
    'zarr-python': '[a[:].nbytes for _, a in zarr.open_group(sys.argv[1], mode="r").arrays() if a.ndim > 2]',
}
OBSTORE = '''
from obstore.store import HTTPStore
sys.argv[1] = zarr.storage.ObjectStore(HTTPStore.from_url(sys.argv[1], client_options={"allow_http": True}), read_only=True)
'''
# The bound: the same chunks without HTTP, in memory before the clock starts.
MEMORY = '''
import itertools, json, urllib.request
from zarr.core.buffer import cpu
def get(key):
    return cpu.Buffer.from_bytes(urllib.request.urlopen(sys.argv[1].rstrip("/") + "/" + key).read())
held = {"zarr.json": get("zarr.json")}
for name, a in json.loads(held["zarr.json"].to_bytes())["consolidated_metadata"]["metadata"].items():
    if a["node_type"] == "array":
        for at in itertools.product(*(range(-(-n // c)) for n, c in zip(a["shape"], a["chunk_grid"]["configuration"]["chunk_shape"]))):
            key = "/".join([name, "c", *map(str, at)])
            held[key] = get(key)
sys.argv[1] = zarr.storage.MemoryStore(held, read_only=True)
'''
# What runs before the clock starts, and after.
CLIENTS = {'': ('', ''), 'obstore': ('', OBSTORE), 'from memory': (MEMORY, '')}
if not importlib.util.find_spec('obstore'):
    del CLIENTS['obstore']


def message(name, **keys):
    with open(FIXTURES + name, 'rb') as f:
        h = eccodes.codes_grib_new_from_file(f)
    for key, value in keys.items():
        eccodes.codes_set(h, key, value)
    data = eccodes.codes_get_message(h)
    eccodes.codes_release(h)
    return data


def hundred(path):
    with open(path, 'wb') as f:
        for step in range(0, 150, 3):  # the same for both: cfgrib leaves out what has other steps
            f.write(message('2t.grib2', step=step))
            f.write(message('q_150.grib2', step=step))


def large(path):
    with open(path, 'wb') as f:
        for step in range(0, 840):
            f.write(message('2t.grib2', step=step))


def many(path):
    h = eccodes.codes_grib_new_from_samples('regular_ll_pl_grib2')
    eccodes.codes_set(h, 'productDefinitionTemplateNumber', 1)
    with open(path, 'wb') as f:
        for date in range(20260101, 20260111):
            eccodes.codes_set(h, 'dataDate', date)
            for step in range(100):
                eccodes.codes_set(h, 'step', step)
                for number in range(10):
                    eccodes.codes_set(h, 'number', number)
                    for level in range(100, 1100, 100):
                        eccodes.codes_set(h, 'level', level)
                        eccodes.codes_write(h, f)


def cpu(pid):
    with open(f'/proc/{pid}/stat') as f:
        fields = f.read().rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


def timed(reader, arg, client=''):
    """Processor time and time by the clock of a reader, with the HTTP client of fsspec or another of CLIENTS."""
    before, begin = CLIENTS[client]
    program = TIMED.format(before, begin + READERS[reader])
    out = subprocess.run([sys.executable, '-c', program, arg], check=True, stdout=subprocess.PIPE).stdout
    return tuple(map(float, out.split()))


def serve(tgmconv, *args):
    p = subprocess.Popen([tgmconv, 'serve', '--addr', '127.0.0.1:0', *args], stdout=subprocess.PIPE, text=True)
    return p, re.search(r'http\S+', p.stdout.readline().split(' at ')[1]).group(0)


def reading(tgmconv, path):
    timed('xarray with cfgrib', path)  # which writes its index
    runs = {}
    for _ in range(5):
        runs.setdefault('xarray with cfgrib', []).append(timed('xarray with cfgrib', path))
        for name, flags, client in itertools.product(list(READERS)[1:], ([], ['--dtype', 'float32']), CLIENTS):
            p, url = serve(tgmconv, *flags, path)
            before = cpu(p.pid)
            took, clock = timed(name, url, client)
            server = 0 if client == 'from memory' else cpu(p.pid) - before
            p.kill()
            p.wait()
            runs.setdefault(' '.join(filter(None, [name, *flags, client])), []).append((took + server, clock, server))
    cfgrib = [statistics.median(column) for column in zip(*runs['xarray with cfgrib'])]
    for name, taken in runs.items():
        took, clock, *server = [statistics.median(column) for column in zip(*taken)]
        print(f'  {name:44} {took:5.2f} s of CPU ({server[0] if server else 0:.2f} of it the server): {cfgrib[0] / took:.2f} of cfgrib;'
              f' {clock:5.2f} s by the clock: {cfgrib[1] / clock:.2f}')


class Ranges(http.server.BaseHTTPRequestHandler):
    """Answers ranges of one file after 20 ms, and counts bytes."""
    protocol_version = 'HTTP/1.1'
    path_served, sent, requests = '', 0, 0

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.do_GET()

    def do_GET(self):
        time.sleep(0.02)
        size = os.path.getsize(Ranges.path_served)
        m = re.match(r'bytes=(\d+)-(\d*)', self.headers.get('Range', ''))
        first, last = (int(m[1]), min(int(m[2] or size - 1), size - 1)) if m else (0, size - 1)
        self.send_response(206 if m else 200)
        if m:
            self.send_header('Content-Range', f'bytes {first}-{last}/{size}')
        self.send_header('Accept-Ranges', 'bytes')
        self.send_header('ETag', '"1"')
        self.send_header('Content-Length', str(last - first + 1))
        self.end_headers()
        Ranges.requests += 1
        if self.command == 'HEAD':
            return
        with open(Ranges.path_served, 'rb') as f:
            f.seek(first)
            data = f.read(last - first + 1)
        Ranges.sent += len(data)
        try:
            self.wfile.write(data)
        except OSError:
            self.close_connection = True


def remote(tgmconv, path):
    Ranges.path_served = path
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Ranges)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    start = time.monotonic()
    p, _ = serve(tgmconv, '--index', 'none', f'http://127.0.0.1:{server.server_port}/large.grib')
    print(f'  {os.path.getsize(path) >> 20} MB opened with {Ranges.sent / 1e6:.2f} MB of transfer, {Ranges.requests} requests, {time.monotonic() - start:.0f} s')
    p.kill()
    p.wait()
    server.shutdown()


def indexed(tgmconv, folder):
    grib, tgm = folder + '/many.grib', folder + '/many.tgm'
    many(grib)
    subprocess.run([tgmconv, 'convert', '-q', '-o', tgm, grib], check=True)
    environment = dict(os.environ, XDG_CACHE_HOME=folder)
    for path in tgm, grib:
        for index, what in ('none', 'without index'), ('cache', 'writing the index'), ('cache', 'from the index'):
            before = os.times()
            start = time.monotonic()
            subprocess.run([tgmconv, 'info', '--dataset', '--index', index, path], check=True, env=environment, stdout=subprocess.DEVNULL)
            after = os.times()
            took = after.children_user + after.children_system - before.children_user - before.children_system
            print(f'  {os.path.basename(path):10} {what:18} {took:5.2f} s of CPU, {time.monotonic() - start:5.2f} s')


def main():
    tgmconv = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        path = folder + '/fields.grib'
        print('100 fields of 0.25 degrees')
        hundred(path)
        reading(tgmconv, path)
        print('a GRIB file over HTTP, latency 20 ms')
        large(path)
        remote(tgmconv, path)
        os.remove(path)
        print('100 000 messages')
        indexed(tgmconv, folder)


if __name__ == '__main__':
    main()
