package fromgrib

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"sync"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/geometry"
	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
	"github.com/tgmconv/tgmconv/tgm"
)

// Entries is a [tgm.Completer] for fields of GRIB files. The sections that an entry keeps determine its grid
// and its keys; base[i].geometry and base[i].grib_repro follow from them, and are in the message only where
// they take a small part of the object, where no sections are kept, or where they were asked for
// ([importers.Options.RepeatMetadata]).
//
// A map of the message that names its edition and the type of its grid is whole. Members of another map,
// which an edit may leave, take precedence over derived ones. A null says that the key was removed.
type Entries struct {
	keys  readers
	mu    sync.Mutex
	grids map[entryGridKey]*entryGrid
}

// NewFile is [tgm.NewFile] with complete entries of GRIB fields.
func NewFile(r io.ReaderAt, size int64, opts ...tgm.Option) (*tgm.File, error) {
	return tgm.NewFile(r, size, append(opts, tgm.WithCompleter(NewEntries()))...)
}

// NewEntries returns a completer.
func NewEntries() *Entries { return newEntries(newReaders()) }

func newEntries(keys readers) *Entries {
	return &Entries{keys: keys, grids: make(map[entryGridKey]*entryGrid)}
}

// entryGridKey identifies the geometry of an entry.
type entryGridKey struct {
	edition, centre int
	section         string
}

// entryGrid is a geometry in the forms in which messages have it. Both are nil if there is none.
type entryGrid struct {
	decoded map[string]any
	coded   []byte
}

const (
	keyEdition  = "edition"
	keyGridType = "gridType"
)

// Needs implements tgm.Completer.
func (e *Entries) Needs() map[string][]string { return neededOfEntries }

var neededOfEntries = map[string][]string{
	mapping.KeyGRIB:         {mapping.GRIBSections, mapping.GRIBShared},
	mapping.KeyReproduction: {keyEdition, keyGridType},
}

// derivedKeys are the keys of an entry that follow from its sections.
var derivedKeys = []string{mapping.KeyGeometry, mapping.KeyReproduction}

// Complete implements tgm.Completer.
func (e *Entries) Complete(entry map[string]any, wanted *tgm.Selection, extra func() map[string]any) bool {
	var header grib.Header
	read := false
	for _, key := range derivedKeys {
		want := tgm.WantDecoded
		if wanted != nil {
			want = wanted.Wants(key)
		}
		own, there := entry[key]
		if coded, isCBOR := own.([]byte); isCBOR && want == tgm.WantCBOR {
			switch {
			case string(coded) == codedNull:
				delete(entry, key)
			case !wholeCBOR(coded):
				return false
			}
			continue
		}
		switch members, isMap := own.(map[string]any); {
		case want == tgm.WantNone:
			continue
		case there && own == nil:
			delete(entry, key)
			continue
		case there && (!isMap || whole(members)):
			continue
		case there && want == tgm.WantCBOR:
			return false
		}
		if !read {
			header, _ = headerOf(entry, extra) // tgmconv validate reports unreadable sections
			read = true
		}
		if header != nil {
			e.derive(entry, key, want, wanted, header)
		}
	}
	return true
}

// whole reports whether a map needs nothing that follows from elsewhere.
func whole(m map[string]any) bool { return m[keyEdition] != nil && m[keyGridType] != nil }

// codedNull is the CBOR of null.
const codedNull = "\xf6"

// Keys as they stand in CBOR: a text is its length and its bytes.
var (
	codedEdition  = append([]byte{0x60 + byte(len(keyEdition))}, keyEdition...)
	codedGridType = append([]byte{0x60 + byte(len(keyGridType))}, keyGridType...)
)

// wholeCBOR is whole of the CBOR of a map, whose other texts are not these.
func wholeCBOR(b []byte) bool {
	return bytes.Contains(b, codedEdition) && bytes.Contains(b, codedGridType)
}

// headerOf returns the sections of an entry, nil if it has none.
func headerOf(entry map[string]any, extra func() map[string]any) (grib.Header, error) {
	kept, _ := entry[mapping.KeyGRIB].(map[string]any)
	if kept[mapping.GRIBSections] == nil {
		return nil, nil
	}
	var message map[string]any
	if kept[mapping.GRIBShared] != nil {
		message = extra()
	}
	s, err := mapping.ReadIn(message, entry).Sections()
	if err != nil {
		return nil, err
	}
	h := grib.Header(s.Header)
	if _, err := h.Section(0); err != nil {
		return nil, fmt.Errorf("%s.%s: %w", mapping.KeyGRIB, mapping.GRIBSections, err)
	}
	return h, nil
}

