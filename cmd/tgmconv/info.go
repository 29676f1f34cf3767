package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/archive"
	"github.com/tgmconv/tgmconv/catalog"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/show"
)

func newInfo() *cobra.Command {
	var asJSON, asDataset, onlyCount bool
	var d datasetFlags
	cmd := &cobra.Command{
		Use:   "info [flags] FILE...",
		Short: "Summarise Tensogram files: messages, objects, sizes, encoders",
		Example: `  tgmconv info forecast.tgm
  tgmconv info --json *.tgm
  tgmconv info --count *.tgm`,
		Args: usageArgs(atLeastOneInput),
		RunE: func(cmd *cobra.Command, args []string) error {
			if asDataset {
				return runInfoDataset(cmd, &d, args)
			}
			if err := refuseFlags(cmd, append(labelFlags(), "index"), "needs --dataset"); err != nil {
				return err
			}
			if onlyCount {
				return runInfoCount(cmd, args)
			}
			return runInfo(cmd, args, asJSON)
		},
	}
	cmd.Flags().BoolVarP(&asJSON, "json", "j", false, "write JSON")
	cmd.Flags().BoolVar(&asDataset, "dataset", false, "print the labelled dataset of all inputs, which may be GRIB and netCDF as well, as xarray would")
	cmd.Flags().BoolVar(&onlyCount, "count", false, "print only the number of messages of all inputs")
	cmd.MarkFlagsMutuallyExclusive("json", "dataset", "count")
	d.register(cmd)
	return cmd
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
	err := eachFile(cmd, names, func(v *viewFile) error {
		info, err := catalog.CollectInfo(cmd.Context(), v.File)
		if err != nil {
			return err
		}
		if info.Messages == 0 {
			return nil // checkWhole says why
		}
		if asJSON {
			return list.add(infoJSON(info, v.name))
		}
		out := bufio.NewWriter(cmd.OutOrStdout())
		if !first {
			fmt.Fprintln(out)
		}
		first = false
		writeInfo(out, info, v.name)
		return written(out.Flush())
	})
	if asJSON {
		return list.finish(err)
	}
	return err
}

func writeInfo(out io.Writer, f *catalog.Info, name string) {
	line := func(title, format string, args ...any) {
		fmt.Fprintf(out, "%-10s "+format+"\n", append([]any{title + ":"}, args...)...)
	}
	line("File", "%s", name)
	line("Messages", "%d", f.Messages)
	line("Objects", "%d", f.Objects)
	line("Size", "%s (%d bytes)", show.Bytes(f.Size), f.Size)
	line("Decoded", "%s (%.2f times the file)", show.Bytes(int64(f.Decoded)), f.Ratio())
	line("Version", "%d", catalog.WireVersion)
	line("Dtypes", "%s", countText(f.DTypes))
	line("Encoding", "%s", countText(f.Pipelines))
	if len(f.Encoders) > 0 {
		line("Encoder", "%s", strings.Join(slices.Sorted(maps.Keys(f.Encoders)), ", "))
	}
	switch {
	case f.FirstTime == "":
	case f.FirstTime == f.LastTime:
		line("Written", "%s", f.FirstTime)
	default:
		line("Written", "%s to %s", f.FirstTime, f.LastTime)
	}
	line("Hashes", "%d of %d objects", f.Hashed, f.Objects)
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

func infoJSON(f *catalog.Info, name string) map[string]any {
	object := map[string]any{
		"file": name, "messages": f.Messages, "objects": f.Objects, "size": f.Size, "version": catalog.WireVersion,
		"decoded_size": f.Decoded, "ratio": f.Ratio(), "hashed_objects": f.Hashed,
		"dtypes": countsJSON(f.DTypes), "encodings": countsJSON(f.Pipelines), "encoders": countsJSON(f.Encoders),
	}
	if f.FirstTime != "" {
		object["first_time"], object["last_time"] = f.FirstTime, f.LastTime
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
