package tgm

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/zeebo/xxh3"
)

// craft puts messages together frame by frame, in forms that the encoder does not write.
type craft struct {
	b        []byte
	flags    uint16
	footer   int // offset of the first footer frame
	unpadded bool
	objects  []span
}

func newCraft(flags uint16) *craft {
	return &craft{b: appendPreamble(nil, preamble{flags: flags}), flags: flags}
}

// frame adds a frame with the given content and hash.
func (c *craft) frame(kind frameType, content []byte) *craft {
	if kind.phase() == 2 && c.footer == 0 {
		c.footer = len(c.b)
	}
	c.b = appendFrameHeader(c.b, kind, frameFlagHash, uint64(frameHeaderSize+len(content)+frameFooterSize))
	c.b = append(c.b, content...)
	c.b = append(appendUint64(c.b, xxh3.Hash(content)), frameEnd...)
	return c.pad()
}

func (c *craft) pad() *craft {
	if !c.unpadded {
		c.b = append(c.b, zeros[:padding(int64(len(c.b)))]...)
	}
	return c
}

// meta adds a metadata, index or hash frame.
func (c *craft) meta(kind frameType, content map[string]any) *craft {
	b, err := modes.encode.Marshal(content)
	if err != nil {
		panic(err)
	}
	return c.frame(kind, b)
}

// object adds a data frame with one float64 value, its descriptor after or before the payload.
func (c *craft) object(value float64, behind bool) *craft {
	d := Descriptor{Type: "ntensor", Shape: []uint64{1}, Strides: []uint64{1}, DType: Float64,
		Encoding: nameNone, Filter: nameNone, Compression: nameNone}
	descriptor, err := d.marshal()
	if err != nil {
		panic(err)
	}
	payload := binary.LittleEndian.AppendUint64(nil, math.Float64bits(value))
	return c.data(payload, descriptor, behind)
}

func (c *craft) data(payload, descriptor []byte, behind bool) *craft {
	content, at, flags := append(bytes.Clone(payload), descriptor...), frameHeaderSize+len(payload), uint16(frameFlagHash|frameFlagCBORAfter)
	if !behind {
		content, at, flags = append(bytes.Clone(descriptor), payload...), frameHeaderSize, frameFlagHash
	}
	size := frameHeaderSize + len(content) + dataFooterSize
	c.objects = append(c.objects, span{int64(len(c.b)), int64(size)})
	c.b = appendFrameHeader(c.b, frameData, flags, uint64(size))
	c.b = append(c.b, content...)
	c.b = appendUint64(c.b, uint64(at))
	c.b = append(appendUint64(c.b, xxh3.Hash(content)), frameEnd...)
	return c.pad()
}

// index adds an index frame of the objects so far.
func (c *craft) index(kind frameType) *craft {
	return c.frame(kind, marshalIndex(c.objects, 0))
}

// done ends the message; the lengths are left 0 if it is streamed.
func (c *craft) done(streamed bool) []byte {
	footer := c.footer
	if footer == 0 {
		footer = len(c.b)
	}
	total := uint64(len(c.b) + postambleSize)
	if streamed {
		total = 0
	}
	c.b = appendPostamble(c.b, postamble{uint64(footer), total})
	appendPreamble(c.b[:0], preamble{c.flags, total})
	return c.b
}
