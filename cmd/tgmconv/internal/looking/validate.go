package looking

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/validity"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// validateFlags are the flags of validate.
type validateFlags struct {
	quick, full, checksum bool
	canonical, json       bool
}

// NewValidate returns the verb validate.
func NewValidate() *cobra.Command {
	var f validateFlags
	return cli.Verb{
		Use:   "validate [flags] FILE...",
		Short: "Check files: structure, metadata, hashes, values",
		Long: `Check files: their structure and metadata. Every object of a Tensogram file is also decoded and compared with its
hash, and checksums of metadata in HDF5 files are compared. --full decodes all values of all formats. The exit code is
0 if all files are valid, otherwise 1; warnings do not count.`,
		Example: `  tgmconv validate forecast.tgm
  tgmconv validate --full --canonical *.tgm
  tgmconv validate --full forecast.grib2 t2m.nc
  tgmconv validate --json forecast.tgm | jq '.[].status'`,
		Options: func(s *option.Set) {
			s.Bool("quick", &f.quick, "check only the structure")
			s.Bool("full", &f.full, "check values too: decode all, find NaN and infinities that no mask of a Tensogram file declares")
			s.Bool("checksum", &f.checksum, "check only the hashes of Tensogram files")
			s.Bool("canonical", &f.canonical, "warn of metadata of Tensogram files whose keys are not in canonical order")
			cli.DeclareJSON(s, &f.json)
		},
		Run: f.run,
	}.Command()
}

// level is the level the flags ask for; at most one of them can.
func (f *validateFlags) level() (tgm.Level, error) {
	level, n := tgm.LevelDefault, 0
	for _, choice := range []struct {
		given bool
		level tgm.Level
	}{{f.quick, tgm.LevelQuick}, {f.full, tgm.LevelFull}, {f.checksum, tgm.LevelChecksum}} {
		if choice.given {
			level, n = choice.level, n+1
		}
	}
	if n > 1 {
		return level, cli.Usagef("validate: expected at most one of --quick, --full and --checksum, found %d", n)
	}
	return level, nil
}

func (f *validateFlags) run(cmd *cobra.Command, names []string) error {
	level, err := f.level()
	if err != nil {
		return err
	}
	if level == tgm.LevelFull {
		cli.CollectRarely(cli.ConversionGC)
	} else {
		cli.CollectRarely(cli.MetadataGC)
	}
	if level != tgm.LevelQuick {
		cmd.SetContext(storage.Whole(cmd.Context()))
	}
	names = cli.ExpandAll(cmd, names, cli.AnyFormat...)
	reports := make([]validity.Report, 0, len(names))
	failed := 0
	for _, name := range names {
		report, err := f.validate(cmd, name, level)
		if ctxErr := cmd.Context().Err(); ctxErr != nil {
			return ctxErr
		}
		if err != nil {
			failed++
			fmt.Fprintf(cmd.ErrOrStderr(), "tgmconv: %s\n", cli.ErrorText(cli.InFile(name, err)))
			report = validity.Unreadable(err)
		} else if !report.OK() {
			failed++
		}
		if f.json {
			report.File = cli.Shown(name)
			reports = append(reports, *report)
		} else if err == nil {
			if err := report.Print(cmd.OutOrStdout(), cmd.ErrOrStderr(), cli.Shown(name)); err != nil {
				return cli.Written(err)
			}
		}
	}
	if f.json {
		data, err := json.MarshalIndent(reports, "", "  ")
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s\n", data); err != nil {
			return cli.Written(err)
		}
	}
	if failed == 0 {
		return nil
	}
	if len(names) > 1 {
		fmt.Fprintf(cmd.ErrOrStderr(), "tgmconv: %d of %d files failed\n", failed, len(names))
	}
	return cli.Reported(errors.New("validation failed"))
}

// validate checks a file of any format.
func (f *validateFlags) validate(cmd *cobra.Command, name string, level tgm.Level) (*validity.Report, error) {
	opts := tgm.ValidateOptions{Canonical: f.canonical, Completer: fromgrib.NewEntries()}
	in, err := PipedInput(cmd, name)
	if err != nil {
		return nil, err
	}
	if in != nil {
		return tensogramReport(tgm.ValidatePipe(in, level, opts))
	}
	disk, err := cli.OpenDisk(cmd, name)
	if err != nil {
		return nil, err
	}
	defer disk.Close()
	found, err := importers.DetectFormat(disk, disk.Size)
	switch {
	case err != nil:
		return nil, err
	case found.IsSource() && f.checksum:
		return nil, errors.New("--checksum is for Tensogram files")
	case found.IsSource() && f.canonical:
		return nil, errors.New("--canonical is for Tensogram files")
	case found.IsSource():
		return validateFields(cmd, name, disk, found, level)
	}
	report, err := tensogramReport(tgm.Validate(cli.WithProgress(cmd, disk), disk.Size, level, opts))
	if err == nil && found != importers.FormatTensogram {
		report.Format = ""
	}
	if err == nil && report.Messages == 0 && found.Unpack() != "" {
		report.FileIssues = []tgm.FileIssue{{Length: disk.Size, Description: "found " + cli.OtherFormat(found)}}
	}
	return report, err
}

// tensogramReport is the report on a Tensogram file, unless there is an error.
func tensogramReport(r *tgm.Report, err error) (*validity.Report, error) {
	if err != nil {
		return nil, err
	}
	return validity.Of(r), nil
}

// validateFields checks a file of another format.
func validateFields(cmd *cobra.Command, name string, disk *cli.DiskFile, format importers.Format, level tgm.Level) (*validity.Report, error) {
	input := storage.Input{Name: name, Size: disk.Size}
	source := sourceOf(cmd, input, format)
	defer source.Close()
	return validity.Check(cmd.Context(), validity.File{
		Name: cli.Shown(name), Reader: disk, Size: disk.Size, Format: format, Source: source, Work: cli.WorkOf(cmd, []storage.Input{input}),
		NetCDF: func() (*netcdf.File, error) { return OpenNetCDF(cmd, disk) }, Explain: cli.ErrorText,
		Read: func(off, end int64) { cli.ProgressOf(cmd).Read(name, off, end, disk.Size) },
	}, level)
}
