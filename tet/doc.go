// Package tet reads and writes .tet files, the chunked tensor files of Tetration, layout version 1.
//
// Most callers want [Open] or [OpenMapped], then [File.Dataset] and [Dataset.Read]; to write,
// [Create] and [Writer.WriteArray]. Verify checks a file and Repair repairs an unreadable footer.
//
// # The file
//
// All integers are little-endian. A file is a superblock, a directory of datasets, an index with
// one row a chunk, the chunks, and a footer:
//
//	 0  superblock     54 45 54 52 "TETR", u32 layout version 1, u32 datasets, u32 flags,
//	                   u64 offset of the index, u64 length of the index
//	32  directory      u64 length, then a record a dataset: u32 length of the name, u32 dtype,
//	                   u32 rank, u32 zero, name, zeros to a multiple of 8, shape, chunk shape
//	..  chunk index    54 49 44 58 "TIDX", u32 version 1, u64 rows, u16 memory budget in 1/100 %,
//	                   u16 zero, u32 memory budget in bytes, u64 zero; then 104 bytes a row:
//	                   u64 dataset, 8 u64 grid coordinates, u64 offset, u64 length of the tile,
//	                   u64 stored length, u32 codec, u32 zero
//	..  payloads       the chunks, back to back and unaligned, raw or one zstd frame each
//	..  footer         if flag 1 is set: spilled JSON, JSON, u64 length of the JSON, u32 version
//	                   1 or 2, 54 48 53 54 "THST"
//
// Every position of the chunk grid has a row; there is no fill value. Chunks at the edges of a
// dataset are clipped to it, not padded. The footer holds the history of the file and the names of
// dimensions, the labels along them and the attributes. Footers of version 2, which Tetration 0.7
// and later write, also hold zone maps and value indexes, which this package ignores: results do
// not depend on them.
//
// # Security
//
// Files may come from anywhere. Every offset, length and count is checked against the size of the
// file before it is used, and memory is taken in proportion to what the file really holds: a
// compressed chunk that claims to be large is decoded in small pieces, and [Dataset.Read] refuses
// a result larger than the memory budget.
//
// # Compatibility
//
// A [Writer] writes footers of version 1, which every release of Tetration reads. Raw files are the
// same bytes as the reference writes; zstd frames decode to the same values but may differ in their
// bytes.
package tet
