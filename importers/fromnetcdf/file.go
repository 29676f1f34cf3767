package fromnetcdf

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/netcdf"
)

// file is an open input. parse must be called before anything else is asked of it.
type file struct {
	*importers.InputFile
	source *Source
	parse  func() error // once

	nc        *netcdf.File
	vars      []variable
	message   map[string]any                // description of the file in its messages
	notes     []string                      // about variables that are skipped
	leftOut   []string                      // the variables and links among these, see importers.Part
	refused   []error                       // why variables are not converted that need other files
	loaded    uint64                        // texts and sequences of its variables
	externals sync.Map                      // of *externalFile, by the names that the input has for them
	unusable  error                         // why a variable is not converted
	chosen    *choice                       // nil when all variables are converted
	record    *netcdf.Dim                   // that variables are split by; nil when they are not
	readers   map[*netcdf.Var]*recordReader // of the variables with that dimension
	times     *times
	complex   complexes
	// referenced are the roles that variables have by attributes of others, by their paths.
	referenced map[string]cf.Role
}

func (s *Source) newFile(in *importers.InputFile) *file {
	f := &file{InputFile: in, source: s}
	f.parse = sync.OnceValue(func() (err error) {
		f.expectMetadata()
		if f.nc, err = f.openModel(); err != nil {
			return err
		}
		describeRadar(f.nc)
		assumeMissing(f.nc, s.opts.Missing)
		if f.record = f.recordDim(); f.record != nil {
			f.record.Unlimited = true // as records are known, also where the format has no unlimited dimensions
		}
		if err := f.variables(); err != nil {
			return err
		}
		f.times, f.referenced = newTimes(f), f.roles()
		if f.record != nil {
			f.readers = recordReaders(&s.windows, f.vars, f.record)
		}
		return nil
	})
	return f
}

// recordDim is the dimension by which the file is split, nil for none.
func (f *file) recordDim() *netcdf.Dim {
	opts, isZarr := &f.source.opts, f.nc.Kind == netcdf.Zarr
	switch {
	case opts.Split == SplitRecord && isZarr: // which has no unlimited dimensions
		first, _ := firstOfLargest(f.nc.Root())
		return first
	case opts.Split == SplitRecord:
		return firstUnlimited(f.nc.Root())
	case opts.Split == SplitFile && isZarr && opts.MaxMemory > 0:
		first, bytes := firstOfLargest(f.nc.Root())
		if bytes > uint64(opts.MaxMemory) && bytes/first.Len >= smallRecord {
			return first
		}
	}
	return nil
}

// openModel reads the metadata.
func (f *file) openModel() (*netcdf.File, error) {
	if model := f.source.opts.Model; model != nil {
		return model(f.InputFile)
	}
	return netcdf.NewFile(f.Reader(), f.Size(), netcdf.WithOpener(nameOf(f.InputFile), f.openExternal))
}

// Close closes the input.
func (f *file) Close() error {
	for _, r := range f.readers {
		f.source.windows.forget(r)
	}
	if f.nc != nil {
		return errors.Join(f.nc.Close(), f.InputFile.Close())
	}
	return f.InputFile.Close()
}

// isBare reports whether the file has only attributes, dimensions, groups and types.
func (f *file) isBare() bool {
	if f.source.opts.chooses() {
		return false
	}
	root := f.nc.Root()
	something := len(root.Attrs)+len(root.Dims)+len(root.Types)+len(root.Groups)+len(root.Aliases) > 0
	return something && !hasVariables(root)
}

// hasVariables reports whether there is a variable, or a possible variable, in a group or below it.
func hasVariables(g *netcdf.Group) bool {
	return len(g.Vars)+len(g.Skipped) > 0 || slices.ContainsFunc(g.Groups, hasVariables)
}

