"""Writes .tgm files as writers other than tgmconv do: the examples of the reference's book, and its output plugin for
anemoi-inference.

    python write_others.py FOLDER
"""

import datetime
import importlib.util
import pathlib
import sys
import types

import numpy as np
import tensogram

OUT = pathlib.Path(sys.argv[1])


def encode(base, arrays, extra=None, params=None, **more):
    pairs = []
    for i, a in enumerate(arrays):
        d = {"type": "ntensor", "shape": list(a.shape), "dtype": a.dtype.name, "byte_order": "little", "encoding": "none",
             "filter": "none", "compression": "none"}
        d.update((params or {}).get(i, {}))
        pairs.append((d, np.ascontiguousarray(a)))
    return tensogram.encode({"base": base, **({"_extra_": extra} if extra else {})}, pairs, **more)


def write(name, *messages):
    (OUT / name).write_bytes(b"".join(messages))


def ramp(*shape, start=0.0):
    return (np.arange(np.prod(shape), dtype="f8") + start).reshape(shape).astype("f4")


lat, lon = np.linspace(90, -90, 5), np.arange(8) * 45.0
write("coordinates.tgm", encode(
    [{"name": "latitude"}, {"name": "longitude"}, {"name": "temperature", "units": "K"}], [lat, lon, ramp(5, 8, start=270)]))
write("steps.tgm", *(encode([{"name": "t", "step": s}], [ramp(4, 6, start=100 * s)]) for s in (0, 6, 12, 18, 24)))
write("square.tgm", encode(
    [{"name": "lat"}, {"name": "Lon"}, {"name": "level"}, {"name": "t"}],
    [np.linspace(60, 0, 4), np.arange(4) * 10.0, np.array([1000, 850, 500, 300]), ramp(4, 4, 4)]))
write("params.tgm", encode(
    [{}, {}, {}], [lat, lon, ramp(3, 5, 8)],
    params={0: {"name": "latitude"}, 1: {"name": "longitude"}, 2: {"name": "wind", "dim_names": ["height", "latitude", "longitude"], "units": "m s-1"}}))
write("hypercube.tgm", *(encode(
    [{"name": "latitude"}, {"name": "longitude"},
     {"name": "x", "product": {"run": run, "band": band}, "checksum": f"{run}{band}", "uuid": f"u-{run}-{band}"}],
    [lat, lon, ramp(5, 8, start=1000 * run + len(band))]) for run in (1, 2, 3) for band in ("red", "green")))
write("mars.tgm", *(encode(
    [{"name": "latitude"}, {"name": "longitude"},
     {"mars": {"class": "od", "type": "fc", "stream": "oper", "levtype": "pl", "date": 20260401, "time": 1200, "step": s, "levelist": level,
               "param": 130}}],
    [lat, lon, ramp(5, 8, start=10 * s + level)]) for s in (0, 6) for level in (850, 500)))
write("nohash.tgm", *(encode([{"name": "lat"}, {"name": "lon"}, {"name": "t", "step": s}], [lat, lon, ramp(5, 8, start=s)], hash=None)
                      for s in (0, 3)))
write("twogrids.tgm",
      encode([{"name": "lat"}, {"name": "lon"}, {"name": "t"}], [lat, lon, ramp(5, 8)]),
      encode([{"name": "lat"}, {"name": "lon"}, {"name": "t"}], [lat / 2, lon, ramp(5, 8, start=50)]))
write("bids.tgm", *(encode([{"bids": {"subject": sub, "task": task}}], [ramp(3, 4, 5)]) for sub in ("01", "02") for task in ("rest", "nback")))
write("ragged.tgm", *(encode([{"name": "v", "run": r, "member": m}], [ramp(3, start=r * 10 + m)]) for r, m in ((1, 1), (1, 2), (2, 1))))
write("alike.tgm", encode([{"name": "a"}, {"name": "a"}, {"name": "b"}], [ramp(3), ramp(3, start=5), ramp(4)]))
write("curvilinear.tgm", encode(
    [{"name": "latitude"}, {"name": "longitude"}, {"name": "sst", "units": "K"}],
    [np.add.outer(np.linspace(40, 50, 5), np.arange(8) / 10), np.add.outer(np.arange(5) / 10, np.linspace(0, 14, 8)), ramp(5, 8)]))
write("extra_sizes.tgm", encode([{"name": "q"}, {"name": "r"}], [ramp(21, 3), ramp(21)], extra={"dim_names": {"21": "values", "3": "level"}}))


# The examples of the reference's book, by chapter.
# Quick start, Decoding: texts for numbers.
write("book_quickstart.tgm", encode(
    [{"mars": {"class": "od", "stream": "oper", "expver": "0001", "date": "20260404", "time": "0000", "step": "6", "levtype": "sfc", "param": "2t"}}],
    [ramp(5, 8)], extra={"source": "demo"}))
# Metadata: keys that the message has for all objects; keys of the descriptor.
write("book_metadata.tgm", encode(
    [{"mars": {"param": "2t", "levtype": "sfc"}}, {"mars": {"param": "10u", "levtype": "sfc"}}], [ramp(3, 4), ramp(3, 4, start=5)],
    extra={"mars": {"class": "od", "date": "20260401", "time": "1200", "type": "fc"}}))
write("book_schema.tgm", encode(
    [{}], [ramp(4, 5)], params={0: {"mars": {"param": "t", "levtype": "pl", "levelist": "500"}}},
    extra={"mars": {"class": "od", "date": "20260404", "time": "0000", "step": "0"}, "source": "ifs-cycle49r2"}))
