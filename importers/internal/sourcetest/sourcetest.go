// Package sourcetest tests implementations of importers.Source.
package sourcetest

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/mapping"
)

// Parts lists the parts of a source and reads them twice by others that know nothing of the inputs.
// They get the parts from JSON, shuffled, and read on several goroutines, with and without scratch
// memory. The fields must be the same that the first source reads in order. It returns how many
// fields there are.
func Parts(t *testing.T, listing, reading func() importers.Source) int {
	t.Helper()
	list := listing()
	defer list.Close()
	var docs [][]byte
	var want [][]string
	fields := 0
	for p, err := range list.Parts(t.Context()) {
		var bad *importers.BadInput
		if errors.As(err, &bad) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		doc, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		read := readPart(t.Context(), list, p, new(importers.Scratch))
		docs, want, fields = append(docs, doc), append(want, read), fields+len(read)
	}
	other := reading()
	defer other.Close()
	order := append(rand.Perm(len(docs)), rand.Perm(len(docs))...)
	next := make(chan int)
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			for i := range next {
				var p importers.Part
				if err := json.Unmarshal(docs[order[i]], &p); err != nil {
					t.Error(err)
				}
				var scratch *importers.Scratch
				if i%2 == 0 {
					scratch = new(importers.Scratch)
				}
				compare(t, docs[order[i]], readPart(t.Context(), other, p, scratch), want[order[i]])
			}
		})
	}
	for i := range order {
		next <- i
	}
	close(next)
	workers.Wait()
	return fields
}

func compare(t *testing.T, doc []byte, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d fields read, expected %d: %q", doc, len(got), len(want), got)
		return
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%s: field %d is\n%s, expected\n%s", doc, i, got[i], want[i])
		}
	}
}

// readPart describes the fields of a part, each with a digest of its values.
func readPart(ctx context.Context, s importers.Source, p importers.Part, scratch *importers.Scratch) []string {
	var fields []string
	for f, err := range s.Read(ctx, p, scratch) {
		text := fmt.Sprint(err)
		if err == nil && f.Values == nil {
			text = fmt.Sprint(f.Where, f.Group, f.Message)
		} else if err == nil {
			text = describe(f) + values(ctx, f, scratch)
		}
		fields = append(fields, text)
	}
	return fields
}

func describe(f *importers.Field) string {
	base, err := mapping.Base(f.Name, f.Attrs, f.Extras, f.Namespaces...)
	doc, jsonErr := json.Marshal(base)
	if jsonErr != nil { // NaN
		doc = fmt.Append(nil, base)
	}
	text := fmt.Sprintf("%s %q %s %v %v %t %s %q %v %s", f.Name, f.Group, f.DType, f.Dims, f.Shape, f.Compressed, f.Where, f.Notes, err, doc)
	for _, c := range f.Coords {
		text += fmt.Sprintf(" %s %v %v", c.Key, c.Dims, c.Shape)
	}
	return text
}

func values(ctx context.Context, f *importers.Field, scratch *importers.Scratch) string {
	if scratch == nil {
		scratch = new(importers.Scratch)
	}
	sum := sha256.New()
	p, err := f.Values.Packed(ctx, scratch)
	if err != nil {
		return fmt.Sprint(" ", err)
	}
	if p != nil {
		fmt.Fprint(sum, p.Params, p.Bits, p.Samples, p.AEC, p.Missing)
		return fmt.Sprintf(" packed %x", sum.Sum(nil))
	}
	e, err := f.Elements(ctx, scratch)
	fmt.Fprint(sum, e.Missing)
	sum.Write(e.Data)
	return fmt.Sprintf(" %x %v", sum.Sum(nil), err)
}
