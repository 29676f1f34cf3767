package main

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/tgmconv/tgmconv/codec/blosc"
	"github.com/tgmconv/tgmconv/internal/codec/shuffle"
)

// A storedArray is an array of Zarr, of version 2 or 3, as its document describes it. It is read
// here with no code of package zarr.
type storedArray struct {
	shape, chunk []int
	kind         byte // i, u or f
	size         int  // bytes of an element
	big          bool
	fill         float64
	steps        []codecStep // in the order of decoding
	attributes   map[string]any
	shard        *shard // nil if chunks are stored one by one
}

// A codecStep undoes one codec. want is how many bytes a whole chunk has at the end.
type codecStep func(b []byte, want int) ([]byte, error)

// A shard is a chunk that holds smaller ones, and where they lie in it.
type shard struct {
	chunk []int
	steps []codecStep
}

// element returns the number that b begins with.
func (a *storedArray) element(b []byte) float64 {
	order := binary.ByteOrder(binary.LittleEndian)
	if a.big {
		order = binary.BigEndian
	}
	var u uint64
	switch a.size {
	case 1:
		u = uint64(b[0])
	case 2:
		u = uint64(order.Uint16(b))
	case 4:
		u = uint64(order.Uint32(b))
	default:
		u = order.Uint64(b)
	}
	return numberOf(a.kind, a.size, u)
}

// numberOf is the number with the bits u.
func numberOf(kind byte, size int, u uint64) float64 {
	switch {
	case kind == 'f' && size == 2:
		return halfOf(uint16(u))
	case kind == 'f' && size == 4:
		return float64(math.Float32frombits(uint32(u)))
	case kind == 'f':
		return math.Float64frombits(u)
	case kind == 'i':
		shift := 64 - 8*size
		return float64(int64(u<<shift) >> shift)
	}
	return float64(u)
}