# Objects: a spectrum and a mask.
shared = {"class": "od", "date": "20260401", "step": 6, "type": "fc", "levtype": "sfc"}
write("book_objects.tgm", encode(
    [{"mars": {**shared, "param": "wave_spectra"}}, {"mars": {**shared, "param": "lsm"}}], [ramp(6, 8, 5), np.ones((6, 8), "u1")]))
# Generic metadata.
write("book_generic.tgm", encode(
    [{"product": {"name": "intensity", "units": "counts", "device": "detector_A", "run_id": 42}, "instrument": {"serial": "XYZ-001"}}], [ramp(5, 6)]))
# Working with files: one message a step.
write("book_files.tgm", *(encode([{"step": s}], [ramp(4, 5, start=s)]) for s in range(3)))
# Streaming.
streaming = tensogram.StreamingEncoder({"base": [{"name": name, "step": 6} for name in "ab"]})
for start in (0, 7):
    streaming.write_object({"type": "ntensor", "shape": [4, 5], "dtype": "float32"}, ramp(4, 5, start=start))
write("book_streaming.tgm", streaming.finish())
# Simple packing.
packed = ramp(20, 30).astype("f8")
write("book_packing.tgm", encode(
    [{"mars": {"param": "t", "levtype": "pl", "levelist": "500", "date": "20260404", "time": "0000", "step": "6"}}], [packed],
    params={0: {"encoding": "simple_packing", "compression": "zstd", **tensogram.compute_packing_params(packed.ravel(), 16, 0)}}))
# xarray: names in descriptors, a message a field, objects of several kinds, levels without a type.
write("book_xarray_names.tgm", encode([{}, {}], [ramp(3, 4), ramp(3, 4, start=5)], params={0: {"mars": {"param": "2t"}}, 1: {"mars": {"param": "10u"}}}))
write("book_xarray_messages.tgm", *(encode([{}], [ramp(3, 4, start=100 * k + day)], params={0: {"mars": {"param": param, "date": f"2026040{day}"}}})
                                    for k, param in enumerate(("2t", "10u")) for day in (1, 2)))
write("book_xarray_kinds.tgm", encode([{"name": "temp"}], [ramp(3, 4)]), encode([{"name": "wind"}], [ramp(3, 4, start=9)]),
      encode([{"name": "counts"}], [np.arange(5, dtype="i4")]))
write("book_levels.tgm", *(encode([{"name": "t", "level": level}], [ramp(3, 4, start=level)]) for level in (850, 500)))
# Dask: a message a date, named by level.
write("book_dask.tgm", *(encode(
    [{}] * 5, [lat, lon, *(ramp(5, 8, start=level + 10000 * day) for level in (1000, 850, 500))],
    params={0: {"name": "latitude"}, 1: {"name": "longitude"}} | {
        i + 2: {"name": f"temperature_{level}hPa", "mars": {"param": "t", "levelist": str(level), "date": f"2026040{day}"}}
        for i, level in enumerate((1000, 850, 500))}) for day in (1, 2)))
# earthkit.
write("book_earthkit.tgm", encode(
    [{"name": "latitude"}, {"name": "longitude"}, *({"mars": {"class": "od", "type": "fc", "param": param, "date": "2025-01-01", "time": "0000", "step": step,
                                                              "levtype": "sfc"}} for param, step in (("2t", 0), ("tp", 6)))],
    [np.linspace(60, 30, 4, dtype="f4"), np.linspace(-10, 20, 6, dtype="f4"), ramp(4, 6), ramp(4, 6, start=50)], extra={"title": "demo"}))
write("book_cube.tgm", encode([{"name": "generic_cube"}], [ramp(2, 3, 4)], extra={"title": "demo"}))


class Variable:
    def __init__(self, param, level=None):
        self.param, self.level = param, level
        self.is_pressure_level = level is not None
        self.grib_keys = {"param": param, "levtype": "pl", "level": level} if level else {"param": param, "levtype": "sfc"}


def anemoi():
    """Writes with the class of tensogram-anemoi, which is given the little that it takes of anemoi-inference: that needs some GB."""
    class Output:
        def __init__(self, context, **_):
            self.context = context
            self.typed_variables = {}

        def skip_variable(self, name):
            return False

    parts = {"context": {"Context": object}, "decorators": {"main_argument": lambda name: lambda c: c}, "output": {"Output": Output},
             "types": {"ProcessorConfig": dict, "State": dict}, "state": {"reduce_state": lambda s: s}}
    sys.modules.setdefault("anemoi", types.ModuleType("anemoi"))
    sys.modules["anemoi.inference"] = types.ModuleType("anemoi.inference")
    for name, content in parts.items():
        module = types.ModuleType(f"anemoi.inference.{name}")
        module.__dict__.update(content)
        sys.modules[module.__name__] = module
    from tensogram_anemoi.output import TensogramOutput
    n = 432
    k = np.arange(n)
    state = {"latitudes": 89 - 178 * (k // 36) / 11, "longitudes": (k % 36) * 10.0}
    variables = {"2t": Variable("2t"), "msl": Variable("msl")}
    variables |= {f"{p}{level}": Variable(p, level) for p in ("t", "u") for level in (1000, 500, 850)}
    for file, stack in (("anemoi.tgm", False), ("anemoi_stacked.tgm", True)):
        out = TensogramOutput(None, str(OUT / file), stack_pressure_levels=stack)
        out.typed_variables = variables
        start = datetime.datetime(2026, 1, 2, 6)
        for hours in (6, 12, 18):
            step = datetime.timedelta(hours=hours)
            state |= {"step": step, "date": start + step}
            state["fields"] = {name: (k % 97 + hours + (v.level or 0)).astype("f4") for name, v in variables.items()}
            if hours == 6:
                out.open(state)
            out.write_step(state)
        out.close()


if importlib.util.find_spec("tensogram_anemoi"):
    anemoi()
