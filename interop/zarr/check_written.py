"""Compares what `tgmconv to-zarr` writes with what `tgmconv serve` shows, in zarr-python, xarray, tensorstore, obstore, VirtualiZarr and zarrita.

    python check_written.py [TGMCONV]
"""

import functools
import http.server
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import warnings

import xarray

here = pathlib.Path(__file__).resolve().parent
top = here.parents[1]
fixtures = top / "fixtures"
interop = top / ".interop"
# Clients that do not go with the packages of the other checks.
clients = pathlib.Path(os.environ.get("ZARR_CLIENTS", interop / "venvzarr")) / "bin" / "python"
warnings.simplefilter("ignore")

SOURCES = [
    "grib/2t.grib2",
    "grib/cfgrib/tp_on_different_grid_resolutions.grib",
    "netcdf/cf_temperature_deflate.nc",
    "netcdf/tetration_groups_3d.nc",
    "netcdf/record_multi_dtype.nc",
    "netcdf/multi_var.nc",
    "tet/tetpy/weather.tet",
]

# Name of the store, flags, and the clients that read it beside zarr-python and xarray.
STORES = [
    ("default.zarr", [], ["tensorstore", "obstore", "virtualizarr", "zarrita"]),
    ("zstd.zarr", ["--codec", "zstd"], ["tensorstore", "virtualizarr", "zarrita"]),
    ("shuffle.zarr", ["--codec", "zstd", "--shuffle", "byte"], ["zarrita"]),
    ("gzip.zarr", ["--codec", "gzip"], ["tensorstore", "zarrita"]),
    ("none.zarr", ["--codec", "none"], ["tensorstore", "zarrita"]),
    ("source.zarr", ["--codec", "source"], ["zarrita"]),
    ("out.zip", [], []),
]
GRIDDED = [
    ("chunked.zarr", ["--chunks", "latitude=130,longitude=170"], ["tensorstore", "zarrita"]),
    ("sharded.zarr", ["--chunks", "latitude=130,longitude=170", "--shards", "latitude=all,longitude=all"], ["tensorstore", "virtualizarr", "zarrita"]),
]


