package dataset

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/internal/nameset"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// A keyAxis is a key of objects of other writers that is an axis.
type keyAxis struct{ path, name string }

// A wordSet numbers texts, so that positions can have them.
type wordSet struct {
	numbers map[string]float64
	words   []string
}

func newWordSet() *wordSet { return &wordSet{numbers: make(map[string]float64)} }

// firstWord is the number of the first text. No key has such numbers.
const firstWord = -1 << 52

// number is the number of a key's value: itself, or the number of its text.
func (s *wordSet) number(v any) float64 {
	if n, ok := mapping.Float(v); ok {
		return n
	}
	word := fmt.Sprint(v)
	n, ok := s.numbers[word]
	if !ok {
		n = firstWord + float64(len(s.words))
		s.numbers[word] = n
		s.words = append(s.words, word)
	}
	return n
}

// word is the text of a number, if the number stands for a text.
func (s *wordSet) word(n float64) (string, bool) {
	if i := n - firstWord; i >= 0 && i < float64(len(s.words)) {
		return s.words[int(i)], true
	}
	return "", false
}

// keysOf are the numbers of the keys that may tell an object of another writer from others.
func (s *wordSet) keysOf(e mapping.Entry, o *mapping.Other) map[string]float64 {
	keys := make(map[string]float64)
	for path, v := range o.Keys {
		keys[path] = s.number(v)
	}
	for key, v := range e.OtherMARS() {
		switch v.(type) {
		case string, int64, uint64, float64:
			keys[mapping.KeyMARS+"."+key] = s.number(v)
		}
	}
	return keys
}

// maxKeyAxes is how many keys can be axes.
const maxKeyAxes = int(axisNumber)

// splitOther makes blocks of objects of another writer that share positions.
func (m *fieldMaker) splitOther(b *block, report *Report) (blocks []*block) {
	if whole := m.promote(b); whole != nil {
		return []*block{whole}
	}
	report.splits = append(report.splits, fmt.Sprintf("%s: %d objects have no labels that tell all of them apart in an array without holes",
		b.kind.name, len(b.fields)))
	for _, part := range b.apart() {
		part.sets = m.numbers.varying(part.fields)
		if m.numbers.distinct(part.fields, part.sets) {
			blocks = append(blocks, splitReported(part, m.opts.MinFill, report)...)
		} else if whole := m.promote(part); whole != nil {
			blocks = append(blocks, whole)
		} else {
			for _, one := range part.each() {
				one.sets = m.numbers.varying(one.fields)
				blocks = append(blocks, splitReported(one, m.opts.MinFill, report)...)
			}
		}
	}
	return blocks
}

// apart divides a block by the first key that tells fields at one position apart. It returns the block itself
// if there is none.
func (b *block) apart() (parts []*block) {
	key := collidingKey(b.fields)
	place := make(map[string]*block)
	for _, f := range b.fields {
		value := f.origin.values[key]
		part := place[value]
		if part == nil {
			part = &block{kind: b.kind, numbers: b.numbers, tells: b.tells}
			if key != "" {
				part.tells = append(slices.Clone(b.tells), Attribute{key, value})
			}
			place[value] = part
			parts = append(parts, part)
		}
		part.fields = append(part.fields, f)
	}
	return parts
}

// promote makes axes of the keys that tell fields at one position apart. It returns nil if some combination of
// their values is missing.
func (m *fieldMaker) promote(of *block) *block {
	paths := neededKeys(of.fields)
	if len(paths) == 0 || len(paths) > maxKeyAxes {
		return nil
	}
	b := &block{kind: of.kind, fields: slices.Clone(of.fields), numbers: m.numbers, tells: of.tells}
	for i := range b.fields {
		f := &b.fields[i]
		for axis, path := range paths {
			f.at[axis] = m.numbers.code(f.origin.keys[path])
		}
	}
	if b.sets = m.numbers.varying(b.fields); b.fill() < 1 {
		return nil
	}
	names := nameset.New()
	for _, path := range paths {
		b.keys = append(b.keys, keyAxis{path, names.Next(path[strings.LastIndexByte(path, '.')+1:])})
	}
	return b
}

