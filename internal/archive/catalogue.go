package archive

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/importers/fromtet"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/internal/fromany"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// A look is the state of an input before it is catalogued.
type look struct {
	size    int64
	version string
	format  importers.Format
	err     error
}

// unchanged reports whether the input is in the state in which a file was catalogued.
func (l *look) unchanged(f *catalog.FileState) bool {
	return l.err == nil && l.version != "" && f.Size == l.size && f.Version == l.version
}

// look finds the state of each input; unchanged files are not read again.
func (a *Archive) look(ctx context.Context, inputs []storage.Input) []look {
	states := make([]look, len(inputs))
	for i, in := range inputs {
		if ctx.Err() != nil {
			break
		}
		states[i] = a.state(ctx, in.Name)
	}
	return states
}

func (a *Archive) state(ctx context.Context, name string) look {
	if size, version, ok := localState(name); ok {
		return look{size: size, version: version}
	}
	f, err := a.files.Acquire(ctx, name)
	if err != nil {
		return look{err: err}
	}
	defer f.Release()
	return look{size: f.Size(), version: f.Blob.ETag()}
}

// catalogue lists the objects of all inputs in order.
func (a *Archive) catalogue(ctx context.Context, inputs []storage.Input, states []look, known *catalog.Catalog) error {
	old := make(map[string]catalog.FileState)
	var copier *catalog.Copier
	if known != nil {
		for _, f := range known.Files() {
			old[f.Name] = f
		}
		if a.allKnown(inputs, states, known.Files()) {
			a.Catalog, a.Indexed = known, len(inputs)
			for _, in := range inputs {
				a.same[in.Name] = true
			}
			return nil
		}
	}
	if a.opts.Select != nil {
		c := &chooser{opts: &a.opts, catalog: a.Catalog, every: a.mayKeepIndex()}
		a.Catalog.Keep, known = c.keep, nil
		if !c.every {
			a.Catalog.Excludes = a.opts.Excludes
		}
		defer func() { // also at an error: Keep must not be called again
			a.Catalog.Keep, a.Catalog.Excludes = nil, nil
			if c.every {
				a.retain(a.Catalog, c.refs)
			} else {
				c.finish()
			}
		}()
	}
	var alike []storage.Input // consecutive inputs of one format
	var format importers.Format
	flush := func() error {
		defer func() { alike = nil }()
		return a.addSource(ctx, alike, format)
	}
	for i, in := range inputs {
		s := &states[i]
		file := catalog.FileState{Name: in.Name, Size: s.size, Version: s.version}
		if f, ok := old[in.Name]; ok && s.unchanged(&f) {
			if copier == nil {
				copier = a.Catalog.CopyFrom(known)
			}
			if err := errors.Join(flush(), copier.Add(in.Name, f)); err != nil {
				return err
			}
			a.Indexed++
			a.same[in.Name] = true
			continue
		}
		a.detect(ctx, in, s)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case s.err != nil && len(inputs) == 1 && !a.opts.Part:
			return named(in.Name, s.err)
		case s.err != nil:
			if err := a.bad(named(in.Name, s.err)); err != nil {
				return err
			}
			file.Notes = []string{named(in.Name, s.err).Error()}
		}
		file.Format = string(s.format)
		a.Catalog.SetFile(file)
		if s.err != nil || s.format == "" {
			continue
		}
		if s.format != format || s.format == importers.FormatTensogram {
			if err := flush(); err != nil {
				return err
			}
			format = s.format
		}
		if s.format != importers.FormatTensogram {
			alike = append(alike, in)
		} else if err := a.addMessages(ctx, in.Name); err != nil {
			return err
		}
	}
	return flush()
}

// allKnown reports whether a catalogue has just these inputs, in their order and states.
func (a *Archive) allKnown(inputs []storage.Input, states []look, files []catalog.FileState) bool {
	if len(inputs) != len(files) {
		return false
	}
	for i, in := range inputs {
		f, s := &files[i], &states[i]
		if f.Name != in.Name || !s.unchanged(f) {
			return false
		}
	}
	return true
}

