package tgm

import (
	"iter"
	"maps"
	"reflect"
	"slices"
)

// Part are the objects of a fragment that share the metadata of a message.
type Part struct {
	fr    *Fragment
	group group
	extra map[string]any
}

// Extra returns the metadata of the message as a whole.
func (p *Part) Extra() map[string]any { return p.extra }

// Parts returns the messages that can be made of the fragment, mostly one. They are in the order of
// the file.
func (fr *Fragment) Parts() ([]*Part, error) {
	var parts []*Part
	for _, g := range fr.groups {
		p := &Part{fr: fr, group: g}
		if g.metadata.kind != 0 {
			l, err := fr.msg.scanMetadata(g.metadata, 0)
			if err != nil {
				return nil, err
			}
			md, err := l.shared(fr.msg.src)
			if err != nil {
				return nil, err
			}
			p.extra = md.Extra
		}
		parts = append(parts, p)
	}
	return parts, nil
}

// identify finds out which object of its message each data frame is. The base entry is at the same
// place in a list of the message, so that a wrong number would give an object the labels of
// another.
func (fr *Fragment) identify() error {
	m := fr.msg
	count, err := fr.countEntries()
	if err != nil {
		return err
	}
	fr.expected = max(len(fr.digests), len(fr.index), count)
	byHash, bySpan := map[string][]int{}, map[span][]int{}
	for i, d := range fr.digests {
		byHash[d] = append(byHash[d], i)
	}
	shift := fr.shift()
	for i, s := range fr.index {
		bySpan[s] = append(bySpan[s], i)
		if shift != 0 {
			moved := span{s.offset - shift, s.length}
			bySpan[moved] = append(bySpan[moved], i)
		}
	}
	ordinal := !fr.hashed && !fr.indexed && (fr.ended < 0 || len(fr.finds) >= count) && (fr.ended < 0 || !fr.holes)
	own, before := group{metadata: fr.header}, group{metadata: fr.header}
	if fr.footer.kind != 0 {
		own.metadata = fr.footer
	}
	for i := range fr.finds {
		f := &fr.finds[i]
		reason := f.damage
		places := bySpan[f.span]
		switch {
		case f.damage != "":
			if len(places) == 1 {
				f.object = places[0]
			}
		case fr.hashed && f.hash.present:
			f.object = fr.among(byHash[hashText(f.hash.value)], places)
		case fr.indexed:
			if len(places) == 1 && fr.index[places[0]] == f.span && (f.straight || fr.intact) {
				f.object = places[0]
			}
		case ordinal && f.straight:
			f.object = i
		}
		if reason == "" {
			reason = fr.sourceOf(f, count, shift)
		}
		if reason == "" && f.object >= 0 && fr.claimed[f.object] {
			reason = "repeats an object that was found before"
			f.object = -1
		}
		switch {
		case reason != "":
			fr.lose(f.object, m.offset+f.offset, f.length, reason)
			if f.object >= 0 {
				fr.claimed[f.object] = true
			}
		case f.footed || f.object >= 0:
			fr.claimed[f.object] = true
			own.finds = append(own.finds, *f)
		default:
			before.finds = append(before.finds, *f)
		}
	}
	if before.metadata == own.metadata {
		before.finds = append(before.finds, own.finds...)
		slices.SortFunc(before.finds, func(a, b find) int { return int(a.offset - b.offset) })
		own.finds = nil
	}
	for _, g := range []group{before, own} {
		if len(g.finds) > 0 {
			fr.groups = append(fr.groups, g)
		}
	}
	for i := 0; i < fr.expected; i++ {
		first := i
		for i < fr.expected && !fr.claimed[i] {
			i++
		}
		if i > first {
			fr.Lost = append(fr.Lost, Lost{m.index, first, i - first, -1, 0, "not found"})
		}
	}
	if promised := fr.known && m.pre.flags&flagFooterMetadata != 0; promised && fr.footer.kind == 0 && fr.ended >= 0 && !fr.badMeta {
		fr.lose(-1, -1, 0, "the metadata at the end of the message were not found")
	}
	fr.finds = nil
	return nil
}

// countEntries returns the number of base entries in the metadata.
func (fr *Fragment) countEntries() (int, error) {
	f := fr.header
	if fr.footer.kind != 0 {
		f = fr.footer
	}
	if f.kind == 0 {
		return 0, nil
	}
	l, err := fr.msg.scanMetadata(f, 0)
	if err != nil {
		return 0, err
	}
	return l.count, nil
}

// shift is how many bytes are missing between the start and the end of the objects.
func (fr *Fragment) shift() int64 {
	if !fr.closed || len(fr.index) == 0 {
		return 0
	}
	last := fr.index[len(fr.index)-1]
	end := last.offset + last.length
	return end + padding(end) - fr.bodyEnd
}

