package cdl

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/netcdf"
)

// fillText stands for a value that was never written, or is missing.
const fillText = "_"

// nullText stands for a string that is a null pointer.
const nullText = "NIL"

// values writes the values of a variable if they are wanted.
func (d *dumper) values(s *scope, v *netcdf.Var) error {
	if !d.wanted(s, v) || v.Len() == 0 {
		return nil
	}
	d.printf("\n%s %s", d.indent, escapedName(v.Name))
	if len(v.Dims) <= 1 {
		d.printf(" = ")
		d.column = len(v.Name) + 4 + len(d.indent)
	} else {
		d.printf(" =\n  ")
		d.column = 2 + len(d.indent)
	}
	r := &rows{dumper: d, v: v, shape: v.Shape(), at: make([]uint64, len(v.Dims))}
	tile := slices.Repeat([]uint64{1}, len(r.shape))
	if n := len(tile); n > 0 && v.Type.Class == netcdf.Char {
		tile[n-1] = r.shape[n-1]
	}
	for start, count := range nd.Tiles(r.shape, nd.RowsOf(r.shape, tile, 1, boxElements)) {
		if err := d.stopped(); err != nil {
			return err
		}
		if err := r.box(start, count); err != nil {
			return err
		}
	}
	return nil
}

// wanted reports whether the values of a variable are asked for.
func (d *dumper) wanted(s *scope, v *netcdf.Var) bool {
	if len(d.opts.Variables) > 0 {
		return slices.ContainsFunc(d.opts.Variables, func(name string) bool { return means(name, s.group, v) })
	}
	return d.opts.Data == AllData || d.opts.Data == CoordinateData && isCoordinate(s, v)
}

// isCoordinate reports whether a variable has the name of a dimension that its group sees.
func isCoordinate(s *scope, v *netcdf.Var) bool {
	for ; s != nil; s = s.outer {
		if slices.ContainsFunc(s.group.Dims, func(d *netcdf.Dim) bool { return d.Name == v.Name }) {
			return len(v.Dims) == 1
		}
	}
	return false
}

// boxElements is how many elements are read at once; a row of text is read whole.
const boxElements = 1 << 16

// rows writes the elements of a variable, which come in C order.
type rows struct {
	*dumper
	v     *netcdf.Var
	shape []uint64
	at    []uint64 // the position of the next element
}

// box writes the elements of a box.
func (r *rows) box(start, count []uint64) error {
	v, ctx := r.v, r.ctx
	n := nd.Volume(count)
	if err := v.CheckRead(start, count); err != nil {
		return err
	}
	switch {
	case v.Type.Class == netcdf.Char:
		raw := make([]byte, n)
		if err := v.Read(ctx, raw, start, count); err != nil {
			return err
		}
		return r.text(raw)
	case v.Type.Class == netcdf.String:
		texts, err := v.ReadTexts(ctx, start, count)
		if err != nil {
			return err
		}
		fill := stringFill(v)
		for i, s := range texts.Strings() {
			switch {
			case texts.Null(i):
				r.element(nullText)
			case s == fill:
				r.element(fillText)
			default:
				r.element(stringText(s))
			}
		}
		return nil
	case v.Type.Class == netcdf.Vlen:
		lists, err := v.ReadVlen(ctx, start, count)
		if err != nil {
			return err
		}
		for _, raw := range lists {
			s, err := sequenceText(v.Type, raw)
			if err != nil {
				return err
			}
			r.element(s)
		}
		return nil
	case v.Type.Size == 0:
		return r.members(start, count, int(n))
	}
	return r.fixed(start, count, n)
}

// fixed writes elements of fixed size.
func (r *rows) fixed(start, count []uint64, n uint64) error {
	t := r.v.Type
	raw := make([]byte, n*uint64(t.Size))
	if err := r.v.Read(r.ctx, raw, start, count); err != nil {
		return err
	}
	isFill := fillOf(r.v)
	form := formatOf(r.v)
	for ; len(raw) >= t.Size; raw = raw[t.Size:] {
		e, err := decode(t, raw)
		if err != nil {
			return err
		}
		if isFill != nil && isFill(e) {
			r.element(fillText)
			continue
		}
		s, err := elementText(t, e)
		if err != nil {
			return err
		}
		if form != nil {
			s = form(e, s)
		}
		r.element(s)
	}
	return nil
}

