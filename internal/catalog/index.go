package catalog

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/fxamacker/cbor/v2"
	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"

	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// indexMagic begins an index; its last byte is the version of the layout.
//
//	8 bytes   "TGMCIDX" and the version
//	8 bytes   XXH3 of the rest, little-endian
//	the rest  a zstd frame of the CBOR of an indexBody
const indexMagic = "TGMCIDX\x0a"

// maxIndex bounds the body of an index: some 10⁷ entries.
const maxIndex = 1 << 30

// An indexBody is a catalogue as an index holds it. The rows are columns of varints, each the
// difference from the row before.
type indexBody struct {
	Files    []FileState      `cbor:"1,keyasint"`
	Messages []map[string]any `cbor:"2,keyasint"` // that kinds share
	Kinds    []indexKind      `cbor:"3,keyasint"`
	Rows     int              `cbor:"4,keyasint"`
	Columns  [][]byte         `cbor:"5,keyasint"`
	Values   [][]byte         `cbor:"6,keyasint,omitempty"` // of rows, see Catalog.ValueIndex; none if no row has any
}

// An indexKind is a kind as an index holds it.
type indexKind struct {
	Key       []byte         `cbor:"1,keyasint"`
	Name      string         `cbor:"2,keyasint"`
	Dims      []string       `cbor:"3,keyasint"`
	Shape     []uint64       `cbor:"4,keyasint"`
	DType     string         `cbor:"5,keyasint"`
	LevelType string         `cbor:"6,keyasint"`
	Grid      string         `cbor:"7,keyasint"`
	Keys      map[string]any `cbor:"8,keyasint"`
	Base      map[string]any `cbor:"9,keyasint"`
	Message   int            `cbor:"10,keyasint"` // number of its message, -1 for none
	// Of coordinates, and the variable whose part has them.
	Coordinate bool   `cbor:"11,keyasint,omitempty"`
	Variable   string `cbor:"12,keyasint,omitempty"`
	Form       string `cbor:"13,keyasint,omitempty"`
}

// An IndexError is the error for an index that cannot be used.
type IndexError struct {
	Reason string
	Err    error // may be nil
}

func (e *IndexError) Error() string {
	return "catalog: " + e.Detail()
}

// Detail returns the text of the error without the name of the package.
func (e *IndexError) Detail() string {
	if e.Err != nil {
		return fmt.Sprintf("the index cannot be used: %s: %v", e.Reason, e.Err)
	}
	return "the index cannot be used: " + e.Reason
}

// Unwrap returns the cause.
func (e *IndexError) Unwrap() error { return e.Err }

const numColumns = 18

// words are the numbers of a row in the order of the columns.
func (r *row) words() [numColumns]uint64 {
	return [numColumns]uint64{
		uint64(r.size), uint64(r.offset), uint64(r.length), uint64(r.reference), uint64(r.valid), uint64(r.step), uint64(r.start),
		math.Float64bits(r.level), math.Float64bits(r.top), math.Float64bits(r.bottom), uint64(r.number), uint64(r.record),
		uint64(r.kind), uint64(r.file), uint64(r.message), uint64(r.object), uint64(r.known), uint64(r.format),
	}
}

func rowOf(w *[numColumns]uint64) row {
	return row{
		size: int64(w[0]), offset: int64(w[1]), length: int64(w[2]), reference: int64(w[3]), valid: int64(w[4]), step: int64(w[5]), start: int64(w[6]),
		level: math.Float64frombits(w[7]), top: math.Float64frombits(w[8]), bottom: math.Float64frombits(w[9]), number: int64(w[10]), record: int64(w[11]),
		kind: uint32(w[12]), file: uint32(w[13]), message: uint32(w[14]), object: uint32(w[15]), known: known(w[16]), format: format(w[17]),
	}
}

