package columns

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
)

// A column reads a column of a Parquet file (https://parquet.apache.org/docs/file-format/). Its values are
// byte arrays or numbers, which may be absent but not repeated. Of encodings it knows plain values and
// dictionaries. Files come from others: parquet-go, which writes ours, takes gigabytes on the word of a
// length in a file of 500 bytes.
type column struct {
	source   io.ReaderAt
	name     string
	kind     int64 // of the values
	optional bool
	most     int64
	dict     []Cell
	values   []Cell
}

// A Cell is a value of a column, which may be absent.
type Cell struct {
	Text    []byte // of a byte array
	N       int64  // of an integer
	Present bool
}

// Float is the value of a column of doubles.
func (c *Cell) Float() float64 { return math.Float64frombits(uint64(c.N)) }

// The types of values that are read, by Parquet's numbers.
const (
	Int32     = 1
	Int64     = 2
	Double    = 5
	ByteArray = 6
)

// The numbers of Parquet's format: repetitions, pages, encodings and compressions.
const (
	optional = 1
	repeated = 2

	dataPage       = 0
	dictionaryPage = 2
	dataPage2      = 3

	plainEncoding         = 0
	oldDictionaryEncoding = 2
	rleEncoding           = 3
	dictionaryEncoding    = 8

	uncompressed     = 0
	snappyCompressed = 1
	gzipCompressed   = 2
	zstdCompressed   = 6
)

// Bounds of a file.
const (
	maxFooter = 16 << 20
	maxPage   = 256 << 20
)

// footerOf reads the metadata at the end of a file:
//
//	"PAR1" … FileMetaData, uint32 its length, "PAR1"
func footerOf(r io.ReaderAt, size int64) (structure, error) {
	const tail = 8
	if size < 4+tail {
		return nil, fmt.Errorf("%d bytes, expected a Parquet file", size)
	}
	var end [tail]byte
	if _, err := r.ReadAt(end[:], size-tail); err != nil && err != io.EOF {
		return nil, err
	}
	n := int64(binary.LittleEndian.Uint32(end[:]))
	if string(end[4:]) != "PAR1" || n > size-tail || n > maxFooter {
		return nil, fmt.Errorf("found %q and a footer of %d bytes at the end, expected a Parquet file", end[4:], n)
	}
	data := make([]byte, n)
	if m, err := r.ReadAt(data, size-tail-n); m < len(data) {
		return nil, err
	}
	c := &compact{data: data}
	return c.structure()
}

// chunk reads a row group's part of the column: pages that follow one another.
func (c *column) chunk(meta structure, size, rows int64) error {
	at, length := meta.integer(9), meta.integer(7)
	if first := meta.integer(11); first > 0 && first < at {
		at = first
	}
	if at < 0 || length < 0 || at > size || length > size-at || length > maxPage {
		return fmt.Errorf("%d bytes from byte %d on in a file of %d", length, at, size)
	}
	data := make([]byte, length)
	if n, err := c.source.ReadAt(data, at); n < len(data) {
		return err
	}
	c.dict = nil
	pages, begin := &compact{data: data}, len(c.values)
	for int64(len(c.values)-begin) < rows {
		head, err := pages.structure()
		if err != nil {
			return err
		}
		n := head.integer(3)
		if n < 0 || n > int64(len(data)-pages.at) {
			return errShort
		}
		stored := data[pages.at:][:n]
		pages.at += int(n)
		if err := c.page(head, meta.integer(4), stored, rows-int64(len(c.values)-begin)); err != nil {
			return err
		}
	}
	return nil
}

// page reads a page with at most rows values.
func (c *column) page(head structure, compression int64, stored []byte, rows int64) error {
	size := head.integer(2)
	if size < 0 || size > maxPage {
		return fmt.Errorf("a page of %d bytes", size)
	}
	switch kind := head.integer(1); kind {
	case dictionaryPage:
		data, err := unpacked(compression, stored, size)
		if err != nil {
			return err
		}
		n := head.structure(7).integer(1)
		if n < 0 || n > c.most {
			return fmt.Errorf("a dictionary of %d values", n)
		}
		c.dict, err = c.plain(data, n)
		return err
	case dataPage:
		h := head.structure(5)
		data, err := unpacked(compression, stored, size)
		if err != nil {
			return err
		}
		var levels []byte
		if c.optional {
			if enc := h.integer(3); enc != rleEncoding {
				return fmt.Errorf("levels in the encoding %d", enc)
			}
			if len(data) < 4 || uint64(binary.LittleEndian.Uint32(data)) > uint64(len(data)-4) {
				return errShort
			}
			n := 4 + int(binary.LittleEndian.Uint32(data))
			levels, data = data[4:n], data[n:]
		}
		return c.add(levels, data, h.integer(1), h.integer(2), rows)
	case dataPage2:
		h := head.structure(8)
		n := h.integer(5)
		if n < 0 || n > int64(len(stored)) || n > size || h.integer(6) != 0 {
			return errShort
		}
		if packed, said := h[7].(bool); said && !packed {
			compression = uncompressed
		}
		data, err := unpacked(compression, stored[n:], size-n)
		if err != nil {
			return err
		}
		return c.add(stored[:n], data, h.integer(1), h.integer(4), rows)
	}
	return nil // an index
}

