package main

import (
	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/archive"
	"github.com/tgmconv/tgmconv/dataset"
)

// openDataset opens inputs of any format as one labelled dataset, of the objects that where
// selects. What cannot be read is left out, unless it is all there is.
func openDataset(cmd *cobra.Command, names []string, where *whereFlag, opts dataset.Options) (*archive.Archive, error) {
	o := archive.Options{Client: clientOf(cmd), Dataset: opts, Index: archive.IndexNone}
	if len(where.clauses) > 0 {
		o.Select = func(object *dataset.Object) bool { return where.matchKeys(object.Base.Lookup) }
	}
	return archive.Open(cmd.Context(), names, o)
}
