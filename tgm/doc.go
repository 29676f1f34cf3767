// Package tgm reads and writes Tensogram messages, wire version 3. A message holds N-dimensional arrays with self-describing
// CBOR metadata; a file holds any number of messages.
//
// To read, [Open] a file, take a [Message] and an [Object] of it by number, and [Object.Decode] the object; nothing else of the
// file is read. To write, encode each array with [EncodeArray], or with [EncodePacked] when its values are quantised already, on
// as many goroutines as wanted, and give the results to a [MessageWriter] in order. [Validate] checks a file.
//
// # The message
//
// Integers are big-endian. Frames start at multiples of eight bytes from the start of the message,
// with zeros between.
//
//	preamble    "TENSOGRM"  uint16 version = 3  uint16 flags  uint32 0  uint64 message length
//	header      metadata (1), index (2) and hash (3) frames
//	body        data frames (9), each possibly after a preceder frame (8) with its metadata
//	footer      hash (5), index (6) and metadata (7) frames, for encoders that write as they go, and where a header would be large
//	postamble   uint64 offset of the first footer frame  uint64 message length  "39277777"
//
// A frame is a header, content and a footer. Content is CBOR (RFC 8949, core deterministic), in
// data frames after the payload:
//
//	"FR"  uint16 type  uint16 version = 1  uint16 flags  uint64 frame length
//	content
//	[uint64 offset of the CBOR, in data frames]  uint64 XXH3 of the content  "ENDF"
//
// The payload of a data frame went through encoding, filter and compression in this order, as its
// [Descriptor] says. Values that are not finite are zeros in it; masks after it say where they
// were.
//
// # Compatibility
//
// Everything that releases 0.17 to 0.24 of the reference implementation write is read: both sets of
// simple_packing keys, metadata with or without a version, hashes with or without the frame flag,
// descriptors after or before the payload, footers in any order, padding of any length, and
// messages without a length, which are walked frame by frame.
//
// The package writes one form, which every one of these releases reads and verifies: the form of 0.24, and in addition the
// version in the metadata, which 0.17 requires, and the parameters of simple_packing under their old names as well, which 0.17
// and 0.18 look for. Metadata and Descriptor show neither. Three things are never written, because readers would silently lose
// data: szip of packed integers that are not 8, 16, 24 or 32 bits wide (they are widened), szip of 64-bit samples (it is
// refused), and CBOR integers above 2^63-1 (they become a float if that is exact, else decimal text).
//
// # Hostile input
//
// Claims of a file are checked against its bytes and against [Limits] before memory is taken for them. Errors are
// [*FramingError], [*MetadataError], [*EncodingError], [*CompressionError], [*HashError], [*ObjectError] for numbers out of
// range, and [*UnsupportedError] for valid content that cannot be decoded here; each says in which message and object and at
// which byte. Errors of the underlying reader are passed on.
package tgm