// bare is the field of a file without variables: the description in its message.
func (f *file) bare(p *importers.Part) (*importers.Field, error) {
	if err := f.parse(); err != nil {
		return nil, err
	}
	if !f.isBare() {
		return nil, errors.New("the file was opened again and has variables")
	}
	return &importers.Field{Group: p.Group, Where: p.Where(), Message: f.message, Source: f.source.sourceOf(p.Input)}, nil
}

// plan returns how many parts the file has, or why it has none.
func (f *file) plan() (int64, error) {
	if len(f.vars) == 0 {
		if len(f.refused) > 0 {
			return 0, nil
		}
		if f.isBare() {
			return 1, nil
		}
		if f.chosen != nil && f.chosen.asked == 0 {
			return 0, nil
		}
		if len(f.notes) == 0 {
			return 0, fmt.Errorf("%w: it has no variables, dimensions, attributes or groups", ErrNoVariables)
		}
		if f.unusable != nil {
			return 0, fmt.Errorf("%w: %w", ErrNoVariables, f.unusable)
		}
		return 0, ErrNoVariables
	}
	if f.record == nil && f.source.opts.Split != SplitRecord {
		return int64(len(f.vars)), nil
	}
	if f.record == nil {
		return 0, errors.New("no dimension is unlimited: there are no records to split by")
	}
	if f.record.Len == 0 {
		return 0, fmt.Errorf("the unlimited dimension %s has no records yet", f.record.Name)
	}
	if err := f.plausibleRecords(f.record); err != nil {
		return 0, err
	}
	return int64(len(f.vars)) * int64(f.record.Len), nil
}

// parts lists the variables, once or once for each record. Variables without the dimension of the records are
// repeated unchanged.
func (f *file) parts(ctx context.Context, index int) iter.Seq[importers.Part] {
	return func(yield func(importers.Part) bool) {
		if f.isBare() {
			yield(importers.Part{Group: f.group(index, 0, 0)})
			return
		}
		records := uint64(1)
		if f.record != nil {
			records = f.record.Len
		}
		for r := range records {
			if !f.selectsRecord(ctx, r) {
				continue
			}
			for i := range f.vars {
				p := importers.Part{Number: i, Variable: f.vars[i].name(), Group: f.group(index, i, r)}
				if f.record != nil {
					p.Record, p.Repeated = &r, f.readers[f.vars[i].v] == nil
				}
				p.Memory = f.part(&p, &f.vars[i]).memory()
				if !yield(p) {
					return
				}
			}
		}
	}
}

// group is the group of a variable of the file with that index among the inputs.
func (f *file) group(index, variable int, record uint64) string {
	switch {
	case f.source.opts.Split == SplitVariable:
		return fmt.Sprintf("file %d variable %d", index, variable)
	case f.record != nil:
		return fmt.Sprintf("file %d record %d", index, record)
	}
	return fmt.Sprintf("file %d", index)
}

// find is the part of the file that p stands for.
func (f *file) find(p *importers.Part) (*part, error) {
	if err := f.parse(); err != nil {
		return nil, err
	}
	v := f.named(p)
	if v == nil {
		return nil, fmt.Errorf("variable %d of the file is not %s: the input has changed", p.Number, p.Variable)
	}
	if (p.Record != nil) != (f.record != nil) {
		return nil, errors.New("the part was listed with another way of splitting")
	}
	if p.Record != nil && *p.Record >= f.record.Len {
		return nil, fmt.Errorf("record %d of dimension %s, which has %d", *p.Record, f.record.Name, f.record.Len)
	}
	return f.part(p, v), nil
}

// named is the variable of a part of the file, or a part of its complex numbers. It is nil if it is not
// there.
func (f *file) named(p *importers.Part) *variable {
	if p.Number < 0 || p.Number >= len(f.vars) {
		return nil
	}
	v := &f.vars[p.Number]
	if v.name() == p.Variable {
		return v
	}
	for i := range v.parts {
		if v.parts[i].name() == p.Variable {
			return &v.parts[i]
		}
	}
	return nil
}

