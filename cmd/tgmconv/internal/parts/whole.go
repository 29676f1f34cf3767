package parts

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"

	"github.com/tgmconv/tgmconv/internal/parallel"
	"github.com/tgmconv/tgmconv/storage"
)

// Measure reads the file at a location and returns its size, its hash and its state, with no key.
func Measure(ctx context.Context, client *storage.Client, location string) (Output, error) {
	blob, err := client.Open(ctx, location)
	if err != nil {
		return Output{}, err
	}
	defer blob.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, io.NewSectionReader(storage.ReaderAt(ctx, blob), 0, blob.Size()))
	if err != nil {
		return Output{}, err
	}
	return Output{Size: n, Hash: hex.EncodeToString(sum.Sum(nil)), ETag: blob.ETag()}, nil
}

// check returns an error that wraps fs.ErrNotExist if an output is missing or changed.
func (o *Output) check(ctx context.Context, client *storage.Client, output string) error {
	name := output + "/" + o.Key
	blob, err := client.Open(storage.Sparse(ctx), name)
	if err != nil {
		return err
	}
	size, etag := blob.Size(), blob.ETag()
	blob.Close()
	switch {
	case size == o.Size && etag == o.ETag && etag != "":
		return nil
	case size == o.Size:
		now, err := Measure(ctx, client, name)
		if err != nil || now.Hash == o.Hash {
			return err
		}
	}
	return fmt.Errorf("%s: the output has changed: %w", storage.Display(name), fs.ErrNotExist)
}

// Whole returns the result of a part if its outputs are there and unchanged, else nil. The error is of a
// store that cannot be read.
func (s *Store) Whole(ctx context.Context, p *Plan, id string) (*Result, error) {
	r, err := s.Result(ctx, id)
	if errors.As(err, new(*FormatError)) || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for i := range r.Outputs {
		if err := r.Outputs[i].check(ctx, s.client, s.Outputs(p)); errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		} else if err != nil {
			return nil, err
		}
	}
	return r, nil
}

// atATime is how many parts are looked at together: most of the time is spent on waiting for
// answers of servers.
const atATime = 32

// A State is a part of a plan with its result.
type State struct {
	Part   *Part
	Result *Result // nil if the part is missing
}

// States yields the state of each part, in the order of the parts.
func (s *Store) States(ctx context.Context, p *Plan) iter.Seq2[State, error] {
	return func(yield func(State, error) bool) {
		var failed error
		parts := func(yield func(*Part) bool) {
			for part, err := range s.Parts(ctx) {
				if err != nil {
					failed = err
					return
				}
				if !yield(part) {
					return
				}
			}
		}
		n := 0
		for state, err := range parallel.Ordered(ctx, parts, parallel.Window[*Part]{Workers: atATime, Ahead: atATime}, func(ctx context.Context, part *Part) (State, error) {
			r, err := s.Whole(ctx, p, part.ID)
			return State{part, r}, err
		}) {
			n++
			if !yield(state, err) || err != nil {
				return
			}
		}
		if failed == nil && n != p.Parts {
			failed = &FormatError{storage.Display(s.name(partsName)), fmt.Errorf("has %d parts, expected %d", n, p.Parts)}
		}
		if failed != nil {
			yield(State{}, failed)
		}
	}
}
