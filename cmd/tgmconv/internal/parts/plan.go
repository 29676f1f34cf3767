// Package parts keeps a large conversion as data: parts that can be done by any process, in any order,
// more than once, and a commit.
//
// A plan is a folder, or a prefix of an object store:
//
//	plan.json       the work: the verb, its flags, the output, counts. Written last.
//	parts.jsonl     a line for each part: its inputs with their states, and the key of its output
//	inputs.jsonl    to-zarr and index only: a line for each file of the dataset, or of the catalogue
//	documents.jsonl to-zarr only: the metadata documents of the store, in the order of writing
//	kept.parquet    index only: the catalogue that is extended
//	pieces/         index and extract only: the outputs of parts, which the commit joins to one
//	results/ID.json the result of a part: its outputs with size and hash
//	committed.json  there once all parts are whole, and the documents are written
//
// The id of a part is a hash of all that its output depends on. No process has a lock: outputs and
// results appear when they are complete, and two processes that do the same part write equal ones.
package parts

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Format is the version of the layout of a plan.
const Format = 1

// A Plan is the content of plan.json.
type Plan struct {
	Format    int      `json:"format"`
	Program   string   `json:"program"` // that made it, and must do its parts
	Verb      string   `json:"verb"`
	Arguments []string `json:"arguments"` // flags of the verb, without inputs and output
	Epoch     string   `json:"source_date_epoch"`
	Output    string   `json:"output"`           // keys are relative to it
	Joined    bool     `json:"joined,omitempty"` // the outputs of parts are pieces of the output
	Before    string   `json:"before,omitempty"` // index: entity tag of the catalogue that is extended
	Grows     bool     `json:"grows,omitempty"`  // to-zarr: time and step are dimensions even of one file
	Store     string   `json:"store,omitempty"`  // to-zarr: fingerprint of the store and its inputs
	Parts     int      `json:"parts"`
	Inputs    int      `json:"inputs"`
	Bytes     int64    `json:"bytes"` // of the inputs
	Passed    int      `json:"passed_over"`
	Hash      string   `json:"parts_sha256"` // of parts.jsonl
}

// An Input is a file or object in the state in which it was planned.
type Input struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
	ETag string `json:"etag,omitempty"`
}

// A Part is a line of parts.jsonl.
type Part struct {
	ID     string  `json:"id"`
	Inputs []Input `json:"inputs,omitempty"`
	Output string  `json:"output,omitempty"` // key
	// Optional: the input was found in a folder, or bad inputs are skipped: it may hold nothing to convert.
	Optional bool `json:"optional,omitempty"`
	// Beside are files that flags name: places, areas, masks.
	Beside []Input `json:"beside,omitempty"`
	// Of a store: slabs of an array.
	Array string `json:"array,omitempty"`
	First int    `json:"first,omitempty"`
	Slabs int    `json:"slabs,omitempty"`
}

// identify gives a part its id, which depends on the plan as well.
func (p *Plan) identify(part *Part) error {
	head := []any{p.Format, p.Program, p.Verb, p.Arguments, p.Epoch, p.Output, p.Grows, p.Store}
	part.ID = ""
	text, err := json.Marshal([]any{head, part})
	sum := sha256.Sum256(text)
	part.ID = hex.EncodeToString(sum[:16])
	return err
}

// The states of results.
const (
	Done  = "done"
	Empty = "empty" // the inputs hold nothing to convert, or nothing that can be read: there is no output
)

// A Result is the content of results/ID.json. It is the same for every worker, apart from entity
// tags.
type Result struct {
	ID       string   `json:"id"`
	State    string   `json:"state"`
	Outputs  []Output `json:"outputs"`
	Fields   int      `json:"fields,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	Skipped  []string `json:"skipped,omitempty"`
}

// An Output is a file or object that a part has written.
type Output struct {
	Key  string `json:"key"`
	Size int64  `json:"size"`
	Hash string `json:"sha256"`
	// ETag is the entity tag of the output when its hash was taken: it is hashed again only if the tag differs.
	ETag string `json:"etag,omitempty"`
}

// A Document is a line of documents.jsonl.
type Document struct {
	Key  string `json:"key"`
	Text string `json:"text"`
}

// A Commit is the content of committed.json.
type Commit struct {
	Plan    string `json:"plan_sha256"` // of plan.json
	Parts   int    `json:"parts"`
	Empty   int    `json:"empty"`
	Outputs int    `json:"outputs"`
	Bytes   int64  `json:"bytes"`
	Hash    string `json:"outputs_sha256"` // of a line for each output: its key, size and hash
}

// A FormatError says that a file of a plan is not in its form.
type FormatError struct {
	Location string
	Err      error
}

func (e *FormatError) Error() string { return fmt.Sprintf("%s: %v", e.Location, e.Err) }
func (e *FormatError) Unwrap() error { return e.Err }

// NamesFile reports that the text says which file the error is about.
func (e *FormatError) NamesFile() bool { return true }
