package ncwrite_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// memory is a file in memory.
type memory struct {
	mu sync.Mutex
	b  []byte
}

func (m *memory) Write(p []byte) (int, error) { return m.WriteAt(p, int64(len(m.b))) }

func (m *memory) WriteAt(p []byte, off int64) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if end := off + int64(len(p)); end > int64(len(m.b)) {
		m.b = append(m.b, make([]byte, end-int64(len(m.b)))...)
	}
	return copy(m.b[off:], p), nil
}

func open(t testing.TB, b []byte) *netcdf.File {
	t.Helper()
	f, err := netcdf.NewFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// readFile returns the contents of a file, unpacked if its name ends in .gz.
func readFile(t testing.TB, path string) []byte {
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

// copied writes a file that was read to another file.
func copied(kind netcdf.Kind, f *netcdf.File, opts ...ncwrite.Option) ([]byte, error) {
	var m memory
	err := ncwrite.Copy(context.Background(), &m, kind, f, opts...)
	return m.b, err
}

// describeFile returns all content of a file as text, a line an item, so that two files can be
// compared.
func describeFile(t testing.TB, f *netcdf.File) []string {
	t.Helper()
	d := describer{t: t}
	d.line("format %s", f.Kind)
	d.group(f.Root())
	return d.lines
}

type describer struct {
	t     testing.TB
	lines []string
}

func (d *describer) line(format string, args ...any) {
	d.lines = append(d.lines, fmt.Sprintf(format, args...))
}

func (d *describer) group(g *netcdf.Group) {
	for _, dim := range g.Dims {
		d.line("%s dim %s %d %t", g.Path, dim.Name, dim.Len, dim.Unlimited)
	}
	for _, t := range g.Types {
		d.line("%s type %s", g.Path, typeText(t))
	}
	d.attrs(g.Path, g.Attrs)
	for _, v := range g.Vars {
		d.variable(v)
	}
	for _, c := range g.Groups {
		d.group(c)
	}
}

func typeText(t *netcdf.Type) string {
	s := fmt.Sprintf("%s %q %d %d %t %q %v %v", t.Class, t.Name, t.Size, t.TextBytes, t.UTF8, t.Tag, t.Members, t.Shape)
	if t.Base != nil {
		s += " of " + typeText(t.Base)
	}
	for _, f := range t.Fields {
		s += fmt.Sprintf(" {%s %s}", f.Name, typeText(f.Type))
		if t.Size > 0 {
			s += fmt.Sprint(f.Offset)
		}
	}
	return s
}

func (d *describer) attrs(path string, list []netcdf.Attr) {
	for _, a := range list {
		if a.Err != nil {
			d.t.Errorf("%s:%s: %v", path, a.Name, a.Err)
		}
		d.line("%s:%s %s %#v", path, a.Name, typeText(a.Type), a.Value)
	}
}

func (d *describer) variable(v *netcdf.Var) {
	var dims []string
	for _, dim := range v.Dims {
		dims = append(dims, fmt.Sprintf("%s=%d", dim.Name, dim.Len))
	}
	d.line("%s %v %s", v.Path, dims, typeText(v.Type))
	d.attrs(v.Path, v.Attrs)
	if v.Err != nil {
		d.t.Errorf("%s: %v", v.Path, v.Err)
		return
	}
	d.line("%s %s", v.Path, elements(d.t, v))
}

// elements returns all elements of a variable as text.
func elements(t testing.TB, v *netcdf.Var) string {
	t.Helper()
	ctx := context.Background()
	var data any
	var err error
	switch {
	case v.Type.Class == netcdf.String:
		data, err = v.ReadStrings(ctx, nil, nil)
	case v.Type.Class == netcdf.Vlen:
		data, err = v.ReadVlen(ctx, nil, nil)
	case v.Type.Size == 0:
		return members(t, v)
	default:
		buf := make([]byte, v.Size())
		err = v.Read(ctx, buf, nil, nil)
		data = buf
	}
	if err != nil {
		t.Errorf("%s: %v", v.Path, err)
	}
	return fmt.Sprintf("%x", data)
}

func members(t testing.TB, v *netcdf.Var) string {
	t.Helper()
	var s strings.Builder
	for _, path := range v.Type.MemberPaths() {
		m, err := v.Member(path...)
		if err != nil {
			t.Errorf("%s%v: %v", v.Path, path, err)
			continue
		}
		s.WriteString(elements(t, m))
	}
	return s.String()
}

// compare demands that two files have the same content.
func compare(t testing.TB, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		a, b := "nothing", "nothing"
		if i < len(got) {
			a = got[i]
		}
		if i < len(want) {
			b = want[i]
		}
		if a != b {
			t.Errorf("line %d: %.300s, want %.300s", i, a, b)
			return
		}
	}
}
