package importers

import (
	"context"
	"iter"
)

// Parts lists the parts of inputs of a format, one after the other, for sources that open inputs whole. A
// file of a folder that has another format is skipped, with a note; a file that the user named is bad.
//
// parts lists the parts of one input, whose number is index, without its location, and the errors in it or in
// a part of it.
func (s *OpenFiles[T]) Parts(ctx context.Context, inputs []Input, format Format, parts func(index int, f *OpenFile[T]) iter.Seq2[Part, error]) iter.Seq2[Part, error] {
	return func(yield func(Part, error) bool) {
		for i, in := range inputs {
			if !s.inputParts(ctx, i, in, format, parts, yield) {
				return
			}
		}
	}
}

// inputParts yields the parts of one input and reports whether to go on.
func (s *OpenFiles[T]) inputParts(ctx context.Context, index int, in Input, format Format, parts func(int, *OpenFile[T]) iter.Seq2[Part, error], yield func(Part, error) bool) bool {
	f, err := s.Acquire(ctx, in.Name)
	if err != nil {
		yield(Part{}, err)
		return false
	}
	defer f.Release()
	bad := func(err error) bool { return yield(Part{}, &BadInput{Where: f.Name, Err: err}) }
	if err := ExpectFormat(f, f.Size(), in, format); err != nil {
		if Ignored(in, err, format) {
			return yield(Part{Input: in.Name, Notes: []string{"skipped: " + err.Error()}}, nil)
		}
		return bad(err)
	}
	for p, err := range parts(index, f) {
		if err != nil {
			if !bad(err) {
				return false
			}
			continue
		}
		if p.Input = in.Name; !yield(p, nil) {
			return false
		}
	}
	return true
}

// ReadOne is Read for a [Source] whose parts have one field each: the field that read returns, none for a
// part of nothing but notes.
func ReadOne(p Part, read func(Part) (*Field, error)) iter.Seq2[*Field, error] {
	return func(yield func(*Field, error) bool) {
		if p.OnlyNotes() {
			return
		}
		field, err := read(p)
		if err != nil {
			field, err = nil, &BadInput{Where: p.Where(), Err: err}
		}
		yield(field, err)
	}
}
