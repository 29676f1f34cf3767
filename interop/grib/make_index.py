#!/usr/bin/env python3
"""Prints the inventory of a GRIB 2 file in the form of wgrib2's, or with --json ECMWF's index, from the keys of ecCodes.

    make_index.py fixtures/grib/gfs_2p50_f000.grib2 > importers/fromgrib/testdata/gfs_2p50_f000.grib2.idx
"""
import json
import sys

import eccodes

NAMES = {
    (0, 0, 0): "TMP", (0, 0, 2): "POT", (0, 0, 4): "TMAX", (0, 0, 5): "TMIN", (0, 0, 6): "DPT", (0, 0, 10): "LHTFL", (0, 0, 11): "SHTFL", (0, 0, 21): "APTMP",
    (0, 1, 0): "SPFH", (0, 1, 1): "RH", (0, 1, 3): "PWAT", (0, 1, 7): "PRATE", (0, 1, 8): "APCP", (0, 1, 10): "ACPCP", (0, 1, 11): "SNOD",
    (0, 1, 13): "WEASD", (0, 1, 22): "CLWMR", (0, 1, 23): "ICMR", (0, 1, 24): "RWMR", (0, 1, 25): "SNMR", (0, 1, 32): "GRLE", (0, 1, 39): "CPOFP",
    (0, 1, 192): "CRAIN", (0, 1, 193): "CFRZR", (0, 1, 194): "CICEP", (0, 1, 195): "CSNOW", (0, 1, 196): "CPRAT", (0, 1, 200): "PEVPR",
    (0, 2, 2): "UGRD", (0, 2, 3): "VGRD", (0, 2, 8): "VVEL", (0, 2, 9): "DZDT", (0, 2, 10): "ABSV", (0, 2, 22): "GUST", (0, 2, 192): "VWSH",
    (0, 2, 194): "USTM", (0, 2, 195): "VSTM", (0, 2, 224): "VRATE",
    (0, 3, 0): "PRES", (0, 3, 1): "PRMSL", (0, 3, 3): "ICAHT", (0, 3, 5): "HGT", (0, 3, 192): "MSLET", (0, 3, 196): "HPBL", (0, 3, 200): "PLPL",
    (0, 6, 1): "TCDC", (0, 6, 6): "CWAT", (0, 6, 193): "CWORK", (0, 7, 6): "CAPE", (0, 7, 7): "CIN", (0, 7, 8): "HLCY", (0, 7, 192): "LFTX", (0, 7, 193): "4LFTX",
    (0, 14, 0): "TOZNE", (0, 14, 192): "O3MR", (0, 16, 195): "REFD", (0, 16, 196): "REFC", (0, 19, 0): "VIS", (0, 3, 197): "5WAVH",
    (2, 0, 0): "LAND", (2, 0, 2): "TSOIL", (2, 0, 192): "SOILW", (2, 3, 203): "WILT", (2, 4, 2): "HINDEX", (2, 3, 203): "FLDCP", (10, 2, 0): "ICEC",
}


def level(kind, value, second, value2):
    whole = f"{value:g}"
    if second != 255:
        between = f"{value:g}-{value2:g}"
        return {106: f"{between} m below ground", 108: f"{value/100:g}-{value2/100:g} mb above ground", 104: f"{between} sigma layer",
                103: f"{between} m above ground", 100: f"{value/100:g}-{value2/100:g} mb"}.get(kind, f"layer {kind} {between}")
    return {1: "surface", 101: "mean sea level", 100: f"{value/100:g} mb", 103: f"{whole} m above ground", 102: f"{whole} m above mean sea level",
            7: "tropopause", 6: "max wind", 4: "0C isotherm", 10: "entire atmosphere", 200: "entire atmosphere (considered as a single layer)",
            104: f"{whole} sigma level", 109: f"PV={value:g} (Km^2/kg/s) surface", 220: "planetary boundary layer"}.get(kind, f"reserved {kind}")


def surface(h, which):
    kind = eccodes.codes_get(h, f"typeOf{which}FixedSurface", int)
    if eccodes.codes_is_missing(h, f"scaledValueOf{which}FixedSurface"):
        return kind, 0
    return kind, eccodes.codes_get(h, f"scaledValueOf{which}FixedSurface", int) * 10.0 ** -eccodes.codes_get(h, f"scaleFactorOf{which}FixedSurface", int)


def main(args):
    as_json = "--json" in args
    with open([a for a in args if not a.startswith("-")][0], "rb") as f:
        number = 0
        while (h := eccodes.codes_grib_new_from_file(f)) is not None:
            number += 1
            at, length = eccodes.codes_get(h, "offset", int), eccodes.codes_get(h, "totalLength", int)
            if as_json:
                line = {k: eccodes.codes_get(h, k, str) for k in ("date", "time", "step", "levtype", "class", "type", "stream") if eccodes.codes_is_defined(h, k)}
                if line.get("levtype") == "pl":
                    line["levelist"] = eccodes.codes_get(h, "level", str)
                line.update({"param": eccodes.codes_get(h, "shortName", str), "_offset": at, "_length": length})
                print(json.dumps(line))
            else:
                triple = tuple(eccodes.codes_get(h, k, int) for k in ("discipline", "parameterCategory", "parameterNumber"))
                name = NAMES.get(triple, "var discipline=%d master_table=2 parmcat=%d parm=%d" % triple)
                when = "%s%02d" % (eccodes.codes_get(h, "dataDate", str), eccodes.codes_get(h, "dataTime", int) // 100)
                step = eccodes.codes_get(h, "step", int)
                print(f"{number}:{at}:d={when}:{name}:{level(*surface(h, 'First'), *surface(h, 'Second'))}:{f'{step} hour fcst' if step else 'anl'}:")
            eccodes.codes_release(h)


main(sys.argv[1:])
