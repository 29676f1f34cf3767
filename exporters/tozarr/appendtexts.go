package tozarr

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tgmconv/tgmconv/zarr"
)

// Texts have no size that all of them share, and are neither decoded nor encoded here: an array of
// them is what the view stores. So it can stay as it is in a store, and cannot grow.

// maxTexts bounds a chunk of texts in a store.
const maxTexts = 128 << 20

// adoptTexts refuses an array of texts that would grow, or that is stored in another way than in the
// view. axis is that of the dimension, -1 if the array does not have it.
func (e *extension) adoptTexts(a *arrayPlan, have *zarr.ArrayMetadata, axis int) error {
	switch {
	case axis >= 0:
		return &AppendError{Path: a.path, Why: "it holds texts along " + e.dim}
	case len(have.DataTypeConfig) != len(a.in.DataTypeConfig) || len(have.DataTypeConfig) > 0 && !sameJSON(have.DataTypeConfig, a.in.DataTypeConfig):
		return &AppendError{Path: a.path, Why: fmt.Sprintf("its texts are %v in the store, and %v in the inputs", have.DataTypeConfig, a.in.DataTypeConfig)}
	case !slices.Equal(have.ChunkShape, a.in.ChunkShape) || !slices.EqualFunc(have.Codecs, a.in.Codecs, sameCodec):
		return &AppendError{Path: a.path, Why: "its texts have other chunks or codecs in the store than in the inputs"}
	}
	return nil
}

func sameCodec(a, b zarr.Codec) bool {
	return a.Name == b.Name && (len(a.Configuration) == 0 && len(b.Configuration) == 0 || sameJSON(a.Configuration, b.Configuration))
}

// compareTexts checks that texts which are a label are the same in the store, and notes if others are
// not.
func (e *extension) compareTexts(ctx context.Context, a *arrayPlan, label bool) error {
	same, err := e.sameTexts(ctx, a)
	switch {
	case err != nil:
		return err
	case !same && label:
		return &AppendError{Path: a.path, Why: "its values in the inputs are not those in the store"}
	case !same:
		e.noteDiffers(a)
	}
	return nil
}

// sameTexts reports whether all chunks of an array are the same in the store and in the view.
func (e *extension) sameTexts(ctx context.Context, a *arrayPlan) (bool, error) {
	if slices.Contains(a.in.Shape, 0) {
		return true, nil
	}
	last := make([]uint64, len(a.in.Shape))
	for i, n := range a.in.ChunkShape {
		last[i] = (a.in.Shape[i] - 1) / n
	}
	for index := range boxes(make([]uint64, len(last)), last) {
		before, err := zarr.ReadAll(ctx, e.store, join(a.path, a.out.ChunkKeys.Key(index)), maxTexts)
		if err != nil && !errors.Is(err, zarr.ErrNotFound) {
			return false, err
		}
		after, err := a.stored(ctx, index)
		if err != nil && !errors.Is(err, zarr.ErrNotFound) {
			return false, err
		}
		if !bytes.Equal(before, after) {
			return false, nil
		}
	}
	return true, nil
}
