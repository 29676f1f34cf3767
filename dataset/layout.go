package dataset

import (
	"context"

	"github.com/tgmconv/tgmconv/importers"
)

// A LayoutSource is [Fields] that know how values lie in their files.
type LayoutSource interface {
	// Layout says how the values of an object lie in its file. Reader is nil for objects of
	// Tensogram files, see [ObjectSource]. The error is an [*importers.UnportableError] if other
	// programs cannot decode the values.
	Layout(ctx context.Context, ref int) (*importers.Layout, error)
	// Alike reports whether the layouts of two objects differ in nothing but places, and both have
	// one.
	Alike(ctx context.Context, a, b int) bool
}
