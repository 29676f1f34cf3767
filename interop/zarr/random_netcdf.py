"""Writes random netCDF files: all formats, types, compressions, byte orders, chunks, fill values, packing, calendars, texts, groups."""

import random
import warnings

import netCDF4
import numpy as np

warnings.filterwarnings("ignore", "endian-ness")

INTEGERS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"]
CALENDARS = ["standard", "proleptic_gregorian", "noleap", "360_day", None]
DIMENSIONS = ["time", "lev", "y", "x", "lat", "lon"]


def elements(r, numbers, dtype, shape):
    dtype = np.dtype(dtype)
    if dtype.kind != "f":
        limits = np.iinfo(dtype)
        low, high = r.choice([(0, 100), (limits.min, limits.max)])
        return numbers.integers(low, high, shape, dtype=dtype, endpoint=True)
    values = np.array(numbers.standard_normal(shape) * 10 ** r.randint(-3, 3), dtype)
    if values.size and r.random() < 0.4:
        flat = values.reshape(-1)
        for special in np.nan, np.inf, -np.inf, -0.0, np.finfo(dtype).max, np.finfo(dtype).tiny / 4:
            flat[r.randrange(values.size)] = special
    return values


def attributes(r, target, new):
    if r.random() < 0.5:
        target.long_name = r.choice(["a long name", "größe", "x" * 300, ' "quotes" & <tags>\n'])
    if r.random() < 0.3:
        target.setncattr("numbers", np.array([1.5, -2], r.choice(["f4", "f8"])))
    if new and r.random() < 0.2:
        target.setncattr("texts", ["a", "bc", "ü"])


def variable(r, numbers, group, name, dims, sizes, form):
    new = form.startswith("NETCDF4")
    shape = [sizes[d] for d in dims]
    integers = INTEGERS if form in ("NETCDF4", "NETCDF3_64BIT_DATA") else ["i1", "i2", "i4"]
    dtype = np.dtype(r.choice(["f4", "f8"] * 4 + integers))
    options = {}
    if new and dims:
        options = {"compression": r.choice([None, "zlib", "zlib", "zstd"]), "shuffle": r.random() < 0.5, "fletcher32": r.random() < 0.2}
        if r.random() < 0.6:
            options["chunksizes"] = [r.randint(1, n) for n in shape]
        if dtype.itemsize > 1:
            dtype = dtype.newbyteorder(r.choice("=<>"))
            options["endian"] = "big" if dtype.byteorder == ">" else "native"
    values = elements(r, numbers, dtype.newbyteorder("="), shape)
    fill = None
    if r.random() < 0.4:
        fill = values.reshape(-1)[0] if r.random() < 0.5 else dtype.type(r.choice([0, 99]))
    v = group.createVariable(name, dtype, dims, fill_value=fill, **options)
    v.set_auto_maskandscale(False)
    if dtype.kind != "f" and dtype.itemsize < 8 and r.random() < 0.3:
        factor = r.choice([np.float32, np.float64])
        v.scale_factor = factor(r.choice([0.01, 0.5, 2]))
        if r.random() < 0.7:
            v.add_offset = factor(r.choice([0, 273.15]))
    attributes(r, v, form == "NETCDF4")
    written = r.random()
    if written < 0.8 or not dims:
        v[...] = values
    elif written < 0.9 and "time" not in dims[1:]:  # libnetcdf misplaces records along another dimension than the first
        part = tuple(slice(0, max(1, n // 2)) for n in shape)
        v[part] = values[part]


def coordinate(r, numbers, group, dim, n, form):
    if dim != "time":
        v = group.createVariable(dim, r.choice(["f4", "f8", "i4"]), (dim,))
        v[:] = np.linspace(r.choice([-90, 0]), 90, n)[:: r.choice([1, -1])]
        return
    v = group.createVariable(dim, r.choice(["f8", "i4"]), (dim,))
    v.units = r.choice(["days", "hours", "seconds"]) + " since " + r.choice(["1970-01-01", "2000-01-01 06:00:00"])
    if calendar := r.choice(CALENDARS):
        v.calendar = calendar
    v[:] = np.sort(numbers.choice(1000, n, replace=False))


def fill_group(r, numbers, group, sizes, form, depth):
    sizes = dict(sizes)
    for dim in r.sample(DIMENSIONS, r.randint(1, 4)):
        if dim in sizes:
            continue
        n = r.randint(1, 9) if r.random() < 0.85 else r.randint(20, 60)
        group.createDimension(dim, None if dim == "time" and depth == 0 else n)
        sizes[dim] = n
        if r.random() < 0.75:
            coordinate(r, numbers, group, dim, n, form)
    for i in range(r.randint(1, 5)):
        dims = r.sample(sorted(sizes), min(len(sizes), r.randint(0, 4)))
        if "NETCDF3" in form or r.random() < 0.7:
            dims.sort(key=DIMENSIONS.index)
        variable(r, numbers, group, f"v{depth}_{i}", dims, sizes, form)
    attributes(r, group, form == "NETCDF4")
    if form == "NETCDF4" and r.random() < 0.3:
        group.createVariable("note", str, ())[...] = "a note"
    if form == "NETCDF4" and depth < 2 and r.random() < 0.3:
        for i in range(r.randint(1, 2)):
            fill_group(r, numbers, group.createGroup(f"g{i}"), sizes, form, depth + 1)


def make(seed, path):
    """Writes the file of a seed."""
    r, numbers = random.Random(seed), np.random.default_rng(seed)
    form = r.choice(["NETCDF4"] * 5 + ["NETCDF4_CLASSIC", "NETCDF3_CLASSIC", "NETCDF3_64BIT_OFFSET", "NETCDF3_64BIT_DATA"])
    with netCDF4.Dataset(path, "w", format=form) as root:
        fill_group(r, numbers, root, {}, form, 0)
