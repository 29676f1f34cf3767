//go:build interop

package tet

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

// tetpy runs a command of interop/tet/tetpy.py. TET_PYTHON names another Python that has tet-py.
func tetpy(t testing.TB, command string, args, result any) {
	t.Helper()
	python := os.Getenv("TET_PYTHON")
	if python == "" {
		python = "../.interop/venvtet/bin/python"
	}
	if _, err := os.Stat(python); err != nil {
		t.Skip("tet-py (.interop/venvtet) is not installed: make interop-setup")
	}
	in, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "../interop/tet/tetpy.py", command)
	cmd.Stdin = bytes.NewReader(in)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("tetpy.py %s: %v\n%s", command, err, stderr.Bytes())
	}
	if result == nil {
		return
	}
	if err := json.Unmarshal(out, result); err != nil {
		t.Fatalf("tetpy.py %s: %v\n%s", command, err, out)
	}
}

// pyArray is a dataset that tet-py is to write.
type pyArray struct {
	Name  string  `json:"name"`
	DType string  `json:"dtype"`
	Shape []int64 `json:"shape"`
	Chunk []int64 `json:"chunk"`
	First int     `json:"first"`
}

// TestReadTetPy reads arrays of every type, rank and chunk grid that tet-py wrote.
func TestReadTetPy(t *testing.T) {
	var arrays []pyArray
	var data [][]byte
	for _, s := range arraysOf(Raw) {
		chunk := s.ChunkShape
		if chunk == nil {
			chunk = s.Shape
		}
		first := len(arrays) % 50
		arrays = append(arrays, pyArray{s.Name, s.DType.String(), s.Shape, chunk, first})
		data = append(data, counting(s.DType, int(elements(s.Shape)), first))
	}
	path := filepath.Join(t.TempDir(), "a.tet")
	tetpy(t, "write", map[string]any{"path": path, "datasets": arrays}, nil)
	report, err := VerifyFile(context.Background(), path, VerifyOptions{Deep: true})
	if err != nil || !report.OK {
		t.Fatalf("verify: %+v, %v", report, err)
	}
	f, err := OpenMapped(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if len(f.Datasets()) != len(arrays) || len(f.History()) != 1 || f.Metadata().File.Tool != "tet-py" {
		t.Errorf("%d datasets, history %+v, file %+v", len(f.Datasets()), f.History(), f.Metadata().File)
	}
	for i, d := range f.Datasets() {
		checkRead(t, d, nil, data[i])
		if d.Name != arrays[i].Name || d.Metadata().Attrs["first"] != fmt.Sprint(arrays[i].First) || len(d.DimNames()) != len(d.Shape) || d.Labels(0)[0] != "l0" {
			t.Errorf("%s: %+v", d.Name, d.Metadata())
		}
	}
	t.Logf("%d datasets of tet-py read equal", len(arrays))
}

func arraysOf(c Codec) []DatasetSpec {
	return slices.DeleteFunc(arrays(), func(s DatasetSpec) bool { return s.Codec != c })
}

// TestTetPyReads has tet-py read arrays of every type, rank, chunk grid and codec that we wrote.
func TestTetPyReads(t *testing.T) {
	dir := t.TempDir()
	for _, codec := range []Codec{Raw, Zstd} {
		specs := arraysOf(codec)
		var data [][]byte
		meta := Metadata{File: &FileMetadata{Tool: "ours"}, Datasets: map[string]DatasetMetadata{}}
		for i, s := range specs {
			data = append(data, counting(s.DType, int(elements(s.Shape)), i%50))
			meta.Datasets[s.Name] = DatasetMetadata{Attrs: map[string]string{"ü": "\"\\\t° \u2028"}}
		}
		path := filepath.Join(dir, codec.String()+".tet")
		b := written(t, WriterOptions{Metadata: meta, History: []Event{{Op: "write", Source: "go", At: "1"}}}, specs, data...)
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(dir, codec.String())
		if err := os.Mkdir(out, 0o777); err != nil {
			t.Fatal(err)
		}
		var found [][]any
		tetpy(t, "read", map[string]any{"path": path, "out": out}, &found)
		if len(found) != len(specs) {
			t.Fatalf("%v: %d datasets, expected %d", codec, len(found), len(specs))
		}
		for i, s := range specs {
			got, err := os.ReadFile(filepath.Join(out, fmt.Sprintf("%d.bin", i)))
			if err != nil || !bytes.Equal(got, data[i]) || found[i][0] != s.Name {
				t.Errorf("%v: %v %v, or other values: %v", s.Name, found[i], s.Shape, err)
			}
		}
		var reports []*Report
		tetpy(t, "verify", map[string]any{"paths": []string{path}}, &reports)
		if reports[0] == nil || !reports[0].OK {
			t.Errorf("%v: verify of the reference: %+v", codec, reports[0])
		}
		t.Logf("%v: %d datasets read equal by tet-py", codec, len(specs))
	}
}

// TestInfoLikeReference compares the output of tet info --json.
func TestInfoLikeReference(t *testing.T) {
	for _, name := range []string{"sample.tet", "large.tet", "recording.tet", "embedded_zone.tet", "tetpy/weather.tet"} {
		path, err := filepath.Abs(filepath.Join("../fixtures/tet", name))
		if err != nil {
			t.Fatal(err)
		}
		var want struct {
			Summary map[string]any `json:"summary"`
		}
		tetpy(t, "info", map[string]any{"path": path}, &want)
		f := opened(t, fixture(t, name))
		var entries []Entry
		for e, err := range f.Entries() {
			if err != nil {
				t.Fatal(err)
			}
			entries = append(entries, e)
		}
		var records []Record
		for _, d := range f.Datasets() {
			records = append(records, d.Record)
		}
		got := map[string]any{
			"superblock": f.Superblock(), "datasets": records, "chunks": entries, "file_execution": f.Execution(),
			"history": append([]Event{}, f.History()...), "metadata": f.Metadata(),
		}
		b, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		var again map[string]any
		if err := json.Unmarshal(b, &again); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(again, want.Summary) {
			t.Errorf("%s:\n%v\nexpected\n%v", name, again, want.Summary)
		}
	}
}

// ownChecks are checks that the reference does not make.
var ownChecks = []string{"payload_overlap", "payload_region", "reserved_fields", "dataset_names", "axis_metadata", "embedded_indexes"}

// TestVerifyLikeReference damages files in every byte, cuts them everywhere, and compares the first
// failed check with the reference's.
func TestVerifyLikeReference(t *testing.T) {
	dir := t.TempDir()
	files := map[string][]byte{}
	for name, edit := range map[string]func([]byte) []byte{"plain": nil, "footer": footerOf(`{"history":[["a","b","c"]],"metadata":{"datasets":{"a":{"attrs":{"k":"v"}}}}}`)} {
		whole := fixture(t, "multichunk_u8.tet")
		if edit != nil {
			whole = edit(whole)
		}
		files[name] = whole
		for i := range whole {
			for _, flip := range []byte{0x01, 0x80, 0xff} {
				b := bytes.Clone(whole)
				b[i] ^= flip
				files[fmt.Sprintf("%s-%03d-%02x", name, i, flip)] = b
			}
			files[fmt.Sprintf("%s-cut-%03d", name, i)] = whole[:i]
		}
	}
	for _, d := range damages {
		files["damage "+d.name] = d.edit(fixture(t, "multichunk_u8.tet"))
	}
	var names, paths []string
	for name, b := range files {
		path := filepath.Join(dir, name+".tet")
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		names, paths = append(names, name), append(paths, path)
	}
	var reports []*Report
	tetpy(t, "verify", map[string]any{"paths": paths}, &reports)
	differ := map[string][]string{}
	bad := 0
	for i, want := range reports {
		if want == nil {
			t.Fatalf("%s: the reference has no report", names[i])
		}
		if !want.OK {
			bad++
		}
		if a, b := firstFailed(verified(t, files[names[i]], false)), firstFailed(want); a != b {
			key := fmt.Sprintf("ours %q, the reference %q", a, b)
			differ[key] = append(differ[key], names[i])
		}
	}
	for key, list := range differ {
		slices.Sort(list)
		t.Errorf("%s: %d files such as %v", key, len(list), list[:min(3, len(list))])
	}
	t.Logf("%d files, %d of them bad", len(reports), bad)
}

func firstFailed(r *Report) string {
	for _, f := range r.Findings {
		if !f.OK && !slices.Contains(ownChecks, f.Check) {
			return f.Check
		}
	}
	return ""
}

// TestSelectionsOfTetPy reads parts of a file of tet-py, by position and by label.
func TestSelectionsOfTetPy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.tet")
	tetpy(t, "write", map[string]any{"path": path, "datasets": []pyArray{{"a", "f32", []int64{30, 40}, []int64{7, 9}, 0}}}, nil)
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d := f.Datasets()[0]
	data := counting(Float32, 1200, 0)
	for _, text := range []string{"", "d0=3:20:4,d1=5:39:7", "d0=l3:l20", "d1=-5:"} {
		sel, err := ParseSelection(text)
		if err != nil {
			t.Fatal(err)
		}
		checkRead(t, d, sel, data)
	}
	b, err := io.ReadAll(d.Stored(d.ChunkAt(0)))
	if err != nil || len(b) != 7*9*4 {
		t.Errorf("the first chunk has %d bytes, %v", len(b), err)
	}
}