// halfOf is the number of 16 bits.
func halfOf(h uint16) float64 {
	sign, exponent, fraction := 1.0, int(h>>10&31), float64(h&1023)
	if h>>15 == 1 {
		sign = -1
	}
	switch exponent {
	case 0:
		return sign * math.Ldexp(fraction, -24)
	case 31:
		return math.NaN()
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}

// read returns the values in C order: the elements of all chunks, unpacked as CF says. fetch returns
// nil for a chunk that is not there.
func (a *storedArray) read(fetch func(index []int) ([]byte, error)) ([]float64, error) {
	values := make([]float64, product(a.shape))
	for i := range values {
		values[i] = a.fill
	}
	grid := make([]int, len(a.shape))
	for i := range grid {
		grid[i] = (a.shape[i] + a.chunk[i] - 1) / a.chunk[i]
	}
	for n := range product(grid) {
		index := unravel(n, grid)
		b, err := fetch(index)
		if err != nil {
			return nil, err
		}
		if b == nil {
			continue
		}
		if err := a.place(values, index, b); err != nil {
			return nil, fmt.Errorf("chunk %v: %w", index, err)
		}
	}
	a.unpack(values)
	return values, nil
}

func (a *storedArray) place(values []float64, index []int, b []byte) error {
	if a.shard == nil {
		b, err := decoded(a.steps, b, product(a.chunk)*a.size)
		if err != nil {
			return err
		}
		a.put(values, scaled(index, a.chunk), a.chunk, b)
		return nil
	}
	inner := make([]int, len(a.chunk))
	for i := range inner {
		inner[i] = a.chunk[i] / a.shard.chunk[i]
	}
	table := 16 * product(inner)
	if len(b) < table+4 {
		return errors.New("shard without its index")
	}
	places := b[len(b)-table-4:]
	for n := range product(inner) {
		offset, length := binary.LittleEndian.Uint64(places[16*n:]), binary.LittleEndian.Uint64(places[16*n+8:])
		if offset == math.MaxUint64 {
			continue
		}
		part, err := decoded(a.shard.steps, b[offset:offset+length], product(a.shard.chunk)*a.size)
		if err != nil {
			return err
		}
		first := scaled(index, a.chunk)
		for i, k := range unravel(n, inner) {
			first[i] += k * a.shard.chunk[i]
		}
		a.put(values, first, a.shard.chunk, part)
	}
	return nil
}

// put copies the elements of a chunk that lie within the array.
func (a *storedArray) put(values []float64, first, chunk []int, b []byte) {
	for n := range product(chunk) {
		at, inside := 0, true
		for i, k := range unravel(n, chunk) {
			k += first[i]
			inside = inside && k < a.shape[i]
			at = at*a.shape[i] + k
		}
		if inside {
			values[at] = a.element(b[n*a.size:])
		}
	}
}

// unpack makes values of elements by the attributes of CF.
func (a *storedArray) unpack(values []float64) {
	fills := []float64{}
	for _, name := range []string{"_FillValue", "missing_value"} {
		switch x := a.attributes[name].(type) {
		case float64:
			fills = append(fills, x)
		case string: // as xarray writes a float
			if b, err := base64.StdEncoding.DecodeString(x); err == nil && len(b) == 8 {
				fills = append(fills, math.Float64frombits(binary.LittleEndian.Uint64(b)))
			}
		}
	}
	scale, hasScale := a.attributes["scale_factor"].(float64)
	offset, hasOffset := a.attributes["add_offset"].(float64)
	if !hasScale {
		scale = 1
	}
	for i, v := range values {
		for _, fill := range fills {
			if v == fill {
				values[i] = math.NaN()
			}
		}
		if hasScale || hasOffset {
			values[i] = values[i]*scale + offset
		}
	}
}

func decoded(steps []codecStep, b []byte, want int) ([]byte, error) {
	for _, step := range steps {
		var err error
		if b, err = step(b, want); err != nil {
			return nil, err
		}
	}
	if len(b) < want {
		return nil, fmt.Errorf("%d bytes, expected %d", len(b), want)
	}
	return b, nil
}

func product(n []int) int {
	p := 1
	for _, k := range n {
		p *= k
	}
	return p
}

func unravel(n int, shape []int) []int {
	at := make([]int, len(shape))
	for i := len(shape) - 1; i >= 0; i-- {
		at[i] = n % shape[i]
		n /= shape[i]
	}
	return at
}

func scaled(index, by []int) []int {
	at := make([]int, len(index))
	for i := range at {
		at[i] = index[i] * by[i]
	}
	return at
}

// zarr3 parses zarr.json of an array.
func zarr3(document []byte) (*storedArray, error) {
	var d struct {
		Shape     []int
		DataType  string `json:"data_type"`
		ChunkGrid struct {
			Configuration struct {
				ChunkShape []int `json:"chunk_shape"`
			}
		} `json:"chunk_grid"`
		FillValue  any `json:"fill_value"`
		Codecs     []codec3
		Attributes map[string]any
	}
	if err := json.Unmarshal(document, &d); err != nil {
		return nil, err
	}
	a := &storedArray{shape: d.Shape, chunk: d.ChunkGrid.Configuration.ChunkShape, attributes: d.Attributes}
	if d.DataType == "bool" {
		d.DataType = "uint8"
	}
	bits, err := strconv.Atoi(strings.TrimLeft(d.DataType, "intufloa"))
	if err != nil {
		return nil, fmt.Errorf("data type %s", d.DataType)
	}
	a.kind, a.size, a.fill = d.DataType[0], bits/8, fillOf(d.FillValue)
	if len(d.Codecs) == 1 && d.Codecs[0].Name == "sharding_indexed" {
		var inner struct {
			ChunkShape []int `json:"chunk_shape"`
			Codecs     []codec3
		}
		if err := json.Unmarshal(d.Codecs[0].Configuration, &inner); err != nil {
			return nil, err
		}
		a.shard = &shard{chunk: inner.ChunkShape}
		a.shard.steps, err = a.codecs(inner.Codecs)
		return a, err
	}
	a.steps, err = a.codecs(d.Codecs)
	return a, err
}

type codec3 struct {
	Name          string
	Configuration json.RawMessage
}

func (a *storedArray) codecs(list []codec3) ([]codecStep, error) {
	var steps []codecStep
	for _, c := range list {
		var options struct {
			Endian      string
			ElementSize int `json:"elementsize"`
		}
		if len(c.Configuration) > 0 {
			if err := json.Unmarshal(c.Configuration, &options); err != nil {
				return nil, err
			}
		}
		if c.Name == "bytes" {
			a.big = options.Endian == "big"
			continue
		}
		step, err := stepOf(strings.TrimPrefix(c.Name, "numcodecs."), options.ElementSize)
		if err != nil {
			return nil, err
		}
		steps = append([]codecStep{step}, steps...)
	}
	return steps, nil
}

// zarr2 parses .zarray and .zattrs.
func zarr2(document, attributes []byte) (*storedArray, error) {
	var d struct {
		Shape, Chunks []int
		DType         string
		FillValue     any `json:"fill_value"`
		Compressor    *codec2
		Filters       []codec2
		Order         string
	}
	if err := json.Unmarshal(document, &d); err != nil {
		return nil, err
	}
	a := &storedArray{shape: d.Shape, chunk: d.Chunks, fill: fillOf(d.FillValue)}
	if err := json.Unmarshal(attributes, &a.attributes); err != nil {
		return nil, err
	}
	size, err := strconv.Atoi(d.DType[2:])
	if err != nil || d.Order != "C" {
		return nil, fmt.Errorf("data type %s, order %s", d.DType, d.Order)
	}
	a.big, a.kind, a.size = d.DType[0] == '>', d.DType[1], size
	if d.FillValue != nil { // xarray takes it for missing, in version 2
		a.attributes["_FillValue"] = a.fill
	}
	if d.Compressor != nil {
		d.Filters = append(d.Filters, *d.Compressor)
	}
	for _, c := range d.Filters {
		step, err := stepOf(c.ID, c.ElementSize)
		if err != nil {
			return nil, err
		}
		a.steps = append([]codecStep{step}, a.steps...)
	}
	return a, nil
}

type codec2 struct {
	ID          string
	ElementSize int `json:"elementsize"`
}

func fillOf(v any) float64 {
	switch v := v.(type) {
	case float64:
		return v
	case bool:
		if v {
			return 1
		}
	case string:
		if v == "NaN" || strings.HasPrefix(v, "0x7f") {
			return math.NaN()
		}
		f, err := strconv.ParseFloat(strings.Replace(v, "Infinity", "Inf", 1), 64)
		if err == nil {
			return f
		}
	}
	return 0
}

// stepOf returns the function that undoes a codec.
func stepOf(name string, size int) (codecStep, error) {
	stream := func(open func(io.Reader) (io.ReadCloser, error)) codecStep {
		return func(b []byte, _ int) ([]byte, error) {
			r, err := open(bytes.NewReader(b))
			if err != nil {
				return nil, err
			}
			return io.ReadAll(r)
		}
	}
	switch name {
	case "zlib":
		return stream(zlib.NewReader), nil
	case "gzip":
		return stream(func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }), nil
	case "zstd":
		return stream(func(r io.Reader) (io.ReadCloser, error) {
			d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
			if err != nil {
				return nil, err
			}
			return d.IOReadCloser(), nil
		}), nil
	case "blosc":
		return func(b []byte, want int) ([]byte, error) { return blosc.DecodeChunk(nil, b, want) }, nil
	case "shuffle":
		return func(b []byte, _ int) ([]byte, error) {
			out := make([]byte, len(b))
			return out, shuffle.Decode(out, b, size)
		}, nil
	case "crc32c":
		return func(b []byte, _ int) ([]byte, error) { return b[:max(0, len(b)-4)], nil }, nil
	}
	return nil, fmt.Errorf("no codec %s here", name)
}
