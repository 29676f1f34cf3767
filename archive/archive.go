package archive

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/tgmconv/tgmconv/catalog"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromany"
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
	// Inputs, if not empty, are opened instead of what the names stand for.
	Inputs []storage.Input
	// Select, which may be nil, chooses the objects: those for which it reports true. It is called
	// for each object in order, with all its metadata, before Open returns. If it is set, the index
	// is neither read nor written.
	Select func(*dataset.Object) bool
	// Warn, which may be nil, is called for problems that do no harm, such as an index that cannot
	// be read.
	Warn func(text string)
}

// An Archive is a set of files in the states in which they were catalogued. It may be used by
// several goroutines.
type Archive struct {
	// Set is the labelled dataset; nil after [List].
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
	layouts  *lru.Cache[*importers.Layout]
	scratch  sync.Pool
	hashed   sync.Map      // refs of objects of which rows were read, and which are as their hashes say
	reading  chan struct{} // bounds the fields of sources that are read at a time
}

// Open finds the files that names stand for, catalogues what the index does not know, and builds
// the dataset. What cannot be read is left out, unless it is all there is.
func Open(ctx context.Context, names []string, opts Options) (*Archive, error) {
	return open(ctx, names, opts, nil)
}

// List is like [Open] but builds no dataset, for callers that need only single objects. It is no
// error if there are no objects.
func List(ctx context.Context, names []string, opts Options) (*Archive, error) {
	a := prepare(names, opts)
	if _, err := a.list(ctx, nil); err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

// open opens an archive; entries of files that have not changed are taken from known, which may be
// nil, or from the index.
func open(ctx context.Context, names []string, opts Options, known *catalog.Catalog) (*Archive, error) {
	a := prepare(names, opts)
	if err := a.fill(ctx, known); err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

// prepare makes an archive of nothing yet.
func prepare(names []string, opts Options) *Archive {
	if opts.Client == nil {
		opts.Client = new(storage.Client)
	}
	if opts.Warn == nil {
		opts.Warn = func(string) {}
	}
	if opts.Select != nil {
		opts.Index = IndexNone
	}
	return newArchive(names, opts)
}

// Sizes of what is kept: files that nobody reads stay open, parsed messages are kept.
const (
	remoteCompared = 8 << 20 // bytes that are fetched to see whether variables of files differ
	idleFiles      = 64
	keptMessages   = 1 << 14 // objects, roughly
	objectsForZero = 8       // what a message counts for beside its objects
)

func newArchive(names []string, opts Options) *Archive {
	a := &Archive{
		Catalog: new(catalog.Catalog), names: names, opts: opts, states: make(map[string]catalog.FileState),
		files:   importers.NewOpenFiles(opts.Client, idleFiles, func(*importers.InputFile) struct{} { return struct{}{} }),
		sources: make(map[importers.Format]importers.Source),
		reading: make(chan struct{}, max(8, 2*runtime.GOMAXPROCS(0))),
		layouts: newLayouts(),
		messages: lru.New(lru.Options[*tgm.Message]{Limit: keptMessages, Cost: func(_ string, m *tgm.Message) int64 {
			n, _ := m.NumObjects()
			return min(int64(n+objectsForZero), keptMessages)
		}}),
	}
	for _, format := range fromany.Formats() {
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
	save, err := a.list(ctx, known)
	if err != nil {
		return err
	}
	opts := a.opts.Dataset
	opts.Read = func(ref int) (*tgm.Array, error) { return a.Read(ctx, ref, nil) }
	if slices.ContainsFunc(a.names, storage.IsRemote) {
		opts.MaxCompared = remoteCompared
	}
	if a.Set, err = dataset.BuildCatalog(a.Catalog, opts); err != nil {
		return err
	}
	if a.Catalog.Len() == 0 && len(a.Bare()) == 0 {
		return a.nothing()
	}
	save()
	return nil
}

// list catalogues the files. The result writes the index.
func (a *Archive) list(ctx context.Context, known *catalog.Catalog) (save func(), err error) {
	inputs, err := a.inputs(ctx)
	if err != nil {
		return nil, err
	}
	states := a.look(ctx, inputs)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	index := newIndexFile(a.names, a.opts)
	if known == nil {
		known = index.read(ctx, inputs)
	}
	if err := a.catalogue(ctx, inputs, states, known); err != nil {
		return nil, err
	}
	a.Catalog.Keep = nil
	for _, f := range a.Catalog.Files() {
		a.states[f.Name] = f
		a.Bad = append(a.Bad, f.Notes...)
	}
	return func() {
		if a.Indexed < len(inputs) {
			index.write(ctx, a.Catalog)
		}
	}, nil
}

// Bare returns what messages without objects say of the netCDF files that they were made of, and
// the descriptions of netCDF files without variables.
func (a *Archive) Bare() (messages []map[string]any) {
	for _, f := range a.Catalog.Files() {
		messages = append(messages, f.Bare...)
	}
	return messages
}

// nothing is the error for inputs of which nothing can be shown.
func (a *Archive) nothing() error {
	if len(a.Bad) > 0 {
		return errors.New(a.Bad[0])
	}
	return &NoDataError{a.names}
}

// A NoDataError is the error for inputs of which none is of a format that is read.
type NoDataError struct{ Names []string }

// namedInputs is how many inputs a [NoDataError] names.
const namedInputs = 3

func (e *NoDataError) Error() string {
	return e.Inputs() + ": found no Tensogram, GRIB, netCDF or .tet data"
}

// Inputs are the names of the inputs, of the first if there are many.
func (e *NoDataError) Inputs() string {
	var names []string
	for i, name := range e.Names {
		if i == namedInputs {
			names = append(names, fmt.Sprintf("and %d more", len(e.Names)-namedInputs))
			break
		}
		names = append(names, storage.Display(name))
	}
	return strings.Join(names, ", ")
}

// State returns a text that identifies the files and their states. It differs when a file has
// changed.
func (a *Archive) State() string {
	var text strings.Builder
	for _, f := range a.Catalog.Files() {
		if f.Format != "" {
			fmt.Fprintf(&text, "%q %d %q\n", f.Name, f.Size, f.Version)
		}
	}
	return text.String()
}
