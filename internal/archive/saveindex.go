package archive

import (
	"context"
	"errors"

	"github.com/tgmconv/tgmconv/internal/catalog"
)

// WriteIndex writes the index of the archive. It includes the form of the values of GRIB fields that
// can be read in parts. It returns the number of these fields, and the name of the index.
func (a *Archive) WriteIndex(ctx context.Context) (fields int, path string, err error) {
	if fields, err = a.indexValues(ctx); err != nil {
		return 0, "", err
	}
	path = a.index.cache
	if a.opts.Index == IndexBeside {
		path = a.index.beside
	}
	if path == "" {
		return 0, "", errors.New("there is no place for an index beside several inputs, or in an address: --index cache")
	}
	return fields, path, a.index.writeTo(ctx, path, a.reusable())
}

// largeBytes is the size of files from which an index is worth its file whatever they hold: its knowledge
// of their values saves reading them.
const largeBytes = 64 << 20

// large reports whether IndexAuto writes the index: fewer objects are catalogued in no time.
func (a *Archive) large() bool {
	return a.opts.Index != IndexAuto || a.live.Len() >= largeArchive || a.index.remote
}

// everything is a catalogue of all objects of an archive; Options.Select took some of them.
type everything struct {
	catalog *catalog.Catalog
	refs    []int // numbers in it of the objects that were taken
	keeps   bool  // SaveIndex writes it
}

// mayKeepIndex reports whether the index may be written after a first use.
func (a *Archive) mayKeepIndex() bool {
	return a.opts.KeepIndex && a.opts.SelectIndexed && a.opts.Index != IndexNone && !a.opts.WithNeeded && a.opts.Chosen == nil
}

// retain leaves the objects with the numbers in a catalogue, and remembers all if the index may be written.
func (a *Archive) retain(c *catalog.Catalog, refs []int) {
	if a.mayKeepIndex() {
		a.every = &everything{catalog: c.Renamed(func(name string) string { return name }), refs: refs}
	}
	c.Retain(refs)
}

// keepIndex decides whether the index is worth writing. It must have many objects or bytes, or remote inputs,
// and be able to answer requests.
func (a *Archive) keepIndex() {
	if a.every == nil {
		return
	}
	var bytes int64
	for _, f := range a.every.catalog.Files() {
		bytes += f.Size
	}
	large := a.every.catalog.Len() >= largeArchive || bytes >= largeBytes || a.index.remote
	a.every.keeps = (large || a.opts.Index != IndexAuto) && len(a.Bad) == 0 && answers(a.every.catalog)
}

// keepsIndex reports whether how values are stored is found out for the next use.
func (a *Archive) keepsIndex() bool { return a.every != nil && a.every.keeps }

// SaveIndex writes the index of an archive that was opened with Options.KeepIndex. It does so if there is none or
// if it has learned more of values. An index that cannot be written is no error, unless its place was asked for.
func (a *Archive) SaveIndex(ctx context.Context) {
	if !a.keepsIndex() {
		return
	}
	more := a.index.found == "" || a.Indexed == 0
	all := a.every.catalog
	for i, ref := range a.every.refs {
		if stored, ok := a.indexes.of(i); ok && len(stored) > 0 && all.ValueIndex(ref) == nil {
			all.SetValueIndex(ref, stored)
			more = true
		}
	}
	if more && ctx.Err() == nil {
		a.index.write(ctx, a.withoutExternal(all))
	}
}
