package h5enc

// Types of header messages (section IV.A.2).
const (
	MsgDataspace = 0x01
	MsgLinkInfo  = 0x02
	MsgDatatype  = 0x03
	MsgFill      = 0x05
	MsgLink      = 0x06
	MsgLayout    = 0x08
	MsgGroupInfo = 0x0a
	MsgFilters   = 0x0b
	MsgAttribute = 0x0c
	MsgAttrInfo  = 0x15
	MsgRefCount  = 0x16
)

// Flags of a header message.
const (
	FlagConstant = 0x01
	FlagShared   = 0x02 // the body says where the message is
)

// Unlimited is the maximum length of an axis without limit.
const Unlimited = ^uint64(0)

// Scalar returns the dataspace of one element.
func Scalar() *Block { return dataspace(0, nil, nil) }

// Null returns the dataspace of no element.
func Null() *Block { return dataspace(2, nil, nil) }

// Simple returns the dataspace of an array; limit is nil when it cannot grow.
func Simple(shape, limit []uint64) *Block { return dataspace(1, shape, limit) }

// dataspace makes a dataspace message of version 2 (section IV.A.2.b): version, rank, flags, kind,
// lengths, [maximum lengths].
func dataspace(kind uint8, shape, limit []uint64) *Block {
	b := &Block{}
	flags := uint8(0)
	if limit != nil {
		flags = 1
	}
	b.U8(2, uint8(len(shape)), flags, kind)
	for _, n := range shape {
		b.U64(n)
	}
	for _, n := range limit {
		b.U64(n)
	}
	return b
}

// FillTime says when fill values are written.
type FillTime uint8

// The fill times.
const (
	FillNever FillTime = 1
	FillIfSet FillTime = 2
)

// Fill makes a fill value message of version 3 (section IV.A.2.f): version, flags, [size 4, value].
// A nil value stands for the library's default.
func Fill(chunked bool, time FillTime, value *Block) *Block {
	const late, incremental, defined = 2, 3, 0x20
	flags := uint8(late)
	if chunked {
		flags = incremental
	}
	flags |= uint8(time) << 2
	b := &Block{}
	if value == nil {
		b.U8(3, flags)
		return b
	}
	b.U8(3, flags|defined)
	b.U32(uint32(value.Len()))
	b.Append(value)
	return b
}

// Contiguous makes a layout message of version 3 (section IV.A.2.i) for elements in one piece:
// version, class, address, size. The address is Undefined when there is none.
func Contiguous(addr, size uint64) *Block {
	b := &Block{}
	b.U8(3, 1)
	b.U64(addr)
	b.U64(size)
	return b
}

// ContiguousIn makes the same for elements that are a block.
func ContiguousIn(data *Block) *Block {
	b := &Block{}
	b.U8(3, 1)
	b.Ref(data)
	b.U64(uint64(data.Len()))
	return b
}

// Chunked makes a layout message of version 3 for chunks. Its fields are version, class, rank + 1,
// address of the index, lengths 4 each, element size 4.
func Chunked(index *Block, chunk []uint64, size int) *Block {
	b := &Block{}
	b.U8(3, 2, uint8(len(chunk)+1))
	b.Ref(index)
	for _, n := range chunk {
		b.U32(uint32(n))
	}
	b.U32(uint32(size))
	return b
}

// Filter is a stage of a filter pipeline.
type Filter struct {
	ID       int
	Name     string // stored from ID 256 on
	Optional bool   // chunks may be stored without it
	Params   []uint32
}

// Filters makes a filter message of version 2 (section IV.A.2.l). Its fields are version, number,
// then for each: ID 2, [name length 2], flags 2, values 2, [name], values 4 each.
func Filters(list []Filter) *Block {
	b := &Block{}
	b.U8(2, uint8(len(list)))
	for _, f := range list {
		b.U16(uint16(f.ID))
		if f.ID >= 256 {
			b.U16(uint16(len(f.Name) + 1))
		}
		flags := uint16(0)
		if f.Optional {
			flags = 1
		}
		b.U16(flags)
		b.U16(uint16(len(f.Params)))
		if f.ID >= 256 {
			b.Text(f.Name + "\x00")
		}
		for _, p := range f.Params {
			b.U32(p)
		}
	}
	return b
}

// shared makes the body of a message that lies in another object header (section IV.A.2, shared
// message of version 2). Its fields are version, kind 2, address.
func shared(at *Block) *Block {
	b := &Block{}
	b.U8(2, 2)
	b.Ref(at)
	return b
}
