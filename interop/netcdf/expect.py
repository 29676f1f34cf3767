#!/usr/bin/env python3
"""Writes what the netCDF library finds in files, as JSON on standard output: one line a file.

usage: expect.py [--lib LIBNETCDF.SO] FILE...

The library is called through ctypes, so that nothing of it is interpreted on the way. Without --lib it is the one
inside the netCDF4 wheel. Element values are given as a hash over the elements in C order: numbers little-endian, the
fields of a compound one after the other without padding, a string ended by a zero byte, a sequence after its
length as uint32.
"""
import argparse
import ctypes as C
import glob
import hashlib
import json
import os
import struct

NAMES = {1: 'byte', 2: 'char', 3: 'short', 4: 'int', 5: 'float', 6: 'double', 7: 'ubyte', 8: 'ushort', 9: 'uint',
         10: 'int64', 11: 'uint64', 12: 'string'}
SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 4, 6: 8, 7: 1, 8: 2, 9: 4, 10: 8, 11: 8, 12: 8}
KINDS = {1: 'CDF-1', 2: 'CDF-2', 3: 'netCDF-4', 4: 'netCDF-4 classic model', 5: 'CDF-5'}
lib = None


class Vlen(C.Structure):
    _fields_ = [('len', C.c_size_t), ('p', C.c_void_p)]


class NCError(Exception):
    pass


def call(name, *args):
    rc = getattr(lib, name)(*args)
    if rc:
        lib.nc_strerror.restype = C.c_char_p
        raise NCError('%s: %s' % (name, lib.nc_strerror(rc).decode()))


def ints(name, ncid, *more):
    n = C.c_int()
    call(name, ncid, C.byref(n), None, *more)
    a = (C.c_int * max(1, n.value))()
    call(name, ncid, C.byref(n), a, *more)
    return list(a[:n.value])


class Type:
    def __init__(self, ncid, t):
        self.id, self.fields, self.base, self.cls = t, [], None, t
        if t in NAMES:
            self.size, self.text = SIZES[t], NAMES[t]
            return
        name = C.create_string_buffer(512)
        size, base, n, cls = C.c_size_t(), C.c_int(), C.c_size_t(), C.c_int()
        call('nc_inq_user_type', ncid, t, name, C.byref(size), C.byref(base), C.byref(n), C.byref(cls))
        self.size, self.cls, tname = size.value, cls.value, name.value.decode()
        if self.cls == 13:
            self.base = Type(ncid, base.value)
            self.text = 'vlen %s %s' % (tname, self.base.text)
        elif self.cls == 14:
            self.text = 'opaque %s %d' % (tname, self.size)
        elif self.cls == 15:
            self.base = Type(ncid, base.value)
            self.size = self.base.size
            members = []
            for i in range(n.value):
                raw = C.create_string_buffer(8)
                call('nc_inq_enum_member', ncid, t, i, name, raw)
                signed = self.base.id in (1, 3, 4, 10)
                members.append('%s=%d' % (name.value.decode(),
                                          int.from_bytes(raw.raw[:self.size], 'little', signed=signed)))
            self.text = 'enum %s %s {%s}' % (tname, self.base.text, ','.join(members))
        else:
            for i in range(n.value):
                off, ft, nd = C.c_size_t(), C.c_int(), C.c_int()
                dims = (C.c_int * 64)()
                call('nc_inq_compound_field', ncid, t, i, name, C.byref(off), C.byref(ft), C.byref(nd), dims)
                f = (name.value.decode(), off.value, Type(ncid, ft.value), list(dims[:nd.value]))
                self.fields.append(f)
            self.text = 'compound %s {%s}' % (tname, ','.join(
                '%s:%s%s' % (f[0], f[2].text, str(f[3]).replace(' ', '') if f[3] else '') for f in self.fields))

    def canonical(self, addr, n):
        """the canonical bytes of n elements at addr"""
        if self.cls == 12:
            out = []
            for p in (C.c_char_p * n).from_address(addr):
                out.append((p or b'') + b'\0')
            return b''.join(out)
        if self.cls == 13:
            out = []
            for v in (Vlen * n).from_address(addr):
                out.append(struct.pack('<I', v.len) + (self.base.canonical(v.p, v.len) if v.len else b''))
            return b''.join(out)
        if self.cls == 16:
            out = []
            for i in range(n):
                for _, off, ft, dims in self.fields:
                    k = 1
                    for d in dims:
                        k *= d
                    out.append(ft.canonical(addr + i * self.size + off, k))
            return b''.join(out)
        return C.string_at(addr, n * self.size)


