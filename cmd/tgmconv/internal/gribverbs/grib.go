package gribverbs

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/fields"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/looking"
	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/internal/unpack"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/storage"
)

// NewGRIB groups the verbs that look into GRIB files.
func NewGRIB() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "grib COMMAND",
		Short: "Look into GRIB files: grib ls, grib get, grib dump, …",
		Long: `Look into GRIB files as ecCodes' grib_ls, grib_get, grib_dump and others do, without ecCodes: keys, values and
their texts are the same.`,
		Example: `  tgmconv grib ls forecast.grib2
  tgmconv grib dump -w shortName=2t forecast.grib2`,
		Args: cli.UsageArgs(cli.UnknownCommand),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newGRIBLs(), newGRIBGet(), newGRIBDump(), newGRIBCount(), newGRIBCopy(), newGRIBCompare())
	return cmd
}

// gribInput are the flags of the verbs of grib that say which fields are read.
type gribInput struct {
	limits   cli.GRIBLimits
	where    []string
	start    int64
	messages bool
	keep     bool // whether files stay open until closeAll
	part     bool // whether not all of a file may be read
	heads    bool // whether the heads of messages suffice
	open     []*cli.DiskFile
	work     map[string]*importers.Work // by the files that were opened
}

const gribWhereHelp = `A clause of --where is KEY=VALUE or KEY!=VALUE, or has <, <=, > or >= in place of =. VALUE may list
alternatives with slashes and ranges (500/to/850/by/50); * stands for any text and ? for one character.
An integer is compared with the key's value as an integer, a decimal number with its value as a real
number, anything else with its text. Clauses are joined by commas or given by repeating --where, and all
must hold. Besides ecCodes' keys, the keys of ls may be used: name (also the short name), level_type, long_name,
dtype, shape, dims, file, message, object.`

func (in *gribInput) declare(s *option.Set, verb string) {
	cli.DeclareWhere(s, &in.where, verb+" only fields that match KEY=VALUE or KEY!=VALUE")
	s.Bool("messages/M", &in.messages, "take only the first field of a message that has several")
	s.Number("offset/X", &in.start, "begin at this byte of each file")
	in.limits.Declare(s, "")
}

// check checks the flags.
func (in *gribInput) check() error {
	if in.start < 0 {
		return cli.Usagef("--offset is %d, expected 0 or more", in.start)
	}
	return in.limits.Check()
}

// A fieldSelector selects fields.
type fieldSelector struct {
	where   *cli.WhereFlag
	learned *fromgrib.Learned
	only    int // as in ecCodes, nothing is read after the one field that count=N asks for; 0 if none is
}

func (in *gribInput) selector() (*fieldSelector, error) {
	clauses, err := cli.ParseWhere(in.where)
	if err != nil {
		return nil, err
	}
	s := &fieldSelector{where: clauses, learned: fromgrib.NewLearned()}
	for _, c := range clauses.Clauses {
		if n, ok := c.Only(); ok && c.Key == "count" {
			s.only, in.part = int(n), true
		}
	}
	return s, nil
}

// selects reports whether a field is selected, and whether none after it can be.
func (s *fieldSelector) selects(f fields.Field) (ok, last bool) {
	last = s.only > 0 && f.Count >= s.only
	if len(s.where.Clauses) == 0 {
		return true, last
	}
	known := s.learned.Known(f.Handle, f.Field)
	known.Coded = fields.Lookup{Field: f}
	known.Place = &mapping.Place{File: f.File, Message: f.Field.Message.Index, Object: f.Field.Index}
	return s.where.Match(known), last
}

// warn names the keys that no field had.
func (s *fieldSelector) warn(cmd *cobra.Command) { s.where.Warn(cmd.ErrOrStderr(), "field") }

// each opens the files one after the other and calls look for each. What goes wrong with one of
// them is reported and fails the command when all were looked at.
func (in *gribInput) each(cmd *cobra.Command, names []string, look func(fields.Scanner) error) error {
	in.limits.Bind(cmd)
	switch {
	case in.scansHeads():
		cmd.SetContext(storage.WholeIfSmall(cmd.Context()))
	case !in.part:
		cmd.SetContext(storage.Whole(cmd.Context()))
	}
	return looking.EachInput(cmd, names, func(name string) error {
		disk, err := cli.OpenDisk(cmd, name)
		if err != nil {
			return err
		}
		if in.open = append(in.open, disk); !in.keep {
			defer in.closeAll()
		}
		s := in.scanner(disk, name)
		s.Work = in.workOf(cmd, name, disk.Size).Take
		if in.scansHeads() {
			s = headsOnly(cmd.Context(), s, disk)
		}
		return notGRIB(look(s), disk)
	})
}

// workOf is how much of a file may be decoded, which is shared by all members of an archive.
func (in *gribInput) workOf(cmd *cobra.Command, name string, size int64) *importers.Work {
	outer, _, _ := strings.Cut(name, unpack.Separator)
	work, ok := in.work[outer]
	if !ok {
		if in.work == nil {
			in.work = make(map[string]*importers.Work)
		}
		work = cli.WorkOf(cmd, []storage.Input{{Name: name, Size: size}})
		in.work[outer] = work
	}
	return work
}

// notGRIB says which other format a file has, if that is why no message was found.
func notGRIB(err error, disk *cli.DiskFile) error {
	if format := (*grib.FormatError)(nil); !errors.As(err, &format) {
		return err
	}
	found, detectErr := importers.DetectFormat(disk, disk.Size)
	if detectErr != nil || found == importers.FormatGRIB || found == importers.FormatUnknown || found == importers.FormatEmpty {
		return err
	}
	return &importers.FormatError{Found: found, Expected: "GRIB"}
}

func (in *gribInput) scanner(disk *cli.DiskFile, name string) fields.Scanner {
	limits := in.limits.Limits()
	limits.Packed = disk.Packed
	return fields.Scanner{Reader: disk, Size: disk.Size, Name: cli.Shown(name), Start: in.start, Messages: in.messages, Limits: limits}
}

// closeAll closes the files that were opened.
func (in *gribInput) closeAll() {
	for _, disk := range in.open {
		disk.Close()
	}
	in.open = nil
}

// parseGRIBKeys reads the values of -p.
func parseGRIBKeys(values []string) []fields.Key { return fields.ParseKeys(cli.SplitKeys(values)) }

// gribNamespaces are the namespaces of keys, for the help.
var gribNamespaces = strings.Join(fields.Namespaces(), ", ")
