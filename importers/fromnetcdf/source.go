// Package fromnetcdf makes netCDF files a source of fields: each numeric variable of every group is
// one, under its path ("t2m", "forecast/t2m").
//
// Variables with scale_factor or add_offset are unpacked to float64, exactly v·scale_factor +
// add_offset. Elements equal to _FillValue or missing_value of floating-point and unpacked
// variables are missing points; other integers keep their type and their numbers. What has no
// tensor form (text, compound, …) is passed over with a warning.
package fromnetcdf

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/netcdf"
)

// Split says how variables are divided among messages.
type Split int

// The ways of splitting.
const (
	SplitFile     Split = iota // one message for each file
	SplitVariable              // one for each variable
	SplitRecord                // one for each index of the first unlimited dimension, which is dropped from the shapes
)

// ErrNoVariables says that a file has no variable that could be converted.
var ErrNoVariables = errors.New("the file has no numeric variables")

// Options configure a source.
type Options struct {
	Split Split
	CF    bool // add the attributes of the CF conventions as base[i].cf
	// Opener opens the inputs; nil will do for files.
	Opener *importers.Opener
}

// Source is an importers.Source over netCDF files.
type Source struct {
	inputs []importers.Input
	opts   Options
}

// New makes a source of the inputs, in their order. Nothing is opened yet.
func New(inputs []importers.Input, opts Options) *Source {
	if opts.Opener == nil {
		opts.Opener = new(importers.Opener)
	}
	return &Source{inputs: inputs, opts: opts}
}

// Size is not known before the files are opened.
func (s *Source) Size() int64 { return 0 }

// Close has nothing to release: each file is closed when its last variable is read.
func (s *Source) Close() error { return nil }

// Pending yields the variables of the files.
func (s *Source) Pending(ctx context.Context) iter.Seq2[importers.Pending, error] {
	return func(yield func(importers.Pending, error) bool) {
		for i, in := range s.inputs {
			if !s.file(ctx, i, in, yield) {
				return
			}
		}
	}
}

// file yields the variables of one input and says whether to go on.
func (s *Source) file(ctx context.Context, index int, in importers.Input, yield func(importers.Pending, error) bool) bool {
	raw, err := s.opts.Opener.Open(ctx, in)
	if err != nil {
		yield(importers.Pending{}, err)
		return false
	}
	if err := importers.ExpectFormat(raw, in, importers.FormatNetCDF); err != nil {
		raw.Close()
		if in.FromFolder {
			return yield(importers.Pending{Where: raw.Name, Notes: []string{"passed over: " + err.Error()}}, nil)
		}
		return yield(importers.Pending{}, &importers.BadInput{Where: raw.Name, Err: err})
	}
	f := &file{InputFile: raw, index: index, opts: &s.opts}
	f.refs.Store(1)
	defer f.release()
	if f.nc, err = netcdf.New(raw, raw.Size); err != nil {
		return yield(importers.Pending{}, &importers.BadInput{Where: raw.Name, Err: err})
	}
	parts, notes, err := f.plan()
	if len(notes) > 0 && !yield(importers.Pending{Where: raw.Name, Notes: notes}, nil) {
		return false
	}
	if err != nil {
		return yield(importers.Pending{}, &importers.BadInput{Where: raw.Name, Err: err})
	}
	n, i := int64(parts.n), int64(0)
	for p := range parts.each {
		// How much of the file a part takes is not known without reading indexes: progress counts
		// parts.
		p.bytes = raw.Size*(i+1)/n - raw.Size*i/n
		i++
		f.refs.Add(1)
		if !yield(f.pending(p), nil) {
			return false
		}
	}
	return true
}

// plan is what is converted of a file: n parts.
type plan struct {
	n    int
	each iter.Seq[part]
}

