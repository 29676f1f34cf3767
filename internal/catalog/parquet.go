package catalog

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/zeebo/xxh3"

	"github.com/tgmconv/tgmconv/internal/columns"
	"github.com/tgmconv/tgmconv/mapping"
)

// A parquetRow is an entry as a Parquet file has it, for us and for other programs: its place and its labels, null
// where they are not known. Data that entries share are in the metadata of the file.
type parquetRow struct {
	File      string     `parquet:"file,dict,zstd"`
	Message   int32      `parquet:"message,zstd"`
	Object    int32      `parquet:"object,dict,zstd"`
	Offset    int64      `parquet:"offset,zstd"`
	Length    int64      `parquet:"length,zstd"`
	Size      int64      `parquet:"size,zstd"`
	Name      string     `parquet:"name,dict,zstd"`
	Units     *string    `parquet:"units,optional,dict,zstd"`
	Reference *time.Time `parquet:"reference_time,optional,dict,timestamp(millisecond),zstd"`
	Valid     *time.Time `parquet:"valid_time,optional,dict,timestamp(millisecond),zstd"`
	Step      *int64     `parquet:"step_seconds,optional,dict,zstd"`
	Start     *int64     `parquet:"start_seconds,optional,dict,zstd"`
	LevelType *string    `parquet:"level_type,optional,dict,zstd"`
	Level     *float64   `parquet:"level,optional,dict,zstd"`
	Top       *float64   `parquet:"top,optional,dict,zstd"`
	Bottom    *float64   `parquet:"bottom,optional,dict,zstd"`
	Number    *int64     `parquet:"number,optional,dict,zstd"`
	Record    *int64     `parquet:"record,optional,dict,zstd"`
	Shape     string     `parquet:"shape,dict,zstd"`
	DType     string     `parquet:"dtype,dict,zstd"`
	Kind      int32      `parquet:"kind,dict,zstd"`
	Format    int32      `parquet:"format,dict,zstd"`
	Values    []byte     `parquet:"value_index,optional,plain,zstd"`
}

// Keys of the metadata of the Parquet file: the body of an index without rows in base64, and the hash of the rows.
const (
	parquetBody = "tgmconv.catalogue"
	parquetHash = "tgmconv.hash"
)

// parquetGroup is how many rows a group of a Parquet file has, maxParquetRows how many a file may have.
const (
	parquetGroup   = 1 << 15
	maxParquetRows = 1 << 26
)

// WriteParquet writes the catalogue as a Parquet file with a row for each entry.
func (c *Catalog) WriteParquet(w io.Writer) error {
	common := *c
	common.rows = rowList{}
	body, err := common.AppendIndex(nil)
	if err != nil {
		return err
	}
	out := parquet.NewGenericWriter[parquetRow](w, parquet.MaxRowsPerRowGroup(parquetGroup), parquet.CreatedBy("tgmconv", "1", ""),
		parquet.KeyValueMetadata(parquetBody, base64.StdEncoding.EncodeToString(body)))
	hash := xxh3.New()
	rows := make([]parquetRow, 0, 1<<12)
	for i, r := range c.rows.all() {
		rows = append(rows, c.parquetRow(&r))
		addHash(hash, &r)
		if len(rows) == cap(rows) || i == c.rows.len()-1 {
			if _, err := out.Write(rows); err != nil {
				return err
			}
			rows = rows[:0]
		}
	}
	out.SetKeyValueMetadata(parquetHash, strconv.FormatUint(hash.Sum64(), 16))
	return out.Close()
}

// addHash adds a row to the hash of rows.
func addHash(hash *xxh3.Hasher, r *row) {
	var b [8 * numColumns]byte
	for i, w := range r.words() {
		binary.LittleEndian.PutUint64(b[8*i:], w)
	}
	hash.Write(b[:])
	hash.Write(r.values)
}

