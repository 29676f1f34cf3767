#!/usr/bin/env python3
"""Writes GRIB 2 messages of JPEG 2000 packing with every option that OpenJPEG's opj_compress has for grey images.

  jpeg2000_make.py FILE [small]

The code streams are put into messages that ecCodes made. What ecCodes does not read is left out.
grib/testdata/jpeg2000.grib is made with "small".
"""
import os
import struct
import subprocess
import sys
import tempfile

import eccodes as ec
import numpy as np

OPTIONS = [
    [], ['-r', '20,10,1'], ['-r', '8'], ['-n', '1'], ['-n', '3'], ['-n', '8'], ['-SOP'], ['-EPH'], ['-SOP', '-EPH'],
    # the irreversible wavelet
    ['-I'], ['-I', '-r', '10'], ['-I', '-r', '40,20,10'], ['-I', '-n', '2'], ['-I', '-d', '5,7'], ['-I', '-t', '31,29', '-r', '6'],
    # progression orders, precincts and tiles
    ['-p', 'RLCP'], ['-p', 'RPCL'], ['-p', 'PCRL'], ['-p', 'CPRL'], ['-c', '[64,64]'], ['-c', '[32,32],[16,16]'],
    ['-c', '[16,16]', '-p', 'PCRL'], ['-c', '[16,32],[8,8]', '-p', 'CPRL', '-d', '9,4'], ['-c', '[16,16]', '-p', 'RPCL', '-r', '9,3,1'],
    ['-t', '40,30'], ['-t', '17,23', '-TP', 'R'], ['-t', '33,20', '-c', '[32,32]', '-r', '30,5,1', '-p', 'RPCL'],
    ['-T', '3,5', '-t', '40,40', '-d', '3,5'],
    ['-d', '5,7'], ['-d', '3,2', '-t', '31,29', '-T', '1,1'], ['-t', '19,17', '-c', '[8,8]', '-p', 'PCRL', '-d', '4,3'],
    # code blocks: sizes, and each style alone and together
    ['-b', '32,32'], ['-b', '4,256'], ['-b', '16,64'], ['-M', '1'], ['-M', '2'], ['-M', '4'], ['-M', '8'], ['-M', '16'], ['-M', '32'],
    ['-M', '63'], ['-M', '5'], ['-M', '9'], ['-M', '3', '-r', '12,4,1'], ['-M', '5', '-r', '12,4,1', '-b', '8,8'], ['-I', '-M', '5', '-t', '64,64'],
    ['-ROI', 'c=0,U=3'], ['-ROI', 'c=0,U=6', '-I'],
]


def picture(rng, rows, columns, bits):
    """Smooth, with noise and an edge."""
    y, x = np.mgrid[0:rows, 0:columns]
    v = 0.5 + 0.3 * np.sin(y / 9) + 0.1 * np.cos(x / 11) + 0.01 * rng.normal(size=(rows, columns)) - 0.2 * (x > 2 * y)
    return (v * (1 << bits)).clip(0, (1 << bits) - 1).astype('u4')


def code_stream(folder, pixels, bits, options):
    pgm, j2k = os.path.join(folder, 'a.pgm'), os.path.join(folder, 'a.j2k')
    with open(pgm, 'wb') as f:
        f.write(b'P5\n%d %d\n%d\n' % (pixels.shape[1], pixels.shape[0], (1 << bits) - 1))
        f.write(pixels.astype('>u2' if bits > 8 else 'u1').tobytes())
    if os.path.exists(j2k):
        os.remove(j2k)
    if '-n' not in options:  # no more resolutions than the image has
        options = [*options, '-n', str(min(6, min(pixels.shape).bit_length()))]
    subprocess.run(['opj_compress', '-i', pgm, '-o', j2k, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if not os.path.exists(j2k):
        return b''
    with open(j2k, 'rb') as f:
        return f.read()


def message(rows, columns, bits, stream):
    """A message of a field on a regular grid with other contents of sections 5 and 7."""
    h = ec.codes_grib_new_from_samples('regular_ll_sfc_grib2')
    for key, value in {'Ni': columns, 'Nj': rows, 'packingType': 'grid_jpeg', 'bitsPerValue': 8}.items():
        ec.codes_set(h, key, value)
    ec.codes_set_values(h, np.arange(rows * columns) % 200 * 1.0)
    source, at, out = ec.codes_get_message(h), 16, b''
    while source[at:at + 4] != b'7777':
        n = struct.unpack('>I', source[at:at + 4])[0]
        section = source[at:at + n]
        at += n
        if section[4] == 5:  # reference value, binary and decimal scale factor, bits
            section = section[:11] + struct.pack('>fhhB', 0, 0, 0, bits) + section[20:]
        elif section[4] == 7:
            section = struct.pack('>IB', 5 + len(stream), 7) + stream
        out += section
    return source[:8] + struct.pack('>Q', 16 + len(out) + 4) + out + b'7777'


def readable(msg):
    try:
        h = ec.codes_new_from_message(msg)
        return ec.codes_get_values(h).size > 0
    except ec.CodesInternalError:
        return False


def main(path, small):
    rng = np.random.default_rng(1)
    sizes, depths = ([(37, 52)], [10]) if small else ([(57, 83), (1, 200), (5, 3), (128, 128)], [1, 4, 8, 12, 16])
    with tempfile.TemporaryDirectory() as folder, open(path, 'wb') as out:
        for options in OPTIONS:
            for bits in depths:
                for rows, columns in sizes:
                    stream = code_stream(folder, picture(rng, rows, columns, bits), bits, options)
                    if stream and readable(msg := message(rows, columns, bits, stream)):
                        out.write(msg)


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2:] == ['small'])
