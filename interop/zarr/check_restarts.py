"""Changes the files of served folders again and again, and reads with clients that opened the dataset before.

    python check_restarts.py [TGMCONV [CHANGES [SEED]]]

zarr-python (by fsspec and by obstore), xarray and zarrita open the dataset at random moments, and keep what they read
then. After each change a server is started again on its port, or goes on and looks, or a second one with the same index
takes part behind a balancer. No client may ever read a value of another label than it knows; a new client must read
everything that is there; and where files are only removed, appended and replaced, most reads of old clients succeed.
"""
import collections
import contextlib
import datetime
import http.client
import http.server
import json
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

import eccodes
import netCDF4
import numpy
import obstore.store
import xarray
import zarr
import zarr.storage

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import served

EPOCH = datetime.date(2020, 1, 1)
MODULES = os.path.join(served.ROOT, '.interop/node/node_modules')


class Folder:
    """A folder with a file for each day. All values of a day are 100 times its number, and how often it was written."""

    def __init__(self, path, kind, days):
        self.path, self.kind = path, kind
        self.variable = {'netcdf': 't', 'grib': 't2m'}[kind]
        self.values = {}  # by day
        self.ever = set()  # all values that days had
        self.written = 0
        for day in days:
            self.write(day)

    def file(self, day):
        return os.path.join(self.path, f'{day:05}.' + {'netcdf': 'nc', 'grib': 'grib2'}[self.kind])

    def write(self, day):
        self.written += 1
        value = 100. * day + self.written % 100
        new = os.path.join(self.path, '.new')
        getattr(self, self.kind)(new, day, value)
        os.rename(new, self.file(day))
        self.values[day] = value
        self.ever.add((day, value))

    def netcdf(self, path, day, value):
        with netCDF4.Dataset(path, 'w') as f:
            for name, n in ('time', 1), ('lat', 2), ('lon', 3):
                f.createDimension(name, n)
                f.createVariable(name, 'f8', (name,))[:] = numpy.arange(n)
            f['time'][:] = day
            f['time'].units = f'days since {EPOCH}'
            f['lat'].units, f['lon'].units = 'degrees_north', 'degrees_east'
            f.createVariable('t', 'f8', ('time', 'lat', 'lon'), fill_value=numpy.nan)[:] = value

    def grib(self, path, day, value):
        with open(os.path.join(served.ROOT, 'fixtures/grib/sanity.grib2'), 'rb') as f:
            message = eccodes.codes_grib_new_from_file(f)
        eccodes.codes_set(message, 'dataDate', int((EPOCH + datetime.timedelta(day)).strftime('%Y%m%d')))
        eccodes.codes_set_values(message, numpy.full(16, value))
        with open(path, 'wb') as f:
            eccodes.codes_write(message, f)
        eccodes.codes_release(message)

    def remove(self, day):
        os.remove(self.file(day))
        del self.values[day]

    def change(self, inserts):
        """Changes a file, and returns what it did."""
        days = sorted(self.values)
        chances = {'rolled': 4, 'removed': 5, 'appended': 4, 'replaced': 2, 'inserted': 3 if inserts else 0}
        if len(days) < 5:
            chances['removed'] = chances['rolled'] = 0
        if len(days) > 12:
            chances['appended'] = 0
        what = random.choices(list(chances), list(chances.values()))[0]
        free = [day for day in range(days[0], days[-1]) if day not in self.values]
        if what == 'inserted' and free:
            self.write(random.choice(free))
        elif what == 'replaced':
            self.write(random.choice(days))
        elif what == 'removed':
            self.remove(random.choice(days[1:-1]))
        else:
            if what == 'rolled':
                self.remove(days[0])
            else:
                what = 'appended'
            self.write(days[-1] + random.randint(1, 3))
        return what


