package selftest

import (
	"bytes"
	"context"
	"embed"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/zarr"
)

// data holds tiny files of each source format.
//
//go:embed data
var data embed.FS

// A source is a file to convert, with the array it has and where its values begin and end.
type source struct {
	file, array string
	open        func(importers.Input) importers.Source
	count       int
	first, last float64
}

var sources = []source{
	{"sanity.grib2", "2t", fromGRIB, 16, 273.15, 288.15},
	{"sanity-classic.nc", "temperature", fromNetCDF, 4, 273.15, 276.15},
	{"sanity-hdf5.nc", "temperature", fromNetCDF, 4, 273.15, 276.15},
}

func fromGRIB(in importers.Input) importers.Source {
	return fromgrib.New([]importers.Input{in}, fromgrib.Options{})
}

func fromNetCDF(in importers.Input) importers.Source {
	return fromnetcdf.New([]importers.Input{in}, fromnetcdf.Options{CF: true})
}

// try converts the file, and reads the array back through a Zarr store.
func (s source) try(ctx context.Context) error {
	folder, err := os.MkdirTemp("", "tgmconv-doctor-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	content, err := data.ReadFile("data/" + s.file)
	if err != nil {
		return err
	}
	in := importers.Input{Name: filepath.Join(folder, s.file)}
	if err := os.WriteFile(in.Name, content, 0o600); err != nil {
		return err
	}
	src := s.open(in)
	defer src.Close()
	var out bytes.Buffer
	if _, err := importers.Convert(ctx, src, &out, importers.Options{}); err != nil {
		return err
	}
	file, err := tgm.NewFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		return err
	}
	return s.check(ctx, file)
}

// check compares the array in a file with its known values.
func (s source) check(ctx context.Context, file *tgm.File) error {
	array, err := zarr.OpenArray(ctx, serve.OpenMessages(file, serve.MessageOptions{}), s.array)
	if err != nil {
		return err
	}
	size, err := array.Metadata().Bytes()
	if err != nil {
		return err
	}
	elements := make([]byte, size)
	if err := array.Read(ctx, elements); err != nil {
		return err
	}
	values, err := floatValues(array.Metadata().DataType, elements)
	if err != nil {
		return err
	}
	if len(values) != s.count || !nearly(values[0], s.first) || !nearly(values[len(values)-1], s.last) {
		return fmt.Errorf("%s is %v, expected %d values from %g to %g", s.array, values, s.count, s.first, s.last)
	}
	return nil
}

// nearly allows for values that were packed, or stored as float32.
func nearly(a, b float64) bool { return math.Abs(a-b) < 1e-3 }

func floatValues(dtype zarr.DataType, data []byte) ([]float64, error) {
	var values []float64
	switch dtype {
	case zarr.Float32:
		for ; len(data) >= 4; data = data[4:] {
			values = append(values, float64(math.Float32frombits(binary.LittleEndian.Uint32(data))))
		}
	case zarr.Float64:
		for ; len(data) >= 8; data = data[8:] {
			values = append(values, math.Float64frombits(binary.LittleEndian.Uint64(data)))
		}
	default:
		return nil, fmt.Errorf("data type is %s, expected a float", dtype)
	}
	return values, nil
}