// derive adds to an entry the keys that follow from a header.
func (e *Entries) derive(entry map[string]any, key string, want tgm.Want, wanted *tgm.Selection, h grib.Header) {
	if key == mapping.KeyGeometry {
		grid := e.grid(h)
		switch {
		case grid.decoded == nil:
		case want == tgm.WantCBOR:
			entry[key] = grid.coded
		default:
			add(entry, key, cloned(grid.decoded))
		}
		return
	}
	if want == tgm.WantMembers {
		e.addMembers(entry, key, wanted.Members[key], h)
		return
	}
	all, err := e.reproduction(h)
	if err != nil || len(all) == 0 {
		return
	}
	if want != tgm.WantCBOR {
		add(entry, key, all)
	} else if coded, err := mapping.MarshalCBOR(all); err == nil {
		entry[key] = coded
	}
}

// add gives an entry a map; keys that the entry has itself take precedence.
func add(entry map[string]any, key string, derived map[string]any) {
	own, _ := entry[key].(map[string]any)
	maps.Copy(derived, own)
	entry[key] = derived
}

func cloned(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for k, v := range m {
		if list, ok := v.([]any); ok {
			v = slices.Clone(list)
		}
		out[k] = v
	}
	return out
}

// manyGrids is how many geometries are remembered.
const manyGrids = 64

