package fromtet_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"maps"
	"math"
	"path/filepath"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromtet"
	"github.com/tgmconv/tgmconv/tet"
	"github.com/tgmconv/tgmconv/tgm"
)

// TestExact packs data, and leaves their coordinates and integers as they are.
func TestExact(t *testing.T) {
	const n = 50
	path := filepath.Join(t.TempDir(), "a.tet")
	var specs []tet.DatasetSpec
	meta := tet.Metadata{Datasets: map[string]tet.DatasetMetadata{}}
	roles := []struct {
		name, role string
		meta       tet.DatasetMetadata
	}{
		{"t", "", tet.DatasetMetadata{DimNames: []string{"x"}, Attrs: map[string]string{"coordinates": "aux"}}},
		{"x", "coordinates", tet.DatasetMetadata{DimNames: []string{"x"}}},
		{"aux", "coordinates", tet.DatasetMetadata{DimNames: []string{"x"}}},
		{"lat", "coordinates", tet.DatasetMetadata{DimNames: []string{"x"}, Attrs: map[string]string{"units": "degrees_north"}}},
		{"n", "integers", tet.DatasetMetadata{DimNames: []string{"x"}}},
	}
	for _, r := range roles {
		spec := tet.DatasetSpec{Name: r.name, DType: tet.Float64, Shape: []int64{n}}
		if r.role == "integers" {
			spec.DType = tet.Int64
		}
		specs, meta.Datasets[r.name] = append(specs, spec), r.meta
	}
	var data []byte
	for i := range n {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(1000500.5+math.Sin(float64(i))))
	}
	w, err := tet.Create(path, specs, tet.WriterOptions{Metadata: meta})
	for i := range specs {
		if err == nil {
			err = w.WriteArray(context.Background(), i, bytes.NewReader(data))
		}
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}

	s := fromtet.New(inputs(path), fromtet.Options{})
	defer s.Close()
	var out bytes.Buffer
	report, err := importers.Convert(context.Background(), s, &out, importers.Options{Encoding: importers.Encoding{Encoding: importers.EncodingSimplePacking}})
	if err != nil {
		t.Fatal(err)
	}
	if want := map[string]int{"coordinates": 3, "integers": 1}; !maps.Equal(report.Exact, want) {
		t.Errorf("%v, expected %v", report.Exact, want)
	}
	f, err := tgm.NewFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range objects(t, f) {
		a, err := o.Decode(tgm.DecodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if kept := bytes.Equal(a.Data, data); kept != (roles[i].role != "") {
			t.Errorf("values of %s, which is %q: the same is %t", roles[i].name, roles[i].role, kept)
		}
	}
}
