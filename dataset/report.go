package dataset

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
)

// A Report tells where each object is shown, or why it is not.
type Report struct {
	locate     func(ref int) string
	fates      []fate // by Ref
	paths      texts
	reasons    texts
	duplicates []duplicate
	splits     []string
	apart      []string
	gone       int
	notes      []string
}

// A fate is where an object is shown, or why it is not: numbers of texts.
type fate struct {
	path, index, reason int32
}

// texts are texts with numbers. The first is empty.
type texts struct {
	list    []string
	numbers map[string]int32
}

// number returns the number of a text.
func (t *texts) number(text string) int32 {
	if text == "" {
		return 0
	}
	if t.numbers == nil {
		t.list, t.numbers = []string{""}, make(map[string]int32)
	}
	n, ok := t.numbers[text]
	if !ok {
		n = int32(len(t.list))
		t.list = append(t.list, text)
		t.numbers[text] = n
	}
	return n
}

// text returns the text of a number.
func (t *texts) text(number int32) string {
	if number == 0 {
		return ""
	}
	return t.list[number]
}

// A Line tells where one object is shown, or why it is not.
type Line struct {
	Where string // the object
	Path  string // of the array that shows it, "" if none does
	Chunk int    // number of its chunk in the array, in C order
	Why   string // the reason why it is not shown
}

func (r *Report) add(ref int) {
	for len(r.fates) <= ref {
		r.fates = append(r.fates, fate{})
	}
}

func (r *Report) shown(ref int, path string, chunk int) {
	r.fates[ref] = fate{path: r.paths.number(path), index: int32(chunk)}
}

// moveRoot notes that the variables of the root are in a group of that name.
func (r *Report) moveRoot(name string) {
	clear(r.paths.numbers)
	for i, path := range r.paths.list {
		if path != "" && !strings.Contains(path, "/") {
			path = name + "/" + path
			r.paths.list[i] = path
		}
		r.paths.numbers[path] = int32(i)
	}
}

func (r *Report) hidden(ref int, reason string) {
	r.fates[ref] = fate{reason: r.reasons.number(reason)}
}

// computed notes that an object is a coordinate that the dataset computes.
func (r *Report) computed(ref int) {
	r.hidden(ref, "a coordinate, which is computed from the grid of the fields")
}

// finish notes the duplicates, and objects that are gone.
func (r *Report) finish(gone func(ref int) bool) {
	for i := range r.fates {
		if gone(i) {
			r.gone++
			r.fates[i].reason = r.reasons.number("its file is not there any more; its position is kept for those who have opened it")
		}
	}
	for _, d := range r.duplicates {
		f := r.fates[d.shown]
		r.hidden(d.hidden, "the same position as "+r.locate(d.shown)+", which is shown in "+r.paths.text(f.path)+" chunk "+strconv.Itoa(int(f.index)))
	}
}

// Len returns the number of objects, including gone ones.
func (r *Report) Len() int { return len(r.fates) }

// Gone returns the number of objects whose files are gone, see [Options].Gone.
func (r *Report) Gone() int { return r.gone }

// Duplicates returns the number of objects that are hidden by another object at their position.
func (r *Report) Duplicates() int { return len(r.duplicates) }

// Splits names the variables that were split because too few combinations of their labels exist,
// see Options.MinFill.
func (r *Report) Splits() []string { return r.splits }

// Apart says why several netCDF or .tet files are groups and not one dataset; "" if they are not.
func (r *Report) Apart() string { return strings.Join(r.apart, "; ") }

// separate notes why files are groups.
func (r *Report) separate(format string, args ...any) {
	r.apart = append(r.apart, fmt.Sprintf(format, args...))
}

// note adds a note on unknown properties of the objects.
func (r *Report) note(format string, args ...any) {
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

// Notes lists doubts about the objects: lost attributes, and objects whose file is only guessed.
func (r *Report) Notes() []string { return r.notes }

// divided notes that a block was divided.
func (r *Report) divided(b *block, parts int) {
	name := b.kind.name
	if b.kind.levelType != "" {
		name += " (" + b.kind.levelType + ")"
	}
	r.splits = append(r.splits, fmt.Sprintf("%s: %d fields are %.2g %% of all combinations of their coordinates; they are %d variables", name, len(b.fields), 100*b.fill(), parts))
}

// Lines yields a line for each object, in the order of their numbers.
func (r *Report) Lines() iter.Seq[Line] {
	return func(yield func(Line) bool) {
		for i, f := range r.fates {
			if !yield(Line{Where: r.locate(i), Path: r.paths.text(f.path), Chunk: int(f.index), Why: r.reasons.text(f.reason)}) {
				return
			}
		}
	}
}
