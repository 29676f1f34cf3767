package keys

import (
	"errors"
	"fmt"
)

// Missing is the integer that ecCodes returns for a missing integer key.
const Missing = 2147483647

// MissingFloat is the number that ecCodes returns for a missing real key.
const MissingFloat = -1e+100

// Errors that the methods of [Handle] may wrap. Their texts are the same as ecCodes'.
var (
	ErrNotFound       = errors.New("key/value not found")
	ErrNotImplemented = errors.New("function not yet implemented")
	ErrDecoding       = errors.New("decoding invalid")
	ErrArrayTooSmall  = errors.New("passed array is too small")
	ErrWrongType      = errors.New("wrong type while packing or unpacking")
	ErrInvalid        = errors.New("invalid argument")
	ErrOutOfRange     = errors.New("value out of coding range")
)

// A KeyError says which key could not be read and why.
type KeyError struct {
	Key string
	Err error
}

func (e *KeyError) Error() string { return fmt.Sprintf("grib key %q: %v", e.Key, e.Err) }
func (e *KeyError) Unwrap() error { return e.Err }

// A MessageError says that the bytes are not a message whose keys can be read.
type MessageError struct {
	Offset int // byte offset in the message
	Reason string
}

func (e *MessageError) Error() string {
	return fmt.Sprintf("grib message: at byte %d: %s", e.Offset, e.Reason)
}

// Type is the native type of a key, as ecCodes' codes_get_native_type returns it.
type Type uint8

// The native types. A Section is not a value.
const (
	Undefined Type = 0
	Long      Type = 1
	Double    Type = 2
	String    Type = 3
	Bytes     Type = 4
	Section   Type = 5
	Label     Type = 6
)

func (t Type) String() string {
	switch t {
	case Long:
		return "long"
	case Double:
		return "double"
	case String:
		return "string"
	case Bytes:
		return "bytes"
	case Section:
		return "section"
	case Label:
		return "label"
	}
	return "undefined"
}

// A Key is one name of a namespace with its value.
type Key struct {
	Name string
	// Value is an int64, a float64, a string or a []byte according to the native
	// type. For an array it is []int64 or []float64.
	Value any
	// Missing is set when the value means "no value" in ecCodes. Such values are
	// the string "MISSING" or "not_found", or the integer 2147483647 of either
	// sign.
	Missing bool
}

// A DataSource decodes the values of the field whose keys are read. It is asked
// only by keys that depend on the data (minimum, average, numberOfMissing, …),
// and at most once.
type DataSource interface {
	// Values returns the values in storage order and, if any point is missing, a
	// bit per point. The most significant bit is first, and 1 means missing.
	Values() (values []float64, missing []byte, err error)
}
