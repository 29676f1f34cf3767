//go:build libnetcdf

package netcdf

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	lib "github.com/fhs/go-netcdf/netcdf"
)

// The C library is called through github.com/fhs/go-netcdf. It knows the root group, its
// dimensions and variables of atomic types, but not text of variable length.

// TestSecondOpinion compares every variable and attribute of the root group of every fixture with
// the installed netCDF library's.
func TestSecondOpinion(t *testing.T) {
	t.Logf("libnetcdf %s", lib.Version())
	vars, attrs := 0, 0
	for _, g := range []string{"../fixtures/netcdf/*.nc", "../fixtures/netcdf/*/*.*", "testdata/odd/*.gz"} {
		paths, _ := filepath.Glob(g)
		for _, p := range paths {
			t.Run(baseName(p), func(t *testing.T) {
				c := comparison{t: t, ours: root(t, p)}
				c.compare(plainFile(t, p))
				vars, attrs = vars+c.vars, attrs+c.attrs
			})
		}
	}
	t.Logf("%d variables and %d attributes are equal", vars, attrs)
	if vars < 300 || attrs < 300 {
		t.Errorf("%d variables and %d attributes were compared, expected 300 of each at least", vars, attrs)
	}
}

// root is the root group of a file as we read it, nil when we cannot.
func root(t *testing.T, path string) *Group {
	f, err := openMaybeGzip(t, path)
	if err != nil {
		return nil
	}
	return f.Root()
}

// plainFile returns the path of a file that is not compressed.
func plainFile(t *testing.T, path string) string {
	if !strings.HasSuffix(path, ".gz") {
		return path
	}
	plain := filepath.Join(t.TempDir(), baseName(path))
	if err := os.WriteFile(plain, readMaybeGzip(t, path), 0o600); err != nil {
		t.Fatal(err)
	}
	return plain
}

type comparison struct {
	t           *testing.T
	ours        *Group
	vars, attrs int
}

func (c *comparison) compare(path string) {
	if strings.HasPrefix(filepath.Base(path), "x_streaming") {
		c.t.Skip("the library takes the open number of records for 4294967295")
	}
	ds, err := lib.OpenFile(path, lib.NOWRITE)
	if err != nil {
		c.t.Skipf("the library cannot open it: %v", err)
	}
	defer ds.Close()
	if c.ours == nil {
		c.t.Fatal("the library opens it, we do not")
	}
	n, err := ds.NVars()
	if err != nil {
		c.t.Fatal(err)
	}
	for i := range n {
		theirs := ds.VarN(i)
		name, err := theirs.Name()
		if err != nil {
			c.t.Fatal(err)
		}
		v := c.ours.Var(name)
		if v == nil {
			c.t.Errorf("variable %s is missing", name)
			continue
		}
		c.variable(v, theirs)
	}
	n, err = ds.NAttrs()
	if err != nil {
		c.t.Fatal(err)
	}
	for i := range n {
		a, err := ds.AttrN(i)
		if err != nil {
			c.t.Fatal(err)
		}
		c.attribute("", c.ours.Attr(a.Name()), a)
	}
}

func (c *comparison) variable(v *Var, theirs lib.Var) {
	kind, err := theirs.Type()
	if err != nil {
		c.t.Fatal(err)
	}
	dims, err := theirs.Dims()
	if err != nil {
		c.t.Fatal(err)
	}
	want, got := []string{}, []string{}
	elements := uint64(1)
	for _, d := range dims {
		name, _ := d.Name()
		n, _ := d.Len()
		elements *= n
		want = append(want, dimension(name, n))
	}
	for _, d := range v.Dims {
		got = append(got, dimension(d.Name, d.Len))
	}
	if !slices.Equal(got, want) {
		c.t.Errorf("%s: dimensions %v, expected %v", v.Path, got, want)
		return
	}
	n, err := theirs.NAttrs()
	if err != nil {
		c.t.Fatal(err)
	}
	for i := range n {
		a, err := theirs.AttrN(i)
		if err != nil {
			c.t.Fatal(err)
		}
		c.attribute(v.Path+":", v.Attr(a.Name()), a)
	}
	if elements == 0 || !sameClass(v.Type, kind) || v.Err != nil {
		return // the binding panics where there is nothing
	}
	data, err := elementsOfLibrary(kind, theirs)
	if err != nil {
		c.t.Logf("%s: the library cannot read it: %v", v.Path, err)
		return
	}
	buf := make([]byte, v.Size())
	if err := v.Read(context.Background(), buf, nil, nil); err != nil {
		c.t.Errorf("%s: %v", v.Path, err)
		return
	}
	if !bytes.Equal(buf, data) {
		c.t.Errorf("%s: other elements than the library reads", v.Path)
		return
	}
	c.vars++
}

