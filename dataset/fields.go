package dataset

import (
	"context"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/tgm"
)

// Fields are the objects that a dataset was made of: their arrays, and the files that these lie in.
type Fields interface {
	Arrays
	// Written returns the elements of an object as its file stores them: packed, with the numbers at missing
	// points. It is nil where the file does not store elements: use Array.
	Written(ctx context.Context, ref int) (array.Array, error)
	// Presence says whether the values of an object are there.
	Presence(ref int) Presence
	// File is the name of the file that holds an object; "" if several hold it.
	File(ref int) string
	// Version identifies the state of the file that holds an object; "" if that is not known.
	Version(ref int) string
	// Located says which file an error about an object concerns, and where in it, unless the error
	// says so itself. It returns nil for nil.
	Located(ref int, err error) error
	// Object returns the object of a Tensogram file that holds the values, nil if they are not in
	// one. A large constant field of another format may have an object in memory.
	Object(ref int) (*tgm.Object, error)
	// Layout says in which files the values of an object are stored, where and how. The error is an
	// [*importers.UnportableError] if other programs cannot decode the values.
	Layout(ctx context.Context, ref int) (*importers.Layout, error)
	// Alike reports whether both objects have a layout and the layouts differ only in where the
	// chunks are.
	Alike(ctx context.Context, a, b int) bool
}

// A Presence says whether the values of an object, or of parts of objects, are there.
type Presence uint8

const (
	// There are values that lie in files.
	There Presence = iota
	// Kept are values that are known although their file is gone: they can be read, and lie nowhere.
	Kept
	// PartlyGone are values of parts; the files of some parts are gone.
	PartlyGone
	// Gone are values whose files are gone.
	Gone
)

// array is the array of a variable with computed values.
func (v *Variable) array(data []byte) *tgm.Array {
	return &tgm.Array{Shape: v.Shape, DType: v.DType, Data: data}
}
