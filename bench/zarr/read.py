"""Compares reading whole arrays with package zarr, with zarr-python, and with its codec pipeline of zarrs if that is installed (PyPI zarrs), in one run.

    python read.py [MEGABYTES]

The arrays are of float32, of 300 MB if nothing is said, in chunks of 800 kB and of 4 MB. Prints the wall and CPU seconds of both, the
least of five, and how many times as long the others take.
"""

import importlib.util
import os
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
fields = int(sys.argv[1]) // 4 if len(sys.argv) > 1 else 75
codecs = {"blosc lz4": BloscCodec(cname="lz4", shuffle="shuffle"), "blosc zstd": BloscCodec(cname="zstd", shuffle="shuffle"), "zstd": ZstdCodec(level=3)}
random = np.random.default_rng(1)
smooth = np.cumsum(np.cumsum(random.normal(size=(1000, 1000)), 0), 1).astype("f4") / 1000


PIPELINES = {"zarr-python": "zarr.core.codec_pipeline.BatchedCodecPipeline"}
if importlib.util.find_spec("zarrs"):
    import zarrs  # noqa: F401, which registers it

    PIPELINES["zarrs"] = "zarrs.ZarrsCodecPipeline"


def theirs(path, pipeline):
    wall = cpu = 1e9
    with zarr.config.set({"codec_pipeline.path": pipeline}):
        for _ in range(5):
            array, start, before = zarr.open(path, mode="r"), time.time(), time.process_time()
            array[...]
            wall, cpu = min(wall, time.time() - start), min(cpu, time.process_time() - before)
    return wall, cpu


with tempfile.TemporaryDirectory() as folder:
    subprocess.run(["go", "build", "-o", f"{folder}/read", "./read"], cwd=HERE, check=True)
    for chunks in [(5, 200, 200), (1, 1000, 1000)]:
        for name, codec in codecs.items():
            path = f"{folder}/a.zarr"
            array = zarr.create_array(path, shape=(fields, 1000, 1000), chunks=chunks, dtype="f4", compressors=[codec], overwrite=True)
            for i in range(0, fields, 5):
                array[i : i + 5] = np.round(smooth + random.normal(scale=0.1, size=(min(5, fields - i), 1000, 1000)).astype("f4"), 2)
            ours = [float(v) for v in subprocess.run([f"{folder}/read", path], capture_output=True, text=True, check=True).stdout.split()]
            for peer, pipeline in PIPELINES.items():
                wall, cpu = theirs(path, pipeline)
                print(f"{name}, chunks {chunks}, {peer}: wall {ours[0]:.2f} and {wall:.2f} s, {wall / ours[0]:.2f}; CPU {ours[1]:.2f} and {cpu:.2f} s, {cpu / ours[1]:.2f}")
