package array

import (
	"context"

	"github.com/tgmconv/tgmconv/internal/narrow"
)

// Single is an array of type Float64 with its elements rounded to Float32.
func Single(a Array) Array {
	if a.Info().DType != Float64 {
		return a
	}
	if s := a.Single(); s != nil {
		return s
	}
	return &rounded{of: a, info: a.Info().as(Float32)}
}

// as is the description of the same array with elements of another type.
func (i *Info) as(t DType) Info {
	info := *i
	info.DType = t
	return info
}

type rounded struct {
	Plain
	of   Array
	info Info
}

func (a *rounded) Info() *Info { return &a.info }

func (a *rounded) Read(ctx context.Context, r Region, dst []byte) error {
	buffer := scratch.Get().(*[]byte)
	defer scratch.Put(buffer)
	data, err := Read(ctx, a.of, r, *buffer)
	if err == nil {
		*buffer = data
		narrow.Bytes(dst, data)
	}
	return err
}
