package unpack

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"

	"github.com/tgmconv/tgmconv/storage"
)

// Stream reads a file from its beginning, where Open would have to unpack it or keep standard input. It
// returns nil for files that Open can open without that, and for archives in streams. Standard input can be
// read once.
func (c *Client) Stream(ctx context.Context, location string) (io.ReadCloser, error) {
	if location == storage.Stdin {
		return c.streamStdin(ctx)
	}
	if outer, _, _ := Split(location); outer == storage.Stdin {
		return nil, nil
	}
	n, err := c.node(ctx, location)
	if err != nil {
		return nil, err
	}
	names, err := n.only(ctx)
	if err != nil {
		n.close()
		return nil, located(location, err)
	}
	if names != nil || n.blob != nil {
		n.close()
		return nil, nil // Open reports the error about several members
	}
	r, err := n.stream(ctx)
	if err != nil {
		n.close()
		return nil, located(location, err)
	}
	return &streamed{r, r, n.close}, nil
}

// streamed is an unpacked stream with the resources below it.
type streamed struct {
	io.Reader
	stream io.Closer
	done   func()
}

// Close implements io.Closer.
func (s *streamed) Close() error {
	err := s.stream.Close()
	s.done()
	return err
}

// lookAhead is how much of a pipe is read to find its format: more than a block of zstd.
const lookAhead = 256 << 10

// pipe is standard input with room to look ahead; nil if it is a file, or kept by another.
func (c *Client) pipe() *bufio.Reader {
	if c.StdinKept() {
		return nil
	}
	switch in := c.Stdin.(type) {
	case nil:
		return nil
	case *bufio.Reader:
		if in.Size() >= lookAhead {
			return in
		}
	case *os.File:
		if st, err := in.Stat(); err != nil || st.Mode().IsRegular() {
			return nil
		}
	}
	in := bufio.NewReaderSize(c.Stdin, lookAhead)
	c.Stdin = in
	return in
}

// pipeHead returns the first bytes of a pipe, at most limit, and its compression, nil if there is none. It
// reports false where only a kept copy can tell: for archives, for data compressed twice, and for blocks
// longer than the bytes looked at.
func pipeHead(in *bufio.Reader, limit int) (head []byte, packed *method, ok bool) {
	head, _ = in.Peek(signature) // an error comes again with the next read
	if packed = methodOf(head); packed == nil {
		head, _ = in.Peek(min(max(limit, blockSize), in.Size()))
	} else {
		b, _ := in.Peek(in.Size())
		r, err := packed.open(bytes.NewReader(b))
		if err != nil {
			return nil, nil, false
		}
		defer r.Close()
		if head, _ = readHead(r, max(limit, blockSize)); len(head) == 0 || methodOf(head) != nil {
			return nil, nil, false // the end of b is an error, except after complete bytes
		}
	}
	return head[:min(limit, len(head))], packed, reading(head) == nil
}

// peekStdin is Peek for a pipe; ok is false where it has to be kept.
func (c *Client) peekStdin(ctx context.Context, limit int) (head []byte, ok bool, err error) {
	in := c.pipe()
	if in == nil {
		return nil, false, nil
	}
	err = untilDone(ctx, func() { head, _, ok = pipeHead(in, limit) })
	return head, ok, err
}

func (c *Client) streamStdin(ctx context.Context) (io.ReadCloser, error) {
	in := c.pipe()
	if in == nil {
		return nil, nil
	}
	// The size of standard input grows as it is read, and with it the limit of its unpacked size.
	limits := newBudget(c, "", 0)
	var packed *method
	var ok bool
	if err := untilDone(ctx, func() { _, packed, ok = pipeHead(in, signature) }); err != nil || !ok {
		return nil, err
	}
	// A read of the pipe may never return, so its reader is not waited for.
	out, into := io.Pipe()
	stop := context.AfterFunc(ctx, func() { into.CloseWithError(ctx.Err()) })
	go func() {
		_, err := io.Copy(into, in)
		into.CloseWithError(err)
	}()
	done := func() {
		stop()
		out.Close()
	}
	if packed == nil {
		return &streamed{out, io.NopCloser(nil), done}, nil
	}
	r, err := packed.open(bufio.NewReaderSize(&counted{out, limits}, readSize))
	if err != nil {
		done()
		return nil, located(storage.Stdin, err)
	}
	r = limits.reader(storage.Stdin, r)
	return &streamed{r, r, done}, nil
}

// untilDone calls do, which may never return, until it has or ctx is done.
func untilDone(ctx context.Context, do func()) error {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		do()
	}()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
