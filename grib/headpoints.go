package grib

import (
	"slices"

	"github.com/tgmconv/tgmconv/internal/fault"
)

// errNeedsData says that the number of points of a field is not known without its data.
var errNeedsData = fault.Errorf("grib", "the number of points is not in the headers, and the data were not read")

// headPoints is the number of points of a field of a Partial message, by its headers alone.
func (f *Field) headPoints() (int, error) {
	p, err := f.presence()
	if err != nil {
		return 0, err
	}
	n := p.points
	if p.bits == nil {
		if f.Edition == 1 {
			n, err = f.headCount1()
		} else {
			n, err = f.headCount2()
		}
	}
	if err == nil && n > f.maxPoints && !f.Constant() {
		err = &LimitError{Offset: f.Offset(), What: limitPoints, Value: int64(n), Max: int64(f.maxPoints)}
	}
	return n, err
}

// headCount2 is the number of values of an edition 2 field without a bitmap. It is for the
// templates whose section 5 gives it in octets 6 to 9.
func (f *Field) headCount2() (int, error) {
	if !slices.Contains([]int{0, 2, 3, 4, 40, 40000, 41, 40010, 42, 61, 200, 50001, 50002}, f.DataTemplate()) {
		return 0, errNeedsData
	}
	return be32(f.sections[5].Data, 5), nil
}

// headCount1 is the number of values of an edition 1 field without a bitmap. It is found by the
// length of the data for simple packing, by the grid for second order packing.
func (f *Field) headCount1() (int, error) {
	b := f.sections[4].Data
	switch flags := b[3] >> 4; {
	case sm16(b, 4) == noData1:
		return f.valuesOfGrid1()
	case flags&(spectral1|complex1|additional1) == 0:
		return f.count1(int(b[10]), int(f.dataLength-dataLen1))
	case flags&(spectral1|complex1) == complex1:
		if n, _, ok := f.gridPoints1(); ok {
			return n, nil
		}
	}
	return 0, errNeedsData
}
