package parts

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/tgmconv/tgmconv/storage"
)

// A MissingError says that parts of a plan are missing or changed.
type MissingError struct {
	Location       string
	Missing, Parts int
	First          *Part
}

func (e *MissingError) Error() string {
	what := e.First.Output
	if what == "" {
		what = fmt.Sprintf("%s, slabs %d to %d", e.First.Array, e.First.First, e.First.First+e.First.Slabs-1)
	}
	return fmt.Sprintf("%s: %d of %d parts are missing, the first is %s (%s)", e.Location, e.Missing, e.Parts, e.First.ID, what)
}

// NamesFile reports that the text says which file the error is about.
func (e *MissingError) NamesFile() bool { return true }

// A Joiner makes the output of a plan of pieces, in the order of the parts. The pieces are the outputs of
// results.
type Joiner func(ctx context.Context, results []*Result) (Output, error)

// Commit completes a plan with whole parts: by its documents, the root's last, or by join, and by
// committed.json. It reports whether that had been done before. If parts are missing, the error is a
// [*MissingError], and nothing is written.
func (s *Store) Commit(ctx context.Context, p *Plan, join Joiner) (_ *Commit, again bool, err error) {
	text, err := s.client.ReadSmall(ctx, s.name(planName), maxPlan)
	if err != nil {
		return nil, false, err
	}
	sum := sha256.Sum256(text)
	c := &Commit{Plan: hex.EncodeToString(sum[:]), Parts: p.Parts}
	switch done, err := s.committed(ctx); {
	case err == nil && done.Plan == c.Plan:
		return done, true, nil
	case err == nil:
		return nil, false, &FormatError{storage.Display(s.name(committedName)), errors.New("is of another plan")}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, false, err
	}
	missing := &MissingError{Location: storage.Display(s.location), Parts: p.Parts}
	outputs, folders := sha256.New(), make(map[string]bool)
	var results []*Result
	add := func(o *Output) {
		c.Outputs++
		c.Bytes += o.Size
		fmt.Fprintf(outputs, "%q %d %s\n", o.Key, o.Size, o.Hash)
	}
	for state, err := range s.States(ctx, p) {
		switch {
		case err != nil:
			return nil, false, err
		case state.Result == nil:
			if missing.Missing++; missing.First == nil {
				missing.First = state.Part
			}
			continue
		case state.Result.State == Empty:
			c.Empty++
		}
		for _, o := range state.Result.Outputs {
			folders[path.Dir(o.Key)] = true
			if !p.Joined {
				add(&o)
			}
		}
		if p.Joined {
			results = append(results, state.Result)
		}
	}
	if missing.Missing > 0 {
		return nil, false, missing
	}
	if at := s.Outputs(p); !storage.IsRemote(at) {
		for folder := range folders { // of workers that were killed
			if err := storage.RemoveLeftovers(filepath.Join(at, folder)); err != nil {
				return nil, false, err
			}
		}
	}
	if p.Store != "" {
		if err := s.putDocuments(ctx, p); err != nil {
			return nil, false, err
		}
	}
	if p.Joined {
		o, err := join(ctx, results)
		if err != nil {
			return nil, false, err
		}
		add(&o)
	}
	c.Hash = hex.EncodeToString(outputs.Sum(nil))
	return c, false, s.putCommitted(ctx, c)
}

// putDocuments puts the documents of a store, the root's last, and only if there is no other one.
func (s *Store) putDocuments(ctx context.Context, p *Plan) error {
	for d, err := range s.Documents(ctx) {
		if err != nil {
			return err
		}
		if !fs.ValidPath(d.Key) {
			return &FormatError{storage.Display(s.name(documentsName)), fmt.Errorf("key is %q, expected a path below the output", d.Key)}
		}
		// Another commit of this plan puts the same bytes.
		if err := s.client.PutNew(ctx, p.Output+"/"+d.Key, []byte(d.Text)); err != nil {
			return err
		}
	}
	return nil
}

// committed reads the result of the plan's commit. If there was none, the error wraps fs.ErrNotExist.
func (s *Store) committed(ctx context.Context) (*Commit, error) {
	name := s.name(committedName)
	text, err := s.client.ReadSmall(ctx, name, maxPlan)
	if err != nil {
		return nil, err
	}
	c := new(Commit)
	if err := json.Unmarshal(text, c); err != nil {
		return nil, &FormatError{storage.Display(name), err}
	}
	return c, nil
}

func (s *Store) putCommitted(ctx context.Context, c *Commit) error {
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	return s.client.PutNew(ctx, s.name(committedName), append(text, '\n'))
}
