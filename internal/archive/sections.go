package archive

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/mapping"
)

// KeepSections adds the header of its first GRIB message to the attributes of each variable of fields. It is
// [mapping.AttrSections]; the octets that differ in the others are [mapping.AttrFieldOctets]. From these to-grib takes the
// keys and the packing again.
func (a *Archive) KeepSections(ctx context.Context) error {
	for _, g := range a.Set.Groups {
		if !g.OfFields() {
			continue
		}
		for _, v := range g.Variables {
			if v.Coordinate || v.Computed() {
				continue
			}
			if err := a.keepSections(ctx, v); err != nil {
				return fmt.Errorf("variable %s: %w", v.Name, err)
			}
		}
	}
	return nil
}

// keepSections is KeepSections of a variable.
func (a *Archive) keepSections(ctx context.Context, v *dataset.Variable) error {
	refs := v.Refs()
	if first := slices.IndexFunc(refs, a.isThere); first < 0 {
		return nil
	} else if !chunksAreFields(v) {
		refs = refs[first : first+1]
	}
	var first grib.Header
	var octets headerOctets
	for at := 0; at < len(refs); at += headersAtOnce {
		headers, err := a.headers(ctx, refs[at:min(at+headersAtOnce, len(refs))])
		if err != nil {
			return err
		}
		for i, h := range headers {
			if first == nil && h != nil {
				first, octets = h, newHeaderOctets(h, len(refs))
			}
			if first != nil {
				octets.add(at+i, h)
			} else if a.isThere(refs[at+i]) {
				return nil // an object that was no message
			}
		}
	}
	if first == nil {
		return nil
	}
	v.Attrs = append(v.Attrs, dataset.Attribute{Key: mapping.AttrSections, Value: mapping.HeaderText(first)})
	if runs := fieldRuns(v); len(runs) > 1 {
		v.Attrs = append(v.Attrs, dataset.Attribute{Key: mapping.AttrFieldRuns, Value: runs})
	}
	if octets.TooMany() {
		a.opts.Warn(fmt.Sprintf("variable %s: the keys of its fields differ in too many octets to be kept: to-grib will take those of the first field", v.Name))
	}
	if text := octets.Text(); text != "" {
		v.Attrs = append(v.Attrs, dataset.Attribute{Key: mapping.AttrFieldOctets, Value: text})
	}
	return nil
}

// headersAtOnce bounds the headers in memory, and headerRequests the headers that are read at a
// time: on a server each is a request.
const headersAtOnce, headerRequests = 256, 4

func (a *Archive) isThere(ref int32) bool { return ref >= 0 && a.Presence(int(ref)) == dataset.There }

// headers returns the headers of the messages that chunks were, nil for a chunk that was none.
func (a *Archive) headers(ctx context.Context, refs []int32) ([]grib.Header, error) {
	headers := make([]grib.Header, len(refs))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(headerRequests)
	for i, r := range refs {
		if !a.isThere(r) {
			continue
		}
		group.Go(func() (err error) {
			ref := int(r)
			for parts := a.Set.Parts(ref); len(parts) > 0; parts = a.Set.Parts(ref) {
				ref = parts[0].Ref
			}
			headers[i], _, err = a.Header(ctx, ref)
			return err
		})
	}
	return headers, group.Wait()
}

// headerOctets finds the octets by which headers differ from the first, in the sections that describe a field. The
// values of a field determine their packing.
type headerOctets struct {
	first grib.Header
	parts [][2]int // begin and end of these sections
	mapping.FieldOctets
}

func newHeaderOctets(first grib.Header, fields int) headerOctets {
	o := headerOctets{first: first, FieldOctets: mapping.FieldOctets{Fields: fields}}
	const identification, product = 1, 4 // in edition 1 section 1 is both
	at := 0
	for n := range product + 1 {
		s, err := first.Section(n)
		if err != nil || first.Edition() == 1 && n > identification {
			break
		}
		if n == identification || n == product {
			o.parts = append(o.parts, [2]int{at, at + len(s)})
		}
		at += len(s)
	}
	return o
}

// add adds the header of the field at a position; nil or another length if nothing is known of it.
func (o *headerOctets) add(field int, h grib.Header) {
	if len(h) != len(o.first) {
		h = o.first
	}
	for _, part := range o.parts {
		for at := part[0]; at < part[1]; at++ {
			if h[at] != o.first[at] {
				o.Put(at, field, h[at], o.first[at])
			}
		}
	}
}

// chunksAreFields reports whether a chunk of a variable is one field.
func chunksAreFields(v *dataset.Variable) bool {
	whole := len(v.Shape)
	for whole > 0 && v.Chunk[whole-1] == v.Shape[whole-1] {
		whole--
	}
	return !slices.ContainsFunc(v.Chunk[:whole], func(n uint64) bool { return n != 1 })
}

// fieldRuns are the lengths of runs of positions with and without a field, in turns. It is nil if a chunk is not a field.
func fieldRuns(v *dataset.Variable) (runs []int64) {
	if !chunksAreFields(v) {
		return nil
	}
	for _, ref := range v.Refs() {
		if len(runs) == 0 {
			runs = append(runs, 0)
		}
		if (ref >= 0) != (len(runs)%2 == 1) {
			runs = append(runs, 0)
		}
		runs[len(runs)-1]++
	}
	return runs
}
