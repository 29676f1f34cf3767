package references

import (
	"github.com/tgmconv/tgmconv/internal/columns"

	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
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

// ParseRecords reads the document .zmetadata of a folder; nil for a document without references.
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
		if g := gridOf(text); g != nil { // else the reader of the document reports the error
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

// Find returns the file with the reference of a chunk, and its number there. ok is false if no chunk
// has the key.
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

// number is the number, in C order, of the chunk at a position, such as 0.1.
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

// ReadRecords reads the references of one Parquet file, at most a number of them. References to absent
// chunks have neither a Target nor Data.
func ReadRecords(r io.ReaderAt, size, most int64) ([]Reference, error) {
	table, err := columns.Open(r, size, most)
	if err != nil {
		return nil, err
	}
	if total := table.Rows(); total < 0 || total > most {
		return nil, fmt.Errorf("%d references, expected at most %d", total, most)
	}
	var list []Reference
	targets := &parser{targets: make(map[string]string)}
	err = table.Read(referenceColumns, func(rows int, values map[string][]columns.Cell) error {
		if values["path"] == nil && values["raw"] == nil {
			return errors.New("it has no column path or raw")
		}
		for i := range rows {
			r := referenceIn(values, i, targets)
			if r.Target != "" {
				if err := r.check(strconv.Itoa(len(list))); err != nil {
					return err
				}
			}
			list = append(list, r)
		}
		return nil
	})
	return list, err
}

// referenceColumns are the columns, by their names, with the types that they may have.
var referenceColumns = map[string][]int64{
	"path": {columns.ByteArray}, "raw": {columns.ByteArray}, "offset": {columns.Int64, columns.Int32}, "size": {columns.Int64, columns.Int32},
}

// referenceIn makes the reference of a row.
func referenceIn(values map[string][]columns.Cell, i int, targets *parser) (r Reference) {
	at := func(name string) columns.Cell {
		if column := values[name]; column != nil {
			return column[i]
		}
		return columns.Cell{}
	}
	if raw := at("raw"); raw.Present {
		r.Data = append([]byte{}, raw.Text...)
		return r
	}
	path := at("path")
	if !path.Present || len(path.Text) == 0 {
		return r
	}
	r = Reference{Target: targets.once(string(path.Text)), Offset: at("offset").N, Length: at("size").N}
	if r.Offset == 0 && r.Length == 0 { // as fsspec takes it
		r.Length = -1
	}
	return r
}