func (c *Catalog) parquetRow(r *row) parquetRow {
	k := &c.kinds[r.kind]
	out := parquetRow{
		File: c.files[r.file].Name, Message: int32(r.message), Object: int32(r.object), Offset: r.offset, Length: r.length, Size: r.size,
		Name: k.name, Shape: shapeText(k.shape), DType: k.dtype.String(), Kind: int32(r.kind), Format: int32(r.format), Values: r.values,
	}
	if k.levelType != "" {
		out.LevelType = &k.levelType
	}
	if units, ok := k.base.Lookup(mapping.KeyUnits); ok {
		if text, ok := units.(string); ok {
			out.Units = &text
		}
	}
	moment := func(bit known, seconds int64) *time.Time {
		if r.known&bit == 0 {
			return nil
		}
		t := time.Unix(seconds, 0).UTC()
		return &t
	}
	out.Reference, out.Valid = moment(hasReference, r.reference), moment(hasValid, r.valid)
	out.Step, out.Start = labelOf(r, hasStep, r.step), labelOf(r, hasStart, r.start)
	out.Level, out.Top, out.Bottom = labelOf(r, hasLevel, r.level), labelOf(r, hasTop, r.top), labelOf(r, hasBottom, r.bottom)
	out.Number, out.Record = labelOf(r, hasNumber, r.number), labelOf(r, hasRecord, r.record)
	return out
}

// labelOf is a label, nil if it is not known.
func labelOf[T any](r *row, bit known, v T) *T {
	if r.known&bit == 0 {
		return nil
	}
	return &v
}

func shapeText(shape []uint64) string {
	var text []string
	for _, n := range shape {
		text = append(text, strconv.FormatUint(n, 10))
	}
	return strings.Join(text, "x")
}

// ParquetFiles returns the files of the catalogue that WriteParquet wrote. Errors are as in [ReadParquet].
func ParquetFiles(r io.ReaderAt, size int64) ([]FileState, error) {
	_, c, err := openParquet(r, size)
	if err != nil {
		return nil, err
	}
	return c.Files(), nil
}

// openParquet reads a catalogue without its rows.
func openParquet(r io.ReaderAt, size int64) (*columns.Table, *Catalog, error) {
	table, err := columns.Open(r, size, maxParquetRows)
	if err != nil {
		return nil, nil, &IndexError{"it is no Parquet file", err}
	}
	text, ok := table.Metadata(parquetBody)
	if !ok {
		return nil, nil, &IndexError{Reason: "it is a Parquet file of another program: tgmconv index -o writes the catalogue of files"}
	}
	body, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, nil, &IndexError{"its metadata do not decode", err}
	}
	c, err := ParseIndex(body)
	return table, c, err
}

// ReadParquet reads the catalogue that WriteParquet wrote. The error is an *IndexError if the file
// is another file, or damaged.
func ReadParquet(r io.ReaderAt, size int64) (*Catalog, error) {
	table, c, err := openParquet(r, size)
	if err != nil {
		return nil, err
	}
	types := map[string][]int64{"file": {columns.ByteArray}}
	for _, column := range rowColumns {
		types[column.name] = []int64{column.kind}
	}
	hash := xxh3.New()
	var rows []row
	err = table.Read(types, func(n int, values map[string][]columns.Cell) error {
		rows = append(rows[:0], make([]row, n)...)
		if err := c.setRows(rows, values); err != nil {
			return err
		}
		for i := range rows {
			addHash(hash, &rows[i])
			c.rows.add(rows[i])
		}
		return nil
	})
	if err != nil {
		return nil, &IndexError{"it does not decode", err}
	}
	if want, _ := table.Metadata(parquetHash); want != strconv.FormatUint(hash.Sum64(), 16) {
		return nil, &IndexError{Reason: "the hash of its rows does not match"}
	}
	return c, nil
}

// noTime is a time that is not known, in a row.
var noTime = time.Time{}.Unix()

// A rowColumn is how a column of a Parquet file is read.
type rowColumn struct {
	name string
	kind int64
	bit  known // of a label
	set  func(r *row, v *columns.Cell)
}

