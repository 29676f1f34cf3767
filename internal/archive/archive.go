package archive

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/internal/lru"
	"github.com/tgmconv/tgmconv/mapping"
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
	// Inputs, if not empty, are opened instead of the names.
	Inputs []storage.Input
	// Part says that the inputs are a part of an archive: an input that cannot be read is noted even if there is no other.
	Part bool
	// Bad, which may be nil, is called with the error of an input before the input is noted as bad. An error of Bad ends Open.
	Bad func(error) error
	// Catalogue, if not empty, is where the catalogue of the inputs lies, or will lie. It is no input itself, and
	// entries of files that have not changed are taken from it.
	Catalogue string
	// OnlyInputs reads no other files than the inputs where an input refers to others.
	OnlyInputs bool
	// NoLinks leaves out symbolic links in folders that lead out of these.
	NoLinks bool
	// Select, which may be nil, reports whether an object is chosen. It is called for each object in order, with
	// all its metadata, before Open returns. If it is set, the index is neither read nor written.
	Select func(*dataset.Object) bool
	// Excludes, which may be nil, reports whether Select need not be asked for an object. It is asked before
	// more than the object's metadata is read, see [catalog.Catalog].
	Excludes func(*mapping.Known) bool
	// SelectIndexed says that Select asks for nothing that an index does not have: the labels of objects and
	// their names. Then an index that has all inputs is read.
	SelectIndexed bool
	// KeepIndex, with SelectIndexed, catalogues all objects also where Select takes a few. It also notes the
	// form of the values of GRIB fields whose points are picked, so that [Archive.SaveIndex] can write the
	// index.
	KeepIndex bool
	// WithNeeded adds to the chosen objects the objects that they need: coordinates, bounds, grid mappings,
	// ancillary variables, see [cf.Belongings].
	WithNeeded bool
	// Chosen, which may be nil, is called for each object that Select or WithNeeded takes. Calls are in
	// order, before Open returns. They have the object's number in the catalogue.
	Chosen func(*dataset.Object)
	// Axes lists the coordinates of the axes of grids as well, see [catalog.Catalog]. With it the index
	// is neither read nor written.
	Axes bool
	// SkipHashes reads objects without comparing them with their hashes.
	SkipHashes bool
	// Missing are numbers that mean a missing point in netCDF files without an attribute, see
	// [fromnetcdf.Options]. With some the index is neither read nor written.
	Missing []float64
	// MaxArray bounds the bytes of an array that is decoded from less than a 1024th of its size. It is for files
	// that are not Tensogram; 0 is the default of the format.
	MaxArray int64
	// Warn, which may be nil, is called for harmless problems, such as an index that cannot be read.
	Warn func(text string)
}

// An Archive is a set of files in the states in which they were catalogued. It may be used by
// several goroutines.
type Archive struct {
	// Set is the labelled dataset; nil after [List].
	Set *dataset.Dataset
	// Catalog has an entry for each object; its numbers are the refs of Set.
	Catalog *catalog.Catalog
	// Bad says which inputs, and which parts of them, could not be read, and why; [Archive.LeftOut]
	// names variables.
	Bad []string
	// PassedOver are the files of folders that are of no format that is read.
	PassedOver []string
	// Indexed is the number of files whose entries came from the index.
	Indexed int

	names  []string
	opts   Options
	live   *catalog.Catalog // of the files that are there; Catalog may have others as well
	of     *Archive         // whose files these are, see [Archive.Keeping]; nil if they are its own
	gone   []bool           // which refs are of gone files; nil for none
	values keptValues
	index  *indexFile
	every  *everything
	stored sync.Map // names of files in a history by their names

	extends bool            // the catalogue of the options is there
	same    map[string]bool // files that have not changed since they were catalogued

	foldersOnce sync.Once
	cutFolders  []string // see Relative

	files    *importers.OpenFiles[struct{}]
	states   map[string]catalog.FileState
	versions map[string]string // of files with the files that they refer to
	external *externals
	refused  error
	omitted  []string // variables of the inputs that are not in the catalogue
	sources  map[importers.Format]importers.Source
	entries  *fromgrib.Entries
	messages *lru.Cache[*keptMessage]
	varies   sync.Map // of fields of which [Archive.constant] found that their values differ, by their keys there
	layouts  *lru.Cache[*importers.Layout]
	scratch  sync.Pool
	indexes  *valueIndexes
	hashed   sync.Map      // refs of objects whose rows were read and that agree with their hashes
	reading  chan struct{} // bounds the fields of sources that are read at a time
}

