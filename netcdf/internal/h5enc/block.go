// Package h5enc encodes the metadata of HDF5 files: object headers, heaps, B-trees and the
// superblock. They are described in "HDF5 File Format Specification Version 3.0", whose sections
// comments name. It is the counterpart of package hdf5, which reads them.
//
// Structures refer to each other by address. A [Block] is a piece of the file whose address is not
// known yet: others refer to it by pointer. When all blocks are made, [Place] gives them addresses
// and fills in the references and the checksums, which depend on these.
//
// Addresses and lengths take eight bytes.
package h5enc

import (
	"encoding/binary"

	"github.com/tgmconv/tgmconv/internal/codec/checksum"
)

// Undefined is the address of an object that does not exist.
const Undefined = ^uint64(0)

// Block is a piece of the file, or a part of a piece in the making.
type Block struct {
	Addr uint64
	Data []byte

	refs []ref
	sums []sum
}

// ref is a place in a block that takes the address of another block.
type ref struct {
	at int
	to *Block
}

// sum is a place in a block that takes the checksum of a part of it. The place itself counts as
// zero.
type sum struct{ from, to, at int }

// Len returns the number of bytes.
func (b *Block) Len() int { return len(b.Data) }

// U8 appends bytes.
func (b *Block) U8(v ...uint8) { b.Data = append(b.Data, v...) }

// U16 appends a number of two bytes, little-endian as all.
func (b *Block) U16(v uint16) { b.Data = binary.LittleEndian.AppendUint16(b.Data, v) }

// U32 appends a number of four bytes.
func (b *Block) U32(v uint32) { b.Data = binary.LittleEndian.AppendUint32(b.Data, v) }

// U64 appends a number of eight bytes.
func (b *Block) U64(v uint64) { b.Data = binary.LittleEndian.AppendUint64(b.Data, v) }

// Uint appends the lower bytes of a number.
func (b *Block) Uint(v uint64, width int) {
	for range width {
		b.Data = append(b.Data, byte(v))
		v >>= 8
	}
}

// Text appends text without a zero byte after it.
func (b *Block) Text(s string) { b.Data = append(b.Data, s...) }

// Zeros appends n zero bytes.
func (b *Block) Zeros(n int) { b.Data = append(b.Data, make([]byte, n)...) }

// Ref appends the address of a block; nil stands for none.
func (b *Block) Ref(to *Block) {
	if to != nil {
		b.refs = append(b.refs, ref{len(b.Data), to})
	}
	b.U64(Undefined)
}

// Append appends another block, which must have no checksums.
func (b *Block) Append(o *Block) {
	at := len(b.Data)
	b.Data = append(b.Data, o.Data...)
	for _, r := range o.refs {
		b.refs = append(b.refs, ref{at + r.at, r.to})
	}
}

// Checksum appends the checksum of all that is before it.
func (b *Block) Checksum() {
	b.sums = append(b.sums, sum{0, len(b.Data), len(b.Data)})
	b.Zeros(4)
}

// Place gives the blocks addresses from at on, in their order and aligned to eight bytes, and
// completes them. It returns the end of the last block.
func Place(blocks []*Block, at uint64) (end uint64) {
	for _, b := range blocks {
		at = (at + 7) &^ 7
		b.Addr = at
		at += uint64(len(b.Data))
	}
	for _, b := range blocks {
		b.Complete()
	}
	return at
}

// Complete fills in references, whose blocks must have addresses, and checksums.
func (b *Block) Complete() {
	for _, r := range b.refs {
		binary.LittleEndian.PutUint64(b.Data[r.at:], r.to.Addr)
	}
	for _, s := range b.sums {
		clear(b.Data[s.at : s.at+4])
		binary.LittleEndian.PutUint32(b.Data[s.at:], checksum.Lookup3(b.Data[s.from:s.to]))
	}
}

// Superblock returns the superblock of version 2 (section II.A) of a file that ends at end.
// Its fields are signature, version, widths, flags, base, extension, end, root, checksum.
func Superblock(root *Block, end uint64) *Block {
	b := &Block{}
	b.Text("\x89HDF\r\n\x1a\n")
	b.U8(2, 8, 8, 0)
	b.U64(0)
	b.U64(Undefined)
	b.U64(end)
	b.Ref(root)
	b.Checksum()
	return b
}

// SuperblockBytes is the length of the superblock.
const SuperblockBytes = 48
