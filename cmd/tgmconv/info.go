package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/show"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/internal/safetext"
)

// infoFlags are the flags of info.
type infoFlags struct {
	json, asDataset, count bool
	dataset                datasetFlags
}

func newInfo() *cobra.Command {
	var f infoFlags
	return verb{
		use:   "info [flags] FILE...",
		short: "Summarise files: messages, objects or fields, sizes, types, encoders",
		long: `Summarise Tensogram, GRIB, netCDF, Zarr and .tet files: how many messages and objects, or fields, they hold, their sizes,
types and encodings, and for Tensogram who wrote them. --dataset prints the labelled dataset of all inputs.`,
		example: `  tgmconv info forecast.tgm
  tgmconv info forecast.grib2
  tgmconv info --json *.tgm
  tgmconv info --count *.tgm`,
		options: f.declare, oneOf: []string{"json", "dataset", "count"}, run: f.run,
	}.command()
}

func (f *infoFlags) declare(s *option.Set) {
	declareJSON(s, &f.json)
	s.Bool("dataset", &f.asDataset, "print the labelled dataset of all inputs, which may be GRIB and netCDF as well, as xarray would")
	s.Bool("count", &f.count, "print only the number of messages of all inputs")
	f.dataset.declareLabels(s)
	f.dataset.declareIndex(s)
	f.dataset.Change.DeclareType(s)
}

func (f *infoFlags) run(cmd *cobra.Command, names []string) error {
	if f.asDataset {
		return runInfoDataset(cmd, &f.dataset, names)
	}
	if err := refuseFlags(cmd, append(labelFlags(), "index", "dtype"), "needs --dataset"); err != nil {
		return err
	}
	if f.count {
		return runInfoCount(cmd, names)
	}
	return runInfo(cmd, names, f.json)
}

// runInfoDataset prints the labelled dataset of the inputs.
func runInfoDataset(cmd *cobra.Command, d *datasetFlags, names []string) error {
	opts, err := d.options(cmd, names)
	if err != nil {
		return err
	}
	limitMemory(2 * softMemory) // a million objects are more than softMemory
	collectRarely(conversionGC)
	a, err := archive.Open(cmd.Context(), names, opts)
	if err != nil {
		return err
	}
	defer a.Close()
	warnBad(cmd, a)
	if err := a.Set.Print(cmd.OutOrStdout()); err != nil {
		return written(err)
	}
	return doneWithout(len(a.Bad))
}

// runInfoCount prints how many messages the inputs have.
func runInfoCount(cmd *cobra.Command, names []string) error {
	total := 0
	err := eachFile(cmd, names, func(v *viewFile) error {
		n, err := v.Len()
		total += n
		return err
	})
	_, printed := fmt.Fprintln(cmd.OutOrStdout(), total)
	return errors.Join(err, written(printed))
}

func runInfo(cmd *cobra.Command, names []string, asJSON bool) error {
	list := newJSONList(cmd.OutOrStdout(), "  ")
	first := true
	err := new(selection).eachListed(cmd, names, new(whereFlag), func(f *listedFile) error {
		info, err := f.info(cmd.Context())
		if err != nil {
			return err
		}
		if info.Objects == 0 && info.Messages == 0 {
			return nil // what is checked afterwards says why
		}
		if asJSON {
			return list.add(infoJSON(info, f))
		}
		out := bufio.NewWriter(cmd.OutOrStdout())
		if !first {
			fmt.Fprintln(out)
		}
		first = false
		writeInfo(out, info, f)
		return written(out.Flush())
	})
	if asJSON {
		return list.finish(err)
	}
	return err
}

// info counts what the file holds. It reads no values.
func (f *listedFile) info(ctx context.Context) (*catalog.Info, error) {
	if f.view != nil {
		return catalog.CollectInfo(ctx, f.view.File)
	}
	info := &catalog.Info{Size: f.size, DTypes: map[string]int{}, Pipelines: map[string]int{}}
	var sum totals
	err := f.each(func(r row) error {
		s := r.summary()
		sum.add(s)
		info.DTypes[s.Descriptor.DType.String()]++
		if stored := s.Descriptor.Encoding; stored != "" {
			info.Pipelines[stored]++
		}
		return nil
	})
	info.Objects, info.Decoded = sum.objects, sum.decoded
	if f.format == importers.FormatGRIB {
		info.Messages = sum.messages
	}
	return info, err
}

// writeInfo prints what a file holds. Hashes and who wrote it are of Tensogram files.
func writeInfo(out io.Writer, info *catalog.Info, f *listedFile) {
	line := func(title, format string, args ...any) {
		fmt.Fprintf(out, "%-10s "+format+"\n", append([]any{title + ":"}, args...)...)
	}
	line("File", "%s", safetext.Line(f.name))
	if f.view == nil {
		line("Format", "%s", f.format)
	}
	if info.Messages > 0 {
		line("Messages", "%d", info.Messages)
	}
	if f.view != nil {
		line("Objects", "%d", info.Objects)
	} else {
		line("Fields", "%d", info.Objects)
	}
	line("Size", "%s (%d bytes)", show.Bytes(info.Size), info.Size)
	line("Decoded", "%s (%.2f times the file)", show.Bytes(int64(info.Decoded)), info.Ratio())
	if f.view != nil {
		line("Version", "%d", catalog.WireVersion)
	}
	line("Dtypes", "%s", countText(info.DTypes))
	if len(info.Pipelines) > 0 {
		line("Encoding", "%s", countText(info.Pipelines))
	}
	if len(info.Encoders) > 0 {
		line("Encoder", "%s", strings.Join(slices.Sorted(maps.Keys(info.Encoders)), ", "))
	}
	switch {
	case info.FirstTime == "":
	case info.FirstTime == info.LastTime:
		line("Written", "%s", info.FirstTime)
	default:
		line("Written", "%s to %s", info.FirstTime, info.LastTime)
	}
	if f.view != nil {
		line("Hashes", "%d of %d objects", info.Hashed, info.Objects)
	}
}

// countText lists what was counted, the most frequent first: "float64 (98), int32 (2)"; alone
// without its number.
func countText(counts map[string]int) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
	})
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	for i, name := range names {
		names[i] = fmt.Sprintf("%s (%d)", name, counts[name])
	}
	return strings.Join(names, ", ")
}

func infoJSON(info *catalog.Info, f *listedFile) map[string]any {
	object := map[string]any{
		"file": f.name, "format": string(f.format), "objects": info.Objects, "size": info.Size,
		"decoded_size": info.Decoded, "ratio": info.Ratio(), "dtypes": countsJSON(info.DTypes), "encodings": countsJSON(info.Pipelines),
	}
	if info.Messages > 0 {
		object["messages"] = info.Messages
	}
	if f.view != nil {
		object["version"], object["hashed_objects"], object["encoders"] = catalog.WireVersion, info.Hashed, countsJSON(info.Encoders)
	}
	if info.FirstTime != "" {
		object["first_time"], object["last_time"] = info.FirstTime, info.LastTime
	}
	return object
}

func countsJSON(counts map[string]int) map[string]any {
	object := make(map[string]any, len(counts))
	for name, n := range counts {
		object[name] = n
	}
	return object
}
