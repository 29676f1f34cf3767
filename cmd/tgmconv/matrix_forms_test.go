package main

import (
	"archive/zip"
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/tet"
	"github.com/tgmconv/tgmconv/tgm"
)

// A form is one way in which a source stores arrays, as a file.
type form struct {
	Name      string
	File      string   // in the folder of forms
	Beside    []string // files that it refers to
	Stores    []string // constants of the code that name the form, see TestMatrixIsComplete
	Variables map[string]*variable
}

// A variable is a written variable with its expected values.
type variable struct {
	Shape  []int
	Values []*float64 // nil for a missing point
}

func (v *variable) values() []float64 { return withNaN(v.Values) }

func withNaN(list []*float64) []float64 {
	values := make([]float64, len(list))
	for i, v := range list {
		if values[i] = math.NaN(); v != nil {
			values[i] = *v
		}
	}
	return values
}

func (f *form) grib() bool { return strings.HasPrefix(f.Name, "grib ") }

func (f *form) messages() bool { return strings.HasPrefix(f.Name, "tgm ") }

// worth reports whether the form is tested in a place. Compressed files are unpacked before packing
// matters, so one packing of GRIB and one of messages are enough there.
func (f *form) worth(place string) bool {
	if place != "zip" && place != "gz" || !f.grib() && !f.messages() {
		return true
	}
	return strings.Contains(f.Name, "2 grid_simple") || strings.HasSuffix(f.Name, "encoding none")
}

// axes are the names of the last two dimensions.
func (f *form) axes() (lat, lon string) {
	switch {
	case f.grib():
		return "latitude", "longitude"
	case strings.HasPrefix(f.Name, "tet "):
		return "dim_0", "dim_1"
	}
	return "lat", "lon"
}

// An input is a form as it is given to the command.
type input struct {
	form  *form
	place string // see places
	path  string // file or address
	local string // the file alone
}

// flags are the flags that the form needs.
func (in *input) flags() []string {
	if len(in.form.Beside) > 0 && in.place != "tgm" {
		return []string{"--external"}
	}
	return nil
}

// committedForms are those in testdata/forms, which interop/forms/make.py makes.
func committedForms(t *testing.T, dir string) []*form {
	t.Helper()
	if err := os.CopyFS(dir, os.DirFS("testdata/forms")); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile("testdata/forms/forms.json")
	if err != nil {
		t.Fatal(err)
	}
	var forms []*form
	if err := json.Unmarshal(b, &forms); err != nil {
		t.Fatal(err)
	}
	return forms
}

// madeForms writes a file of messages for each stage of a pipeline, and .tet files for each codec.
func madeForms(t *testing.T, dir string) []*form {
	t.Helper()
	whole := &form{Variables: map[string]*variable{"v": countedFrom(40, false), "w": countedFrom(140, false)}}
	holes := &form{Variables: map[string]*variable{"v": countedFrom(40, true), "w": countedFrom(140, true)}}
	flags := &form{Variables: map[string]*variable{"v": flagsAt(3), "w": flagsAt(5)}}
	source := filepath.Join(dir, "source.tgm")
	if _, err := command(t, "convert", "-q", "-o", source, filepath.Join(dir, "contiguous.h5")); err != nil {
		t.Fatal(err)
	}
	var forms []*form
	messages := func(name string, of *form, p tgm.Pipeline, stream bool, stores ...string) {
		f := &form{Name: "tgm " + name, File: strings.ReplaceAll("tgm "+name, " ", "_") + ".tgm", Stores: stores, Variables: of.Variables}
		err := rewritten(source, filepath.Join(dir, f.File), of, func(v *variable) (tgm.Array, tgm.Pipeline) {
			if of == flags {
				return bits(v), p
			}
			return tgm.ArrayOf(v.values(), v.Shape...), p
		}, stream)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		forms = append(forms, f)
	}
	for _, kind := range []tgm.StageKind{tgm.EncodingStage, tgm.FilterStage, tgm.CompressionStage, tgm.MaskStage} {
		for _, stage := range tgm.Stages(kind) {
			of := whole
			if kind == tgm.MaskStage {
				of = holes
			}
			name := fmt.Sprintf("%s %s", kind, stage.Name)
			switch {
			case stage.Takes(tgm.Float64) == nil:
				messages(name, of, stage.Sample, false, name)
			case stage.Takes(tgm.Bitmask) == nil:
				messages(name, flags, stage.Sample, false, name)
			default:
				messages(name, of, packedThen(stage), false, name)
			}
		}
	}
	packed, _ := tgm.StageNamed(tgm.EncodingStage, "simple_packing")
	for _, compression := range []string{"szip", "zstd", "lz4", "blosc2"} {
		p := packed.Sample
		p.Compression = compression
		messages("packed "+compression, whole, p, false)
		p.Masks, p.AllowNaN = tgm.MaskOptions{NaN: "roaring"}, true
		messages("packed masked "+compression, holes, p, false)
	}
	messages("shuffle zstd", whole, tgm.Pipeline{Filter: "shuffle", Compression: "zstd"}, false)
	messages("stream", whole, tgm.Pipeline{Compression: "zstd"}, true)
	messages("stream masked", holes, tgm.Pipeline{AllowNaN: true, Masks: tgm.MaskOptions{NaN: "roaring"}}, true)
	for _, codec := range []tet.Codec{tet.Raw, tet.Zstd} {
		forms = append(forms, tetForm(t, dir, codec))
	}
	return forms
}

