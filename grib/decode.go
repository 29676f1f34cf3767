package grib

import "github.com/tgmconv/tgmconv/codec/bitmask"

const (
	bitmapHere   = 0   // section 6 holds the bitmap
	bitmapBefore = 254 // an earlier bitmap of the same message applies
	bitmapNone   = 255
)

func (f *Field) decode(dst []float64) ([]float64, *bitmask.Mask, error) {
	return nil, nil, f.unsupportedData()
}

func (f *Field) quantised() (*Quantised, error) { return nil, f.unsupportedData() }

func (f *Field) unsupportedData() error {
	n := 5
	if f.Edition == 1 {
		n = 4
	}
	return &UnsupportedError{Edition: f.Edition, Section: n, Template: f.DataTemplate(), Offset: f.sections[n].Offset, What: "data representation template"}
}
