package tgm

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
)

// spool holds bytes until they are wanted: in memory while they are few, else in a temporary file.
type spool struct {
	dir    string
	memory int // bytes to hold in memory
	buf    []byte
	file   *os.File
	// removed: the file has no name any more and goes when it is closed.
	removed bool
	size    int64
}

const defaultSpoolMemory = 8 << 20

func newSpool(dir string, memory int) spool {
	if memory <= 0 {
		memory = defaultSpoolMemory
	}
	return spool{dir: dir, memory: memory}
}

// write appends b.
func (s *spool) write(b []byte) error {
	if s.file == nil && len(s.buf)+len(b) <= s.memory {
		s.buf = append(s.buf, b...)
		s.size += int64(len(b))
		return nil
	}
	if s.file == nil {
		if err := s.spill(); err != nil {
			return err
		}
	}
	if _, err := s.file.Write(b); err != nil {
		return fmt.Errorf("tgm: spool objects: %w", err)
	}
	s.size += int64(len(b))
	return nil
}

// spill moves what is in memory to a file.
func (s *spool) spill() error {
	f, err := os.CreateTemp(s.dir, "tgm-spool-*")
	if err != nil {
		return fmt.Errorf("tgm: spool objects: %w", err)
	}
	s.file = f
	// Where a file may be removed while it is open, it goes now, so that nothing stays behind
	// however the program ends.
	s.removed = os.Remove(f.Name()) == nil
	if _, err := f.Write(s.buf); err != nil {
		return fmt.Errorf("tgm: spool objects: %w", err)
	}
	s.buf = nil
	return nil
}

// copyTo writes everything to w.
func (s *spool) copyTo(w io.Writer) error {
	if s.file == nil {
		if _, err := w.Write(s.buf); err != nil {
			return fmt.Errorf("tgm: write objects: %w", err)
		}
		return nil
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("tgm: read spooled objects: %w", err)
	}
	n, err := io.Copy(w, s.file)
	if err == nil && n != s.size {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return fmt.Errorf("tgm: write objects: %w", err)
	}
	return nil
}

// drop gives up memory and file.
func (s *spool) drop() {
	s.buf = nil
	if s.file == nil {
		return
	}
	s.file.Close()
	if !s.removed {
		// What cannot be removed here is in a folder that the system cleans.
		_ = os.Remove(s.file.Name())
	}
	s.file = nil
}

func appendUint64(b []byte, v uint64) []byte { return binary.BigEndian.AppendUint64(b, v) }
