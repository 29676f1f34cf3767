// Package sidecar reads the index files that servers provide next to GRIB files: the inventories of
// NCEP (.idx, lines as wgrib2 prints them) and the indexes of ECMWF (.index, a JSON object a line).
// Most callers use [Names] to find one, [Parse] to read it, and [Entry.Excludes] to skip messages
// that no clause can select.
//
//	1:0:d=2017032200:PRMSL:mean sea level:anl:
//	2:28315:d=2017032200:TMP:850 mb:6 hour fcst:
//	{"date":"20240101","time":"0000","step":"0","levtype":"pl","levelist":"850","param":"t","_offset":0,"_length":609046}
//
// An index is only a hint, because it may not belong to the present state of the file. [Index.Covers] reports whether
// it tiles a file of some size without gaps, and [Entry.Agrees] whether a field agrees with its entry.
package sidecar

import (
	"bufio"
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/mapping"
)

// MaxBytes is the size of the largest index that should be read.
const MaxBytes = 16 << 20

// maxEntries bounds the entries that are kept of an index.
const maxEntries = 1 << 18

// Names returns the locations where the index of the GRIB file at a location may lie: the name with
// .idx added, and with .index in place of its extension.
func Names(location string) []string {
	location, query, found := strings.Cut(location, "?")
	if found {
		query = "?" + query
	}
	stem := strings.TrimSuffix(location, path.Ext(location))
	return []string{location + ".idx" + query, stem + ".index" + query}
}

// An Index is the entries of a file, ordered by offset. Fields of one message have entries of the
// same offset.
type Index struct{ Entries []Entry }

// An Entry is the line of an index for one field.
type Entry struct {
	Offset, Length int64 // of the message; Length is 0 in .idx until Covers has found it out

	number int // of the line in .idx
	facts  map[string]string
	params []triple // one of them is the parameter, if any
	level  *surface
}

// A triple is discipline, category and number of a parameter.
type triple [3]int64

// A surface is the first fixed surface of a field.
type surface struct {
	kind  int64
	value float64
	known bool // the value
}

// Parse reads an index of either form.
func Parse(data []byte) (*Index, error) {
	parse := parseInventory
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		parse = parseJSON
	}
	x := new(Index)
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" {
			continue
		}
		e, err := parse(line)
		if err == nil && len(x.Entries) == maxEntries {
			err = fmt.Errorf("more than %d entries", maxEntries)
		}
		if err != nil {
			return nil, fmt.Errorf("index: line %d: %w", n, err)
		}
		x.Entries = append(x.Entries, e)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	slices.SortStableFunc(x.Entries, func(a, b Entry) int { return int(min(max(a.Offset-b.Offset, -1), 1)) })
	return x, nil
}

// Covers reports whether the messages of the index fill a file of size bytes, one after the other.
func (x *Index) Covers(size int64) bool {
	if len(x.Entries) == 0 || x.Entries[0].Offset != 0 {
		return false
	}
	messages := 0
	for i := 0; i < len(x.Entries); {
		first, end := &x.Entries[i], size
		next := i + 1
		for next < len(x.Entries) && x.Entries[next].Offset == first.Offset {
			next++
		}
		if next < len(x.Entries) {
			end = x.Entries[next].Offset
		}
		if messages++; end <= first.Offset {
			return false
		}
		for j := i; j < next; j++ {
			e := &x.Entries[j]
			if e.Length == 0 {
				e.Length = end - e.Offset
			}
			if e.Length != end-e.Offset || e.number != 0 && e.number != messages {
				return false
			}
		}
		i = next
	}
	return true
}

// Meanings returns the combinations of keys that a value of a key stands for, as
// [keys.Handle.Meanings] does.
type Meanings func(key, value string) [][]keys.Condition

// Excludes reports whether one of the clauses cannot hold for the field of an entry.
func (e *Entry) Excludes(clauses mapping.Clauses, meanings Meanings) bool {
	for i := range clauses {
		if ok, found := clauses[i].Match(facts(e.facts)); found && !ok || e.contradicts(&clauses[i], meanings) {
			return true
		}
	}
	return false
}

// contradicts reports whether an entry fits no combination of keys that a clause permits. The clause is about
// a parameter or a kind of level.
func (e *Entry) contradicts(c *mapping.Clause, meanings Meanings) bool {
	switch c.Key {
	case "shortName", "paramId", "name", "typeOfLevel":
	default:
		return false
	}
	values, ok := c.OneOf()
	if !ok || e.params == nil && e.level == nil {
		return false
	}
	for _, value := range values {
		combinations := meanings(c.Key, value)
		if len(combinations) == 0 || slices.ContainsFunc(combinations, e.permits) {
			return false
		}
	}
	return true
}

// permits reports whether the conditions may hold for the field of an entry.
func (e *Entry) permits(conditions []keys.Condition) bool {
	get := func(key string) (int64, bool) {
		for _, c := range conditions {
			if c.Key == key {
				return c.Value, true
			}
		}
		return 0, false
	}
	fits := func(t triple) bool {
		for i, key := range []string{"discipline", "parameterCategory", "parameterNumber"} {
			if v, ok := get(key); ok && v != t[i] {
				return false
			}
		}
		return true
	}
	if e.params != nil && !slices.ContainsFunc(e.params, fits) {
		return false
	}
	if e.level == nil {
		return true
	}
	if kind, ok := get("typeOfFirstFixedSurface"); ok && kind != e.level.kind {
		return false
	}
	scaled, ok := get("scaledValueOfFirstFixedSurface")
	factor, ok2 := get("scaleFactorOfFirstFixedSurface")
	return !ok || !ok2 || !e.level.known || factor != 0 || float64(scaled) == e.level.value
}

// Agrees reports whether the keys of a field equal the keys of its entry.
func (e *Entry) Agrees(l mapping.Lookup) bool {
	for key, want := range e.facts {
		if got, ok := l.Text(key); ok && got == want {
			continue
		}
		got, ok := l.Int(key)
		if n, isInt := facts(e.facts).Int(key); !ok || !isInt || got != n {
			return false
		}
	}
	if e.level != nil {
		if kind, ok := l.Int("typeOfFirstFixedSurface"); !ok || kind != e.level.kind {
			return false
		}
	}
	if e.params == nil {
		return true
	}
	var t triple
	for i, key := range []string{"discipline", "parameterCategory", "parameterNumber"} {
		var ok bool
		if t[i], ok = l.Int(key); !ok {
			return false
		}
	}
	return slices.Contains(e.params, t)
}
