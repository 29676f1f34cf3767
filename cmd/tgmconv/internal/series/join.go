package series

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/tgmconv/tgmconv/internal/columns"
)

// A Piece is a table of some of the records of a larger one.
type Piece struct {
	io.ReaderAt
	Size    int64
	HasHead bool // CSV: it begins with a line of the Columns
}

// Pieces calls do with each of some pieces, in the order of the records. It ends with the first error.
type Pieces func(do func(Piece) error) error

// JoinText writes the table of pieces of CSV or JSON lines. One call of [CSV] or [JSONLines] would write
// the same of all records.
func JoinText(w io.Writer, pieces Pieces) error {
	first := true
	return pieces(func(p Piece) error {
		r := io.Reader(io.NewSectionReader(p, 0, p.Size))
		if p.HasHead {
			head := []byte(strings.Join(Columns, ",") + "\n")
			found := make([]byte, len(head))
			n, err := io.ReadFull(r, found)
			if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
				return err
			}
			if !bytes.Equal(found[:n], head) {
				return fmt.Errorf("it begins with %q, expected the names of the columns", found[:n])
			}
			if first {
				r = io.MultiReader(bytes.NewReader(head), r)
			}
		}
		first = false
		_, err := io.Copy(w, r)
		return err
	})
}

// JoinParquet writes the Parquet file of pieces, as one call of [Parquet] would write all records.
func JoinParquet(w io.Writer, pieces Pieces) error {
	out := newParquetWriter(w)
	err := pieces(func(p Piece) error {
		table, err := columns.Open(p, p.Size, maxPieceRows)
		if err != nil {
			return err
		}
		return table.Read(columnTypes, func(rows int, values map[string][]columns.Cell) error {
			for _, name := range Columns {
				if values[name] == nil && rows > 0 {
					return fmt.Errorf("it has no column %s", name)
				}
			}
			for i := range rows {
				if err := out.add(rowOf(values, i)); err != nil {
					return err
				}
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	return out.close()
}

// maxPieceRows is how many rows a piece may have.
const maxPieceRows = 1 << 30

// columnTypes are the types of the columns in Parquet files.
var columnTypes = map[string][]int64{
	columnPoint: {columns.ByteArray}, columnLatitude: {columns.Double}, columnLongitude: {columns.Double}, columnDistance: {columns.Double},
	columnTime: {columns.Int64}, columnStep: {columns.Double}, columnValidTime: {columns.Int64}, columnNumber: {columns.Int64},
	columnLevel: {columns.Double}, columnName: {columns.ByteArray}, columnValue: {columns.Double}, columnUnits: {columns.ByteArray},
}

// rowOf is row i of columns.
func rowOf(values map[string][]columns.Cell, i int) parquetRow {
	text := func(name string) string { return string(values[name][i].Text) }
	number := func(name string) *float64 {
		if c := &values[name][i]; c.Present {
			v := c.Float()
			return &v
		}
		return nil
	}
	moment := func(name string) *time.Time {
		if c := &values[name][i]; c.Present {
			t := time.UnixMilli(c.N).UTC()
			return &t
		}
		return nil
	}
	row := parquetRow{
		Point: text(columnPoint), Latitude: number(columnLatitude), Longitude: number(columnLongitude), Distance: number(columnDistance),
		Time: moment(columnTime), Step: number(columnStep), ValidTime: moment(columnValidTime), Level: number(columnLevel),
		Name: text(columnName), Value: number(columnValue), Units: text(columnUnits),
	}
	if c := values[columnNumber][i]; c.Present {
		row.Number = &c.N
	}
	return row
}
