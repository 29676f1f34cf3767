package mapping

import (
	"maps"
	"slices"
	"strings"
)

// Source returns the value of [KeySource], "" if the entry has none.
func (e Entry) Source() string {
	id, _ := e.base[KeySource].(string)
	return id
}

// netcdfPrefix begins the keys of _extra_ that describe netCDF files.
const netcdfPrefix = KeyNetCDF + "_"

// netcdfKey is the key of _extra_ that describes the netCDF file of a source. Files of earlier
// releases have one description for all objects of a message.
func netcdfKey(source string) string {
	if source == "" {
		return KeyNetCDF
	}
	return netcdfPrefix + source
}

// netcdfFile is the part of _extra_ that describes the netCDF file of the entry, nil if there is
// none.
func (e Entry) netcdfFile() map[string]any { return asMap(e.message[netcdfKey(e.Source())]) }

// Extra returns the value of a key of the metadata of the message, without the prefix that
// [extraKey] takes off. In front of a key, netcdf is the description of the entry's own file.
func (e Entry) Extra(key string) (any, bool) {
	value, ok := Path(e.message, key)
	if own, is := strings.CutPrefix(key, KeyNetCDF); !ok && is && (own == "" || own[0] == '.') {
		return Path(e.message, netcdfKey(e.Source())+own)
	}
	return value, ok
}

// IsDescribed reports whether the metadata of the message describe the entry's netCDF file.
func (e Entry) IsDescribed() bool { return e.netcdfFile() != nil }

// NetCDFFiles returns an entry for each netCDF file that the metadata of a message describe. The
// entry has only this description and the source.
func NetCDFFiles(extra map[string]any) (files []Entry) {
	for _, key := range slices.Sorted(maps.Keys(extra)) {
		source, ok := strings.CutPrefix(key, netcdfPrefix)
		if !ok && key != KeyNetCDF || asMap(extra[key]) == nil {
			continue
		}
		base := map[string]any{KeyNetCDF: map[string]any{}}
		if ok {
			base[KeySource] = source
		}
		files = append(files, ReadIn(extra, base))
	}
	return files
}

// WithSource returns the metadata of a message with its description of a netCDF file under the key
// of the source.
func WithSource(extra map[string]any, source string) map[string]any {
	file, ok := extra[KeyNetCDF]
	if !ok || source == "" {
		return extra
	}
	out := maps.Clone(extra)
	delete(out, KeyNetCDF)
	out[netcdfKey(source)] = file
	return out
}

// OfSources returns the metadata of a message without descriptions of netCDF files of other
// sources than the given ones. Files without variables stay.
func OfSources(extra map[string]any, sources map[string]bool) map[string]any {
	out := extra
	for key, value := range extra {
		source, ok := strings.CutPrefix(key, netcdfPrefix)
		if !ok || sources[source] || isBareFile(value) {
			continue
		}
		if len(out) == len(extra) {
			out = maps.Clone(extra)
		}
		delete(out, key)
	}
	return out
}

// BareNetCDFFiles returns the metadata of a message that describe netCDF files without variables;
// nil if there are none.
func BareNetCDFFiles(extra map[string]any) map[string]any {
	var bare map[string]any
	for key, value := range extra {
		if (key == KeyNetCDF || strings.HasPrefix(key, netcdfPrefix)) && isBareFile(value) {
			if bare == nil {
				bare = make(map[string]any)
			}
			bare[key] = value
		}
	}
	return bare
}

// isBareFile reports whether the description of a netCDF file says that it has no variables.
func isBareFile(file any) bool {
	layout := asMap(asMap(file)[fileLayout])
	return layout != nil && len(asList(layout[layoutVariables])) == 0
}

// Sources tells which entries of a list belong together because they come from one source, such as a
// netCDF file. The zero value is ready to use.
type Sources struct {
	named  map[string]*source // by Entry.Source
	latest map[string]*source // of entries without: by file
	n      int
}

// A source is the knowledge of Sources about one source.
type source struct {
	number int
	seen   map[variable]int // the messages that have the variables
}

// A variable is an object of a source.
type variable struct {
	name   string
	record uint64
}

// A Membership says to which source an entry belongs.
type Membership struct {
	// Source numbers the sources from 0, in the order of their first entries.
	Source int
	// Again says that the source has the entry's variable, or this record of it, from an earlier
	// entry.
	Again bool
	// Guessed says that only the order of the entries tells where the source begins. Its first
	// variable is another of the same name in one message. Files that were merged by earlier
	// releases have such messages.
	Guessed bool
}

// Add returns the source of the next entry, which is in a message of a file. The entry is of a
// record of its variable if it is not whole. Entries without [KeySource] belong to the source of
// the entries before them in the file, until a variable comes again.
func (s *Sources) Add(e Entry, file string, message int, record uint64) Membership {
	v := variable{e.Name(nil), record}
	if s.named == nil {
		s.named, s.latest = make(map[string]*source), make(map[string]*source)
	}
	if id := e.Source(); id != "" {
		of := s.named[id]
		if of == nil {
			of = s.begin()
			s.named[id] = of
		}
		_, again := of.seen[v]
		of.seen[v] = message
		return Membership{Source: of.number, Again: again}
	}
	of, guessed := s.latest[file], false
	if of != nil {
		if before, again := of.seen[v]; again {
			of, guessed = nil, before == message
		}
	}
	if of == nil {
		of = s.begin()
		s.latest[file] = of
	}
	of.seen[v] = message
	return Membership{Source: of.number, Guessed: guessed}
}

func (s *Sources) begin() *source {
	s.n++
	return &source{s.n - 1, make(map[variable]int)}
}
