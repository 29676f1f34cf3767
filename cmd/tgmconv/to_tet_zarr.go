package main

import (
	"errors"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/exporters/totet"
	"github.com/tgmconv/tgmconv/zarr"
)

// A zarrStore is a store in a folder.
type zarrStore struct {
	zarr.Store
	root *os.Root
}

// zarrFolder opens the only input if it is a folder with the document of a Zarr v3 store, and
// returns nil if it is not.
func zarrFolder(args []string) (*zarrStore, error) {
	if st, err := os.Stat(args[0]); len(args) != 1 || err != nil || !st.IsDir() {
		return nil, nil
	}
	root, err := os.OpenRoot(args[0])
	if err != nil {
		return nil, err
	}
	if _, err := root.Stat("zarr.json"); err != nil {
		root.Close()
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, err
	}
	return &zarrStore{zarr.NewDir(root.FS()), root}, nil
}

// exportZarr writes the arrays of a store.
func (t *toTet) exportZarr(cmd *cobra.Command, store *zarrStore, name string, opts totet.Options) error {
	defer store.root.Close()
	opts.Source = name
	report, err := totet.ExportZarr(cmd.Context(), store, t.output, opts)
	if err != nil {
		return inFile(name, err)
	}
	t.print(cmd, report)
	return nil
}
