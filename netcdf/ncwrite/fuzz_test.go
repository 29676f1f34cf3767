package ncwrite_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// choices makes a model of the bytes of a fuzz input: each choice takes one.
type choices struct{ b []byte }

// upTo returns 0 to n-1, 0 when the bytes are used up.
func (c *choices) upTo(n int) int {
	if len(c.b) == 0 {
		return 0
	}
	x := int(c.b[0])
	c.b = c.b[1:]
	return x % n
}

func (c *choices) flag() bool { return c.upTo(2) == 1 }

// FuzzWrite demands that the file of any small model is read again. It writes by boxes of any
// order, and the number of workers must not matter.
func FuzzWrite(f *testing.F) {
	f.Add([]byte{0})
	f.Add([]byte{3, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29})
	f.Add([]byte("netCDF-4 of all shapes and sizes, with groups and chunks and filters and text and all that"))
	f.Add(bytes.Repeat([]byte{3, 1, 4, 1, 5, 9, 2, 6}, 20))
	f.Fuzz(func(t *testing.T, b []byte) {
		c := &choices{b}
		kind := kinds[c.upTo(len(kinds))]
		m := &fuzzModel{choices: c, kind: kind, root: &ncwrite.Group{}, data: map[*ncwrite.Var][]byte{}}
		m.fillGroup(m.root, "", 0)
		seed := uint64(c.upTo(256))
		fill := func(w *ncwrite.Writer) { m.write(t, w, seed) }
		file := write(t, kind, m.root, fill, ncwrite.WithWorkers(3), ncwrite.WithMemory(int64(c.upTo(3)*1000)))
		if again := write(t, kind, m.root, fill, ncwrite.WithWorkers(1)); !bytes.Equal(file, again) {
			t.Fatal("another file with one worker")
		}
		m.check(t, m.root, open(t, file).Root())
	})
}

type fuzzModel struct {
	*choices
	kind netcdf.Kind
	root *ncwrite.Group
	vars []*fuzzVar
	data map[*ncwrite.Var][]byte
	dims []*netcdf.Dim // visible
	free bool          // an unlimited dimension was used
}

type fuzzVar struct {
	*ncwrite.Var
	shape []uint64
}

func (m *fuzzModel) fillGroup(g *ncwrite.Group, path string, depth int) {
	nc4 := m.kind == netcdf.NetCDF4
	visible := len(m.dims)
	for i := range m.upTo(4) {
		d := &netcdf.Dim{Name: fmt.Sprintf("d%d%d", depth, i), Len: uint64(1 + m.upTo(6))}
		d.Unlimited = (nc4 || !m.free) && m.flag()
		m.free = m.free || d.Unlimited
		g.Dims = append(g.Dims, d)
		m.dims = append(m.dims, d)
	}
	for i := range m.upTo(5) {
		g.Vars = append(g.Vars, m.variable(fmt.Sprintf("v%d", i), g, nc4))
	}
	for i := range m.upTo(4) {
		text := string(bytes.Repeat([]byte{'a' + byte(i)}, m.upTo(256)*m.upTo(256)*m.upTo(3)))
		g.Attrs = append(g.Attrs, netcdf.Attr{Name: fmt.Sprintf("a%d", i), Type: atomic(netcdf.Char), Value: text})
	}
	if nc4 && depth < 3 {
		for i := range m.upTo(3) {
			c := &ncwrite.Group{Name: fmt.Sprintf("g%d", i)}
			g.Groups = append(g.Groups, c)
			m.fillGroup(c, path+"/"+c.Name, depth+1)
		}
	}
	m.dims = m.dims[:visible]
}

// variable makes a variable; one in four has the name of a dimension.
func (m *fuzzModel) variable(name string, g *ncwrite.Group, nc4 bool) *ncwrite.Var {
	classes := classesOf(m.kind)
	v := &fuzzVar{Var: &ncwrite.Var{Name: name, Type: atomic(classes[m.upTo(len(classes))])}}
	if i := m.upTo(4 * max(1, len(g.Dims))); i < len(g.Dims) && g.Var(g.Dims[i].Name) == nil {
		v.Name = g.Dims[i].Name
	}
	elements := 1
	for range m.upTo(4) {
		if len(m.dims) == 0 {
			break
		}
		d := m.dims[m.upTo(len(m.dims))]
		if d.Unlimited && !nc4 && len(v.Dims) > 0 {
			continue
		}
		v.Dims = append(v.Dims, d.Name)
		v.shape = append(v.shape, d.Len)
		elements *= int(d.Len)
	}
	if m.kind == netcdf.NetCDF4 || m.kind == netcdf.NetCDF4Classic {
		m.storage(v)
	}
	m.data[v.Var] = numbersOf(v.Type.Class, elements)
	m.vars = append(m.vars, v)
	return v.Var
}

func (m *fuzzModel) storage(v *fuzzVar) {
	v.BigEndian = m.flag()
	if len(v.Dims) == 0 {
		return
	}
	if m.flag() {
		for _, n := range v.shape {
			v.ChunkShape = append(v.ChunkShape, uint64(1+m.upTo(int(n))))
		}
	}
	all := []netcdf.Filter{ncwrite.Shuffle(), ncwrite.Deflate(1 + m.upTo(9)), ncwrite.Fletcher32(), ncwrite.Zstd(1 + m.upTo(9)), ncwrite.Shuffle()}
	for range m.upTo(4) {
		v.Filters = append(v.Filters, all[m.upTo(len(all))])
	}
}

func (m *fuzzModel) write(t *testing.T, w *ncwrite.Writer, seed uint64) {
	for i, v := range m.vars {
		if len(v.shape) == 0 {
			if err := w.Write(t.Context(), v.Var, nil, nil, m.data[v.Var]); err != nil {
				t.Fatal(err)
			}
			continue
		}
		writeBoxes(t, w, v.Var, v.shape, m.data[v.Var], seed+uint64(i))
	}
}

func (m *fuzzModel) check(t *testing.T, want *ncwrite.Group, got *netcdf.Group) {
	if len(got.Vars) != len(want.Vars) || len(got.Dims) != len(want.Dims) || len(got.Groups) != len(want.Groups) {
		t.Fatalf("%s: %d variables, %d dimensions and %d groups, want %d, %d and %d", got.Path,
			len(got.Vars), len(got.Dims), len(got.Groups), len(want.Vars), len(want.Dims), len(want.Groups))
	}
	for i, d := range want.Dims {
		if *got.Dims[i] != *d && (!d.Unlimited || m.kind != netcdf.NetCDF4 && m.kind != netcdf.NetCDF4Classic) {
			t.Errorf("%s: dimension %v, want %v", got.Path, *got.Dims[i], *d)
		}
	}
	for i, v := range want.Vars {
		r := got.Vars[i]
		var dims []string
		for _, d := range r.Dims {
			dims = append(dims, d.Name)
		}
		if r.Name != v.Name || !slices.Equal(dims, v.Dims) || r.Type.Class != v.Type.Class || !bytes.Equal(read(t, r), m.data[v]) {
			t.Errorf("%s %v, want %s %v with the same elements", r.Path, dims, v.Name, v.Dims)
		}
	}
	for i, a := range want.Attrs {
		if r := got.Attrs[i]; r.Name != a.Name || r.Value != a.Value {
			t.Errorf("%s:%s = %.30v, want %s = %.30v", got.Path, r.Name, r.Value, a.Name, a.Value)
		}
	}
	for i, g := range want.Groups {
		m.check(t, g, got.Groups[i])
	}
}