class Served:
    """A running `tgmconv serve`."""

    def __init__(self, tgmconv, source):
        command = [tgmconv, "serve", "--addr", "127.0.0.1:0", str(source)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url = re.search(r"at (http\S+)", self.process.stdout.readline()).group(1)

    def __enter__(self):
        return self.url

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def folder_server(folder):
    """Serves a folder; zarrita reads through it."""

    class Ranges(http.server.SimpleHTTPRequestHandler):
        """Answers ranges, by which shards are read."""

        def do_GET(self):
            path = pathlib.Path(self.translate_path(self.path))
            if not path.is_file():
                self.send_error(404)
                return
            data, status = path.read_bytes(), 200
            if asked := re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", "")):
                first, last = asked.groups()
                data, status = (data[int(first) : int(last) + 1 if last else None] if first else data[-int(last) :]), 206
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_HEAD(self):
            path = pathlib.Path(self.translate_path(self.path))
            self.send_response(200 if path.is_file() else 404)
            self.send_header("Content-Length", str(path.stat().st_size if path.is_file() else 0))
            self.end_headers()

        def log_message(self, *_):
            pass

    class Server(http.server.ThreadingHTTPServer):
        request_queue_size = 1024

    server = Server(("127.0.0.1", 0), functools.partial(Ranges, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def lines(command):
    """The output of a program, by the first field of its lines."""
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, cwd=here)
    if done.returncode != 0:
        raise RuntimeError(f"exit code {done.returncode}: {' '.join(done.stderr.split())[-1000:]}")
    return dict(line.split("\t", 1) for line in done.stdout.splitlines())


def same_in_xarray(url, store):
    """Demands that xarray sees the same in both, attributes included."""
    a = xarray.open_datatree(url, engine="zarr", consolidated=True)
    if store.endswith(".zip"):
        import zarr

        store = zarr.storage.ZipStore(store, mode="r")
    b = xarray.open_datatree(store, engine="zarr", consolidated=True)
    paths = [node.path for node in a.subtree]
    if paths != [node.path for node in b.subtree]:
        raise AssertionError(f"groups {paths} and {[node.path for node in b.subtree]}")
    for path in paths:
        for v in b[path].variables.values():
            for key in "GRIB_sections", "GRIB_field_runs", "GRIB_field_octets":  # which are for to-grib
                v.attrs.pop(key, None)
        xarray.testing.assert_identical(a[path].to_dataset().load(), b[path].to_dataset().load())


def read_by(client, store, expected):
    if client == "zarrita":
        server = folder_server(store)
        try:
            address = f"http://127.0.0.1:{server.server_address[1]}"
            return lines(["node", here / "arrays_zarrita.mjs", interop / "node" / "node_modules", address, *numbers(expected)])  # texts have no typed array
        finally:
            server.shutdown()
    return lines([clients, here / "arrays.py", client, store])


def digests(found):
    """Only shape and elements: clients have names of their own for data types."""
    return {path: rest.split("\t")[1:] for path, rest in found.items()}


def numbers(found):
    """The arrays that are not of texts."""
    return [p for p, rest in found.items() if not rest.startswith(("bytes", "str", "object"))]


def check_client(client, store, expected, where):
    """Demands of a client the arrays that zarr-python reads; the number of failures."""
    try:
        try:
            found = digests(read_by(client, store, expected))
        except RuntimeError as err:
            # Clients in Rust lose a connection now and then on a busy machine. One that fails twice fails.
            print(f"{where}: {client}: read again after: {err}")
            found = digests(read_by(client, store, expected))
        wrong = [p for p in found if found[p] != digests(expected)[p]]
        if wrong or not found:
            raise AssertionError(f"other elements of {wrong}")
        wanted = expected if client in ("virtualizarr", "obstore") else numbers(expected)
        if missing := sorted(set(wanted) - set(found)):
            raise AssertionError(f"no arrays {missing}")
    except (AssertionError, RuntimeError) as err:
        print(f"{where}: {client}: {str(err)[:1200]}")
        return 1
    return 0


def check_source(tgmconv, source, scratch, skipped):
    failures = 0
    stores = STORES + (GRIDDED if source.startswith("grib") else [])
    with Served(tgmconv, fixtures / source) as url:
        expected = lines([sys.executable, here / "arrays.py", "zarr", url])
        if clients.exists():
            failures += check_client("virtualizarr", url, expected, f"{source} served")
        for name, flags, others in stores:
            store = str(pathlib.Path(scratch, source.replace("/", "_") + name))
            where = f"{source} {name}"
            try:
                subprocess.run([tgmconv, "to-zarr", "-q", "-o", store, *flags, str(fixtures / source)], check=True)
                same_in_xarray(url, store)
                found = lines([sys.executable, here / "arrays.py", "zarr", store])
                if found != expected:
                    raise AssertionError("zarr-python reads other elements")
            except (AssertionError, RuntimeError, subprocess.CalledProcessError) as err:
                print(f"{where}: {str(err)[:300]}")
                failures += 1
                continue
            for client in others:
                if client == "zarrita" and not (interop / "node").exists() or client != "zarrita" and not clients.exists():
                    skipped.add(client)
                    continue
                failures += check_client(client, store, expected, where)
    return failures


def main():
    skipped = set()
    with tempfile.TemporaryDirectory() as scratch:
        tgmconv = sys.argv[1] if len(sys.argv) > 1 else f"{scratch}/tgmconv"
        if len(sys.argv) < 2:
            subprocess.run(["go", "build", "-o", tgmconv, "./cmd/tgmconv"], cwd=top, check=True)
        failures = 0
        for source in SOURCES:
            failures += check_source(tgmconv, source, scratch, skipped)
    for client in sorted(skipped):
        print(f"interop: not installed: {client}")
    print(f"interop: stores of {len(SOURCES)} sources: {failures} differences")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