def attributes(ncid, varid, count):
    out = []
    for i in range(count):
        name = C.create_string_buffer(512)
        call('nc_inq_attname', ncid, varid, i, name)
        t, n = C.c_int(), C.c_size_t()
        call('nc_inq_att', ncid, varid, name, C.byref(t), C.byref(n))
        typ = Type(ncid, t.value)
        buf = C.create_string_buffer(max(1, n.value * typ.size))
        if n.value:
            call('nc_get_att', ncid, varid, name, buf)
        raw = typ.canonical(C.addressof(buf), n.value)
        out.append({'name': name.value.decode('utf-8', 'replace'), 'type': typ.text, 'len': n.value, 'value': raw.hex()})
    return out


def group(ncid):
    name = C.create_string_buffer(512)
    call('nc_inq_grpname', ncid, name)
    g = {'name': name.value.decode(), 'dims': [], 'vars': [], 'groups': []}
    unlimited = ints('nc_inq_unlimdims', ncid)
    names = {}
    for d in ints('nc_inq_dimids', ncid, 1):
        n = C.c_size_t()
        call('nc_inq_dim', ncid, d, name, C.byref(n))
        names[d] = (name.value.decode(), n.value)
    for d in ints('nc_inq_dimids', ncid, 0):
        g['dims'].append({'name': names[d][0], 'len': names[d][1], 'unlimited': d in unlimited})
    natts = C.c_int()
    call('nc_inq_natts', ncid, C.byref(natts))
    g['attrs'] = attributes(ncid, -1, natts.value)
    for v in ints('nc_inq_varids', ncid):
        t, nd, na = C.c_int(), C.c_int(), C.c_int()
        dims = (C.c_int * 1024)()
        call('nc_inq_var', ncid, v, name, C.byref(t), C.byref(nd), dims, C.byref(na))
        typ = Type(ncid, t.value)
        shape = [names[d] for d in dims[:nd.value]]
        n = 1
        for s in shape:
            n *= s[1]
        e = {'name': name.value.decode(), 'type': typ.text, 'dims': [s[0] for s in shape], 'shape': [s[1] for s in shape],
             'attrs': attributes(ncid, v, na.value)}
        buf = C.create_string_buffer(max(1, n * typ.size))
        try:
            if n:
                call('nc_get_var', ncid, v, buf)
            e['hash'] = hashlib.sha256(typ.canonical(C.addressof(buf), n)).hexdigest()[:24]
        except NCError as err:
            e['error'] = str(err)
        g['vars'].append(e)
    for s in ints('nc_inq_grps', ncid):
        g['groups'].append(group(s))
    return g


def main():
    global lib
    ap = argparse.ArgumentParser()
    ap.add_argument('--lib')
    ap.add_argument('files', nargs='+')
    a = ap.parse_args()
    if a.lib:
        lib = C.CDLL(a.lib)
    else:
        import netCDF4
        lib = C.CDLL(glob.glob(os.path.join(os.path.dirname(netCDF4.__file__), '..', 'netcdf4.libs', 'libnetcdf-*'))[0])
    for path in a.files:
        ncid, fmt = C.c_int(), C.c_int()
        e = {'file': os.path.basename(path)}
        try:
            call('nc_open', path.encode(), 0, C.byref(ncid))
            call('nc_inq_format', ncid, C.byref(fmt))
            e['kind'] = KINDS[fmt.value]
            try:
                e['root'] = group(ncid)
            finally:
                call('nc_close', ncid)
        except NCError as err:
            e = {'file': os.path.basename(path), 'error': str(err)}
        print(json.dumps(e, ensure_ascii=False, sort_keys=True), flush=True)


main()
