"""GRIB, netCDF, HDF5, Zarr, Tensogram and .tet files as labelled arrays, by the program tgmconv.

    import xarray
    xarray.open_dataset("forecast.grib2", engine="tgmconv")

store() is a Zarr store of any file, extract() gives the values at points as a table, and convert() writes
other formats. The files are read by a child process, the program that the package brings along.
"""

from ._program import InputChangedError, TemporaryError, TgmconvError, UsageError, binary, convert, version

__all__ = ["InputChangedError", "TemporaryError", "TgmconvError", "UsageError", "binary", "convert", "extract", "store", "version"]


def __getattr__(name):
    """Loads what needs zarr and numpy when it is asked for."""
    if name == "store":
        from ._store import store

        return store
    if name == "extract":
        from ._extract import extract

        return extract
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
