package tgm_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"math"
	"os"
	"path/filepath"

	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// A field of four temperatures goes into a message and comes out of it again.
func Example() {
	var data []byte
	for _, v := range []float64{273.15, 274.5, 280, math.NaN()} {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
	}
	field, err := tgm.EncodeArray(
		tgm.Array{Shape: []uint64{2, 2}, DType: tgm.Float64, Data: data},
		tgm.Pipeline{Filter: "shuffle", Compression: "zstd", AllowNaN: true})
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	w := tgm.NewMessageWriter(&file, tgm.WriterOptions{})
	if err := w.Append(field, map[string]any{"name": "2t"}); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	f, err := tgm.NewFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		log.Fatal(err)
	}
	for m, err := range f.Messages() {
		if err != nil {
			log.Fatal(err)
		}
		o, err := m.Object(0)
		if err != nil {
			log.Fatal(err)
		}
		a, err := o.Decode(tgm.DecodeOptions{VerifyHash: true})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(o.Base()["name"], a.DType, a.Shape, "missing:", a.Missing.Count())
		fmt.Println(math.Float64frombits(binary.LittleEndian.Uint64(a.Data)))
	}
	// Output:
	// 2t float64 [2 2] missing: 1
	// 273.15
}

func ExampleValidate() {
	damaged := []byte("TENSOGRM is how a message starts")
	report, err := tgm.Validate(bytes.NewReader(damaged), int64(len(damaged)), tgm.LevelDefault, tgm.ValidateOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Status, report.FileIssues[0].Description)
	// Output: failed wire version 8297, expected 3
}

// Three named tensors are added to a file, which is made if there is none. Until Commit the file stays
// as it is, and nobody else adds to it meanwhile.
func ExampleMessageWriter_AppendArray() {
	client := new(storage.Client)
	defer client.Close()
	path := filepath.Join(os.TempDir(), "wind.tgm")
	out, err := client.Append(context.Background(), path, storage.AppendOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer out.Abort()
	w := tgm.NewMessageWriter(out, tgm.WriterOptions{})
	for i, name := range []string{"u", "v", "w"} {
		if err := w.AppendArray(name, tgm.ArrayOf([]float32{float32(i), 1, 2, 3}, 2, 2), tgm.Pipeline{Compression: "zstd"}); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(w.Close(), out.Commit(), os.Remove(path))
	// Output: <nil> <nil> <nil>
}

// A tensor is read by its name.
func ExampleFile_Named() {
	f, err := tgm.Open("testdata/wind.tgm")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	v, err := f.Named("v")
	if err != nil {
		log.Fatal(err)
	}
	values, err := tgm.DecodeValues[float32](v)
	fmt.Println(v.Descriptor().Shape, values, err)
	// Output: [2 2] [1 1 2 3] <nil>
}

// Messages of any size pass through a program as they are, one object in memory at a time. Here
// a key is added between two pipes.
func ExampleStreamReader() {
	w := tgm.NewStreamWriter(io.Discard, tgm.WriterOptions{})
	for o, err := range tgm.NewStreamReader(endless(64 << 20)).Objects() {
		if err != nil {
			log.Fatal(err)
		}
		base := maps.Clone(o.Base())
		base["seen"] = true
		if err := w.AppendRaw(o.Raw(), base); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(w.Close())
	// Output: <nil>
}

// endless is a pipe with a message of about that many bytes.
func endless(bytes int) io.Reader {
	r, out := io.Pipe()
	go func() {
		w := tgm.NewStreamWriter(out, tgm.WriterOptions{})
		var err error
		for i := 0; i < bytes>>23 && err == nil; i++ {
			err = w.AppendArray(fmt.Sprint("part ", i), tgm.ArrayOf(make([]float64, 1<<20)), tgm.Pipeline{})
		}
		out.CloseWithError(errors.Join(err, w.Close()))
	}()
	return r
}

// Every second row of an array and its last two columns are read without the rest.
func ExampleObject_DecodeSlice() {
	grid := tgm.ArrayOf([]int16{
		11, 12, 13, 14,
		21, 22, 23, 24,
		31, 32, 33, 34,
	}, 3, 4)
	encoded, err := tgm.EncodeArray(grid, tgm.Pipeline{})
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	w := tgm.NewMessageWriter(&file, tgm.WriterOptions{})
	if err := w.Append(encoded, nil); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	f, err := tgm.NewFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		log.Fatal(err)
	}
	m, err := f.Message(0)
	if err != nil {
		log.Fatal(err)
	}
	object, err := m.Object(0)
	if err != nil {
		log.Fatal(err)
	}
	part, err := object.DecodeSlice([]tgm.Slice{{Step: 2, Stop: 3}, {Start: 2, Stop: 4}}, tgm.DecodeOptions{})
	if err != nil {
		log.Fatal(err)
	}
	values, err := tgm.Values[int16](part)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(part.Shape, values)
	// Output: [2 2] [13 14 33 34]
}

// A metadata value that is absent differs from a value of zero.
func ExampleGet() {
	base := map[string]any{"mars": map[string]any{"step": int64(0), "param": "2t"}}
	step, ok := tgm.Get[int64](base, "mars.step")
	fmt.Println(step, ok)
	level, ok := tgm.Get[int64](base, "mars.levelist")
	fmt.Println(level, ok)
	// Output:
	// 0 true
	// 0 false
}
