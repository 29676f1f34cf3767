"""Writes fixtures/netcdf/made/choose.nc: coordinates, bounds and groups to choose among, and dates of three calendars.

usage: make_choose.py FILE
"""
import sys
import netCDF4
import numpy as np

with netCDF4.Dataset(sys.argv[1], "w") as d:
    d.createDimension("time", None)
    d.createDimension("nv", 2)
    d.createDimension("lat", 3)
    d.createDimension("lon", 4)
    d.title = "choosing"

    def var(g, name, dtype, dims, values, **attrs):
        v = g.createVariable(name, dtype, dims)
        v[...] = values
        v.setncatts(attrs)

    var(d, "time", "f8", ("time",), [0, 30.5, 59], units="days since 2001-01-01", calendar="noleap", bounds="time_bnds", standard_name="time")
    var(d, "time_bnds", "f8", ("time", "nv"), [[0, 1], [30, 31], [59, 60]])
    var(d, "lat", "f4", ("lat",), [10, 20, 30], units="degrees_north")
    var(d, "lon", "f4", ("lon",), [1, 2, 3, 4], units="degrees_east")
    var(d, "crs", "i4", (), 0, grid_mapping_name="latitude_longitude")
    var(d, "height", "f8", (), 2, units="m")
    var(d, "reftime", "i4", (), 24, units="hours since 2000-02-28", standard_name="forecast_reference_time")
    var(d, "moment", "i4", (), 2, units="days since 2000-02-28", calendar="360_day")
    var(d, "tas", "f4", ("time", "lat", "lon"), np.arange(36).reshape(3, 3, 4), units="K", standard_name="air_temperature",
        coordinates="height reftime", grid_mapping="crs")
    var(d, "pr", "f4", ("time", "lat", "lon"), np.arange(36).reshape(3, 3, 4), units="kg m-2 s-1", standard_name="precipitation_flux")
    var(d, "orog", "f4", ("lat", "lon"), np.arange(12).reshape(3, 4), units="m", coordinates="moment")
    g = d.createGroup("ocean")
    g.createDimension("depth", 2)
    var(g, "depth", "f4", ("depth",), [0, 5], units="m")
    var(g, "tos", "f4", ("time", "depth"), np.arange(6).reshape(3, 2), units="K", standard_name="sea_water_temperature")