class Server:
    """A server of a folder on one port, which can be started again."""

    def __init__(self, tgmconv, folder, watch):
        self.tgmconv, self.folder, self.watch = tgmconv, folder, watch
        with socket.socket() as s:
            s.bind(('127.0.0.1', 0))
            self.port = s.getsockname()[1]
        self.running = contextlib.ExitStack()
        self.start()

    def start(self):
        self.running.close()
        self.url = self.running.enter_context(served.served(
            self.tgmconv, '--addr', f'127.0.0.1:{self.port}', '--index', 'beside', '--min-fill', '0.001',
            *(['--watch=50ms'] if self.watch else []), self.folder.path)).rstrip('/')

    def get(self, name):
        with urllib.request.urlopen(f'{self.url}/{name}') as f:
            return f.read()

    def waiting(self):
        """The days whose files are left out for now, as the report says."""
        bad = [text for text in json.loads(self.get('@report.json')).get('bad') or [] if ': waits' in text]
        return {day for day in self.folder.values if any(os.path.basename(self.folder.file(day)) + ': waits' in text for text in bad)}

    def wait(self):
        """Waits until the server has seen the last change."""
        end = time.monotonic() + 60
        while True:
            try:
                c = ZarrPython(f'{self.url}/{self.snapshot()}', self.folder)
                if {day: c.read(i) for i, day in enumerate(c.days)} == self.folder.values:
                    return
            except Exception:
                if time.monotonic() > end:
                    raise
            if time.monotonic() > end:
                raise RuntimeError(f'the server does not show {self.folder.values}')
            time.sleep(.02)

    def snapshot(self):
        """The folder of the snapshot, from the page: who reads metadata is a client whose keys are kept."""
        return re.search('@[0-9a-f]{32}', self.get('index.html').decode()).group(0)


class Balancer(http.server.ThreadingHTTPServer):
    """Passes each request to the next one of several servers."""
    daemon_threads = True

    def __init__(self, servers):
        super().__init__(('127.0.0.1', 0), Passing)
        self.servers, self.turn = servers, 0
        self.url = f'http://127.0.0.1:{self.server_port}'
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *args):
        pass  # a client that has gone


