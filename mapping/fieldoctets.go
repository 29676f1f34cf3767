package mapping

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/flate"
)

// FieldOctets are octets of the GRIB headers of the fields of a variable, where these differ from the first header.
// Positions without a field have the octets of another field.
type FieldOctets struct {
	Fields  int      // positions, in C order
	Places  []int    // of the octets in the header, in ascending order
	Columns [][]byte // of each place, the octet of every position

	tooMany bool
}

// maxFieldOctets bounds the octets of a variable.
const maxFieldOctets = 64 << 20

// Put sets the octet at a place in the header of the field at a position. It differs from the octet
// of the first field.
func (o *FieldOctets) Put(place, field int, octet, first byte) {
	k, known := slices.BinarySearch(o.Places, place)
	if !known && !o.tooMany {
		if o.tooMany = o.Fields > maxFieldOctets/(len(o.Places)+1); !o.tooMany {
			o.Places = slices.Insert(o.Places, k, place)
			o.Columns = slices.Insert(o.Columns, k, bytes.Repeat([]byte{first}, o.Fields))
		}
	}
	if o.tooMany {
		o.Places, o.Columns = nil, nil
		return
	}
	o.Columns[k][field] = octet
}

// TooMany reports whether the octets were given up, since they are more than a variable may have.
func (o *FieldOctets) TooMany() bool { return o.tooMany }

// Text returns the octets as text. It has the numbers of positions and places, the places, and the columns, compressed
// as the sections of base[i].grib are. It is empty if there are no octets, or too many.
func (o *FieldOctets) Text() string {
	if len(o.Places) == 0 {
		return ""
	}
	b := binary.AppendUvarint(nil, uint64(o.Fields))
	b = binary.AppendUvarint(b, uint64(len(o.Places)))
	for _, at := range o.Places {
		b = binary.AppendUvarint(b, uint64(at))
	}
	for _, column := range o.Columns {
		b = append(b, column...)
	}
	return deflatedText(b)
}

// ParseFieldOctets reads the output of Text.
func ParseFieldOctets(text string) (*FieldOctets, error) {
	packed, err := base64.RawStdEncoding.DecodeString(strings.TrimPrefix(text, deflated))
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), maxFieldOctets+1<<20))
	if err != nil {
		return nil, err
	}
	next := func() uint64 {
		n, size := binary.Uvarint(b)
		if size <= 0 {
			err = fmt.Errorf("the octets end before a number")
			return 0
		}
		b = b[size:]
		return n
	}
	fields, places := next(), next()
	if err == nil && (fields > maxFieldOctets || places > maxHeader) {
		err = fmt.Errorf("%d octets of %d fields", places, fields)
	}
	o := &FieldOctets{Fields: int(fields)}
	for i := uint64(0); err == nil && i < places; i++ {
		at := next()
		if at >= maxHeader && err == nil {
			err = fmt.Errorf("octet %d of a header", at)
		}
		o.Places = append(o.Places, int(at))
	}
	if err == nil && uint64(len(b)) != fields*places {
		err = fmt.Errorf("%d octets, expected %d of %d fields", len(b), places, fields)
	}
	if err != nil {
		return nil, err
	}
	for range o.Places {
		o.Columns, b = append(o.Columns, b[:fields:fields]), b[fields:]
	}
	return o, nil
}

// Set sets the octets of the field at a position in a header, which begins as the first header. It reports whether it
// changed any.
func (o *FieldOctets) Set(header []byte, field int) (changed bool) {
	for k, at := range o.Places {
		if at < len(header) && header[at] != o.Columns[k][field] {
			header[at], changed = o.Columns[k][field], true
		}
	}
	return changed
}
