package importers

import (
	"context"
	"errors"
	"testing"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// zeroValues are n values, and how often they were read.
type zeroValues struct {
	Plain
	n, read int
}

func (z *zeroValues) Info(form Form) *array.Info {
	if form != AsValues {
		return nil
	}
	return WholeInfo([]int{z.n}, tgm.Float64)
}

func (z *zeroValues) Read(_ context.Context, _ Form, _ array.Region, scratch *Scratch) (Elements, error) {
	z.read++
	return Elements{Data: scratch.Data(8 * z.n)}, nil
}

// TestWork demands that values beyond the limit are refused before they are read, also where
// several conversions share it.
func TestWork(t *testing.T) {
	e := &Encoding{work: NewWork(1000)}
	for i := range 4 { // 400 bytes each
		v := &zeroValues{n: 50}
		f := &Field{Name: "t", Dims: []string{"x"}, Shape: []int{50}, DType: tgm.Float64, Attrs: new(mapping.Attributes), Values: v}
		encoding := e
		if i%2 > 0 {
			encoding = e.exact()
		}
		o, err := f.encode(t.Context(), encoding, new(Scratch), t.TempDir())
		var spent *WorkError
		if refused := i >= 2; refused != errors.As(err, &spent) || refused != (v.read == 0) {
			t.Errorf("field %d: error %v after %d reads, expected a WorkError from the third on", i, err, v.read)
		}
		if o != nil {
			o.Release()
		}
	}
}
