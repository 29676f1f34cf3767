package references

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// Records describes the references of a folder of kerchunk's Parquet files. Its .zmetadata has the
// documents of all arrays, and the number of references in a file:
//
//	.zmetadata             {"metadata": documents by their keys, "record_size": 100000}
//	t/refs.0.parq, …       path, offset, size and raw of as many chunks of t, in C order
type Records struct {
	// Size is how many references a file has.
	Size   int64
	arrays map[string]*grid
}

// A grid is the chunks of an array.
type grid struct {
	chunks    []int64 // along each dimension
	separator string  // of their positions in keys
}

// maxRecords bounds the references in a file.
const maxRecords = 1 << 24

// ParseRecords reads the document .zmetadata of a folder; nil if it is one without references.
func ParseRecords(data []byte) (*Records, error) {
	var doc struct {
		Size     int64                      `json:"record_size"`
		Metadata map[string]json.RawMessage `json:"metadata"`
	}
	if !strings.Contains(string(data), `"record_size"`) {
		return nil, nil
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, err
	}
	if doc.Size < 1 || doc.Size > maxRecords {
		return nil, fmt.Errorf("record_size is %d, expected 1 to %d", doc.Size, maxRecords)
	}
	r := &Records{Size: doc.Size, arrays: make(map[string]*grid)}
	for key, text := range doc.Metadata {
		path, ok := strings.CutSuffix(key, ".zarray")
		if !ok || path != "" && !strings.HasSuffix(path, "/") {
			continue
		}
		if g := gridOf(text); g != nil { // else the reader of the document says what is wrong
			r.arrays[strings.TrimSuffix(path, "/")] = g
		}
	}
	return r, nil
}

// gridOf is the grid of a document .zarray; nil if that is not valid.
func gridOf(text json.RawMessage) *grid {
	var doc struct {
		Shape     []int64 `json:"shape"`
		Chunks    []int64 `json:"chunks"`
		Separator string  `json:"dimension_separator"`
	}
	if json.Unmarshal(text, &doc) != nil || len(doc.Shape) != len(doc.Chunks) {
		return nil
	}
	g := &grid{separator: doc.Separator}
	if g.separator == "" {
		g.separator = "."
	}
	total := int64(1)
	for i, n := range doc.Shape {
		if n < 0 || doc.Chunks[i] < 1 {
			return nil
		}
		count := int64(0)
		if n > 0 {
			count = (n-1)/doc.Chunks[i] + 1
		}
		if count > 0 && total > maxRange/count {
			return nil
		}
		total *= max(1, count)
		g.chunks = append(g.chunks, count)
	}
	return g
}

// Find returns the file with the reference of a chunk, and its number there; ok is false if the key is
// that of no chunk.
func (r *Records) Find(key string) (file string, row int64, ok bool) {
	for at := strings.LastIndexByte(key, '/'); ; at = strings.LastIndexByte(key[:at], '/') {
		path := ""
		if at >= 0 {
			path = key[:at]
		}
		if g := r.arrays[path]; g != nil {
			n, ok := g.number(key[at+1:])
			file := fmt.Sprintf("refs.%d.parq", n/r.Size)
			if path != "" {
				file = path + "/" + file
			}
			return file, n % r.Size, ok
		}
		if at < 0 {
			return "", 0, false
		}
	}
}

// number is that of the chunk at a position, such as 0.1, in C order.
func (g *grid) number(position string) (n int64, ok bool) {
	if len(g.chunks) == 0 {
		return 0, position == "0"
	}
	parts := strings.Split(position, g.separator)
	if len(parts) != len(g.chunks) {
		return 0, false
	}
	for i, part := range parts {
		index, err := strconv.ParseInt(part, 10, 64)
		if err != nil || index < 0 || index >= g.chunks[i] {
			return 0, false
		}
		n = n*g.chunks[i] + index
	}
	return n, true
}

// ReadRecords reads the references of one Parquet file, of which there may be most. Those of chunks that
// are not there have neither a Target nor Data.
func ReadRecords(r io.ReaderAt, size, most int64) ([]Reference, error) {
	f, err := parquet.OpenFile(r, size)
	if err != nil {
		return nil, err
	}
	if n := f.NumRows(); n < 0 || n > most {
		return nil, fmt.Errorf("%d references, expected at most %d", n, most)
	}
	c, err := columnsOf(f.Schema())
	if err != nil {
		return nil, err
	}
	list := make([]Reference, 0, f.NumRows())
	targets := &parser{targets: make(map[string]string)}
	for _, group := range f.RowGroups() {
		rows := group.Rows()
		room := make([]parquet.Row, 256)
		for {
			n, err := rows.ReadRows(room)
			for _, row := range room[:n] {
				if int64(len(list)) >= most {
					rows.Close()
					return nil, fmt.Errorf("more than %d references", most)
				}
				list = append(list, c.reference(row, targets))
			}
			if err == nil && n > 0 {
				continue
			}
			if closed := rows.Close(); err == nil || errors.Is(err, io.EOF) {
				err = closed
			}
			if err != nil {
				return nil, err
			}
			break
		}
	}
	for i := range list {
		if r := &list[i]; r.Target != "" {
			if err := r.check(strconv.Itoa(i)); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

// columns are the numbers of columns, -1 of those that are not there.
type columns struct{ path, offset, size, raw int }

func columnsOf(schema *parquet.Schema) (columns, error) {
	c := columns{-1, -1, -1, -1}
	for name, want := range map[string]struct {
		at    *int
		kinds []parquet.Kind
	}{
		"path": {&c.path, []parquet.Kind{parquet.ByteArray}}, "raw": {&c.raw, []parquet.Kind{parquet.ByteArray}},
		"offset": {&c.offset, []parquet.Kind{parquet.Int64, parquet.Int32}}, "size": {&c.size, []parquet.Kind{parquet.Int64, parquet.Int32}},
	} {
		leaf, ok := schema.Lookup(name)
		if !ok {
			continue
		}
		if kind := leaf.Node.Type().Kind(); leaf.Node.Repeated() || kind != want.kinds[0] && kind != want.kinds[len(want.kinds)-1] {
			return c, fmt.Errorf("the column %s is of type %s", name, leaf.Node.Type())
		}
		*want.at = leaf.ColumnIndex
	}
	if c.path < 0 && c.raw < 0 {
		return c, errors.New("it has no column path or raw")
	}
	return c, nil
}

// reference is a row.
func (c columns) reference(row parquet.Row, targets *parser) Reference {
	var r Reference
	for _, v := range row {
		switch at := v.Column(); {
		case v.IsNull():
		case at == c.path:
			r.Target = targets.once(string(v.ByteArray()))
		case at == c.raw:
			r.Data = append([]byte{}, v.ByteArray()...)
		case at == c.offset:
			r.Offset = integerOf(v)
		case at == c.size:
			r.Length = integerOf(v)
		}
	}
	if r.Data != nil {
		return Reference{Data: r.Data}
	}
	if r.Target != "" && r.Offset == 0 && r.Length == 0 { // as fsspec takes it
		r.Length = -1
	}
	return r
}

func integerOf(v parquet.Value) int64 {
	if v.Kind() == parquet.Int32 {
		return int64(v.Int32())
	}
	return v.Int64()
}
