package look

import (
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"strconv"

	"github.com/tgmconv/tgmconv/tgm"
)

// Elements are the values of a field without loss: in the type of the file, or unpacked if the file
// has packed integers.
//
// Elements of a large field that can be decoded in parts are read on demand. The caller must then
// check Err at the end.
type Elements struct {
	Shape []uint64
	array *tgm.Array // all, or some consecutive ones
	first int        // which is the first of array

	// read reads others, of which i is one, and says which is the first; nil if array has all.
	read  func(i int, buffer []byte) (a *tgm.Array, first int, err error)
	n     int // all of them
	err   error
	field *Field

	at    func([]byte) float64
	size  int
	float int // bits of floating-point numbers, 0 of integers
	fills fillIntegers
}

// Elements reads the values of the field.
func (f *Field) Elements(ctx context.Context) (*Elements, error) {
	object, err := f.large()
	if err != nil {
		return nil, err
	}
	if object != nil {
		return f.elementsOfObject(object)
	}
	p, err := f.inParts(ctx)
	if err != nil {
		return nil, err
	}
	if p != nil {
		return f.elementsOfParts(ctx, p)
	}
	a, err := f.Array(ctx)
	if err != nil {
		return nil, err
	}
	if f.unpacks(a.DType) || f.DType == tgm.Bitmask {
		values, err := Floats(a)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Where, err)
		}
		if f.unpacks(a.DType) {
			unpack(values, f.scaling)
		}
		doubles := tgm.ArrayOf(values)
		return f.unpackedElements(&doubles), nil
	}
	return f.elementsOf(a)
}

func (f *Field) elementsOfObject(o *tgm.Object) (*Elements, error) {
	e, err := f.elementsOf(&tgm.Array{DType: f.DType})
	if err != nil {
		return nil, err
	}
	n, _ := o.Descriptor().Elements() // counted by InParts
	part := partBytes / e.size
	e.n = int(n)
	e.read = func(i int, buffer []byte) (*tgm.Array, int, error) {
		first := i - i%part
		a, err := o.DecodeRange(uint64(first), uint64(min(part, e.n-first)), tgm.DecodeOptions{SkipHash: true, Dst: buffer})
		return a, first, err
	}
	return e, nil
}

func (f *Field) elementsOfParts(ctx context.Context, p *parts) (e *Elements, err error) {
	info := p.array.Info()
	unpacks := f.unpacks(info.DType)
	if unpacks {
		e = f.unpackedElements(&tgm.Array{DType: tgm.Float64})
	} else if e, err = f.elementsOf(&tgm.Array{DType: info.DType}); err != nil {
		return nil, err
	}
	e.n = int(info.Whole().Elements())
	e.read = func(i int, buffer []byte) (*tgm.Array, int, error) {
		first, elements, err := p.around(ctx, uint64(i), buffer)
		a := &tgm.Array{DType: info.DType, Data: elements}
		if unpacks && err == nil {
			doubles := tgm.ArrayOf(f.floats(nil, elements, info.DType))
			a = &doubles
		}
		return a, int(first), err
	}
	return e, nil
}

// unpackedElements gives the elements of an array of values that were packed, or bits.
func (f *Field) unpackedElements(a *tgm.Array) *Elements {
	e := &Elements{Shape: f.Shape, array: a, n: len(a.Data) / 8, at: tgm.Float64.Number(), size: 8, float: 64, field: f}
	if f.unpacks(f.DType) && f.scaling.Single {
		e.float = 32
	}
	return e
}

// elementsOf gives the elements of an array in its type.
func (f *Field) elementsOf(a *tgm.Array) (*Elements, error) {
	e := &Elements{Shape: f.Shape, array: a, at: a.DType.Number(), size: a.DType.Size(), field: f, fills: f.fills}
	if e.at == nil || a.DType.IsComplex() {
		return nil, fmt.Errorf("%s: values of type %s are no single numbers", f.Where, a.DType)
	}
	e.n = len(a.Data) / e.size
	switch a.DType {
	case tgm.Float64:
		e.float = 64
	case tgm.Float16, tgm.BFloat16, tgm.Float32:
		e.float = 32
	}
	return e, nil
}

