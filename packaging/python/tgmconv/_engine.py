"""The engine of xarray: xarray.open_dataset(x, engine="tgmconv")."""

from __future__ import annotations

import base64
import math
import os
import warnings

import numpy as np
import xarray
from xarray.backends import AbstractDataStore, BackendArray, BackendEntrypoint, StoreBackendEntrypoint
from xarray.backends.zarr import FillValueCoder
from xarray.core import indexing

from ._program import TgmconvError, UsageError, flags, names
from ._worker import Handle

KEYWORDS = {
    "names", "time", "dtype", "where", "sel", "bbox", "index", "variable", "drop", "rename", "duplicates", "min_fill", "missing",
}

# Arguments of cfgrib's engine: the arguments of this engine by the value, or a function that returns them, and the text for an error
# of another value.
OF_CFGRIB = {
    "filter_by_keys": (lambda keys: {"where": keys} if keys else {}, ""),
    "indexpath": ({"": {"index": "none"}, None: {"index": "none"}}, "index="),
    "time_dims": ({("time", "step"): {}, ("valid_time",): {"time": "valid"}}, "time='valid'"),
    "values_dtype": ({np.dtype("float32"): {"dtype": "float32"}, np.dtype("float64"): {"dtype": "source"}}, "dtype="),
    "encode_cf": ({("parameter", "time", "geography", "vertical"): {}}, "names="),
    "errors": ({"warn": {}, "ignore": {}, "raise": {}}, "'warn', 'ignore' and 'raise'"),
    "grib_errors": ({"warn": {}, "ignore": {}, "strict": {}}, "'warn', 'ignore' and 'strict'"),
    "squeeze": ({True: {}}, "True (expand_dims() of the dataset makes dimensions of one)"),
    "cache_geo_coords": (lambda _: {}, ""),
    "ignore_keys": (lambda _: {}, ""),
    "read_keys": ({}, "none (`tgmconv grib ls -p` prints keys)"),
    "extra_coords": ({}, "none (assign_coords() of the dataset adds coordinates)"),
    "coords_as_attributes": ({}, "none (drop_vars() of the dataset takes coordinates out)"),
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
        raise NotImplementedError  # xarray takes the chunks of the variables

    def get_variables(self):
        found = {}
        for path, document in self.handle.documents.items():
            parent, _, name = path.rpartition("/")
            if document["node_type"] != "array" or parent != self.group:
                continue
            array = Array(self.handle, path, document)
            attributes = {key: one for key, one in document.get("attributes", {}).items() if key not in self.handle.ignored}
            if "_FillValue" in attributes and array.dtype != object:
                attributes["_FillValue"] = FillValueCoder.decode(attributes["_FillValue"], array.dtype)
            elif array.dtype == "S1" and (fill := base64.b64decode(document["fill_value"]).rstrip(b"\0")):
                attributes["_FillValue"] = np.bytes_(fill)  # Zarr documents do not have it: zarr-python reads no such attribute
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
    given = {}
    for name, value in options.items():
        if name in OF_CFGRIB:
            for one, its in of_cfgrib(name, value).items():
                if options.get(one) is not None:
                    raise UsageError(f"{name}= and {one}= are the same, expected one of them")
                given[one] = its
        elif name in KEYWORDS:
            given[name] = value
        else:
            raise UsageError(f"the engine tgmconv has no argument {name}, expected {', '.join(sorted(KEYWORDS))}")
    handle = Handle([*flags(given), "--", *names(inputs)])
    if handle.notes and (options.get("errors") == "raise" or options.get("grib_errors") == "strict"):
        raise TgmconvError("\n".join(handle.notes))
    for note in handle.notes:
        if options.get("errors") != "ignore":
            warnings.warn(note, stacklevel=4)
    handle.ignored = {f"GRIB_{key}" for key in options.get("ignore_keys") or ()}
    return handle


def of_cfgrib(name: str, value) -> dict:
    """The arguments of this engine for an argument of cfgrib's engine."""
    known, instead = OF_CFGRIB[name]
    if callable(known):
        return known(value)
    if name == "values_dtype":
        value = np.dtype(value)
    elif isinstance(value, list):
        value = tuple(value)
    try:
        return known[value]
    except (KeyError, TypeError):
        raise UsageError(f"the engine tgmconv does not take {name}={value!r} of cfgrib's, expected {instead}") from None


# Arguments of xarray for the decoding of variables.
DECODING = ("mask_and_scale", "decode_times", "concat_characters", "decode_coords", "drop_variables", "use_cftime", "decode_timedelta")


class TgmconvBackendEntrypoint(BackendEntrypoint):
    """Opens GRIB, netCDF, HDF5, Zarr, Tensogram and .tet files, folders, patterns and addresses."""

    description = "Open GRIB, netCDF, HDF5, Zarr, Tensogram and .tet files with tgmconv"
    url = "https://github.com/tgmconv/tgmconv"
    open_dataset_parameters = ("filename_or_obj", *DECODING, "group", *sorted(KEYWORDS | OF_CFGRIB.keys()))
    supports_groups = True

    def guess_can_open(self, filename_or_obj) -> bool:
        try:
            name = os.fspath(filename_or_obj)
        except TypeError:
            return False
        return name.lower().endswith((".grib", ".grib1", ".grib2", ".grb", ".grb2", ".tgm", ".tet"))

    def open_dataset(self, filename_or_obj, *, group=None, **options):
        decoding = {name: options.pop(name) for name in DECODING if name in options}
        return decoded(opened(filename_or_obj, options), (group or "").strip("/"), decoding)

    def open_groups_as_dict(self, filename_or_obj, *, group=None, **options):
        decoding = {name: options.pop(name) for name in DECODING if name in options}
        handle = opened(filename_or_obj, options)
        below = (group or "").strip("/")
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
