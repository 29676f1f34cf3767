"""Converts netCDF and HDF5 files and looks for everything netCDF4 (or, where it cannot open them, h5py) finds in them: every variable with its
values and dimensions, every attribute of variables, groups and files. What is not there must be named by a warning or in _extra_.netcdf.others.

usage: everything.py TGMCONV FILE... (the reference decoder, tensogram, decodes)
"""
import collections, os, subprocess, sys, tempfile, warnings, json
import numpy as np, netCDF4, h5py, tensogram
warnings.filterwarnings("ignore")
tgmconv, files = sys.argv[1], sys.argv[2:]
total, problems = collections.Counter(), []


def plain(x):
    """A value as metadata have it: lists, numbers, texts."""
    if isinstance(x, np.ndarray):
        x = [plain(y) for y in x.ravel()] if x.dtype.kind not in "iufb" else x.ravel().tolist()
    if isinstance(x, bytes): x = x.decode("utf-8", "replace")
    if isinstance(x, np.void): return {n: plain(x[n]) for n in x.dtype.names} if x.dtype.names else "opaque"
    if isinstance(x, np.generic): x = x.item()
    if isinstance(x, (tuple, list)): x = [plain(y) for y in x]
    if isinstance(x, list) and len(x) == 1: x = x[0]
    if isinstance(x, str): x = x.rstrip("\0")
    return x


def same(a, b):
    if isinstance(a, list) and isinstance(b, list): return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict) and isinstance(b, dict): return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, float) or isinstance(b, float):
        try: return float(a) == float(b) or (float(a) != float(a) and float(b) != float(b)) or np.float32(a) == np.float32(b)
        except (TypeError, ValueError): return False
    if isinstance(a, bool) or isinstance(b, bool): return int(a) == int(b)
    return a == b or str(a) == str(b) or (a in ([], "") and b in ([], "", None))


def groups(g, path=""):
    yield path, g
    for n, s in g.groups.items(): yield from groups(s, path + n + "/")


