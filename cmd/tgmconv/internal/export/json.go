package export

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/tgmconv/tgmconv/internal/jsontext"
	"github.com/tgmconv/tgmconv/internal/safetext"
	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/storage"
)

// Document returns the name and the labels of a field, as data for JSON.
func Document(f *look.Field) map[string]any {
	object := map[string]any{
		"file": storage.Display(f.File), "message": int64(f.Message), "object": int64(f.Index), mapping.KeyName: f.Name, "shape": f.Shape,
	}
	for key, text := range map[string]string{mapping.KeyUnits: f.Units, "labels": f.Labels(), mapping.KeyLongName: f.LongName, mapping.KeyValidTime: f.ValidTime()} {
		if text != "" {
			object[key] = text
		}
	}
	return object
}

// JSON writes a list with an object for each field: its [Document] and lists of equal length,
// values and, if the Selection asks for them, index, latitude, longitude, and the distance to a place
// in kilometres. A missing value is
// null; infinities are the texts "Infinity" and "-Infinity".
func JSON(ctx context.Context, w io.Writer, fields []*look.Field, s Selection) error {
	out := bufio.NewWriterSize(safetext.NewEscaper(w), 64<<10)
	out.WriteString("[")
	for n, f := range fields {
		values, err := s.values(ctx, f)
		if err != nil {
			return err
		}
		if n > 0 {
			out.WriteString(",")
		}
		out.WriteString("\n")
		j := jsonField{ctx: ctx, out: out, field: f, values: values, selection: &s}
		if err := j.write(); err != nil {
			return err
		}
	}
	out.WriteString("\n]\n")
	return out.Flush()
}

// A jsonField writes the object of a field.
type jsonField struct {
	ctx       context.Context
	out       *bufio.Writer
	field     *look.Field
	values    *look.Elements
	selection *Selection
}

func (j *jsonField) write() error {
	head, err := jsontext.Append(nil, Document(j.field))
	if err != nil {
		return err
	}
	j.out.Write(head[:len(head)-1])
	if j.selection.partial() {
		err = j.list("index", func(dst []byte, e element) []byte { return strconv.AppendInt(dst, int64(e.index), 10) })
	}
	if err == nil && j.selection.located() {
		err = j.list("latitude", func(dst []byte, e element) []byte { return strconv.AppendFloat(dst, e.lat, 'f', -1, 64) })
		if err == nil {
			err = j.list("longitude", func(dst []byte, e element) []byte { return strconv.AppendFloat(dst, e.lon, 'f', -1, 64) })
		}
	}
	if err == nil && j.selection.Place != nil {
		err = j.list("distance", func(dst []byte, e element) []byte { return appendDistance(dst, j.selection.Place, e) })
	}
	if err == nil {
		err = errors.Join(j.list("values", j.appendValue), j.values.Err())
	}
	j.out.WriteString("}")
	return err
}

// list writes a key and a list with an item for each element.
func (j *jsonField) list(key string, item func(dst []byte, e element) []byte) error {
	fmt.Fprintf(j.out, ",%q:[", key)
	first := true
	var text []byte
	err := j.selection.each(j.ctx, j.field, func(e element) error {
		if text = text[:0]; !first {
			text = append(text, ',')
		}
		first = false
		text = item(text, e)
		_, err := j.out.Write(text)
		return err
	})
	j.out.WriteString("]")
	return err
}

func (j *jsonField) appendValue(dst []byte, e element) []byte {
	switch x := j.values.Float(e.read); {
	case j.values.Missing(e.read):
		return append(dst, "null"...)
	case math.IsInf(x, 1):
		return append(dst, `"Infinity"`...)
	case math.IsInf(x, -1):
		return append(dst, `"-Infinity"`...)
	}
	return j.values.AppendText(dst, e.read)
}
