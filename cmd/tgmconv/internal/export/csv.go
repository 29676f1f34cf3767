package export

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/internal/safetext"
	"github.com/tgmconv/tgmconv/look"
)

// CSV writes a line for each element, with the labels of its field: name, time (of reference, or
// else of validity), step in hours, level, member, index, and latitude and longitude if they are
// asked for. A missing value is empty; others are the shortest decimal numbers that read back as
// the same. Points have the units, the time of validity and, if a place is asked for, its distance
// in kilometres after the value.
func CSV(ctx context.Context, w io.Writer, fields []*look.Field, s Selection) error {
	out := bufio.NewWriterSize(safetext.NewEscaper(w), 64<<10)
	out.WriteString("name,time,step,level,member,index")
	if s.located() {
		out.WriteString(",latitude,longitude")
	}
	out.WriteString(",value")
	if s.points() {
		out.WriteString(",units,valid_time")
	}
	if s.Place != nil {
		out.WriteString(",distance")
	}
	out.WriteString("\n")
	for _, f := range fields {
		if err := csvField(ctx, out, f, &s); err != nil {
			return err
		}
	}
	return out.Flush()
}

func csvField(ctx context.Context, out *bufio.Writer, f *look.Field, s *Selection) error {
	values, err := s.values(ctx, f)
	if err != nil {
		return err
	}
	prefix, position := fieldColumns(f), make([]uint64, len(f.Shape))
	suffix := ""
	if s.points() {
		suffix = "," + csvText(cell(f.Units), f.ValidTime())
	}
	var line []byte
	err = s.each(ctx, f, func(e element) error {
		line = append(line[:0], prefix...)
		line = appendPosition(line, e.index, f.Shape, position)
		if s.located() {
			line = append(strconv.AppendFloat(append(line, ','), e.lat, 'f', -1, 64), ',')
			line = strconv.AppendFloat(line, e.lon, 'f', -1, 64)
		}
		if line = append(line, ','); !values.Missing(e.read) {
			line = values.AppendText(line, e.read)
		}
		line = append(line, suffix...)
		if s.Place != nil {
			line = appendDistance(append(line, ','), s.Place, e)
		}
		_, err := out.Write(append(line, '\n'))
		return err
	})
	return errors.Join(err, values.Err())
}

// fieldColumns are the columns that all elements of a field have.
func fieldColumns(f *look.Field) string {
	columns := []string{cell(f.Name), "", "", "", ""}
	if f.Reference.Known {
		columns[1] = f.Reference.Value.Format(time.RFC3339)
	} else {
		columns[1] = f.ValidTime()
	}
	if f.Step.Known {
		columns[2] = strconv.FormatFloat(f.Step.Value.Hours(), 'g', -1, 64)
	}
	if f.Level.Known {
		columns[3] = strconv.FormatFloat(f.Level.Value, 'g', -1, 64)
	}
	if f.Member.Known {
		columns[4] = strconv.FormatInt(f.Member.Value, 10)
	}
	return csvText(columns...) + ","
}

// csvText is columns as they stand in a line.
func csvText(columns ...string) string {
	var text strings.Builder
	c := csv.NewWriter(&text)
	c.Write(columns) // a strings.Builder does not fail
	c.Flush()
	return strings.TrimSuffix(text.String(), "\n")
}

// appendDistance appends the distance of an element from a place, in kilometres to the metre.
func appendDistance(dst []byte, p *Place, e element) []byte {
	return strconv.AppendFloat(dst, math.Round(1000*look.Distance(p.Lat, p.Lon, e.lat, e.lon))/1000, 'f', -1, 64)
}

// appendPosition appends the position of element i: "10 20", one number for each axis. It uses
// position, which has an element for each axis.
func appendPosition(dst []byte, i int, shape, position []uint64) []byte {
	for axis, n := range nd.Place(position, uint64(i), shape) {
		if axis > 0 {
			dst = append(dst, ' ')
		}
		dst = strconv.AppendUint(dst, n, 10)
	}
	return dst
}

// cell is a text that spreadsheets take for a text. A text that begins like a formula gets an apostrophe
// before it.
func cell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}
