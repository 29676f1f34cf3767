package site_test

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"testing"

	"github.com/tgmconv/tgmconv/internal/nctest"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
	"github.com/tgmconv/tgmconv/tgm"
)

// A kind of files writes the field 2t of a step, all of whose values are value.
type kind struct {
	suffix string
	write  func(t *testing.T, path string, step, value int)
}

var (
	gribFiles     = kind{".grib2", writeGRIB}
	netCDFFiles   = kind{".nc", func(t *testing.T, path string, step, value int) { writeNetCDF(t, path, step, value, nil) }}
	deflatedFiles = kind{".nc", func(t *testing.T, path string, step, value int) {
		writeNetCDF(t, path, step, value, []netcdf.Filter{ncwrite.Shuffle(), ncwrite.Deflate(1)})
	}}
	tensogramFiles = kind{".tgm", func(t *testing.T, path string, step, value int) { writeTensogram(t, path, value) }}
	// Those of integers have a variable n beside 2t, in which no value is missing.
	integerFiles = kind{".nc", func(t *testing.T, path string, step, value int) { writeNetCDF(t, path, step, value, nil, "n") }}
)

func writeGRIB(t *testing.T, path string, step, value int) {
	t.Helper()
	b, err := os.ReadFile("../../../../fixtures/grib/sanity.grib2")
	if err != nil {
		t.Fatal(err)
	}
	for at := 16; at < len(b)-4; at += int(binary.BigEndian.Uint32(b[at:])) {
		switch b[at+4] {
		case 4:
			binary.BigEndian.PutUint32(b[at+18:], uint32(step)) // forecastTime of template 4.0
		case 5:
			binary.BigEndian.PutUint32(b[at+11:], math.Float32bits(float32(value))) // the reference value of template 5.0
		}
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// writeNetCDF writes 2t(step, x) with filters, and integers of the same values under other names.
func writeNetCDF(t *testing.T, path string, step, value int, filters []netcdf.Filter, integers ...string) {
	t.Helper()
	text := func(name, value string) netcdf.Attr {
		return netcdf.Attr{Name: name, Type: ncwrite.Atomic(netcdf.Char), Value: value}
	}
	label := &ncwrite.Var{Name: "step", Type: ncwrite.Atomic(netcdf.Int64), Dims: []string{"step"}, Attrs: []netcdf.Attr{text("units", "seconds since 1970-01-01")}}
	field := &ncwrite.Var{Name: "2t", Type: ncwrite.Atomic(netcdf.Double), Dims: []string{"step", "x"}}
	for _, v := range []*ncwrite.Var{label, field} {
		if filters != nil {
			v.Filters, v.ChunkShape = filters, []uint64{1, 3}[:len(v.Dims)]
		}
	}
	root := &ncwrite.Group{Dims: []*netcdf.Dim{{Name: "step", Len: 1}, {Name: "x", Len: 3}}, Vars: []*ncwrite.Var{label, field}}
	for _, name := range integers {
		root.Vars = append(root.Vars, &ncwrite.Var{Name: name, Type: ncwrite.Atomic(netcdf.Int), Dims: field.Dims})
	}
	nctest.Write(t, path, netcdf.NetCDF4, root, func(w *ncwrite.Writer) error {
		var floats, ints []byte
		for range 3 {
			floats = binary.LittleEndian.AppendUint64(floats, math.Float64bits(float64(value)))
			ints = binary.LittleEndian.AppendUint32(ints, uint32(value))
		}
		err := w.Write(t.Context(), label, nil, nil, binary.LittleEndian.AppendUint64(nil, uint64(3600*step)))
		err = errors.Join(err, w.Write(t.Context(), field, nil, nil, floats))
		for _, v := range root.Vars[2:] {
			err = errors.Join(err, w.Write(t.Context(), v, nil, nil, ints))
		}
		return err
	})
}

func writeTensogram(t *testing.T, path string, value int) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := tgm.NewMessageWriter(f, tgm.WriterOptions{})
	data := binary.LittleEndian.AppendUint64(nil, math.Float64bits(float64(value)))
	object, err := tgm.EncodeArray(tgm.Array{Shape: []uint64{1}, DType: tgm.Float64, Data: data}, tgm.Pipeline{})
	if err == nil {
		err = w.Append(object, map[string]any{"name": "2t"})
	}
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
}
