package netcdf

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// The output of interop/netcdf/expect.py for a file.
type (
	expectFile struct {
		File  string       `json:"file"`
		Kind  string       `json:"kind"`
		Root  *expectGroup `json:"root"`
		Error string       `json:"error"`
	}
	expectGroup struct {
		Name   string         `json:"name"`
		Dims   []expectDim    `json:"dims"`
		Attrs  []expectAttr   `json:"attrs"`
		Vars   []expectVar    `json:"vars"`
		Groups []*expectGroup `json:"groups"`
	}
	expectDim struct {
		Name      string `json:"name"`
		Len       uint64 `json:"len"`
		Unlimited bool   `json:"unlimited"`
	}
	expectAttr struct {
		Name  string `json:"name"`
		Type  string `json:"type"`
		Len   int    `json:"len"`
		Value string `json:"value"`
	}
	expectVar struct {
		Name  string       `json:"name"`
		Type  string       `json:"type"`
		Dims  []string     `json:"dims"`
		Shape []uint64     `json:"shape"`
		Attrs []expectAttr `json:"attrs"`
		Hash  string       `json:"hash"`
		Error string       `json:"error"`
	}
)

// describe writes a type as the script does.
func describe(t *Type) string {
	switch t.Class {
	case Vlen:
		return "vlen " + t.Name + " " + describe(t.Base)
	case Opaque:
		return fmt.Sprintf("opaque %s %d", t.Name, t.Size)
	case Enum:
		var m []string
		for _, e := range t.Members {
			m = append(m, fmt.Sprintf("%s=%d", e.Name, e.Value))
		}
		return fmt.Sprintf("enum %s %s {%s}", t.Name, t.Base.Name, strings.Join(m, ","))
	case Compound:
		var m []string
		for _, f := range t.Fields {
			d := ""
			ft := f.Type
			if ft.Class == Array {
				d, ft = strings.ReplaceAll(fmt.Sprint(ft.Shape), " ", ","), ft.Base
			}
			m = append(m, f.Name+":"+describe(ft)+d)
		}
		return fmt.Sprintf("compound %s {%s}", t.Name, strings.Join(m, ","))
	}
	return t.Name
}

// canonical drops the padding of compounds.
func canonical(t *Type, raw []byte) []byte {
	if t.Class != Compound {
		return raw
	}
	var out []byte
	for ; len(raw) >= t.Size; raw = raw[t.Size:] {
		for _, f := range t.Fields {
			out = append(out, canonical(f.Type, raw[f.Offset:f.Offset+f.Type.Size])...)
		}
	}
	return out
}

func canonicalVlens(t *Type, list [][]byte) []byte {
	var out []byte
	for _, b := range list {
		if t.Class == String {
			out = append(append(out, b...), 0)
			continue
		}
		out = binary.LittleEndian.AppendUint32(out, uint32(len(b)/t.Base.Size))
		out = append(out, canonical(t.Base, b)...)
	}
	return out
}

func attrBytes(a *Attr) []byte {
	switch v := a.Value.(type) {
	case string:
		return []byte(v)
	case []byte:
		return v
	}
	return canonicalValues(a.Type, a.Value)
}

// canonicalValues writes the elements of a list as Attr.Value holds it.
func canonicalValues(t *Type, list any) (out []byte) {
	switch v := list.(type) {
	case []int64:
		for _, x := range v {
			out = append(out, canonicalValue(t, x)...)
		}
	case []uint64:
		for _, x := range v {
			out = append(out, canonicalValue(t, x)...)
		}
	case []float64:
		for _, x := range v {
			out = append(out, canonicalValue(t, x)...)
		}
	case []string:
		for _, x := range v {
			out = append(out, canonicalValue(t, x)...)
		}
	case []Record:
		for _, x := range v {
			out = append(out, canonicalValue(t, x)...)
		}
	case []any:
		for _, x := range v {
			out = append(out, canonicalValue(t, x)...)
		}
	}
	return out
}

func canonicalValue(t *Type, value any) []byte {
	if t.Class == Enum {
		t = t.Base
	}
	number := func(u uint64) []byte { return binary.LittleEndian.AppendUint64(nil, u)[:t.Size] }
	switch v := value.(type) {
	case int64:
		return number(uint64(v))
	case uint64:
		return number(v)
	case float64:
		return number(floatBits(t.Class, v))
	case string:
		return append([]byte(v), 0)
	case []byte:
		return v
	case Record:
		var out []byte
		for i, f := range v {
			out = append(out, canonicalValue(t.Fields[i].Type, f.Value)...)
		}
		return out
	}
	b := canonicalValues(t.Base, value)
	if t.Class == Vlen {
		n := reflect.ValueOf(value).Len()
		return append(binary.LittleEndian.AppendUint32(nil, uint32(n)), b...)
	}
	return b
}