// detect finds the format of an input. "" means that it is nothing to show, was found in a folder, and is not
// named like data.
func (a *Archive) detect(ctx context.Context, in storage.Input, s *look) {
	if s.err != nil {
		return
	}
	f, err := a.files.Acquire(ctx, in.Name)
	if err != nil {
		s.err = err
		return
	}
	defer f.Release()
	found, err := importers.DetectFormat(f.Reader(), f.Size())
	switch {
	case err != nil:
		s.err = err
	case found.IsData():
		s.format = found
	default:
		if err := (&importers.FormatError{Found: found, Expected: "Tensogram, GRIB, netCDF, Zarr or .tet"}); !importers.Ignored(in, err) {
			s.err = err
		} else {
			a.PassedOver = append(a.PassedOver, in.Name)
		}
	}
}

// addMessages catalogues a Tensogram file. An unreadable message ends it, and is noted, as are bytes that
// belong to no message.
func (a *Archive) addMessages(ctx context.Context, name string) error {
	f, err := a.files.Acquire(ctx, name)
	if err != nil {
		return err
	}
	defer f.Release()
	file, err := tgm.NewFile(f.Reader(), f.Size(), tgm.WithCompleter(a.entries))
	if err == nil {
		err = a.Catalog.AddMessages(ctx, file, name, func(b *importers.BadInput) error {
			a.note(name, named(b.Where, b.Err).Error())
			return a.bad(b)
		})
	}
	if err == nil {
		err = file.CheckWhole()
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		a.note(name, named(name, err).Error())
		return a.bad(named(name, err))
	}
	return nil
}

// bad asks the options whether an error ends all.
func (a *Archive) bad(err error) error {
	if a.opts.Bad == nil {
		return nil
	}
	return a.opts.Bad(err)
}

// addSource catalogues GRIB, netCDF, Zarr or .tet files. Unreadable parts are noted.
func (a *Archive) addSource(ctx context.Context, inputs []storage.Input, format importers.Format) error {
	if len(inputs) == 0 {
		return nil
	}
	s := a.newSource(inputs, format)
	defer s.Close()
	asked := ctx
	if format == importers.FormatGRIB {
		asked = storage.Sparse(ctx) // a head a message is much less than the blocks that it lies in
	}
	err := a.Catalog.AddSource(asked, s, func(b *importers.BadInput) error {
		a.note(fileOf(inputs, b.Where), b.Where+": "+b.Err.Error())
		if a.refused == nil && errors.Is(b, storage.ErrExternal) {
			a.refused = b
		}
		return a.bad(b)
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil && len(inputs) == 1 {
		a.note(inputs[0].Name, named(inputs[0].Name, err).Error())
		return a.bad(named(inputs[0].Name, err))
	}
	return err
}

// newSource makes the source of files of a format; without inputs, for values of catalogued objects.
func (a *Archive) newSource(inputs []storage.Input, format importers.Format) importers.Source {
	var opener importers.Opener = a.opts.Client
	if format == importers.FormatNetCDF || format == importers.FormatZarr {
		opener = a.external
	}
	return fromany.Of(format, inputs, opener, fromany.Options{
		GRIB: fromgrib.Options{SkipBad: true, MaxArray: a.opts.MaxArray, ValuesOnly: inputs == nil}, Tet: fromtet.Options{MaxArray: a.opts.MaxArray},
		NetCDF: fromnetcdf.Options{MaxArray: a.opts.MaxArray, Missing: a.opts.Missing},
	})
}

// fileOf is the input that a place belongs to.
func fileOf(inputs []storage.Input, where string) string {
	best, longest := inputs[0].Name, 0
	for _, in := range inputs {
		if name := storage.Display(in.Name); strings.HasPrefix(where, name) && len(name) >= longest {
			best, longest = in.Name, len(name)
		}
	}
	return best
}

// note adds a note to a file.
func (a *Archive) note(name, text string) {
	files := a.Catalog.Files()
	i := slices.IndexFunc(files, func(f catalog.FileState) bool { return f.Name == name })
	if i < 0 {
		return
	}
	f := files[i]
	f.Notes = append(slices.Clone(f.Notes), text)
	a.Catalog.SetFile(f)
}

// named says which file an error is about, unless its text begins with the name.
func named(name string, err error) error {
	name = storage.Display(name)
	if strings.HasPrefix(err.Error(), name) {
		return err
	}
	return &fault.Error{Place: name, Err: err}
}

// gone is the error for an entry that has no object any more.
func gone(where string) error {
	return &fault.Error{Place: where, Err: errors.New("the object is not there any more")}
}
