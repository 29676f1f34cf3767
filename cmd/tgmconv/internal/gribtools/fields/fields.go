// Package fields iterates over the fields of GRIB files together with their keys, as ecCodes' tools
// do: each field has its number in the file, and each key the text that these tools show.
//
// A Scanner reads one file:
//
//	s := fields.Scanner{Reader: f, Size: size, Name: "forecast.grib2"}
//	n, err := s.Each(ctx, func(f fields.Field) error {
//		text, err := f.Text(fields.ParseKey("shortName"), "%g")
//		…
//	})
//
// EachParallel does the same on all cores and keeps the order. Packages list, dump and compare
// build on this one.
package fields

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"sync"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/keys"
)

// A Field is a field of a file with its keys. The Handle is valid until the next field is looked
// at.
type Field struct {
	*keys.Handle
	Field *grib.Field
	File  string // name of the file
	Count int    // number among the fields of the file, from 1
	Total int    // number among the fields of all files, from 1
	start int64  // where the scan of the file began
	data  *decoding
	from  io.ReaderAt
}

// Reader returns the file that the field is in.
func (f Field) Reader() io.ReaderAt { return f.from }

// Offset returns the offset of the field's message in the file.
func (f Field) Offset() int64 { return f.start + f.Field.Offset() }

// Message returns the whole message that the field is part of.
func (f Field) Message() []byte { return f.Field.Message.Data }

// A Scanner goes through the fields of one file. Unreadable messages are skipped and reported as an error at
// the end.
type Scanner struct {
	Reader io.ReaderAt
	Size   int64
	Name   string
	// Start is the offset in the file from which on messages are looked for.
	Start int64
	// Messages makes each message one field, the first of it.
	Messages bool
	// Limits bound the cost of reading a message.
	Limits grib.Limits
	// Work, which may be nil, is called before the values of a field are decoded, with their size in bytes. It
	// is not called for constant fields. Its error ends the scan.
	Work func(bytes int64) error
	// Before is the number of fields in the files before this one, for Field.Total.
	Before int
	// Heads reads only the part before the data of each message, of several messages at a time. It
	// is for inputs whose reads have a long latency. The fields then have the keys for which
	// [HeadSuffices] reports true. They have no Message, and cannot be decoded.
	Heads bool
}

// ErrStop is returned by a callback to end a scan without an error.
var ErrStop = errors.New("no more fields are wanted")

// Each calls look for every field and returns the number of fields.
func (s Scanner) Each(ctx context.Context, look func(Field) error) (int, error) {
	var reader keys.Reader
	return s.scan(ctx, func(f Field) error {
		if err := f.open(&reader); err != nil {
			return err
		}
		return f.looked(look(f))
	})
}

// First returns the first field, without its keys.
func (s Scanner) First(ctx context.Context) (first *grib.Field, err error) {
	_, err = s.scan(ctx, func(f Field) error {
		first = f.Field
		return ErrStop
	})
	if first != nil {
		return first, nil
	}
	if err == nil {
		err = errors.New("no GRIB message")
	}
	return nil, err
}

// Count returns the number of messages. With an error it is the number of readable messages.
func (s Scanner) Count(ctx context.Context) (int, error) {
	m, err := s.messages(ctx, nil)
	if err != nil {
		return 0, err
	}
	for {
		if _, err := m.next(ctx); err == io.EOF {
			return m.found, m.skipped()
		} else if err != nil {
			return m.found, err
		}
	}
}

// scan calls look for every field, without its keys.
func (s Scanner) scan(ctx context.Context, look func(Field) error) (int, error) {
	m, err := s.messages(ctx, s.lookAhead)
	if err != nil {
		return 0, err
	}
	count := 0
	for {
		at, err := m.next(ctx)
		if err == io.EOF {
			return count, m.skipped()
		}
		if err != nil {
			return count, err
		}
		message, err := m.read(at)
		if err != nil {
			return count, err
		}
		for _, field := range message.Fields() {
			count++
			err := look(Field{Field: field, File: s.Name, Count: count, Total: s.Before + count, start: s.Start, from: s.Reader, data: &decoding{work: s.Work}})
			if errors.Is(err, ErrStop) {
				return count, nil
			}
			if err != nil {
				return count, err
			}
			if s.Messages {
				break
			}
		}
	}
}

