package ncwrite

import "sync"

// appender adds pieces to the end of a file.
type appender struct {
	out *output

	mu  sync.Mutex
	end int64  // of all pieces so far
	buf []byte // the last of them, not written yet
	at  int64  // where buf begins
}

const (
	appendBuffer = 1 << 20
	appendDirect = 128 << 10 // pieces from this size are not copied
)

// reserve returns where the next n bytes go, which the caller writes.
func (a *appender) reserve(n int64) (int64, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.flush(); err != nil {
		return 0, err
	}
	at := (a.end + 7) &^ 7
	a.end = at + n
	return at, nil
}

// add writes a piece and returns where it is.
func (a *appender) add(b []byte) (int64, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	at := (a.end + 7) &^ 7
	if len(b) >= appendDirect || len(a.buf)+len(b)+8 > appendBuffer {
		if err := a.flush(); err != nil {
			return 0, err
		}
	}
	a.end = at + int64(len(b))
	if len(b) >= appendDirect {
		_, err := a.out.WriteAt(b, at)
		return at, err
	}
	if len(a.buf) == 0 {
		a.at = at
	}
	for int64(len(a.buf)) < at-a.at {
		a.buf = append(a.buf, 0)
	}
	a.buf = append(a.buf, b...)
	return at, nil
}

// flush writes the bytes in memory. The caller holds the lock, or is alone.
func (a *appender) flush() error {
	if len(a.buf) == 0 {
		return nil
	}
	_, err := a.out.WriteAt(a.buf, a.at)
	a.buf = a.buf[:0]
	return err
}
