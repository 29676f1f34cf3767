"""A Zarr store of any file, for zarr-python and those who build on it."""

from __future__ import annotations

import asyncio

from zarr.abc.store import ByteRequest, OffsetByteRequest, RangeByteRequest, Store, SuffixByteRequest
from zarr.core.buffer import Buffer, BufferPrototype

from ._program import flags, names
from ._worker import Handle


class ReadOnlyStore(Store):
    """The labelled dataset of files as a Zarr store of format 3."""

    supports_writes = supports_deletes = False
    supports_listing = True

    def __init__(self, handle: Handle):
        super().__init__(read_only=True)
        self.handle = handle

    def __eq__(self, other):
        return isinstance(other, ReadOnlyStore) and other.handle.words == self.handle.words

    async def get(self, key: str, prototype: BufferPrototype, byte_range: ByteRequest | None = None) -> Buffer | None:
        memory = await asyncio.to_thread(self.handle.get, key)
        if memory is None:
            return None
        view = memoryview(memory)
        match byte_range:
            case RangeByteRequest(start, end):
                view = view[start:end]
            case OffsetByteRequest(offset):
                view = view[offset:]
            case SuffixByteRequest(suffix):
                view = view[-suffix:]
        return prototype.buffer.from_bytes(view)

    async def get_partial_values(self, prototype, key_ranges):
        return [await self.get(key, prototype, one) for key, one in key_ranges]

    async def exists(self, key: str) -> bool:
        return await asyncio.to_thread(self.handle.get, key) is not None

    async def list(self):
        for path in self.handle.documents:
            yield f"{path}/zarr.json".lstrip("/")

    async def list_prefix(self, prefix: str):
        async for key in self.list():
            if key.startswith(prefix):
                yield key

    async def list_dir(self, prefix: str):
        prefix = prefix.strip("/")
        below = set()
        async for key in self.list():
            if not prefix or key.startswith(prefix + "/"):
                below.add(key.removeprefix(prefix).lstrip("/").split("/")[0])
        for name in sorted(below):
            yield name

    async def set(self, key, value):
        raise PermissionError("the store is read-only")

    async def delete(self, key):
        raise PermissionError("the store is read-only")

    def close(self):
        super().close()
        self.handle.close()


def store(inputs, **options) -> ReadOnlyStore:
    """The labelled dataset of files as a read-only store: zarr.open_group(tgmconv.store("forecast.grib2")).

    Options are flags of `tgmconv info --dataset`, such as names="short".
    """
    return ReadOnlyStore(Handle([*flags({"dtype": "source", **options}), "--", *names(inputs)]))
