package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"reflect"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/catalog"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/show"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/tgm/edit"
)

// pipedInput returns standard input if name stands for it and it is a pipe of Tensogram messages,
// and else nil. What was read of another pipe is still there for who reads standard input next.
func pipedInput(cmd *cobra.Command, name string) (io.Reader, error) {
	client := clientOf(cmd)
	if name != storage.Stdin || client.Stdin == nil {
		return nil, nil
	}
	if f, ok := client.Stdin.(*os.File); ok {
		if st, err := f.Stat(); err != nil || st.Mode().IsRegular() {
			return nil, err
		}
	}
	in := bufio.NewReaderSize(&interruptible{ctx: cmd.Context(), r: client.Stdin}, 64<<10)
	client.Stdin = in
	found, err := importers.DetectHead(func(limit int) ([]byte, error) {
		head, _ := in.Peek(min(limit, in.Size())) // an error comes again with the next read
		return head, nil
	})
	if err != nil || found != importers.FormatTensogram {
		return nil, err
	}
	return in, cmd.Context().Err()
}

// An interruptible reads what may never return from a read, such as a pipe, also when the command
// is interrupted.
type interruptible struct {
	ctx  context.Context
	r    io.Reader
	buf  []byte
	left []byte // of buf
	err  error  // after left
}

// Read implements io.Reader.
func (i *interruptible) Read(b []byte) (int, error) {
	if len(i.left) == 0 {
		if i.err == nil {
			i.err = i.ctx.Err()
		}
		if i.err != nil {
			return 0, i.err
		}
		if i.buf == nil {
			i.buf = make([]byte, 256<<10)
		}
		type result struct {
			n   int
			err error
		}
		ended := make(chan result, 1)
		go func() {
			n, err := i.r.Read(i.buf)
			ended <- result{n, err}
		}()
		select {
		case end := <-ended:
			i.left, i.err = i.buf[:end.n], end.err
		case <-i.ctx.Done():
			i.err = i.ctx.Err()
		}
	}
	n := copy(b, i.left)
	i.left = i.left[n:]
	return n, nil
}

// openPiped is openView for verbs that take messages one after the other: a pipe is read as it
// comes. opts are for its large messages.
func openPiped(cmd *cobra.Command, name string, opts ...tgm.Option) (*viewFile, error) {
	in, err := pipedInput(cmd, name)
	if err != nil {
		return nil, err
	}
	if in == nil {
		return openView(cmd, name)
	}
	return &viewFile{File: tgm.NewPipe(in, opts...), name: name}, nil
}

// copyInputs copies all messages of the inputs as they are. A pipe is copied as it comes.
func (e *editing) copyInputs(cmd *cobra.Command, names []string, out io.Writer) error {
	for _, name := range names {
		in, err := pipedInput(cmd, name)
		switch {
		case err != nil:
		case in != nil:
			err = e.copyStream(cmd.Context(), out, in)
		default:
			err = e.eachMessageOf(cmd, name, func(m *catalog.Message) error { return e.copyWhole(out, m) })
		}
		if err != nil {
			return inFile(name, err)
		}
	}
	return nil
}

// copyStream copies the messages of a stream as they are and counts them.
func (e *editing) copyStream(ctx context.Context, out io.Writer, in io.Reader) error {
	s := tgm.NewStreamReader(io.TeeReader(in, out))
	objects := 0
	for _, err := range s.Objects() {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		objects++
		if s.Skipped() > 0 {
			break
		}
	}
	if n := s.Skipped(); n > 0 {
		return fmt.Errorf("after message %d, %d bytes belong to no message", s.Messages(), n)
	}
	e.count(s.Messages(), objects)
	return nil
}

// writePassing writes the items of a message whose objects pass. change gives the metadata of the
// message as a whole from what they are, which a message may say at its end.
func (e *editing) writePassing(out storage.Writer, m *catalog.Message, opts edit.Options, items iter.Seq2[edit.Item, error], change func(extra map[string]any) (map[string]any, error)) error {
	extra, err := change(m.Shared.Extra)
	if err != nil {
		return err
	}
	w := edit.Begin(out, extra, opts)
	defer w.Abort()
	for item, err := range items {
		if err == nil {
			err = w.Add(item)
		}
		if err != nil {
			return err
		}
	}
	last, err := m.SharedMetadata()
	if err == nil {
		extra, err = change(last.Extra)
	}
	if err != nil {
		return err
	}
	e.count(1, w.Objects())
	return w.End(extra)
}

// mergePiped makes one message of the objects of all messages as they come.
func (e *editing) mergePiped(cmd *cobra.Command, names []string, strategy edit.Conflict) error {
	if err := e.toOutput(cmd, e.output, func(out storage.Writer) error {
		extra := map[string]any{}
		w := edit.Begin(out, extra, e.options(out))
		defer w.Abort()
		if err := e.eachMessage(cmd, names, func(m *catalog.Message) error {
			for o, err := range e.selection().Objects(m) {
				if err == nil {
					err = w.Add(edit.Item{Object: o.Object})
				}
				if err != nil {
					return err
				}
			}
			last, err := m.SharedMetadata()
			if err != nil {
				return err
			}
			return edit.JoinExtra(extra, last.Extra, strategy)
		}); err != nil {
			return err
		}
		e.count(1, w.Objects())
		return w.End(extra)
	}); err != nil {
		return err
	}
	return e.report(cmd, nil)
}

// same changes nothing.
func same(extra map[string]any) (map[string]any, error) { return extra, nil }

// copyPassing writes the objects that are selected to the outputs that they name, as they pass.
func (e *editing) copyPassing(m *catalog.Message, template edit.Template, outputs *storage.Outputs) error {
	writers := map[string]*edit.Writer{}
	defer func() {
		for _, w := range writers {
			w.Abort()
		}
	}()
	for o, err := range e.selection().Objects(m) {
		if err != nil {
			return err
		}
		name := template.Expand(func(key string) (string, bool) { return show.Value(o, key) })
		out, err := outputOf(outputs, name)
		if err != nil {
			return err
		}
		if writers[name] == nil {
			writers[name] = edit.Begin(out, m.Shared.Extra, e.options(out))
		}
		if err := writers[name].Add(edit.Item{Object: o.Object}); err != nil {
			return err
		}
	}
	last, err := m.SharedMetadata()
	if err != nil {
		return err
	}
	for _, w := range writers {
		if err := w.End(last.Extra); err != nil {
			return err
		}
		e.count(1, w.Objects())
	}
	return nil
}

// checkLate returns an error if a message whose objects passed has other metadata at its end than
// those that it was judged by.
func checkLate(m *catalog.Message) error {
	last, err := m.SharedMetadata()
	if err == nil && !reflect.DeepEqual(last.Extra, m.Shared.Extra) {
		err = fmt.Errorf("message %d has metadata at its end that its objects are judged by: a pipe cannot go back, a file can", m.Index())
	}
	return err
}
