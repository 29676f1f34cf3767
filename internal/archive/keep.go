package archive

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/storage"
)

// Keep says which positions of an archive before are kept in one after it, see [Archive.Keeping].
type Keep struct {
	// Gone keeps the positions of files that are gone.
	Gone bool
	// Replaced keeps the positions of files in states that are gone, although others exist.
	Replaced bool
	// Without lists files that are left out.
	Without map[string]bool
	// Now is the present time.
	Now time.Time
}

// Keeping returns another archive of the same files in the same states. Its dataset has the positions
// that files had in a catalogue before. Files that are gone have labels, but no values; see
// [Archive.Presence]. The present archive stays valid. The other one reads files by it, and shares its
// knowledge of them, so that they are not read again: it must be closed first.
//
// Without anything to keep or to leave out, it is the present archive itself.
func (a *Archive) Keeping(ctx context.Context, before *catalog.Catalog, keep Keep) (*Archive, error) {
	files := a.kept(before, keep)
	if len(files) == len(a.live.Files()) && len(keep.Without) == 0 {
		return a, nil
	}
	b := a.sharing()
	var err error
	if b.Catalog, err = catalog.Join(files); err != nil {
		return nil, err
	}
	b.setGone()
	b.share(a)
	if err := b.build(ctx); err != nil {
		return nil, err
	}
	return b, nil
}

// sharing returns an archive of the same files in the same states, which has no catalogue yet.
func (a *Archive) sharing() *Archive {
	b := &Archive{
		Bad: a.Bad, Indexed: a.Indexed, of: a,
		names: a.names, opts: a.opts, live: a.live, index: a.index,
		states: make(map[string]catalog.FileState), versions: make(map[string]string),
		files: a.files, external: a.external, refused: a.refused, omitted: a.omitted,
		sources: a.sources, entries: a.entries, messages: a.messages, layouts: a.layouts, reading: a.reading,
		indexes: new(valueIndexes),
	}
	b.scratch.New = a.scratch.New
	return b
}

// share takes the values that another archive has read from the present files.
func (a *Archive) share(other *Archive) {
	type place struct {
		file   string
		number int // among the objects of the file
	}
	known, number := make(map[place][]byte), make(map[string]int)
	for ref, e := range other.Catalog.All() {
		if data, ok := other.values.of(ref); ok && !other.isGone(ref) {
			known[place{e.File, number[e.File]}] = data
		}
		number[e.File]++
	}
	clear(number)
	for ref, e := range a.Catalog.All() {
		if data, ok := known[place{e.File, number[e.File]}]; ok && !a.isGone(ref) {
			a.values.share(ref, data)
		}
		number[e.File]++
	}
}

// Holds reports whether all files of a catalogue exist in its states. Nothing of it need then be kept.
func (a *Archive) Holds(before *catalog.Catalog) bool {
	live := make(map[string]catalog.FileState)
	for _, f := range a.live.Files() {
		live[f.Name] = f
	}
	return !slices.ContainsFunc(before.Files(), func(f catalog.FileState) bool {
		now, there := live[f.Name]
		return !there || now.Size != f.Size || now.Version != f.Version
	})
}

// kept lists the existing files and the kept ones, each after the file that it followed.
func (a *Archive) kept(before *catalog.Catalog, keep Keep) (files []catalog.FileOf) {
	live := make(map[string]catalog.FileState)
	for _, f := range a.live.Files() {
		if !keep.Without[f.Name] {
			live[f.Name] = f
		}
	}
	after := make(map[string][]catalog.FileOf) // by the file that is there before it
	last, seen := "", make(map[string]bool)
	for _, f := range before.Files() {
		name, version := catalog.SplitState(f.Name)
		now, there := live[name]
		state := f
		switch {
		case there && now.Size == f.Size && now.Version == f.Version:
			last = name
			continue
		case there && version == "":
			last = name
			if !keep.Replaced {
				continue
			}
			state.Name = catalog.StateName(name, f.Version)
		case !keep.Gone:
			continue
		}
		if seen[state.Name] {
			continue
		}
		seen[state.Name] = true
		if state.Gone == 0 {
			state.Gone, state.Notes, state.LeftOut = keep.Now.Unix(), nil, nil
		}
		after[last] = append(after[last], catalog.FileOf{From: before, Name: f.Name, State: state})
	}
	files = after[""]
	for _, f := range a.live.Files() {
		if !keep.Without[f.Name] {
			files = append(files, catalog.FileOf{From: a.live, Name: f.Name, State: f})
			files = append(files, after[f.Name]...)
		}
	}
	return files
}

// setGone finds the objects whose files are gone, and their values as far as these are known.
func (a *Archive) setGone() {
	for _, f := range a.Catalog.Files() {
		a.states[f.Name] = f
		if a.versions[f.Name] = f.Version; f.Version != "" && f.Gone == 0 {
			a.versions[f.Name] += a.external.version(f.Name)
		}
	}
	for _, f := range a.Catalog.Files() {
		if f.Gone != 0 {
			a.gone = make([]bool, a.Catalog.Len())
		}
	}
	if a.gone == nil {
		return
	}
	number := make(map[string]int) // of the next entry of a file
	for ref, e := range a.Catalog.All() {
		f := a.states[e.File]
		a.gone[ref] = f.Gone != 0
		if data, ok := f.Values[number[e.File]]; ok && f.Gone != 0 {
			a.values.keep(ref, data)
		}
		number[e.File]++
	}
}

