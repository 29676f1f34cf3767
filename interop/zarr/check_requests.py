"""Counts the requests and bytes that verbs take to read Zarr stores at an address.

    .interop/venv/bin/python interop/zarr/check_requests.py

The stores are of both formats, in chunks and shards, small and large, and consolidated. Each verb must fetch the documents, every chunk
and the index of a shard once, and neighbours in a shard together. Prints a line for each store and verb.
"""
import http.server
import os
import re
import subprocess
import sys
import tempfile
import threading
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
try:
    import numcodecs
    import numpy as np
    import zarr
    from zarr.codecs import BytesCodec, ZstdCodec
except ImportError as e:
    print("check_requests:", e)
    sys.exit(77)
from served import command

warnings.simplefilter("ignore")
SLACK = 1.1  # of the bytes


class Server(http.server.ThreadingHTTPServer):
    """A server of a folder without a listing, which counts."""

    def __init__(self, folder):
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder, self.lock, self.bytes, self.requests = folder, threading.Lock(), 0, []

    def handle_error(self, request, client_address):
        pass  # a client that has read enough


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, body):
        path = os.path.join(self.server.folder, self.path.lstrip("/"))
        if not os.path.isfile(path):
            self.send_response(404)
            self.send_header("Content-Length", "0")
            self.end_headers()
            with self.server.lock:
                self.server.requests.append((self.command, self.path, 404))
            return
        size = os.path.getsize(path)
        first, last, wanted = 0, size - 1, self.headers.get("Range")
        if wanted:
            begin, end = re.fullmatch(r"bytes=(\d*)-(\d*)", wanted).groups()
            first = int(begin) if begin else max(0, size - int(end))
            last = min(int(end), size - 1) if begin and end else size - 1
        self.send_response(206 if wanted else 200)
        if wanted:
            self.send_header("Content-Range", f"bytes {first}-{last}/{size}")
        self.send_header("Content-Length", str(last - first + 1))
        self.send_header("ETag", f'"{os.stat(path).st_mtime_ns}"')
        self.send_header("Accept-Ranges", "bytes")
        self.end_headers()
        sent = 0
        if body:
            with open(path, "rb") as f:
                f.seek(first)
                while sent <= last - first:
                    block = f.read(min(1 << 18, last - first + 1 - sent))
                    try:
                        self.wfile.write(block)
                    except OSError:
                        break
                    sent += len(block)
        with self.server.lock:
            self.server.bytes += sent
            self.server.requests.append((self.command, self.path, sent))

    def do_GET(self):
        self.answer(True)

    def do_HEAD(self):
        self.answer(False)

    def log_message(self, *args):
        pass


def make(folder, name, zarr_format, shape, chunks, shards=None, level=1):
    """Writes a store with one array and its coordinates, and returns how many bytes, chunk files, and documents it has."""
    path = f"{folder}/{name}"
    root = zarr.open_group(path, mode="w", zarr_format=zarr_format)
    random = np.random.default_rng(1)
    v3 = zarr_format == 3
    codecs = {"compressors": [ZstdCodec(level=level)], "serializer": BytesCodec()} if v3 else {"compressors": numcodecs.Zstd(level)}

    def add(name, shape, chunks, dims, **more):
        attrs = {} if v3 else {"_ARRAY_DIMENSIONS": dims}
        return root.create_array(name, shape=shape, chunks=chunks, dtype="f4", attributes=attrs, **codecs, **more, **({"dimension_names": dims} if v3 else {}))

    dims = [f"d{i}" for i in range(len(shape))]
    for d, n in zip(dims, shape):
        add(d, (n,), (n,), [d])[:] = np.arange(n)
    a = add("a", shape, chunks, dims, **({"shards": shards} if shards else {}))
    step = (shards or chunks)[0]
    for i in range(0, shape[0], step):
        n = min(step, shape[0] - i)
        a[i : i + n] = np.round(random.normal(size=(n, *shape[1:])), 1)
    zarr.consolidate_metadata(path, zarr_format=zarr_format)
    files = [os.path.join(d, f) for d, _, names in os.walk(path) for f in names]
    chunk_files = [f for f in files if "zarr.json" not in f and "/.z" not in f]
    return path, sum(map(os.path.getsize, chunk_files)), len(chunk_files)


def count(server, tgmconv, verb, name, output):
    server.bytes, server.requests = 0, []
    address = f"http://127.0.0.1:{server.server_address[1]}/{name}"
    subprocess.run([tgmconv, *verb, "-o", output, address], check=True)
    subprocess.run(["rm", "-rf", output], check=True)
    return server.bytes, list(server.requests)


def main():
    wrong = 0
    with command() as tgmconv, tempfile.TemporaryDirectory() as folder:
        server = Server(folder)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for name, zarr_format, shape, chunks, shards in [
            ("chunks-v3.zarr", 3, (40, 200, 250), (5, 100, 125), None),
            ("chunks-v2.zarr", 2, (40, 200, 250), (5, 100, 125), None),
            ("shards.zarr", 3, (64, 200, 250), (4, 50, 50), (32, 200, 250)),
            ("large-chunks.zarr", 3, (8, 2000, 4000), (2, 2000, 4000), None),
            ("large-shards.zarr", 3, (8, 2000, 4000), (1, 2000, 4000), (4, 2000, 4000)),
            ("large-inner.zarr", 3, (8, 2000, 4000), (4, 2000, 4000), (8, 2000, 4000)),
        ]:
            path, stored, files = make(folder, name, zarr_format, shape, chunks, shards)
            for verb, output in (["convert", "-q"], "a.tgm"), (["to-zarr", "-q"], "b.zarr"):
                got, requests = count(server, tgmconv, verb, name, os.path.join(folder, output))
                documents = [r for r in requests if "zarr.json" in r[1] or "/.z" in r[1]]
                # A document may be looked at before it is read, and files of over 64 kB be opened before they are.
                most = 2 * files + 12 + (stored >> (16 if name == "shards.zarr" else 19))
                bad = got > SLACK * stored + (1 << 20) or len(requests) > most or len(documents) > 6
                wrong += bad
                print(f"{name} {verb[0]}: {len(requests)} requests ({len(documents)} of documents) for {files} files, {got / 1e6:.1f} of {stored / 1e6:.1f} MB"
                      f"{f': TOO MANY, expected {most}' if bad else ''}", flush=True)
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
