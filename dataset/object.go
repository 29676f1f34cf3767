package dataset

import (
	"iter"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
	"github.com/tgmconv/tgmconv/tgm"
)

// An Object is a field or a variable to be put into a dataset.
type Object struct {
	// Ref is the caller's number of the object, from 0. [Fields] reads its values by it.
	Ref int
	// Where names the object, for messages to users: "f.tgm: message 0, object 3".
	Where string
	// File is the input, and Message and Index the numbers of the message (of netCDF: the variable)
	// in it, and of the object in that.
	File           string
	Message, Index int
	// Within is the number of the message of a Tensogram file, in which all is that belongs to the object.
	// It is 0 in files of other formats, where that is the file.
	Within int
	// Base is the metadata of the object.
	Base  mapping.Entry
	Shape []uint64
	DType tgm.DType
	// Known is all that is known of the object while it is chosen, nil afterwards.
	Known *mapping.Known

	record mapping.Opt[uint64] // of objects whose Base has no labels, and of several files as one
	part   int                 // of objects of several netCDF files as one: the file
	along  bool                // of these: the first dimension is that along which they follow one another
	unpack *Unpacking          // of these: how the elements become values that can be joined with others; nil if they are values
}

// recordIndex is the position of a netCDF record along its unlimited dimension.
func (o *Object) recordIndex() (uint64, bool) {
	if n, ok := o.record.Get(); ok {
		return n, true
	}
	return o.Base.RecordIndex()
}

// isRecord reports whether the object is a record of a netCDF variable, without the dimension of
// the records. A variable that does not have that dimension is repeated with every record.
func (o *Object) isRecord() bool {
	if _, ok := o.recordIndex(); !ok {
		return false
	}
	if _, known := o.Base.Namespace(mapping.KeyNetCDF)[mapping.NetCDFDims]; !known {
		return true
	}
	n, _ := o.Base.NetCDF()
	dims := o.Base.Dims(len(o.Shape))
	return slices.ContainsFunc(n.Dims, func(d string) bool { return !slices.Contains(dims, d) })
}

// recordAxis is the position of the records' dimension among the dimensions of the object's netCDF
// variable.
func (o *Object) recordAxis() int {
	n, ok := o.Base.NetCDF()
	dims := o.Base.Dims(len(o.Shape))
	if !ok || n.Counts != "" || dims == nil {
		return 0
	}
	return min(len(o.Shape), max(0, slices.IndexFunc(n.Dims, func(d string) bool { return !slices.Contains(dims, d) })))
}

// Objects lists objects in the order of the files. An error ends the list.
type Objects = iter.Seq2[Object, error]

// ObjectList yields the objects of list.
func ObjectList(list []Object) Objects {
	return func(yield func(Object, error) bool) {
		for _, o := range list {
			if !yield(o, nil) {
				return
			}
		}
	}
}

// An axisKind is a coordinate in which fields of one variable can differ, in the order of the
// dimensions.
type axisKind int

const (
	// Keys of objects of other writers, see fieldMaker.promote.
	axisFirst axisKind = iota
	axisSecond
	axisThird
	axisNumber
	axisPercentile
	axisThreshold
	axisTime // of reference, in seconds since 1970
	axisStep // in seconds
	axisDirection
	axisFrequency
	axisVersion // date of the model version, in seconds since 1970
	axisLevel   // number of a level in a levelSet
	numAxes
)

// absent is the coordinate of a field that has none. It is a number because coordinates are keys of
// maps, in which NaN is never found.
const absent = -math.MaxFloat64

// A position is where a field lies along each axis. Values that are the same in the source are the
// same number.
type position [numAxes]code

// A field is an object as the builder keeps it, without its kind. A dataset may have millions.
type field struct {
	ref    int32
	valid  code // time of validity in seconds since 1970
	start  code // step at which the window of a statistic begins, in seconds
	at     position
	origin *origin
}

// An origin holds the metadata of a field beside its kind and position, as key and value. It splits a
// variable only if fields would collide otherwise: the control forecast belongs to its ensemble, and the
// analysis to step 0.
type origin struct {
	values map[string]string
	keys   map[string]float64 // of objects of other writers, by their paths, see [wordSet]
}

// firstOrigins are the keys of an origin that are tried first.
var firstOrigins = append(mars.OriginKeys(), "centre")
