"""Writes GRIB 2 fields of 0.25 degrees in CCSDS packing, 16 bits: python fields.py NUMBER OUTPUT"""

import datetime
import sys

import eccodes
import numpy as np

NI, NJ = 1440, 721


def main(number, output):
    rng = np.random.default_rng(1)
    lat = np.radians(np.linspace(90, -90, NJ))[:, None]
    lon = np.radians(np.arange(NI) * 360 / NI)[None, :]
    noise = [rng.normal(0, 0.15, (NJ, NI)) for _ in range(4)]
    h = eccodes.codes_grib_new_from_samples("regular_ll_pl_grib2")
    for key, value in {
        "Ni": NI, "Nj": NJ, "latitudeOfFirstGridPointInDegrees": 90, "longitudeOfFirstGridPointInDegrees": 0,
        "latitudeOfLastGridPointInDegrees": -90, "longitudeOfLastGridPointInDegrees": 360 - 360 / NI,
        "iDirectionIncrementInDegrees": 360 / NI, "jDirectionIncrementInDegrees": 180 / (NJ - 1),
        "typeOfLevel": "heightAboveGround", "level": 2, "shortName": "2t", "packingType": "grid_ccsds", "bitsPerValue": 16,
    }.items():
        eccodes.codes_set(h, key, value)
    with open(output, "wb") as f:
        for i in range(number):
            time = datetime.datetime(2024, 1, 1) + datetime.timedelta(hours=6 * i)
            eccodes.codes_set(h, "dataDate", int(time.strftime("%Y%m%d")))
            eccodes.codes_set(h, "dataTime", time.hour * 100)
            values = 288 - 40 * np.sin(lat) ** 2 + 8 * np.sin(3 * lon + i * 5) * np.cos(lat) + noise[i % 4]
            eccodes.codes_set_values(h, values.ravel())
            f.write(eccodes.codes_get_message(h))


main(int(sys.argv[1]), sys.argv[2])
