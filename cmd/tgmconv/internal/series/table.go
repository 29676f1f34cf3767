package series

import (
	"bufio"
	"encoding/csv"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/tgmconv/tgmconv/extract"
	"github.com/tgmconv/tgmconv/internal/jsontext"
	"github.com/tgmconv/tgmconv/internal/safetext"
	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/mapping"
)

const (
	columnPoint     = "point"
	columnLatitude  = mapping.AxisLatitude
	columnLongitude = mapping.AxisLongitude
	columnDistance  = "distance"
	columnTime      = "time"
	columnStep      = mapping.KeyStep
	columnValidTime = mapping.KeyValidTime
	columnNumber    = mapping.KeyNumber
	columnLevel     = mapping.KeyLevel
	columnName      = mapping.KeyName
	columnValue     = "value"
	columnUnits     = mapping.KeyUnits
	reasonMember    = "reason"
)

// CSV writes a line for each record, after one with the [Columns]. Unknown and missing values are
// empty.
func CSV(w io.Writer, records Records) error {
	out := bufio.NewWriterSize(safetext.NewEscaper(w), 64<<10)
	out.WriteString(strings.Join(Columns, ",") + "\n")
	var line []byte
	var last labels
	for r, err := range records {
		if err != nil {
			return err
		}
		last.of(&r)
		line = append(line[:0], last.point(r.Point)...)
		for _, v := range []float64{r.Latitude, r.Longitude} {
			line = appendFloat(append(line, ','), v)
		}
		line = appendDistance(append(line, ','), r.Distance)
		line = append(line, last.before...)
		line = r.AppendValue(line)
		line = append(append(line, last.after...), '\n')
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	return out.Flush()
}

// appendDistance appends kilometres to the metre.
func appendDistance(dst []byte, v float64) []byte { return appendFloat(dst, math.Round(v*1e3)/1e3) }

func appendFloat(dst []byte, v float64) []byte {
	if math.IsNaN(v) {
		return dst
	}
	return strconv.AppendFloat(dst, v, 'f', -1, 64)
}

// labels are the columns that the records of a field have in common.
type labels struct {
	field         *look.Field
	variable      string // its name, which statistics of one field do not share
	before, after string // the value
	name, cell    string // of the last point
}

func (l *labels) of(r *extract.Record) {
	if l.field == r.Field && l.variable == r.Name {
		return
	}
	l.field, l.variable = r.Field, r.Name
	var step, number, level string
	if r.Step.Known {
		step = strconv.FormatFloat(r.Step.Value.Hours(), 'g', -1, 64)
	}
	if r.Number.Known {
		number = strconv.FormatInt(r.Number.Value, 10)
	}
	if r.Level.Known {
		level = strconv.FormatFloat(r.Level.Value, 'g', -1, 64)
	}
	l.before = "," + strings.Join([]string{timeText(r), step, r.ValidTime, number, level, cell(r.Name)}, ",") + ","
	l.after = "," + cell(r.Units)
}

// point is the cell of the name of a point.
func (l *labels) point(name string) string {
	if name != l.name || l.cell == "" {
		l.name, l.cell = name, cell(name)
	}
	return l.cell
}

func timeText(r *extract.Record) string {
	if !r.Time.Known {
		return ""
	}
	return r.Time.Value.Format(time.RFC3339)
}

// cell is a text as a cell of CSV. Spreadsheets take a text that begins like a formula for a formula:
// it gets an apostrophe before it.
func cell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		if _, err := strconv.ParseFloat(text, 64); err != nil {
			text = "'" + text
		}
	}
	if !strings.ContainsAny(text, "\",\n\r ") {
		return text
	}
	var out strings.Builder
	c := csv.NewWriter(&out)
	c.Write([]string{text}) // a strings.Builder does not fail
	c.Flush()
	return strings.TrimSuffix(out.String(), "\n")
}

// JSONLines writes an object for each record, with the [Columns] as members, one a line. Unknown and
// missing values are null; reason, if it is there, says why a value is missing. Infinities are the
// texts "Infinity" and "-Infinity".
func JSONLines(w io.Writer, records Records) error {
	out := bufio.NewWriterSize(safetext.NewEscaper(w), 64<<10)
	var line []byte
	for r, err := range records {
		if err != nil {
			return err
		}
		line, err = appendJSON(line[:0], &r)
		if err != nil {
			return err
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}

func appendJSON(dst []byte, r *extract.Record) ([]byte, error) {
	object := jsonObject{dst: append(dst, '{')}
	object.text(columnPoint, r.Point)
	object.number(columnLatitude, appendFloat(nil, r.Latitude))
	object.number(columnLongitude, appendFloat(nil, r.Longitude))
	object.number(columnDistance, appendDistance(nil, r.Distance))
	object.text(columnTime, timeText(r))
	var step, number, level []byte
	if r.Step.Known {
		step = strconv.AppendFloat(nil, r.Step.Value.Hours(), 'f', -1, 64)
	}
	if r.Number.Known {
		number = strconv.AppendInt(nil, r.Number.Value, 10)
	}
	if r.Level.Known {
		level = appendFloat(nil, r.Level.Value)
	}
	object.number(columnStep, step)
	object.text(columnValidTime, r.ValidTime)
	object.number(columnNumber, number)
	object.number(columnLevel, level)
	object.text(columnName, r.Name)
	switch {
	case math.IsInf(r.Value, 1):
		object.text(columnValue, "Infinity")
	case math.IsInf(r.Value, -1):
		object.text(columnValue, "-Infinity")
	default:
		object.number(columnValue, r.AppendValue(nil))
	}
	object.text(columnUnits, r.Units)
	if r.Reason != "" {
		object.text(reasonMember, r.Reason)
	}
	return append(object.dst, '}'), object.err
}

// A jsonObject is an object that is being written.
type jsonObject struct {
	dst []byte
	err error
}

func (o *jsonObject) member(name string) {
	if o.dst[len(o.dst)-1] != '{' {
		o.dst = append(o.dst, ',')
	}
	o.dst = append(append(append(o.dst, '"'), name...), '"', ':')
}

// text adds a text, null for an empty one.
func (o *jsonObject) text(name, text string) {
	if o.member(name); text == "" {
		o.dst = append(o.dst, "null"...)
		return
	}
	var err error
	if o.dst, err = jsontext.Append(o.dst, text); err != nil && o.err == nil {
		o.err = err
	}
}

// number adds a number, null for an empty one.
func (o *jsonObject) number(name string, digits []byte) {
	if o.member(name); len(digits) == 0 {
		digits = []byte("null")
	}
	o.dst = append(o.dst, digits...)
}
