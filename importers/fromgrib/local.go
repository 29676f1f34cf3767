package fromgrib

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/zeebo/xxh3"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
)

// A localPart is the part of a message for its centre's own use: in edition 1 the octets after
// octet 28 of section 1, in edition 2 section 2 after its head.
type localPart struct {
	octets []byte
	offset int // in the message
	date   int // where in octets the date of creation lies, 0 if there is none
}

const (
	headOfSection = 5 // octets of a section of edition 2 that say its length and number
	section0      = 8 // octets of section 0 of edition 1
)

// localOf returns the local part of the message of the field alone, whose keys h has.
func localOf(h *keys.Handle, f *grib.Field) (l localPart) {
	if f.Edition == 1 {
		if s := f.Section(1); len(s) > localEdition1-section0 {
			l = localPart{octets: s[localEdition1-section0:], offset: localEdition1}
		}
		return l
	}
	s := f.Section(2)
	offset, err := h.Int("offsetSection2")
	if len(s) <= headOfSection || err != nil {
		return l
	}
	l = localPart{octets: s[headOfSection:], offset: int(offset) + headOfSection}
	l.date = creationDate(s)
	return l
}

// Positions of the date of creation in DWD's local sections 250 to 254 of edition 2. Other users of
// its models write them as well. The date is seven octets, from the year to the second.
const (
	creationYear  = 8
	creationEnd   = creationYear + 7
	firstOfDWD    = 250
	lastOfDWD     = 254
	creationAfter = 1980
)

// creationDate returns the offset of the date of creation in a section 2, 0 if there is none.
// ecCodes does not know it.
func creationDate(s []byte) int {
	if len(s) < creationEnd || s[5] != 0 || s[6] < firstOfDWD || s[6] > lastOfDWD {
		return 0
	}
	year, month, day := int(s[creationYear])<<8|int(s[creationYear+1]), s[creationYear+2], s[creationYear+3]
	if year < creationAfter || year > 9999 || month < 1 || month > 12 || day < 1 || day > 31 {
		return 0
	}
	return creationYear - headOfSection
}

// localOctets are a local part whose keys are known. All that they say is in its octets, and so is which keys
// there are: definitions have conditions on any of them.
type localOctets struct {
	edition, centre, subCentre int
	octets                     string
	said                       string
}

// A localValue is a key of a local part with its value, or a hash of octets without keys.
type localValue struct {
	key   string
	value any
}

// localKeys remembers the values of keys of local parts that tell fields apart and are filed nowhere else:
// most messages of a file have one of few local parts. It may be used by several goroutines.
type localKeys struct {
	mu     sync.Mutex
	values map[localOctets][]localValue
}

// of returns the values that local part l has and that are not filed already. said are the filed keys.
func (k *localKeys) of(h *keys.Handle, f *grib.Field, l localPart, said []string) []localValue {
	subCentre, _ := h.Int("subCentre")
	full := localOctets{f.Edition, f.Centre(), int(subCentre), string(l.octets), strings.Join(said, " ")}
	k.mu.Lock()
	values, ok := k.values[full]
	k.mu.Unlock()
	if ok {
		return values
	}
	values = l.values(h, findLocalKeys(h, l, said), said)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.values == nil || len(k.values) == cachedProducts {
		k.values = make(map[localOctets][]localValue)
	}
	k.values[full] = values
	return values
}

// saidOfLocal are keys that are already filed elsewhere and tell fields apart. The date of MARS,
// for instance, is not among them if it differs from the reference time.
func saidOfLocal(attrs *mapping.Attributes) (names []string) {
	for at := range attrs.All(mars.GroupMARS) {
		if mars.IsDistinguishing(at.Key) || mars.IsOrigin(at.Key) {
			names = append(names, at.Key)
		}
	}
	for _, pair := range sameInMARS {
		said, ok := attrs.Get(mars.GroupMARS, pair.key)
		if coded, _ := attrs.Get(mars.GroupIdentification, pair.coded); ok && coded == said {
			names = append(names, pair.coded)
		}
	}
	return append(names, mars.MemberKeys()...) // base[i].number
}

// sameInMARS are keys of local parts with the key of namespace mars that has the same value, in general: some
// definitions have a constant there.
var sameInMARS = []struct{ coded, key string }{
	{"marsClass", "class"}, {"marsType", "type"}, {"marsStream", "stream"}, {"experimentVersionNumber", "expver"},
}

// findLocalKeys lists the keys of a local part that are numbers or texts, each name once: in lists
// and arrays a name is not enough.
func findLocalKeys(h *keys.Handle, l localPart, said []string) (list []string) {
	covered := make([]byte, len(l.octets))
	for _, name := range said {
		l.cover(covered, h, name)
	}
	var repeated []string
	for _, e := range h.Entries() {
		at := e.Offset - l.offset
		switch {
		case e.Type == keys.Section || e.Length == 0 || at < 0 || at >= len(covered) || covered[at] == isSaid:
			continue
		case slices.Contains(list, e.Name):
			repeated = append(repeated, e.Name)
			continue
		}
		if n, err := h.Count(e); err != nil || n != 1 {
			continue
		}
		if v, err := h.Get(e.Name); err == nil && isScalar(v) {
			list = append(list, e.Name)
		}
	}
	return slices.DeleteFunc(list, func(name string) bool { return slices.Contains(repeated, name) })
}

func isScalar(v any) bool {
	switch v.(type) {
	case int64, float64, string:
		return true
	}
	return false
}

const isSaid = 1

// cover marks the octets of a key.
func (l *localPart) cover(covered []byte, h *keys.Handle, name string) {
	offset, length, ok := h.Span(name)
	from, to := max(0, offset-l.offset), min(len(covered), offset+length-l.offset)
	if !ok || from >= to {
		return
	}
	if end := bytes.IndexByte(l.octets[from:to], 0); end >= 0 && length > longestNumber {
		to = from + end // of a text, which ends here
	}
	for i := from; i < to; i++ {
		covered[i] = isSaid
	}
}

// longestNumber is how many octets a number may have; keys with more are texts.
const longestNumber = 4

// localAttributes files the keys of the local part of a message that are not 0 and tell its field apart. It
// also files a hash of the octets without a key.
func (s *Source) localAttributes(attrs *mapping.Attributes, h *keys.Handle, f *grib.Field) error {
	l := localOf(h, f)
	if len(l.octets) == 0 {
		return nil
	}
	for _, v := range s.locals.of(h, f, l, saidOfLocal(attrs)) {
		if err := attrs.Set(mars.GroupProduct, v.key, v.value); err != nil {
			return err
		}
	}
	return nil
}

// values are the keys of a list that are not 0, and a hash of the remaining octets. said are the
// keys that are filed elsewhere.
func (l *localPart) values(h *keys.Handle, list, said []string) (values []localValue) {
	covered := make([]byte, len(l.octets))
	for _, name := range said {
		l.cover(covered, h, name)
	}
	for _, name := range list {
		v, err := h.Get(name)
		if err != nil || !isScalar(v) || !mars.Present(v) || v == int64(0) || v == "" {
			continue
		}
		l.cover(covered, h, name)
		values = append(values, localValue{name, v})
	}
	rest := bytes.Clone(l.octets)
	for i, c := range covered {
		if c == isSaid || l.date > 0 && i >= l.date && i < l.date+creationEnd-creationYear {
			rest[i] = 0
		}
	}
	if len(bytes.Trim(rest, "\x00")) > 0 {
		values = append(values, localValue{mars.KeyLocalUse, strconv.FormatUint(xxh3.Hash(rest), 16)})
	}
	return values
}
