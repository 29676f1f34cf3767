"""Writes the fields of a Tensogram file as GRIB in the way of the reference's to-grib: a sample message, the keys of grib_repro, then the values.

    .interop/venv/bin/python bench/peer/togrib_peer.py IN.tgm OUT.grib2

The reference's command of the release that is installed has no to-grib; this does with its Python package and ecCodes what that does.
"""
import sys

import eccodes as ec
import tensogram

FIRST = ['tablesVersion', 'centre', 'subCentre', 'gridType', 'setLocalDefinition', 'grib2LocalSectionNumber', 'packingType', 'bitsPerValue']


def main(source, target):
    with tensogram.TensogramFile.open(source) as f, open(target, 'wb') as out:
        for i in range(len(f)):
            message = f.decode_message(i)
            for j, (_, values) in enumerate(message.objects):
                keys = message.metadata.base[j].get('grib_repro')
                if keys is None:
                    continue
                h = ec.codes_grib_new_from_samples('regular_ll_sfc_grib2')
                rest = [k for k in keys if k not in FIRST and not isinstance(keys[k], (list, bytes))]
                for key in [k for k in FIRST if k in keys] + rest:
                    try:
                        ec.codes_set(h, key, keys[key])
                    except ec.CodesInternalError:
                        pass
                ec.codes_set_values(h, values.ravel())
                ec.codes_write(h, out)
                ec.codes_release(h)


main(*sys.argv[1:])