var rowColumns = []rowColumn{
	{"message", columns.Int32, 0, func(r *row, v *columns.Cell) { r.message = uint32(v.N) }},
	{"object", columns.Int32, 0, func(r *row, v *columns.Cell) { r.object = uint32(v.N) }},
	{"offset", columns.Int64, 0, func(r *row, v *columns.Cell) { r.offset = v.N }},
	{"length", columns.Int64, 0, func(r *row, v *columns.Cell) { r.length = v.N }},
	{"size", columns.Int64, 0, func(r *row, v *columns.Cell) { r.size = v.N }},
	{mapping.KeyReferenceTime, columns.Int64, hasReference, func(r *row, v *columns.Cell) { r.reference = v.N / 1000 }},
	{mapping.KeyValidTime, columns.Int64, hasValid, func(r *row, v *columns.Cell) { r.valid = v.N / 1000 }},
	{"step_seconds", columns.Int64, hasStep, func(r *row, v *columns.Cell) { r.step = v.N }},
	{"start_seconds", columns.Int64, hasStart, func(r *row, v *columns.Cell) { r.start = v.N }},
	{mapping.KeyLevel, columns.Double, hasLevel, func(r *row, v *columns.Cell) { r.level = v.Float() }},
	{mapping.KeyTop, columns.Double, hasTop, func(r *row, v *columns.Cell) { r.top = v.Float() }},
	{mapping.KeyBottom, columns.Double, hasBottom, func(r *row, v *columns.Cell) { r.bottom = v.Float() }},
	{mapping.KeyNumber, columns.Int64, hasNumber, func(r *row, v *columns.Cell) { r.number = v.N }},
	{"record", columns.Int64, hasRecord, func(r *row, v *columns.Cell) { r.record = v.N }},
	{"kind", columns.Int32, 0, func(r *row, v *columns.Cell) { r.kind = uint32(v.N) }},
	{"format", columns.Int32, 0, func(r *row, v *columns.Cell) { r.format = format(v.N) }},
	{columnValues, columns.ByteArray, 0, func(r *row, v *columns.Cell) {
		if len(v.Text) > 0 {
			r.values = v.Text // see keepTexts
		}
	}},
}

// columnValues is the column of how values are stored.
const columnValues = "value_index"

// keepTexts copies the texts of cells to memory of their own, as their buffer is used again. Equal texts that
// follow one another are one.
func keepTexts(cells []columns.Cell) {
	same := func(i int) bool { return i > 0 && bytes.Equal(cells[i].Text, cells[i-1].Text) }
	size := 0
	for i := range cells {
		if !same(i) {
			size += len(cells[i].Text)
		}
	}
	texts := make([]byte, 0, size)
	for i := range cells {
		if same(i) {
			cells[i].Text = cells[i-1].Text
			continue
		}
		begin := len(texts)
		texts = append(texts, cells[i].Text...)
		cells[i].Text = texts[begin:len(texts):len(texts)]
	}
}

// setRows sets the rows of a group, which are empty.
func (c *Catalog) setRows(rows []row, values map[string][]columns.Cell) error {
	n := len(rows)
	for i := range rows {
		rows[i].reference, rows[i].valid = noTime, noTime
	}
	keepTexts(values[columnValues])
	for _, column := range rowColumns {
		cells := values[column.name]
		if cells == nil && n > 0 {
			return fmt.Errorf("it has no column %s", column.name)
		}
		for i := range cells {
			if cells[i].Present {
				column.set(&rows[i], &cells[i])
				rows[i].known |= column.bit
			}
		}
	}
	var number uint32
	var name []byte // of the file with the number
	ok := false
	for i, file := range values["file"] {
		if !ok || !bytes.Equal(file.Text, name) {
			name = file.Text
			number, ok = c.fileNumbers[string(name)]
		}
		if r := &rows[i]; !ok || int64(r.kind) >= int64(len(c.kinds)) || r.format > formatNetCDF {
			return fmt.Errorf("row %d is of a kind or a file that is not there", c.rows.len()+i)
		}
		rows[i].file = number
	}
	if values["file"] == nil && n > 0 {
		return errors.New("it has no column file")
	}
	return nil
}