// sequenceText is a sequence of elements as the file has them.
func sequenceText(t *netcdf.Type, raw []byte) (string, error) {
	if t.Base.Size == 0 {
		return "", fmt.Errorf("type %s cannot be written as CDL", t.Describe())
	}
	list, err := decodeList(t.Base, raw)
	if err != nil {
		return "", err
	}
	return listText(t, list)
}

// text writes rows of characters.
func (r *rows) text(raw []byte) error {
	width := 1
	if n := len(r.shape); n > 0 {
		width = int(r.shape[n-1])
	}
	for ; len(raw) >= width; raw = raw[width:] {
		s := strings.TrimRight(string(raw[:width]), "\x00")
		text := quoted(s, func(c byte) bool { return c < 0x20 || c >= 0x7f })
		r.open()
		r.out.WriteString(strings.ReplaceAll(text, "\\n", "\\n\",\n    \""))
		if n := len(r.shape); n > 0 {
			r.at[n-1] = r.shape[n-1] - 1
		}
		r.close("")
	}
	return nil
}

// element writes one element.
func (r *rows) element(s string) {
	r.open()
	r.close(s)
}

// open writes the braces before an element, for unlimited dimensions, other than the first, that begin with
// it.
func (r *rows) open() {
	for axis := 1; axis < len(r.at); axis++ {
		if r.v.Dims[axis].Unlimited && allZero(r.at[axis:]) {
			r.put("{")
		}
	}
}

func allZero(at []uint64) bool {
	return !slices.ContainsFunc(at, func(i uint64) bool { return i != 0 })
}

// close writes an element with the text after it, and goes on to the next.
func (r *rows) close(s string) {
	last := len(r.at) - 1
	if last >= 0 && r.at[last] < r.shape[last]-1 {
		r.put(s + ", ")
		r.at[last]++
		return
	}
	ended := len(r.at) // the axes from here on end with the element
	for ended > 0 && r.at[ended-1] == r.shape[ended-1]-1 {
		ended--
	}
	for axis := max(1, ended); axis < len(r.at); axis++ {
		if r.v.Dims[axis].Unlimited {
			s += "}"
		}
	}
	r.put(s)
	if ended == 0 {
		r.put(" ;")
		r.put("\n")
		return
	}
	r.put(",\n")
	r.put("  ")
	r.at[ended-1]++
	clear(r.at[ended:])
}

// fillOf returns a function that recognises the fill value of a variable, nil if it has none. Bytes have none
// but an attribute: any of their values may be meant.
func fillOf(v *netcdf.Var) func(any) bool {
	var fill any
	if a := v.Attr("_FillValue"); a != nil && a.Type.Class == v.Type.Class && a.Len() == 1 {
		fill = elementAt(a, 0)
	} else if c := v.Type.Class; c != netcdf.Byte && c != netcdf.UByte {
		fill, _ = netcdf.DefaultFill(c)
	}
	switch fill := fill.(type) {
	case nil:
		return nil
	case float64:
		epsilon := 0x1p-52
		if v.Type.Class == netcdf.Float {
			epsilon = 0x1p-23
		}
		return func(e any) bool { x, ok := e.(float64); return ok && near(x, fill, epsilon) }
	case int64, uint64:
		return func(e any) bool { return e == fill }
	case []byte:
		return func(e any) bool { x, ok := e.([]byte); return ok && string(x) == string(fill) }
	}
	text, err := elementText(v.Type, fill)
	return func(e any) bool {
		other, otherErr := elementText(v.Type, e)
		return err == nil && otherErr == nil && other == text
	}
}

// near reports whether a value is the fill value, to the precision of its type.
func near(x, fill, epsilon float64) bool {
	switch {
	case (x > 0) != (fill > 0):
		return false
	case math.IsNaN(x) || math.IsNaN(fill):
		return math.IsNaN(x) && math.IsNaN(fill)
	case math.IsInf(x, 0) || math.IsInf(fill, 0):
		return math.IsInf(x, 0) && math.IsInf(fill, 0)
	}
	return math.Abs(x-fill) <= math.Abs(float64(epsilon*fill))
}

// stringFill is the text that stands for a missing one.
func stringFill(v *netcdf.Var) string {
	if a := v.Attr("_FillValue"); a != nil && a.Type.Class == netcdf.String && a.Len() == 1 {
		if s, ok := elementAt(a, 0).(string); ok {
			return s
		}
	}
	return ""
}
