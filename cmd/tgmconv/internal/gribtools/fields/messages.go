package fields

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/internal/fault"
)

// messages are the messages of a file, one after the other.
type messages struct {
	scanner
	Scanner
	part  io.ReaderAt // of the file, from Start on
	found int
	bad   int   // broken messages that were skipped
	err   error // of the first of them
}

// A scanner finds the messages of a file.
type scanner interface {
	Next() (grib.Info, error)
}

// messages begins to look for messages. With Heads all are found before it returns, and look is
// called for each.
func (s Scanner) messages(ctx context.Context, look func(grib.Info) error) (*messages, error) {
	switch {
	case s.Size == 0:
		return nil, errors.New("the file is empty, expected GRIB messages")
	case s.Start < 0 || s.Start >= s.Size:
		return nil, fmt.Errorf("the offset is %d, the file has %d bytes", s.Start, s.Size)
	}
	size := s.Size - s.Start
	m := &messages{Scanner: s, part: io.NewSectionReader(s.Reader, s.Start, size)}
	if !s.Heads {
		m.scanner = grib.NewScanner(m.part, size)
		return m, nil
	}
	var err error
	m.scanner, err = grib.ScanSegments(ctx, m.part, size, grib.NetworkSegments(size, look))
	return m, err
}

// lookAhead reads the head of a message while others are looked for. A reader that keeps its bytes then has
// it when it is asked for.
func (s Scanner) lookAhead(at grib.Info) error {
	_, _ = grib.ReadHead(s.Reader, s.Start+at.Offset, at.Length, grib.WithLimits(s.Limits)) // an error comes again
	return nil
}

// next returns the next message, or io.EOF. Broken messages are skipped.
func (m *messages) next(ctx context.Context) (grib.Info, error) {
	for {
		at, err := m.Next()
		switch {
		case ctx.Err() != nil:
			return at, ctx.Err()
		case err == nil:
			at.Index = m.found
			m.found++
			return at, nil
		case err == io.EOF:
			if m.found == 0 && m.bad == 0 {
				return at, &grib.FormatError{Section: -1, Msg: fmt.Sprintf("no GRIB message in %d bytes", m.Size-m.Start)}
			}
			return at, io.EOF
		case !grib.IsRecoverable(err):
			return at, err
		}
		if m.bad++; m.bad == 1 {
			m.err = err
		}
	}
}

// read reads a message, or its head.
func (m *messages) read(at grib.Info) (*grib.Message, error) {
	if !m.Heads {
		return grib.ReadMessage(m.part, at, grib.WithLimits(m.Limits))
	}
	head, err := grib.ReadHead(m.part, at.Offset, at.Length, grib.WithLimits(m.Limits))
	if err != nil {
		return nil, err
	}
	head.Index = at.Index
	return head, nil
}

// skipped names the first of the skipped messages.
func (m *messages) skipped() error {
	if m.bad > 1 {
		return fault.Noted(m.err, "and %d more broken messages", m.bad-1)
	}
	return m.err
}
