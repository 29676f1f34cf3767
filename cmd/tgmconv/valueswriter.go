package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/show"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/zarr"
)

// openOutput begins an output: a file or an object that appears when it is complete, or standard
// output.
func openOutput(cmd *cobra.Command, name string) (storage.Writer, error) {
	if name != "" && name != storage.Stdin {
		return clientOf(cmd).Create(cmd.Context(), name)
	}
	return standardOutput{cmd.OutOrStdout()}, nil
}

// A valueWriter writes values.
type valueWriter struct {
	ctx       context.Context
	out       io.Writer
	flags     *valuesFlags
	positions [][]uint64
	slices    []tgm.Slice
	fields    []*look.Field
}

func (w *valueWriter) write() error {
	switch w.flags.format {
	case "npy":
		return w.npy()
	case "json":
		return w.json()
	}
	return w.csv()
}

// A chosenValue is an element that is written.
type chosenValue struct {
	index    int
	lat, lon float64
}

// chosen yields the elements of a field that are written.
func (w *valueWriter) chosen(f *look.Field, e *look.Elements, yield func(chosenValue) error) error {
	var grid *look.Grid
	if w.flags.place || w.flags.coordinates {
		var err error
		if grid, err = f.Grid(w.ctx); err != nil {
			return err
		}
	}
	one := func(i int) error {
		v := chosenValue{index: i}
		if grid != nil {
			v.lat, v.lon = grid.At(i)
		}
		return yield(v)
	}
	switch {
	case w.flags.place:
		i := grid.Nearest(w.flags.lat, w.flags.lon)
		if i < 0 {
			return fmt.Errorf("%s: the grid has no points", f.Where)
		}
		return one(i)
	case len(w.positions) > 0:
		for _, p := range w.positions {
			i, err := offsetOf(p, f.Shape)
			if err != nil {
				return err
			}
			if err := one(i); err != nil {
				return err
			}
		}
		return nil
	}
	_, elements, err := applySlices(w.slices, f.Shape)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Where, err)
	}
	for i := range elements {
		if err := one(i); err != nil {
			return err
		}
	}
	return nil
}

// csv writes a line for each value, with what tells its field apart.
func (w *valueWriter) csv() error {
	out := bufio.NewWriterSize(w.out, 64<<10)
	withPlace := w.flags.place || w.flags.coordinates
	out.WriteString("name,time,step,level,member,index")
	if withPlace {
		out.WriteString(",latitude,longitude")
	}
	out.WriteString(",value\n")
	for _, f := range w.fields {
		e, err := f.Elements(w.ctx)
		if err != nil {
			return err
		}
		prefix := fieldColumns(f)
		var line []byte
		err = w.chosen(f, e, func(v chosenValue) error {
			line = append(line[:0], prefix...)
			line = appendIndex(line, v.index, f.Shape)
			if withPlace {
				line = append(strconv.AppendFloat(append(line, ','), v.lat, 'f', -1, 64), ',')
				line = strconv.AppendFloat(line, v.lon, 'f', -1, 64)
			}
			if line = append(line, ','); !e.Missing(v.index) {
				line = e.AppendText(line, v.index)
			}
			_, err := out.Write(append(line, '\n'))
			return written(err)
		})
		if err != nil {
			return err
		}
	}
	return written(out.Flush())
}