// dimension writes a dimension. The numbers of invented dimensions depend on which variables are
// listed: the library leaves out variables whose type it does not know.
func dimension(name string, n uint64) string {
	if strings.HasPrefix(name, "phony_dim_") {
		name = "phony"
	}
	return fmt.Sprintf("%s=%d", name, n)
}

// sameClass reports whether the library's type is atomic, and ours is the same.
func sameClass(t *Type, kind lib.Type) bool { return kind < lib.STRING && Class(kind) == t.Class }

func (c *comparison) attribute(of string, a *Attr, theirs lib.Attr) {
	kind, err := theirs.Type()
	if err != nil || strings.HasPrefix(theirs.Name(), "_Netcdf4") {
		return
	}
	if a == nil {
		c.t.Errorf("attribute %s%s is missing", of, theirs.Name())
		return
	}
	if a.Err != nil || kind >= lib.STRING || a.Type.Class == Half {
		return // a half becomes a float there
	}
	if !sameClass(a.Type, kind) {
		c.t.Errorf("attribute %s%s: type %s, expected number %d", of, a.Name, a.Type.Class, kind)
		return
	}
	if n, err := theirs.Len(); err != nil || n == 0 {
		return
	}
	data, err := elementsOfLibrary(kind, theirs)
	if err != nil {
		c.t.Errorf("attribute %s%s: %v", of, a.Name, err)
		return
	}
	got := attrBytes(a)
	if a.Type.Class == Char {
		got, data = bytes.TrimRight(got, "\x00"), bytes.TrimRight(data, "\x00")
	}
	if !bytes.Equal(got, data) {
		c.t.Errorf("attribute %s%s: % x, expected % x", of, a.Name, got, data)
	}
	c.attrs++
}

// readable is a variable or an attribute.
type readable interface {
	lib.Int8sReader
	lib.BytesReader
	lib.Uint8sReader
	lib.Int16sReader
	lib.Uint16sReader
	lib.Int32sReader
	lib.Uint32sReader
	lib.Int64sReader
	lib.Uint64sReader
	lib.Float32sReader
	lib.Float64sReader
}

// elementsOfLibrary returns all elements, little-endian.
func elementsOfLibrary(kind lib.Type, r readable) ([]byte, error) {
	switch kind {
	case lib.BYTE:
		return littleEndian(lib.GetInt8s(r))
	case lib.CHAR:
		return littleEndian(lib.GetBytes(r))
	case lib.UBYTE:
		return littleEndian(lib.GetUint8s(r))
	case lib.SHORT:
		return littleEndian(lib.GetInt16s(r))
	case lib.USHORT:
		return littleEndian(lib.GetUint16s(r))
	case lib.INT:
		return littleEndian(lib.GetInt32s(r))
	case lib.UINT:
		return littleEndian(lib.GetUint32s(r))
	case lib.INT64:
		return littleEndian(lib.GetInt64s(r))
	case lib.UINT64:
		return littleEndian(lib.GetUint64s(r))
	case lib.FLOAT:
		return littleEndian(lib.GetFloat32s(r))
	case lib.DOUBLE:
		return littleEndian(lib.GetFloat64s(r))
	}
	return nil, fmt.Errorf("type %d", kind)
}

func littleEndian[T any](list []T, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return binary.Append(nil, binary.LittleEndian, list)
}
