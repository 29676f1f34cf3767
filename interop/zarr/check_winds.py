"""Compares winds that are turned to the east and north with the directions of grids by PROJ.

    python check_winds.py [TGMCONV]

Files that ecCodes writes, on Lambert, polar stereographic and rotated grids of both editions and orders of columns, have components along
the grid, or to the east and north; netCDF has x_wind and y_wind. The maps that barbs are drawn from must be as pyproj's projections say.
"""

import contextlib
import json
import os
import re
import sys
import tempfile
import urllib.request

import eccodes as ec
import numpy as np
import pyproj
import xarray as xr

import served

SPHERE = "+R=6371229 +units=m"
LAMBERT = f"+proj=lcc +lat_1=38.5 +lat_2=38.5 +lat_0=38.5 +lon_0=262.5 {SPHERE}"
POLAR = f"+proj=stere +lat_0=90 +lat_ts=60 +lon_0=249 {SPHERE}"
ROTATED = "+proj=ob_tran +o_proj=longlat +o_lon_p=0 +o_lat_p=43 +lon_0=10 +R=6371229"  # the southern pole at 43° S, 10° E
PLANE = {"jScansPositively": 1, "Nx": 60, "Ny": 45}
CASES = {
    "Lambert": (LAMBERT, {"gridType": "lambert", "LaDInDegrees": 38.5, "LoVInDegrees": 262.5, "Latin1InDegrees": 38.5, "Latin2InDegrees": 38.5, "DxInMetres": 60000, "DyInMetres": 60000}, (21.138, 237.280)),
    "polar stereographic": (POLAR, {"gridType": "polar_stereographic", "orientationOfTheGridInDegrees": 249, "LaDInDegrees": 60, "DxInMetres": 60000, "DyInMetres": 60000}, (18.145, 217.108)),
    "rotated": (ROTATED, {"gridType": "rotated_ll", "angleOfRotationInDegrees": 0, "latitudeOfSouthernPoleInDegrees": -43, "longitudeOfSouthernPoleInDegrees": 10}, None),
}


def components(rows, cols):
    j, i = np.mgrid[:rows, :cols]
    return 10 * np.cos(i / 7.0), 5 + j / 9.0


def grib(path, edition, keys, first, relative, backwards):
    """Writes 10u and 10v, and returns the coordinates of the values on the projection."""
    polar = keys["gridType"] == "polar_stereographic"
    g = ec.codes_grib_new_from_samples(f"polar_stereographic_sfc_grib{edition}" if polar else f"regular_ll_sfc_grib{edition}")
    if not polar:
        ec.codes_set(g, "gridType", keys["gridType"])
    plane = first is not None
    rows, cols = (45, 60) if plane else (40, 50)
    own = {"Nx": cols, "Ny": rows, "shapeOfTheEarth": 6, "latitudeOfFirstGridPointInDegrees": first[0], "longitudeOfFirstGridPointInDegrees": first[1]} if plane else {
        "Ni": cols, "Nj": rows, "shapeOfTheEarth": 6, "latitudeOfFirstGridPointInDegrees": -10, "latitudeOfLastGridPointInDegrees": -10 + 0.5 * (rows - 1),
        "longitudeOfFirstGridPointInDegrees": 352 if not backwards else 352 + 0.5 * (cols - 1) - 360, "longitudeOfLastGridPointInDegrees": 352 + 0.5 * (cols - 1) - 360 if not backwards else 352,
        "iDirectionIncrementInDegrees": 0.5, "jDirectionIncrementInDegrees": 0.5}
    for k, v in {**keys, **own, "jScansPositively": 1, "iScansNegatively": int(backwards)}.items():
        if k != "gridType" and not (edition == 1 and k in ("shapeOfTheEarth", "LaDInDegrees")):
            ec.codes_set(g, k, v)
    flags = "resolutionAndComponentFlags"
    ec.codes_set(g, flags, ec.codes_get(g, flags) & ~8 | (8 if relative else 0))
    u, v = components(rows, cols)
    with open(path, "wb") as f:
        for name, values in (("10u", u), ("10v", v)):
            ec.codes_set(g, "shortName", name)
            ec.codes_set(g, "bitsPerValue", 24)
            ec.codes_set_values(g, values.ravel())
            ec.codes_write(g, f)
    lat, lon = ec.codes_get_array(g, "latitudes"), ec.codes_get_array(g, "longitudes")
    ec.codes_release(g)
    return lat, lon, u.ravel(), v.ravel()