// Open finds the files of names, catalogues files that the index does not know, and builds the dataset.
// Unreadable parts are left out, unless there is nothing else.
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

// open opens an archive. Entries of files that have not changed are taken from known, which may be nil, or
// from the index.
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
	if opts.Select != nil && !opts.SelectIndexed || opts.Axes || len(opts.Missing) > 0 {
		opts.Index = IndexNone
	}
	return newArchive(names, opts)
}

// Bounds of caches: files that nobody reads stay open, parsed messages are kept.
const (
	remoteCompared = 8 << 20 // bytes that are fetched to see whether variables of files differ
	idleFiles      = 64
	keptMessages   = 1 << 14 // objects, roughly
	objectsForZero = 8       // the weight of a message beside its objects
)

func newArchive(names []string, opts Options) *Archive {
	a := &Archive{
		Catalog: &catalog.Catalog{Axes: opts.Axes}, names: names, opts: opts, index: newIndexFile(names, opts),
		states: make(map[string]catalog.FileState), versions: make(map[string]string), same: make(map[string]bool),
		external: newExternals(opts.Client, opts.OnlyInputs),
		files:    importers.NewOpenFiles(opts.Client, idleFiles, func(*importers.InputFile) struct{} { return struct{}{} }),
		sources:  make(map[importers.Format]importers.Source),
		reading:  make(chan struct{}, max(8, 2*runtime.GOMAXPROCS(0))),
		layouts:  newLayouts(),
		entries:  fromgrib.NewEntries(),
		indexes:  new(valueIndexes),
		messages: lru.New(lru.Options[*keptMessage]{Limit: keptMessages, Cost: func(_ string, m *keptMessage) int64 {
			return min(int64(len(m.objects)+objectsForZero), keptMessages)
		}}),
	}
	for _, format := range importers.Sources() {
		a.sources[format] = a.newSource(nil, format)
	}
	a.scratch.New = func() any { return new(importers.Scratch) }
	return a
}

// Close closes the files. Nothing of the archive may be in use, nor an archive that [Archive.Keeping]
// made of it.
func (a *Archive) Close() error {
	if a.of != nil {
		return nil
	}
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
	if err := a.build(ctx); err != nil {
		return err
	}
	if a.Catalog.Len() == 0 && len(a.Bare()) == 0 {
		return a.nothing()
	}
	save()
	return nil
}

// build builds the dataset.
func (a *Archive) build(ctx context.Context) (err error) {
	opts := a.opts.Dataset
	opts.Read = func(ref int) (*tgm.Array, error) {
		array, err := dataset.Read(ctx, a, ref, nil)
		if e := a.Catalog.Entry(ref); err == nil && array.DType == e.DType && slices.Equal(array.Shape, e.Shape) {
			a.values.keep(ref, array.Data)
		}
		return array, err
	}
	if a.gone != nil {
		opts.Gone = func(ref int) bool { return a.gone[ref] }
	}
	opts.AlongRows = a.AlongRows(ctx)
	if slices.ContainsFunc(a.names, storage.IsRemote) {
		opts.MaxCompared = remoteCompared
	}
	a.Set, err = dataset.BuildCatalog(a.Catalog, opts)
	return err
}

