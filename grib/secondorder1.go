package grib

func (f *Field) secondOrder1(k packing) (coded, error) { return nil, f.unsupportedData() }

func (f *Field) spectral1(k packing, complexPacking bool) (coded, error) {
	return nil, f.unsupportedData()
}
