// Package geometry reads GRIB grid definitions as ecCodes 2.50 does. It gives the shape of a field,
// the order its values are stored in, and the latitude and longitude of every point.
//
// Most callers parse the section that holds the grid (section 3 of GRIB 2, section 2 of GRIB 1),
// take Shape and Dims from the Grid, put the values in row order with Reorder, and ask for
// Coordinates:
//
//	g, err := geometry.Parse(2, section3)
//	values, err = geometry.Reorder(g, values)
//	lat, lon, err := g.Coordinates()
//
// Grids whose latitude depends on the row alone and longitude on the column alone are Separable:
// Coordinates gives one latitude a row and one longitude a column. For all others it gives both for
// each point, in the order of the values after Reorder.
//
// # Orders
//
// Reorder undoes alternating row directions and column-major storage, and nothing else: the first
// value stays the first. Where rows run north or south, and points east or west, is in the
// coordinates: the first value is at the first grid point of the section, and rows and columns
// proceed from it as the scanning mode says (Manual on Codes, flag table 3.4).
//
// This is the order of ecCodes' keys latitudes and longitudes, except for projected grids whose
// rows run south or whose points run west: there ecCodes does not follow the scanning mode.
// docs/exact/geometry.md lists such cases.
//
// # Geometry maps
//
// Geometry returns the parameters to compute the coordinates again, as a map of numbers and strings
// under the names ecCodes and the WMO manual use; FromGeometry makes a Grid of it. The schema is in
// docs/exact/geometry.md.
//
// # Exactness
//
// Regular grids, Gaussian latitudes and reduced grids are computed with the operations of ecCodes
// in the same order, and equal its doubles bit for bit. Projections need elementary functions,
// which are computed to 0.501 units in the last place; the results equal ecCodes' bit for bit
// nearly always and to 1e-11 degrees elsewhere. PROJ is the reference where ecCodes does not follow
// the Manual.
//
// Layouts are described in the WMO Manual on Codes, volume I.2: templates 3.n of FM 92 GRIB edition
// 2, and section 2 of edition 1.
package geometry