// fieldColumns are the columns that all values of a field have.
func fieldColumns(f *look.Field) string {
	columns := []string{f.Name, "", "", "", ""}
	if f.Reference.Known {
		columns[1] = f.Reference.Value.Format(time.RFC3339)
	} else if f.Valid.Known {
		columns[1] = f.Valid.Value.Format(time.RFC3339)
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
	var text strings.Builder
	c := csv.NewWriter(&text)
	c.Write(columns) // a strings.Builder does not fail
	c.Flush()
	return strings.TrimSuffix(text.String(), "\n") + ","
}

// appendIndex appends the position of element i: "10 20", one number for each axis.
func appendIndex(dst []byte, i int, shape []uint64) []byte {
	position := make([]uint64, len(shape))
	rest := uint64(i)
	for axis := len(shape) - 1; axis >= 0; axis-- {
		position[axis] = rest % shape[axis]
		rest /= shape[axis]
	}
	for axis, n := range position {
		if axis > 0 {
			dst = append(dst, ' ')
		}
		dst = strconv.AppendUint(dst, n, 10)
	}
	return dst
}

// json writes an object for each field.
func (w *valueWriter) json() error {
	out := bufio.NewWriterSize(w.out, 64<<10)
	out.WriteString("[")
	for n, f := range w.fields {
		e, err := f.Elements(w.ctx)
		if err != nil {
			return err
		}
		if n > 0 {
			out.WriteString(",")
		}
		out.WriteString("\n")
		if err := w.jsonField(out, f, e); err != nil {
			return err
		}
	}
	out.WriteString("\n]\n")
	return written(out.Flush())
}

// jsonField writes what is known of a field, then lists of equal length: index, latitude, longitude
// and values.
func (w *valueWriter) jsonField(out *bufio.Writer, f *look.Field, e *look.Elements) error {
	head, err := zarr.AppendJSON(nil, fieldJSON(f))
	if err != nil {
		return err
	}
	out.Write(head[:len(head)-1])
	list := func(name string, item func(dst []byte, v chosenValue) []byte) error {
		fmt.Fprintf(out, ",%q:[", name)
		first := true
		var text []byte
		err := w.chosen(f, e, func(v chosenValue) error {
			if text = text[:0]; !first {
				text = append(text, ',')
			}
			first = false
			_, err := out.Write(item(text, v))
			return written(err)
		})
		out.WriteString("]")
		return err
	}
	if w.flags.place || len(w.positions)+len(w.slices) > 0 {
		if err := list("index", func(dst []byte, v chosenValue) []byte { return strconv.AppendInt(dst, int64(v.index), 10) }); err != nil {
			return err
		}
	}
	if w.flags.place || w.flags.coordinates {
		for _, axis := range []string{"latitude", "longitude"} {
			err := list(axis, func(dst []byte, v chosenValue) []byte {
				if axis == "latitude" {
					return strconv.AppendFloat(dst, v.lat, 'f', -1, 64)
				}
				return strconv.AppendFloat(dst, v.lon, 'f', -1, 64)
			})
			if err != nil {
				return err
			}
		}
	}
	err = list("values", func(dst []byte, v chosenValue) []byte {
		switch x := e.Float(v.index); {
		case e.Missing(v.index):
			return append(dst, "null"...)
		case math.IsInf(x, 0):
			return append(append(append(dst, '"'), zarrInfinity(x)...), '"')
		}
		return e.AppendText(dst, v.index)
	})
	out.WriteString("}")
	return err
}

// zarrInfinity is an infinity as the JSON of Zarr has it.
func zarrInfinity(x float64) string {
	if x < 0 {
		return "-Infinity"
	}
	return "Infinity"
}

// npy writes whole fields, or the same part of each, as one array.
func (w *valueWriter) npy() error {
	first := w.fields[0]
	shape, elements, err := applySlices(w.slices, first.Shape)
	if err != nil {
		return fmt.Errorf("%s: %w", first.Where, err)
	}
	typ := ""
	if len(w.fields) > 1 {
		shape = append([]uint64{uint64(len(w.fields))}, shape...)
	}
	for _, f := range w.fields {
		if !slices.Equal(f.Shape, first.Shape) {
			return fmt.Errorf("%s: shape %s, expected %s as of the first field (-w chooses fields)", f.Where, show.Shape(f.Shape), show.Shape(first.Shape))
		}
		e, err := f.Elements(w.ctx)
		if err != nil {
			return err
		}
		data, name := e.Bytes()
		if typ == "" {
			typ = name
			if err := look.WriteNPYHeader(w.out, typ, shape); err != nil {
				return written(err)
			}
		}
		if name != typ {
			return fmt.Errorf("%s: numpy type %s, expected %s as of the first field (-w chooses fields)", f.Where, name, typ)
		}
		if len(w.slices) > 0 && e.Len() > 0 {
			data = gather(data, len(data)/e.Len(), elements)
		}
		if _, err := w.out.Write(data); err != nil {
			return written(err)
		}
	}
	return nil
}

// gather returns the elements of a size that have the given numbers.
func gather(data []byte, size int, elements iter.Seq[int]) []byte {
	var out []byte
	for i := range elements {
		out = append(out, data[i*size:][:size]...)
	}
	return out
}
