// Package editing has the verbs that edit Tensogram files without decoding their objects: copy, cat, merge, split, set,
// reshuffle, repair and checksum.
package editing
