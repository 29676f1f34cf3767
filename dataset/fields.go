package dataset

import (
	"context"

	"github.com/tgmconv/tgmconv/tgm"
)

// Fields reads the values of the objects that a dataset was made of, and of chunks that are made of
// parts of them, see [Dataset.Parts]. It may be used by several goroutines.
type Fields interface {
	// Read reads the values of an object, with missing points as NaN: little-endian, in C order.
	// The result uses the memory of buffer, which may be nil, if that is large enough. It belongs
	// to the caller, who may pass it as buffer to another call.
	Read(ctx context.Context, ref int, buffer []byte) (*tgm.Array, error)
	// Version identifies the state of the file that holds an object; "" if that is not known.
	Version(ref int) string
}

// An ObjectSource is implemented by [Fields] of which some are objects of Tensogram files.
type ObjectSource interface {
	// Object returns the object of a Tensogram file that holds the values, nil if they are not in
	// one.
	Object(ref int) (*tgm.Object, error)
}

// A SingleSource is implemented by [Fields] that read some objects as float32 with less work than
// as float64.
type SingleSource interface {
	// ReadSingle is Fields.Read for an object of float64 whose values are wanted as float32. The
	// result is float32, or float64 if there is nothing to gain; DType says which.
	ReadSingle(ctx context.Context, ref int, buffer []byte) (*tgm.Array, error)
}

// A FileSource is implemented by [Fields] that know the files of objects.
type FileSource interface {
	// File is the name of the file that holds an object; "" if several hold it.
	File(ref int) string
}

// A Locator is [Fields] that knows where objects lie.
type Locator interface {
	// Located says which file an error about an object concerns, and where in it, unless the error
	// says so itself. It returns nil for nil.
	Located(ref int, err error) error
}

// Located says where an error about an object was met, if the fields know that.
func Located(fields any, ref int, err error) error {
	if l, ok := fields.(Locator); ok && err != nil {
		return l.Located(ref, err)
	}
	return err
}

// array is the array of a variable with computed values.
func (v *Variable) array(data []byte) *tgm.Array {
	return &tgm.Array{Shape: v.Shape, DType: v.DType, Data: data}
}
