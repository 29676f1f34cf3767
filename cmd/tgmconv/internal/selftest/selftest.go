// Package selftest tries the features of a build, on the machine where it runs: arrays are encoded and
// decoded with every codec, and tiny GRIB and netCDF files are converted and read back through a Zarr store.
package selftest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"

	"github.com/tgmconv/tgmconv/tgm"
)

// A Feature is a codec or a format that a build has.
type Feature struct {
	Name string
	Kind string // encoding, filter, compression, mask, reader, server or input
}

// A Trial is something that was tried, with its error.
type Trial struct {
	Label string
	Err   error
}

// Features lists the features of this build.
func Features() []Feature {
	var list []Feature
	for s := range stages {
		list = append(list, Feature{s.Name, s.Kind.String()})
	}
	return append(list, Feature{"grib", "reader"}, Feature{"netcdf", "reader"}, Feature{"hdf5", "reader"},
		Feature{"zarr", "server"}, Feature{"http", "input"})
}

// Run tries all codecs and formats.
func Run(ctx context.Context) []Trial {
	var list []Trial
	for s := range stages {
		list = append(list, Trial{"encode and decode with " + s.Kind.String() + " " + s.Name, tryStage(s)})
	}
	for _, s := range sources {
		list = append(list, Trial{"convert " + s.file + " and read it back as Zarr", s.try(ctx)})
	}
	return list
}

// stages yields the encodings, filters, compressions and mask methods that tgm knows.
func stages(yield func(tgm.Stage) bool) {
	for kind := tgm.EncodingStage; kind <= tgm.MaskStage; kind++ {
		for _, s := range tgm.Stages(kind) {
			if s.Name != "none" && !yield(s) {
				return
			}
		}
	}
}

// tryStage encodes and decodes an array of the numbers 0 to 255.
func tryStage(s tgm.Stage) error {
	const n = 256
	a := tgm.Array{Shape: []uint64{n}, DType: tgm.Float64, Data: countingFloats(n)}
	switch {
	case s.Kind == tgm.MaskStage:
		binary.LittleEndian.PutUint64(a.Data[8:], math.Float64bits(math.Inf(1)))
	case s.Takes(tgm.Float32) == nil:
		// Every stage that takes both is tried with the type that most files have.
		a.DType, a.Data = tgm.Float32, countingFloats32(n)
	case s.Takes(tgm.Float64) != nil:
		a = tgm.Array{Shape: []uint64{8 * n}, DType: tgm.Bitmask, Data: bytes.Repeat([]byte{0xF0, 0xFF}, n/2)}
	}
	var message bytes.Buffer
	w := tgm.NewMessageWriter(&message, tgm.WriterOptions{})
	if err := errors.Join(w.AppendArray(s.Name, a, s.Sample), w.Close()); err != nil {
		return err
	}
	file, err := tgm.NewFile(bytes.NewReader(message.Bytes()), int64(message.Len()))
	if err != nil {
		return err
	}
	read, err := file.Named(s.Name)
	if err != nil {
		return err
	}
	array, err := read.Decode(tgm.DecodeOptions{VerifyHash: true})
	if err != nil {
		return err
	}
	if !bytes.Equal(array.Data, a.Data) {
		return errors.New("other values come back than were stored")
	}
	return nil
}

// countingFloats returns 0, 1, 2 and so on as float64.
func countingFloats(n int) (data []byte) {
	for i := range n {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(float64(i)))
	}
	return data
}

// countingFloats32 returns the same as float32.
func countingFloats32(n int) (data []byte) {
	for i := range n {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(i)))
	}
	return data
}
