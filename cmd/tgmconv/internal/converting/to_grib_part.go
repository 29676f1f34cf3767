package converting

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/writable"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/looking"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/exporters/togrib"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/mapping"
)

// A fieldPlace is where a field lies in its file.
type fieldPlace struct{ message, object int }

// labelledPart opens the part of the labelled dataset that the flags choose; nil if they choose nothing.
func (t *toGRIB) labelledPart(cmd *cobra.Command, inputs []importers.Input) (*archive.Archive, error) {
	change := t.change
	if change.IsZero() {
		return nil, nil
	}
	if len(change.Rename) > 0 {
		return nil, cli.Usagef("to-grib: --rename is not for GRIB, which has no names but those of its parameters: --set shortName=NAME sets these")
	}
	return looking.OpenWhere(cmd, nil, t.clauses, archive.Options{
		Client: cli.ClientOf(cmd), MaxArray: cli.MaxArrayOf(cmd), Missing: cli.MissingOf(cmd), Inputs: inputs, Index: archive.IndexNone,
		Dataset: dataset.Options{Change: change, Unpack: true},
	})
}

// part writes the part of the labelled dataset that the flags choose. Where it is made of fields as the files have
// them, these are written as they are. Of an area that is cropped the integers of packed values are kept.
func (t *toGRIB) part(cmd *cobra.Command, a *archive.Archive, inputs []importers.Input, out io.Writer, opts togrib.Options, total *togrib.Report) error {
	for _, why := range a.Bad {
		if !t.SkipBad {
			return errors.New(why)
		}
		total.Skipped = append(total.Skipped, errors.New(why))
	}
	if whole := wholeFields(a); whole != nil {
		for _, in := range inputs {
			if whole[in.Name] == nil {
				continue
			}
			t.chosen = func(p mapping.Place) bool { return whole[in.Name][fieldPlace{p.Message, p.Object}] }
			if err := t.input(cmd, in, out, opts, total); err != nil {
				return err
			}
		}
		return nil
	}
	name := inputs[0].Name
	if len(inputs) > 1 {
		name = fmt.Sprintf("%s and %s", name, cli.Count(len(inputs)-1, "other file"))
	}
	fields := writable.OfDataset(cmd.Context(), a, writable.Options{Set: t.opts.Set, Name: name, Take: t.work.Take})
	report, err := togrib.Export(cmd.Context(), out, fields, opts)
	total.Add(report)
	if errors.Is(err, togrib.ErrNothing) {
		return nil
	}
	return err
}

// wholeFields are the fields of the variables of an archive by their files; nil if not all are fields of GRIB, in GRIB
// or Tensogram files, of which every point is taken.
func wholeFields(a *archive.Archive) map[string]map[fieldPlace]bool {
	places := make(map[string]map[fieldPlace]bool)
	for e, whole := range chosenObjects(a) {
		if !whole || !isGRIBField(e) {
			return nil
		}
		file, _ := catalog.SplitState(e.File)
		if places[file] == nil {
			places[file] = make(map[fieldPlace]bool)
		}
		places[file][fieldPlace{e.Message, e.Object}] = true
	}
	return places
}

// isGRIBPart reports whether all variables of an archive are fields of GRIB, in GRIB or Tensogram files.
func isGRIBPart(a *archive.Archive) bool {
	found := false
	for e := range chosenObjects(a) {
		if !isGRIBField(e) {
			return false
		}
		found = true
	}
	return found
}

// chosenObjects yields the objects that variables of an archive are made of, but not coordinates, and whether they
// are fields that are taken whole.
func chosenObjects(a *archive.Archive) iter.Seq2[*catalog.Entry, bool] {
	return func(yield func(*catalog.Entry, bool) bool) {
		for _, g := range a.Set.Groups {
			for _, v := range g.Variables {
				if v.Coordinate || v.Computed() {
					continue
				}
				for _, ref := range v.Refs() {
					if ref >= 0 && !yieldObjects(a, int(ref), g.OfFields(), yield) {
						return
					}
				}
			}
		}
	}
}

// yieldObjects yields the objects that a chunk is made of.
func yieldObjects(a *archive.Archive, ref int, whole bool, yield func(*catalog.Entry, bool) bool) bool {
	parts := a.Set.Parts(ref)
	for _, p := range parts {
		if !yieldObjects(a, p.Ref, false, yield) {
			return false
		}
	}
	if parts != nil {
		return true
	}
	e := a.Catalog.Entry(ref)
	return yield(&e, whole)
}

// isGRIBField reports whether an entry is a field of a GRIB file, or an object that was made of one.
func isGRIBField(e *catalog.Entry) bool {
	if part, ok := e.Part(); ok {
		return len(part.Fields) > 0
	}
	_, base := e.Base.Maps()
	return !mapping.ByOther(base) && e.Base.MARS() != nil
}
