package archive

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/tgmconv/tgmconv/catalog"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/importers/fromtet"
	"github.com/tgmconv/tgmconv/internal/lru"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// A Client finds, opens and creates files. [storage.Client] is one.
type Client interface {
	importers.Opener
	Find(ctx context.Context, locations ...string) ([]storage.Input, error)
	Create(ctx context.Context, location string) (storage.Writer, error)
}

// Options configure [Open].
type Options struct {
	Client  Client // nil is a storage.Client
	Dataset dataset.Options
	Index   IndexMode
	// Warn, which may be nil, is called for what is not as it should be and does no harm, such as an
	// index that cannot be read.
	Warn func(text string)
}

// An Archive is files in the state in which they were catalogued. It may be used by several
// goroutines.
type Archive struct {
	// Set is the labelled dataset.
	Set *dataset.Dataset
	// Catalog has an entry for each object; its numbers are the refs of Set.
	Catalog *catalog.Catalog
	// Bad says what could not be read, and why.
	Bad []string
	// Indexed is the number of files whose entries came from the index.
	Indexed int

	names    []string
	opts     Options
	files    *importers.OpenFiles[struct{}]
	states   map[string]catalog.FileState
	sources  map[importers.Format]importers.Source
	messages *lru.Cache[*tgm.Message]
	scratch  sync.Pool
	reading  chan struct{} // bounds the fields of sources that are read at a time
}

// Open finds the files that names stand for, catalogues what the index does not know, and builds the
// dataset. What cannot be read is left out, unless it is all there is.
func Open(ctx context.Context, names []string, opts Options) (*Archive, error) {
	return open(ctx, names, opts, nil)
}

// open opens an archive; entries of files that have not changed are taken from known, which may be
// nil, or from the index.
func open(ctx context.Context, names []string, opts Options, known *catalog.Catalog) (*Archive, error) {
	if opts.Client == nil {
		opts.Client = new(storage.Client)
	}
	if opts.Warn == nil {
		opts.Warn = func(string) {}
	}
	a := newArchive(names, opts)
	if err := a.fill(ctx, known); err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

// Sizes of what is kept: files that nobody reads stay open, parsed messages are kept.
const (
	idleFiles      = 64
	keptMessages   = 1 << 14 // objects, roughly
	fieldsAtATime  = 8
	objectsForZero = 8 // what a message counts for beside its objects
)

func newArchive(names []string, opts Options) *Archive {
	a := &Archive{
		Catalog: new(catalog.Catalog), names: names, opts: opts, states: make(map[string]catalog.FileState),
		files:   importers.NewOpenFiles(opts.Client, idleFiles, func(*importers.InputFile) struct{} { return struct{}{} }),
		sources: make(map[importers.Format]importers.Source),
		reading: make(chan struct{}, fieldsAtATime),
		messages: lru.New(lru.Options[*tgm.Message]{Limit: keptMessages, Cost: func(_ string, m *tgm.Message) int64 {
			n, _ := m.NumObjects()
			return min(int64(n+objectsForZero), keptMessages)
		}}),
	}
	for _, format := range []importers.Format{importers.FormatGRIB, importers.FormatNetCDF, importers.FormatTet} {
		a.sources[format] = newSource(nil, format, opts.Client)
	}
	a.scratch.New = func() any { return new(importers.Scratch) }
	return a
}

// Close closes the files. Nothing of the archive may be in use.
func (a *Archive) Close() error {
	errs := []error{a.files.Close()}
	for _, s := range a.sources {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}

// fill catalogues the files and builds the dataset.
func (a *Archive) fill(ctx context.Context, known *catalog.Catalog) error {
	inputs, err := a.inputs(ctx)
	if err != nil {
		return err
	}
	states := a.look(ctx, inputs)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	index := newIndexFile(a.names, a.opts)
	if known == nil {
		known = index.read(ctx)
	}
	if err := a.catalogue(ctx, inputs, states, known); err != nil {
		return err
	}
	for _, f := range a.Catalog.Files() {
		a.states[f.Name] = f
		a.Bad = append(a.Bad, f.Notes...)
	}
	if a.Set, err = dataset.BuildCatalog(a.Catalog, a.opts.Dataset); err != nil {
		return err
	}
	if a.Catalog.Len() == 0 {
		return a.nothing()
	}
	if a.Indexed < len(inputs) {
		index.write(ctx, a.Catalog)
	}
	return nil
}

// nothing is the error for inputs of which nothing can be shown.
func (a *Archive) nothing() error {
	if len(a.Bad) > 0 {
		return errors.New(a.Bad[0])
	}
	return errors.New("the inputs hold no Tensogram, GRIB, netCDF or .tet data")
}

// A look is what is known of an input before it is catalogued.
type look struct {
	size    int64
	version string
	format  importers.Format
	err     error
}

// look finds the state of each input; that of unchanged files decides whether they are read.
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
	if known != nil {
		for _, f := range known.Files() {
			old[f.Name] = f
		}
		if a.allKnown(inputs, states, known.Files()) {
			a.Catalog, a.Indexed = known, len(inputs)
			return nil
		}
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
		if f, ok := old[in.Name]; ok && s.err == nil && s.version != "" && f.Size == s.size && f.Version == s.version {
			if err := errors.Join(flush(), a.Catalog.AddFrom(known, in.Name)); err != nil {
				return err
			}
			a.Indexed++
			continue
		}
		a.detect(ctx, in, s)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case s.err != nil && len(inputs) == 1:
			return s.err
		case s.err != nil:
			file.Notes = []string{named(in.Name, s.err)}
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
		if s.err != nil || s.version == "" || f.Name != in.Name || f.Size != s.size || f.Version != s.version {
			return false
		}
	}
	return true
}

// detect finds the format of an input; "" means that it is nothing to show, and was found in a
// folder.
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
	case found == importers.FormatGRIB, found == importers.FormatNetCDF, found == importers.FormatTet, found == importers.FormatTensogram:
		s.format = found
	case !in.FromFolder:
		s.err = &importers.FormatError{Found: found, Expected: "Tensogram, GRIB, netCDF or .tet"}
	}
}

