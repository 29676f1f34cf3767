package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/importers/fromzarr"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// A viewFile is a .tgm file that a verb looks into.
type viewFile struct {
	*tgm.File
	disk *diskFile // nil of a pipe that is read as it comes
	name string    // as it is shown
}

// openView opens a .tgm file.
func openView(cmd *cobra.Command, name string) (*viewFile, error) {
	disk, err := openDisk(cmd, name)
	if err != nil {
		return nil, err
	}
	file, err := fromgrib.NewFile(disk, disk.size)
	if err != nil {
		disk.Close()
		return nil, err
	}
	return &viewFile{file, disk, shown(name)}, nil
}

// Close closes the file.
func (v *viewFile) Close() error {
	if v.disk == nil {
		return v.File.Close()
	}
	return v.disk.Close()
}

// checkWhole reports what of the file is no message: an empty file, another format, a truncated
// end.
func (v *viewFile) checkWhole() error {
	if v.Size() == 0 {
		return errors.New("the file is empty, expected Tensogram messages")
	}
	n, err := v.Len()
	if err != nil {
		return err
	}
	if n == 0 && v.disk != nil {
		found, err := importers.DetectFormat(v.disk, v.disk.size)
		if other := otherFormat(found); err == nil && other != "" {
			return errors.New("found " + other)
		}
	}
	return v.CheckWhole()
}

// sourceFormat is the format of a file that is GRIB, netCDF, Zarr or .tet; ok is false for others.
func (v *viewFile) sourceFormat() (found importers.Format, ok bool) {
	if v.disk == nil {
		return "", false
	}
	found, err := importers.DetectFormat(v.disk, v.disk.size)
	return found, err == nil && found.IsSource()
}

// eachFile calls look for every .tgm file. What goes wrong with one of them, or is no message in
// it, is reported and fails the command after all were looked at.
func eachFile(cmd *cobra.Command, names []string, look func(*viewFile) error) error {
	return eachView(cmd, names, []importers.Format{importers.FormatTensogram}, func(v *viewFile, _ string) error {
		if err := look(v); err != nil {
			return err
		}
		return v.checkWhole()
	})
}

// eachView opens every input, also those of other formats, as a .tgm file and calls look with the file
// and the name of the input.
func eachView(cmd *cobra.Command, names []string, formats []importers.Format, look func(v *viewFile, name string) error) error {
	collectRarely(metadataGC)
	return eachInputOf(cmd, names, formats, func(name string) error {
		v, err := openPiped(cmd, name)
		if err != nil {
			return err
		}
		defer v.Close()
		return look(v, name)
	})
}

// eachInput calls look for every GRIB file. What goes wrong with one of them is reported and fails
// the command after all were looked at.
func eachInput(cmd *cobra.Command, names []string, look func(name string) error) error {
	return eachInputOf(cmd, names, []importers.Format{importers.FormatGRIB}, look)
}

// eachInputOf calls look for every input that names stand for; in folders, for those of the formats.
func eachInputOf(cmd *cobra.Command, names []string, formats []importers.Format, look func(name string) error) error {
	var failed error
	for _, given := range names {
		found, err := expand(cmd, given, formats...)
		if ctxErr := cmd.Context().Err(); ctxErr != nil {
			return ctxErr
		}
		if err == nil && len(found) == 0 {
			err = fmt.Errorf("no %s file is in this folder", formatsText(formats))
		}
		if err != nil {
			failed = inFile(given, err)
			fmt.Fprintf(cmd.ErrOrStderr(), "tgmconv: %s\n", errorText(failed))
		}
		for _, name := range found {
			err := look(name)
			if ctxErr := cmd.Context().Err(); ctxErr != nil {
				return ctxErr
			}
			var output *outputError
			if errors.As(err, &output) {
				return output
			}
			if err != nil {
				failed = inFile(name, err)
				fmt.Fprintf(cmd.ErrOrStderr(), "tgmconv: %s\n", errorText(failed))
			}
		}
	}
	if failed != nil {
		return reported(failed)
	}
	return nil
}

// messages yields the messages of the file.
func (v *viewFile) messages(ctx context.Context) iter.Seq2[*catalog.Message, error] {
	return catalog.Messages(ctx, v.File, v.name)
}

// eachObject calls look for every object of the file that the clauses select.
func (v *viewFile) eachObject(ctx context.Context, w *whereFlag, look func(catalog.Object) error) error {
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
func eachSelected(m *catalog.Message, w *whereFlag, look func(catalog.Object) error) error {
	for o, err := range m.Select(w.clauses, &w.asked) {
		if err != nil {
			return err
		}
		if err := look(o); err != nil {
			return err
		}
	}
	return nil
}

// openNetCDF reads the metadata of a netCDF file, or of a Zarr store.
func openNetCDF(cmd *cobra.Command, disk *diskFile) (*netcdf.File, error) {
	if storage.FolderOf(disk.blob) != nil {
		return fromzarr.Open(cmd.Context(), disk.blob, disk.name)
	}
	if err := importers.ExpectFormat(disk, disk.size, importers.Input{Name: disk.name}, importers.FormatNetCDF); err != nil {
		return nil, err
	}
	return netcdf.NewFile(disk, disk.size, netcdf.WithOpener(filepath.Base(storage.LocalPath(disk.name)), externalOpener(cmd, disk.name)))
}

// externalOpener opens the files that an input refers to.
func externalOpener(cmd *cobra.Command, input string) netcdf.Opener {
	return func(name string) (io.ReaderAt, int64, error) {
		_, blob, err := clientOf(cmd).OpenExternal(cmd.Context(), input, name)
		if err != nil {
			return nil, 0, err
		}
		return &diskFile{ReaderAt: storage.ReaderAt(cmd.Context(), blob), blob: blob, name: name, size: blob.Size()}, blob.Size(), nil
	}
}
