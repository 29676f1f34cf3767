package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/storage"
)

// A FileKind is a format that names of files say.
type FileKind struct {
	Name     string
	Suffixes []string
	Verb     string // that writes it
}

// The kinds of files.
var (
	TensogramFiles = &FileKind{"Tensogram", []string{".tgm"}, "convert"}
	NetCDFFiles    = &FileKind{"netCDF", []string{".nc", ".nc3", ".nc4", ".cdf", ".netcdf", ".h5", ".hdf5", ".he5"}, "to-netcdf"}
	gribFiles      = &FileKind{"GRIB", []string{".grib", ".grib1", ".grib2", ".grb", ".grb1", ".grb2"}, "to-grib"}
	ZarrFiles      = &FileKind{"Zarr", []string{".zarr", ".zarr.zip"}, "to-zarr"}
	tetFiles       = &FileKind{".tet", []string{".tet"}, "to-tet"}
	csvFiles       = &FileKind{"CSV", []string{".csv"}, "values"}
	JSONFiles      = &FileKind{"JSON", []string{".json", ".jsonl", ".ndjson"}, "values --format json, or refs,"}
	CovJSONFiles   = &FileKind{"CoverageJSON", []string{".covjson"}, "extract"}
	ParquetFiles   = &FileKind{"Parquet", []string{".parquet", ".parq"}, "extract"}
	numpyFiles     = &FileKind{"numpy", []string{".npy"}, "values --format npy"}
	ImageFiles     = &FileKind{"PNG", []string{".png"}, "plot"}
	DrawingFiles   = &FileKind{"SVG", []string{".svg"}, "plot"}
	PDFFiles       = &FileKind{"PDF", []string{".pdf"}, "plot"}
	GIFFiles       = &FileKind{"GIF", []string{".gif"}, "plot"}
)

var fileKinds = []*FileKind{
	TensogramFiles, NetCDFFiles, gribFiles, ZarrFiles, tetFiles, csvFiles, JSONFiles, CovJSONFiles, ParquetFiles, numpyFiles, ImageFiles,
	DrawingFiles, PDFFiles, GIFFiles,
}

// writtenKinds are the kinds of files that verbs with an output write, the first by default. Verbs that are not here
// write Tensogram.
var writtenKinds = map[string][]*FileKind{
	"convert":   ConvertKinds,
	"to-netcdf": {NetCDFFiles},
	"to-grib":   {gribFiles},
	"grib copy": {gribFiles},
	"to-zarr":   {ZarrFiles},
	"to-tet":    {tetFiles},
	"tet query": {tetFiles},
	"refs":      {JSONFiles, ParquetFiles},
	"index":     {ParquetFiles},
	"plot":      {ImageFiles, DrawingFiles, PDFFiles, GIFFiles},
	"values":    {csvFiles, JSONFiles, numpyFiles},
	"extract":   {csvFiles, JSONFiles, ParquetFiles, NetCDFFiles, CovJSONFiles, ImageFiles, DrawingFiles, PDFFiles},
}

// KindOf is the format that the name of a file says, nil if it says none.
func KindOf(name string) *FileKind {
	if storage.IsRemote(name) {
		name, _, _ = strings.Cut(name, "?")
	}
	name = strings.ToLower(strings.TrimRight(name, "/"))
	for _, k := range fileKinds {
		for _, suffix := range k.Suffixes {
			if strings.HasSuffix(name, suffix) {
				return k
			}
		}
	}
	return nil
}

// kindsOf are the formats that a verb with an output writes.
func kindsOf(cmd *cobra.Command) []*FileKind {
	if written := writtenKinds[VerbName(cmd)]; written != nil {
		return written
	}
	return []*FileKind{TensogramFiles}
}

// takeOutput makes the last word the output of a verb if it is the name, of a format that the verb writes,
// of a file that does not exist, or if --force is given, and returns the others.
func takeOutput(cmd *cobra.Command, args []string) (inputs []string, err error) {
	last := len(args) - 1
	if last < 1 || cmd.Flags().Changed("output") {
		return args, nil
	}
	name := args[last]
	written := slices.Contains(kindsOf(cmd), KindOf(name))
	if IsForced(cmd) || written && IsNew(name) {
		return args[:last], cmd.Flags().Set("output", name)
	}
	if written && KindOf(name) != KindOf(args[0]) {
		return nil, RefuseExisting(name)
	}
	return args, nil
}

// RefuseExisting is the error for a last word that may be meant as the output, and is the name of a file that exists;
// nil for addresses and standard output.
func RefuseExisting(name string) error {
	if storage.IsRemote(name) || name == storage.Stdin || IsNew(name) {
		return nil
	}
	return Usagef("%s exists: --force replaces it, and -o names the output where it is an input", Shown(name))
}

// IsForced reports whether the last word is the output of a verb also where it exists.
func IsForced(cmd *cobra.Command) bool {
	forced, err := cmd.Flags().GetBool(forceFlag)
	return err == nil && forced
}

// forceFlag is the flag with which the last word is the output in any case.
const forceFlag = "force"

// CheckOutputName refuses an output whose name says another format than the verb writes.
func CheckOutputName(cmd *cobra.Command, name string) error {
	written, said := kindsOf(cmd), KindOf(name)
	if said == nil {
		return nil
	}
	for _, k := range written {
		if k == said {
			return nil
		}
	}
	return Usagef("output %s: the name is one of %s, and %s writes %s: tgmconv %s writes %s", name, said.Name, VerbName(cmd), written[0].Name, said.Verb, said.Name)
}

// checkOutputNames lets all commands with the flag --output take their last word for it, and look at the
// name, before they run.
func checkOutputNames(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		checkOutputNames(sub)
	}
	flag := cmd.Flags().Lookup("output")
	run := cmd.RunE
	if flag == nil || run == nil {
		return
	}
	if cmd.Flags().Lookup(forceFlag) == nil {
		cmd.Flags().Bool(forceFlag, false, "take the last word for the output even if it exists, and replace it")
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		args, err := takeOutput(cmd, args)
		if err != nil {
			return err
		}
		name := flag.Value.String()
		replaces := slices.ContainsFunc(args, func(input string) bool { return storage.SameFile(input, name) }) // which run refuses
		if err := CheckOutputName(cmd, name); err != nil && !replaces {
			return err
		}
		return run(cmd, args)
	}
}

// ConvertKinds are the formats that convert writes.
var ConvertKinds = []*FileKind{TensogramFiles, NetCDFFiles, gribFiles, ZarrFiles, tetFiles, csvFiles, ParquetFiles}