// grid returns the geometry of a header.
func (e *Entries) grid(h grib.Header) *entryGrid {
	key := entryGridKey{h.Edition(), h.Centre(), string(h.GridSection())}
	e.mu.Lock()
	g := e.grids[key]
	e.mu.Unlock()
	if g != nil {
		return g
	}
	g = new(entryGrid)
	if m := geometryOf(key); m != nil {
		decoded := mapping.Decoded(m).(map[string]any)
		if coded, err := mapping.MarshalCBOR(decoded); err == nil {
			g = &entryGrid{decoded, coded}
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.grids) >= manyGrids {
		clear(e.grids)
	}
	e.grids[key] = g
	return g
}

// geometryOf is the geometry that a grid section says without the number of the values, or nil.
func geometryOf(key entryGridKey) map[string]any {
	if key.section == "" {
		return nil
	}
	g, err := geometry.Parse(key.edition, []byte(key.section), geometry.Centre(key.centre))
	if err != nil {
		return nil
	}
	return g.Geometry()
}

// sayGeometry reports whether the geometry of a grid follows from a header; derived is its grid.
func (e *Entries) sayGeometry(g *grid, derived *entryGrid) bool {
	g.implied.Do(func() {
		coded, err := g.geometryCBOR()
		g.isImplied = err == nil && bytes.Equal(coded, derived.coded)
	})
	return g.isImplied
}

// withKeys calls read with the keys of a header.
func (e *Entries) withKeys(h grib.Header, read func(*keys.Handle)) error {
	message, err := h.Message()
	if err != nil {
		return err
	}
	reader := e.keys.take()
	defer e.keys.give(reader)
	handle, err := reader.Handle(message, nil)
	if err == nil {
		read(handle)
	}
	return err
}

// reproduction is base[i].grib_repro by a header: [mars.Reproduction], without the way through attributes,
// which takes as long as reading the keys.
func (e *Entries) reproduction(h grib.Header) (map[string]any, error) {
	m := make(map[string]any, 96)
	err := e.withKeys(h, func(handle *keys.Handle) {
		for _, space := range reproductionGroups {
			for _, k := range handle.Namespace(space) {
				if !k.Missing && mars.Present(k.Value) && !tooLong(k.Value) {
					m[k.Name] = mapping.Decoded(k.Value)
				}
			}
		}
		for _, name := range identificationKeys {
			addKey(m, name, handle)
		}
	})
	return m, err
}

// addKey adds a key that has a value.
func addKey(m map[string]any, name string, h *keys.Handle) {
	if v, err := h.Get(name); err == nil && mars.Present(v) && !tooLong(v) {
		m[name] = mapping.Decoded(v)
	}
}

// addMembers adds the wanted members of base[i].grib_repro, without reading the others.
func (e *Entries) addMembers(entry map[string]any, key string, wanted map[string]tgm.Want, h grib.Header) {
	members := make(map[string]any, len(wanted))
	_ = e.withKeys(h, func(handle *keys.Handle) {
		for name, want := range wanted {
			if want != tgm.WantNone && isReproduction(handle, name) {
				addKey(members, name, handle)
			}
		}
	})
	for name, v := range members {
		if wanted[name] != tgm.WantCBOR {
			continue
		}
		if coded, err := mapping.MarshalCBOR(v); err == nil {
			members[name] = coded
		}
	}
	own, _ := entry[key].(map[string]any)
	if len(members) > 0 || own != nil {
		maps.Copy(members, own)
		entry[key] = members
	}
}

// isReproduction reports whether a key belongs to base[i].grib_repro.
func isReproduction(h *keys.Handle, name string) bool {
	if slices.Contains(identificationKeys, name) {
		return true
	}
	return slices.ContainsFunc(reproductionGroups, func(space string) bool { return h.Lists(space, name) })
}

var (
	identificationKeys = mars.IdentificationKeys()
	reproductionGroups = mars.ReproductionGroups()
)

// Unshare implements tgm.Completer: keys that follow from the sections of an entry are not taken from the
// list, which may be from another file.
func (e *Entries) Unshare(entry, shared map[string]any, extra func() map[string]any) (map[string]any, error) {
	if h, _ := headerWith(entry, shared, extra); h != nil {
		rest := maps.Clone(shared)
		for _, key := range derivedKeys {
			delete(rest, key)
		}
		return rest, nil
	}
	return shared, belongs(entry, shared)
}

// headerWith is headerOf for an entry which may have its sections in the list.
func headerWith(entry, shared map[string]any, extra func() map[string]any) (grib.Header, error) {
	if shared[mapping.KeyGRIB] == nil {
		return headerOf(entry, extra)
	}
	own, _ := entry[mapping.KeyGRIB].(map[string]any)
	theirs, _ := shared[mapping.KeyGRIB].(map[string]any)
	both := make(map[string]any, len(own)+len(theirs))
	maps.Copy(both, theirs)
	maps.Copy(both, own)
	return headerOf(map[string]any{mapping.KeyGRIB: both}, extra)
}

// saidTwice are keys of base[i].grib_repro and the place of the entry that says the same.
var saidTwice = map[string][2]string{
	"paramId": {mapping.KeyMARS, "param"}, keyGridType: {mapping.KeyMARS, mapping.MARSGrid},
	"levelType": {mapping.KeyMARS, "levtype"}, "typeOfLevel": {"", mapping.KeyLevelType},
}

// belongs returns an error if the map that an entry without sections refers to describes another
// field.
func belongs(entry, shared map[string]any) error {
	own, _ := entry[mapping.KeyReproduction].(map[string]any)
	theirs, _ := shared[mapping.KeyReproduction].(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(saidTwice)) {
		place := saidTwice[key]
		said := entry
		if place[0] != "" {
			said, _ = entry[place[0]].(map[string]any)
		}
		a, ok := theirs[key]
		b, ok2 := said[place[1]]
		if _, mine := own[key]; mine || !ok || !ok2 || !alike(a, b) || a == b {
			continue
		}
		return fmt.Errorf("the map of _extra_._shared_ that the entry refers to is of another field: %s.%s is %v there, the entry says %v",
			mapping.KeyReproduction, key, a, b)
	}
	return nil
}

// alike reports whether two values are of one scalar type.
func alike(a, b any) bool {
	switch a.(type) {
	case string:
		_, ok := b.(string)
		return ok
	case int64:
		_, ok := b.(int64)
		return ok
	}
	return false
}

// sameValue compares values as messages give them.
func sameValue(a, b any) bool {
	x, isNumber := mapping.Float(a)
	y, alsoNumber := mapping.Float(b)
	if isNumber && alsoNumber {
		return x == y
	}
	return reflect.DeepEqual(a, b)
}

// Check implements tgm.Completer.
func (e *Entries) Check(entry, shared map[string]any, extra func() map[string]any) error {
	h, err := headerWith(entry, shared, extra)
	switch {
	case err != nil:
		return err
	case h != nil && shared != nil:
		return e.contradiction(entry, shared, h)
	case shared != nil:
		return belongs(entry, shared)
	}
	return nil
}

// contradiction returns an error if a map that an entry refers to contradicts the sections of the entry.
func (e *Entries) contradiction(entry, shared map[string]any, h grib.Header) error {
	reproduction, err := e.reproduction(h)
	if err != nil {
		return err
	}
	for key, derived := range map[string]map[string]any{mapping.KeyGeometry: e.grid(h).decoded, mapping.KeyReproduction: reproduction} {
		own, _ := entry[key].(map[string]any)
		theirs, _ := shared[key].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(theirs)) {
			said, follows := derived[name]
			if _, mine := own[name]; mine || !follows || sameValue(said, theirs[name]) {
				continue
			}
			return fmt.Errorf("the map of _extra_._shared_ that the entry refers to is of another field: %s.%s is %v there, the sections say %v: the message was joined by a program that does not know the list", key, name, theirs[name], said)
		}
	}
	return nil
}
