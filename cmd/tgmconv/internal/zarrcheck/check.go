// Package zarrcheck compares the arrays that a Zarr client reads from a store with their source. This
// is a Tensogram file with its objects, or a dataset with its fields.
package zarrcheck

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/zarr"
)

// An Array is the result of comparing one array.
type Array struct {
	Path string

	DType zarr.DataType
	Shape []uint64
	Bytes int64 // of its elements

	// Err is the first difference, or why the array cannot be read; nil if all elements are equal.
	Err error
}

// A Result counts the arrays that were compared.
type Result struct {
	Arrays, Equal int
	NotCompared   int // see [ErrNotCompared]
	Listed        int // arrays that the consolidated metadata of the store list
}

// add counts an array.
func (r *Result) add(a *Array) {
	r.Arrays++
	switch {
	case a.Err == nil:
		r.Equal++
	case errors.Is(a.Err, ErrNotCompared):
		r.NotCompared++
	}
}

// Err returns an error if arrays differ, or if the store lists other arrays than the file has.
func (r Result) Err() error {
	differ := r.Arrays - r.Equal - r.NotCompared
	switch {
	case differ > 0:
		return fmt.Errorf("%d of %d arrays differ", differ, r.Arrays)
	case r.Listed != r.Arrays:
		return fmt.Errorf("the consolidated metadata list %d arrays, the file has %d objects", r.Listed, r.Arrays)
	}
	return nil
}

// Count returns the number of arrays that a client finds in the store.
func Count(ctx context.Context, store zarr.Store) (int, error) {
	n := 0
	for _, err := range zarr.Arrays(ctx, store, "") {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// Messages compares every array of the message view of a file with its object, bit by bit. store shows the
// file as [serve.OpenMessages] does. report is called after each array, also after one that differs.
func Messages(ctx context.Context, store zarr.Store, file *tgm.File, report func(Array) error) (Result, error) {
	var r Result
	var err error
	if r.Listed, err = Count(ctx, store); err != nil {
		return r, err
	}
	messages, err := file.Len()
	if err != nil {
		return r, err
	}
	for i := range messages {
		path := ""
		if messages > 1 {
			path = strconv.Itoa(i)
		}
		m, err := file.Message(i)
		if err != nil {
			return r, err
		}
		if err := r.message(ctx, store, path, m, report); err != nil {
			return r, err
		}
	}
	return r, nil
}

// message checks the objects of a message, whose group names its arrays in their order.
func (r *Result) message(ctx context.Context, store zarr.Store, path string, m *tgm.Message, report func(Array) error) error {
	group, err := zarr.OpenGroup(ctx, store, path)
	if err != nil {
		return err
	}
	names, _ := group.Attributes[serve.VariablesKey].([]any)
	n, err := m.NumObjects()
	if err != nil {
		return err
	}
	if len(names) != n {
		return fmt.Errorf("message %d has %d arrays, expected %d", m.Index(), len(names), n)
	}
	for j := range n {
		a := Array{}
		object, err := m.Stored(j)
		if err != nil {
			return err
		}
		a.Path, _ = names[j].(string)
		if path != "" {
			a.Path = path + "/" + a.Path
		}
		a.Err = a.compare(ctx, store, object)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r.add(&a)
		if err := report(a); err != nil {
			return err
		}
	}
	return nil
}

// compare reads the array and compares it with an object.
func (a *Array) compare(ctx context.Context, store zarr.Store, object *tgm.Object) error {
	array, err := zarr.OpenArray(ctx, store, a.Path)
	if err != nil {
		return err
	}
	dtype, want, err := serve.ObjectReader(object)
	if err != nil {
		return err
	}
	meta := array.Metadata()
	a.DType, a.Shape = meta.DataType, meta.Shape
	if a.Bytes, err = meta.Bytes(); err != nil {
		return err
	}
	if a.DType != dtype || a.Bytes != want.Size() {
		return fmt.Errorf("%d bytes of %s, expected %d of %s", a.Bytes, a.DType, want.Size(), dtype)
	}
	got, err := array.Reader(ctx)
	if err != nil {
		return err
	}
	defer got.Close()
	return sameBytes(got, want)
}

// sameBytes compares two readers of the same length.
func sameBytes(got, want io.Reader) error {
	var a, b [64 << 10]byte
	for {
		n, err := io.ReadFull(want, b[:])
		if err == io.EOF {
			if _, err := io.ReadFull(got, a[:1]); err != io.EOF {
				return cmp.Or(err, errors.New("more values than the file's"))
			}
			return nil
		}
		if err != nil && err != io.ErrUnexpectedEOF {
			return err
		}
		if _, err := io.ReadFull(got, a[:n]); err != nil {
			return err
		}
		if !bytes.Equal(a[:n], b[:n]) {
			return errors.New("other values than the file's")
		}
	}
}
