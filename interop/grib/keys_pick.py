"""Picks the derived messages that the frozen tests of package grib/keys hold.

usage: keys_pick.py pick FOLDER OUTDIR    OUTDIR/derived.grib has a few messages of each file of FOLDER (keys_make.py);
                                          OUTDIR/backwards.grib has the same in the opposite order
       keys_pick.py agree FOLDER          prints the lines of FOLDER/derived.jsonl (keys_dump.py) that are the same in
                                          FOLDER/backwards.jsonl: what ecCodes gives for some messages depends on those before them
"""

import json
import os
import sys

# One of each n messages of a group is picked.
EVERY = {
    'params': 60,
    'marskw': 20,
    'rawlocal': 60,
    'marsbytes': 20,
    'templates': 10,
    'centres': 15,
    'levels': 10,
    'steps': 10,
}
EVERY_OTHER = 5
LARGEST = 3000


def messages(path):
    with open(path, 'rb') as f:
        b = f.read()
    at = 0
    while at < len(b):
        n = int.from_bytes(b[at + 4 : at + 7], 'big') if b[at + 7] == 1 else int.from_bytes(b[at + 8 : at + 16], 'big')
        yield b[at : at + n]
        at += n


def pick(folder, out):
    picked = []
    for name in sorted(os.listdir(folder)):
        every = EVERY.get(name[:-5], EVERY_OTHER)
        for i, message in enumerate(messages(os.path.join(folder, name))):
            if i % every == 0 and len(message) < LARGEST:
                picked.append(message)
    for name, order in (('derived', picked), ('backwards', picked[::-1])):
        with open(os.path.join(out, name + '.grib'), 'wb') as f:
            f.write(b''.join(order))


def answers(folder, name):
    """The answers about each message: its namespaces, its keys, and the line they come from."""
    with open(os.path.join(folder, name + '.grib'), 'rb') as f:
        b = f.read()
    out = {}
    with open(os.path.join(folder, name + '.jsonl')) as lines:
        for line in lines:
            j = json.loads(line)
            if 'error' not in j:
                out[b[j['offset'] : j['offset'] + j['size']]] = (j['ns'], j['keys'], line)
    return out


def agree(folder):
    there, back = answers(folder, 'derived'), answers(folder, 'backwards')
    for message, (namespaces, keys, line) in there.items():
        if message in back and back[message][:2] == (namespaces, keys):
            sys.stdout.write(line)


if sys.argv[1] == 'pick':
    pick(sys.argv[2], sys.argv[3])
else:
    agree(sys.argv[2])
