package h5enc

import "math/bits"

// tree2 makes a B-tree of version 2 (section III.A.2) with all records in one leaf. Its header
// is "BTHD", version, kind, node size 4, record size 2, depth 2, split, merge, root, records of
// the root 2, all records; its leaf is "BTLF", version, kind, records, checksum.
func tree2(kind uint8, records []*Block) []*Block {
	const split, merge, frame = 100, 40, 10
	size := records[0].Len()
	node := max(512, powerOfTwo(frame+len(records)*size))
	header, leaf := &Block{}, &Block{}
	header.Text("BTHD")
	header.U8(0, kind)
	header.U32(uint32(node))
	header.U16(uint16(size))
	header.U16(0)
	header.U8(split, merge)
	header.Ref(leaf)
	header.U16(uint16(len(records)))
	header.U64(uint64(len(records)))
	header.Checksum()
	leaf.Text("BTLF")
	leaf.U8(0, kind)
	for _, r := range records {
		leaf.Append(r)
	}
	leaf.Checksum()
	leaf.Zeros(node - leaf.Len())
	return []*Block{header, leaf}
}

// powerOfTwo returns the smallest power of two that is at least n.
func powerOfTwo(n int) int { return 1 << bits.Len(uint(n-1)) }
