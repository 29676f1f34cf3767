package fromgrib

import (
	"encoding/hex"
	"slices"
	"strings"
	"sync"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
)

// layoutKey identifies the list of keys of sections 1 and 4 that remain to be filed.
type layoutKey struct {
	edition, centre, template, length int
	labelled                          mars.Labelled
	said                              string // names of the keys that are filed already
}

// cachedProducts is how many lists of keys are remembered. A file rarely has more templates.
const cachedProducts = 256

// productKeys remembers which keys of a layout tell fields apart and are filed nowhere else:
// finding them takes longer than all else that is done for a field. It may be used by several
// goroutines.
type productKeys struct {
	mu    sync.Mutex
	lists map[layoutKey][]string
}

// of returns the keys of the field of h, in the order of the message. attrs holds the keys filed already.
func (p *productKeys) of(h *keys.Handle, f *grib.Field, attrs *mapping.Attributes) []string {
	key := layoutOf(f, attrs)
	p.mu.Lock()
	list, ok := p.lists[key]
	p.mu.Unlock()
	if ok {
		return list
	}
	list = findProductKeys(h, f, attrs, key.labelled)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lists == nil || len(p.lists) == cachedProducts {
		p.lists = make(map[layoutKey][]string)
	}
	p.lists[key] = list
	return list
}

// filedGroups are the groups whose keys go to the metadata as they are.
var filedGroups = []string{mars.GroupMARS, mars.GroupTime, mars.GroupVertical, mars.GroupParameter}

func layoutOf(f *grib.Field, attrs *mapping.Attributes) layoutKey {
	key := layoutKey{edition: f.Edition, centre: f.Centre(), template: -1, length: len(f.Section(1))}
	if s := f.Section(4); f.Edition == 2 && len(s) > 8 {
		key.template, key.length = f.ProductTemplate(), len(s)
	}
	kind, ok := attrs.Get(mars.GroupIdentification, "typeOfLevel")
	key.labelled.LevelType = ok && kind != "unknown"
	_, key.labelled.Step = attrs.Get(mars.GroupIdentification, "endStep")
	var said strings.Builder
	for at := range attrs.All(mars.GroupMARS) {
		said.WriteString(at.Key)
		said.WriteByte(' ')
	}
	key.said = said.String()
	return key
}

// findProductKeys goes through the coded keys of sections 1 and 4.
func findProductKeys(h *keys.Handle, f *grib.Field, attrs *mapping.Attributes, labelled mars.Labelled) (list []string) {
	said := saidBytes(h, attrs)
	labelled.TimeRanges = timeRanges(h)
	wanted := false
	for _, e := range h.Entries() {
		if e.Type == keys.Section {
			wanted = e.Name == "section_1" || e.Name == "section_4" && f.Edition == 2
			continue
		}
		switch {
		case !wanted || e.Length == 0 || e.Hidden || said[e.Offset] || slices.Contains(list, e.Name):
		case f.Edition == 1 && e.Offset >= localEdition1:
		case labelled.Tells(e.Name):
			list = append(list, e.Name)
		}
	}
	return list
}

// localEdition1 is the end of the part of section 1 that all centres fill in the same way. It counts bytes of
// a message of edition 1: octet 28 of the section after the 8 octets of section 0. The octets that follow
// belong to the centre, see localPart.
const localEdition1 = 8 + 28

// saidBytes are the bytes of the message whose keys are filed already, under this or another name.
func saidBytes(h *keys.Handle, attrs *mapping.Attributes) map[int]bool {
	said := make(map[int]bool)
	for _, name := range saidNames(attrs) {
		if offset, length, ok := h.Span(name); ok && length > 0 {
			said[offset] = true
		}
	}
	return said
}

// saidNames are the keys that are filed already.
func saidNames(attrs *mapping.Attributes) (names []string) {
	for _, group := range filedGroups {
		for at := range attrs.All(group) {
			names = append(names, at.Key)
		}
	}
	names = append(names, mars.IdentificationKeys()...)
	return append(names, mars.MemberKeys()...) // base[i].number
}

func timeRanges(h *keys.Handle) int {
	n, err := h.Int("numberOfTimeRanges")
	if err != nil {
		return 0
	}
	return int(n)
}

// productAttributes files the keys that tell the field of h apart from others.
func (s *Source) productAttributes(attrs *mapping.Attributes, h *keys.Handle, f *grib.Field) error {
	for _, name := range s.products.of(h, f, attrs) {
		v, err := h.Get(name)
		if err != nil || tooLong(v) {
			continue
		}
		if raw, ok := v.([]byte); ok {
			v = hex.EncodeToString(raw)
		}
		if err := attrs.Set(mars.GroupProduct, name, v); err != nil {
			return err
		}
	}
	if err := s.localAttributes(attrs, h, f); err != nil {
		return err
	}
	return parameterAttribute(attrs, h)
}

// parameterAttribute files the number of the parameter where ecCodes has no MARS key for it. Surface fields
// of some centres are such.
func parameterAttribute(attrs *mapping.Attributes, h *keys.Handle) error {
	if _, said := attrs.Get(mars.GroupMARS, "param"); said {
		return nil
	}
	id, err := h.Int("paramId")
	if err != nil || id == 0 {
		return nil
	}
	return attrs.Set(mars.GroupProduct, "paramId", id)
}

// noSurface is the missing value of code table 4.5: the level is not a layer.
const noSurface = 255

// levelAttributes files the levels as numbers: ecCodes' native type of them is the integer, to
// which it rounds, and it has whole hectopascals alone.
func levelAttributes(attrs *mapping.Attributes, h *keys.Handle) error {
	names := mars.LevelKeys()
	if second, err := h.Int("typeOfSecondFixedSurface"); err == nil && second == noSurface {
		names = names[:1]
	}
	for _, name := range names {
		if _, ok := attrs.Get(mars.GroupVertical, name); !ok {
			continue // the message has none, or it is missing
		}
		v, err := h.Level(name)
		if err != nil || v == keys.MissingFloat {
			continue
		}
		if err := attrs.Set(mars.GroupIdentification, name, v); err != nil {
			return err
		}
	}
	return nil
}
