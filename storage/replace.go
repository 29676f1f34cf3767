package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// Replace stores a file or object in place of the state with an entity tag, as [Blob] gives the tag. With an empty etag
// nothing may be there. If another state is there, the error wraps [ErrChanged], unless its bytes are the same.
//
// Of several callers with different bytes one is successful, provided that the server of an object heeds conditions of
// requests, and that all who change a file do it by Replace.
func (c *Client) Replace(ctx context.Context, location string, data []byte, etag string) error {
	b, name, err := c.Resolve(location)
	if err != nil {
		return err
	}
	switch b := b.(type) {
	case localBucket:
		err = c.replaceFile(ctx, location, data, etag)
	case conditional:
		err = c.replaceObject(ctx, b, location, name, data, etag)
	default:
		err = located(location, errors.ErrUnsupported)
	}
	c.objects.forget(location) // kept blocks of it may be of another state
	if errors.Is(err, ErrChanged) && c.has(ctx, location, data) {
		return nil
	}
	return err
}

// replaceObject asks for the state before it compares the entity tag. The state stands for the object with that tag, or
// for an earlier object, whose state the server refuses.
func (c *Client) replaceObject(ctx context.Context, b conditional, location, name string, data []byte, etag string) error {
	_, state, err := b.fetch(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		state, err = "", nil
	}
	if err == nil {
		err = c.checkETag(ctx, location, etag)
	}
	if err != nil {
		return err
	}
	if _, err := b.putIf(ctx, name, data, state); err != nil {
		return located(location, err)
	}
	return nil
}

func (c *Client) replaceFile(ctx context.Context, location string, data []byte, etag string) error {
	lock, err := c.Lock(ctx, LockName(location), LockOptions{Wait: defaultPatience})
	if err != nil {
		return err
	}
	defer lock.Unlock()
	if err := c.checkETag(ctx, location, etag); err != nil {
		return err
	}
	out, err := c.Create(ctx, location)
	if err != nil {
		return err
	}
	defer out.Abort()
	if _, err := out.Write(data); err != nil {
		return err
	}
	return out.Commit()
}

// checkETag returns an error that wraps ErrChanged if the file or object at a location has another
// entity tag.
func (c *Client) checkETag(ctx context.Context, location, etag string) error {
	now := ""
	c.objects.forget(location)
	blob, err := c.Open(Glance(Sparse(ctx)), location)
	switch {
	case err == nil:
		now = blob.ETag()
		blob.Close()
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if now != etag || err == nil && now == "" {
		return located(location, fmt.Errorf("%w: there is another one", ErrChanged))
	}
	return nil
}
