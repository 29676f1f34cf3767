package fromgrib

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/storage"
)

// stream is an input that is read message by message; nil if it is opened as a file.
func (s *Source) stream(ctx context.Context, name string) (io.ReadCloser, error) {
	streamer, ok := s.opts.Opener.(importers.Streamer)
	if !ok || !s.opts.Stream || len(s.opts.GroupBy) > 0 {
		return nil, nil
	}
	return streamer.Stream(ctx, name)
}

// scanStream is scanInput for a stream.
func (s *Source) scanStream(ctx context.Context, stream io.Reader, i int, yield func(place, error) bool) bool {
	name := storage.Display(s.inputs[i].Name)
	counted := &countingReader{r: stream}
	in := bufio.NewReaderSize(counted, importers.FormatBytes)
	err := importers.ExpectHead(func(limit int) ([]byte, error) {
		head, _ := in.Peek(limit) // an error comes again with the next read
		return head, nil
	}, s.inputs[i], importers.FormatGRIB)
	if err != nil {
		if importers.Ignored(s.inputs[i], err, importers.FormatGRIB) {
			return yield(place{input: i, note: "skipped: " + err.Error()}, nil)
		}
		return yield(place{}, &importers.BadInput{Where: name, Err: err})
	}
	messages := grib.NewStream(in, grib.WithLimits(s.limitsOf(s.inputs[i].Name)))
	for found := 0; ; found++ {
		info, data, err := messages.Next()
		if ctx.Err() != nil {
			yield(place{}, ctx.Err())
			return false
		}
		if err == io.EOF {
			return endOfInput(name, counted.n, i, messages.Junk(), found, yield)
		}
		if err != nil {
			where := fmt.Sprintf("%s: message %d at byte %d", name, info.Index, info.Offset)
			if !yield(place{}, &importers.BadInput{Where: where, Err: err}) {
				return false
			}
			if !grib.IsRecoverable(err) {
				return true
			}
			continue
		}
		last := false
		if info.Offset == 0 {
			if last, err = messages.Ended(); err != nil {
				last = false // the next read says why
			}
		}
		if !yield(place{Info: info, input: i, data: data, last: last}, nil) {
			return false
		}
	}
}

// countingReader counts the bytes read.
type countingReader struct {
	r io.Reader
	n int64
}

// Read implements io.Reader.
func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
