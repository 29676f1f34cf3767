package converting

import (
	"context"
	"errors"
	"io/fs"
	"iter"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/looking"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/exporters/togrib"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
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

// partOptions are the options of newPartSource.
type partOptions struct {
	change  dataset.Change
	clauses []string // of --where
	grib    fromgrib.Options
	netcdf  fromnetcdf.Options
	tempDir string
	bad     func(error) error // is told of inputs that cannot be read
}

// newPartSource opens inputs as a labelled dataset, of which opts.change takes a part. A part of fields of GRIB is
// a GRIB file again, so that they keep packing and keys; another part is the variables of a netCDF file.
func newPartSource(cmd *cobra.Command, inputs []importers.Input, opts partOptions) (importers.Source, error) {
	where, err := cli.ParseWhere(opts.clauses)
	if err != nil {
		return nil, err
	}
	a, err := looking.OpenWhere(cmd, nil, where, archive.Options{
		Client: cli.ClientOf(cmd), MaxArray: cli.MaxArrayOf(cmd), Missing: cli.MissingOf(cmd), Inputs: inputs, Index: archive.IndexNone,
		Dataset: dataset.Options{Change: opts.change, Unpack: true},
	})
	if err != nil {
		return nil, err
	}
	for _, why := range a.Bad {
		if err := opts.bad(errors.New(why)); err != nil {
			a.Close()
			return nil, err
		}
	}
	where.WarnOfKeys(cmd.ErrOrStderr(), "object")
	if len(opts.change.Rename) == 0 && !opts.change.Single && isGRIBPart(a) {
		source, err := newGRIBPart(cmd, inputs, a, where, opts)
		if none := (*togrib.ObjectError)(nil); !errors.As(err, &none) {
			return source, errors.Join(err, a.Close())
		}
	}
	return newLabelledSource(a, inputs, opts.netcdf), nil
}

// newGRIBPart makes a source of the fields that to-grib writes of a part of a labelled dataset. An *togrib.ObjectError
// names one that has no form in GRIB.
func newGRIBPart(cmd *cobra.Command, inputs []importers.Input, a *archive.Archive, where *cli.WhereFlag, opts partOptions) (importers.Source, error) {
	file, err := storage.NewTempFile(opts.tempDir)
	if err != nil {
		return nil, err
	}
	t := toGRIB{clauses: where, learned: fromgrib.NewLearned(), work: cli.WorkOf(cmd, inputs)}
	if err := t.part(cmd, a, inputs, file, togrib.Options{Packing: togrib.PackSource}, new(togrib.Report)); err != nil {
		file.Close()
		return nil, err
	}
	blob, err := file.Blob()
	if err != nil {
		file.Close()
		return nil, err
	}
	opts.grib.Opener, opts.grib.Where, opts.grib.Stream = &partOpener{blob: blob}, nil, false
	return fromgrib.New([]importers.Input{{Name: inputs[0].Name, Size: blob.Size()}}, opts.grib), nil
}

// A partOpener opens the GRIB file that a part of a dataset is.
type partOpener struct{ blob storage.Blob }

// Open implements [importers.Opener].
func (o *partOpener) Open(context.Context, string) (storage.Blob, error) { return o.blob, nil }

// newLabelledSource makes a source of the variables of an archive, with their dimensions and coordinates.
func newLabelledSource(a *archive.Archive, inputs []importers.Input, opts fromnetcdf.Options) importers.Source {
	store := serve.NewStore(serve.NewDatasetView(a.Set, a, serve.DatasetOptions{JoinSmall: true}), serve.StoreOptions{})
	opts.Variables, opts.Where, opts.Missing = nil, nil, nil // the dataset has only the objects that they chose
	opts.Opener, opts.Format = labelledOpener{}, importers.FormatZarr
	opts.Model = func(in *importers.InputFile) (*netcdf.File, error) {
		return fromzarr.Model(in.Context(), store, in.Name)
	}
	return &labelledSource{fromnetcdf.New([]importers.Input{{Name: inputs[0].Name}}, opts), a}
}

// labelledOpener opens the input that stands for a dataset in a list of inputs: the folder of a
// store, whose documents the source takes from the dataset.
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
