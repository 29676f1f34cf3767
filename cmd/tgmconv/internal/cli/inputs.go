package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/fromany"
	"github.com/tgmconv/tgmconv/internal/unpack"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// ClientOf returns the client that a command shares among its inputs and its output.
func ClientOf(cmd *cobra.Command) *unpack.Client {
	if c := SessionOf(cmd.Context()).Client; c != nil {
		return c
	}
	return unpack.NewClient(&storage.Client{Stdin: cmd.InOrStdin()})
}

// externalFlag is the flag that lets files refer to others. [storage.ErrExternal] names it.
const externalFlag = "external"

// maxUnpackedFlag is the flag for how much compressed inputs and archives may unpack to.
const maxUnpackedFlag = "max-unpacked"

// maxArrayFlag is the flag for the largest array that a small payload may be.
const maxArrayFlag = "max-array"

// registerStorage registers the flags about inputs and outputs that every verb has.
func registerStorage(root *cobra.Command) {
	var header []string
	root.PersistentFlags().StringArrayVar(&header, "header", nil, "send this header (NAME: VALUE) with every request to a web server (repeatable)")
	var maxUnpacked int64
	root.PersistentFlags().Int64Var(&maxUnpacked, maxUnpackedFlag, 0, "largest unpacked size of a compressed input, or of an archive with all its members, in megabytes; 0 means 1024, or 1100 times its packed size")
	var maxArray int64
	root.PersistentFlags().Int64Var(&maxArray, maxArrayFlag, 0, "largest array decoded from less than a 1024th of its size, in megabytes; 0 means 208 for constant fields and arrays that compress well in parts, 64 for others")
	var external externalValue
	root.PersistentFlags().Var(&external, externalFlag, "read other files that inputs refer to (HDF5's external links, external data and virtual datasets, references of kerchunk), in and below the folder of the input, and of =FOLDER or =ADDRESS if given (repeatable)")
	root.PersistentFlags().Lookup(externalFlag).NoOptDefVal = "true"
	root.PersistentFlags().Int64(maxWorkFlag, 0, "most values that a command decodes, in megabytes, where each array counts as 192 kB or more; 0 means 1024, or 1024 times the size of the inputs; each 1024 megabytes allow 30 seconds of processor time and 640 MB of memory (on two cores)")
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) error {
		if err := cmd.ValidateFlagGroups(); err != nil {
			return Misused(err)
		}
		client := ClientOf(cmd)
		client.Stdin = cmd.InOrStdin()
		if maxUnpacked < 0 || maxUnpacked > math.MaxInt64>>20 {
			return Usagef("--%s is %d, expected 0 to %d megabytes", maxUnpackedFlag, maxUnpacked, int64(math.MaxInt64>>20))
		}
		client.MaxBytes = maxUnpacked << 20
		client.External, client.ExternalFrom = external.allowed, external.from
		if maxArray < 0 || maxArray > math.MaxInt64>>20 {
			return Usagef("--%s is %d, expected 0 to %d megabytes", maxArrayFlag, maxArray, int64(math.MaxInt64>>20))
		}
		tgm.ProcessBudget().Expand(maxArray << 20)
		for _, text := range header {
			name, value, ok := strings.Cut(text, ":")
			if name = strings.TrimSpace(name); !ok || name == "" || strings.ContainsAny(text, "\r\n") {
				return Usagef("--header is %q, expected NAME: VALUE", name)
			}
			if client.Header == nil {
				client.Header = make(http.Header)
			}
			client.Header.Add(name, strings.TrimSpace(value))
		}
		watchSpending(cmd, args)
		return nil
	}
}

// An externalValue is the value of --external: true, false, or a folder or an address.
type externalValue struct {
	allowed bool
	from    []string
}

// String implements pflag.Value.
func (v *externalValue) String() string {
	if len(v.from) > 0 {
		return strings.Join(v.from, " ")
	}
	return strconv.FormatBool(v.allowed)
}

// Set implements pflag.Value.
func (v *externalValue) Set(text string) error {
	allowed, err := strconv.ParseBool(text)
	switch {
	case text == "":
		return errors.New("expected a folder or an address")
	case err == nil && !allowed:
		*v = externalValue{}
	case err == nil:
		v.allowed = true
	default:
		v.allowed, v.from = true, append(v.from, text)
	}
	return nil
}

