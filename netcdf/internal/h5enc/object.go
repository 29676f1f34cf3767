package h5enc

import "fmt"

// Object is an object in the making: a group, a dataset or a named datatype. Its Block is the
// object header, empty before Finish.
type Object struct {
	*Block
	messages []message
	attrs    []named
	links    []named
	group    bool
	tracked  bool
}

// message is a header message.
type message struct {
	kind  uint8
	flags uint8
	order int // creation order of attributes
	body  *Block
}

// named is the body of an attribute or link message with its name.
type named struct {
	name string
	body *Block
}

// NewGroup returns a group without links.
func NewGroup() *Object { return &Object{Block: &Block{}, group: true, tracked: true} }

// NewDataset returns a dataset without messages.
func NewDataset() *Object { return &Object{Block: &Block{}, tracked: true} }

// NewDatatype returns a named datatype.
func NewDatatype(t *Type) *Object {
	o := &Object{Block: &Block{}}
	o.Add(MsgDatatype, FlagConstant, t.Block)
	return o
}

// Uses notes how many further links lead to an object, or how many objects refer to a named
// datatype.
func (o *Object) Uses(n int) {
	if n > 0 {
		count := &Block{}
		count.U8(0)
		count.U32(uint32(n + 1))
		o.Add(MsgRefCount, 0, count)
	}
}

// Add appends a header message.
func (o *Object) Add(kind, flags uint8, body *Block) {
	o.messages = append(o.messages, message{kind: kind, flags: flags, body: body})
}

// AddType appends the datatype message of a dataset.
func (o *Object) AddType(t *Type) {
	body, flags := t.message()
	o.Add(MsgDatatype, FlagConstant|flags, body)
}

// AddAttr appends an attribute (section IV.A.2.m, version 3). Its fields are version, flags,
// lengths of name, type and dataspace 2 each, character set, name, type, dataspace, elements.
func (o *Object) AddAttr(name string, t *Type, space, data *Block) {
	typ, flags := t.message()
	b := &Block{}
	b.U8(3, flags>>1) // bit 0: the datatype is shared
	b.U16(uint16(len(name) + 1))
	b.U16(uint16(typ.Len()))
	b.U16(uint16(space.Len()))
	b.U8(charset(name))
	b.Text(name + "\x00")
	b.Append(typ)
	b.Append(space)
	b.Append(data)
	o.attrs = append(o.attrs, named{name, b})
}

// charset returns 1 for UTF-8, 0 for ASCII.
func charset(s string) uint8 {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return 1
		}
	}
	return 0
}

// AddLink appends a hard link, whose value is an address.
func (o *Object) AddLink(name string, to *Block) {
	value := &Block{}
	value.Ref(to)
	o.addLink(name, hardLink, value)
}

// AddSoftLink appends a soft link, whose value is the length of a path 2 and the path.
func (o *Object) AddSoftLink(name, path string) {
	value := &Block{}
	value.U16(uint16(len(path)))
	value.Text(path)
	o.addLink(name, softLink, value)
}

// AddExternalLink appends a link to an object of another file. Its value is a length 2, version
// and flags, the name of the file and the path, each ended by a zero byte.
func (o *Object) AddExternalLink(name, file, path string) {
	value := &Block{}
	value.U16(uint16(len(file) + len(path) + 3))
	value.U8(0)
	value.Text(file + "\x00" + path + "\x00")
	o.addLink(name, externalLink, value)
}

// Kinds of links.
const (
	hardLink     = 0
	softLink     = 1
	externalLink = 64
)

// addLink appends a link message (section IV.A.2.g): version, flags, [kind], creation order 8,
// [character set], length of name, name, value.
func (o *Object) addLink(name string, kind uint8, value *Block) {
	const hasOrder, hasKind, hasCharset = 0x04, 0x08, 0x10
	flags, width := uint8(hasOrder), 1
	if kind != hardLink {
		flags |= hasKind
	}
	if len(name) > 255 {
		flags, width = flags|1, 2
	}
	if charset(name) != 0 {
		flags |= hasCharset
	}
	b := &Block{}
	b.U8(1, flags)
	if kind != hardLink {
		b.U8(kind)
	}
	b.U64(uint64(len(o.links)))
	if flags&hasCharset != 0 {
		b.U8(1)
	}
	b.Uint(uint64(len(name)), width)
	b.Text(name)
	b.Append(value)
	o.links = append(o.links, named{name, b})
}

