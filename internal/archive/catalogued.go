package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/storage"
)

// catalogueSuffix ends the names of catalogues: Parquet files that list the files of an archive with all of their
// objects, see [Archive.WriteCatalogue].
const catalogueSuffix = ".parquet"

// catalogued reads the catalogue that is the only input, and returns the files that it lists. It is nil if the input
// is no catalogue. Relative names in it are files below its folder.
func (a *Archive) catalogued(ctx context.Context, inputs []storage.Input) ([]storage.Input, *catalog.Catalog, error) {
	alone := len(inputs) == 1 // in a folder of files it is none of them
	at := slices.IndexFunc(inputs, func(in storage.Input) bool { return (alone || !in.FromFolder) && IsCatalogue(in.Name) })
	if a.opts.Part || at < 0 {
		return nil, nil, nil
	}
	name := inputs[at].Name
	if !alone {
		return nil, nil, fmt.Errorf("%s: a catalogue stands alone, found %d inputs", storage.Display(name), len(inputs))
	}
	c, err := readCatalogue(ctx, a.opts.Client, name)
	if err != nil {
		return nil, nil, err
	}
	var files []storage.Input
	for _, f := range c.Files() {
		if a.opts.OnlyInputs && !isBelow(name, f.Name) {
			return nil, nil, fmt.Errorf("%s: it lists %s, which does not lie below its folder: served with --external only", storage.Display(name), storage.Display(f.Name))
		}
		files = append(files, storage.Input{Name: f.Name, Size: f.Size})
	}
	return files, c, nil
}

// openCatalogue opens the catalogue at a location and reads it with read.
func openCatalogue[T any](ctx context.Context, client Client, name string, read func(io.ReaderAt, int64) (T, error)) (found T, err error) {
	blob, err := client.Open(ctx, name)
	if err != nil {
		return found, err
	}
	defer blob.Close()
	if found, err = read(storage.ReaderAt(ctx, blob), blob.Size()); err != nil {
		err = fmt.Errorf("%s: %s", storage.Display(name), fault.Detail(err))
	}
	return found, err
}

// readCatalogue reads the catalogue at a location, whose files it names from here.
func readCatalogue(ctx context.Context, client Client, name string) (*catalog.Catalog, error) {
	c, err := openCatalogue(ctx, client, name, catalog.ReadParquet)
	if err != nil {
		return nil, err
	}
	return c.Renamed(func(file string) string { return besideCatalogue(name, file) }), nil
}

// IsCatalogue reports whether a location is named like a catalogue. A folder of that name may hold
// references.
func IsCatalogue(name string) bool {
	if !strings.HasSuffix(name, catalogueSuffix) {
		return false
	}
	st, err := os.Stat(storage.LocalPath(name))
	return storage.IsRemote(name) || err != nil || !st.IsDir()
}

// CatalogueFiles returns the files that the catalogue at a location lists and that hold data, with their formats.
func CatalogueFiles(ctx context.Context, client Client, name string) (files []catalog.FileState, err error) {
	all, err := openCatalogue(ctx, client, name, catalog.ParquetFiles)
	if err != nil {
		return nil, err
	}
	for _, f := range all {
		if f.Format != "" {
			f.Name = besideCatalogue(name, f.Name)
			files = append(files, f)
		}
	}
	return files, nil
}

// before reads the catalogue that is made again, nil if there is none that can be used.
func (a *Archive) before(ctx context.Context) *catalog.Catalog {
	c, err := readCatalogue(ctx, a.opts.Client, a.opts.Catalogue)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		a.opts.Warn(err.Error() + "; it is made again")
	}
	return c
}

// besideCatalogue returns the location of a file by its name in a catalogue.
func besideCatalogue(catalogue, name string) string {
	switch {
	case storage.IsRemote(name) || filepath.IsAbs(name):
		return name
	case storage.IsRemote(catalogue):
		address, query, _ := strings.Cut(catalogue, "?")
		location := address[:strings.LastIndex(address, "/")+1] + name
		if query != "" {
			location += "?" + query
		}
		return location
	}
	return filepath.Join(filepath.Dir(storage.LocalPath(catalogue)), filepath.FromSlash(name))
}

