package archive

import (
	"context"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/storage"
)

// catalogueSuffix ends the names of catalogues: Parquet files that list the files of an archive with all of their
// objects, see [Archive.WriteCatalogue].
const catalogueSuffix = ".parquet"

// catalogued reads the catalogue that is the only input, and returns the files that it lists; nil if the input is no
// catalogue. Names in it that are not absolute are those of files below its folder.
func (a *Archive) catalogued(ctx context.Context, inputs []storage.Input) ([]storage.Input, *catalog.Catalog, error) {
	if len(inputs) != 1 || !strings.HasSuffix(inputs[0].Name, catalogueSuffix) {
		return nil, nil, nil
	}
	name := inputs[0].Name
	blob, err := a.opts.Client.Open(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	defer blob.Close()
	c, err := catalog.ReadParquet(storage.ReaderAt(ctx, blob), blob.Size())
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %s", storage.Display(name), fault.Detail(err))
	}
	c = c.Renamed(func(file string) string { return besideCatalogue(name, file) })
	var files []storage.Input
	for _, f := range c.Files() {
		if a.opts.OnlyInputs && !isBelow(name, f.Name) {
			return nil, nil, fmt.Errorf("%s: it lists %s, which does not lie below its folder: served with --external only", storage.Display(name), storage.Display(f.Name))
		}
		files = append(files, storage.Input{Name: f.Name, Size: f.Size})
	}
	return files, c, nil
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

// WriteCatalogue writes the catalogue of the archive, with how the values of GRIB fields are stored that can be read in
// parts, as the Parquet file that has the given location. It returns the number of these fields.
func (a *Archive) WriteCatalogue(ctx context.Context, w io.Writer, location string) (fields int, err error) {
	if fields, err = a.indexValues(ctx); err != nil {
		return 0, err
	}
	return fields, a.reusable().Renamed(func(name string) string { return nameInCatalogue(location, name) }).WriteParquet(w)
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
