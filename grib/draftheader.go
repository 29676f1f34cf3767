package grib

// Header returns the header of the draft, with a section that describes constant values in simple
// packing. It is for setting keys in it: [Header.Draft] returns the sections again. The error is a
// *BuildError.
func (d *Draft) Header() (Header, error) {
	if d.Edition == 1 {
		out := append(Header(magic), 0, 0, 0, 1)
		out = append(append(out, d.Product...), d.Grid...)
		if len(d.Product) >= productLen1 {
			setProduct1(out[indicatorLen1:], d.Grid != nil, false, 0)
		}
		out = append(out, make([]byte, dataLen1)...)
		_, err := out.sections()
		return out, err
	}
	v := &encoded{points: be32(append(append([]byte(nil), d.Grid...), make([]byte, 10)...), 6)}
	section5, err := v.section(0, v.points, &Quantised{}, 1)
	if err != nil {
		return nil, err
	}
	out := append(Header(magic), 0, 0, byte(d.Discipline), 2)
	out = append(out, make([]byte, 8)...)
	for _, s := range [][]byte{d.Identification, d.Local, d.Grid, d.Product, section5} {
		out = append(out, s...)
	}
	out = append(out, 0, 0, 0, bitmapHead2, 6, noBitmap, 0, 0, 0, dataHead2, 7, 0)
	_, err = out.sections()
	return out, err
}
