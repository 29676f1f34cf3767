package grib

import "fmt"

func (f *Field) points() (int, error) {
	if f.Edition == 2 {
		return be32(f.sections[3].Data, 6), nil
	}
	return 0, fmt.Errorf("edition 1")
}
