"""Prints the arrays of a written Zarr store as a client reads them, a line each: PATH<tab>DTYPE<tab>SHAPE<tab>SHA-256.

    python arrays.py zarr|tensorstore|obstore STORE

STORE is a folder or a .zip file, or with zarr also an address.
"""

import json
import pathlib
import sys

from digest import line


def paths(store):
    """The paths of the arrays of a folder, from its consolidated metadata."""
    root = json.loads(pathlib.Path(store, "zarr.json").read_text())
    nodes = root["consolidated_metadata"]["metadata"]
    return sorted(path for path, node in nodes.items() if node["node_type"] == "array")


def with_zarr(store):
    import zarr

    if store.endswith(".zip"):
        store = zarr.storage.ZipStore(store, mode="r")
    group = zarr.open_group(store, mode="r", use_consolidated=True)
    for path, array in sorted(group.members(max_depth=None)):
        if isinstance(array, zarr.Array):
            yield path, array[...]


def with_tensorstore(store):
    import tensorstore

    for path in paths(store):
        spec = {"driver": "zarr3", "kvstore": {"driver": "file", "path": f"{pathlib.Path(store).resolve()}/{path}/"}}
        yield path, tensorstore.open(spec, read=True).result().read().result()


def with_obstore(store):
    import obstore.store
    import zarr

    files = zarr.storage.ObjectStore(obstore.store.LocalStore(pathlib.Path(store).resolve()), read_only=True)
    group = zarr.open_group(files, mode="r", use_consolidated=True)
    for path in paths(store):
        yield path, group[path][...]


def main():
    reader, store = sys.argv[1:]
    for path, values in {"zarr": with_zarr, "tensorstore": with_tensorstore, "obstore": with_obstore}[reader](store):
        print(line(path, "", values).replace("/\t", "\t", 1))


if __name__ == "__main__":
    main()
