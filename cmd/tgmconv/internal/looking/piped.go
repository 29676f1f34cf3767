package looking

import (
	"bufio"
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// PipedInput returns standard input if name stands for it and it is a pipe of Tensogram messages,
// and else nil. Bytes that were read from another pipe are still there for the next reader of
// standard input.
func PipedInput(cmd *cobra.Command, name string) (io.Reader, error) {
	client := cli.ClientOf(cmd)
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

// An interruptible reads from a reader that may block for ever, such as a pipe, also when the command
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

// OpenPiped is OpenView for verbs that take messages one after the other: a pipe is read as it
// comes.
func OpenPiped(cmd *cobra.Command, name string) (*ViewFile, error) {
	in, err := PipedInput(cmd, name)
	if err != nil {
		return nil, err
	}
	if in == nil {
		return OpenView(cmd, name)
	}
	return &ViewFile{File: tgm.NewPipe(in, tgm.WithTempDir(cli.ClientOf(cmd).TempDir), tgm.WithCompleter(fromgrib.NewEntries())), Name: name}, nil
}
