package togrib

import (
	"errors"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/mapping"
)

// stored makes the message of a field of a GRIB file.
func (m *maker) stored(o *Object) (r result, err error) {
	f := &field{maker: m, object: o, header: o.Field.Header(), opts: m.opts}
	edited := false
	if len(m.opts.Set) > 0 {
		if f.header, edited, err = m.apply(f.header, mapping.Entry{}, nil); err != nil {
			return r, err
		}
	}
	if m.opts.Packing != PackSource {
		r, err = f.repack()
		r.edited = edited
		return r, err
	}
	r = result{header: f.header, identical: true, edited: edited}
	if !edited {
		r.message = append(m.spare.take(), o.Field.Bytes()...)
	} else if r.message, err = grib.RebuildIn(m.spare.take(), grib.Part{Header: f.header, Data: o.Field.DataSections()}); err != nil {
		return r, err
	}
	if f.header.HasBitmap() && len(o.Field.Message.Fields()) > 1 { // fields after it may refer to the bitmap
		_, r.missing, err = o.Field.Decode(nil)
	}
	return r, err
}

// storedIntegers returns the integers of a field of a GRIB file, or errOther if it has none.
func (f *field) storedIntegers() (*grib.Quantised, error) {
	q, err := f.object.Field.Quantised()
	if errors.Is(err, grib.ErrNotQuantised) {
		return nil, errOther
	}
	if err == nil {
		f.missing = q.Missing
	}
	return q, err
}
