package grib

import (
	"fmt"

	"github.com/tgmconv/tgmconv/grib/internal/complexpack"
	"github.com/tgmconv/tgmconv/grib/internal/scale"
)

// template2 is how a data representation template of edition 2 is read. It has the octets of
// section 5 that it needs, and the function that makes a coded of a field whose section 5 has
// them.
type template2 struct {
	length int
	read   func(f *Field, k packing, data []byte) (coded, error)
}

// dataTemplate2 returns the reader of data representation template number (code table 5.0), false
// when there is none.
func dataTemplate2(number int) (template2, bool) {
	switch number {
	case 0:
		return template2{20, readSimple}, true
	case 1:
		return template2{35, readMatrix}, true
	case 2:
		return template2{47, readComplex}, true
	case 3:
		return template2{49, readComplex}, true
	case 4:
		return template2{12, readIEEE}, true
	case 40, 40000:
		return template2{20, readJPEG}, true
	case 41, 40010:
		return template2{20, readPNG}, true
	case 42:
		return template2{25, readCCSDS}, true
	case 50:
		return template2{24, readSpectralSimple}, true
	case 51:
		return template2{35, readSpectralComplex}, true
	case 53:
		return template2{35, readBiFourier}, true
	case 61:
		return template2{24, readLogarithm}, true
	case 200:
		return template2{17, readRunLength}, true
	case 50000:
		return template2{29, readSpectralIEEE}, true
	case 50001, 50002:
		return template2{20, readSecondOrder}, true
	}
	return template2{}, false
}

// coded2 reads section 5: length(4), 5, number of values(4), template number(2), template.
func (f *Field) coded2() (coded, error) {
	s := f.sections[5]
	t, ok := dataTemplate2(f.DataTemplate())
	if !ok {
		return nil, f.unsupportedData()
	}
	if len(s.Data) < t.length {
		return nil, &FormatError{Offset: s.Offset, Section: 5, Msg: fmt.Sprintf("%d octets, template %d has %d", len(s.Data), f.DataTemplate(), t.length)}
	}
	k := packing{n: be32(s.Data, 5)}
	if t.length >= 20 { // the others begin with something else
		k = packing5(s.Data)
	}
	if k.n > f.maxPoints && !f.Constant() {
		return nil, &LimitError{Offset: f.Offset(), What: limitPoints, Value: int64(k.n), Max: int64(f.maxPoints)}
	}
	if k.n == 0 {
		return noValues(0), nil
	}
	c, err := t.read(f, k, f.sections[7].Data[headerLen2:])
	if err != nil {
		return nil, f.dataError(err)
	}
	return c, nil
}

// packing5 reads octets 12 to 20 of section 5, which nearly all templates share. They are
// reference value (IEEE), binary and decimal scale factor (sign and magnitude), number of bits.
func packing5(b []byte) packing {
	return packing{n: be32(b, 5), r: scale.IEEE32(b[11:]), e: sm16(b, 15), d: sm16(b, 17), bits: int(b[19])}
}

func readSimple(_ *Field, k packing, data []byte) (coded, error) { return newSimple(k, data) }

// readComplex reads octets 21 to 49 of section 5 (templates 5.2 and 5.3).
func readComplex(f *Field, k packing, data []byte) (coded, error) {
	b := f.sections[5].Data
	c := &groups{packing: k, data: data, params: complexpack.Params{
		N: k.n, Bits: k.bits, MissingManagement: int(b[22]), Groups: be32(b, 31),
		WidthReference: int(b[35]), WidthBits: int(b[36]),
		LengthReference: be32(b, 37), LengthIncrement: int(b[41]), LastLength: be32(b, 42), LengthBits: int(b[46]),
	}}
	if f.DataTemplate() == 3 {
		c.params.Order, c.params.ExtraOctets = int(b[47]), int(b[48])
	}
	if k.bits == 0 && len(data) == 0 && c.params.MissingManagement != 0 && c.params.Groups != 0 {
		return noValues(k.n), nil // a reference without bits has all of them set: it means a missing point
	}
	return c, nil
}
