package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/internal/disk"
	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/storage"
)

// IndexMode chooses where the index of an archive is stored.
type IndexMode int

// The places of an index.
const (
	// IndexAuto reads the index beside the data or in the user's cache folder. It writes one for large archives
	// to the cache folder.
	IndexAuto   IndexMode = iota
	IndexBeside           // FILE.tgmidx, or .tgmidx in a folder
	IndexCache            // in the cache folder of the user
	IndexNone
)

// ParseIndexMode returns the mode of a name: auto, beside, cache or none.
func ParseIndexMode(name string) (IndexMode, error) {
	for mode, known := range []string{"auto", "beside", "cache", "none"} {
		if name == known {
			return IndexMode(mode), nil
		}
	}
	return 0, fmt.Errorf("the index is %q, expected auto, beside, cache or none", name)
}

// indexSuffix ends the names of index files.
const indexSuffix = ".tgmidx"

// isIndex reports whether a file is an index by its name.
func isIndex(name string) bool { return strings.HasSuffix(name, indexSuffix) }

// largeArchive is the number of objects from which IndexAuto writes an index: fewer are catalogued
// in no time.
const largeArchive = 1000

// An indexFile is where the index of an archive may lie.
type indexFile struct {
	opts   Options
	remote bool
	beside string // "" where there is no place for it
	cache  string
	found  string // where it was read
}

func newIndexFile(names []string, opts Options) *indexFile {
	x := &indexFile{opts: opts}
	key := ""
	for _, name := range names {
		if storage.IsRemote(name) {
			x.remote = true
		} else if absolute, err := filepath.Abs(storage.LocalPath(name)); err == nil {
			name = absolute
		}
		key += name + "\x00"
	}
	if dir, err := os.UserCacheDir(); err == nil {
		x.cache = filepath.Join(dir, "tgmconv", fmt.Sprintf("%016x%s", xxh3.HashString(key), indexSuffix))
	}
	if len(names) == 1 && !x.remote {
		path := storage.LocalPath(names[0])
		if st, err := os.Stat(path); err == nil && st.IsDir() {
			x.beside = filepath.Join(path, indexSuffix)
		} else if err == nil && st.Mode().IsRegular() {
			x.beside = path + indexSuffix
		}
	}
	return x
}

// places are where the index is looked for.
func (x *indexFile) places() []string {
	switch x.opts.Index {
	case IndexAuto:
		return []string{x.beside, x.cache}
	case IndexBeside:
		return []string{x.beside}
	case IndexCache:
		return []string{x.cache}
	}
	return nil
}

// An index has files of this machine under their absolute names. If it lies beside them, their names are
// relative to its folder. It does not matter how the user names them, nor where they are moved together.

// history is the location of a server's history of the inputs. options tells servers of different options
// apart. It is "" if none is kept.
func (x *indexFile) history(options string) string {
	beside := func() string {
		if x.beside == "" {
			return ""
		}
		return strings.TrimSuffix(x.beside, indexSuffix) + historyName(options)
	}
	cache := func() string {
		if x.cache == "" {
			return ""
		}
		return strings.TrimSuffix(x.cache, indexSuffix) + historyName(options)
	}
	switch x.opts.Index {
	case IndexBeside:
		return beside()
	case IndexCache:
		return cache()
	case IndexAuto:
		if path := beside(); path != "" && (exists(path) || exists(x.beside)) && canWrite(filepath.Dir(path)) {
			return path
		}
		return cache()
	}
	return ""
}

// historyName ends the name of the history for options that a text stands for.
func historyName(options string) string {
	return fmt.Sprintf(".history-%08x%s", uint32(xxh3.HashString(options)), indexSuffix)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// canWrite reports whether files can be made in a folder.
func canWrite(folder string) bool {
	f, err := os.CreateTemp(folder, ".try*"+indexSuffix)
	if err != nil {
		return false
	}
	return errors.Join(f.Close(), os.Remove(f.Name())) == nil
}

// HistoryPath returns the location of a server's history of the archive, see package
// internal/history. It lies where the index lies, even if no index is written because the archive
// is small. options tells servers of different options apart. It is "" if there is no such place.
func (a *Archive) HistoryPath(options string) string { return a.index.history(options) }

// HistoryPath is [Archive.HistoryPath] of the archive that [Open] returns.
func HistoryPath(names []string, opts Options, options string) string {
	return newIndexFile(names, opts).history(options)
}

// StoredName returns the name of a file in a history: below the folder of the index if it may lie beside
// the files, else absolute.
func (a *Archive) StoredName(name string) string {
	if stored, ok := a.stored.Load(name); ok {
		return stored.(string)
	}
	stored := a.index.storedName(a.index.beside, name)
	a.stored.Store(name, stored)
	return stored
}

// restored is the name of a file that has a name in a history.
func (a *Archive) restored(stored string) string {
	if a.index.beside == "" || storage.IsRemote(stored) || filepath.IsAbs(stored) {
		return stored
	}
	return filepath.Join(filepath.Dir(a.index.beside), stored)
}

// storedName is the name of an input in the index at path.
func (x *indexFile) storedName(path, input string) string {
	if storage.IsRemote(input) {
		return input
	}
	absolute, err := filepath.Abs(storage.LocalPath(input))
	if err != nil {
		return input
	}
	if path == x.beside {
		if folder, err := filepath.Abs(filepath.Dir(path)); err == nil {
			if relative, err := filepath.Rel(folder, absolute); err == nil {
				return relative
			}
		}
	}
	return absolute
}

// asGiven gives the files of the index at path the names that the user gives them.
func (x *indexFile) asGiven(path string, c *catalog.Catalog, inputs []storage.Input) *catalog.Catalog {
	given := make(map[string]string, len(inputs))
	for _, in := range inputs {
		given[x.storedName(path, in.Name)] = in.Name
	}
	return c.Renamed(func(name string) string {
		if input, ok := given[name]; ok {
			return input
		}
		return name
	})
}

// read reads the index of inputs, nil if there is none that can be used.
func (x *indexFile) read(ctx context.Context, inputs []storage.Input) *catalog.Catalog {
	for _, path := range x.places() {
		if path == "" || ctx.Err() != nil {
			continue
		}
		b, err := disk.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var c *catalog.Catalog
		if err == nil {
			c, err = catalog.ParseIndex(b)
		}
		if err == nil {
			x.found = path
			return x.asGiven(path, c, inputs)
		}
		x.opts.Warn(fmt.Sprintf("%s: %s; it is made again", path, fault.Detail(err)))
	}
	return nil
}

// write writes the index.
func (x *indexFile) write(ctx context.Context, c *catalog.Catalog) {
	path := x.cache
	switch x.opts.Index {
	case IndexNone:
		return
	case IndexAuto:
		if x.found != "" {
			path = x.found
		}
	case IndexBeside:
		path = x.beside
	}
	if path == "" {
		x.opts.Warn("there is no place for an index")
		return
	}
	if err := x.writeTo(ctx, path, c); err != nil && x.opts.Index != IndexAuto {
		x.opts.Warn(fmt.Sprintf("%s: the index is not written: %v", path, err))
	}
}

func (x *indexFile) writeTo(ctx context.Context, path string, c *catalog.Catalog) error {
	b, err := c.Renamed(func(name string) string { return x.storedName(path, name) }).AppendIndex(nil)
	if err != nil {
		return err
	}
	if path == x.cache {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
	}
	w, err := x.opts.Client.Create(ctx, path)
	if err != nil {
		return err
	}
	defer w.Abort()
	if _, err := w.Write(b); err != nil {
		return err
	}
	return w.Commit()
}
