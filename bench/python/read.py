"""Compares the engines tgmconv, cfgrib and, where it is installed, gribberish of xarray: 100 CCSDS fields of 0.25 degrees, opened, one read, all read.

    python bench/python/read.py [FIELDS]

It needs xarray, cfgrib and the wheel (or packaging/python on PYTHONPATH and $TGMCONV). Processor time counts the process of the engine.
Each measurement is a process of its own, in turn; medians of three are printed.
"""

import importlib.util
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

top = pathlib.Path(__file__).resolve().parents[2]


def make(path, fields):
    """Writes fields of the same grid at steps of an hour, each with other values."""
    import eccodes

    with open(top / "fixtures/grib/2t.grib2", "rb") as source, open(path, "wb") as out:
        message = eccodes.codes_grib_new_from_file(source)
        values = eccodes.codes_get_values(message)
        for step in range(fields):
            one = eccodes.codes_clone(message)
            eccodes.codes_set(one, "step", step)
            eccodes.codes_set_values(one, values + step % 7)
            eccodes.codes_write(one, out)
            eccodes.codes_release(one)


def processor_time(pids):
    total = 0.0
    for pid in pids:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def measure(engine, path):
    """Prints seconds by the clock to open, of the first field and of all, and the processor time of all of it."""
    import dask.array  # noqa: F401  xarray imports it for the first index of any engine, 0.3 s
    import xarray  # before the clock starts
    if engine == "cfgrib":
        import cfgrib  # noqa: F401
    pids = [os.getpid()]
    before, began = processor_time(pids), time.perf_counter()
    keywords = {"backend_kwargs": {"indexpath": ""}} if engine == "cfgrib" else {}
    ds = xarray.open_dataset(path, engine=engine, **keywords)
    opened = time.perf_counter()
    variable = next(array for array in ds.data_vars.values() if array.ndim >= 3)  # each engine has its own name for it
    variable[0].load()
    first = time.perf_counter()
    variable.load()
    whole = time.perf_counter()
    if engine == "tgmconv":
        from tgmconv import _worker

        pids.append(_worker.worker().process.pid)
    print(opened - began, first - opened, whole - first, processor_time(pids) - before)


def main():
    if len(sys.argv) == 3 and not sys.argv[1].isdigit():
        return measure(*sys.argv[1:])
    fields = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "fields.grib2")
        make(path, fields)
        engines = [engine for engine in ("cfgrib", "gribberish", "tgmconv") if importlib.util.find_spec(engine)]
        found = {engine: [] for engine in engines}
        for _ in range(3):
            for engine, rows in found.items():
                done = subprocess.run([sys.executable, __file__, engine, path], check=True, capture_output=True, text=True)
                rows.append([float(x) for x in done.stdout.split()])
        for engine, rows in found.items():
            medians = [statistics.median(column) for column in zip(*rows)]
            print(f"{engine:10} open {medians[0]:.3f} s, first field {medians[1]:.3f} s, all {medians[2]:.2f} s, processor time {medians[3]:.2f} s")


if __name__ == "__main__":
    main()
