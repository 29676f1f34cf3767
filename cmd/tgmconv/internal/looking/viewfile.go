package looking

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/importers/fromzarr"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// A ViewFile is a .tgm file that a verb looks into.
type ViewFile struct {
	*tgm.File
	Disk *cli.DiskFile // nil of a pipe that is read as it comes
	Name string        // as it is shown
}

// OpenView opens a .tgm file.
func OpenView(cmd *cobra.Command, name string) (*ViewFile, error) {
	disk, err := cli.OpenDisk(cmd, name)
	if err != nil {
		return nil, err
	}
	file, err := fromgrib.NewFile(disk, disk.Size)
	if err != nil {
		disk.Close()
		return nil, err
	}
	return &ViewFile{file, disk, cli.Shown(name)}, nil
}

// Close closes the file.
func (v *ViewFile) Close() error {
	if v.Disk == nil {
		return v.File.Close()
	}
	return v.Disk.Close()
}

// CheckComplete reports parts of the file that are no message: an empty file, another format, a truncated
// end.
func (v *ViewFile) CheckComplete() error {
	if v.Size() == 0 {
		return errors.New("the file is empty, expected Tensogram messages")
	}
	n, err := v.Len()
	if err != nil {
		return err
	}
	if n == 0 && v.Disk != nil {
		found, err := importers.DetectFormat(v.Disk, v.Disk.Size)
		if other := cli.OtherFormat(found); err == nil && other != "" {
			return errors.New("found " + other)
		}
		if err == nil && found == importers.FormatUnknown {
			return &importers.FormatError{Found: found, Expected: "Tensogram, GRIB, netCDF, Zarr or .tet"}
		}
	}
	return v.CheckWhole()
}

// sourceFormat is the format of a file that is GRIB, netCDF, Zarr or .tet; ok is false for others.
func (v *ViewFile) sourceFormat() (found importers.Format, ok bool) {
	if v.Disk == nil {
		return "", false
	}
	found, err := importers.DetectFormat(v.Disk, v.Disk.Size)
	return found, err == nil && found.IsSource()
}

// EachFile calls look for every .tgm file. Errors, and bytes outside messages, are reported, and
// fail the command after all files.
func EachFile(cmd *cobra.Command, names []string, look func(*ViewFile) error) error {
	return eachView(cmd, names, []importers.Format{importers.FormatTensogram}, func(v *ViewFile, _ string) error {
		if err := look(v); err != nil {
			return err
		}
		return v.CheckComplete()
	})
}

// eachView opens every input, also those of other formats, as a .tgm file and calls look with the file
// and the name of the input.
func eachView(cmd *cobra.Command, names []string, formats []importers.Format, look func(v *ViewFile, name string) error) error {
	cli.CollectRarely(cli.MetadataGC)
	return EachInputOf(cmd, names, formats, func(name string) error {
		v, err := OpenPiped(cmd, name)
		if err != nil {
			return err
		}
		defer v.Close()
		return look(v, name)
	})
}

// EachInput calls look for every GRIB file. Errors are reported, and fail the command after all
// files.
func EachInput(cmd *cobra.Command, names []string, look func(name string) error) error {
	return EachInputOf(cmd, names, []importers.Format{importers.FormatGRIB}, look)
}

// EachInputOf calls look for every input that names stand for; in folders, for files of the
// formats.
func EachInputOf(cmd *cobra.Command, names []string, formats []importers.Format, look func(name string) error) error {
	var failed error
	for _, given := range names {
		found, err := cli.Expand(cmd, given, formats...)
		if ctxErr := cmd.Context().Err(); ctxErr != nil {
			return ctxErr
		}
		if err == nil && len(found) == 0 {
			err = fmt.Errorf("no %s file is in this folder", cli.FormatsText(formats))
		}
		if err != nil {
			failed = cli.InFile(given, err)
			fmt.Fprintf(cmd.ErrOrStderr(), "tgmconv: %s\n", cli.ErrorText(failed))
		}
		for _, name := range found {
			err := look(name)
			if ctxErr := cmd.Context().Err(); ctxErr != nil {
				return ctxErr
			}
			var output *cli.OutputError
			if errors.As(err, &output) {
				return output
			}
			if err != nil {
				failed = cli.InFile(name, err)
				fmt.Fprintf(cmd.ErrOrStderr(), "tgmconv: %s\n", cli.ErrorText(failed))
			}
		}
	}
	if failed != nil {
		return cli.Reported(failed)
	}
	return nil
}

// messages yields the messages of the file.
func (v *ViewFile) messages(ctx context.Context) iter.Seq2[*catalog.Message, error] {
	return catalog.Messages(ctx, v.File, v.Name)
}

// eachObject calls look for every object of the file that the clauses select.
func (v *ViewFile) eachObject(ctx context.Context, w *cli.WhereFlag, look func(catalog.Object) error) error {
	for m, err := range v.messages(ctx) {
		if err != nil {
			return err
		}
		if err := eachSelected(m, w, look); err != nil {
			return err
		}
	}
	return nil
}

// eachSelected calls look for every object of a message that the clauses select.
func eachSelected(m *catalog.Message, w *cli.WhereFlag, look func(catalog.Object) error) error {
	for o, err := range m.Select(w.Clauses, &w.Asked) {
		if err != nil {
			return err
		}
		if err := look(o); err != nil {
			return err
		}
	}
	return nil
}

// OpenNetCDF reads the metadata of a netCDF file, or of a Zarr store.
func OpenNetCDF(cmd *cobra.Command, disk *cli.DiskFile) (*netcdf.File, error) {
	if storage.FolderOf(disk.Blob) != nil {
		return fromzarr.Open(cmd.Context(), disk.Blob, disk.Name)
	}
	if err := importers.ExpectFormat(disk, disk.Size, importers.Input{Name: disk.Name}, importers.FormatNetCDF); err != nil {
		return nil, err
	}
	return netcdf.NewFile(disk, disk.Size, netcdf.WithOpener(filepath.Base(storage.LocalPath(disk.Name)), externalOpener(cmd, disk.Name)))
}

// externalOpener opens the files that an input refers to.
func externalOpener(cmd *cobra.Command, input string) netcdf.Opener {
	return func(name string) (io.ReaderAt, int64, error) {
		_, blob, err := cli.ClientOf(cmd).OpenExternal(cmd.Context(), input, name)
		if err != nil {
			return nil, 0, err
		}
		return &cli.DiskFile{ReaderAt: storage.ReaderAt(cmd.Context(), blob), Blob: blob, Name: name, Size: blob.Size()}, blob.Size(), nil
	}
}
