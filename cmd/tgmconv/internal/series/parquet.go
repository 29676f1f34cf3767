package series

import (
	"fmt"
	"io"
	"math"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/tgmconv/tgmconv/extract"
)

// A parquetRow is a record as a Parquet file has it. The columns are the [Columns]; step is in hours,
// and unknown values are null.
type parquetRow struct {
	Point     string     `parquet:"point,dict,zstd"`
	Latitude  *float64   `parquet:"latitude,optional,dict,zstd"`
	Longitude *float64   `parquet:"longitude,optional,dict,zstd"`
	Distance  *float64   `parquet:"distance,optional,dict,zstd"`
	Time      *time.Time `parquet:"time,optional,timestamp(millisecond),zstd"`
	Step      *float64   `parquet:"step,optional,dict,zstd"`
	ValidTime *time.Time `parquet:"valid_time,optional,timestamp(millisecond),zstd"`
	Number    *int64     `parquet:"number,optional,dict,zstd"`
	Level     *float64   `parquet:"level,optional,dict,zstd"`
	Name      string     `parquet:"name,dict,zstd"`
	Value     *float64   `parquet:"value,optional,zstd"`
	Units     string     `parquet:"units,dict,zstd"`
}

// parquetRows is how many rows are written at a time.
const parquetRows = 1 << 12

// groupRows is how many rows a group of a Parquet file has: they are in memory until it is complete.
const groupRows = 1 << 18

// Parquet writes a Parquet file with a row for each record.
func Parquet(w io.Writer, records Records) error {
	out := newParquetWriter(w)
	for r, err := range records {
		if err != nil {
			return err
		}
		row, err := parquetOf(&r)
		if err == nil {
			err = out.add(row)
		}
		if err != nil {
			return err
		}
	}
	return out.close()
}

func parquetOf(r *extract.Record) (parquetRow, error) {
	row := parquetRow{
		Point: r.Point, Latitude: known(r.Latitude), Longitude: known(r.Longitude), Distance: known(r.Distance), Name: r.Name,
		Value: known(r.Value), Units: r.Units,
	}
	if r.Time.Known {
		row.Time = &r.Time.Value
	}
	if r.Step.Known {
		row.Step = known(r.Step.Value.Hours())
	}
	if r.Number.Known {
		row.Number = &r.Number.Value
	}
	if r.Level.Known {
		row.Level = &r.Level.Value
	}
	valid, ok, err := validTime(r)
	if ok {
		row.ValidTime = &valid
	}
	return row, err
}

// known is the column of a number, nil for NaN.
func known(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

// validTime is the time for which a record is valid. Times of other calendars may have no timestamp.
func validTime(r *extract.Record) (t time.Time, ok bool, err error) {
	if r.ValidTime == "" {
		return t, false, nil
	}
	if t, err = time.Parse(time.RFC3339, r.ValidTime); err != nil {
		return t, false, fmt.Errorf("%s is valid at %s, which is no time of the calendar that timestamps have (csv and json have it as text)", r.Name, r.ValidTime)
	}
	return t, true, nil
}

// A parquetWriter writes rows, some at a time.
type parquetWriter struct {
	out  *parquet.GenericWriter[parquetRow]
	rows []parquetRow
}

func newParquetWriter(w io.Writer) *parquetWriter {
	return &parquetWriter{parquet.NewGenericWriter[parquetRow](w, parquet.MaxRowsPerRowGroup(groupRows)), make([]parquetRow, 0, parquetRows)}
}

func (p *parquetWriter) add(row parquetRow) error {
	if p.rows = append(p.rows, row); len(p.rows) == cap(p.rows) {
		return p.flush()
	}
	return nil
}

func (p *parquetWriter) flush() error {
	_, err := p.out.Write(p.rows)
	p.rows = p.rows[:0]
	return err
}

func (p *parquetWriter) close() error {
	if err := p.flush(); err != nil {
		return err
	}
	return p.out.Close()
}
