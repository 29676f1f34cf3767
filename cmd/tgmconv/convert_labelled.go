package main

import (
	"context"
	"errors"
	"io/fs"
	"iter"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/importers/fromzarr"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/storage"
)

// labelledSource is a part of the labelled dataset of inputs, as the variables of a netCDF file.
type labelledSource struct {
	*fromnetcdf.Source
	archive *archive.Archive
}

// Close closes the inputs.
func (s *labelledSource) Close() error { return errors.Join(s.Source.Close(), s.archive.Close()) }

// newLabelledSource opens inputs as a labelled dataset, of which change takes a part. Its variables have their
// dimensions and coordinates in Tensogram too.
func newLabelledSource(cmd *cobra.Command, inputs []importers.Input, change dataset.Change, clauses []string, opts fromnetcdf.Options, bad func(error) error) (importers.Source, error) {
	where, err := parseWhere(clauses)
	if err != nil {
		return nil, err
	}
	a, err := openWhere(cmd, nil, where, archive.Options{
		Client: clientOf(cmd), MaxArray: maxArrayOf(cmd), Missing: missingOf(cmd), Inputs: inputs, Index: archive.IndexNone,
		Dataset: dataset.Options{Change: change, Unpack: true},
	})
	if err != nil {
		return nil, err
	}
	for _, why := range a.Bad {
		if err := bad(errors.New(why)); err != nil {
			a.Close()
			return nil, err
		}
	}
	where.warnOfKeys(cmd.ErrOrStderr(), "object")
	store := serve.NewStore(serve.NewDatasetView(a.Set, a, serve.DatasetOptions{JoinSmall: true}), serve.StoreOptions{})
	opts.Variables, opts.Where, opts.Missing = nil, nil, nil // the dataset is what they have chosen
	opts.Opener, opts.Format = labelledOpener{}, importers.FormatZarr
	opts.Model = func(in *importers.InputFile) (*netcdf.File, error) {
		return fromzarr.Model(in.Context(), store, in.Name)
	}
	return &labelledSource{fromnetcdf.New([]importers.Input{{Name: inputs[0].Name}}, opts), a}, nil
}

// labelledOpener opens what stands for a dataset in a list of inputs: the folder of a store, whose documents the source
// has from the dataset.
type labelledOpener struct{}

// Open implements [importers.Opener].
func (labelledOpener) Open(context.Context, string) (storage.Blob, error) {
	return storage.NewFolder(labelledFolder{}, "", func() error { return nil }), nil
}

// labelledFolder is a folder without files.
type labelledFolder struct{}

// Document implements [storage.Folder].
func (labelledFolder) Document() string { return storage.Documents()[0] }

// Size implements [storage.Folder].
func (labelledFolder) Size() int64 { return 0 }

// Open implements [storage.Folder].
func (labelledFolder) Open(_ context.Context, name string) (storage.Blob, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// List implements [storage.Folder].
func (labelledFolder) List(context.Context, string) iter.Seq2[string, error] {
	return func(func(string, error) bool) {}
}

// Refers implements [storage.Folder].
func (labelledFolder) Refers() bool { return false }
