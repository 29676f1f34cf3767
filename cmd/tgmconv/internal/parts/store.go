package parts

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"iter"
	"strings"

	"github.com/tgmconv/tgmconv/storage"
)

// A Store is where a plan lies. It may be used by several goroutines.
type Store struct {
	client   *storage.Client
	location string
}

// At returns the place of a plan at a location: a folder, or a prefix of an object store.
func At(client *storage.Client, location string) *Store {
	return &Store{client, strings.TrimRight(location, "/")}
}

func (s *Store) name(key string) string { return s.location + "/" + key }

// Names of the files of a plan.
const (
	planName      = "plan.json"
	partsName     = "parts.jsonl"
	inputsName    = "inputs.jsonl"
	documentsName = "documents.jsonl"
	keptName      = "kept.parquet"
	piecesName    = "pieces"
	committedName = "committed.json"
)

// Outputs is the folder in which the keys of the outputs of parts name files.
func (s *Store) Outputs(p *Plan) string {
	if p.Joined {
		return s.name(piecesName)
	}
	return p.Output
}

// Kept is where the catalogue lies that a plan extends.
func (s *Store) Kept() string { return s.name(keptName) }

// PutKept stores that catalogue.
func (s *Store) PutKept(ctx context.Context, data []byte) error { return s.put(ctx, keptName, data) }

func resultName(id string) string { return "results/" + id + ".json" }

// Limits of the bytes of a plan that are read into memory at a time.
const (
	maxPlan   = 16 << 20
	maxLine   = 64 << 20
	maxResult = 256 << 20
)

// ErrOther is the error of making a plan in the folder of another plan.
var ErrOther = errors.New("there is another plan")

// A Maker writes a plan.
type Maker struct {
	store *Store
	plan  *Plan
	out   storage.Writer // nil if the plan is there already
	buf   *bufio.Writer
	hash  hash.Hash
	old   []byte
}

// Make begins to write a plan. Where there is one already, the parts are compared with it. Of plan
// all that does not count parts must be set.
func (s *Store) Make(ctx context.Context, plan *Plan) (*Maker, error) {
	m := &Maker{store: s, plan: plan, hash: sha256.New()}
	var err error
	if m.old, err = s.client.ReadSmall(ctx, s.name(planName), maxPlan); err == nil {
		m.buf = bufio.NewWriter(m.hash)
		return m, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if m.out, err = s.client.Create(ctx, s.name(partsName)); err != nil {
		return nil, err
	}
	m.buf = bufio.NewWriter(io.MultiWriter(m.out, m.hash))
	return m, nil
}

// Add adds a part, which gets its id.
func (m *Maker) Add(part *Part) error {
	if err := m.plan.identify(part); err != nil {
		return err
	}
	text, err := json.Marshal(part)
	if err != nil {
		return err
	}
	m.plan.Parts++
	m.plan.Inputs += len(part.Inputs)
	for _, in := range part.Inputs {
		m.plan.Bytes += in.Size
	}
	m.buf.Write(text)
	return m.buf.WriteByte('\n') // or the error of an earlier write
}

// Again reports whether there is a plan already, with which this one is compared.
func (m *Maker) Again() bool { return m.out == nil }

// Abort removes the files written. It does nothing after Finish.
func (m *Maker) Abort() {
	if m.out != nil {
		m.out.Abort()
	}
}

// Finish completes the plan, with the inputs, and the documents of a store for a plan of one. It
// reports whether the same plan was there already.
func (m *Maker) Finish(ctx context.Context, inputs []Input, documents []Document) (again bool, err error) {
	defer m.Abort()
	if err := m.buf.Flush(); err != nil {
		return false, err
	}
	if len(inputs) > 0 { // the inputs of the parts are among them
		m.plan.Inputs, m.plan.Bytes = 0, 0
	}
	for _, in := range inputs {
		m.plan.Inputs++
		m.plan.Bytes += in.Size
	}
	m.plan.Hash = hex.EncodeToString(m.hash.Sum(nil))
	text, err := json.MarshalIndent(m.plan, "", "  ")
	if err != nil {
		return false, err
	}
	text = append(text, '\n')
	if m.out == nil {
		if !bytes.Equal(text, m.old) {
			return false, &FormatError{storage.Display(m.store.name(planName)), ErrOther}
		}
		return true, nil
	}
	if len(inputs) > 0 {
		if err := putLines(ctx, m.store, inputsName, inputs); err != nil {
			return false, err
		}
	}
	if len(documents) > 0 {
		if err := putLines(ctx, m.store, documentsName, documents); err != nil {
			return false, err
		}
	}
	if err := m.out.Commit(); err != nil {
		return false, err
	}
	if err := m.store.client.PutNew(ctx, m.store.name(planName), text); errors.Is(err, fs.ErrExist) {
		return false, &FormatError{storage.Display(m.store.name(planName)), ErrOther}
	} else if err != nil {
		return false, err
	}
	return false, nil
}

// putLines writes a file with a line of JSON for each of values.
func putLines[T any](ctx context.Context, s *Store, name string, values []T) error {
	out, err := s.client.Create(ctx, s.name(name))
	if err != nil {
		return err
	}
	defer out.Abort()
	buf := bufio.NewWriter(out)
	for _, v := range values {
		if err := json.NewEncoder(buf).Encode(v); err != nil {
			return err
		}
	}
	if err := buf.Flush(); err != nil {
		return err
	}
	return out.Commit()
}

// put replaces a file of the plan. A local one is not waited for until it has reached the disk: a result
// that a failure of the power cuts is none, and its part is done again.
func (s *Store) put(ctx context.Context, name string, data []byte) error {
	out, err := s.client.Create(ctx, s.name(name))
	if err != nil {
		return err
	}
	defer out.Abort()
	if _, err := out.Write(data); err != nil {
		return err
	}
	if local, ok := out.(*storage.LocalWriter); ok {
		return local.CommitUnsynced()
	}
	return out.Commit()
}

// Load reads a plan.
func (s *Store) Load(ctx context.Context) (*Plan, error) {
	name := s.name(planName)
	text, err := s.client.ReadSmall(ctx, name, maxPlan)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w (tgmconv plan makes one)", err)
	}
	if err != nil {
		return nil, err
	}
	p := new(Plan)
	if err := json.Unmarshal(text, p); err != nil {
		return nil, &FormatError{storage.Display(name), err}
	}
	if p.Format != Format {
		return nil, &FormatError{storage.Display(name), fmt.Errorf("format is %d, expected %d", p.Format, Format)}
	}
	return p, nil
}

