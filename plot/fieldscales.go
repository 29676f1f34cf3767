package plot

import (
	"context"

	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/look"
)

// sampledValues is how many values of each field [FieldScales] finds a scale by.
const sampledValues = 20000

// FieldScales finds a scale for each field, as [Scales] does for panels, from a sample of its
// values. It holds a few fields in memory at a time.
func FieldScales(ctx context.Context, fields []*look.Field, opts ScaleOptions) ([]Scale, error) {
	var panels []*Panel
	read := func(ctx context.Context, field *look.Field) ([]float64, error) {
		if runs, err := field.Runs(ctx); runs != nil || err != nil {
			if err != nil {
				return nil, err
			}
			return sampleOf(runs, nd.Volume(field.Shape), sampledValues)
		}
		values, err := field.Values(ctx)
		return sample(values), err
	}
	for r := range look.Each(ctx, fields, read) {
		if r.Err != nil {
			return nil, r.Err
		}
		p := &Panel{Name: r.Field.Name, LongName: r.Field.LongName, Units: r.Field.Units, Values: r.Value}
		p.Convert(opts.Units)
		panels = append(panels, p)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return Scales(panels, opts), nil
}

// sample takes values at equal distances, if there are many.
func sample(values []float64) []float64 {
	stride := len(values) / sampledValues
	if stride <= 1 {
		return values
	}
	some := make([]float64, 0, len(values)/stride+1)
	for i := 0; i < len(values); i += stride {
		some = append(some, values[i])
	}
	return some
}