// plan lists the variables to convert, and what is said about the others.
func (f *file) plan() (*plan, []string, error) {
	vars, notes := f.variables(f.nc.Root(), nil, nil, nil)
	if len(vars) == 0 {
		if len(notes) == 0 {
			return nil, nil, fmt.Errorf("%w: it has no variables at all", ErrNoVariables)
		}
		return nil, notes, noVariables(f.nc.Root())
	}
	if f.opts.Split != SplitRecord {
		return &plan{len(vars), f.whole(vars)}, notes, nil
	}
	record := firstUnlimited(f.nc.Root())
	if record == nil {
		return nil, notes, errors.New("no dimension is unlimited: there are no records to split by")
	}
	if record.Len == 0 {
		return nil, notes, fmt.Errorf("the unlimited dimension %s has no records yet", record.Name)
	}
	if err := f.plausibleRecords(record); err != nil {
		return nil, notes, err
	}
	return &plan{len(vars) * int(record.Len), f.records(vars, record)}, notes, nil
}

// noVariables is the error when nothing below g can be converted. It names the first variable that
// is numeric and needs something not implemented.
func noVariables(g *netcdf.Group) error {
	var unsupported *netcdf.UnsupportedError
	for _, v := range g.Vars {
		if errors.As(v.Err, &unsupported) {
			return fmt.Errorf("%w that can be read: variable %s: %w", ErrNoVariables, text(v.Path), v.Err)
		}
	}
	for _, sub := range g.Groups {
		if err := noVariables(sub); err != ErrNoVariables {
			return err
		}
	}
	return ErrNoVariables
}

// variables lists the numeric variables of g and the groups below it.
func (f *file) variables(g *netcdf.Group, above []*netcdf.Group, vars []variable, notes []string) ([]variable, []string) {
	for _, s := range g.Skipped {
		notes = append(notes, fmt.Sprintf("%s%s is passed over: %v", strings.TrimPrefix(pathIn(g), "/"), s.Name, s.Err))
	}
	notes = append(notes, attrNotes("group "+text(g.Path)+": ", g.Attrs)...)
	groups := append(above[:len(above):len(above)], g)
	for _, v := range g.Vars {
		kind, err := elementsOf(v)
		if err != nil {
			notes = append(notes, fmt.Sprintf("variable %s is passed over: %v", strings.TrimPrefix(v.Path, "/"), err))
			continue
		}
		vars = append(vars, variable{v: v, kind: kind, groups: groups})
	}
	for _, sub := range g.Groups {
		vars, notes = f.variables(sub, groups, vars, notes)
	}
	return vars, notes
}

// pathIn is the prefix of names in g: "/" or "/a/b/".
func pathIn(g *netcdf.Group) string {
	if strings.HasSuffix(g.Path, "/") {
		return g.Path
	}
	return g.Path + "/"
}

func firstUnlimited(g *netcdf.Group) *netcdf.Dim {
	for _, d := range g.Dims {
		if d.Unlimited {
			return d
		}
	}
	for _, sub := range g.Groups {
		if d := firstUnlimited(sub); d != nil {
			return d
		}
	}
	return nil
}

// whole yields every variable once.
func (f *file) whole(vars []variable) iter.Seq[part] {
	return func(yield func(part) bool) {
		for i := range vars {
			group := fmt.Sprintf("file %d", f.index)
			if f.opts.Split == SplitVariable {
				group = fmt.Sprintf("file %d variable %d", f.index, i)
			}
			if !yield(part{variable: &vars[i], group: group, axis: -1}) {
				return
			}
		}
	}
}

// records yields the variables once for each record; those without the dimension are repeated as
// they are.
func (f *file) records(vars []variable, dim *netcdf.Dim) iter.Seq[part] {
	return func(yield func(part) bool) {
		readers := recordReaders(vars, dim)
		for r := range dim.Len {
			group := fmt.Sprintf("file %d record %d", f.index, r)
			for i := range vars {
				p := part{variable: &vars[i], group: group, axis: -1, split: true, record: r}
				if reader := readers[i]; reader != nil {
					p.axis, p.window = reader.axis, reader.window(r)
				}
				if !yield(p) {
					return
				}
			}
		}
	}
}

// recordReaders says how the records of each variable are read; nil for those without the
// dimension.
func recordReaders(vars []variable, dim *netcdf.Dim) []*recordReader {
	readers := make([]*recordReader, len(vars))
	n := 0
	for i := range vars {
		if slices.Contains(vars[i].v.Dims, dim) {
			n++
		}
	}
	for i := range vars {
		if axis := slices.Index(vars[i].v.Dims, dim); axis >= 0 {
			readers[i] = newRecordReader(vars[i].v, axis, windowBytes/uint64(n))
		}
	}
	return readers
}
