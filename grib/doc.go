// Package grib reads GRIB edition 1 and 2: it finds messages, splits them into fields and sections,
// and decodes them. It decodes every data packing that ecCodes 2.50 decodes, with the same formula
// and the same order of operations. It writes messages of edition 2, and can rebuild messages of
// both editions from the parts that it read.
//
// Most callers want Open, range over File.Messages, call Message.Fields, and Field.Decode for
// float64 values with a mask of the missing points. A caller that wants to keep the source's own
// quantisation calls Field.Quantised, which gives the packed integers (or the packed bits, or the
// CCSDS stream, untouched) with their scale factors. [Rebuild] makes the same message again from
// [Field.Header] and these integers; an [Encoder] writes new messages, or the same values in
// another packing.
//
// This package does not interpret the values or place them on the globe: package keys reads the
// header sections, package geometry the grid definition.
//
// The layout is described in the WMO Manual on Codes, Volume I.2 (FM 92 GRIB; edition 1 in the 1988
// text, Guide WMO-No. 306), with ECMWF's additions (very long GRIB 1 messages, templates 5.50000 to
// 5.50002). In outline:
//
//	edition 1   0 indicator  1 product  [2 grid]  [3 bitmap]  4 data  5 "7777"
//	edition 2   0 indicator  1 identification
//	            { [2 local] 3 grid { 4 product 5 representation 6 bitmap 7 data }+ }+  8 "7777"
//
// The packings are in packages under internal, one each: complexpack (5.2, 5.3), secondorder,
// spectral, runlength, pngpack, j2k; bits and scale unpack and scale the integers of all of them.
// Values are the same float64 as ecCodes 2.50 gives, except where exp or pow is part of the formula
// (5.51, 5.53, 5.61 and edition 1's spectral complex packing): there the last bit depends on the C
// library, and values agree to one unit in the last place.
//
// # Hostile input
//
// Every length and count that a message claims is checked against the bytes that are there before
// memory is taken for it. A constant field needs no data at all, so it can legally claim any number
// of points: Limits.MaxPoints bounds these. No input makes this package panic; a message that it
// cannot decode gives an error of type FormatError, UnsupportedError or LimitError.
package grib
