package look

import (
	"context"
	"iter"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/tgm"
)

// large returns the object that holds the field if its elements are read part by part, else nil.
// The hash of the object has been compared then.
func (f *Field) large() (*tgm.Object, error) {
	source, ok := f.values.(dataset.ObjectSource)
	if !ok || len(f.at) > 0 || f.DType == tgm.BFloat16 || f.unpacks(f.DType) {
		return nil, nil
	}
	o, err := source.Object(f.ref)
	if o == nil || err != nil {
		return nil, f.inFile(err)
	}
	parts, err := o.InParts(tgm.DecodeOptions{})
	if !parts || err != nil {
		return nil, f.inFile(err)
	}
	return o, nil
}

// valueParts yields the values of an object that is read part by part. They are valid until the
// next ones.
func (f *Field) valueParts(ctx context.Context, o *tgm.Object) iter.Seq2[[]float64, error] {
	return func(yield func([]float64, error) bool) {
		for a, err := range o.Blocks(tgm.DecodeOptions{SkipHash: true}) {
			if err == nil {
				err = ctx.Err()
			}
			var values []float64
			if err == nil {
				values, err = floatsOf(a)
			}
			if !yield(values, f.inFile(err)) || err != nil {
				return
			}
		}
	}
}

// floatsOf is [Floats], in the memory of the array where it can be.
func floatsOf(a *tgm.Array) ([]float64, error) {
	if a.DType == tgm.Float64 {
		return tgm.Values[float64](a)
	}
	return Floats(a)
}
