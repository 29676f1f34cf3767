package dataset

import (
	"maps"
	"slices"
)

// A block is fields of one kind that share a variable: no two are at the same position.
type block struct {
	kind    *kind
	fields  []field
	numbers *numbers    // of the positions of fields
	tells   []Attribute // the attributes that tell it apart from other blocks of its kind
	keys    []keyAxis   // the keys that are its first axes, of objects of other writers
	// sets are the values along each axis that varies, sorted; nil for the others.
	sets [numAxes][]float64
}

// A duplicate is a field at whose position another field is shown.
type duplicate struct{ hidden, shown int }

// splitFields makes blocks of the fields of one kind, in the order of the file.
func (m *fieldMaker) splitFields(k *kind, fields []field, report *Report) (blocks []*block) {
	m.numbers.fill(fields)
	for _, part := range splitByAbsent(fields) {
		blocks = append(blocks, m.splitLabelled(k, part, report)...)
	}
	return blocks
}

// splitByAbsent divides fields by the axes along which they have no position: no value of a
// coordinate would stand for that.
func splitByAbsent(fields []field) (parts [][]field) {
	if len(fields) == 0 || !slices.ContainsFunc(fields, func(f field) bool { return f.absent() != fields[0].absent() }) {
		return [][]field{fields}
	}
	place := make(map[uint]int)
	for _, f := range fields {
		at, ok := place[f.absent()]
		if !ok {
			at = len(parts)
			place[f.absent()] = at
			parts = append(parts, nil)
		}
		parts[at] = append(parts[at], f)
	}
	return parts
}

// absent is the set of axes along which a field has no position: a bit for each.
func (f *field) absent() (set uint) {
	for axis, value := range f.at {
		if value == 0 {
			set |= 1 << axis
		}
	}
	return set
}

// splitLabelled is splitFields for fields that have positions along the same axes.
func (m *fieldMaker) splitLabelled(k *kind, fields []field, report *Report) []*block {
	if sets := m.numbers.varying(fields); m.numbers.distinct(fields, sets) {
		return splitReported(&block{kind: k, fields: fields, numbers: m.numbers, sets: sets}, m.opts.MinFill, report)
	}
	if k.other != nil {
		return m.splitOther(&block{kind: k, fields: fields, numbers: m.numbers}, report)
	}
	var blocks []*block
	for _, part := range m.numbers.splitByOrigin(fields, nil) {
		part.kind, part.numbers = k, m.numbers
		part.fields = dropDuplicates(part.fields, m.opts, report)
		part.sets = m.numbers.varying(part.fields)
		blocks = append(blocks, splitReported(part, m.opts.MinFill, report)...)
	}
	return blocks
}

// splitReported is splitByFill, noted in the report.
func splitReported(b *block, minFill float64, report *Report) []*block {
	parts := splitByFill(b, minFill)
	if len(parts) > 1 {
		report.divided(b, len(parts))
	}
	return parts
}

// fill makes fields without an ensemble number member 0 if others have one: the control forecast.
func (n *numbers) fill(fields []field) {
	if !slices.ContainsFunc(fields, func(f field) bool { return f.at[axisNumber] != 0 }) {
		return
	}
	for i := range fields {
		if fields[i].at[axisNumber] == 0 {
			fields[i].at[axisNumber] = n.code(0)
		}
	}
}

// splitByOrigin divides fields that share positions by the first key in which their origins differ. It goes
// on so with each part.
func (n *numbers) splitByOrigin(fields []field, tells []Attribute) []*block {
	key := collidingKey(fields)
	if key == "" {
		var blocks []*block
		for _, part := range n.splitByValidity(fields) {
			blocks = append(blocks, &block{fields: part, tells: tells})
		}
		return blocks
	}
	var order []string
	parts := make(map[string][]field)
	for _, f := range fields {
		value := f.origin.values[key]
		if parts[value] == nil {
			order = append(order, value)
		}
		parts[value] = append(parts[value], f)
	}
	var blocks []*block
	for _, value := range order {
		blocks = append(blocks, n.splitByOrigin(parts[value], append(slices.Clone(tells), Attribute{key, value}))...)
	}
	return blocks
}