def check(path, problem):
    try: d = netCDF4.Dataset(path)
    except Exception: total["files netCDF4 cannot open"] += 1; return
    total["files"] += 1
    out = tempfile.mktemp(suffix=".tgm")
    r = subprocess.run([tgmconv, "convert-netcdf", "--json", "-o", out, path], capture_output=True, text=True, timeout=600)
    vs = [(p + n, v) for p, g in groups(d) for n, v in g.variables.items()]
    if r.returncode:
        total["files not converted"] += 1
        if vs: problem("NOT CONVERTED (%d variables): %s" % (len(vs), r.stderr.strip().splitlines()[-1][:150]))
        return
    said = " ".join(w["text"] for w in json.loads(r.stdout)["warnings"])
    total["warnings"] += len(json.loads(r.stdout)["warnings"])
    data = open(out, "rb").read()
    m = tensogram.decode(data) 
    meta = m.metadata
    base, extra = meta.base, meta.extra
    nc = extra.get("netcdf", {})
    have = {b["name"]: (b, o) for b, o in zip(base, m.objects)}
    others = {o["name"]: o for o in nc.get("others", [])}
    total["size in"] += os.path.getsize(path); total["size out"] += os.path.getsize(out)
    os.unlink(out)
    # files and groups
    grp = {g["name"].strip("/"): g["attributes"] for g in nc.get("groups", [])}
    grp[""] = nc.get("global", {})
    for p, g in groups(d):
        for k in g.ncattrs():
            total["group attributes"] += 1
            try: want = plain(g.getncattr(k))
            except Exception: total["attributes netCDF4 cannot read"] += 1; continue
            got = grp.get(p.strip("/"), {}).get(k, "MISSING")
            if not same(got, want) and k not in said: problem("group %s attribute %s: %.80r, want %.80r" % (p or "/", k, got, want))
        for n, dim in g.dimensions.items():
            if n.startswith("phony_dim"): continue  # invented by the library, for each way to a group
            total["dimensions"] += 1
            if not any(x["name"] == n and x["len"] == len(dim) and bool(x["unlimited"]) == dim.isunlimited() for x in nc.get("dims", [])):
                problem("dimension %s%s of %d" % (p, n, len(dim)))
    for n, v in vs:
        total["variables"] += 1
        parts = {k: x for k, x in have.items() if k == n or k.startswith(n + "/")}
        if n in others: total["variables listed as others"] += 1; at = others[n]["attributes"]
        elif n in have: at = dict(have[n][0].get("netcdf", {})); at.update(at.get("_packing", {}))
        elif parts: at = dict(next(iter(parts.values()))[0].get("netcdf", {}))
        else: problem("variable %s is lost (%s)" % (n, v.dtype)); continue
        for k in v.ncattrs():
            total["variable attributes"] += 1
            try: want = plain(v.getncattr(k))
            except Exception: total["attributes netCDF4 cannot read"] += 1; continue
            got = at.get(k, "MISSING")
            if k == "_Unsigned": continue  # used up
            if not same(got, want) and k not in said:
                if "_Unsigned" in v.ncattrs() and np.all((np.asarray(want) - np.asarray(got)) % 256 == 0): continue  # of another sign
                problem("variable %s attribute %s: %.80r, want %.80r" % (n, k, got, want))
        if n not in have: continue
        b, o = have[n]
        try: v.set_auto_maskandscale(False); v.set_auto_chartostring(False)
        except Exception: pass
        if not isinstance(v.dtype, np.dtype) or getattr(v, "_isvlen", False):
            if v.dtype is str:
                total["text variables"] += 1
                want = [s.rstrip("\0") if isinstance(s, str) else "" for s in np.atleast_1d(v[...]).ravel()]
                a = np.asarray(o[1] if isinstance(o, tuple) else o.data)
                got = [bytes(row).rstrip(b"\0").decode("utf-8", "replace") for row in a.reshape(len(want), -1)] if want else []
                if got != want: problem("variable %s: text %.80r, want %.80r" % (n, got[:3], want[:3]))
            continue
        if v.dtype.kind not in "iufcS": continue
        try: want = np.asarray(v[...])
        except Exception: total["variables netCDF4 cannot read"] += 1; continue
        if v.dtype.kind == "S": want = np.frombuffer(want.tobytes(), "u1").reshape(want.shape)
        got = np.asarray(o[1] if isinstance(o, tuple) else o.data)
        nn = b.get("netcdf", {})
        if list(nn.get("_dims", [])) != list(v.dimensions): problem("variable %s dimensions %r, want %r" % (n, nn.get("_dims"), v.dimensions))
        if got.size != want.size: problem("variable %s shape %r, want %r" % (n, got.shape, want.shape)); continue
        got = got.reshape(want.shape)
        pk = nn.get("_packing")
        if "_Unsigned" in v.ncattrs() and str(v.getncattr("_Unsigned")).lower() == "true": want = want.view(want.dtype.str.replace("i", "u"))
        if pk:
            s, off = pk.get("scale_factor", 1.0), pk.get("add_offset", 0.0)
            w = want.astype("f8") * s + off
            bad = ~((got == w) | np.isclose(got, w, rtol=1e-6, atol=0) | np.isnan(got))
        elif got.dtype.kind == "f":
            fills = [np.asarray(v.getncattr(k)).ravel() for k in ("_FillValue", "missing_value") if k in v.ncattrs()]
            w = want
            isfill = np.zeros(w.shape, bool)
            for f in fills:
                for x in f:
                    try: isfill |= w == np.asarray(x).astype(w.dtype)
                    except Exception: pass
            bad = ~((got == w) | (np.isnan(got) & (np.isnan(w) | isfill)))
        else:
            bad = got.astype(want.dtype) != want if got.dtype.kind in "iu" else got != want
        total["values"] += want.size
        if bad.any(): problem("variable %s: %d of %d values differ (%s, %s)" % (n, bad.sum(), want.size, got.dtype, want.dtype))


for path in files:
    before = len(problems)
    try: check(path, lambda text: problems.append((path, text)))
    except Exception as e: problems.append((path, "CHECK FAILED %s %s" % (type(e).__name__, str(e)[:200])))
    for p in problems[before:before + 8]: print(os.path.basename(p[0]), p[1], flush=True)
print(dict(total)); print(len(problems), "problems")
sys.exit(bool(problems))
