package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/show"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/zarr"
)

// checkServed reads every array of a served file over HTTP and compares it with the decoded object,
// a line an array. All arrays are read, whatever is wrong with one of them.
func checkServed(ctx context.Context, out io.Writer, show *progress, v *viewFile, base string) error {
	client := &http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone()}
	defer client.CloseIdleConnections()
	store, err := zarr.NewHTTP(base, client)
	if err != nil {
		return err
	}
	listed, err := countArrays(ctx, store)
	if err != nil {
		return err
	}
	show.begin(int64(listed), false)
	defer show.end()
	messages, err := v.Len()
	if err != nil {
		return err
	}
	c := checker{ctx: ctx, out: out, store: store, show: show}
	for i := range messages {
		path := ""
		if messages > 1 {
			path = strconv.Itoa(i)
		}
		message, err := v.Message(i)
		if err != nil {
			return err
		}
		if err := c.message(path, message); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "%d of %d arrays read over HTTP equal their objects\n", c.equal, c.arrays)
	switch {
	case c.equal != c.arrays:
		return fmt.Errorf("%d of %d arrays differ", c.arrays-c.equal, c.arrays)
	case listed != c.arrays:
		return fmt.Errorf("the consolidated metadata list %d arrays, the file has %d objects", listed, c.arrays)
	}
	return nil
}

// countArrays counts the arrays that a client finds by itself.
func countArrays(ctx context.Context, store zarr.Store) (int, error) {
	n := 0
	for _, err := range zarr.Arrays(ctx, store, "") {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// A checker compares the arrays of a store with the objects of a file.
type checker struct {
	ctx           context.Context
	out           io.Writer
	store         zarr.Store
	show          *progress
	arrays, equal int
}

// message checks the objects of a message, whose group names its arrays in their order.
func (c *checker) message(path string, m *tgm.Message) error {
	group, err := zarr.OpenGroup(c.ctx, c.store, path)
	if err != nil {
		return err
	}
	names, _ := group.Attributes["_tensogram_variables"].([]any)
	n, err := m.NumObjects()
	if err != nil {
		return err
	}
	if len(names) != n {
		return fmt.Errorf("message %d has %d arrays, expected %d", m.Index(), len(names), n)
	}
	for j := range n {
		object, err := m.Stored(j)
		if err != nil {
			return err
		}
		name, _ := names[j].(string)
		if path != "" {
			name = path + "/" + name
		}
		c.arrays++
		c.show.set(int64(c.arrays), 0)
		description, err := c.compare(name, object)
		if c.ctx.Err() != nil {
			return c.ctx.Err()
		}
		verdict := "equal "
		if err != nil {
			verdict, description = "DIFFERS", strings.TrimPrefix(err.Error(), "tgm: ")
		} else {
			c.equal++
		}
		if _, err := fmt.Fprintf(c.out, "%s %s %s\n", verdict, name, description); err != nil {
			return written(err)
		}
	}
	return nil
}

// compare reads an array and compares it bit by bit with its object.
func (c *checker) compare(path string, object *tgm.Object) (description string, err error) {
	array, err := zarr.OpenArray(c.ctx, c.store, path)
	if err != nil {
		return "", err
	}
	dtype, want, err := zarr.ObjectReader(object)
	if err != nil {
		return "", err
	}
	meta := array.Metadata()
	size, err := meta.Bytes()
	if err != nil {
		return "", err
	}
	if meta.DataType != dtype || size != want.Size() {
		return "", fmt.Errorf("%d bytes of %s, expected %d of %s", size, meta.DataType, want.Size(), dtype)
	}
	got, err := array.Reader(c.ctx)
	if err != nil {
		return "", err
	}
	defer got.Close()
	if err := sameBytes(got, want); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %s %d bytes", meta.DataType, show.Shape(meta.Shape), size), nil
}

// sameBytes compares what two readers of the same length give.
func sameBytes(got, want io.Reader) error {
	var a, b [64 << 10]byte
	for {
		n, err := io.ReadFull(want, b[:])
		if err == io.EOF {
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
