package looking

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/internal/safetext"
	"github.com/tgmconv/tgmconv/mapping"
)

// IndexFlags are the flags of index.
type IndexFlags struct{ place, Output string }

// NewIndex returns the verb index.
func NewIndex() *cobra.Command {
	return new(IndexFlags).Verb().Command()
}

// Verb returns the verb with the flags.
func (f *IndexFlags) Verb() cli.Verb {
	f.place = "beside"
	return cli.Verb{
		Use:   "index [flags] FILE|FOLDER... [OUT.parquet]",
		Short: "Write the index of files: their objects, and where values lie",
		Long: `Write the index of files: the labels of all objects, and the places of the values of GRIB fields in simple, CCSDS
and IEEE packing. With an index serve, info --dataset and others open an archive without reading its files, and
extract reads only the bytes of the points of GRIB fields. A field of 0.25° in CCSDS packing takes about
700 bytes of the index, other fields some tens of bytes.

The index lies beside the files, as FILE.tgmidx, or .tgmidx in a folder. With --index cache, which several inputs and
addresses need, it lies in the user's cache folder. It is used for the same inputs until one of them changes.

With -o the index is the catalogue of an archive: a Parquet file with a row for each object. serve, extract, info and
others take a catalogue in place of the files, and DuckDB, Polars, pandas and Spark read it. Names of files below the
folder of the catalogue are relative to it, so that both can be moved together. An existing catalogue is extended: only
new and changed files are read, and missing files are left out.`,
		Example: `  tgmconv index archive/
  tgmconv index -o archive/catalogue.parquet archive/
  tgmconv extract --at 52.5,13.4 archive/catalogue.parquet
  tgmconv index --index cache https://example.org/forecast.grib2`,
		Options: func(s *option.Set) {
			cli.DeclareOutput(s, &f.Output, "file to write the catalogue to, as Parquet")
			s.Word("index", &f.place, []string{"beside", "cache"}, "where the index lies: beside or cache")
		},
		Run: f.run,
	}
}

func (f *IndexFlags) run(cmd *cobra.Command, names []string) error {
	mode, err := archive.ParseIndexMode(f.place)
	if err != nil {
		return err
	}
	a, err := archive.List(cmd.Context(), names, archive.Options{
		Client: cli.ClientOf(cmd), MaxArray: cli.MaxArrayOf(cmd), Index: mode, Catalogue: f.Output, Warn: func(text string) { cli.Warn(cmd, text) },
	})
	if err != nil {
		return err
	}
	defer a.Close()
	var fields int
	path := f.Output
	if f.Output == "" {
		fields, path, err = a.WriteIndex(cmd.Context())
	} else {
		fields, err = WriteCatalogue(cmd, a, f.Output, f.Output)
	}
	if err != nil {
		return err
	}
	kept := ""
	if f.Output != "" && a.Indexed > 0 {
		kept = ", " + cli.Count(a.Indexed, "file") + " unchanged"
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "tgmconv: %s: %s, values of %s%s\n", cli.Shown(path), cli.Count(a.Catalog.Len(), "object"), cli.Count(fields, "field"), kept)
	for _, line := range a.Bad {
		fmt.Fprintln(cmd.ErrOrStderr(), "tgmconv: "+safetext.Line(line))
	}
	if len(a.Bad) > 0 {
		return cli.Reported(fmt.Errorf("%s", a.Bad[0]))
	}
	return nil
}

// WriteCatalogue writes the catalogue of an archive as the file that is to lie at a location.
func WriteCatalogue(cmd *cobra.Command, a *archive.Archive, output, location string) (fields int, err error) {
	out, err := cli.OpenBinary(cmd, output)
	if err != nil {
		return 0, err
	}
	defer out.Abort()
	if fields, err = a.WriteCatalogue(cmd.Context(), out, location); err != nil {
		return 0, err
	}
	return fields, out.Commit()
}

// indexedKeys are the keys of clauses that an index answers as the files do.
var indexedKeys = map[string]bool{
	mapping.KeyName: true, "shortName": true, mapping.KeyLevel: true, mapping.KeyStep: true, "date": true, "time": true,
	mapping.KeyNumber: true, mapping.KeyUnits: true, "paramId": true,
}

// isIndexed reports whether an index answers all clauses.
func isIndexed(clauses mapping.Clauses) bool {
	for _, c := range clauses {
		if !indexedKeys[c.Key] {
			return false
		}
	}
	return true
}
