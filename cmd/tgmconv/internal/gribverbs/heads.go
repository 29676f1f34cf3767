package gribverbs

import (
	"context"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/fields"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/list"
	"github.com/tgmconv/tgmconv/storage"
)

// scansHeads reports whether of large files on the network only the heads of messages may be read.
func (in *gribInput) scansHeads() bool { return in.heads && !in.part && !in.keep && in.start == 0 }

// headsOnly makes readers read only the heads of messages, for a large file of large messages on
// the network.
func headsOnly(ctx context.Context, s fields.Scanner, disk *cli.DiskFile) fields.Scanner {
	if !storage.Expects(disk.Blob) || disk.Size <= storage.SmallSize {
		return s
	}
	return s.HeadsOf(storage.ReaderAt(storage.Sparse(ctx), disk.Blob))
}

// headsSuffice reports whether all wanted keys are in the heads of messages.
func (f *gribLs) headsSuffice(o *list.Options) bool {
	for _, c := range f.selected.where.Clauses {
		if !fields.HeadSuffices(fields.Key{Name: c.Key}) {
			return false
		}
	}
	return o.HeadsSuffice()
}
