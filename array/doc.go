// Package array has an N-dimensional array that is read in parts, and operations on such
// arrays without reading them.
//
// An [Array] knows its shape, the type of its elements and the blocks in which it is best read. It
// gives the elements of any region, in memory of the caller:
//
//	part := array.Cut(field, array.Region{Start: []uint64{0, 120}, Count: []uint64{1, 60}})
//	data, err := array.Read(ctx, part, part.Info().Whole(), nil)
//
// Readers of formats make arrays; [Memory], [Const] and [Computed] make new arrays. [Join], [Cut],
// [Reshape], [Pad] and [Unpack] make arrays of arrays. No operation reads before its array is read
// from.
//
// # Elements
//
// Elements are little-endian and in C order, whatever the source has. Missing points of
// floating-point types are NaN. Integers have no missing points: where a source marks some, its
// array has floating-point elements.
//
// # Memory
//
// The memory of the elements is the caller's. An array neither keeps it nor gives any of its own
// away; memory to decode in comes from a pool, and is back there before Read returns. A region of n
// bytes takes about n bytes and a few blocks, however large the array.
//
// # Errors
//
// An array that reads a file says in its errors where in that file. Combinators add nothing. The
// error of a context comes back as it is.
package array