// neededKeys are the keys, in order, that it takes to tell fields apart beside their positions. Keys that depend on
// others are left out, beginning with the key of most values. It returns nil if all keys do not tell them apart.
func neededKeys(fields []field) []string {
	values := make(map[string]map[float64]bool)
	for _, f := range fields {
		for path, v := range f.origin.keys {
			if values[path] == nil {
				values[path] = make(map[float64]bool)
			}
			values[path][v] = true
		}
	}
	var paths []string
	for path, of := range values {
		inAll := !slices.ContainsFunc(fields, func(f field) bool { _, ok := f.origin.keys[path]; return !ok })
		if len(of) > 1 && inAll {
			paths = append(paths, path)
		}
	}
	slices.SortFunc(paths, func(a, b string) int { return cmp.Or(cmp.Compare(len(values[b]), len(values[a])), cmp.Compare(b, a)) })
	if !apart(fields, paths) {
		return nil
	}
	for i := 0; i < len(paths); {
		if without := slices.Delete(slices.Clone(paths), i, i+1); apart(fields, without) {
			paths = without
		} else {
			i++
		}
	}
	slices.Sort(paths)
	return paths
}

// apart reports whether no two fields have one position and the same values of keys.
func apart(fields []field, paths []string) bool {
	seen := make(map[string]bool, len(fields))
	for _, f := range fields {
		key := make([]any, 0, 1+len(paths))
		key = append(key, f.at)
		for _, path := range paths {
			key = append(key, f.origin.keys[path])
		}
		text := fmt.Sprint(key...)
		if seen[text] {
			return false
		}
		seen[text] = true
	}
	return true
}

// each makes a block of every field whose position another field has. Objects of other writers are
// never left out.
func (b *block) each() (blocks []*block) {
	at := make(map[position]int)
	for _, f := range b.fields {
		n := at[f.at]
		at[f.at]++
		if n == len(blocks) {
			blocks = append(blocks, &block{kind: b.kind, numbers: b.numbers, tells: b.tells})
		}
		blocks[n].fields = append(blocks[n].fields, f)
	}
	return blocks
}

// keyVariable is the coordinate of an axis of a key: numbers, or texts.
func (a *assembler) keyVariable(name string, dims []string, shape []uint64, values []float64) *Variable {
	whole := true
	texts, longest := make([]string, len(values)), 1
	isText := false
	for i, v := range values {
		word, ok := a.words.word(v)
		isText = isText || ok
		if texts[i] = word; !ok {
			texts[i] = numberText(v)
		}
		longest = max(longest, len(texts[i]))
		whole = whole && v == float64(int64(v))
	}
	switch {
	case !isText && whole:
		return intVariable(name, dims, shape, nil, values)
	case !isText:
		return floatVariable(name, dims, shape, nil, constantFloats(values))
	}
	data := make([]byte, 0, len(texts)*longest)
	for _, text := range texts {
		data = append(append(data, text...), make([]byte, longest-len(text))...)
	}
	shape = append(slices.Clone(shape), uint64(longest))
	return &Variable{
		Name: name, Dims: append(slices.Clone(dims), a.names.Next(name+"_bytes")), Shape: shape, Chunk: shape, DType: tgm.Uint8,
		Coordinate: true, Text: TextUTF8, strings: true, data: func() ([]byte, error) { return data, nil },
	}
}

// along makes coordinates of the keys that follow from the position along one axis, and returns their names.
func (a *assembler) along(b *block) (names []string) {
	paths := make(map[string]bool)
	for _, f := range b.fields {
		for path := range f.origin.keys {
			paths[path] = true
		}
	}
	for _, k := range b.keys {
		delete(paths, k.path)
	}
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		for kind := range numAxes {
			x := a.plan.of[b][kind]
			if x == nil || x.scalar {
				continue
			}
			values := keyAlong(b, path, x)
			if values == nil {
				continue
			}
			key := fmt.Sprint("key ", path, x.name, values)
			if a.extra[key] == nil {
				name := a.names.Next(strings.ReplaceAll(path, ".", "_"))
				dims, shape := x.extent()
				a.add(key, a.keyVariable(name, dims, shape, values))
			}
			names = append(names, a.extra[key].Name)
			break
		}
	}
	return names
}

// keyAlong returns the values of a key at the positions of an axis. It is nil if they are all the same, or do
// not follow from the position.
func keyAlong(b *block, path string, x *axis) []float64 {
	at := make(map[code]float64)
	for _, f := range b.fields {
		v, ok := f.origin.keys[path]
		before, known := at[f.at[x.kind]]
		if !ok || known && before != v {
			return nil
		}
		at[f.at[x.kind]] = v
	}
	if len(at) != len(x.keys) {
		return nil
	}
	values := make([]float64, len(x.keys))
	same := true
	for i, key := range x.keys {
		values[i] = at[b.numbers.codes[key]]
		same = same && values[i] == values[0]
	}
	if same {
		return nil
	}
	return values
}
