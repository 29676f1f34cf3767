package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/importers/fromtet"
)

// An archive is inputs of any format, opened to be looked at as one labelled dataset.
type archive struct {
	*dataset.Collection
	set   *dataset.Dataset
	close []io.Closer
	bad   []string   // what could not be read, and why
	where *whereFlag // objects to take; nil takes all
	files []importers.Input
}

// Close closes the inputs.
func (a *archive) Close() error {
	var errs []error
	for _, c := range a.close {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// openArchive opens inputs, folders and addresses and builds their dataset. What cannot be read is
// left out, unless it is all there is.
func openArchive(cmd *cobra.Command, names []string, opts dataset.Options) (*archive, error) {
	return openArchiveWhere(cmd, names, nil, opts)
}

// openArchiveWhere is openArchive for the objects that clauses select.
func openArchiveWhere(cmd *cobra.Command, names []string, where *whereFlag, opts dataset.Options) (*archive, error) {
	a := &archive{Collection: dataset.NewCollection(), where: where}
	err := a.open(cmd, names)
	if err == nil {
		a.set, err = dataset.Build(a.selected(a.Objects(cmd.Context(), a.note)), opts)
	}
	if err == nil && a.set.Report.Len() == 0 {
		err = a.nothing()
	}
	if err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

// note remembers what could not be read.
func (a *archive) note(where string, err error) { a.bad = append(a.bad, where+": "+err.Error()) }

// open opens the inputs.
func (a *archive) open(cmd *cobra.Command, names []string) error {
	client := clientOf(cmd)
	var inputs []importers.Input
	for _, name := range names {
		found, err := client.Find(cmd.Context(), name)
		if err != nil {
			return err
		}
		inputs = append(inputs, found...)
	}
	var alike []importers.Input // consecutive inputs of one format
	var format importers.Format
	flush := func() {
		a.addSource(alike, format, client)
		alike = nil
	}
	for _, in := range inputs {
		found, err := a.detect(cmd, in)
		switch {
		case cmd.Context().Err() != nil:
			return cmd.Context().Err()
		case err != nil && len(inputs) == 1:
			return err
		case err != nil:
			a.bad = append(a.bad, err.Error())
			continue
		case found == "":
			continue
		}
		a.files = append(a.files, in)
		if found != format {
			flush()
			format = found
		}
		if found != importers.FormatTensogram {
			alike = append(alike, in)
			continue
		}
		if err := a.addFile(cmd, in.Name); err != nil {
			a.bad = append(a.bad, inFile(in.Name, err).Error())
		}
	}
	flush()
	return nil
}

// selected are the objects that --where selects.
func (a *archive) selected(objects dataset.Objects) dataset.Objects {
	if a.where == nil {
		return objects
	}
	return func(yield func(dataset.Object, error) bool) {
		for o, err := range objects {
			if err == nil && !a.where.matchKeys(o.Base.Lookup) {
				continue
			}
			if !yield(o, err) {
				return
			}
		}
	}
}

// nothing is the error for inputs of which nothing can be shown.
func (a *archive) nothing() error {
	if len(a.bad) > 0 {
		return errors.New(a.bad[0])
	}
	return errors.New("the inputs hold no Tensogram, GRIB, netCDF or .tet data")
}

func (a *archive) addFile(cmd *cobra.Command, name string) error {
	v, err := openView(cmd, name)
	if err != nil {
		return err
	}
	a.close = append(a.close, v)
	v.disk.uninterrupted() // requests under way are answered to the end
	a.AddFile(v.File, name, fileState(v.disk))
	return nil
}

func (a *archive) addSource(inputs []importers.Input, format importers.Format, opener importers.Opener) {
	if len(inputs) == 0 {
		return
	}
	var s importers.Source
	switch format {
	case importers.FormatNetCDF:
		s = fromnetcdf.New(inputs, fromnetcdf.Options{Opener: opener})
	case importers.FormatTet:
		s = fromtet.New(inputs, fromtet.Options{Opener: opener})
	default:
		s = fromgrib.New(inputs, fromgrib.Options{SkipBad: true, Opener: opener})
	}
	a.close = append(a.close, s)
	a.AddSource(s)
}

// detect tells the format of an input; "" means that it is nothing to show, and was found in a
// folder.
func (a *archive) detect(cmd *cobra.Command, in importers.Input) (importers.Format, error) {
	found, err := formatOf(cmd.Context(), clientOf(cmd), in.Name)
	if err != nil {
		return "", inFile(in.Name, err)
	}
	switch found {
	case importers.FormatGRIB, importers.FormatNetCDF, importers.FormatTet, importers.FormatTensogram:
		return found, nil
	}
	if in.FromFolder {
		return "", nil
	}
	return "", inFile(in.Name, &importers.FormatError{Found: found, Expected: "Tensogram, GRIB, netCDF or .tet"})
}