// add adds the values of a page: levels mark the present values, and data has them.
func (c *column) add(levels, data []byte, n, encoding, rows int64) error {
	if n < 1 || n > rows {
		return fmt.Errorf("a page of %d values, expected 1 to %d", n, rows)
	}
	present, count := make([]uint32, n), n
	if c.optional {
		if err := hybrid(present, levels, 1); err != nil {
			return err
		}
		count = 0
		for _, p := range present {
			count += int64(p)
		}
	}
	var values []Cell // present values, or the values of indices
	var indices []uint32
	switch encoding {
	case plainEncoding:
		var err error
		if values, err = c.plain(data, count); err != nil {
			return err
		}
	case oldDictionaryEncoding, dictionaryEncoding:
		indices, values = make([]uint32, count), c.dict
		if count == 0 {
			break
		}
		if len(data) < 1 || data[0] > 32 {
			return errShort
		}
		if err := hybrid(indices, data[1:], uint(data[0])); err != nil {
			return err
		}
	default:
		return fmt.Errorf("the encoding %d of values is not supported", encoding)
	}
	c.values = slices.Grow(c.values, len(present))
	next := 0
	for i := range present {
		if c.optional && present[i] == 0 {
			c.values = append(c.values, Cell{})
			continue
		}
		at := next
		if indices != nil {
			at = int(indices[next])
		}
		if at >= len(values) {
			return fmt.Errorf("value %d of a dictionary of %d", at, len(values))
		}
		c.values, next = append(c.values, values[at]), next+1
	}
	return nil
}

// plain reads n values that follow one another.
func (c *column) plain(data []byte, n int64) ([]Cell, error) {
	values := make([]Cell, 0, min(n, int64(len(data)/4)))
	for range n {
		v := Cell{Present: true}
		switch c.kind {
		case ByteArray:
			if len(data) < 4 || uint64(binary.LittleEndian.Uint32(data)) > uint64(len(data)-4) {
				return nil, errShort
			}
			end := 4 + int(binary.LittleEndian.Uint32(data))
			v.Text, data = data[4:end], data[end:]
		case Int32:
			if len(data) < 4 {
				return nil, errShort
			}
			v.N, data = int64(int32(binary.LittleEndian.Uint32(data))), data[4:]
		case Int64, Double:
			if len(data) < 8 {
				return nil, errShort
			}
			v.N, data = int64(binary.LittleEndian.Uint64(data)), data[8:]
		}
		values = append(values, v)
	}
	return values, nil
}

// hybrid reads numbers of some bits as runs of one, or packed eight by eight ("RLE/bit-packing hybrid").
func hybrid(out []uint32, data []byte, width uint) error {
	c := &compact{data: data}
	for i := 0; i < len(out); {
		head, err := c.unsigned()
		if err != nil {
			return err
		}
		bytes := int(width+7) / 8
		if head&1 == 1 {
			n := head >> 1 // groups of eight, each of width bytes
			if n == 0 || n > uint64(len(out)) {
				return fmt.Errorf("a run of %d groups", n)
			}
			bytes = int(n) * int(width)
		}
		if bytes > len(data)-c.at {
			return errShort
		}
		run := data[c.at:][:bytes]
		c.at += bytes
		if head&1 == 1 {
			for k := 0; k < 8*int(head>>1) && i < len(out); k++ {
				out[i] = bitsOf(run, uint(k)*width, width)
				i++
			}
			continue
		}
		var v uint32
		for k, b := range run {
			v |= uint32(b) << (8 * k)
		}
		n := head >> 1
		if n == 0 {
			return errors.New("an empty run")
		}
		for ; n > 0 && i < len(out); n-- {
			out[i] = v
			i++
		}
	}
	return nil
}

// bitsOf are some bits from one on, the lowest first.
func bitsOf(data []byte, at, width uint) uint32 {
	var v uint64
	for k := at / 8; k <= (at+width)/8 && k < uint(len(data)); k++ {
		v |= uint64(data[k]) << (8 * (k - at/8))
	}
	return uint32(v >> (at % 8) & (1<<width - 1))
}

// unpacked is a page of size bytes.
func unpacked(compression int64, stored []byte, size int64) ([]byte, error) {
	switch compression {
	case uncompressed:
		return stored, nil
	case snappyCompressed:
		if n, err := s2.DecodedLen(stored); err != nil || int64(n) > size {
			return nil, errors.Join(err, fmt.Errorf("a page of %d bytes, expected %d", n, size))
		}
		return s2.Decode(nil, stored)
	case gzipCompressed:
		r, err := gzip.NewReader(bytes.NewReader(stored))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(io.LimitReader(r, size))
	case zstdCompressed:
		d, err := zstd.NewReader(bytes.NewReader(stored), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
		if err != nil {
			return nil, err
		}
		defer d.Close()
		return io.ReadAll(io.LimitReader(d, size))
	}
	return nil, fmt.Errorf("the compression %d is not supported", compression)
}
