package ncwrite

import (
	"errors"
	"os"
	"sync"

	"github.com/tgmconv/tgmconv/internal/disk"
)

// spill counts the memory of pending chunks, and keeps chunks that there is no memory for in
// a temporary file.
type spill struct {
	dir string

	mu   sync.Mutex
	left int64 // bytes of memory
	file *disk.File
	end  int64
	free map[int64][]int64 // slots by size
}

// take reports whether there is memory for n bytes, and takes it.
func (s *spill) take(n int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left < n {
		return false
	}
	s.left -= n
	return true
}

// give returns memory.
func (s *spill) give(n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left += n
}

// slot returns room for n bytes in the temporary file.
func (s *spill) slot(n int64) (*disk.File, int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		var err error
		if s.file, err = disk.CreateTemp(s.dir, "ncwrite-*.tmp"); err != nil {
			return nil, 0, err
		}
		s.free = map[int64][]int64{}
	}
	if list := s.free[n]; len(list) > 0 {
		at := list[len(list)-1]
		s.free[n] = list[:len(list)-1]
		return s.file, at, nil
	}
	at := s.end
	s.end += n
	return s.file, at, nil
}

// read returns the bytes of a slot, which is free then.
func (s *spill) read(b []byte, at int64) error {
	if _, err := s.file.ReadAt(b, at); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free[int64(len(b))] = append(s.free[int64(len(b))], at)
	return nil
}

// close removes the temporary file.
func (s *spill) close() error {
	if s.file == nil {
		return nil
	}
	name := s.file.Name()
	err := errors.Join(s.file.Close(), os.Remove(name))
	s.file = nil
	return err
}
