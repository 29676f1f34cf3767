// Package tgm reads and writes Tensogram messages, wire version 3: N-dimensional arrays with self-describing
// CBOR metadata, in files of any number of messages.
package tgm