// packedThen is the pipeline of a stage that takes integers only.
func packedThen(stage tgm.Stage) tgm.Pipeline {
	packed, _ := tgm.StageNamed(tgm.EncodingStage, "simple_packing")
	p := packed.Sample
	p.Filter, p.Compression = stage.Sample.Filter, stage.Sample.Compression
	return p
}

// countedFrom has whole numbers that all stages give back exactly.
func countedFrom(first float64, holes bool) *variable {
	v := &variable{Shape: []int{5, 7}}
	for i := range 35 {
		x := first + float64(i)
		if holes && i%11 == 3 {
			v.Values = append(v.Values, nil)
		} else {
			v.Values = append(v.Values, &x)
		}
	}
	return v
}

// flagsAt has 1 at every nth position, else 0.
func flagsAt(nth int) *variable {
	v := &variable{Shape: []int{5, 7}}
	for i := range 35 {
		x := 0.0
		if i%nth == 0 {
			x = 1
		}
		v.Values = append(v.Values, &x)
	}
	return v
}

// bits is the bitmask of flags.
func bits(v *variable) tgm.Array {
	a := tgm.Array{DType: tgm.Bitmask, Shape: []uint64{5, 7}, Data: make([]byte, 5)}
	for i, x := range v.values() {
		if x == 1 {
			a.Data[i/8] |= 0x80 >> (i % 8)
		}
	}
	return a
}

func tetForm(t *testing.T, dir string, codec tet.Codec) *form {
	t.Helper()
	f := &form{
		Name: "tet " + codec.String(), File: "tet_" + codec.String() + ".tet", Stores: []string{"tet " + codec.String()},
		Variables: map[string]*variable{"v": countedFrom(1000, false), "w": countedFrom(300, true)},
	}
	names := []string{"v", "w"}
	var specs []tet.DatasetSpec
	for _, name := range names {
		specs = append(specs, tet.DatasetSpec{Name: name, DType: tet.Float64, Shape: []int64{5, 7}, ChunkShape: []int64{2, 3}, Codec: codec})
	}
	w, err := tet.Create(filepath.Join(dir, f.File), specs, tet.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		b := make([]byte, 0, 8*35)
		for _, v := range f.Variables[name].values() {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
		if err := w.WriteArray(context.Background(), i, strings.NewReader(string(b))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return f
}

// places are where an input can lie: as it is, in an archive, compressed, on a web server, and
// converted to messages.
var places = []string{"file", "zip", "gz", "server", "tgm"}

// placed puts a form in a place. ok is false where that is no other place.
func placed(t *testing.T, dir, url string, f *form, place string) (in *input, ok bool) {
	t.Helper()
	file := filepath.Join(dir, f.File)
	in = &input{form: f, place: place, path: file, local: file}
	var err error
	switch place {
	case "server":
		in.path = url + "/" + f.File
	case "zip":
		in.path = file + ".zip"
		err = zipped(in.path, dir, append([]string{f.File}, f.Beside...))
		if len(f.Beside) > 0 {
			in.path += "::" + f.File
		}
	case "gz":
		in.path = file + ".gz"
		err = gzipped(in.path, file)
	case "tgm":
		if f.messages() {
			return nil, false
		}
		in.path, in.local = file+".tgm", file+".tgm"
		if _, err = os.Stat(in.path); err != nil {
			_, err = command(t, slices.Concat([]string{"convert", "-q", "-o", in.path, file}, (&input{form: f}).flags())...)
		}
	}
	if err != nil {
		t.Errorf("%s in %s: %v", f.Name, place, err)
		return nil, false
	}
	return in, true
}

func zipped(to, dir string, names []string) error {
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	z := zip.NewWriter(out)
	for _, name := range slices.Compact(names) {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		w, err := z.Create(name)
		if err != nil {
			return err
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return errors.Join(z.Close(), out.Close())
}

func gzipped(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	z := gzip.NewWriter(out)
	_, err = io.Copy(z, in)
	return errors.Join(err, z.Close(), out.Close())
}
