package columns

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// A structure is a struct of Thrift's compact protocol
// (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md), by the numbers of
// its fields: int64, bool, []byte, []any or structure. Doubles and maps are skipped.
type structure map[int64]any

// integer is a field, 0 if it is absent.
func (s structure) integer(field int64) int64 {
	n, _ := s[field].(int64)
	return n
}

func (s structure) structure(field int64) structure {
	inner, _ := s[field].(structure)
	return inner
}

func (s structure) list(field int64) []any {
	list, _ := s[field].([]any)
	return list
}

func (s structure) text(field int64) string {
	text, _ := s[field].([]byte)
	return string(text)
}

// The types of the compact protocol.
const (
	thriftTrue   = 1
	thriftFalse  = 2
	thriftByte   = 3
	thriftInt16  = 4
	thriftInt32  = 5
	thriftInt64  = 6
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12
)

// A compact reads the compact protocol. Nothing takes more memory than a few times the bytes read.
type compact struct {
	data  []byte
	at    int
	depth int
}

var errShort = errors.New("it ends early")

// maxThrift bounds structs in structs.
const maxThrift = 32

func (c *compact) byte() (byte, error) {
	if c.at >= len(c.data) {
		return 0, errShort
	}
	c.at++
	return c.data[c.at-1], nil
}

func (c *compact) unsigned() (uint64, error) {
	v, n := binary.Uvarint(c.data[c.at:])
	if n <= 0 {
		return 0, errShort
	}
	c.at += n
	return v, nil
}

func (c *compact) signed() (int64, error) {
	v, n := binary.Varint(c.data[c.at:]) // zigzag, as Thrift's
	if n <= 0 {
		return 0, errShort
	}
	c.at += n
	return v, nil
}

func (c *compact) bytes() ([]byte, error) {
	n, err := c.unsigned()
	if err == nil && n > uint64(len(c.data)-c.at) {
		err = errShort
	}
	if err != nil {
		return nil, err
	}
	c.at += int(n)
	return c.data[c.at-int(n) : c.at], nil
}

// structure reads a struct.
func (c *compact) structure() (structure, error) {
	if c.depth++; c.depth > maxThrift {
		return nil, fmt.Errorf("more than %d structures in one another", maxThrift)
	}
	defer func() { c.depth-- }()
	s := make(structure)
	for field := int64(0); ; {
		head, err := c.byte()
		if err != nil {
			return nil, err
		}
		if head == 0 {
			return s, nil
		}
		if step := int64(head >> 4); step > 0 {
			field += step
		} else if field, err = c.signed(); err != nil {
			return nil, err
		}
		v, err := c.value(head&15, false)
		if err != nil {
			return nil, err
		}
		s[field] = v
	}
}

// value reads a value of a type. Booleans of fields are in their type, booleans of lists have a byte.
func (c *compact) value(kind byte, inList bool) (any, error) {
	switch kind {
	case thriftTrue, thriftFalse:
		if inList {
			b, err := c.byte()
			return b == thriftTrue, err
		}
		return kind == thriftTrue, nil
	case thriftByte:
		b, err := c.byte()
		return int64(int8(b)), err
	case thriftInt16, thriftInt32, thriftInt64:
		return c.signed()
	case thriftDouble:
		if len(c.data)-c.at < 8 {
			return nil, errShort
		}
		c.at += 8
		return nil, nil
	case thriftBinary:
		return c.bytes()
	case thriftList, thriftSet:
		return c.list()
	case thriftMap:
		return nil, c.skipMap()
	case thriftStruct:
		return c.structure()
	}
	return nil, fmt.Errorf("type %d of the compact protocol", kind)
}

func (c *compact) list() ([]any, error) {
	head, err := c.byte()
	if err != nil {
		return nil, err
	}
	n := uint64(head >> 4)
	if n == 15 {
		if n, err = c.unsigned(); err != nil {
			return nil, err
		}
	}
	if n > uint64(len(c.data)-c.at) { // each takes a byte or more
		return nil, errShort
	}
	var list []any
	for range n {
		if c.depth++; c.depth > maxThrift {
			return nil, fmt.Errorf("more than %d lists in one another", maxThrift)
		}
		v, err := c.value(head&15, true)
		c.depth--
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

func (c *compact) skipMap() error {
	n, err := c.unsigned()
	if err != nil || n == 0 {
		return err
	}
	kinds, err := c.byte()
	if err != nil {
		return err
	}
	if n > uint64(len(c.data)-c.at) {
		return errShort
	}
	for range n {
		if c.depth++; c.depth > maxThrift {
			return fmt.Errorf("more than %d maps in one another", maxThrift)
		}
		_, err := c.value(kinds>>4, true)
		if err == nil {
			_, err = c.value(kinds&15, true)
		}
		c.depth--
		if err != nil {
			return err
		}
	}
	return nil
}
