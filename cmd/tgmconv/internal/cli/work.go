package cli

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/internal/unpack"
	"github.com/tgmconv/tgmconv/storage"
)

// A command that writes or compares all values may decode workExpansion bytes of them for each byte
// of its inputs, and at least freeWork.
const (
	freeWork      = 1 << 30
	WorkExpansion = 1024
)

// arrayWork is how many bytes are decoded in the time and the memory that an array takes which holds next to
// nothing, or a group: it is listed, described and written. In a file they take more than a 1024th of that.
const arrayWork = 192 << 10

// A workError says that arrays are very much larger than the inputs that hold them.
type workError struct {
	input        string
	bytes, limit float64
}

func (e *workError) Error() string {
	megabytes := math.Ceil(e.bytes / (1 << 20))
	return fmt.Sprintf("%s: the arrays are as much work as %.0f MB, the limit for files of this size is %.0f MB (--%s %.0f allows it)",
		e.input, megabytes, e.limit/(1<<20), maxWorkFlag, megabytes)
}

// CheckWork returns an error if the arrays of an archive take very many more bytes than its files.
func CheckWork(cmd *cobra.Command, a *archive.Archive, bytes float64) error {
	files := a.Files()
	if len(files) == 0 || slices.ContainsFunc(files, hasNoSize) {
		return nil
	}
	return CheckWorkOf(cmd, files[0].Name, PackedSize(files), bytes)
}

// hasNoSize reports whether it is not known how large an input is: a store on the network.
func hasNoSize(f catalog.FileState) bool {
	return f.Format == string(importers.FormatZarr) && storage.IsRemote(f.Name)
}

// CheckWorkOf is CheckWork for inputs of size bytes, the first of which is named.
func CheckWorkOf(cmd *cobra.Command, name string, size int64, bytes float64) error {
	limit := float64(workLimit(cmd, size))
	if bytes <= limit {
		return nil
	}
	return &workError{storage.Display(name), bytes, limit}
}

// askedWork is the limit of --max-work in bytes, 0 if the command has none.
func askedWork(cmd *cobra.Command) int64 {
	megabytes, err := cmd.Flags().GetInt64(maxWorkFlag)
	if err != nil {
		return 0
	}
	return max(0, min(megabytes, math.MaxInt64>>20)) << 20
}

// workLimit is how many bytes of values a command may decode of inputs of a size.
func workLimit(cmd *cobra.Command, size int64) int64 {
	if asked := askedWork(cmd); asked > 0 {
		return asked
	}
	return max(freeWork, WorkExpansion*min(size, math.MaxInt64/WorkExpansion))
}

// WorkOf bounds the bytes that a conversion may decode. It is nil if the size of the inputs is not known.
func WorkOf(cmd *cobra.Command, inputs []storage.Input) *importers.Work {
	size := int64(0)
	seen := make(map[string]bool)
	for _, in := range inputs {
		name, _, _ := strings.Cut(in.Name, unpack.Separator)
		if seen[name] {
			continue
		}
		seen[name] = true
		packed := ClientOf(cmd).PackedSize(name)
		if packed == 0 {
			packed = in.Size
		}
		if packed == 0 && askedWork(cmd) == 0 {
			return nil
		}
		size += packed
	}
	return importers.NewWork(workLimit(cmd, size))
}

// PackedSize is the size of files as they are, compressed and with all members of archives.
func PackedSize(files []catalog.FileState) (size int64) {
	seen := make(map[string]bool)
	for _, f := range files {
		name, _, _ := strings.Cut(f.Name, unpack.Separator)
		if seen[name] {
			continue
		}
		seen[name] = true
		if st, err := os.Stat(storage.LocalPath(name)); err == nil && !storage.IsRemote(name) && st.Mode().IsRegular() {
			size += st.Size()
		} else {
			size += f.Size
		}
	}
	return size
}

// BytesOf is how much work the variables of a dataset are.
func BytesOf(set *dataset.Dataset) float64 {
	return BytesDecoded(set, func(*dataset.Variable) bool { return true })
}

// BytesDecoded is BytesOf if only the values of some variables are decoded. Values that take longer to
// compute than others to read count for more.
func BytesDecoded(set *dataset.Dataset, decoded func(*dataset.Variable) bool) (bytes float64) {
	for _, g := range set.Groups {
		bytes += arrayWork * float64(1+len(g.Variables))
		for _, v := range g.Variables {
			if decoded(v) {
				bytes += nd.Estimate(v.Shape, v.DType.Size()*v.Work())
			}
		}
	}
	return bytes
}
