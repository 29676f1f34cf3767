"""Writes the files of the conformance suite with the Python package of the reference implementation that is installed.

    python make.py FOLDER

FOLDER/manifest.jsonl gets a line for each file; see README.md. Combinations that the package refuses are left out, and counted.
"""

import itertools
import json
import pathlib
import shutil
import sys

import numpy as np
import tensogram

from check import little

HERE = pathlib.Path(__file__).parent
SHAPE = [10, 26]
WIDTH = {"float16": 2, "bfloat16": 2, "float32": 4, "float64": 8, "complex64": 8, "complex128": 16, "int8": 1, "int16": 2,
         "int32": 4, "int64": 8, "uint8": 1, "uint16": 2, "uint32": 4, "uint64": 8, "bitmask": 0}
MASKS = ["", "none", "rle", "roaring", "zstd", "lz4", "blosc2"]


def swapped(dtype, data):
    part = WIDTH[dtype] // (2 if dtype.startswith("complex") else 1)
    return np.frombuffer(data, f"u{part}").byteswap().tobytes() if part else data


def descriptor(pipeline, dtype, order):
    d = {"type": "ntensor", "shape": SHAPE, "dtype": dtype, "byte_order": order, **pipeline.get("params", {})}
    d.update((k, pipeline[k]) for k in ("encoding", "filter", "compression") if k in pipeline)
    if "filter" in pipeline:
        d["shuffle_element_size"] = (d["sp_bits_per_value"] + 7) // 8 if "encoding" in pipeline else max(1, WIDTH[dtype])
    return d


def encode(d, data, mask, layout):
    options = {}
    if mask:
        options = {"allow_nan": True, "allow_inf": True, "small_mask_threshold_bytes": 0,
                   **{k + "_mask_method": mask for k in ("nan", "pos_inf", "neg_inf")}}
    if layout == "buffered":
        return tensogram.encode({"base": [{"name": "x"}]}, [(d, data)], **options)
    enc = tensogram.StreamingEncoder({"base": [{"name": "x"}]}, **options)
    enc.write_object(d, data)
    return bytes(enc.finish())


def main(out):
    release = sys.argv[2] if len(sys.argv) > 2 else tensogram.__version__
    (out / "files").mkdir(parents=True, exist_ok=True)
    shutil.copytree(HERE / "values", out / "values", dirs_exist_ok=True)
    pipelines = json.loads((HERE / "pipelines.json").read_text())
    refused = 0
    with open(out / "manifest.jsonl", "w") as manifest:
        for number, ((p, pipeline), dtype, mask, order, layout) in enumerate(itertools.product(
                enumerate(pipelines), WIDTH, MASKS, ("little", "big"), ("buffered", "streamed"))):
            values = HERE / "values" / (f"{dtype}-holes.bin" if mask else f"{dtype}.bin")
            if not values.exists() or pipeline.get("lossy") and dtype != "float64":
                continue  # of other types than float64 zfp and sz3 lose the values without a word
            data = values.read_bytes()
            try:
                message = encode(descriptor(pipeline, dtype, order), swapped(dtype, data) if order == "big" else data, mask, layout)
            except Exception:
                refused += 1
                continue
            case = {"file": f"files/{number:05}.tgm", "values": f"values/{values.name}", "writer": release, "pipeline": pipeline["name"],
                    "dtype": dtype, "shape": SHAPE, "mask": mask, "byte_order": order, "layout": layout}
            (out / case["file"]).write_bytes(message)
            if pipeline.get("lossy"):
                case["values"] = f"files/{number:05}.bin"
                (out / case["values"]).write_bytes(little(tensogram.decode(message).objects[0][1]))
            manifest.write(json.dumps(case) + "\n")
    print(json.dumps({"refused": refused}))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
