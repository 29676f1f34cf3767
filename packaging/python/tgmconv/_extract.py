"""The values at points, as a table."""

from __future__ import annotations

import io
import os

from ._program import flags, names, run


def extract(inputs, points=None, **options):
    """The values at points of all fields of the inputs, as a DataFrame of pandas: `tgmconv extract`, whose flags options are.

    points are pairs of latitude and longitude, or the path of a table (.csv) or of GeoJSON.

    extract("archive/*.grib2", [(50.1, 8.7)], where="shortName=2t")
    """
    import pandas

    if points is not None and not isinstance(points, (str, os.PathLike)):
        points = ";".join(f"{latitude!r},{longitude!r}" for latitude, longitude in [map(float, point) for point in points])
    table = run(["extract", "--format=csv", *flags({"at": points, **options}), "--", *names(inputs)]).stdout
    dates = [name for name in ("time", "valid_time") if name in table.split(b"\n", 1)[0].decode().split(",")]
    frame = pandas.read_csv(io.BytesIO(table), parse_dates=dates, dtype={"point": str})
    return frame