def turned(projection, lat, lon, u, v):
    """The components to the east and north of those along x and y."""
    p = pyproj.Proj(projection)
    degrees = "longlat" in projection
    x, y = p(lon, lat)
    step = 1e-4 if degrees else 10.0
    lon2, lat2 = p(x + step, y, inverse=True)
    east = (np.mod(lon2 - lon + 180, 360) - 180) * np.cos(np.radians(lat))
    angle = np.arctan2(lat2 - lat, east)
    return u * np.cos(angle) - v * np.sin(angle), u * np.sin(angle) + v * np.cos(angle)


def netcdf(path):
    x, y = np.arange(50) * 60000.0 - 1.5e6, np.arange(40)[::-1] * 60000.0 - 1e6
    p = pyproj.Proj(LAMBERT)
    lon, lat = p(*np.meshgrid(x, y), inverse=True)
    u, v = components(40, 50)
    attrs = {"units": "m s-1", "grid_mapping": "crs"}
    mapping = {"grid_mapping_name": "lambert_conformal_conic", "standard_parallel": 38.5, "latitude_of_projection_origin": 38.5, "longitude_of_central_meridian": 262.5, "earth_radius": 6371229.0}
    xr.Dataset({"uas": (("y", "x"), u, {**attrs, "standard_name": "x_wind"}), "vas": (("y", "x"), v, {**attrs, "standard_name": "y_wind"}), "crs": ((), 0, mapping)},
               {"x": ("x", x, {"standard_name": "projection_x_coordinate", "units": "m"}), "y": ("y", y, {"standard_name": "projection_y_coordinate", "units": "m"})}).to_netcdf(path)
    return lat.ravel(), lon.ravel(), u.ravel(), v.ravel()


def unit(lat, lon):
    lat, lon = np.radians(lat), np.radians(lon)
    return np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], -1)


def check(url, lat, lon, want):
    page = urllib.request.urlopen(url + "/index.html").read().decode()
    maps = url + "/" + re.search(r'data-maps="(@[0-9a-f]+)"', page).group(1)
    (field,) = [f for f in json.load(urllib.request.urlopen(maps + "/@fields.json"))["fields"] if "north" in f]
    points, worst = unit(lat, lon), 0.0
    for path, values in ((field["east"], want[0]), (field["north"], want[1])):
        level = xr.open_zarr(maps + "/@map", group=path + "/0")
        a = level[path.split("/")[-1]]
        rows, cols = np.nonzero(np.isfinite(a.values))
        some = np.random.default_rng(1).permutation(len(rows))[:400]
        assert len(some) == 400, f"{len(rows)} cells have values"
        near = np.argmax(unit(level.latitude.values[rows[some]], level.longitude.values[cols[some]]) @ points.T, axis=1)
        differ = np.abs(a.values[rows[some], cols[some]] - values[near])
        # A cell between two points may have the value of either.
        worst = max(worst, float(np.sort(differ)[-4]))
    assert worst < 0.01, f"components differ by {worst} m/s"
    return worst


def main():
    failed, worst, compared = 0, 0.0, 0
    with tempfile.TemporaryDirectory() as folder, served.command() if len(sys.argv) < 2 else contextlib.nullcontext(sys.argv[1]) as tgmconv:
        path = os.path.join(folder, "wind")
        cases = [(name, edition, relative, backwards) for name in CASES for edition in (1, 2) for relative in (True, False) for backwards in ((False, True) if name == "rotated" else (False,))]
        for name, edition, relative, backwards in [*cases, ("netCDF", 4, True, False)]:
            try:
                if name == "netCDF":
                    projection = LAMBERT
                    lat, lon, u, v = netcdf(path)
                else:
                    projection, keys, first = CASES[name]
                    lat, lon, u, v = grib(path, edition, keys, first, relative, backwards)
                want = turned(projection, lat, lon, u, v) if relative else (u, v)
                if relative:
                    assert np.abs(want[0] - u).max() > 1, "the grid is not turned"
                with served.served(tgmconv, path) as url:
                    worst = max(worst, check(url, lat, lon, want))
                compared += 1
            except Exception as err:
                print(f"{name}, edition {edition}, relative to the grid {relative}, columns backwards {backwards}: {type(err).__name__}: {str(err)[:600]}")
                failed += 1
    print(f"{failed} of {failed + compared} winds differ" if failed else f"{compared} winds are as PROJ turns them, within {worst:.1g} m/s")
    return 1 if failed else 0


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    os._exit(status)  # the libraries in the wheels of ecCodes and pyproj free the same memory when the interpreter ends
