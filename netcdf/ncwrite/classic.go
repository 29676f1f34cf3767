package ncwrite

import (
	"bytes"
	"context"
	"math"

	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// classicFile is a file in a classic format. Its layout is known when it begins:
//
//	header
//	variables without the record dimension, one after the other
//	record 0 of all variables with it, record 1, …
//
// Each variable, or each record of it, is padded to four bytes; when there is one record variable
// only, its records are not.
type classicFile struct {
	*plan
	out     *output
	record  *dim // the record dimension, nil if there is none
	vars    []*classicVar
	records int64  // where record 0 begins
	step    int64  // bytes of a record of all variables
	free    []byte // after the header
	tail    []byte // after the elements
}

// classicVar is where a variable lies.
type classicVar struct {
	*variable
	*dense
	bytes  int64 // of the variable or one record of it, padded
	record bool
}

// write resolves the ambiguity between the embedded fields.
func (v *classicVar) write(ctx context.Context, start, count []uint64, data []byte) error {
	return v.dense.write(ctx, start, count, data)
}

func newClassicFile(p *plan, out *output, o *options) (*classicFile, error) {
	f := &classicFile{plan: p, out: out}
	for _, d := range p.dims {
		if d.unlimited {
			f.record = d
		}
		if err := checkLength(p.kind, d); err != nil {
			return nil, err
		}
	}
	for _, v := range p.vars {
		if err := f.add(v); err != nil {
			return nil, err
		}
	}
	header, err := f.header()
	if err != nil {
		return nil, err
	}
	f.free, f.tail = o.header, o.tail
	return f, f.layOut(int64(len(header) + len(f.free)))
}

// checkLength reports a dimension that is longer than the format can say.
func checkLength(kind netcdf.Kind, d *dim) error {
	limit := uint64(math.MaxInt64)
	switch kind {
	case netcdf.CDF1:
		limit = math.MaxInt32 - 3
	case netcdf.CDF2:
		limit = math.MaxUint32 - 3
	}
	if d.length > limit {
		return modelError("/"+d.name, "dimension of length %d, expected at most %d in %s", d.length, limit, kind)
	}
	return nil
}

// add appends a variable, without its place.
func (f *classicFile) add(v *variable) error {
	var err error
	if v.fill, err = v.fillElement(); err != nil {
		return err
	}
	if v.NoFill {
		v.fill = make([]byte, v.size)
	}
	if len(v.ChunkShape)+len(v.Filters) > 0 {
		return modelError(v.path, "%s has no chunks and no filters", f.kind)
	}
	c := &classicVar{variable: v}
	shape := f.shape(v)
	for i, d := range v.dims {
		if d.unlimited && i > 0 {
			return modelError(v.path, "unlimited dimension %s is not the first one", d.name)
		}
		c.record = c.record || d.unlimited
	}
	c.dense = newDense(f.out, shape, v.size, v.size)
	c.bytes = c.piece
	if c.record {
		c.bytes = c.strides[0]
	}
	c.bytes += -c.bytes & 3
	v.store = c
	f.vars = append(f.vars, c)
	return nil
}

// layOut gives each variable its place.
func (f *classicFile) layOut(at int64) error {
	for _, v := range f.vars {
		if !v.record {
			v.begin = at
			at += v.bytes
		}
	}
	f.records = at
	var only *classicVar
	n := 0
	for _, v := range f.vars {
		if v.record {
			v.begin = at
			at += v.bytes
			f.step += v.bytes
			only, n = v, n+1
		}
	}
	if n == 1 {
		f.step = only.strides[0]
	}
	for i, v := range f.vars {
		if v.record {
			v.inRecords(v.begin, f.step)
		}
		if err := f.checkPlace(v, i); err != nil {
			return err
		}
	}
	return nil
}

// checkPlace reports a variable that the format cannot place.
func (f *classicFile) checkPlace(v *classicVar, i int) error {
	switch {
	case v.begin > math.MaxInt64/2 || v.begin < 0:
		return modelError(v.path, "more bytes than a file can hold")
	case f.kind == netcdf.CDF1 && v.begin > math.MaxInt32:
		return modelError(v.path, "begins at byte %d, %s has %d at most", v.begin, f.kind, math.MaxInt32)
	case f.kind != netcdf.CDF5 && v.bytes > maxSize32 && !f.last(i):
		return modelError(v.path, "%d bytes, in %s only the last variable can have more than %d", v.bytes, f.kind, uint32(maxSize32))
	}
	return nil
}

// last reports whether variable i is the last of the file, or the last of a record.
func (f *classicFile) last(i int) bool {
	for _, v := range f.vars[i+1:] {
		if v.record == f.vars[i].record {
			return false
		}
	}
	return f.vars[i].record || f.step == 0
}

// header encodes the header as things stand.
func (f *classicFile) header() ([]byte, error) {
	e := &classicEncoder{kind: f.kind}
	e.magic()
	e.count(f.numRecords())
	e.dimensions(f.dims)
	e.attributes(f.root.model.Attrs, "/")
	e.list(tagVariable, len(f.vars))
	for _, v := range f.vars {
		e.variable(v.variable, uint64(v.bytes), v.begin)
	}
	return e.b, e.err
}

func (f *classicFile) numRecords() uint64 {
	if f.record == nil {
		return 0
	}
	return f.record.length
}

// close writes fill values, padding and the header.
func (f *classicFile) close() (size int64, err error) {
	n := f.numRecords()
	if f.kind != netcdf.CDF5 && n >= math.MaxUint32 {
		return 0, modelError("/"+f.record.name, "%d records, expected fewer than %d in %s", n, uint32(math.MaxUint32), f.kind)
	}
	size = f.records
	if f.step > 0 {
		if n > uint64(math.MaxInt64-size)/uint64(f.step) {
			return 0, modelError("/"+f.record.name, "more bytes than a file can hold")
		}
		size += int64(n) * f.step
	}
	for _, v := range f.vars {
		if err := f.complete(v, n); err != nil {
			return 0, v.wrap(err)
		}
	}
	header, err := f.header()
	if err != nil {
		return 0, err
	}
	if _, err := f.out.WriteAt(append(header, f.free...), 0); err != nil {
		return 0, err
	}
	if len(f.tail) > 0 {
		if _, err := f.out.WriteAt(f.tail, size); err != nil {
			return 0, err
		}
	}
	return size + int64(len(f.tail)), nil
}

// complete writes the fill values and the padding of a variable.
func (f *classicFile) complete(v *classicVar, records uint64) error {
	pieces, end := int64(1), v.piece
	if v.record {
		pieces, end = int64(records), v.piece*int64(records)
	}
	if err := v.dense.fill(end, v.variable.fill); err != nil {
		return err
	}
	pad := v.bytes - v.piece
	if pad == 0 || v.record && f.step == v.piece {
		return nil
	}
	filler := bytes.Repeat(v.variable.fill, int(pad)/v.variable.size) // elements that need padding have 1 or 2 bytes
	if len(v.Padding) == len(filler) {
		filler = bytes.Clone(v.Padding)
		wire.Swap(filler, v.dense.swap) // put does it again
	}
	for i := range pieces {
		if err := v.put(v.begin+i*v.step+v.piece, filler); err != nil {
			return err
		}
	}
	return nil
}

// abort implements fileFormat: there is no work in the background.
func (f *classicFile) abort() {}
