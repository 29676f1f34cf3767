package tozarr

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/internal/jsontext"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/zarr"
)

// Texts have no common size. An array of texts that does not grow stays unchanged in the store. In
// a growing array, texts are decoded if the store has them in the form of the view.

// maxTexts bounds a chunk of texts in a store.
const maxTexts = 128 << 20

// adoptTexts prepares an array of texts that grows. It refuses an array that the store has in
// another form than the view. axis is the dimension's position, -1 if the array does not have it.
func (e *extension) adoptTexts(a *arrayPlan, have *zarr.ArrayMetadata, axis int) error {
	switch {
	case axis < 0 && (len(have.DataTypeConfig) != len(a.in.DataTypeConfig) || len(have.DataTypeConfig) > 0 && !sameJSON(have.DataTypeConfig, a.in.DataTypeConfig)):
		return &AppendError{Path: a.path, Why: fmt.Sprintf("its texts are %v in the store, and %v in the inputs", have.DataTypeConfig, a.in.DataTypeConfig)}
	case axis < 0 && !slices.Equal(have.ChunkShape, a.in.ChunkShape):
		return &AppendError{Path: a.path, Why: fmt.Sprintf("its texts have chunks of %v in the store, and of %v in the inputs", have.ChunkShape, a.in.ChunkShape)}
	case !slices.EqualFunc(have.Codecs, a.in.Codecs, sameCodec):
		return &AppendError{Path: a.path, Why: fmt.Sprintf("its texts have the codecs %s in the store, and %s in the inputs", codecNames(have), codecNames(a.in))}
	case axis < 0:
		return nil
	case !sameJSON(have.FillValue, a.in.FillValue):
		return &AppendError{Path: a.path, Why: fmt.Sprintf("its fill value is %s in the store, and %s in the inputs", jsonText(have.FillValue), jsonText(a.in.FillValue))}
	}
	old := *have
	old.Shape = slices.Clone(have.Shape)
	a.growth = new(textGrowth)
	var err error
	if a.growth.before, err = newTextArray(&old); err == nil {
		a.growth.added, err = newTextArray(a.in)
	}
	if err != nil {
		return &AppendError{Path: a.path, Why: err.Error()}
	}
	a.growth.added.get = a.stored
	a.growth.before.get = func(ctx context.Context, index []uint64) ([]byte, error) {
		return zarr.ReadAll(ctx, e.store, join(a.path, old.ChunkKeys.Key(index)), maxTexts)
	}
	return nil
}

// newTextArray is an array of texts whose chunks are not too large to be decoded.
func newTextArray(a *zarr.ArrayMetadata) (t textArray, err error) {
	if t.textFormat, err = textFormatOf(a); err != nil {
		return t, err
	}
	limit, n := uint64(maxTexts/max(4, t.width)), uint64(1)
	for _, length := range a.ChunkShape {
		if length > limit/n {
			return t, fmt.Errorf("chunks of %v texts, expected at most %d in a chunk", a.ChunkShape, limit)
		}
		n *= length
	}
	t.shape, t.chunk = a.Shape, a.ChunkShape
	text, _ := a.FillValue.(string)
	if t.width > 0 {
		fill, ok := a.FillValue.([]byte)
		if !ok {
			fill, err = base64.StdEncoding.DecodeString(text)
		}
		text = strings.TrimRight(string(fill), "\x00")
	}
	t.fill = text
	return t, err
}

func codecNames(a *zarr.ArrayMetadata) string {
	var names []string
	for _, c := range a.Codecs {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}

// jsonText is a value as a document has it.
func jsonText(v any) string {
	text, err := jsontext.Append(nil, v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}

func sameCodec(a, b zarr.Codec) bool {
	return a.Name == b.Name && (len(a.Configuration) == 0 && len(b.Configuration) == 0 || sameJSON(a.Configuration, b.Configuration))
}

// compareTexts checks that texts which are a label are the same in the store, and notes if others are
// not. Growing texts must fit, and be new if they are the labels of the dimension.
func (e *extension) compareTexts(ctx context.Context, a *arrayPlan, label bool) error {
	if a.growth != nil {
		if err := a.checkWidth(ctx); err != nil || !label || !strings.HasSuffix("/"+a.path, "/"+e.dim) {
			return err
		}
		return a.checkNew(ctx, e.dim)
	}
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
	for index := range nd.Positions(a.in.Grid()) {
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

// checkWidth refuses texts that are longer than the array in the store has room for.
func (a *arrayPlan) checkWidth(ctx context.Context) error {
	room := a.growth.before.width
	if room == 0 || a.growth.added.width <= room {
		return nil
	}
	longest := ""
	for texts, err := range a.growth.added.all(ctx) {
		if err != nil {
			return fmt.Errorf("%s: %w", a.path, err)
		}
		for _, text := range texts {
			if len(text) > len(longest) {
				longest = text
			}
		}
	}
	if len(longest) > room {
		return &AppendError{Path: a.path, Why: fmt.Sprintf("its texts have at most %d bytes in the store, and up to %d in the inputs, such as %s", room, len(longest), quoted(longest))}
	}
	return nil
}

// checkNew refuses texts that are in the store, as labels of the dimension that grows.
func (a *arrayPlan) checkNew(ctx context.Context, dim string) error {
	there := make(map[string]bool)
	for texts, err := range a.growth.before.all(ctx) {
		if err != nil {
			return fmt.Errorf("%s in the store: %w", a.path, err)
		}
		for _, text := range texts {
			there[text] = true
		}
	}
	for texts, err := range a.growth.added.all(ctx) {
		if err != nil {
			return fmt.Errorf("%s: %w", a.path, err)
		}
		for _, text := range texts {
			if there[text] {
				return &AppendError{Path: a.path, Why: fmt.Sprintf("%s %s of the inputs is in the store already", dim, quoted(text))}
			}
		}
	}
	return nil
}
