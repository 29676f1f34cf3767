package grib

func (f *Field) coded1() (coded, error) { return nil, f.unsupportedData() }

func (f *Field) gridPoints1() (int, bool) { return 0, false }
