"""C-Blosc2, zfp, SZ3 and the reference implementation of Tensogram, through their Python packages.

Reads one JSON request a line and answers with one JSON line: the least time of a few calls, in
seconds of CPU or with "wall" of the clock. Results go to the file that "out" names.
"""
import json
import sys
import time

import numpy as np


def fastest(call, repeat, now):
    best, result = None, None
    for _ in range(repeat):
        result = None  # gives its memory back
        start = now()
        result = call()
        took = now() - start
        best = took if best is None else min(best, took)
    return best, result


def blosc2_call(op, data, p):
    import blosc2
    blosc2.set_nthreads(1)
    if op == "decode":
        if p.get("frame"):
            return lambda: blosc2.schunk_from_cframe(data)[:]
        if p.get("version") == 1:
            return lambda: blosc2.decompress(data)
        return lambda: blosc2.decompress2(data, nthreads=1)
    filters = [blosc2.Filter.NOFILTER] * 5 + [blosc2.Filter(p["filter"])]
    codec = getattr(blosc2.Codec, {"blosclz": "BLOSCLZ"}.get(p["codec"], p["codec"].upper()))
    cparams = blosc2.CParams(codec=codec, clevel=p["level"], typesize=p["typesize"], filters=filters,
                             filters_meta=[0] * 6, nthreads=1)
    if p.get("frame"):
        return lambda: blosc2.SChunk(chunksize=p["chunksize"], data=data, cparams=cparams).to_cframe()
    return lambda: blosc2.compress2(data, cparams=cparams)


def zfp_call(op, data, p):
    import zfpy
    mode = {p["mode"]: p["value"]}
    shape = tuple(p["shape"])
    if op == "decode":
        kind = zfpy.dtype_to_ztype(np.dtype(p["dtype"]))
        return lambda: zfpy._decompress(data, kind, shape, **mode)
    array = np.frombuffer(data, p["dtype"]).reshape(shape)
    return lambda: zfpy.compress_numpy(array, write_header=False, **mode)


def sz3_call(op, data, p):
    from pysz import sz, szConfig, szErrorBoundMode
    shape = (p["n"],)
    if op == "decode":
        stream = np.frombuffer(data, "u1")
        return lambda: sz.decompress(stream, np.float64, shape)[0]
    array = np.frombuffer(data, "f8")
    if p["library"] == "reference":
        import tensogram
        desc = {"type": "ntensor", "shape": list(shape), "dtype": "float64", "byte_order": "little", "encoding": "none", "filter": "none",
                "compression": "sz3", "sz3_error_bound_mode": "abs", "sz3_error_bound": p["bound"]}
        return lambda: tensogram.encode({}, [(desc, array)], hash=None, threads=0)
    config = szConfig(shape)
    config.errorBoundMode = szErrorBoundMode.ABS
    config.absErrorBound = p["bound"]
    return lambda: sz.compress(array, config)[0]


def tensogram_call(op, data, p):
    """A message of one array of float64, on the threads asked for."""
    import tensogram
    if op == "decode":
        return lambda: tensogram.decode(data, threads=p["threads"]).objects[0][1]
    array = np.frombuffer(data, "f8")
    desc = {"type": "ntensor", "shape": list(array.shape), "dtype": "float64", "byte_order": "little", "encoding": "none",
            "filter": "none", "compression": "none"} | p["pipeline"]

    def encode():
        packing = tensogram.compute_packing_params(array, p["bits"], 0) if p["bits"] else {}
        return tensogram.encode({}, [(desc | packing, array)], threads=p["threads"])
    return encode


CALLS = {"blosc2": blosc2_call, "zfp": zfp_call, "sz3": sz3_call, "tensogram": tensogram_call}

for line in sys.stdin:
    request = json.loads(line)
    try:
        with open(request["in"], "rb") as f:
            data = f.read()
        call = CALLS[request["codec"]](request["op"], data, request["params"])
        now = time.perf_counter if request.get("wall") else time.process_time
        seconds, result = fastest(call, request["repeat"], now)
        if request["out"]:
            with open(request["out"], "wb") as f:
                f.write(memoryview(np.ascontiguousarray(result)).cast("B") if isinstance(result, np.ndarray) else result)
        answer = {"seconds": seconds}
    except Exception as e:  # the other side names it
        answer = {"error": f"{type(e).__name__}: {e}"}
    print(json.dumps(answer), flush=True)