// splitByValidity divides fields that share positions but are valid at other times, such as intervals
// whose end the file gives. It sorts by the time between the end of the step and the time of validity.
func (n *numbers) splitByValidity(fields []field) (parts [][]field) {
	first := make(map[position]code, len(fields))
	if !slices.ContainsFunc(fields, func(f field) bool {
		valid, taken := first[f.at]
		first[f.at] = f.valid
		return taken && valid != f.valid
	}) {
		return [][]field{fields}
	}
	place := make(map[float64]int)
	for _, f := range fields {
		offset := n.values[f.valid] - n.values[f.at[axisTime]] - n.values[f.at[axisStep]]
		at, ok := place[offset]
		if !ok {
			at = len(parts)
			place[offset] = at
			parts = append(parts, nil)
		}
		parts[at] = append(parts[at], f)
	}
	return parts
}

// collidingKey returns the key of the origins that tells fields at one position apart, or "".
func collidingKey(fields []field) string {
	first := make(map[position]*origin, len(fields))
	differ := make(map[string]bool)
	for _, f := range fields {
		other := first[f.at]
		if other == nil {
			first[f.at] = f.origin
			continue
		}
		if other == f.origin {
			continue
		}
		for _, values := range []map[string]string{f.origin.values, other.values} {
			for key := range values {
				if f.origin.values[key] != other.values[key] {
					differ[key] = true
				}
			}
		}
	}
	for _, key := range firstOrigins {
		if differ[key] {
			return key
		}
	}
	if len(differ) == 0 {
		return ""
	}
	return slices.Min(slices.Collect(maps.Keys(differ)))
}

// dropDuplicates keeps one field at each position, and none that is gone if there is another.
func dropDuplicates(fields []field, opts *Options, report *Report) []field {
	at := make(map[position]int, len(fields))
	kept := fields[:0:0]
	for _, f := range fields {
		i, taken := at[f.at]
		switch {
		case !taken:
			at[f.at] = len(kept)
			kept = append(kept, f)
		case opts.Gone(int(f.ref)):
		case opts.Gone(int(kept[i].ref)):
			kept[i] = f
		case opts.Duplicates == DuplicatesFirst:
			report.duplicates = append(report.duplicates, duplicate{int(f.ref), int(kept[i].ref)})
		default:
			report.duplicates = append(report.duplicates, duplicate{int(kept[i].ref), int(f.ref)})
			kept[i] = f
		}
	}
	return kept
}

// splitByFill divides a block in which less than minFill of all combinations of its coordinates
// exist. It divides along the first axis that makes full enough parts, else along the first that
// varies.
func splitByFill(b *block, minFill float64) []*block {
	if b.fill() >= minFill {
		return []*block{b}
	}
	var fallback []*block
	for _, axis := range []axisKind{axisNumber, axisStep, axisTime, axisLevel, axisPercentile, axisThreshold, axisDirection, axisFrequency, axisVersion} {
		if b.sets[axis] == nil {
			continue
		}
		parts := b.partition(axis)
		if len(parts) == 1 {
			continue
		}
		if fallback == nil {
			fallback = parts
		}
		if !slices.ContainsFunc(parts, func(p *block) bool { return p.fill() < minFill }) {
			return parts
		}
	}
	var blocks []*block
	for _, part := range fallback {
		blocks = append(blocks, splitByFill(part, minFill)...)
	}
	if fallback == nil {
		return []*block{b} // one value along each axis at a time: nothing to gain
	}
	return blocks
}

// partition divides a block along an axis. Fields of a part that differ along it have the same combinations
// of the other coordinates.
func (b *block) partition(axis axisKind) []*block {
	others := make(map[code][]position)
	for _, f := range b.fields {
		value := f.at[axis]
		f.at[axis] = 0
		others[value] = append(others[value], f.at)
	}
	partOf := make(map[code]int)
	var seen [][]position
	for _, value := range b.sets[axis] {
		positions := others[b.numbers.codes[value]]
		slices.SortFunc(positions, comparePositions)
		i := slices.IndexFunc(seen, func(p []position) bool { return slices.Equal(p, positions) })
		if i < 0 {
			i = len(seen)
			seen = append(seen, positions)
		}
		partOf[b.numbers.codes[value]] = i
	}
	parts := make([]*block, len(seen))
	for i := range parts {
		parts[i] = &block{kind: b.kind, numbers: b.numbers, tells: b.tells}
	}
	for _, f := range b.fields {
		p := parts[partOf[f.at[axis]]]
		p.fields = append(p.fields, f)
	}
	for _, p := range parts {
		p.sets = b.numbers.varying(p.fields)
	}
	return parts
}

func comparePositions(a, b position) int { return slices.Compare(a[:], b[:]) }

// fill is the part of all combinations of a block's coordinates that are there.
func (b *block) fill() float64 {
	all := 1.0
	for _, set := range b.sets {
		all *= float64(max(1, len(set)))
	}
	return float64(len(b.fields)) / all
}