// AppendIndex appends the index of the catalogue to dst: its serialised form for ParseIndex, some
// tens of bytes an entry.
func (c *Catalog) AppendIndex(dst []byte) ([]byte, error) {
	body := indexBody{Files: c.files, Rows: c.rows.len(), Columns: make([][]byte, numColumns)}
	mode, err := cbor.EncOptions{Sort: cbor.SortBytewiseLexical, ShortestFloat: cbor.ShortestFloat16}.EncMode() // the same bytes for the same catalogue
	if err != nil {
		return dst, fault.Errorf("catalog", "index: %w", err)
	}
	messages, texts := make(map[uintptr]int), make(map[string]int) // their numbers, by address and by text
	for _, k := range c.kinds {
		message, base := k.base.Maps()
		out := indexKind{
			Key: []byte(k.key), Name: k.name, Dims: k.dims, Shape: k.shape, DType: k.dtype.String(), LevelType: k.levelType, Grid: k.grid,
			Keys: k.keys, Base: base, Message: -1, Coordinate: k.isCoord, Variable: k.variable, Form: k.form,
		}
		if message != nil {
			pointer := reflect.ValueOf(message).Pointer()
			number, ok := messages[pointer]
			if !ok {
				text, err := mode.Marshal(message)
				if err != nil {
					return dst, fault.Errorf("catalog", "index: %w", err)
				}
				if number, ok = texts[string(text)]; !ok {
					number = len(body.Messages)
					body.Messages = append(body.Messages, message)
				}
				messages[pointer], texts[string(text)] = number, number
			}
			out.Message = number
		}
		body.Kinds = append(body.Kinds, out)
	}
	if c.rows.hasValues() {
		body.Values = make([][]byte, c.rows.len())
	}
	var before [numColumns]uint64
	for i, r := range c.rows.all() {
		if body.Values != nil {
			body.Values[i] = r.values
		}
		words := r.words()
		for j, w := range words {
			body.Columns[j] = binary.AppendVarint(body.Columns[j], int64(w-before[j]))
		}
		before = words
	}
	text, err := mode.Marshal(body)
	if err != nil {
		return dst, fault.Errorf("catalog", "index: %w", err)
	}
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return dst, fault.Errorf("catalog", "index: %w", err)
	}
	packed := encoder.EncodeAll(text, nil)
	dst = append(dst, indexMagic...)
	dst = binary.LittleEndian.AppendUint64(dst, xxh3.Hash(packed))
	return append(dst, packed...), nil
}

// ParseIndex returns the catalogue that AppendIndex wrote. The error is an *IndexError if b is not
// an index, or is one of another version, or is damaged.
func ParseIndex(b []byte) (*Catalog, error) {
	var body indexBody
	if err := parseIndex(b, &body); err != nil {
		return nil, err
	}
	return body.catalog()
}

// ParseIndexFiles returns the files of the catalogue that AppendIndex wrote, without their entries. Errors are as in
// [ParseIndex].
func ParseIndexFiles(b []byte) (*Catalog, error) {
	var body struct {
		Files []FileState `cbor:"1,keyasint"`
	}
	if err := parseIndex(b, &body); err != nil {
		return nil, err
	}
	return (&indexBody{Files: body.Files, Columns: make([][]byte, numColumns)}).catalog()
}

// parseIndex decodes the body of an index, or a part of it.
func parseIndex(b []byte, body any) error {
	if len(b) < len(indexMagic)+8 || string(b[:len(indexMagic)]) != indexMagic {
		return &IndexError{Reason: "it is no index of this version"}
	}
	packed := b[len(indexMagic)+8:]
	if xxh3.Hash(packed) != binary.LittleEndian.Uint64(b[len(indexMagic):]) {
		return &IndexError{Reason: "its hash does not match"}
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxIndex))
	if err != nil {
		return fault.Errorf("catalog", "index: %w", err)
	}
	defer decoder.Close()
	text, err := decoder.DecodeAll(packed, nil)
	if err != nil {
		return &IndexError{"it does not decompress", err}
	}
	mode, err := cbor.DecOptions{
		DefaultMapType: reflect.TypeFor[map[string]any](), IntDec: cbor.IntDecConvertSignedOrFail, MaxArrayElements: 1 << 24, MaxMapPairs: 1 << 20,
	}.DecMode()
	if err != nil {
		return fault.Errorf("catalog", "index: %w", err)
	}
	if err := mode.Unmarshal(text, body); err != nil {
		return &IndexError{"it does not decode", err}
	}
	return nil
}

