package ncwrite

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/tgmconv/tgmconv/internal/disk"
)

// output is where the bytes of the file go. It is the sink itself, or a temporary file that is
// copied to the sink at the end.
type output struct {
	sink  io.Writer
	at    io.WriterAt
	spool *disk.File // nil when the sink is written to directly
}

// newOutput chooses the way to write to a sink.
func newOutput(sink io.Writer, dir string) (*output, error) {
	if at := randomAccess(sink); at != nil {
		return &output{sink: sink, at: at}, nil
	}
	f, err := disk.CreateTemp(dir, "ncwrite-*.tmp")
	if err != nil {
		return nil, fmt.Errorf("temporary file for a sink without random access: %w", err)
	}
	return &output{sink: sink, at: f, spool: f}, nil
}

// randomAccess returns the sink as an io.WriterAt, nil if it has no random access: a pipe is an
// *os.File too.
func randomAccess(sink io.Writer) io.WriterAt {
	at, ok := sink.(io.WriterAt)
	if !ok {
		return nil
	}
	if f, ok := sink.(*os.File); ok {
		if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
			return nil
		}
	}
	if _, err := at.WriteAt(nil, 0); err != nil {
		return nil
	}
	return at
}

// WriteAt implements io.WriterAt.
func (o *output) WriteAt(p []byte, off int64) (int, error) { return o.at.WriteAt(p, off) }

// finish hands a file of size bytes to the sink.
func (o *output) finish(size int64) error {
	if o.spool == nil {
		return nil
	}
	_, err := o.spool.Seek(0, io.SeekStart)
	if err == nil {
		var n int64
		if n, err = io.Copy(o.sink, io.LimitReader(o.spool, size)); err == nil && n < size {
			err = io.ErrUnexpectedEOF
		}
	}
	return errors.Join(err, o.discard())
}

// discard removes the temporary file.
func (o *output) discard() error {
	if o.spool == nil {
		return nil
	}
	name := o.spool.Name()
	err := errors.Join(o.spool.Close(), os.Remove(name))
	o.spool = nil
	return err
}
