package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/show"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/internal/option"
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
		long: `Summarise files of all formats: numbers of messages and objects or fields, sizes, types and encodings, and
the writer of Tensogram files. --dataset prints the labelled dataset of all inputs.`,
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
	opts, err := d.archiveOptions(cmd, names)
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
	if err := a.Set.Print(cmd.Context(), cmd.OutOrStdout(), a); err != nil {
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
			return list.add(show.InfoJSON(f.shown(info)))
		}
		out := bufio.NewWriter(cmd.OutOrStdout())
		if !first {
			fmt.Fprintln(out)
		}
		first = false
		show.WriteInfo(out, f.shown(info))
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

// shown is what is known of the file, to be shown.
func (f *listedFile) shown(info *catalog.Info) show.Info {
	return show.Info{Info: info, File: f.name, Format: f.format, Tensogram: f.view != nil}
}
