package dataset

import (
	"context"

	"github.com/tgmconv/tgmconv/importers"
)

// A LayoutSource is implemented by [Fields] that know how values are stored in their files.
type LayoutSource interface {
	// Layout says where and how the values of an object are stored in its file. Reader is nil for
	// objects of Tensogram files, see [ObjectSource]. The error is an [*importers.UnportableError]
	// if other programs cannot decode the values.
	Layout(ctx context.Context, ref int) (*importers.Layout, error)
	// Alike reports whether both objects have a layout and the layouts differ only in where the
	// chunks are.
	Alike(ctx context.Context, a, b int) bool
}