// Parts yields the parts in their order. An error is the last that it yields.
func (s *Store) Parts(ctx context.Context) iter.Seq2[*Part, error] {
	return func(yield func(*Part, error) bool) {
		for part, err := range lines[Part](ctx, s, partsName) {
			if err == nil {
				if wrong := part.check(); wrong != nil {
					part, err = nil, &FormatError{storage.Display(s.name(partsName)), wrong}
				}
			}
			if !yield(part, err) || err != nil {
				return
			}
		}
	}
}

// check returns an error if a part has names that no plan has, and that may lie elsewhere.
func (p *Part) check() error {
	switch {
	case len(p.ID) != 32 || strings.Trim(p.ID, "0123456789abcdef") != "":
		return fmt.Errorf("id is %q, expected 32 hexadecimal digits", p.ID)
	case p.Output == "" && p.Array == "":
		return fmt.Errorf("part %s has neither an output nor an array", p.ID)
	case p.Output != "" && !fs.ValidPath(p.Output):
		return fmt.Errorf("part %s: output is %q, expected a path below the plan's", p.ID, p.Output)
	case p.First < 0 || p.Slabs < 0:
		return fmt.Errorf("part %s: slabs %d from %d on", p.ID, p.Slabs, p.First)
	}
	return nil
}

// Inputs yields the files that a store is made of, or a catalogue lists.
func (s *Store) Inputs(ctx context.Context) iter.Seq2[*Input, error] {
	return lines[Input](ctx, s, inputsName)
}

// Documents yields the documents of a store in the order of writing.
func (s *Store) Documents(ctx context.Context) iter.Seq2[*Document, error] {
	return lines[Document](ctx, s, documentsName)
}

// lines yields the values of the lines of a file.
func lines[T any](ctx context.Context, s *Store, key string) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		name := s.name(key)
		blob, err := s.client.Open(ctx, name)
		if err != nil {
			yield(nil, err)
			return
		}
		defer blob.Close()
		scan := bufio.NewScanner(io.NewSectionReader(storage.ReaderAt(ctx, blob), 0, blob.Size()))
		scan.Buffer(make([]byte, 64<<10), maxLine)
		n := 0
		for scan.Scan() {
			n++
			v := new(T)
			if err := json.Unmarshal(scan.Bytes(), v); err != nil {
				yield(nil, &FormatError{storage.Display(name), fmt.Errorf("line %d: %w", n, err)})
				return
			}
			if !yield(v, nil) {
				return
			}
		}
		if err := scan.Err(); err != nil {
			yield(nil, &FormatError{storage.Display(name), err})
		}
	}
}

// Result reads the result of a part. If there is none, the error wraps fs.ErrNotExist.
func (s *Store) Result(ctx context.Context, id string) (*Result, error) {
	name := s.name(resultName(id))
	text, err := s.client.ReadSmall(ctx, name, maxResult)
	if err != nil {
		return nil, err
	}
	r := new(Result)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, &FormatError{storage.Display(name), err}
	}
	if r.ID != id {
		return nil, &FormatError{storage.Display(name), fmt.Errorf("id is %q, expected %q", r.ID, id)}
	}
	return r, nil
}

// PutResult stores the result of a part, or replaces it.
func (s *Store) PutResult(ctx context.Context, r *Result) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return s.put(ctx, resultName(r.ID), append(text, '\n'))
}
