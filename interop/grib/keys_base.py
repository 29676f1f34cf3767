"""The common part of keys_make.py and keys_octets.py: the places of messages, and the samples that they start from."""

import os
import re
import sys

import eccodes as ec

out = sys.argv[1]
os.makedirs(out, exist_ok=True)
os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # what ecCodes refuses to make
DEFS = os.environ.get('KEYS_DEFINITIONS', '')  # a folder of exported definition files, for lists of names


def sample(name):
    return ec.codes_grib_new_from_samples(name)


class Out:
    def __init__(self, group):
        self.f = open(os.path.join(out, group + '.grib'), 'wb')
        self.n = 0
        self.group = group
        self.seen = set()

    def add(self, h):
        m = ec.codes_get_message(h)
        if m in self.seen:
            return
        self.seen.add(m)
        self.f.write(m)
        self.n += 1

    def made(self, base, sets, need=None):
        """clone base, apply sets; True if all of need (default: all) took."""
        h = ec.codes_clone(base)
        ok = True
        for k, v in sets:
            try:
                ec.codes_set(h, k, v)
            except Exception:
                ok = False
        if ok or need is None:
            self.add(h)
        ec.codes_release(h)
        return ok

    def close(self):
        self.f.close()
        print(self.group, self.n, flush=True)


g2 = sample('GRIB2')
g1 = sample('GRIB1')
for h in (g2, g1):
    ec.codes_set(h, 'dataDate', 20240229)
    ec.codes_set(h, 'dataTime', 1830)


def names(sub, pattern):
    d = os.path.join(DEFS, sub)
    return (
        sorted(m.group(1) for m in (re.match(pattern, f) for f in os.listdir(d)) if m)
        if DEFS and os.path.isdir(d)
        else []
    )


def codes(table):
    l = []
    p = os.path.join(DEFS, table)
    if DEFS and os.path.exists(p):
        for line in open(p, errors='replace'):
            f = line.split()
            if len(f) > 1 and f[0].isdigit():
                l.append((int(f[0]), f[1]))
    return l