// part is the part p of the variable v.
func (f *file) part(p *importers.Part, v *variable) *part {
	out := &part{variable: v, axis: -1}
	if p.Record == nil {
		return out
	}
	out.split, out.record = true, *p.Record
	if r := f.readers[v.v]; r != nil {
		out.axis, out.reader = r.axis, r
	}
	return out
}

// variables lists the variables of all groups, and describes variables and attributes outside all objects.
func (f *file) variables() error {
	var others []mapping.NetCDFVariable
	f.chosen = f.choose()
	var walk func(g *netcdf.Group) error
	walk = func(g *netcdf.Group) error {
		for _, s := range g.Skipped {
			if f.source.opts.mayChoose(g, s.Name) && f.refuses(pathIn(g)+s.Name, s.Err) {
				continue
			}
			f.passOver("", pathIn(g)+s.Name, s.Err)
		}
		f.notes = append(f.notes, attrNotes("group "+text(g.Path)+": ", g.Attrs)...)
		for _, v := range g.Vars {
			if f.chosen != nil && !f.chosen.taken[v] {
				continue
			}
			list, err := f.forms(v)
			if f.refuses(v.Path, err) {
				continue
			}
			if err != nil {
				other, err := f.unused(v, err)
				if err != nil {
					return err
				}
				others = append(others, other)
			}
			f.vars = append(f.vars, list...)
		}
		for _, sub := range g.Groups {
			if err := walk(sub); err != nil {
				return err
			}
		}
		return nil
	}
	if err := walk(f.nc.Root()); err != nil {
		return err
	}
	var err error
	f.message, err = f.extra(others)
	return err
}

// unused describes a variable that is not converted, or not all of it. The first that needs
// something not implemented, or else the first, stands for all when nothing else is in the file.
func (f *file) unused(v *netcdf.Var, reason error) (mapping.NetCDFVariable, error) {
	f.passOver("variable ", v.Path, reason)
	unsupported := errors.As(reason, new(*netcdf.UnsupportedError))
	if f.unusable == nil || unsupported && !errors.As(f.unusable, new(*netcdf.UnsupportedError)) {
		f.unusable = fmt.Errorf("variable %s: %w", text(v.Path), reason)
	}
	return f.other(v, reason)
}

// passOver notes that a variable, or the target of a link, is not read.
func (f *file) passOver(kind, path string, why error) {
	name := text(strings.TrimPrefix(path, "/"))
	f.notes = append(f.notes, fmt.Sprintf("%s%s is skipped: %v", kind, name, why))
	f.leftOut = append(f.leftOut, fmt.Sprintf("%s: %v", name, why))
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

// firstOfLargest is the first dimension of the largest variable in and below a group, and the variable's
// bytes. It is nil if no variable has dimensions.
func firstOfLargest(g *netcdf.Group) (first *netcdf.Dim, largest uint64) {
	var look func(g *netcdf.Group)
	look = func(g *netcdf.Group) {
		for _, v := range g.Vars {
			if len(v.Dims) > 0 && (first == nil || v.Size() > largest) {
				first, largest = v.Dims[0], v.Size()
			}
		}
		for _, sub := range g.Groups {
			look(sub)
		}
	}
	look(g)
	return first, largest
}

// recordReaders are the readers of the records of each variable with the dimension.
func recordReaders(windows *windows, vars []variable, dim *netcdf.Dim) map[*netcdf.Var]*recordReader {
	axes := make(map[*netcdf.Var]int)
	for i := range vars {
		if axis := slices.Index(vars[i].v.Dims, dim); axis >= 0 {
			axes[vars[i].v] = axis
			for _, p := range vars[i].parts {
				axes[p.v] = axis
			}
		}
	}
	readers := make(map[*netcdf.Var]*recordReader, len(axes))
	for v, axis := range axes {
		readers[v] = newRecordReader(windows, v, axis, windowBytes/uint64(len(axes)))
	}
	return readers
}
