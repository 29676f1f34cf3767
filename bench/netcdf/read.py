"""Compares convert-netcdf with a read by the netCDF library, and with the reference's convert-netcdf, in one run.

    .interop/venv/bin/python bench/netcdf/read.py [--rounds 5] [--folder /tmp] TGMCONV [REFERENCE]

The files have one float32 variable of 252 MB in 61 440 chunks of 4 kB, deflate 4 and shuffle. netCDF4 reads it into memory and writes
nothing; its time is without that of its start. Times are by the clock and processor time, user and system, the median and the least of
runs in turn; a ratio above 1 says that ours takes less.
"""
import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time

import netCDF4
import numpy

FIELDS, SIDE, CHUNK = 60, 1024, 32
READ = 'import sys, netCDF4; d = netCDF4.Dataset(sys.argv[1]); d.set_auto_maskandscale(False); d["t"][:]'


def waves(rng, y, x, i):
    """A smooth field as a model has it, in kelvin."""
    return 280 + 20 * numpy.cos(y / 300) + 5 * numpy.sin(x / 37 + i / 7) * numpy.cos(y / 53)


VALUES = {
    'waves': lambda rng, y, x, i: waves(rng, y, x, i),
    'waves and sums': lambda rng, y, x, i: waves(rng, y, x, i) + numpy.cumsum(rng.normal(0, 0.05, y.shape), axis=1),
    'waves and noise': lambda rng, y, x, i: waves(rng, y, x, i) + rng.normal(0, 0.05, y.shape),
    'waves and sums, rounded to 0.01': lambda rng, y, x, i: numpy.round(waves(rng, y, x, i) + numpy.cumsum(rng.normal(0, 0.05, y.shape), axis=1), 2),
}


def make(path, values):
    rng = numpy.random.default_rng(1)
    y, x = numpy.mgrid[:SIDE, :SIDE]
    with netCDF4.Dataset(path, 'w') as d:
        d.createDimension('time', FIELDS)
        d.createDimension('y', SIDE)
        d.createDimension('x', SIDE)
        v = d.createVariable('t', 'f4', ('time', 'y', 'x'), chunksizes=(1, CHUNK, CHUNK), zlib=True, complevel=4, shuffle=True)
        for i in range(FIELDS):
            v[i] = values(rng, y, x, i).astype('f4')


def timed(args):
    """The time of a command by the clock, and its processor time."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(args, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    clock, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return numpy.array([clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--folder')
    parser.add_argument('tgmconv')
    parser.add_argument('reference', nargs='?')
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        for name, values in VALUES.items():
            path, out = os.path.join(folder, 'in.nc'), os.path.join(folder, 'out.tgm')
            make(path, values)
            sides = {
                'netCDF4, read': [sys.executable, '-c', READ, path],
                'ours': [args.tgmconv, 'convert-netcdf', '-q', '-o', out, path],
                'ours, --encoding none': [args.tgmconv, 'convert-netcdf', '-q', '--encoding', 'none', '--compression', 'none', '-o', out, path],
            }
            if args.reference:
                sides['reference'] = [args.reference, 'convert-netcdf', '-o', out, path]
            start = [sys.executable, '-c', READ.split(';')[0]]
            took = {side: [] for side in sides}
            for _ in range(args.rounds):
                began = timed(start)
                for side, command in sides.items():
                    took[side].append(timed(command) - (began if side.startswith('netCDF4') else 0))
                    if os.path.exists(out):
                        os.remove(out)
            print(f'{name}, {os.path.getsize(path) / 1e6:.0f} MB')
            for side, runs in took.items():
                ratios = ''
                if side.startswith('ours'):
                    for peer in (peer for peer in took if not peer.startswith('ours')):
                        clock, cpu = numpy.median(took[peer], 0) / numpy.median(runs, 0)
                        ratios += f'  {clock:.2f}, {cpu:.2f} of {peer}'
                medians, least = numpy.median(runs, 0), numpy.min(runs, 0)
                print(f'  {side:22} clock {medians[0]:5.2f} s, least {least[0]:5.2f} s; processor {medians[1]:5.2f} s, least {least[1]:5.2f} s{ratios}')


if __name__ == '__main__':
    main()