// among returns one of the objects that have the bytes of a frame, or -1 if there is none. It
// prefers an object that can be at its place and was not found before.
func (fr *Fragment) among(same, places []int) int {
	found := -1
	for _, i := range same {
		switch {
		case fr.claimed[i]:
		case slices.Contains(places, i):
			return i
		case found < 0:
			found = i
		}
	}
	if found < 0 && len(same) > 0 {
		return same[0]
	}
	return found
}

// sourceOf says where the metadata of an object are, or why they cannot be told.
func (fr *Fragment) sourceOf(f *find, count int, shift int64) (reason string) {
	foot := fr.footer.kind != 0
	list := foot || fr.header.kind != 0
	promised := fr.known && fr.msg.pre.flags&flagFooterMetadata != 0
	inPlace := shift == 0 && (f.object < 0 || f.object >= len(fr.index) || fr.index[f.object] == f.span)
	switch {
	case f.object >= 0 && list && (f.object < count || (foot || !promised) && count > 0):
		f.footed = true
		f.merged = f.preceder.kind != 0 && inPlace
	case f.preceder.kind != 0 && f.object >= 0 && inPlace, f.preceder.kind != 0 && f.object < 0 && fr.isBefore(f):
		f.merged = true
	case f.object < 0 && (fr.hashed || fr.indexed):
		return "it cannot be told which object of its message it is"
	case !list:
		return "the metadata of its message are lost"
	case f.object >= 0 && count == 0 && (foot || !promised && fr.known && fr.msg.pre.flags&flagPreceders == 0):
		f.footed = true
	default:
		return "its metadata are lost"
	}
	return ""
}

// isBefore reports whether an object that no list names belongs to the message that the
// fragment begins with. That message has no end, or its end is the end of another message,
// behind bytes that are not a frame.
func (fr *Fragment) isBefore(f *find) bool {
	if !f.straight || fr.tablesAhead() {
		return false
	}
	return fr.holes || !fr.hashed && !fr.indexed
}

// Objects yields the objects that are intact, each with its base entry. Objects that
// are not are added to the list of lost parts.
func (p *Part) Objects() iter.Seq2[*Object, error] {
	return func(yield func(*Object, error) bool) {
		fr := p.fr
		var layout *metadataLayout
		if p.group.metadata.kind != 0 {
			var err error
			if layout, err = fr.msg.scanMetadata(p.group.metadata, fr.expected); err != nil {
				yield(nil, err)
				return
			}
		}
		for i := range p.group.finds {
			f := &p.group.finds[i]
			o, err := fr.object(f, layout)
			if err != nil {
				reason := contentProblem(err)
				if reason == "" {
					yield(nil, err)
					return
				}
				fr.lose(f.object, fr.msg.offset+f.offset, f.length, reason)
				continue
			}
			if !yield(o, nil) {
				return
			}
		}
	}
}

// object reads an object with its metadata, and decodes it.
func (fr *Fragment) object(f *find, layout *metadataLayout) (*Object, error) {
	m := fr.msg
	base := map[string]any{}
	var err error
	if f.footed && layout != nil {
		if base, err = layout.entry(m.src, f.object); err != nil {
			return nil, err
		}
		written, err := layout.written(m.src, f.object)
		if err == nil {
			err = layout.check(m.src, written)
		}
		if err != nil {
			return nil, metadataError("base_entry_contradicts_itself", m.at(f.object, m.offset+f.offset), err, "base entry")
		}
	}
	if f.merged {
		b, err := m.content(f.preceder)
		if err != nil {
			return nil, err
		}
		entry, err := parsePreceder(b, m.at(f.object, m.offset+f.preceder.offset))
		if err != nil {
			return nil, err
		}
		maps.Copy(base, entry)
	}
	o, err := m.readObject(f.object, f.span, base)
	if err != nil {
		return nil, err
	}
	if !describes(base, o.desc) {
		return nil, metadataError("", o.where(), nil, "its base entry describes an array of another shape or type")
	}
	issues, err := o.Validate()
	if err != nil {
		return nil, err
	}
	for _, issue := range issues {
		if issue.Severity == SeverityError || issue.Code == "unsupported_codec" && !o.hasHash {
			return nil, metadataError(issue.Code, o.where(), nil, "%s", issue.Description)
		}
	}
	return o, nil
}

// describes reports whether the encoder's description of an array in a base entry is true of it.
func describes(base map[string]any, d *Descriptor) bool {
	tensor, ok := Lookup(map[string]any{"entry": base[keyReserved]}, "entry.tensor")
	t, isMap := tensor.(map[string]any)
	if !ok || !isMap {
		return true
	}
	if dtype, ok := t[keyDType].(string); ok && dtype != d.DType.String() {
		return false
	}
	shape, ok := t[keyShape].([]any)
	if !ok {
		return true
	}
	want := make([]any, len(d.Shape))
	for i, n := range d.Shape {
		want[i] = int64(n)
	}
	return len(shape) == 0 && len(want) == 0 || reflect.DeepEqual(shape, want)
}