func dumpAttrs(t *testing.T, of string, list []Attr) []expectAttr {
	out := []expectAttr{}
	for i := range list {
		a := &list[i]
		if a.Err != nil {
			t.Logf("%s: attribute %s: %v", of, a.Name, a.Err)
			continue
		}
		out = append(out, expectAttr{Name: a.Name, Type: describe(a.Type), Len: a.Len(), Value: hex.EncodeToString(attrBytes(a))})
	}
	return out
}

func dumpVar(t *testing.T, v *Var) expectVar {
	e := expectVar{Name: v.Name, Type: describe(v.Type), Dims: []string{}, Shape: v.Shape()}
	for _, d := range v.Dims {
		e.Dims = append(e.Dims, d.Name)
	}
	e.Attrs = dumpAttrs(t, v.Path, v.Attrs)
	raw, err := canonicalVar(v)
	if v.Err != nil {
		err = v.Err
	}
	if err != nil {
		e.Error = err.Error()
		return e
	}
	sum := sha256.Sum256(raw)
	e.Hash = hex.EncodeToString(sum[:])[:24]
	return e
}

func canonicalVar(v *Var) ([]byte, error) {
	switch v.Type.Class {
	case String, Vlen:
		list, err := v.readVlen(context.Background(), nil, nil)
		return canonicalVlens(v.Type, list), err
	}
	buf := make([]byte, v.Size())
	err := v.Read(context.Background(), buf, nil, nil)
	return canonical(v.Type, buf), err
}

func dumpGroup(t *testing.T, g *Group) *expectGroup {
	e := &expectGroup{Name: g.Name, Dims: []expectDim{}, Vars: []expectVar{}, Groups: []*expectGroup{}}
	for _, d := range g.Dims {
		e.Dims = append(e.Dims, expectDim{d.Name, d.Len, d.Unlimited})
	}
	e.Attrs = dumpAttrs(t, g.Path, g.Attrs)
	for _, v := range g.Vars {
		e.Vars = append(e.Vars, dumpVar(t, v))
	}
	for _, s := range g.Groups {
		e.Groups = append(e.Groups, dumpGroup(t, s))
	}
	return e
}

// compareFile compares our reading of a file with the library's, line by line of indented JSON.
func compareFile(t *testing.T, path string, want expectFile) {
	t.Helper()
	f, err := openMaybeGzip(t, path)
	if err != nil {
		if want.Error == "" {
			t.Errorf("cannot open: %v", err)
		}
		return
	}
	if want.Error != "" {
		t.Logf("the library says %q, we read it", want.Error)
		return
	}
	trimText(want.Root)
	if dropUnread(t, f.Root(), want.Root) {
		// A variable that is not listed has no phony dimensions either.
		dropDims(f.Root(), want.Root)
	}
	got := expectFile{File: baseName(path), Kind: string(f.Kind), Root: dumpGroup(t, f.Root())}
	a, _ := json.MarshalIndent(got, "", " ")
	b, _ := json.MarshalIndent(want, "", " ")
	if bytes.Equal(a, b) {
		return
	}
	al, bl := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
	for i := range min(len(al), len(bl)) {
		if al[i] != bl[i] {
			t.Errorf("line %d: got\n%s\nwant\n%s", i, strings.Join(al[max(0, i-12):min(len(al), i+8)], "\n"),
				strings.Join(bl[max(0, i-12):min(len(bl), i+8)], "\n"))
			return
		}
	}
	t.Errorf("%d lines, expected %d", len(al), len(bl))
}

// trimText drops the zero bytes after text, as our reader does.
func trimText(g *expectGroup) {
	trim := func(list []expectAttr) {
		for i := range list {
			a := &list[i]
			for a.Type == "char" && a.Name != "_FillValue" && strings.HasSuffix(a.Value, "00") {
				a.Value = a.Value[:len(a.Value)-2]
				a.Len--
			}
		}
	}
	trim(g.Attrs)
	for i := range g.Vars {
		trim(g.Vars[i].Attrs)
	}
	for _, s := range g.Groups {
		trimText(s)
	}
}

