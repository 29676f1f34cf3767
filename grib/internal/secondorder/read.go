package secondorder

import (
	"fmt"

	"github.com/tgmconv/tgmconv/grib/internal/bits"
)

// numbers are n numbers of width bits.
type numbers struct {
	b     []byte
	width int
}

func (a numbers) at(i int) int { return int(bits.Uint(a.b, i*a.width, a.width)) }

// cursor takes arrays of numbers off the front of a section. After an error it takes no more.
type cursor struct {
	b   []byte
	err error
}

// take takes n numbers of width bits and the bits up to the next octet.
func (c *cursor) take(n, width int, what string) numbers {
	if c.err == nil && !bits.Fits(c.b, 0, n, width) {
		c.err = fmt.Errorf("%d %s of %d bits, %d octets are left", n, what, width, len(c.b))
	}
	if c.err != nil {
		return numbers{}
	}
	size := (n*width + 7) / 8
	a := numbers{c.b[:size], width}
	c.b = c.b[size:]
	return a
}

// Extended are the parameters of the general extended form.
type Extended struct {
	Groups      int
	FirstWidth  int // bits of a first-order value
	WidthWidth  int // bits of a group width
	LengthWidth int // bits of a group length
	Order       int // of differencing, 0 to 3
	InitialBits int // bits of an initial value and of the bias
}

// ReadExtended reads the general extended form. Initial values and bias are in initial; b holds
// group widths, lengths and first-order values, each beginning at an octet, and the integers.
func ReadExtended(p Extended, initial, b []byte) (*Groups, error) {
	if p.WidthWidth > 32 || p.LengthWidth > 32 || p.FirstWidth > maxWidth {
		return nil, fmt.Errorf("group widths, lengths and first-order values of %d, %d and %d bits, expected at most 32, 32 and %d",
			p.WidthWidth, p.LengthWidth, p.FirstWidth, maxWidth)
	}
	if p.Groups > 8*len(b)+1 {
		return nil, fmt.Errorf("%d groups in %d octets", p.Groups, len(b)) // each group would have less than a bit, and the walk over them would not end
	}
	c := cursor{b: b}
	widths := c.take(p.Groups, p.WidthWidth, "group widths")
	lengths := c.take(p.Groups, p.LengthWidth, "group lengths")
	firsts := c.take(p.Groups, p.FirstWidth, "first-order values")
	if c.err != nil {
		return nil, c.err
	}
	g := &Groups{count: p.Groups, data: c.b}
	for i := range p.Groups {
		g.N += lengths.at(i)
	}
	g.each = func() func() group {
		i := -1
		return func() group {
			i++
			return group{int64(firsts.at(i)), widths.at(i), lengths.at(i)}
		}
	}
	return g, g.readInitial(p, initial)
}

// readInitial reads the first values of the field, unsigned, and the bias, with a sign bit.
func (g *Groups) readInitial(p Extended, b []byte) error {
	if p.Order == 0 {
		return nil
	}
	if p.Order > 3 || p.InitialBits > 64 || !bits.Fits(b, 0, p.Order+1, p.InitialBits) {
		return fmt.Errorf("differences of order %d with initial values of %d bits in %d octets", p.Order, p.InitialBits, len(b))
	}
	g.initial = make([]int64, p.Order)
	for i := range g.initial {
		g.initial[i] = int64(bits.Uint(b, i*p.InitialBits, p.InitialBits))
	}
	if p.InitialBits == 0 {
		return nil
	}
	at := p.Order * p.InitialBits
	g.bias = int64(bits.Uint(b, at+1, p.InitialBits-1))
	if bits.Uint(b, at, 1) != 0 {
		g.bias = -g.bias
	}
	return nil
}

// InitialSize returns the octets that the initial values and the bias take.
func (p Extended) InitialSize() int {
	if p.Order == 0 {
		return 0
	}
	return ((p.Order+1)*p.InitialBits + 7) / 8
}

// ReadRows reads the row by row form. It is an octet of width for each group, the first-order
// values of firstWidth bits, and the integers. The numbers of values of the rows are in rows; the
// groups may be fewer.
func ReadRows(groups, firstWidth int, rows []int, b []byte) (*Groups, error) {
	if groups > len(rows) {
		return nil, fmt.Errorf("%d groups for %d rows", groups, len(rows))
	}
	c := cursor{b: b}
	widths := c.take(groups, 8, "group widths")
	firsts, err := c.firsts(groups, firstWidth)
	if err != nil {
		return nil, err
	}
	g := &Groups{count: groups, data: c.b}
	for _, n := range rows[:groups] {
		g.N += n
	}
	g.each = func() func() group {
		i := -1
		return func() group {
			i++
			return group{int64(firsts.at(i)), widths.at(i), rows[i]}
		}
	}
	return g, nil
}

func (c *cursor) firsts(groups, width int) (numbers, error) {
	if width > maxWidth {
		return numbers{}, fmt.Errorf("first-order values of %d bits, expected at most %d", width, maxWidth)
	}
	return c.take(groups, width, "first-order values"), c.err
}

// ReadBitmap reads the form with a secondary bitmap for n integers. Widths are one octet for each
// group, or one octet for all when constantWidth is set; then come the bitmap, the first-order
// values and the integers.
func ReadBitmap(groups, firstWidth, n int, constantWidth bool, b []byte) (*Groups, error) {
	c := cursor{b: b}
	stored := groups
	if constantWidth {
		stored = 1
	}
	widths := c.take(stored, 8, "group widths")
	bitmap := c.take(n, 1, "bits of the secondary bitmap")
	firsts, err := c.firsts(groups, firstWidth)
	if err != nil {
		return nil, err
	}
	g := &Groups{N: n, data: c.b}
	g.each = func() func() group {
		i, at := -1, 0
		return func() group {
			i++
			x := group{first: int64(firsts.at(i)), width: widths.at(0)}
			if !constantWidth {
				x.width = widths.at(i)
			}
			// The first integer begins a group, whatever its bit.
			for x.length = 1; at+x.length < n && bitmap.at(at+x.length) == 0; x.length++ {
			}
			at += x.length
			return x
		}
	}
	for i := range n {
		if i == 0 || bitmap.at(i) != 0 {
			g.count++
		}
	}
	if g.count > groups {
		return nil, fmt.Errorf("secondary bitmap with %d groups, expected %d", g.count, groups)
	}
	return g, nil
}