// isBelow reports whether a file lies in the folder of a catalogue or below it.
func isBelow(catalogue, file string) bool {
	if storage.IsRemote(catalogue) || storage.IsRemote(file) {
		folder := catalogue[:strings.LastIndex(catalogue, "/")+1]
		return strings.HasPrefix(file, folder) && path.Clean(file[len(folder):]) != ".." && !strings.HasPrefix(path.Clean(file[len(folder):]), "../")
	}
	relative, err := filepath.Rel(filepath.Dir(storage.LocalPath(catalogue)), file)
	return err == nil && filepath.IsLocal(relative)
}

// WriteCatalogue writes the catalogue of the archive as the Parquet file that has the given location. It includes the
// form of the values of GRIB fields that can be read in parts. It returns the number of these fields.
func (a *Archive) WriteCatalogue(ctx context.Context, w io.Writer, location string) (fields int, err error) {
	if fields, err = a.indexValues(ctx); err != nil {
		return 0, err
	}
	return fields, a.reusable().Renamed(func(name string) string { return nameInCatalogue(location, name) }).WriteParquet(w)
}

// CatalogueBefore returns the files of the catalogue in the options. It tells for each input whether the catalogue has
// it in its present state.
func CatalogueBefore(ctx context.Context, inputs []storage.Input, opts Options) (known *catalog.Catalog, unchanged []bool, err error) {
	a := prepare(nil, opts)
	defer a.Close()
	unchanged = make([]bool, len(inputs))
	if known = a.before(ctx); known == nil {
		return nil, unchanged, ctx.Err()
	}
	old := make(map[string]catalog.FileState)
	for _, f := range known.Files() {
		old[f.Name] = f
	}
	states := a.look(ctx, inputs)
	for i, in := range inputs {
		f, ok := old[in.Name]
		unchanged[i] = ok && states[i].unchanged(&f)
	}
	return known, unchanged, ctx.Err()
}

// WriteFiles writes the catalogue of files as the Parquet file that has the given location, in the order of names. The
// entries of a file are from the first of catalogues that has it. These are Parquet files that were written for the
// same location.
func WriteFiles(ctx context.Context, client Client, w io.Writer, location string, names, catalogues []string) (objects int, bad []string, err error) {
	type place struct {
		from  *catalog.Catalog
		state catalog.FileState
	}
	places := make(map[string]place, len(names))
	for _, name := range catalogues {
		c, err := openCatalogue(ctx, client, name, catalog.ReadParquet)
		if err != nil {
			return 0, nil, err
		}
		for _, f := range c.Files() {
			if _, ok := places[f.Name]; !ok {
				places[f.Name] = place{c, f}
			}
		}
	}
	var files []catalog.FileOf
	for _, name := range names {
		name = nameInCatalogue(location, name)
		p, ok := places[name]
		if !ok {
			return 0, nil, fmt.Errorf("%s: the parts have no entry for %s", storage.Display(location), storage.Display(name))
		}
		files = append(files, catalog.FileOf{From: p.from, Name: name, State: p.state})
		bad = append(bad, p.state.Notes...)
	}
	c, err := catalog.Join(files)
	if err != nil {
		return 0, nil, err
	}
	return c.Len(), bad, c.WriteParquet(w)
}

// nameInCatalogue returns the name of a file in a catalogue: of files below its folder, from there.
func nameInCatalogue(catalogue, name string) string {
	if storage.IsRemote(catalogue) {
		if isBelow(catalogue, name) {
			return name[strings.LastIndex(catalogue, "/")+1:]
		}
	}
	if storage.IsRemote(name) {
		return name
	}
	absolute, err := filepath.Abs(storage.LocalPath(name))
	if err != nil {
		return name
	}
	if storage.IsRemote(catalogue) {
		return absolute
	}
	folder, err := filepath.Abs(filepath.Dir(storage.LocalPath(catalogue)))
	if err != nil {
		return absolute
	}
	if relative, err := filepath.Rel(folder, absolute); err == nil && filepath.IsLocal(relative) {
		return filepath.ToSlash(relative)
	}
	return absolute
}