// catalog makes the catalogue of a body.
func (b *indexBody) catalog() (*Catalog, error) {
	c := &Catalog{kindNumbers: make(map[string]uint32, len(b.Kinds)), fileNumbers: make(map[string]uint32, len(b.Files)), files: b.Files}
	for i, f := range b.Files {
		c.fileNumbers[f.Name] = uint32(i)
	}
	for i, k := range b.Kinds {
		dtype, err := tgm.ParseDType(k.DType)
		if err != nil {
			return nil, &IndexError{"a kind has an unknown type", err}
		}
		if k.Message < -1 || k.Message >= len(b.Messages) {
			return nil, &IndexError{Reason: "a kind has a message that is not there"}
		}
		base := mapping.Read(k.Base)
		if k.Message >= 0 {
			base = mapping.ReadIn(b.Messages[k.Message], k.Base)
		}
		c.kinds = append(c.kinds, kind{
			name: k.Name, dims: k.Dims, shape: k.Shape, dtype: dtype, levelType: k.LevelType, grid: k.Grid, keys: k.Keys, base: base,
			key: string(k.Key), variable: k.Variable, isCoord: k.Coordinate, form: k.Form,
		})
		c.kindNumbers[string(k.Key)] = uint32(i)
	}
	return c, c.readColumns(b)
}

// readColumns makes the rows of the columns of an index.
func (c *Catalog) readColumns(b *indexBody) error {
	if len(b.Columns) != numColumns {
		return &IndexError{Reason: fmt.Sprintf("%d columns, expected %d", len(b.Columns), numColumns)}
	}
	for _, column := range b.Columns {
		if b.Rows < 0 || len(column) < b.Rows {
			return &IndexError{Reason: fmt.Sprintf("a column of %d bytes for %d rows", len(column), b.Rows)}
		}
	}
	if len(b.Values) != 0 && len(b.Values) != b.Rows {
		return &IndexError{Reason: fmt.Sprintf("values of %d rows, expected %d", len(b.Values), b.Rows)}
	}
	var words [numColumns]uint64
	var at [numColumns]int // in the columns
	rows := make([]row, 0, min(b.Rows, blockRows))
	for i := range b.Rows {
		for j := range words {
			delta, n := varint(b.Columns[j][at[j]:])
			if n <= 0 {
				return &IndexError{Reason: "a column ends early"}
			}
			at[j] += n
			words[j] += uint64(delta)
		}
		r := rowOf(&words)
		if int64(r.kind) >= int64(len(c.kinds)) || int64(r.file) >= int64(len(c.files)) || r.format > formatNetCDF {
			return &IndexError{Reason: fmt.Sprintf("row %d is of a kind or a file that is not there", i)}
		}
		if len(b.Values) > 0 {
			r.values = b.Values[i]
		}
		if rows = append(rows, r); len(rows) == blockRows {
			c.rows.packed = append(c.rows.packed, packRows(rows))
			rows = rows[:0]
		}
	}
	c.rows.last = slices.Clone(rows)
	return nil
}

// varint is [binary.Varint], which most numbers do not need: they are of one byte.
func varint(b []byte) (v int64, n int) {
	if len(b) > 0 && b[0] < 0x80 {
		return int64(b[0]>>1) ^ -int64(b[0]&1), 1
	}
	return binary.Varint(b)
}
