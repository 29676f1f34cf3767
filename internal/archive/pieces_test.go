package archive_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromtet"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/tet"
)

// writeGrid writes a .tet file of a(lat, lon) and b(lat) in chunks. Each value is made of its labels.
func writeGrid(t *testing.T, path string, shape, chunk []int64) {
	t.Helper()
	var a, b []byte
	var lat, lon []string
	for i := range shape[0] {
		lat = append(lat, fmt.Sprint(10*(i+1)))
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(10*(i+1))))
		for j := range shape[1] {
			a = binary.LittleEndian.AppendUint32(a, math.Float32bits(float32(100*10*(i+1)+j+1)))
		}
	}
	for j := range shape[1] {
		lon = append(lon, fmt.Sprint(j+1))
	}
	coords := map[string]tet.CoordAxis{"lat": {Labels: lat}, "lon": {Labels: lon}}
	w, err := tet.Create(path, []tet.DatasetSpec{
		{Name: "a", DType: tet.Float32, Shape: shape, ChunkShape: chunk},
		{Name: "b", DType: tet.Float32, Shape: shape[:1], ChunkShape: chunk[:1]},
	}, tet.WriterOptions{Metadata: tet.Metadata{Datasets: map[string]tet.DatasetMetadata{
		"a": {DimNames: []string{"lat", "lon"}, Coords: coords},
		"b": {DimNames: []string{"lat"}, Coords: map[string]tet.CoordAxis{"lat": {Labels: lat}}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	for i, data := range [][]byte{a, b} {
		if err := w.WriteArray(t.Context(), i, bytes.NewReader(data)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// messagesOfPieces are the messages of the chunks of a .tet file.
func messagesOfPieces(t *testing.T, path string) (messages [][]byte) {
	t.Helper()
	src := fromtet.New([]importers.Input{{Name: path}}, fromtet.Options{Split: fromtet.SplitChunk})
	defer src.Close()
	var out bytes.Buffer
	if _, err := importers.Convert(t.Context(), src, &out, importers.Options{}); err != nil {
		t.Fatal(err)
	}
	for rest := out.Bytes(); len(rest) > 0; {
		n := len(rest)
		if i := bytes.Index(rest[1:], []byte("TENSOGRM")); i >= 0 {
			n = i + 1
		}
		messages, rest = append(messages, rest[:n]), rest[n:]
	}
	return messages
}

// checkLabels demands that each value is made of its labels, and returns the number of values.
func checkLabels(t *testing.T, what string, a *archive.Archive) (values int) {
	t.Helper()
	for _, g := range a.Set.Groups {
		for _, v := range g.Variables {
			factor := []float64{100, 1}
			switch {
			case v.Coordinate:
				continue
			case strings.HasPrefix(v.Name, "b"):
				factor = []float64{1}
			}
			labels := make([]*dataset.Variable, len(v.Dims))
			for i, dim := range v.Dims {
				if labels[i] = g.Variable(dim); labels[i] == nil || labels[i].Shape[0] != v.Shape[i] {
					t.Fatalf("%s: %s has no labels %s of %d positions", what, v.Name, dim, v.Shape[i])
				}
			}
			grid := v.Grid()
			for n, ref := range v.Refs() {
				array, err := dataset.Read(t.Context(), a, int(ref), nil)
				if err != nil {
					t.Fatal(err)
				}
				start, at := make([]uint64, len(grid)), uint64(n)
				for i := len(grid) - 1; i >= 0; i-- {
					start[i], at = at%grid[i]*v.Chunk[i], at/grid[i]
				}
				for k := range len(array.Data) / 4 {
					want, at := 0.0, uint64(k)
					for i := len(grid) - 1; i >= 0; i-- {
						data, err := labels[i].Data()
						if err != nil {
							t.Fatal(err)
						}
						place := start[i] + at%array.Shape[i]
						want += factor[i] * math.Float64frombits(binary.LittleEndian.Uint64(data[8*place:]))
						at /= array.Shape[i]
					}
					if got := math.Float32frombits(binary.LittleEndian.Uint32(array.Data[4*k:])); float64(got) != want {
						t.Fatalf("%s: %s has %v at the labels of %v", what, v.Name, got, want)
					}
					values++
				}
			}
		}
	}
	return values
}

// No value has another's labels, however a .tet file is divided into chunks. They may be in any order,
// some may be missing, and another file may be beside them. All chunks in equal shapes are the dataset
// again.
func TestPiecesKeepLabels(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	dir := t.TempDir()
	joined := 0
	for i := range 60 {
		shape := []int64{1 + random.Int64N(7), 1 + random.Int64N(6)}
		chunk := []int64{1 + random.Int64N(shape[0]), 1 + random.Int64N(shape[1])}
		source := filepath.Join(dir, fmt.Sprint(i, ".tet"))
		writeGrid(t, source, shape, chunk)
		messages := messagesOfPieces(t, source)
		random.Shuffle(len(messages), func(i, j int) { messages[i], messages[j] = messages[j], messages[i] })
		path := filepath.Join(dir, fmt.Sprint(i, ".tgm"))
		what := fmt.Sprintf("%v in chunks of %v", shape, chunk)
		complete := i%3 > 0
		if !complete {
			messages = messages[:1+random.IntN(len(messages))]
			what += fmt.Sprintf(", %d of them", len(messages))
		}
		if err := os.WriteFile(path, bytes.Join(messages, nil), 0o600); err != nil {
			t.Fatal(err)
		}
		names := []string{path}
		if i%5 == 4 {
			names = append(names, filepath.Join(dir, fmt.Sprint(i-1, ".tgm")))
		}
		a, err := archive.Open(t.Context(), names, archive.Options{Index: archive.IndexNone})
		if err != nil {
			t.Fatal(what, err)
		}
		n := checkLabels(t, what, a)
		if complete && len(names) == 1 {
			if want := int(shape[0]*shape[1] + shape[0]); n != want {
				t.Errorf("%s: %d values, expected %d", what, n, want)
			}
			if shape[1]%chunk[1] == 0 {
				joined++
				v := a.Set.Variable("a")
				if v == nil || v.Shape[0] != uint64(shape[0]) || v.Shape[1] != uint64(shape[1]) || a.Set.Variable("a_1") != nil {
					t.Errorf("%s: the pieces are not joined: %+v", what, v)
				}
			}
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
	if joined < 10 {
		t.Errorf("%d sets of pieces to be joined", joined)
	}
}
