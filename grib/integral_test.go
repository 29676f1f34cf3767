package grib

// Every quantised packing must implement integral: a type that loses a method of it would
// silently be converted through floats.
var (
	_ integral = simple{}
	_ integral = ccsds{}
	_ integral = (*groups)(nil)
	_ integral = png{}
	_ integral = jpeg{}
	_ integral = (*secondOrder)(nil)
)
