package tgm

import (
	"io"
	"iter"
	"os"
)

// Limits bound what a file can make a reader do. Zero fields have the defaults.
type Limits struct {
	// Metadata bounds the bytes of one metadata, index or hash frame, or of one descriptor (default 256 MiB).
	Metadata int64
	// Decoded bounds the bytes of a decoded array (default 1 GiB, or 256 times the stored payload if that is more).
	Decoded int64
}

// Option configures a File.
type Option func(*options)

type options struct{ limits Limits }

// WithLimits sets the limits of a reader.
func WithLimits(l Limits) Option { return func(o *options) { o.limits = l } }

// File reads the messages of a file or of anything that can be read at an offset. It is safe for concurrent use.
type File struct {
	r      io.ReaderAt
	size   int64
	closer io.Closer
}

// Gap is a range of bytes of a file that belongs to no message.
type Gap struct {
	Offset, Length int64
	Reason         string
}

// Open opens a file. Nothing is read before a message is asked for.
func Open(path string, opts ...Option) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	file, err := NewFile(f, st.Size(), opts...)
	if err != nil {
		f.Close()
		return nil, err
	}
	file.closer = f
	return file, nil
}

// NewFile reads size bytes of r.
func NewFile(r io.ReaderAt, size int64, opts ...Option) (*File, error) {
	return &File{r: r, size: size}, nil
}

// Close closes what Open opened.
func (f *File) Close() error {
	if f.closer == nil {
		return nil
	}
	return f.closer.Close()
}

// Size returns the size of the file in bytes.
func (f *File) Size() int64 { return f.size }

// Len returns the number of messages. The first call goes through the file, from message to message.
func (f *File) Len() (int, error) { return 0, nil }

// Message returns message i. The file is read no further than that message.
func (f *File) Message(i int) (*Message, error) { return nil, &ObjectError{} }

// Messages yields the messages in the order of the file, finding each only when it is asked for.
func (f *File) Messages() iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) {}
}

// Gaps returns the ranges of the file that belong to no message.
func (f *File) Gaps() ([]Gap, error) { return nil, nil }

// Message is one message of a file. It is safe for concurrent use.
type Message struct{}

// Index returns the number of the message in its file.
func (m *Message) Index() int { return 0 }

// Offset returns the first byte of the message in the file.
func (m *Message) Offset() int64 { return 0 }

// Length returns the bytes of the message.
func (m *Message) Length() int64 { return 0 }

// Metadata returns the metadata, with that of preceders and of footers taken in. It must not be changed.
func (m *Message) Metadata() (*Metadata, error) { return nil, &UnsupportedError{Feature: "reading"} }

// NumObjects returns the number of objects.
func (m *Message) NumObjects() (int, error) { return 0, nil }

// Object returns object j; only its descriptor is read.
func (m *Message) Object(j int) (*Object, error) { return nil, &ObjectError{} }

// Object is one array of a message.
type Object struct{}

// DecodeOptions say how an object is decoded. The zero value gives little-endian elements with NaN and
// infinities put back.
type DecodeOptions struct {
	ByteOrder  ByteOrder // of the result
	KeepZeros  bool      // leave zeros where masks say NaN or infinity
	VerifyHash bool      // check the frame's hash first
	Dst        []byte    // used for the result if it is large enough
}

// Index returns the number of the object in its message.
func (o *Object) Index() int { return 0 }

// Offset returns the first byte of the object's frame in the file.
func (o *Object) Offset() int64 { return 0 }

// Length returns the bytes of the frame.
func (o *Object) Length() int64 { return 0 }

// Descriptor returns the descriptor; it must not be changed.
func (o *Object) Descriptor() *Descriptor { return nil }

// Base returns the metadata of the object, without "_reserved_". It must not be changed.
func (o *Object) Base() map[string]any { return nil }

// Hash returns the hash stored in the frame, and whether there is one.
func (o *Object) Hash() (uint64, bool) { return 0, false }

// EncodedPayload returns the stored payload untouched, without masks.
func (o *Object) EncodedPayload() ([]byte, error) { return nil, &UnsupportedError{Feature: "reading"} }

// Encoded returns the object as it is stored, to be written to another message without decoding.
func (o *Object) Encoded() (*EncodedObject, error) { return nil, &UnsupportedError{Feature: "reading"} }

// Decode returns the array.
func (o *Object) Decode(opts DecodeOptions) (*Array, error) {
	return nil, &UnsupportedError{Feature: "reading"}
}

// DecodeRange returns count elements from first in C order, as an array of one dimension.
func (o *Object) DecodeRange(first, count uint64, opts DecodeOptions) (*Array, error) {
	return nil, &UnsupportedError{Feature: "reading"}
}
