package looking

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/show"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/internal/option"
)

// infoFlags are the flags of info.
type infoFlags struct {
	json, asDataset, count bool
	dataset                cli.DatasetFlags
}

// NewInfo returns the verb info.
func NewInfo() *cobra.Command {
	var f infoFlags
	return cli.Verb{
		Use:   "info [flags] FILE...",
		Short: "Summarise files: messages, objects or fields, sizes, types, encoders",
		Long: `Summarise files of all formats: numbers of messages and objects or fields, sizes, types and encodings, and
the writer of Tensogram files. --dataset prints the labelled dataset of all inputs.`,
		Example: `  tgmconv info forecast.tgm
  tgmconv info forecast.grib2
  tgmconv info --json *.tgm
  tgmconv info --count *.tgm`,
		Options: f.declare, OneOf: []string{"json", "dataset", "count"}, Run: f.run,
	}.Command()
}

func (f *infoFlags) declare(s *option.Set) {
	cli.DeclareJSON(s, &f.json)
	s.Bool("dataset", &f.asDataset, "print the labelled dataset of all inputs, of any format, as xarray would")
	s.Bool("count", &f.count, "print only the number of messages of all inputs")
	f.dataset.DeclareLabels(s)
	f.dataset.DeclareIndex(s)
	f.dataset.Change.DeclareType(s)
}

func (f *infoFlags) run(cmd *cobra.Command, names []string) error {
	if f.asDataset {
		return runInfoDataset(cmd, &f.dataset, names)
	}
	if err := cli.RefuseFlags(cmd, append(cli.LabelFlags(), "index", "dtype"), "needs --dataset"); err != nil {
		return err
	}
	if f.count {
		return runInfoCount(cmd, names)
	}
	return runInfo(cmd, names, f.json)
}

// runInfoDataset prints the labelled dataset of the inputs.
func runInfoDataset(cmd *cobra.Command, d *cli.DatasetFlags, names []string) error {
	opts, err := d.ArchiveOptions(cmd, names)
	if err != nil {
		return err
	}
	cli.LimitMemory(2 * cli.SoftMemory) // a million objects are more than softMemory
	cli.CollectRarely(cli.ConversionGC)
	a, err := archive.Open(cmd.Context(), names, opts)
	if err != nil {
		return err
	}
	defer a.Close()
	cli.WarnBad(cmd, a)
	if err := a.Set.Print(cmd.Context(), cmd.OutOrStdout(), a); err != nil {
		return cli.Written(err)
	}
	return cli.DoneWithout(len(a.Bad))
}

// runInfoCount prints how many messages the inputs have.
func runInfoCount(cmd *cobra.Command, names []string) error {
	total := 0
	err := EachFile(cmd, names, func(v *ViewFile) error {
		n, err := v.Len()
		total += n
		return err
	})
	_, printed := fmt.Fprintln(cmd.OutOrStdout(), total)
	return errors.Join(err, cli.Written(printed))
}

func runInfo(cmd *cobra.Command, names []string, asJSON bool) error {
	list := cli.NewJSONList(cmd.OutOrStdout(), "  ")
	first := true
	err := new(selection).eachListed(cmd, names, new(cli.WhereFlag), func(f *listedFile) error {
		info, err := f.info(cmd.Context())
		if err != nil {
			return err
		}
		if info.Objects == 0 && info.Messages == 0 {
			return nil // a later check gives the reason
		}
		if asJSON {
			return list.Add(show.InfoJSON(f.shown(info)))
		}
		out := bufio.NewWriter(cmd.OutOrStdout())
		if !first {
			fmt.Fprintln(out)
		}
		first = false
		show.WriteInfo(out, f.shown(info))
		return cli.Written(out.Flush())
	})
	if asJSON {
		return list.Finish(err)
	}
	return err
}

// info counts the objects of the file. It reads no values.
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

// shown is the description of the file.
func (f *listedFile) shown(info *catalog.Info) show.Info {
	return show.Info{Info: info, File: f.name, Format: f.format, Tensogram: f.view != nil}
}
