"""Prints the arrays of a Zarr store as a client reads them, a line each: PATH<tab>DTYPE<tab>SHAPE<tab>SHA-256.

    python arrays.py zarr|tensorstore|obstore|virtualizarr|s3 STORE [PATH...]

STORE is a folder or an address, with zarr also a .zip file, with s3 the address of a server of S3. With tensorstore and an address
the arrays are those named. From an address, obstore and S3 find the arrays by listing, and VirtualiZarr their chunks.
"""

import json
import os
import pathlib
import sys

from digest import line


def paths(store, texts=True):
    """The paths of the arrays of a folder, from its consolidated metadata; without arrays of texts if these are not wanted."""
    root = json.loads(pathlib.Path(store, "zarr.json").read_text())
    nodes = root["consolidated_metadata"]["metadata"]
    arrays = {path: node["data_type"] for path, node in nodes.items() if node["node_type"] == "array"}
    return sorted(path for path, dtype in arrays.items() if texts or isinstance(dtype, str) and dtype != "string")


def with_zarr(store, _):
    import zarr

    if store.endswith(".zip"):
        store = zarr.storage.ZipStore(store, mode="r")
    group = zarr.open_group(store, mode="r", use_consolidated=True)
    for path, array in sorted(group.members(max_depth=None)):
        if isinstance(array, zarr.Array):
            yield path, array[...]


def with_tensorstore(store, named):
    import tensorstore

    served = store.startswith("http")
    for path in named if served else paths(store, texts=False):  # it has no type for them
        place = {"driver": "file", "path": f"{pathlib.Path(store).resolve()}/{path}/"}
        if served:
            place = {"driver": "http", "base_url": store, "path": f"/{path}/"}
        spec = {"driver": "zarr3", "kvstore": place}
        yield path, tensorstore.open(spec, read=True).result().read().result()


def with_obstore(store, _):
    import obstore.store
    import zarr

    if store.startswith("http"):
        yield from listed(obstore.store.HTTPStore(store, client_options={"allow_http": True}))
        return
    files = zarr.storage.ObjectStore(obstore.store.LocalStore(pathlib.Path(store).resolve()), read_only=True)
    group = zarr.open_group(files, mode="r", use_consolidated=True)
    for path in paths(store):
        yield path, group[path][...]


def with_virtualizarr(store, _):
    """The arrays that ZarrParser makes manifests of, group by group. Its own store reads the chunks from their addresses."""
    import obstore.store
    import zarr
    from obspec_utils.registry import ObjectStoreRegistry
    from virtualizarr.parsers import ZarrParser

    if store.startswith("http"):
        source = obstore.store.HTTPStore.from_url(store, client_options={"allow_http": True})
        registry = ObjectStoreRegistry({store: source})
    else:
        folder = pathlib.Path(store).resolve()
        source, store = obstore.store.LocalStore(folder), f"file://{folder}"
        registry = ObjectStoreRegistry({"file://": obstore.store.LocalStore()})
    root = zarr.open_group(zarr.storage.ObjectStore(source, read_only=True), mode="r", use_consolidated=True)
    groups = [path for path, node in root.members(max_depth=None) if isinstance(node, zarr.Group)]
    for path in ["", *sorted(groups)]:
        manifests = ZarrParser(group=path or None)(url=store, registry=registry)
        for name, array in sorted(zarr.open_group(manifests, mode="r", zarr_format=3).arrays()):
            yield f"{path}/{name}".lstrip("/"), array[...]


def with_s3(store, _):
    import obstore.store

    yield from listed(obstore.store.S3Store(
        "bucket", endpoint=store, region="any", skip_signature=True, virtual_hosted_style_request=True, client_options={"allow_http": True}))


def listed(store):
    """The arrays that listing finds."""
    import zarr

    group = zarr.open_group(zarr.storage.ObjectStore(store, read_only=True), mode="r", use_consolidated=False)
    for path, array in sorted(group.members(max_depth=None)):
        if isinstance(array, zarr.Array):
            yield path, array[...]


def main():
    reader, store, *named = sys.argv[1:]
    readers = {"zarr": with_zarr, "tensorstore": with_tensorstore, "obstore": with_obstore, "virtualizarr": with_virtualizarr, "s3": with_s3}
    for path, values in readers[reader](store, named):
        print(line(path, "", values).replace("/\t", "\t", 1))
    # Threads of obstore abort now and then while Python ends, on a busy machine.
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
