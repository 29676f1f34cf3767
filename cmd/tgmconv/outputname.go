package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/storage"
)

// A fileKind is a format that names of files say.
type fileKind struct {
	name     string
	suffixes []string
	verb     string // that writes it
}

var (
	tensogramFiles = &fileKind{"Tensogram", []string{".tgm"}, "convert"}
	netcdfFiles    = &fileKind{"netCDF", []string{".nc", ".nc3", ".nc4", ".cdf", ".netcdf", ".h5", ".hdf5", ".he5"}, "to-netcdf"}
	gribFiles      = &fileKind{"GRIB", []string{".grib", ".grib1", ".grib2", ".grb", ".grb1", ".grb2"}, "to-grib"}
	zarrFiles      = &fileKind{"Zarr", []string{".zarr", ".zarr.zip"}, "to-zarr"}
	tetFiles       = &fileKind{".tet", []string{".tet"}, "to-tet"}
	csvFiles       = &fileKind{"CSV", []string{".csv"}, "values"}
	jsonFiles      = &fileKind{"JSON", []string{".json", ".jsonl", ".ndjson"}, "values --format json, or refs,"}
	covjsonFiles   = &fileKind{"CoverageJSON", []string{".covjson"}, "extract"}
	parquetFiles   = &fileKind{"Parquet", []string{".parquet", ".parq"}, "extract"}
	numpyFiles     = &fileKind{"numpy", []string{".npy"}, "values --format npy"}
	imageFiles     = &fileKind{"PNG", []string{".png"}, "plot"}
	drawingFiles   = &fileKind{"SVG", []string{".svg"}, "plot"}
	pdfFiles       = &fileKind{"PDF", []string{".pdf"}, "plot"}
	gifFiles       = &fileKind{"GIF", []string{".gif"}, "plot"}
)

var fileKinds = []*fileKind{
	tensogramFiles, netcdfFiles, gribFiles, zarrFiles, tetFiles, csvFiles, jsonFiles, covjsonFiles, parquetFiles, numpyFiles, imageFiles,
	drawingFiles, pdfFiles, gifFiles,
}

// writtenKinds are what verbs with an output write, the first by default. Verbs that are not here
// write Tensogram.
var writtenKinds = map[string][]*fileKind{
	"convert":   convertKinds,
	"to-netcdf": {netcdfFiles},
	"to-grib":   {gribFiles},
	"grib copy": {gribFiles},
	"to-zarr":   {zarrFiles},
	"to-tet":    {tetFiles},
	"tet query": {tetFiles},
	"refs":      {jsonFiles, parquetFiles},
	"index":     {parquetFiles},
	"plot":      {imageFiles, drawingFiles, pdfFiles, gifFiles},
	"values":    {csvFiles, jsonFiles, numpyFiles},
	"extract":   {csvFiles, jsonFiles, parquetFiles, netcdfFiles, covjsonFiles, imageFiles, drawingFiles, pdfFiles},
}

// kindOf is the format that the name of a file says, nil if it says none.
func kindOf(name string) *fileKind {
	if storage.IsRemote(name) {
		name, _, _ = strings.Cut(name, "?")
	}
	name = strings.ToLower(strings.TrimRight(name, "/"))
	for _, k := range fileKinds {
		for _, suffix := range k.suffixes {
			if strings.HasSuffix(name, suffix) {
				return k
			}
		}
	}
	return nil
}

// kindsOf are the formats that a verb with an output writes.
func kindsOf(cmd *cobra.Command) []*fileKind {
	if written := writtenKinds[verbName(cmd)]; written != nil {
		return written
	}
	return []*fileKind{tensogramFiles}
}

// takeOutput makes the last word the output of a verb if it is the name, of a format that the verb writes,
// of a file that does not exist, or if --force is given, and returns the others.
func takeOutput(cmd *cobra.Command, args []string) (inputs []string, err error) {
	last := len(args) - 1
	if last < 1 || cmd.Flags().Changed("output") {
		return args, nil
	}
	name := args[last]
	written := slices.Contains(kindsOf(cmd), kindOf(name))
	if isForced(cmd) || written && isNew(name) {
		return args[:last], cmd.Flags().Set("output", name)
	}
	if written && kindOf(name) != kindOf(args[0]) {
		return nil, refuseExisting(name)
	}
	return args, nil
}

// refuseExisting is the error for a last word that may be meant as the output, and is the name of a file that exists;
// nil for addresses and standard output.
func refuseExisting(name string) error {
	if storage.IsRemote(name) || name == storage.Stdin || isNew(name) {
		return nil
	}
	return usagef("%s exists: --force replaces it, and -o names the output where it is an input", shown(name))
}

// isForced reports whether the last word is the output of a verb also where it exists.
func isForced(cmd *cobra.Command) bool {
	forced, err := cmd.Flags().GetBool(forceFlag)
	return err == nil && forced
}

// forceFlag is the flag with which the last word is the output in any case.
const forceFlag = "force"

// checkOutputName refuses an output whose name says another format than the verb writes.
func checkOutputName(cmd *cobra.Command, name string) error {
	written, said := kindsOf(cmd), kindOf(name)
	if said == nil {
		return nil
	}
	for _, k := range written {
		if k == said {
			return nil
		}
	}
	return usagef("output %s: the name is one of %s, and %s writes %s: tgmconv %s writes %s", name, said.name, verbName(cmd), written[0].name, said.verb, said.name)
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
		cmd.Flags().Bool(forceFlag, false, "take the last word for the output also where it exists, and replace it")
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		args, err := takeOutput(cmd, args)
		if err != nil {
			return err
		}
		name := flag.Value.String()
		replaces := slices.ContainsFunc(args, func(input string) bool { return storage.SameFile(input, name) }) // which run refuses
		if err := checkOutputName(cmd, name); err != nil && !replaces {
			return err
		}
		return run(cmd, args)
	}
}

// convertKinds are the formats that convert writes.
var convertKinds = []*fileKind{tensogramFiles, netcdfFiles, gribFiles, zarrFiles, tetFiles, csvFiles, parquetFiles}