// Type implements pflag.Value.
func (v *externalValue) Type() string { return "folder" }

// A DiskFile is an open input. What cannot be read at any place, such as standard input, is kept in
// a temporary file without a name while the command runs.
type DiskFile struct {
	io.ReaderAt
	Blob storage.Blob
	Name string // as the user gave it
	Size int64
	// Packed is the size of the file before it was unpacked, 0 if it is not known.
	Packed int64
}

// Close closes the input.
func (d *DiskFile) Close() error { return d.Blob.Close() }

// Serve has reads of the file end as they do, also when the user interrupts the command, and fail
// once the file has changed. It is called before the file is read.
func (d *DiskFile) Serve() {
	d.ReaderAt = archive.Unchanged(d.Name, storage.ReaderAt(context.Background(), d.Blob))
}

// OpenDisk opens an input: any location that package storage reads.
func OpenDisk(cmd *cobra.Command, name string) (*DiskFile, error) {
	blob, err := ClientOf(cmd).Open(cmd.Context(), name)
	if err != nil {
		return nil, err
	}
	return &DiskFile{storage.ReaderAt(cmd.Context(), blob), blob, name, blob.Size(), ClientOf(cmd).PackedSize(name)}, nil
}

// Shown is the name of an input as reports have it, without the password of an address.
func Shown(name string) string {
	if name == storage.Stdin {
		return name
	}
	return storage.Display(name)
}

// NotAnInput refuses an output that would replace one of the inputs.
func NotAnInput(output string, inputs []string) error {
	for _, name := range inputs {
		if name != storage.Stdin && storage.SameFile(name, output) {
			return Usagef("-o %s: the output would replace an input, %s", output, name)
		}
	}
	return nil
}

// WithCatalogues returns names with the files that catalogues among them list in their places.
func WithCatalogues(ctx context.Context, client *unpack.Client, names []string) (all []string, err error) {
	for _, name := range names {
		if !archive.IsCatalogue(name) {
			all = append(all, name)
			continue
		}
		files, err := archive.CatalogueFiles(ctx, client, name)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			all = append(all, f.Name)
		}
	}
	return all, nil
}

// Expand lists the inputs that a name stands for: a single file, the matches of a pattern, the
// files of a catalogue, or files in a folder that have the format or its suffix.
func Expand(cmd *cobra.Command, name string, formats ...importers.Format) ([]string, error) {
	if archive.IsCatalogue(name) {
		files, err := archive.CatalogueFiles(cmd.Context(), ClientOf(cmd), name)
		if err != nil {
			return nil, err
		}
		var names []string
		for _, f := range files {
			if slices.Contains(formats, importers.Format(f.Format)) {
				names = append(names, f.Name)
			}
		}
		if len(names) == 0 {
			return nil, fmt.Errorf("%s: the catalogue lists no %s file", Shown(name), FormatsText(formats))
		}
		return names, nil
	}
	inputs, err := ClientOf(cmd).Find(cmd.Context(), name)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, in := range inputs {
		if in.FromFolder {
			found, err := fromany.FormatOf(cmd.Context(), ClientOf(cmd), in.Name)
			if cmd.Context().Err() != nil {
				return nil, err
			}
			other := &importers.FormatError{Found: found, Expected: formats[0]}
			if err == nil && !slices.Contains(formats, found) && importers.Ignored(in, other, formats...) { // opening what cannot be read says why
				continue
			}
		}
		names = append(names, in.Name)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("the folder holds no %s file", FormatsText(formats))
	}
	return names, nil
}

// ExpandAll calls Expand for several names. A name without files is kept: the error of opening it
// says why.
func ExpandAll(cmd *cobra.Command, names []string, formats ...importers.Format) []string {
	var all []string
	for _, name := range names {
		found, err := Expand(cmd, name, formats...)
		if err != nil {
			found = []string{name}
		}
		all = append(all, found...)
	}
	return all
}

// AnyFormat are the formats that are read.
var AnyFormat = append([]importers.Format{importers.FormatTensogram}, importers.Sources()...)

// FormatsText is a list of formats in words.
func FormatsText(formats []importers.Format) string {
	if len(formats) == 1 {
		return string(formats[0])
	}
	words := make([]string, len(formats))
	for i, f := range formats {
		words[i] = string(f)
	}
	return OrList(words)
}
