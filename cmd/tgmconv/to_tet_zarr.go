package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/exporters/totet"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/zarr"
)

// zarrFolder opens the only input if it is a folder with a Zarr v3 store, and returns nil if it is
// not.
func zarrFolder(args []string) (*zarr.Folder, error) {
	if st, err := os.Stat(args[0]); len(args) != 1 || err != nil || !st.IsDir() {
		return nil, nil
	}
	folder, err := zarr.OpenFolder(args[0])
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return folder, err
}

// noStores refuses folders that are Zarr stores, whose files are no inputs of their own.
func noStores(verb string, names []string) error {
	for _, name := range names {
		for _, document := range []string{"zarr.json", ".zgroup", ".zarray"} {
			if st, err := os.Stat(filepath.Join(name, document)); err != nil || !st.Mode().IsRegular() {
				continue
			}
			if verb == "to-tet" {
				return fmt.Errorf("%s: found a Zarr store (%s); to-tet reads one store of Zarr v3, as its only input", name, document)
			}
			return fmt.Errorf("%s: found a Zarr store (%s), which %s does not read; to-tet does", name, document, verb)
		}
	}
	return nil
}

// exportZarr writes the arrays of a store.
func (t *toTet) exportZarr(cmd *cobra.Command, store *zarr.Folder, name string, opts totet.Options) error {
	defer store.Close()
	opts.Source = name
	report, err := t.export(cmd, name, func(out storage.RandomWriter) (*totet.Report, error) {
		return totet.ExportZarr(cmd.Context(), store, out, opts)
	})
	if err != nil {
		return err
	}
	return t.finish(cmd, report)
}
