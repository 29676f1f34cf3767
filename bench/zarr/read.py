"""Compares reading whole arrays with package zarr, with zarr-python, and with its codec pipeline of zarrs if that is installed (PyPI zarrs).

    python read.py [MEGABYTES [ROUNDS]]

The arrays are of float32, of 1000 MB if nothing is said, in chunks of 800 kB and of 4 MB. In every round each reads an array five times in
a process of its own. Prints the wall and CPU seconds of the first read and the mean of the five, each the median of the rounds (3 if nothing
is said), and how many times as long the others take.
"""

import importlib.util
import os
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np
import zarr
from zarr.codecs import BloscCodec, ZstdCodec

warnings.simplefilter("ignore")
HERE = os.path.dirname(os.path.abspath(__file__))
READS = "5"
CODECS = {"blosc lz4": BloscCodec(cname="lz4", shuffle="shuffle"), "blosc zstd": BloscCodec(cname="zstd", shuffle="shuffle"), "zstd": ZstdCodec(level=3)}
PIPELINES = {"zarr-python": "zarr.core.codec_pipeline.BatchedCodecPipeline"}
if importlib.util.find_spec("zarrs"):
    import zarrs  # noqa: F401, which registers it

    PIPELINES["zarrs"] = "zarrs.ZarrsCodecPipeline"


def read(path, pipeline):
    """Prints what ./read prints."""
    with zarr.config.set({"codec_pipeline.path": pipeline}):
        for _ in range(int(READS)):
            start, before = time.time(), time.process_time()
            zarr.open(path, mode="r")[...]
            print(f"{time.time() - start:.3f} {time.process_time() - before:.3f}")


def measured(*command):
    """Wall and CPU of the first read, and the means of all."""
    rows = [[float(v) for v in line.split()] for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()]
    return [*rows[0], *(statistics.mean(column) for column in zip(*rows))]


def compare(folder, name, chunks, rounds):
    path, results = f"{folder}/a.zarr", {}
    for _ in range(rounds):
        results.setdefault("ours", []).append(measured(f"{folder}/read", path, READS))
        for peer, pipeline in PIPELINES.items():
            results.setdefault(peer, []).append(measured(sys.executable, __file__, "--read", path, pipeline))
    medians = {who: [statistics.median(column) for column in zip(*rows)] for who, rows in results.items()}
    ours = medians.pop("ours")
    for peer, theirs in medians.items():
        for k, what in enumerate(["first read", "mean of five"]):
            pair = [f"{what} {ours[2 * k + j]:.2f} and {theirs[2 * k + j]:.2f} s, {theirs[2 * k + j] / ours[2 * k + j]:.2f}" for j in (0, 1)]
            print(f"{name}, chunks {chunks}, {peer}: wall {pair[0]}; CPU {pair[1]}", flush=True)


def main():
    fields = int(sys.argv[1]) // 4 if len(sys.argv) > 1 else 250
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    random = np.random.default_rng(1)
    smooth = np.cumsum(np.cumsum(random.normal(size=(1000, 1000)), 0), 1).astype("f4") / 1000
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["go", "build", "-o", f"{folder}/read", "./read"], cwd=HERE, check=True)
        for chunks in [(5, 200, 200), (1, 1000, 1000)]:
            for name, codec in CODECS.items():
                array = zarr.create_array(f"{folder}/a.zarr", shape=(fields, 1000, 1000), chunks=chunks, dtype="f4", compressors=[codec], overwrite=True)
                for i in range(0, fields, 5):
                    array[i : i + 5] = np.round(smooth + random.normal(scale=0.1, size=(min(5, fields - i), 1000, 1000)).astype("f4"), 2)
                compare(folder, name, chunks, rounds)


if __name__ == "__main__":
    read(*sys.argv[2:]) if sys.argv[1:2] == ["--read"] else main()
