package tgm

import (
	"cmp"
	"slices"

	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
)

// A Range is some consecutive elements of an array in C order.
type Range struct{ First, Count uint64 }

// HasRanges reports whether a part of the object is read and decoded without the rest. The parts of
// other objects come from the whole array, which is decoded once and kept for the next call, as
// long as the [Budget] has room for it.
//
// Arrays that are very much larger than their payload have ranges whatever their pipeline, if they
// compress well in pieces; to find out, they are decoded once without being kept.
func (o *Object) HasRanges() bool {
	if o.desc.DType == Bitmask {
		return false
	}
	n, ok := o.desc.Elements()
	if !ok || n > 1<<62 {
		return false
	}
	p, err := newPayloadDecoder(o.desc, o.payload, o.msg.limits)
	return err == nil && o.inPieces(p) == nil && p.ranges()
}

// DecodeRange returns count elements from first in C order, as an array of one dimension. If
// [Object.HasRanges] reports true, only the bytes that hold them and any masks are read. Hashes
// are then not checked, unless opts.VerifyHash is set, which reads the whole frame first.
func (o *Object) DecodeRange(first, count uint64, opts DecodeOptions) (*Array, error) {
	arrays, err := o.DecodeRanges([]Range{{first, count}}, opts)
	if err != nil {
		return nil, err
	}
	return arrays[0], nil
}

// DecodeRanges is DecodeRange of several ranges, which may be in any order and overlap. Ranges that
// are close together in the file are read at once. The arrays share memory, opts.Dst if it is large
// enough.
func (o *Object) DecodeRanges(ranges []Range, opts DecodeOptions) ([]*Array, error) {
	arrays, err := o.decodeRanges(ranges, opts)
	return arrays, locate(err, o.where())
}

func (o *Object) decodeRanges(ranges []Range, opts DecodeOptions) ([]*Array, error) {
	n, ok := o.desc.Elements()
	if !ok {
		return nil, encodingError(nil, "shape %v of %s is more than can be counted", o.desc.Shape, o.desc.DType)
	}
	parts := make([]part, len(ranges))
	for i, r := range ranges {
		if r.First > n || r.Count > n-r.First {
			return nil, objectError(nowhere, "elements %d to %d of %d", r.First, r.First+r.Count, n)
		}
		parts[i] = part{shape: []uint64{r.Count}, n: r.Count}
	}
	return o.decodeParts(parts, opts, func(add func(run) error) error {
		runs := make([]run, len(ranges))
		for i, r := range ranges {
			runs[i] = run{first: int(r.First), count: int(r.Count), at: parts[i].at}
		}
		slices.SortStableFunc(runs, func(a, b run) int { return cmp.Compare(a.first, b.first) })
		for _, r := range runs {
			if err := add(r); err != nil {
				return err
			}
		}
		return nil
	})
}

// part is one of the arrays that a call returns.
type part struct {
	shape []uint64
	n     uint64
	at    int // its first element, in elements of all parts
}

// run is some consecutive elements, and their place among the elements of all parts.
type run struct{ first, count, at int }

// decodeParts returns an array of each part. The function each gives the runs of the parts, ordered
// by their first elements.
func (o *Object) decodeParts(parts []part, opts DecodeOptions, each func(add func(run) error) error) ([]*Array, error) {
	p, err := newPayloadDecoder(o.desc, o.payload, o.msg.limits)
	if err != nil {
		return nil, err
	}
	total, err := p.place(parts)
	if err != nil {
		return nil, err
	}
	if err := p.checkExpansionFrom(constantFloor, int64(total), o.payload, o.msg); err != nil {
		return nil, err
	}
	src, masks, err := o.elements(p, &opts)
	if err != nil {
		return nil, err
	}
	g := &gatherer{src: src, dtype: o.desc.DType, out: sized(opts.Dst, total)}
	if o.desc.DType == Bitmask {
		clear(g.out)
	}
	if !src.inMemory() {
		g.grain = max(p.grain(payloadSection{o}), 1)
	}
	if err := each(g.add); err != nil {
		return nil, err
	}
	if err := g.flush(); err != nil {
		return nil, err
	}
	p.reorder(g.out, opts.ByteOrder)
	arrays := make([]*Array, len(parts))
	for i, part := range parts {
		start, end := p.bytesOf(part.at), p.bytesOf(part.at+int(part.n))
		arrays[i] = &Array{Shape: part.shape, DType: o.desc.DType, ByteOrder: opts.ByteOrder, Data: g.out[start:end:end]}
	}
	if masks == (nonFinite{}) {
		return arrays, nil
	}
	return arrays, restoreRuns(arrays, parts, masks, &opts, each)
}

