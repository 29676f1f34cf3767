package grib

import "fmt"

// Layout of section 4 of edition 1 for a matrix of values at each point, octets counted from 0.
const (
	matrixData1  = 11 // where the packed data begin, in octets
	matrixFlags1 = 13
	matrixRows1  = 14
	matrixCols1  = 16
	matrixNC1    = 19 // number of coefficients of the first dimension
	matrixNC2    = 21
	matrixLen1   = 24
)

// matrix1 reads simple packing after the description of a matrix. Without secondary bitmaps every
// point has one value, which is how ECMWF writes wave spectra.
func (f *Field) matrix1(k packing) (coded, error) {
	b := f.sections[4].Data
	if len(b) < matrixLen1 {
		return nil, fmt.Errorf("matrix description of %d octets, expected %d", len(b), matrixLen1)
	}
	if b[matrixFlags1]&0x08 != 0 {
		return nil, &UnsupportedError{Edition: 1, Section: 4, Template: -1, Offset: f.sections[4].Offset, What: "matrix of values at each point"}
	}
	at := matrixLen1 + 4*(int(b[matrixNC1])+int(b[matrixNC2]))
	if at > len(b) {
		return nil, fmt.Errorf("%d coefficients do not fit %d octets", int(b[matrixNC1])+int(b[matrixNC2]), len(b))
	}
	return f.simple1(k, b[at:])
}
