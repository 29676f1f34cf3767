package importers

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm/edit"
)

// Suffix ends the names of Tensogram files.
const Suffix = ".tgm"

// Ends of names that an output does not keep.
var (
	packedSuffixes = []string{".gz", ".zst", ".bz2", ".xz"}
	gribSuffixes   = []string{".grib", ".grib1", ".grib2", ".grb", ".grb1", ".grb2"}
	netcdfSuffixes = []string{".nc", ".nc4", ".cdf", ".netcdf", ".h5", ".hdf5", ".hdf", ".he5"}
	tetSuffixes    = []string{".tet"}
	zarrSuffixes   = []string{".zarr.zip", ".zarr"}
	sourceSuffixes = slices.Concat(gribSuffixes, netcdfSuffixes, tetSuffixes, zarrSuffixes, []string{Suffix})
)

// namedLike reports whether a file is named like files of one of the formats, packed or not. Without formats,
// any that is read counts.
func namedLike(name string, formats ...Format) bool {
	name = without(packedSuffixes, path.Base(filepath.ToSlash(name)))
	if len(formats) == 0 {
		formats = append(Sources(), FormatTensogram)
	}
	for _, format := range formats {
		suffixes := map[Format][]string{
			FormatTensogram: {Suffix}, FormatGRIB: gribSuffixes, FormatNetCDF: netcdfSuffixes, FormatTet: tetSuffixes,
			FormatZarr: zarrSuffixes,
		}[format]
		if without(suffixes, name) != name {
			return true
		}
	}
	return false
}

// Ignored reports whether an input may be skipped, because err is a [*FormatError]: none of the
// formats of a command was found; no formats means all. The input must lie in a folder, and hold other
// data, or have no name like files of the formats.
func Ignored(in Input, err error, formats ...Format) bool {
	other, ok := errors.AsType[*FormatError](err)
	return ok && in.FromFolder && (other.Found.IsData() || !namedLike(in.Name, formats...))
}

// NamesIn returns the name of the output of each input in a folder, which may be local or remote.
// Files in subfolders of a folder that the user named have outputs in the same subfolders. The
// suffix of the input's format is replaced by Suffix, and names that file systems do not take are
// shortened (edit.ShortName); inputs that differ only in their suffixes
// keep them. It is an error when two inputs have the same output, or an output would replace its
// input.
func NamesIn(folder string, inputs []Input, given []string) ([]string, error) {
	names, uses := make([]string, len(inputs)), make(map[string]int)
	for i, in := range inputs {
		names[i] = pathBelow(in, given)
		uses[withoutSuffix(names[i])]++
	}
	from := make(map[string]string)
	for i, in := range inputs {
		name := names[i]
		if short := withoutSuffix(name); uses[short] == 1 {
			name = short
		}
		dir, base := path.Split(name + Suffix)
		name = strings.TrimSuffix(folder, "/") + "/" + dir + edit.ShortName(base)
		if other, ok := from[name]; ok {
			return nil, fmt.Errorf("%s and %s would both be written to %s: convert them to different folders", other, in.Name, name)
		}
		if storage.SameFile(in.Name, name) {
			return nil, fmt.Errorf("output %s would replace an input, %s", name, in.Name)
		}
		from[name] = in.Name
		names[i] = name
	}
	return names, nil
}

// pathBelow is the path of an input below the folder that the user gave. For an input that the user
// named, it is the last part of its path.
func pathBelow(in Input, given []string) string {
	name := filepath.ToSlash(in.Name)
	if in.FromFolder {
		for _, arg := range given {
			if below, ok := strings.CutPrefix(name, strings.TrimSuffix(filepath.ToSlash(arg), "/")+"/"); ok {
				return below
			}
		}
	}
	if storage.IsRemote(name) {
		if u, err := url.Parse(name); err == nil {
			name = u.Path
		}
	}
	return path.Base(name)
}

// withoutSuffix takes the suffixes of source files away.
func withoutSuffix(name string) string {
	return without(sourceSuffixes, without(packedSuffixes, name))
}

// without cuts each of the suffixes that a name has, in their order.
func without(suffixes []string, name string) string {
	for _, suffix := range suffixes {
		if end := len(name) - len(suffix); end > 0 && strings.EqualFold(name[end:], suffix) {
			name = name[:end]
		}
	}
	return name
}