const (
	maxBody         = 65000 // of a message in a header; its length takes two bytes
	maxCompactLinks = 64    // in a header: finding one takes time in proportion
	maxNamed        = 65535 // attributes or links of an object
)

// Finish makes the header and returns all blocks of the object.
func (o *Object) Finish() ([]*Block, error) {
	blocks := []*Block{o.Block}
	if len(o.attrs) > maxNamed || len(o.links) > maxNamed {
		return nil, fmt.Errorf("%d attributes and %d links, expected at most %d", len(o.attrs), len(o.links), maxNamed)
	}
	if o.group {
		more, err := o.finishLinks()
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, more...)
	}
	if o.tracked {
		more, err := o.finishAttrs()
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, more...)
	}
	for _, m := range o.messages {
		if m.body.Len() > maxBody {
			return nil, fmt.Errorf("header message of type %#x of %d bytes, expected at most %d", m.kind, m.body.Len(), maxBody)
		}
	}
	o.encode()
	return blocks, nil
}

// finishLinks makes the messages of a group. They are link info (version, flags, highest order 8,
// heap, name tree, order tree), group info (version, flags), and the links if they are few.
func (o *Object) finishLinks() ([]*Block, error) {
	info := &Block{}
	info.U8(0, 3) // creation order is tracked and indexed
	info.U64(uint64(len(o.links)))
	var d denseIndex
	if len(o.links) > maxCompactLinks {
		var err error
		if d, err = newDense(linkHeap, o.links); err != nil {
			return nil, err
		}
	}
	d.refs(info)
	group := &Block{}
	group.U8(0, 0)
	o.Add(MsgLinkInfo, 0, info)
	o.Add(MsgGroupInfo, FlagConstant, group)
	if d.blocks == nil {
		for _, l := range o.links {
			o.Add(MsgLink, 0, l.body)
		}
	}
	return d.blocks, nil
}

// finishAttrs makes the attribute info message, and the attributes if each fits a message. The
// message is version, flags, highest order 2, heap, name tree, order tree.
func (o *Object) finishAttrs() ([]*Block, error) {
	info := &Block{}
	info.U8(0, 3)
	info.U16(uint16(len(o.attrs)))
	var d denseIndex
	for _, a := range o.attrs {
		if a.body.Len() > maxBody {
			var err error
			if d, err = newDense(attrHeap, o.attrs); err != nil {
				return nil, err
			}
			break
		}
	}
	d.refs(info)
	o.Add(MsgAttrInfo, 0x04, info) // the library sets this flag: not to be shared
	if d.blocks == nil {
		for i, a := range o.attrs {
			o.messages = append(o.messages, message{MsgAttribute, 0, i, a.body})
		}
	}
	return d.blocks, nil
}

// encode makes the object header of version 2 (section IV.A.1.b). It is "OHDR", version, flags,
// bytes of messages, messages (type, length 2, flags, [creation order 2], body), checksum.
func (o *Object) encode() {
	prefix := 4
	flags := uint8(0)
	if o.tracked {
		prefix, flags = 6, 0x0c
	}
	size := 0
	for _, m := range o.messages {
		size += prefix + m.body.Len()
	}
	width := uint8(0)
	for width < 3 && uint64(size)>>(8<<width) != 0 {
		width++
	}
	o.Text("OHDR")
	o.U8(2, flags|width)
	o.Uint(uint64(size), 1<<width)
	for _, m := range o.messages {
		o.U8(m.kind)
		o.U16(uint16(m.body.Len()))
		o.U8(m.flags)
		if o.tracked {
			o.U16(uint16(m.order))
		}
		o.Append(m.body)
	}
	o.Checksum()
}