// place sets where each part begins and returns the bytes of all. Parts of bitmasks begin with a
// byte.
func (p *payloadDecoder) place(parts []part) (total int, err error) {
	at := uint64(0)
	for i := range parts {
		parts[i].at = int(at)
		n := parts[i].n
		if p.d.DType == Bitmask {
			n = (n + 7) &^ 7
		}
		if at += n; at > maxParts {
			return 0, encodingError(nil, "%d elements are more than one call can give", at)
		}
	}
	return p.bytesOf(int(at)), nil
}

// maxParts is the most elements that one call can give. Ranges may overlap, so they can have more
// elements than the array.
const maxParts = min(1<<40, uint64(maxInt)/16)

const maxInt = int(^uint(0) >> 1)

// bytesOf returns the bytes of n elements.
func (p *payloadDecoder) bytesOf(n int) int {
	if p.d.DType == Bitmask {
		return n/8 + (n%8+7)/8
	}
	return n * p.d.DType.Size()
}

// elements returns the source of the decoded bytes. It is the payload through its layers if a
// part can be read without the rest, and else the decoded array.
func (o *Object) elements(p *payloadDecoder, opts *DecodeOptions) (elementSource, nonFinite, error) {
	if opts.VerifyHash {
		if err := o.VerifyHash(); err != nil {
			return elementSource{}, nonFinite{}, err
		}
	}
	if err := o.inPieces(p); err != nil {
		return elementSource{}, nonFinite{}, err
	}
	if p.ranges() {
		if p.plain() {
			if err := p.checkPlain(o.payload); err != nil {
				return elementSource{}, nonFinite{}, err
			}
		}
		masks, err := o.keptMasks(p)
		return elementSource{section: p.section(payloadSection{o})}, masks, err
	}
	kept, err := o.keptArray(p, opts.SkipHash)
	if err != nil {
		return elementSource{}, nonFinite{}, err
	}
	return elementSource{memory: kept.data}, kept.masks, nil
}

// restoreRuns puts the values of masks into arrays, and sets their masks of missing elements.
func restoreRuns(arrays []*Array, parts []part, masks nonFinite, opts *DecodeOptions, each func(add func(run) error) error) error {
	for kind, m := range masks {
		if m == nil {
			continue
		}
		chosen := make([]*Mask, len(arrays))
		for i := range parts {
			chosen[i] = bitmask.New(int(parts[i].n))
		}
		if err := each(func(r run) error {
			i, _ := slices.BinarySearchFunc(parts, r.at+1, func(p part, at int) int { return cmp.Compare(p.at, at) })
			return copyMask(chosen[i-1], r.at-parts[i-1].at, m, r.first, r.count)
		}); err != nil {
			return err
		}
		for i, a := range arrays {
			if !opts.KeepZeros {
				restore(a.Data, chosen[i], &maskKinds[kind], a.DType, opts.ByteOrder)
			}
			if kind == kindNaN {
				a.Missing = chosen[i]
			}
		}
	}
	return nil
}

// copyMask copies count elements of src from first on to dst from at on.
func copyMask(dst *Mask, at int, src *Mask, first, count int) error {
	if count < 64 {
		for i := range count {
			if src.Get(first + i) {
				dst.Set(at + i)
			}
		}
		return nil
	}
	part, err := src.Slice(first, count)
	for i := range part.Indices() {
		dst.Set(at + i)
	}
	return err
}