// addMessages catalogues a Tensogram file. What cannot be read ends it, and is noted.
func (a *Archive) addMessages(ctx context.Context, name string) error {
	f, err := a.files.Acquire(ctx, name)
	if err != nil {
		return err
	}
	defer f.Release()
	file, err := tgm.NewFile(f.Reader(), f.Size())
	if err == nil {
		err = a.Catalog.AddMessages(ctx, file, name)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		a.note(name, named(name, err))
	}
	return nil
}

// addSource catalogues GRIB or netCDF files. What cannot be read is noted.
func (a *Archive) addSource(ctx context.Context, inputs []storage.Input, format importers.Format) error {
	if len(inputs) == 0 {
		return nil
	}
	s := newSource(inputs, format, a.opts.Client)
	defer s.Close()
	err := a.Catalog.AddSource(ctx, s, func(b *importers.BadInput) error {
		a.note(fileOf(inputs, b.Where), b.Where+": "+b.Err.Error())
		return nil
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil && len(inputs) == 1 {
		a.note(inputs[0].Name, named(inputs[0].Name, err))
		return nil
	}
	return err
}

// newSource makes the source of files of a format.
func newSource(inputs []storage.Input, format importers.Format, opener importers.Opener) importers.Source {
	switch format {
	case importers.FormatNetCDF:
		return fromnetcdf.New(inputs, fromnetcdf.Options{Opener: opener})
	case importers.FormatTet:
		return fromtet.New(inputs, fromtet.Options{Opener: opener})
	}
	return fromgrib.New(inputs, fromgrib.Options{SkipBad: true, Opener: opener})
}

// fileOf is the input that a place belongs to.
func fileOf(inputs []storage.Input, where string) string {
	best := inputs[0].Name
	for _, in := range inputs {
		if name := storage.Display(in.Name); strings.HasPrefix(where, name) && len(name) >= len(storage.Display(best)) {
			best = in.Name
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

// named puts the name of a file before what is wrong with it, unless it is there.
func named(name string, err error) string {
	name = storage.Display(name)
	text := strings.TrimPrefix(err.Error(), "tgm: ")
	if strings.HasPrefix(text, name) {
		return text
	}
	return name + ": " + text
}

// gone is the error for an entry that has no object any more.
func gone(where string) error { return fmt.Errorf("%s: the object is not there any more", where) }
