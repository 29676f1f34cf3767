"""The engine of xarray: xarray.open_dataset(x, engine="tgmconv")."""

from __future__ import annotations

import math
import os
import warnings

import numpy as np
import xarray
from xarray.backends import AbstractDataStore, BackendArray, BackendEntrypoint, StoreBackendEntrypoint
from xarray.backends.zarr import FillValueCoder
from xarray.core import indexing

from ._program import UsageError, flags, names
from ._worker import Handle

# Keywords of cfgrib's engine, and what is here instead.
OF_CFGRIB = {
    "indexpath": "index='none'", "read_keys": "nothing: all keys are attributes", "encode_cf": "names=", "time_dims": "time='valid'",
    "extra_coords": "nothing", "errors": "nothing: what cannot be read is a warning", "values_dtype": "dtype=", "squeeze": "isel",
    "grib_errors": "nothing",
}


class Array(BackendArray):
    """An array that is read by the worker."""

    def __init__(self, handle: Handle, path: str, document: dict):
        self.handle, self.path = handle, path
        self.shape = tuple(document["shape"])
        kind = document["data_type"]
        self.text = kind == "string"
        if isinstance(kind, dict):  # null_terminated_bytes
            self.dtype = np.dtype(f"S{kind['configuration']['length_bytes']}")
        else:
            self.dtype = np.dtype(object if self.text else kind)

    def __getitem__(self, key: indexing.ExplicitIndexer):
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.BASIC, self.read)

    def read(self, key: tuple) -> np.ndarray:
        """The elements of integers and slices: the box around them is read."""
        start, count, within = [], [], []
        for one, length in zip(key, self.shape):
            if isinstance(one, slice):
                places = range(*one.indices(length))
                first, last = (min(places[0], places[-1]), max(places[0], places[-1])) if places else (0, -1)
                start.append(first)
                count.append(last - first + 1)
                within.append(slice(None, None, places.step))
            else:
                start.append(int(one) % length)
                count.append(1)
                within.append(0)
        if 0 in count:
            elements = np.empty(count, self.dtype)
        else:
            memory = self.handle.read(self.path, start, count)
            if self.text:
                raw = np.frombuffer(memory, f"S{max(1, len(memory) // math.prod(count))}").reshape(count)
                elements = np.array([one.decode("utf-8", "replace") for one in raw.ravel()], object).reshape(count)
            else:
                elements = np.frombuffer(memory, self.dtype).reshape(count)
        return elements[tuple(within)]


class DataStore(AbstractDataStore):
    """A group of a labelled dataset."""

    def __init__(self, handle: Handle, group: str):
        self.handle, self.group = handle, group
        if handle.documents.get(group, {}).get("node_type") != "group":
            raise UsageError(f"there is no group {group!r}, expected one of {sorted(groups(handle))}")

    def get_attrs(self):
        return dict(self.handle.documents[self.group]["attributes"])

    def get_dimensions(self):
        raise NotImplementedError  # xarray takes those of the variables

    def get_variables(self):
        found = {}
        for path, document in self.handle.documents.items():
            parent, _, name = path.rpartition("/")
            if document["node_type"] != "array" or parent != self.group:
                continue
            array = Array(self.handle, path, document)
            attributes = dict(document.get("attributes", {}))
            if "_FillValue" in attributes and array.dtype != object:
                attributes["_FillValue"] = FillValueCoder.decode(attributes["_FillValue"], array.dtype)
            dims = document.get("dimension_names", [])
            chunks = document["chunk_grid"]["configuration"]["chunk_shape"]
            encoding = {"preferred_chunks": dict(zip(dims, chunks)), "source": self.handle.words[-1]}
            found[name] = xarray.Variable(dims, indexing.LazilyIndexedArray(array), attributes, encoding)
        return found

    def close(self):
        self.handle.close()


def groups(handle: Handle) -> list[str]:
    """The paths of the groups of a dataset, that of the root is empty."""
    return [path for path, document in handle.documents.items() if document["node_type"] == "group"]


def opened(inputs, options: dict) -> Handle:
    """The dataset of inputs, with the keyword arguments of the engine."""
    for name in options:
        if name in OF_CFGRIB:
            raise UsageError(f"{name}= is cfgrib's; the engine tgmconv has {OF_CFGRIB[name]} instead")
        if name not in KEYWORDS:
            raise UsageError(f"the engine tgmconv has no argument {name}, expected {', '.join(sorted(KEYWORDS))}")
    given = dict(options)
    by_keys = given.pop("filter_by_keys", None)
    given["where"] = given.get("where") or by_keys
    handle = Handle([*flags(given), "--", *names(inputs)])
    for note in handle.notes:
        warnings.warn(note, stacklevel=4)
    return handle


KEYWORDS = {
    "names", "time", "dtype", "where", "sel", "bbox", "index", "variable", "drop", "rename", "duplicates", "min_fill", "missing", "filter_by_keys",
}


class TgmconvBackendEntrypoint(BackendEntrypoint):
    """Opens GRIB, netCDF, HDF5, Zarr, Tensogram and .tet files, folders, patterns and addresses."""

    description = "Open GRIB, netCDF, HDF5, Zarr, Tensogram and .tet files with tgmconv"
    url = "https://github.com/tgmconv/tgmconv"
    open_dataset_parameters = (
        "filename_or_obj", "mask_and_scale", "decode_times", "concat_characters", "decode_coords", "drop_variables", "use_cftime",
        "decode_timedelta", "group", *sorted(KEYWORDS),
    )
    supports_groups = True

    def guess_can_open(self, filename_or_obj) -> bool:
        try:
            name = os.fspath(filename_or_obj)
        except TypeError:
            return False
        return name.lower().endswith((".grib", ".grib1", ".grib2", ".grb", ".grb2", ".tgm", ".tet"))

    def open_dataset(
        self, filename_or_obj, *, mask_and_scale=True, decode_times=True, concat_characters=True, decode_coords=True, drop_variables=None,
        use_cftime=None, decode_timedelta=None, group=None, **options,
    ):
        handle = opened(filename_or_obj, options)
        return decoded(handle, (group or "").strip("/"), dict(
            mask_and_scale=mask_and_scale, decode_times=decode_times, concat_characters=concat_characters, decode_coords=decode_coords,
            drop_variables=drop_variables, use_cftime=use_cftime, decode_timedelta=decode_timedelta))

    def open_groups_as_dict(
        self, filename_or_obj, *, mask_and_scale=True, decode_times=True, concat_characters=True, decode_coords=True, drop_variables=None,
        use_cftime=None, decode_timedelta=None, group=None, **options,
    ):
        handle = opened(filename_or_obj, options)
        below = (group or "").strip("/")
        decoding = dict(
            mask_and_scale=mask_and_scale, decode_times=decode_times, concat_characters=concat_characters, decode_coords=decode_coords,
            drop_variables=drop_variables, use_cftime=use_cftime, decode_timedelta=decode_timedelta)
        return {
            "/" + path.removeprefix(below).strip("/"): decoded(handle, path, decoding)
            for path in sorted(groups(handle)) if path == below or not below or path.startswith(below + "/")
        }

    def open_datatree(self, filename_or_obj, **options):
        return xarray.DataTree.from_dict(self.open_groups_as_dict(filename_or_obj, **options))


def decoded(handle: Handle, group: str, decoding: dict) -> xarray.Dataset:
    """A group as xarray decodes it."""
    store = DataStore(handle, group)
    return StoreBackendEntrypoint().open_dataset(store, **decoding)
