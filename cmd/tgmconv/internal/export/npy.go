package export

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/show"
	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/tgm"
)

// NPY writes fields of one shape, or the same part of each, as one array. If there are several
// fields the array has them along an additional first axis.
func NPY(ctx context.Context, w io.Writer, fields []*look.Field, slice []tgm.Slice) error {
	first, s := fields[0], Selection{Slices: slice}
	shape, runs, err := s.sliced(first.Shape)
	if err != nil {
		return fmt.Errorf("%s: %w", first.Where, err)
	}
	if len(fields) > 1 {
		shape = append([]uint64{uint64(len(fields))}, shape...)
	}
	var typ string
	out := bufio.NewWriterSize(w, 64<<10)
	for _, f := range fields {
		if !slices.Equal(f.Shape, first.Shape) {
			return fmt.Errorf("%s: shape %s, expected %s as of the first field (-w chooses fields)", f.Where, show.Shape(f.Shape), show.Shape(first.Shape))
		}
		e, err := f.Elements(ctx)
		if err != nil {
			return err
		}
		name := e.NumpyType()
		if typ == "" {
			typ = name
			if err := writeNPYHeader(out, typ, shape); err != nil {
				return err
			}
		}
		if name != typ {
			return fmt.Errorf("%s: numpy type %s, expected %s as of the first field (-w chooses fields)", f.Where, name, typ)
		}
		if err := writeRuns(out, e, runs); err != nil {
			return err
		}
	}
	return out.Flush()
}

// writeRuns writes the elements of runs.
func writeRuns(w io.Writer, e *look.Elements, runs tgm.Runs) error {
	for first, n := range runs {
		for data, err := range e.Bytes(first, n) {
			if err == nil {
				_, err = w.Write(data)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// writeNPYHeader writes the beginning of a .npy file, version 1.0, of an array in C order:
//
//	"\x93NUMPY" 1 0, uint16: length of the header, header: a Python dictionary, padded to 64 bytes
func writeNPYHeader(w io.Writer, typ string, shape []uint64) error {
	dims := make([]string, len(shape))
	for i, n := range shape {
		dims[i] = fmt.Sprint(n)
	}
	tuple := "(" + strings.Join(dims, ", ")
	if len(dims) == 1 {
		tuple += ","
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s), }", typ, tuple)
	const fixed = 10
	pad := 63 - (fixed+len(header))%64
	header += strings.Repeat(" ", pad) + "\n"
	b := append([]byte("\x93NUMPY\x01\x00"), 0, 0)
	binary.LittleEndian.PutUint16(b[8:], uint16(len(header)))
	_, err := w.Write(append(b, header...))
	return err
}