class Passing(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def do_GET(self):
        self.server.turn += 1
        server = self.server.servers[self.server.turn % len(self.server.servers)]
        connection = http.client.HTTPConnection('127.0.0.1', server.port, timeout=30)
        headers = {k: v for k, v in self.headers.items() if k.lower() not in ('host', 'connection')}
        try:
            connection.request(self.command, self.path, headers=headers)
            r = connection.getresponse()
            body = r.read()
            self.send_response(r.status)
            for k, v in r.getheaders():
                if k.lower() not in ('connection', 'transfer-encoding', 'content-length'):
                    self.send_header(k, v)
            self.send_header('Content-Length', r.getheader('Content-Length') or str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except OSError:
            self.send_error(502)
        finally:
            connection.close()

    do_HEAD = do_GET

    def log_message(self, *args):
        pass


def days(values, units):
    """The days of labels, None where there is no label."""
    unit, _, since = units.split(' ', 2)
    seconds = {'seconds': 1, 'hours': 3600, 'days': 86400}[unit]
    start = datetime.datetime.fromisoformat(since.replace(' UTC', '').rstrip('Z')).replace(tzinfo=None)
    offset = (start - datetime.datetime.combine(EPOCH, datetime.time())).total_seconds()
    return [None if v is None or numpy.isnan(v) or abs(v) > 1e12 else round((float(v) * seconds + offset) / 86400) for v in values]


def one(values):
    """The value that all elements are; None if it is missing."""
    values = numpy.array(values, dtype=float).ravel()
    if numpy.isnan(values).all():
        return None
    assert len(values) > 1
    return values[0] if (values == values[0]).all() else f'mixed {values}'


class ZarrPython:
    """zarr-python, by fsspec."""

    def __init__(self, url, folder):
        group = zarr.open_group(self.store(url), mode='r')
        self.array = group[folder.variable]
        time = group['time']
        self.axis = self.array.metadata.dimension_names.index('time')
        self.days = days(time[...].ravel().tolist(), time.attrs['units'])

    def store(self, url):
        return url

    def read(self, i):
        index = [slice(None)] * self.array.ndim
        index[self.axis] = i
        return one(self.array[tuple(index)])


class Obstore(ZarrPython):
    """zarr-python, by obstore."""

    def store(self, url):
        return zarr.storage.ObjectStore(obstore.store.HTTPStore(
            url, client_options={'allow_http': True}, retry_config={'max_retries': 0}), read_only=True)


class Xarray:
    """xarray, which reads the labels when it opens and the values later."""

    def __init__(self, url, folder):
        self.data = xarray.open_zarr(url, chunks=None)[folder.variable]
        labels = self.data['time'].values.astype('datetime64[D]').ravel()
        self.days = [None if numpy.isnat(d) else int((d - numpy.datetime64(EPOCH)).astype(int)) for d in labels]

    def read(self, i):
        return one(self.data.isel(time=i).values)


class Zarrita:
    """zarrita, all clients in one process of node."""
    process = None

    def __init__(self, url, folder):
        if Zarrita.process is None:
            script = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'restarts_zarrita.mjs')
            Zarrita.process = subprocess.Popen(['node', script, MODULES], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        out = self.ask(open=url, arrays=[folder.variable, 'time'])
        self.number, self.days = out['client'], days(out['labels'], out['units'])

    def ask(self, **question):
        print(json.dumps(question), file=Zarrita.process.stdin, flush=True)
        out = json.loads(Zarrita.process.stdout.readline())
        if 'error' in out:
            raise OSError(out['error'])
        return out

    def read(self, i):
        return one(self.ask(client=self.number, at=i)['values'])


CLIENTS = [ZarrPython, Obstore, Xarray, Zarrita]


class Check:
    """The changes of one folder."""

    def __init__(self, tgmconv, folder):
        self.folder = folder
        self.servers = [Server(tgmconv, folder, True), Server(tgmconv, folder, False)]
        self.balancer = Balancer(self.servers)
        self.clients = []  # each with its kind of address, and the values that it reads: a snapshot never changes
        self.looked = True  # whether all servers have seen the last change
        self.done = collections.Counter()
        self.wrong = []

    def close(self):
        self.balancer.shutdown()
        self.balancer.server_close()
        for s in self.servers:
            s.running.close()

    def open(self, kind=None, where=None):
        """Opens the dataset; a client that cannot, while files change, comes again later."""
        kind = kind or random.choice(CLIENTS)
        where = where or random.choice(['server', 'server', 'balancer', 'balancer', 'snapshot'])
        try:
            url = {'server': lambda: self.servers[0].url, 'balancer': lambda: self.balancer.url,
                   'snapshot': lambda: f'{self.servers[0].url}/{self.servers[0].snapshot()}'}[where]
            values = self.folder.values
            if where == 'snapshot':
                self.servers[0].wait()
                values = dict(values)
            self.clients.append((where, values, kind(url(), self.folder)))
        except Exception:
            self.done['not opened'] += 1

    def old(self, counts):
        """Reads with clients that opened earlier."""
        for where, values, c in self.clients:
            for i in random.sample(range(len(c.days)), min(5, len(c.days))):
                day = c.days[i]
                if day is None:
                    continue  # its label was not there to be read
                there = day in self.folder.values
                result = 'absent'
                try:
                    value = c.read(i)
                except Exception:
                    value, result = None, 'error'
                if value is not None and value == values.get(day):
                    result = 'right'
                elif value is not None:
                    # A server that has not looked yet may have a chunk in memory.
                    early = where == 'balancer' and not self.looked and (day, value) in self.folder.ever
                    result = 'early' if early else 'WRONG'
                counts[where != 'snapshot', type(c).__name__, there, result] += 1
                if result == 'WRONG':
                    self.wrong.append(f'{type(c).__name__} at {where}: day {day} has {value}, expected {values.get(day)}')
                    print(self.wrong[-1], file=sys.stderr)

    def new(self, kind, servers):
        """Reads everything with a client that opens now, except files that wait."""
        for server in servers:
            c = kind(server.url, self.folder)
            found = {day: c.read(i) for i, day in enumerate(c.days)}
            waiting = server.waiting()
            self.done['waiting'] += len(waiting)
            self.done['new'] += len(self.folder.values)
            expected = {day: value for day, value in self.folder.values.items() if day not in waiting}
            shown = {day: value for day, value in found.items() if value is not None}
            if shown != expected or len(found) != len(c.days):
                self.wrong.append(f'new {kind.__name__}: {found}, expected {expected}')
                print(self.wrong[-1], file=sys.stderr)

    def changes(self, n, inserts, counts):
        first, second = self.servers
        for i in range(n):
            if random.random() < .4:
                self.open()
            self.done[self.folder.change(inserts)] += 1
            if random.random() < .2:
                self.open(where=random.choice(['server', 'balancer']))  # before a server has looked
            how = random.choice(['restart', 'watch', 'two'])
            self.done[how] += 1
            if how == 'restart':
                first.start()
            if how == 'two':
                second.start()
                self.balancer.servers = [first, second]
            elif random.random() < .7:
                self.balancer.servers = [first]
            self.looked = how == 'two' or self.balancer.servers == [first]
            first.wait()
            self.new(CLIENTS[i % len(CLIENTS)], [first, second] if how == 'two' else [first])
            self.old(counts)
            if random.random() < .4:
                self.open()
            while len(self.clients) > 12:
                self.clients.pop(random.randrange(len(self.clients)))


def share(counts, **_):
    return 'nothing' if not sum(counts.values()) else ', '.join(f'{k} {100 * n / sum(counts.values()):.0f} %' for k, n in sorted(counts.items(), reverse=True))


def check(tgmconv, changes, seed):
    random.seed(seed)
    zarr.config.set({'async.concurrency': 1})
    failed = []
    for kind in 'netcdf', 'grib':
        with tempfile.TemporaryDirectory() as path, contextlib.ExitStack() as stack:
            c = Check(tgmconv, Folder(path, kind, [0, 1, 2, 4, 6, 7, 9]))
            stack.callback(c.close)
            for client in CLIENTS:
                c.open(client, 'server')
            some, all = collections.Counter(), collections.Counter()
            c.changes(changes // 2 - changes // 5, False, some)
            c.changes(changes // 5, True, all)
        print(kind, dict(c.done))
        for name, counts in ('without insertions', some), ('with insertions', all):
            for client in CLIENTS:
                results = {t: collections.Counter({r: n for (plain, k, there, r), n in counts.items() if plain and k == client.__name__ and there == t})
                           for t in (True, False)}
                print(f'  {name}, {client.__name__}, {sum(results[True].values())} reads of days that are there: {share(results[True])}; '
                      f'{sum(results[False].values())} of others: {share(results[False])}')
        there = collections.Counter()
        for (plain, _, t, r), n in some.items():
            if plain and t:
                there[r] += n
        snapshots = collections.Counter()
        for (plain, _, _, r), n in (some + all).items():
            if not plain:
                snapshots[r] += n
        print(f'  snapshots: {sum(snapshots.values())} reads: {share(snapshots)}')
        failed += c.wrong
        if there['right'] < sum(there.values()) / 2 or not there['right']:
            failed.append(f'{kind}: {there}: fewer than half of the reads of old clients succeed')
        absent = sum(n for (_, _, t, r), n in (some + all).items() if r == 'absent' and not t)
        if not absent:
            failed.append(f'{kind}: nothing was read as absent')
    for text in failed:
        print(text)
    return not failed


if __name__ == '__main__':
    changes = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    if len(sys.argv) > 1:
        ok = check(sys.argv[1], changes, seed)
    else:
        with served.command() as tgmconv:
            ok = check(tgmconv, changes, seed)
    sys.exit(0 if ok else 1)
