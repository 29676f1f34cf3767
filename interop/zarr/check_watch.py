"""Reads a folder with zarr-python while files of it are removed, added and replaced: no value of another label.

    python check_watch.py [TGMCONV [CHANGES]]

One client opens the dataset once and goes on after errors, another opens it again after each error.
"""
import json
import os
import random
import sys
import tempfile
import threading
import time
import urllib.request

import eccodes
import numpy
import zarr

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import served


def write(folder, step):
    """Writes a field of a step, all of whose values are the step."""
    with open(os.path.join(served.ROOT, 'fixtures/grib/sanity.grib2'), 'rb') as f:
        message = eccodes.codes_grib_new_from_file(f)
    eccodes.codes_set(message, 'forecastTime', step)
    eccodes.codes_set_values(message, numpy.full(16, float(step)))
    with open(os.path.join(folder, '.new'), 'wb') as f:
        eccodes.codes_write(message, f)
    eccodes.codes_release(message)
    os.rename(os.path.join(folder, '.new'), path(folder, step))


def path(folder, step):
    return os.path.join(folder, f'{step:04}.grib2')


def labels(group):
    return [int(s) // 3600 for s in group['step'][:]]


class Client(threading.Thread):
    """Reads fields at random until it is stopped, and counts what it gets."""

    def __init__(self, url, again):
        super().__init__(daemon=True)
        self.url, self.again, self.stopped = url, again, False
        self.counts = {'right': 0, 'error': 0, 'absent': 0, 'WRONG': 0, 'opened': 0}
        self.group = self.steps = None
        self.open()

    def open(self):
        try:
            self.group = zarr.open_group(self.url, mode='r')
            self.steps = labels(self.group)
            self.counts['opened'] += 1
        except Exception:
            self.steps = None  # the files changed meanwhile

    def read(self):
        i = random.randrange(len(self.steps))
        try:
            value = self.group["t2m"][0, i]
        except Exception:
            self.counts['error'] += 1
            return False
        if numpy.isnan(value).all():
            self.counts['absent'] += 1  # its file was removed
            return True
        right = (value == self.steps[i]).all()
        self.counts['right' if right else 'WRONG'] += 1
        if not right:
            print('step', self.steps[i], 'has', value.flat[0])
        return True

    def run(self):
        while not self.stopped:
            if self.steps is None or not self.read() and self.again:
                self.open()


def wait(url, steps):
    """Waits until the server shows these steps, or says that their files wait for a form of keys."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(url + '/@report.json') as f:
                bad = [text for text in json.load(f).get('bad') or [] if ': waits' in text]
            shown = labels(zarr.open_group(url, mode='r'))
            if all(step in shown or any(f'{step:04}.grib2' in text for text in bad) for step in steps):
                return
        except Exception:
            pass  # the files changed meanwhile
        time.sleep(.01)
    raise RuntimeError(f'the server does not show {sorted(steps)}')


def until(reached):
    """Waits a minute at most until the clients have read enough."""
    end = time.monotonic() + 60
    while not reached() and time.monotonic() < end:
        time.sleep(.01)


def change(folder, steps):
    """Removes, adds or replaces a file, and returns what it did."""
    step = random.choice([max(steps) + random.randint(1, 6), random.randint(0, 40), random.choice(list(steps)), random.choice(list(steps))])
    if step in steps and len(steps) > 2 and random.random() < .7:
        os.remove(path(folder, step))
        steps.discard(step)
        return 'removed'
    write(folder, step)
    if step in steps:
        return 'replaced'
    steps.add(step)
    return 'appended' if step == max(steps) else 'added before the end'


def check(tgmconv, changes):
    random.seed(1)
    done = {}
    with tempfile.TemporaryDirectory() as folder:
        steps = {0, 6, 12, 18}
        for step in steps:
            write(folder, step)
        with served.served(tgmconv, '--watch=20ms', '--min-fill', '0.001', folder) as url:
            clients = [Client(url, False), Client(url, True)]
            for c in clients:
                c.start()
            until(lambda: all(c.counts['right'] >= 10 for c in clients))
            os.remove(path(folder, 12))
            steps.discard(12)
            wait(url, steps)
            until(lambda: all(c.counts['absent'] > 0 for c in clients))
            for _ in range(changes):
                what = change(folder, steps)
                done[what] = done.get(what, 0) + 1
                wait(url, steps)
            for c in clients:
                c.stopped = True
            for c in clients:
                c.join()
    print(done)
    for c in clients:
        print('opens again' if c.again else 'stays', c.counts)
    return sum(c.counts['WRONG'] for c in clients) == 0 and all(c.counts['absent'] > 0 for c in clients)


if __name__ == '__main__':
    changes = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    if len(sys.argv) > 1:
        ok = check(sys.argv[1], changes)
    else:
        with served.command() as tgmconv:
            ok = check(tgmconv, changes)
    sys.exit(0 if ok else 1)