// open reads the structure of the field.
func (f *Field) open(reader *keys.Reader) (err error) {
	message := f.Field.Bytes
	if f.Field.Message.Partial {
		message = f.Field.WithoutData
	}
	f.Handle, err = reader.Handle(message(), source{f.Field, f.data})
	return f.inMessage(err)
}

// With returns the field with keys set, as grib_set sets them. Its message and its values stay unchanged.
func (f Field) With(settings []keys.Setting) (Field, error) {
	if len(settings) == 0 {
		return f, nil
	}
	message, err := keys.SetAll(f.Field.Bytes(), settings...)
	if err != nil {
		return f, err
	}
	f.Handle, err = keys.New(message, source{f.Field, f.data})
	return f, err
}

func (f *Field) inMessage(err error) error {
	if err == nil || errors.Is(err, ErrStop) {
		return err
	}
	return fmt.Errorf("message %d at byte %d: %w", f.Field.Message.Index, f.start+f.Field.Message.Offset, err)
}

// looked ends looking at the field, which brought err.
func (f *Field) looked(err error) error {
	if f.data.large {
		f.data.large = false
		f.Handle.ForgetValues()
		runtime.GC() // the next one takes as much again
		if f.data.parallel {
			largeFields.Unlock()
		}
	}
	if f.data.err != nil {
		err = f.data.err
	}
	return f.inMessage(err)
}

// A decoding is the decoding of a field's values.
type decoding struct {
	work     func(bytes int64) error
	err      error // of work
	parallel bool  // with other fields of the same scan
	large    bool  // and decoded
}

// Values decodes the values, NaN where they are missing, and counts them as [Scanner.Work] says.
func (f Field) Values() ([]float64, error) {
	values, _, err := source{f.Field, f.data}.Values()
	return values, err
}

// take counts bytes that are about to be decoded.
func (d *decoding) take(bytes int64) error {
	if d.work != nil && d.err == nil {
		d.err = d.work(bytes)
	}
	return d.err
}

// Work counts work on the field that is not the decoding of its values as [Scanner.Work] counts that,
// in bytes. Its error ends the scan.
func (f Field) Work(bytes int64) error { return f.data.take(bytes) }

// largeBytes is the size of values above which the fields of a scan are decoded one at a time.
const largeBytes = 64 << 20

var largeFields sync.Mutex

// A source decodes the values for keys such as max and average.
type source struct {
	field *grib.Field
	data  *decoding
}

// Values implements keys.DataSource.
func (s source) Values() (values []float64, missing []byte, err error) {
	if n, err := s.field.NumberOfDataPoints(); err == nil {
		bytes := 8 * int64(n)
		if !s.field.Constant() {
			err = s.data.take(bytes)
		}
		if err != nil {
			return nil, nil, err
		}
		if bytes >= largeBytes && !s.data.large {
			if s.data.parallel {
				largeFields.Lock()
			}
			s.data.large = true
		}
	}
	values, mask, err := s.field.Decode(nil)
	if err != nil || mask == nil {
		return values, nil, err
	}
	return values, mask.Bits, nil
}

// All yields the fields of the file one by one, for loops over several files at a time. It ends
// after the first error.
func (s Scanner) All(ctx context.Context) iter.Seq2[Field, error] {
	return func(yield func(Field, error) bool) {
		_, err := s.Each(ctx, func(f Field) error {
			if !yield(f, nil) {
				return ErrStop
			}
			return nil
		})
		if err != nil {
			yield(Field{}, err)
		}
	}
}
