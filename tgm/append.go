package tgm

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// AppendFile adds messages to the end of a file, which it creates if there is none. write gets the
// file to write to. If write returns an error, the file is cut to the length it had before.
func AppendFile(path string, write func(w io.Writer) error) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		f.Close()
		return fmt.Errorf("tgm: append to %s: %w", path, err)
	}
	if err = write(f); err == nil {
		return f.Close()
	}
	return errors.Join(err, f.Truncate(size), f.Close())
}
