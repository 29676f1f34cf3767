package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/catalog"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// copyInputs copies all messages of the inputs as they are. A pipe is copied as it comes.
func (e *editing) copyInputs(cmd *cobra.Command, names []string, out io.Writer) error {
	for _, name := range names {
		if name == storage.Stdin {
			piped, err := e.copyPiped(cmd, out)
			if err != nil {
				return inFile(name, err)
			}
			if piped {
				continue
			}
		}
		if err := e.eachMessageOf(cmd, name, func(m *catalog.Message) error { return e.copyWhole(out, m) }); err != nil {
			return inFile(name, err)
		}
	}
	return nil
}

// copyPiped copies standard input if it is a pipe of Tensogram messages. It holds one object at a
// time. What was read of another pipe is still there for who reads standard input next.
func (e *editing) copyPiped(cmd *cobra.Command, out io.Writer) (piped bool, err error) {
	client := clientOf(cmd)
	if client.Stdin == nil {
		return false, nil
	}
	if f, ok := client.Stdin.(*os.File); ok {
		if st, err := f.Stat(); err != nil || st.Mode().IsRegular() {
			return false, err
		}
	}
	in := bufio.NewReaderSize(client.Stdin, 64<<10)
	client.Stdin = in
	type end struct {
		piped bool
		err   error
	}
	ended := make(chan end, 1)
	go func() {
		found, err := importers.DetectHead(func(limit int) ([]byte, error) {
			head, _ := in.Peek(min(limit, in.Size())) // an error comes again with the next read
			return head, nil
		})
		piped := err == nil && found == importers.FormatTensogram
		if piped {
			err = e.copyStream(cmd.Context(), out, in)
		}
		ended <- end{piped, err}
	}()
	// A read of a pipe may never return, also when the command is interrupted.
	select {
	case end := <-ended:
		return end.piped, end.err
	case <-cmd.Context().Done():
		return true, cmd.Context().Err()
	}
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
