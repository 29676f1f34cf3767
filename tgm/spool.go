package tgm

import (
	"encoding/binary"
	"io"
	"os"

	"github.com/tgmconv/tgmconv/internal/disk"
	"github.com/tgmconv/tgmconv/internal/fault"
)

// spool holds bytes until they are used: in memory while they are few, else in a temporary file. Once it is emptied
// to a writer, bytes go there at once.
type spool struct {
	dir    string
	memory int // bytes to hold in memory
	buf    []byte
	file   *disk.File
	// removed: the file has no name any more and goes when it is closed.
	removed bool
	own     int64 // bytes that were written to it
	size    int64 // with the bytes of adopted files
	adopted []adopted
	held    held
	out     io.Writer // once it is emptied
}

// held is a payload that belongs between the bytes in memory, and is not copied there. The next bytes
// for which there is no room move it to the file with all others.
type held struct {
	after  int // bytes of buf that precede it
	data   []byte
	memory *payloadMemory // nil if nothing is held
}

// maxHeld bounds a held payload.
const maxHeld = 128 << 20

// adopted is a file that belongs between the bytes of a spool.
type adopted struct {
	after int64 // bytes of the spool's own that precede it
	file  *payloadFile
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
	if s.out != nil {
		if _, err := s.out.Write(b); err != nil {
			return fault.Errorf("tgm", "write objects: %w", err)
		}
		s.count(b)
		return nil
	}
	if s.fits(len(b)) {
		s.buf = append(s.buf, b...)
		s.count(b)
		return nil
	}
	if s.file == nil {
		if err := s.spill(); err != nil {
			return err
		}
	}
	if _, err := s.file.Write(b); err != nil {
		return fault.Errorf("tgm", "spool objects: %w", err)
	}
	s.count(b)
	return nil
}

// fits reports whether there is room in memory for n more bytes.
func (s *spool) fits(n int) bool { return s.file == nil && len(s.buf)+n <= s.memory }

// writePayload appends the payload of an object, without a copy of a file. Nor is a first payload copied
// for which there is no room in memory: it is held, so that a message of one object needs no file.
func (s *spool) writePayload(o *EncodedObject) error {
	n := len(o.payload)
	switch {
	case o.file != nil:
		return s.adopt(o.file)
	case o.pooled != nil && s.out == nil && n <= maxHeld && s.held.memory == nil && s.file == nil && !s.fits(n):
		s.held = held{len(s.buf), o.payload, o.pooled.share()}
		s.count(o.payload)
	default:
		return s.write(o.payload)
	}
	return nil
}

func (s *spool) count(b []byte) {
	s.own += int64(len(b))
	s.size += int64(len(b))
}

// spill moves the bytes in memory to a file.
func (s *spool) spill() error {
	f, removed, err := createTemp(s.dir)
	if err != nil {
		return err
	}
	s.file, s.removed = f, removed
	for _, b := range s.inMemory() {
		if _, err := f.Write(b); err != nil {
			return fault.Errorf("tgm", "spool objects: %w", err)
		}
	}
	s.dropMemory()
	return nil
}

// inMemory returns the bytes in memory.
func (s *spool) inMemory() [3][]byte {
	at := s.held.after
	return [3][]byte{s.buf[:at], s.held.data, s.buf[at:]}
}

func (s *spool) dropMemory() {
	if s.held.memory != nil {
		s.held.memory.close()
	}
	s.buf, s.held = nil, held{}
}

// createTemp creates a temporary file. It removes the file at once where that is possible while it
// is open, so that nothing remains however the program ends.
func createTemp(folder string) (f *disk.File, removed bool, err error) {
	if f, err = disk.CreateTemp(folder, "tgm-spool-*"); err != nil {
		return nil, false, fault.Errorf("tgm", "spool objects: %w", err)
	}
	return f, os.Remove(f.Name()) == nil, nil
}

// dropTemp closes a temporary file and removes it.
func dropTemp(f *disk.File, removed bool) {
	f.Close()
	if !removed {
		// A file that cannot be removed here is in a folder that the system cleans.
		_ = os.Remove(f.Name())
	}
}

// adopt appends a file, without copying it unless the spool is emptied.
func (s *spool) adopt(p *payloadFile) error {
	if s.out != nil {
		if err := p.copyTo(s.out); err != nil {
			return err
		}
	} else {
		s.adopted = append(s.adopted, adopted{s.own, p.share()})
	}
	s.size += p.size
	return nil
}

// emptyTo writes everything to w, and has what is added later go there.
func (s *spool) emptyTo(w io.Writer) error {
	if err := s.copyTo(w); err != nil {
		return err
	}
	s.drop()
	s.out = w
	return nil
}

// copyTo writes everything to w.
func (s *spool) copyTo(w io.Writer) error {
	if s.file != nil {
		if _, err := s.file.Seek(0, io.SeekStart); err != nil {
			return fault.Errorf("tgm", "read spooled objects: %w", err)
		}
	}
	done := int64(0)
	for _, a := range s.adopted {
		if err := s.copyOwn(w, done, a.after); err != nil {
			return err
		}
		if err := a.file.copyTo(w); err != nil {
			return err
		}
		done = a.after
	}
	return s.copyOwn(w, done, s.own)
}

// copyOwn writes the spool's own bytes from one to another, which follow the bytes it wrote last.
func (s *spool) copyOwn(w io.Writer, from, to int64) error {
	if s.file == nil {
		for _, b := range s.inMemory() {
			n := int64(len(b))
			if _, err := w.Write(b[min(max(from, 0), n):min(max(to, 0), n)]); err != nil {
				return fault.Errorf("tgm", "write objects: %w", err)
			}
			from, to = from-n, to-n
		}
		return nil
	}
	return copyFile(w, s.file, to-from)
}

// copyFile writes the next n bytes of a file.
func copyFile(w io.Writer, f *disk.File, n int64) error {
	copied, err := io.Copy(w, io.LimitReader(f, n)) // which the system does where w is a file
	if err == nil && copied != n {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return fault.Errorf("tgm", "write objects: %w", err)
	}
	return nil
}

// drop gives up memory and file.
func (s *spool) drop() {
	s.dropMemory()
	for _, a := range s.adopted {
		a.file.close()
	}
	s.adopted = nil
	if s.file == nil {
		return
	}
	dropTemp(s.file, s.removed)
	s.file = nil
}

func appendUint64(b []byte, v uint64) []byte { return binary.BigEndian.AppendUint64(b, v) }