func (a *Archive) isGone(ref int) bool { return a.gone != nil && ref < len(a.gone) && a.gone[ref] }

// Live returns the files that are there and hold data, in order.
func (a *Archive) Live() []catalog.FileState {
	return slices.DeleteFunc(a.live.Files(), func(f catalog.FileState) bool { return f.Format == "" })
}

// Only returns an archive of some of the files. Unchanged files are not read again.
func (a *Archive) Only(ctx context.Context, names []string) (*Archive, error) {
	opts := a.opts
	opts.Index, opts.Inputs = IndexNone, nil
	for _, name := range names {
		opts.Inputs = append(opts.Inputs, storage.Input{Name: name})
	}
	return open(ctx, a.names, opts, a.reusable())
}

// Presence implements [dataset.Fields].
func (a *Archive) Presence(ref int) dataset.Presence {
	parts := a.parts(ref)
	if parts == nil {
		_, known := a.values.of(ref)
		switch {
		case !a.isGone(ref):
			return dataset.There
		case known:
			return dataset.Kept
		}
		return dataset.Gone
	}
	gone := 0
	for _, p := range parts {
		switch a.Presence(p.Ref) {
		case dataset.Gone:
			gone++
		case dataset.PartlyGone:
			return dataset.PartlyGone
		}
	}
	switch gone {
	case 0:
		return dataset.There
	case len(parts):
		return dataset.Gone
	}
	return dataset.PartlyGone
}

// Oldest returns since when the first file is gone whose positions are kept; false if there is none.
func (a *Archive) Oldest() (since time.Time, ok bool) {
	for _, f := range a.Catalog.Files() {
		if t := time.Unix(f.Gone, 0); f.Gone != 0 && (!ok || t.Before(since)) {
			since, ok = t, true
		}
	}
	return since, ok
}

// Kept returns the catalogue to be kept for [Archive.Keeping]: with the values that were read to build
// the dataset, and files under the names that they have where it is stored.
func (a *Archive) Kept() *catalog.Catalog {
	values := make(map[string]map[int][]byte)
	number := make(map[string]int)
	for ref, e := range a.Catalog.All() {
		if data, ok := a.values.of(ref); ok {
			if values[e.File] == nil {
				values[e.File] = make(map[int][]byte)
			}
			values[e.File][number[e.File]] = data
		}
		number[e.File]++
	}
	files := a.Catalog.Files()
	c := a.Catalog.Renamed(func(name string) string {
		file, version := catalog.SplitState(name)
		if file = a.StoredName(file); version != "" {
			return catalog.StateName(file, version)
		}
		return file
	})
	for i, f := range c.Files() {
		if kept := values[files[i].Name]; kept != nil {
			f.Values = kept
			c.SetFile(f)
		}
	}
	return c
}

// AsGiven returns a catalogue with files under the names that the user gives them. Kept returned
// the catalogue, for this archive or another archive of the same files.
func (a *Archive) AsGiven(c *catalog.Catalog) *catalog.Catalog {
	given := a.givenNames()
	return c.Renamed(func(name string) string {
		file, version := catalog.SplitState(name)
		input := a.givenName(given, file)
		if version != "" {
			return catalog.StateName(input, version)
		}
		return input
	})
}

// givenNames are the names of existing files, by their names in a history.
func (a *Archive) givenNames() map[string]string {
	given := make(map[string]string)
	for _, f := range a.live.Files() {
		given[a.StoredName(f.Name)] = f.Name
	}
	return given
}

// GivenNames returns the names that the user gives to files with names in a history.
func (a *Archive) GivenNames(stored []string) (names []string) {
	given := a.givenNames()
	for _, name := range stored {
		names = append(names, a.givenName(given, name))
	}
	return names
}

func (a *Archive) givenName(given map[string]string, stored string) string {
	if name, ok := given[stored]; ok {
		return name
	}
	return a.restored(stored)
}

// keptValues are values of objects. They may be used by several goroutines.
type keptValues struct {
	mu    sync.Mutex
	bytes int
	byRef map[int][]byte
}

// The values that are kept: coordinates of files, not fields.
const (
	maxKeptValue  = 64 << 10
	maxKeptValues = 64 << 20
)

// keep keeps a copy of the values of an object, unless they are large.
func (k *keptValues) keep(ref int, data []byte) {
	if len(data) <= maxKeptValue {
		k.share(ref, slices.Clone(data))
	}
}

// share keeps values that nobody changes, unless there are too many.
func (k *keptValues) share(ref int, data []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, ok := k.byRef[ref]; ok || k.bytes+len(data) > maxKeptValues {
		return
	}
	if k.byRef == nil {
		k.byRef = make(map[int][]byte)
	}
	k.byRef[ref] = data
	k.bytes += len(data)
}

func (k *keptValues) of(ref int) ([]byte, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	data, ok := k.byRef[ref]
	return data, ok
}
