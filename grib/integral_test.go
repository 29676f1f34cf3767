package grib

// Whatever is quantised must say so: a type that loses a method of integral would silently be
// converted through floats.
var (
	_ integral = simple{}
	_ integral = ccsds{}
	_ integral = (*groups)(nil)
	_ integral = png{}
	_ integral = jpeg{}
	_ integral = (*secondOrder)(nil)
)
