package tgm

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"github.com/tgmconv/tgmconv/internal/codec/compress"
	"github.com/tgmconv/tgmconv/internal/nd"
)

// Arrays much larger than their payload are kept compressed again, in pieces, if only decoding
// from the beginning is possible. Any part is then decoded without the rest, in memory that is
// bounded by the payload rather than by the claims of its descriptor.

// Sizes in bytes.
const (
	piecesFloor  = 8 << 20   // of arrays that are kept in pieces
	pieceBytes   = 256 << 10 // of a piece
	mostOfPieces = 16 << 20  // of all pieces, compressed

	expandingFloor = 4 << 30 // of arrays that may be kept in pieces whatever their payload has
)

// piecesRatio is the least ratio of the size of such an array to its payload. The array must also
// be as many times as large as its pieces.
const piecesRatio = 16

// errPieces says that an array does not compress in pieces.
var errPieces = errors.New("pieces take as much memory as the array")

// pieces are bytes that were compressed piece by piece.
type pieces struct {
	parts [][]byte
	size  int64 // of all bytes
	taken int   // by parts
	rest  []byte
	buf   []byte // of flush
}

// Write implements io.Writer.
func (p *pieces) Write(b []byte) (int, error) {
	n := len(b)
	for len(b) > 0 {
		k := min(len(b), pieceBytes-len(p.rest))
		p.rest, b = append(p.rest, b[:k]...), b[k:]
		if len(p.rest) == pieceBytes {
			if err := p.flush(); err != nil {
				return 0, err
			}
		}
	}
	return n, nil
}

func (p *pieces) flush() error {
	if len(p.rest) == 0 {
		return nil
	}
	part := []byte{p.rest[0]} // which no piece of LZ4 is
	if bytes.Count(p.rest, part) < len(p.rest) {
		var err error
		if p.buf, err = compress.EncodeLZ4(p.buf[:0], p.rest); err != nil {
			return err
		}
		part = slices.Clone(p.buf) // without the room for more
	}
	p.parts, p.size = append(p.parts, part), p.size+int64(len(p.rest))
	if p.taken += len(part); p.taken > mostOfPieces {
		return errPieces
	}
	p.rest = p.rest[:0]
	return nil
}

// readAt fills dst with the bytes from off on.
func (p *pieces) readAt(dst []byte, off int64) error {
	if off < 0 || int64(len(dst)) > p.size-off {
		return io.ErrUnexpectedEOF
	}
	buf := getBuffer(pieceBytes)
	defer putBuffer(buf)
	for len(dst) > 0 {
		i, skip := off/pieceBytes, int(off%pieceBytes)
		size := int(min(pieceBytes, p.size-i*pieceBytes))
		if skip == 0 && len(dst) >= size {
			if _, err := p.decode(dst[:size], i); err != nil {
				return err
			}
			dst, off = dst[size:], off+int64(size)
			continue
		}
		if part := p.parts[i]; len(part) == 1 {
			n := min(len(dst), size-skip)
			nd.Repeat(dst[:n], part)
			dst, off = dst[n:], off+int64(n)
			continue
		}
		b, err := p.decode((*buf)[:size], i)
		if err != nil {
			return err
		}
		n := copy(dst, b[skip:])
		dst, off = dst[n:], off+int64(n)
	}
	return nil
}

// decode fills dst with a piece of its size.
func (p *pieces) decode(dst []byte, i int64) ([]byte, error) {
	if part := p.parts[i]; len(part) > 1 {
		return compress.DecodeLZ4(dst, part, len(dst))
	}
	nd.Repeat(dst, p.parts[i])
	return dst, nil
}

// partsFloor is the size in bytes that an array read in parts may have, whatever the size of its
// payload. Where it is kept in pieces, memory does not depend on it, but time does.
func (p *payloadDecoder) partsFloor(payload int64) int64 {
	if p.expands(payload) {
		return expandingFloor
	}
	return constantFloor
}

// expands reports whether the array is so much larger than its payload that pieces are made of it.
func (p *payloadDecoder) expands(payload int64) bool {
	last := len(p.layers) - 1
	return last >= 0 && p.layers[last].stream != nil && p.layers[last].readAt == nil &&
		p.layers[last].in.bytes >= piecesFloor && int64(p.layers[last].in.bytes)/piecesRatio >= payload
}

// inPieces has the last layer read from pieces, if the object expands and they can be had.
func (o *Object) inPieces(p *payloadDecoder) error {
	if o.msg.file == 0 || !p.expands(o.payload) {
		return nil
	}
	list, err := o.keptPieces(p)
	if err != nil || list == nil {
		return err
	}
	l := &p.layers[len(p.layers)-1]
	l.readAt = func(dst []byte, off int64, _ section) error { return list.readAt(dst, off) }
	return nil
}

// keptPieces returns the pieces of an object whose frame was compared with its hash. It returns
// nil if they would take too much memory.
func (o *Object) keptPieces(p *payloadDecoder) (*pieces, error) {
	if err := p.checkExpansionFrom(p.partsFloor(o.payload), int64(p.size), o.payload, o.msg); err != nil {
		return nil, err
	}
	d, err := o.msg.budget.kept(keptKey{o.msg.file, o.Offset(), keptPieces}, func(d decoded) int64 { return d.pieces.bytes() }, func() (d decoded, err error) {
		d.pieces, err = o.makePieces(&p.layers[len(p.layers)-1])
		return d, err
	})
	return d.pieces, err
}

// bytes is about the memory that the pieces take.
func (p *pieces) bytes() int64 {
	if p == nil {
		return 1
	}
	return int64(p.taken) + 32*int64(len(p.parts))
}

func (o *Object) makePieces(l *layer) (*pieces, error) {
	rest, err := o.readRest()
	if err != nil {
		return nil, err
	}
	buf := getBuffer(int(o.payload))
	defer putBuffer(buf)
	if err := o.readVerified(*buf, rest, &DecodeOptions{}); err != nil {
		return nil, err
	}
	p := &pieces{rest: make([]byte, 0, pieceBytes)}
	if err = l.stream(p, *buf); err == nil {
		err = p.flush()
	}
	p.rest, p.buf = nil, nil
	if errors.Is(err, errPieces) || err == nil && int64(p.taken) > p.size/piecesRatio {
		return nil, nil
	}
	return p, err
}