// Len returns the number of elements.
func (e *Elements) Len() int { return e.n }

// Err returns the first error of reading elements of a large field. Elements that were asked for
// after it are 0.
func (e *Elements) Err() error { return e.err }

// bytes returns the elements from i on, as many as are in memory.
func (e *Elements) bytes(i int) []byte {
	if at := i - e.first; at >= 0 && at < len(e.array.Data)/e.size {
		return e.array.Data[at*e.size:]
	}
	return e.load(i)
}

// load reads the part of a large field that element i is in.
func (e *Elements) load(i int) []byte {
	if e.err == nil && (e.read == nil || i >= e.n) {
		e.err = fmt.Errorf("%s: element %d of %d", e.field.Where, i, e.n)
	}
	if e.err == nil {
		a, first, err := e.read(i, e.array.Data)
		if err == nil {
			e.array, e.first = a, first
			return a.Data[(i-first)*e.size:]
		}
		e.err = e.field.InFile(err)
	}
	return make([]byte, e.size)
}

// Float returns element i as float64.
func (e *Elements) Float(i int) float64 { return e.at(e.bytes(i)) }

// Missing reports whether element i is missing.
func (e *Elements) Missing(i int) bool {
	return e.float > 0 && math.IsNaN(e.Float(i)) || e.fills.at(e.bytes(i))
}

// AppendText appends element i as the shortest decimal number that reads back as the same value.
func (e *Elements) AppendText(dst []byte, i int) []byte {
	b := e.bytes(i)
	switch {
	case e.float > 0:
		return strconv.AppendFloat(dst, e.at(b), 'g', -1, e.float)
	case e.array.DType == tgm.Int64:
		return strconv.AppendInt(dst, int64(binary.LittleEndian.Uint64(b)), 10)
	case e.array.DType == tgm.Uint64:
		return strconv.AppendUint(dst, binary.LittleEndian.Uint64(b), 10)
	}
	return strconv.AppendFloat(dst, e.at(b), 'f', -1, 64) // integers of up to 32 bits
}

// NumpyType is numpy's name of the type of the elements: "<f4". Types that numpy does not have
// become "<f4", and integers among which some number means a missing point "<f8".
func (e *Elements) NumpyType() string {
	if len(e.fills.bits) > 0 {
		return "<f8"
	}
	if e.array.DType == tgm.BFloat16 {
		return "<f4"
	}
	return numpyType(e.array.DType)
}

// Bytes yields n elements from i on in the form of [Elements.NumpyType], a part at a time. A part
// is valid until the next one is asked for.
func (e *Elements) Bytes(i, n int) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for n > 0 {
			data := e.bytes(i)
			if e.err != nil {
				yield(nil, e.err)
				return
			}
			count := min(n, len(data)/e.size)
			data = data[:count*e.size]
			switch {
			case len(e.fills.bits) > 0:
				data = e.doubles(data)
			case e.array.DType == tgm.BFloat16:
				data = singles(data, e.at)
			}
			if !yield(data, nil) {
				return
			}
			i, n = i+count, n-count
		}
	}
}

// singles makes float32 of elements of two bytes.
func singles(data []byte, at func([]byte) float64) []byte {
	out := make([]byte, 0, 2*len(data))
	for ; len(data) >= 2; data = data[2:] {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(at(data))))
	}
	return out
}

// doubles makes float64 of integers, and NaN of integers that mark a missing point.
func (e *Elements) doubles(data []byte) []byte {
	out := make([]byte, 0, len(data)/e.size*8)
	for ; len(data) >= e.size; data = data[e.size:] {
		v := e.at(data)
		if e.fills.at(data) {
			v = math.NaN()
		}
		out = binary.LittleEndian.AppendUint64(out, math.Float64bits(v))
	}
	return out
}

func numpyType(t tgm.DType) string {
	switch t {
	case tgm.Int8:
		return "|i1"
	case tgm.Uint8:
		return "|u1"
	case tgm.Int16, tgm.Int32, tgm.Int64:
		return "<i" + strconv.Itoa(t.Size())
	case tgm.Uint16, tgm.Uint32, tgm.Uint64:
		return "<u" + strconv.Itoa(t.Size())
	}
	return "<f" + strconv.Itoa(t.Size())
}