// list catalogues the files. The result writes the index.
func (a *Archive) list(ctx context.Context, known *catalog.Catalog) (save func(), err error) {
	inputs, left, err := a.inputs(ctx)
	if err != nil {
		return nil, err
	}
	for _, in := range left {
		a.Bad = append(a.Bad, in.Name+": a symbolic link that leads out of the folder is followed only with --external, or where it is named itself")
	}
	files, listed, err := a.catalogued(ctx, inputs)
	if err != nil {
		return nil, err
	}
	if known == nil && a.opts.Catalogue != "" {
		known = a.before(ctx)
		a.extends = known != nil
	}
	if listed != nil {
		inputs = files
		if known == nil {
			known = listed
		}
	}
	a.external.restrict(inputs)
	index := a.index
	if known == nil {
		known = index.read(ctx, inputs)
	}
	looking := ctx
	if known != nil {
		looking = storage.Sparse(ctx) // the beginnings of unchanged files are not needed
	}
	states := a.look(looking, inputs)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if !a.chooseKnown(inputs, states, known) {
		if a.opts.Select != nil {
			known = nil
		}
		if err := a.catalogue(ctx, inputs, states, known); err != nil {
			return nil, err
		}
	}
	a.live = a.Catalog
	a.keepIndex()
	a.external.seal()
	for _, f := range a.Catalog.Files() {
		a.states[f.Name] = f
		if a.versions[f.Name] = f.Version; f.Version != "" {
			a.versions[f.Name] += a.external.version(f.Name)
		}
		a.Bad = append(a.Bad, f.Notes...)
		a.omitted = append(a.omitted, f.LeftOut...)
	}
	return func() {
		if a.Indexed < len(inputs) && a.opts.Select == nil && listed == nil && a.large() {
			index.write(ctx, a.reusable())
		}
	}, nil
}

// LeftOut names the variables that cannot be read, and why. For example, their elements lie in a
// missing file.
func (a *Archive) LeftOut() []string { return a.omitted }

// Bare returns the descriptions of netCDF files in messages without objects. It also returns the descriptions
// of netCDF files without variables.
func (a *Archive) Bare() (messages []map[string]any) {
	for _, f := range a.Catalog.Files() {
		messages = append(messages, f.Bare...)
	}
	return messages
}

// HasData returns an error if none of the inputs is of a format that is read.
func (a *Archive) HasData() error {
	for _, f := range a.states {
		if f.Format != "" {
			return nil
		}
	}
	return a.nothing()
}

// nothing is the error for inputs without anything to show.
func (a *Archive) nothing() error {
	if len(a.Bad) > 0 {
		return errors.New(a.Bad[0])
	}
	return &NoDataError{a.names, a.omitted}
}

// A NoDataError is the error for inputs that are all of other formats.
type NoDataError struct {
	Names   []string
	LeftOut []string // variables that cannot be read, and why
}

// namedInputs is how many inputs a [NoDataError] names.
const namedInputs = 3

func (e *NoDataError) Error() string {
	if len(e.LeftOut) > 0 {
		return strings.Join(e.LeftOut, "; ")
	}
	return e.Inputs() + ": found no Tensogram, GRIB, netCDF, Zarr or .tet data"
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

// Identity returns a text that is the same for archives of the same files wherever these lie: with their
// names, sizes, and versions, or of Tensogram files the hashes of their objects.
func (a *Archive) Identity() string {
	files := a.live.Files()
	folder := ""
	for i, f := range files {
		if dir, _ := path.Split(filepath.ToSlash(f.Name)); i == 0 {
			folder = dir
		} else {
			for !strings.HasPrefix(f.Name, folder) {
				folder, _ = path.Split(strings.TrimSuffix(folder, "/"))
			}
		}
	}
	var text strings.Builder
	for _, f := range files {
		state := a.versions[f.Name]
		if f.Digest != "" {
			state = f.Digest
		}
		if f.Format != "" {
			fmt.Fprintf(&text, "%q %d %q\n", strings.TrimPrefix(filepath.ToSlash(f.Name), folder), f.Size, state)
		}
	}
	return text.String()
}

// State returns a text that identifies the files and their states. It differs when a file has
// changed.
func (a *Archive) State() string {
	var text strings.Builder
	for _, f := range a.Catalog.Files() {
		if f.Format != "" {
			fmt.Fprintf(&text, "%q %d %q\n", f.Name, f.Size, a.versions[f.Name])
		}
	}
	return text.String()
}

// Files are the catalogued files in the order of their names.
func (a *Archive) Files() []catalog.FileState {
	files := make([]catalog.FileState, 0, len(a.states))
	for _, name := range slices.Sorted(maps.Keys(a.states)) {
		files = append(files, a.states[name])
	}
	return files
}
