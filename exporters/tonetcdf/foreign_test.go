package tonetcdf_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/exporters/tonetcdf"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/netcdf"
)

// TestForeignTypes holds that features of HDF5 without a form in netCDF come back: types without names, text
// of fixed length, arrays as attributes, axes without dimensions, links, references.
func TestForeignTypes(t *testing.T) {
	const source = "testdata/foreign.h5"
	got, notes := export(t, fromNetCDF(t, source, fromnetcdf.SplitFile), tonetcdf.Options{})
	if len(notes) > 0 {
		t.Errorf("warnings: %q", notes)
	}
	want, have := declarations(open(t, source)), declarations(open(t, got))
	for _, line := range want {
		if !slices.Contains(have, line) {
			t.Errorf("missing: %s", line)
		}
	}
	for _, line := range have {
		if !slices.Contains(want, line) {
			t.Errorf("new: %s", line)
		}
	}
	a, b := open(t, source).Root(), open(t, got).Root()
	for _, v := range a.Vars {
		if w := b.Var(v.Name); w != nil && v.Type.Class != netcdf.Reference {
			sameVar(t, v, w)
		}
	}
	if len(want) < 15 {
		t.Errorf("%d lines: the source is not read", len(want))
	}
}

// declarations lists the types, attributes and variables of a file.
func declarations(f *netcdf.File) (lines []string) {
	attrs := func(of string, list []netcdf.Attr) {
		for _, a := range list {
			if refs, ok := a.Value.([]netcdf.Ref); ok {
				var paths []string
				for _, r := range refs {
					paths = append(paths, f.PathOf(r))
				}
				a.Value = paths
			}
			lines = append(lines, fmt.Sprintf("%s:%s %s %v %v %d %q %v", of, a.Name, typeText(a.Type), a.Scalar, a.Shape, a.Zeros, fmt.Sprint(a.Value), a.Err))
		}
	}
	var walk func(g *netcdf.Group)
	walk = func(g *netcdf.Group) {
		attrs(g.Path, g.Attrs)
		for _, a := range g.Aliases {
			lines = append(lines, fmt.Sprintf("link %s %+v", g.Path, a))
		}
		for _, s := range g.Skipped {
			lines = append(lines, fmt.Sprintf("link %s %s %s:%s", g.Path, s.Name, s.File, s.Target))
		}
		for _, d := range g.Dims {
			lines = append(lines, fmt.Sprintf("dimension %s %+v", g.Path, *d))
		}
		for _, named := range g.Types {
			lines = append(lines, "type "+g.Path+named.Name+typeText(named))
		}
		for _, v := range g.Vars {
			lines = append(lines, fmt.Sprintf("%s %v %v %s %v", v.Path, v.Shape(), v.Storage.Limit, typeText(v.Type), v.Err))
			if v.LinkTo != "" {
				lines = append(lines, fmt.Sprintf("link %s %s %s", v.Path, v.LinkTo, v.LinkTarget))
			}
			attrs(v.Path, v.Attrs)
			if v.Type.Class == netcdf.Reference {
				refs, err := v.ReadRefs(context.Background(), nil, nil)
				lines = append(lines, fmt.Sprint(v.Path, err))
				for _, r := range refs {
					lines = append(lines, v.Path+" to "+f.PathOf(r))
				}
			}
		}
		for _, sub := range g.Groups {
			lines = append(lines, "group "+sub.Path)
			walk(sub)
		}
	}
	walk(f.Root())
	return lines
}

// typeText describes a type. It leaves out the names of types without a name in the file.
func typeText(t *netcdf.Type) string {
	var b strings.Builder
	fmt.Fprint(&b, t.Class, t.Size, t.TextBytes, t.UTF8, t.Padding, t.Tag, t.Members, t.Shape)
	if t.Base != nil {
		fmt.Fprintf(&b, " of (%s)", typeText(t.Base))
	}
	for _, f := range t.Fields {
		fmt.Fprintf(&b, " {%s %d %s}", f.Name, f.Offset, typeText(f.Type))
	}
	return b.String()
}

// TestReferenceLeftOut holds that a reference to a variable that is not written becomes its path, with a
// warning.
func TestReferenceLeftOut(t *testing.T) {
	got, notes := export(t, fromNetCDF(t, "testdata/foreign.h5", fromnetcdf.SplitFile), tonetcdf.Options{Variables: []string{"mask"}})
	a := open(t, got).Root().Var("mask").Attr("PALETTE")
	if a == nil || fmt.Sprint(a.Value) != "[/letters]" {
		t.Errorf("attribute %+v, expected the path /letters", a)
	}
	want := "variable mask: attribute PALETTE refers to an object that the file does not have: it becomes text"
	if !slices.Contains(notes, want) {
		t.Errorf("warnings %q, expected %q", notes, want)
	}
}

// TestLinkChosen holds that a variable that was a link is written with its values where it is chosen
// alone.
func TestLinkChosen(t *testing.T) {
	source := fromNetCDF(t, "testdata/foreign.h5", fromnetcdf.SplitFile)
	got, _ := export(t, source, tonetcdf.Options{Variables: []string{"entry/hard"}})
	for _, g := range open(t, got).Root().Groups {
		if v := g.Var("hard"); v == nil || v.LinkTo != "" || len(g.Vars) != 1 {
			t.Errorf("group %s: variable %+v of %d", g.Path, v, len(g.Vars))
		}
	}
}
