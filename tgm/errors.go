package tgm

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tgmconv/tgmconv/internal/fault"
)

// Location says where in a file an error was met. Message and Object count from 0, and Offset is
// in bytes from the start of the file; all are -1 where they do not apply or are not known.
type Location struct {
	Message int
	Object  int
	Offset  int64
}

// nowhere is the location of an error that is not about a file, or not yet known to be.
var nowhere = Location{-1, -1, -1}

// String renders the known parts, such as "message 3, object 1, at byte 5120".
func (l Location) String() string {
	var parts []string
	if l.Message >= 0 {
		parts = append(parts, fmt.Sprintf("message %d", l.Message))
	}
	if l.Object >= 0 {
		parts = append(parts, fmt.Sprintf("object %d", l.Object))
	}
	if l.Offset >= 0 {
		parts = append(parts, fmt.Sprintf("at byte %d", l.Offset))
	}
	return strings.Join(parts, ", ")
}

// Problem is the common part of all error types of the package.
type Problem struct {
	Location
	What string // the data being read or written, and the values found and expected
	Err  error  // the cause, may be nil
}

// detail is the text of an error of a class, without the name of the package.
func (p *Problem) detail(class string) string {
	text := p.description()
	if p.What != class {
		text = class + ": " + text
	}
	if where := p.Location.String(); where != "" {
		text = where + ": " + text
	}
	return text
}

// Place returns the location, also of errors that are known by an interface only.
func (p *Problem) Place() Location { return p.Location }

// IsAt reports whether an error of this package says that it was met in an object of a message.
func IsAt(err error, message, object int) bool {
	var p interface{ Place() Location }
	return errors.As(err, &p) && p.Place().Message == message && p.Place().Object == object
}

// Unwrap returns the cause.
func (p *Problem) Unwrap() error { return p.Err }

// FramingError reports bytes that do not follow the layout of messages and frames. Code is the name
// that Validate reports for it.
type FramingError struct {
	Problem
	Code string
}

func (e *FramingError) Error() string { return "tgm: " + e.Detail() }

// Detail returns the text of the error without the name of the package.
func (e *FramingError) Detail() string { return e.detail("framing") }

// MetadataError reports metadata, a descriptor or an index whose CBOR or whose content is wrong.
type MetadataError struct {
	Problem
	Code string
}

func (e *MetadataError) Error() string { return "tgm: " + e.Detail() }

// Detail returns the text of the error without the name of the package.
func (e *MetadataError) Detail() string { return e.detail("metadata") }

// EncodingError reports values that cannot be encoded as asked, or a payload that contradicts
// its descriptor.
type EncodingError struct{ Problem }

func (e *EncodingError) Error() string { return "tgm: " + e.Detail() }

// Detail returns the text of the error without the name of the package.
func (e *EncodingError) Detail() string { return e.detail("encoding") }

// ExpansionError says that an array is much larger than its payload. It is wrapped in an
// [EncodingError]; [Budget.Expand] allows larger arrays.
type ExpansionError struct{ Bytes, Payload, Limit int64 }

func (e *ExpansionError) Error() string {
	return fmt.Sprintf("array of %d bytes from a payload of %d is beyond the limit of %d", e.Bytes, e.Payload, e.Limit)
}

// CompressionError reports a payload that could not be compressed or decompressed.
type CompressionError struct{ Problem }

func (e *CompressionError) Error() string { return "tgm: " + e.Detail() }

// Detail returns the text of the error without the name of the package.
func (e *CompressionError) Detail() string { return e.detail("compression") }

// ObjectError reports an object or message index that is out of range.
type ObjectError struct{ Problem }

func (e *ObjectError) Error() string { return "tgm: " + e.Detail() }

// Detail returns the text of the error without the name of the package.
func (e *ObjectError) Detail() string { return e.detail("object") }

// HashError reports a frame whose bytes do not have the stored hash, or, with Missing set, that has
// none.
type HashError struct {
	Problem
	Missing          bool
	Stored, Computed uint64
}

func (e *HashError) Error() string { return "tgm: " + e.Detail() }

// Detail returns the text of the error without the name of the package.
func (e *HashError) Detail() string { return e.detail("hash") }

// UnsupportedError reports a feature that is valid in the format and not implemented here. Feature
// is its name, such as "compression blosc2".
type UnsupportedError struct {
	Problem
	Feature string
}

func (e *UnsupportedError) Error() string { return "tgm: " + e.Detail() }

// Detail returns the text of the error without the name of the package.
func (e *UnsupportedError) Detail() string { return e.detail("unsupported") }

func hashError(at Location, what string, computed, stored uint64) error {
	what += " has hash " + hashText(computed) + ", expected " + hashText(stored)
	return &HashError{Problem: Problem{at, what, nil}, Stored: stored, Computed: computed}
}

func metadataError(code string, at Location, err error, format string, args ...any) error {
	return &MetadataError{Problem{at, fmt.Sprintf(format, args...), err}, code}
}

func encodingError(err error, format string, args ...any) error {
	return &EncodingError{Problem{nowhere, fmt.Sprintf(format, args...), err}}
}

func compressionError(err error, format string, args ...any) error {
	return &CompressionError{Problem{nowhere, fmt.Sprintf(format, args...), err}}
}

func objectError(at Location, format string, args ...any) error {
	return &ObjectError{Problem{at, fmt.Sprintf(format, args...), nil}}
}

func unsupported(feature string) error {
	return &UnsupportedError{Problem{nowhere, feature, nil}, feature}
}

// wrapCompression makes a codec's error a *CompressionError; nil stays nil.
func wrapCompression(err error, codec string) error {
	if err == nil {
		return nil
	}
	return compressionError(err, "%s", codec)
}

// setLocation fills in where an error was met, unless it is known already.
func (p *Problem) setLocation(at Location) {
	if p.Location == nowhere {
		p.Location = at
	}
}

// locate says where an error was met. Errors of reading have no field for it; they get a text
// in front.
func locate(err error, at Location) error {
	if err == nil {
		return nil
	}
	var p interface{ setLocation(Location) }
	if errors.As(err, &p) {
		p.setLocation(at)
		return err
	}
	return fault.Errorf("tgm", "%s: %w", at, err)
}

// description is the problem without its location.
func (p *Problem) description() string {
	if p.Err == nil {
		return p.What
	}
	return p.What + ": " + fault.Detail(p.Err)
}
