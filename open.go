package tgmconv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/archive"
)

// A Dataset is files of any format as labelled arrays. Its methods may be called by several goroutines,
// but for Close.
type Dataset struct {
	of       *archive.Archive
	selected []dataset.Selector
}

// Open opens files, folders and addresses of any format as one labelled dataset, the one that
// "tgmconv serve" shows. It reads metadata; values are read when they are asked for.
//
// What cannot be read is left out, see [Dataset.Bad], unless it is all there is.
func Open(ctx context.Context, paths ...string) (*Dataset, error) {
	if len(paths) == 0 {
		return nil, errors.New("tgmconv: no paths to open")
	}
	a, err := archive.Open(ctx, paths, archive.Options{Index: archive.IndexNone})
	if err != nil {
		return nil, err
	}
	return &Dataset{of: a}, nil
}

// Sel returns the part of the dataset that selectors choose by labels, as the flag --sel has them:
// "time=2020-01-02", "level=500/850", "lat=40:60,lon=-10:20". Both datasets are closed by their users.
func (d *Dataset) Sel(ctx context.Context, selectors ...string) (*Dataset, error) {
	more, err := dataset.ParseSelectors(selectors)
	if err != nil {
		return nil, err
	}
	selected := append(slices.Clone(d.selected), more...)
	a, err := d.of.Shown(ctx, dataset.Change{Select: selected})
	if err != nil {
		return nil, err
	}
	return &Dataset{a, selected}, nil
}

// Close closes the files. Nothing of the dataset may be in use.
func (d *Dataset) Close() error { return d.of.Close() }

// Bad lists unreadable files and parts, which are left out, with the reasons.
func (d *Dataset) Bad() []string {
	return append(append([]string(nil), d.of.Bad...), d.of.LeftOut()...)
}

// String returns the dataset as "tgmconv FILE" prints it.
func (d *Dataset) String() string {
	var text bytes.Buffer
	if err := d.of.Set.Print(context.Background(), &text, d.of); err != nil {
		fmt.Fprintln(&text, err)
	}
	return text.String()
}

// Labelled returns the parts of the dataset: the labelled arrays in their groups, and the objects
// of the files that hold their values. The packages serve and exporters take both.
func (d *Dataset) Labelled() (*dataset.Dataset, dataset.Fields) { return d.of.Set, d.of }

// Variables lists the variables of all groups, coordinates included.
func (d *Dataset) Variables() []*Variable {
	var list []*Variable
	for _, g := range d.of.Set.Groups {
		for _, v := range g.Variables {
			path := v.Name
			if g.Name != "" {
				path = g.Name + "/" + path
			}
			list = append(list, &Variable{v, path, d})
		}
	}
	return list
}

// Variable returns the variable at a path, "t2m" or "group/t2m", and nil if there is none.
func (d *Dataset) Variable(path string) *Variable {
	if v := d.of.Set.Variable(path); v != nil {
		return &Variable{v, path, d}
	}
	return nil
}

// A Variable is a labelled array of a dataset.
type Variable struct {
	v    *dataset.Variable
	path string
	of   *Dataset
}

// Path returns the name of the variable, after the name of its group if this is not the root.
func (v *Variable) Path() string { return v.path }

// Dims returns the names of the dimensions, the slowest first.
func (v *Variable) Dims() []string { return v.v.Dims }

// Shape returns the length of each dimension.
func (v *Variable) Shape() []uint64 { return v.v.Shape }

// Attr returns an attribute, nil if the variable does not have it.
func (v *Variable) Attr(name string) any { return v.v.Attr(name) }

// IsCoordinate reports whether the variable labels others.
func (v *Variable) IsCoordinate() bool { return v.v.Coordinate }

// String returns the name, dimensions and type of the variable, and an excerpt of the values of a coordinate.
func (v *Variable) String() string {
	dims, kind := v.v.Shown()
	return fmt.Sprintf("%s %v %s%s", v.path, dims, strings.TrimSpace(kind), v.v.Summary())
}

// Float64s reads the values of the variable in C order: unpacked, and NaN at missing points.
func (v *Variable) Float64s(ctx context.Context) ([]float64, error) {
	values, _, err := v.of.of.Set.Select(v.path).Floats(ctx, v.of.of)
	return values, err
}
