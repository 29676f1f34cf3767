"""Compares what package zarr reads in random stores of both formats with what zarr-python and numcodecs read.

    python check_stores.py [FIRST LAST]

FIRST and LAST are the seeds, the last one excluded. The stores are those of random_stores.py.
"""

import json
import os
import subprocess
import sys
import tempfile

import random_stores

HERE = os.path.dirname(os.path.abspath(__file__))
first, last = (int(v) for v in sys.argv[1:3]) if len(sys.argv) > 2 else (0, 60)
wrong = arrays = stores = 0
with tempfile.TemporaryDirectory() as folder:
    program = f"{folder}/stores"
    subprocess.run(["go", "build", "-o", program, "./stores"], cwd=HERE, check=True)
    for seed in range(first, last, 50):
        expected, unwritten = {}, 0
        for s in range(seed, min(seed + 50, last)):
            path, digests = random_stores.write(folder, s)
            expected[path] = digests
        done = subprocess.run([program, *expected], capture_output=True, text=True, check=True)
        found = {path: {} for path in expected}
        for line in map(json.loads, done.stdout.splitlines()):
            if line["Error"] or not line["Group"]:
                found[line["Store"]][line["Path"]] = line
        for path, digests in expected.items():
            stores += 1
            arrays += len(digests)
            for name, want in digests.items():
                line = found[path].pop(name, {"Error": "not found"})
                if line["Error"] or line["Digest"] != want:
                    wrong += 1
                    print(f"{os.path.basename(path)} {name} {line.get('Type')}: {line['Error'] or 'other elements'}")
            for name, line in found[path].items():
                wrong += 1
                print(f"{os.path.basename(path)} {name}: {line['Error'] or 'not expected'}")
print(f"{stores} stores, {arrays} arrays, {wrong} differ")
sys.exit(wrong > 0 or arrays == 0)