// dropUnread takes variables out of g that the library does not list because it has no type for
// them. It also drops such attributes. It reports whether a variable was dropped.
func dropUnread(t *testing.T, g *Group, want *expectGroup) (dropped bool) {
	if want == nil {
		return false
	}
	names := map[string]*expectVar{}
	for i := range want.Vars {
		names[want.Vars[i].Name] = &want.Vars[i]
	}
	g.Attrs = dropAttrs(t, g.Path, g.Attrs, want.Attrs)
	var kept []*Var
	for _, v := range g.Vars {
		e := names[v.Name]
		if e == nil && v.NoTensor() != nil {
			t.Logf("not listed by the library: %v", v.NoTensor())
			dropped = true
			continue
		}
		if e != nil && e.Error != "" {
			v.Err = errors.New(e.Error) // the library lacks a filter
		}
		if e != nil {
			v.Attrs = dropAttrs(t, v.Path, v.Attrs, e.Attrs)
		}
		kept = append(kept, v)
	}
	g.Vars = kept
	for i := range min(len(g.Groups), len(want.Groups)) {
		dropped = dropUnread(t, g.Groups[i], want.Groups[i]) || dropped
	}
	return dropped
}

// dropDims takes dimensions out of g that only unlisted variables have.
func dropDims(g *Group, want *expectGroup) {
	g.Dims = slices.DeleteFunc(g.Dims, func(d *Dim) bool {
		return !slices.ContainsFunc(want.Dims, func(w expectDim) bool { return w.Name == d.Name })
	})
	for i := range min(len(g.Groups), len(want.Groups)) {
		dropDims(g.Groups[i], want.Groups[i])
	}
}

// dropAttrs takes attributes out whose type the library does not know.
func dropAttrs(t *testing.T, of string, list []Attr, want []expectAttr) []Attr {
	return slices.DeleteFunc(slices.Clone(list), func(a Attr) bool {
		listed := slices.ContainsFunc(want, func(e expectAttr) bool { return e.Name == a.Name })
		if !listed && (a.Err != nil || !a.Type.Numeric() && a.Type.Class != Char && a.Type.Class != String) {
			t.Logf("not listed by the library: %s: attribute %s of type %s: %v", of, a.Name, a.Type.Describe(), a.Err)
			return true
		}
		return false
	})
}

func readExpectations(t *testing.T, lines []byte) map[string]expectFile {
	t.Helper()
	out := map[string]expectFile{}
	sc := bufio.NewScanner(bytes.NewReader(lines))
	sc.Buffer(nil, 64<<20)
	for sc.Scan() {
		var e expectFile
		if err := json.Unmarshal(sc.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		out[e.File] = e
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// onceOnly are files whose groups have several paths. The library lists such a group once for each
// path.
var onceOnly = map[string]bool{"dag10.h5": true}

// TestFixtures compares every fixture with the output of the netCDF library (4.10).
func TestFixtures(t *testing.T) {
	compareFolder(t, "testdata/fixtures.json.gz", "../fixtures/netcdf/*.*", "../fixtures/netcdf/*/*.*")
}

// TestOdd compares files with uncommon features with the output of the netCDF library.
func TestOdd(t *testing.T) { compareFolder(t, "testdata/odd.json.gz", "testdata/odd/*") }

func compareFolder(t *testing.T, frozen string, globs ...string) {
	t.Helper()
	want := readExpectations(t, readMaybeGzip(t, frozen))
	for _, g := range globs {
		paths, _ := filepath.Glob(g)
		for _, p := range paths {
			name := baseName(p)
			e, ok := want[name]
			if !ok {
				if !strings.HasSuffix(name, ".cdl") && !strings.HasSuffix(name, ".bin") {
					t.Errorf("%s: no expectation", p)
				}
				continue
			}
			delete(want, name)
			if onceOnly[name] {
				continue
			}
			t.Run(name, func(t *testing.T) { compareFile(t, p, e) })
		}
	}
	for name := range want {
		t.Errorf("%s: no file", name)
	}
}

// openMaybeGzip opens a file by its path, so that files it refers to are followed; a compressed
// file in memory.
func openMaybeGzip(t *testing.T, path string, opts ...Option) (*File, error) {
	t.Helper()
	var f *File
	var err error
	if strings.HasSuffix(path, ".gz") {
		raw := readMaybeGzip(t, path)
		f, err = NewFile(bytes.NewReader(raw), int64(len(raw)), opts...)
	} else {
		f, err = Open(path, append([]Option{WithOpener(filepath.Base(path), InFolder(filepath.Dir(path)))}, opts...)...)
	}
	if err == nil {
		t.Cleanup(func() { f.Close() })
	}
	return f, err
}

// baseName is the name of a file without ".gz".
func baseName(path string) string { return strings.TrimSuffix(filepath.Base(path), ".gz") }

func readMaybeGzip(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err == nil && strings.HasSuffix(path, ".gz") {
		var r *gzip.Reader
		if r, err = gzip.NewReader(bytes.NewReader(b)); err == nil {
			b, err = io.ReadAll(r)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}
