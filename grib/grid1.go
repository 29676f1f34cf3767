package grib

// grid1 is what decoding needs to know of section 2 of edition 1: how many points there are, and in which rows.
type grid1 struct {
	ni, nj       int // along a parallel and a meridian, or x and y
	pl           []int
	jConsecutive bool
}

// Layout of section 2, octets counted from 0.
const (
	verticalCount1 = 3  // number of vertical coordinate values
	listAt1        = 4  // octet, counted from 1, where these or the list of points begin; 255 for neither
	spectralType1  = 50 // data representation types 50, 60, 70, 80
	ni1            = 6
	nj1            = 8
	scanning1      = 27
	jConsecutive1  = 0x20
	missing16      = 0xffff
)

// catalogued1 returns the number of values of the international exchange grids (octet 7 of section 1), which need no section 2: at a
// pole, a row is one value.
func catalogued1(number byte) (values int, ok bool) {
	switch number {
	case 21, 22, 23, 24:
		return 37*36 + 1, true
	case 25, 26:
		return 72*18 + 1, true
	case 61, 62, 63, 64:
		return 91*45 + 1, true
	}
	return 0, false
}

// grid1 reads section 2; ok is false when there is none or it does not describe rows of points.
func (f *Field) grid1() (g grid1, ok bool) {
	b := f.sections[2].Data
	if len(b) <= scanning1 || isSpectral1(b[5]) {
		return grid1{}, false
	}
	g = grid1{ni: be16(b, ni1), nj: be16(b, nj1), jConsecutive: b[scanning1]&jConsecutive1 != 0}
	g.pl = pointsPerRow1(b, g.nj)
	return g, true
}

func isSpectral1(dataRepresentation byte) bool {
	return dataRepresentation >= spectralType1 && dataRepresentation <= 80 && dataRepresentation%10 == 0
}

// pointsPerRow1 returns the list of numbers of points of a reduced grid, which lies behind the vertical coordinates, nil when there is none.
func pointsPerRow1(b []byte, rows int) []int {
	at := gridEnd1(b[5])
	if b[listAt1] != 255 {
		at = int(b[listAt1]) - 1
	}
	at += 4 * int(b[verticalCount1])
	if rows == 0 || len(b) <= at || len(b) < at+2*rows {
		return nil
	}
	pl := make([]int, rows)
	for i := range pl {
		pl[i] = be16(b, at+2*i)
	}
	return pl
}

// gridEnd1 is where the fixed part of a grid description ends.
func gridEnd1(dataRepresentation byte) int {
	switch dataRepresentation {
	case 10, 14, 20, 24, 3, 13, 1, 8:
		return 42
	case 30, 34:
		return 52
	case 90:
		return 44
	}
	return 32
}

// rows returns the number of points of each row in the order of the data.
func (g grid1) rows() []int {
	if g.pl != nil {
		return g.pl
	}
	rows, columns := g.nj, g.ni
	if g.jConsecutive {
		rows, columns = g.ni, g.nj
	}
	out := make([]int, rows)
	for i := range out {
		out[i] = columns
	}
	return out
}

func (g grid1) points() int {
	if g.pl == nil {
		return g.ni * g.nj
	}
	n := 0
	for _, k := range g.pl {
		n += k
	}
	return n
}

// gridPoints1 returns the number of points the grid has, false when the message does not say.
func (f *Field) gridPoints1() (int, bool) {
	if g, ok := f.grid1(); ok {
		return g.points(), g.points() > 0
	}
	if f.sections[2].Data == nil {
		return catalogued1(f.sections[1].Data[6])
	}
	return 0, false
}
