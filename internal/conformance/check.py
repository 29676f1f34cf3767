"""Reads the files of a conformance folder with the Python package of the reference implementation that is installed.

    python check.py FOLDER [FILE]

Prints a line of JSON for each file that it does not read, or that it decodes to other values: the file and what is wrong. The
exit code is 1 if there is one. With FILE it looks at that one only.
"""

import json
import pathlib
import sys

import numpy as np
import tensogram


def little(array):
    array = np.ascontiguousarray(array)
    if array.dtype.byteorder == ">" or (array.dtype.byteorder == "=" and sys.byteorder == "big"):
        array = array.byteswap()
    return array.tobytes()


def check(folder, case):
    descriptor, array = tensogram.decode((folder / case["file"]).read_bytes()).objects[0]
    if descriptor.dtype != case["dtype"] or list(descriptor.shape) != case["shape"]:
        return f"decodes {descriptor.dtype} {list(descriptor.shape)}, expected {case['dtype']} {case['shape']}"
    got, want = little(array), (folder / case["values"]).read_bytes()
    if got == want:
        return None
    if len(got) != len(want):
        return f"decodes {len(got)} bytes, expected {len(want)}"
    first = next(i for i in range(len(got)) if got[i] != want[i])
    return f"decodes other values, from byte {first} on"


def main(folder, only):
    failed = False
    for line in open(folder / "manifest.jsonl"):
        case = json.loads(line)
        if only not in ("", case["file"]):
            continue
        try:
            problem = check(folder, case)
        except Exception as error:  # a file that cannot be read is what is looked for
            problem = f"{type(error).__name__}: {error}"
        if problem:
            failed = True
            print(json.dumps({"file": case["file"], "problem": problem}))
    return failed


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""))
