package tetverbs

import (
	"bufio"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/tet"
)

// NewTet groups the verbs of .tet files. They are the verbs of Tetration's own command.
func NewTet() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tet COMMAND",
		Short: "Show, check, repair and query .tet files: tet info, tet verify, tet repair, tet query",
		Long: `Show, check, repair and query .tet files, the chunked tensor files of Tetration. The flags, the texts and the
JSON of info, verify and repair are the same as in Tetration's tet command.`,
		Example: `  tgmconv tet info weather.tet
  tgmconv tet verify --deep weather.tet
  tgmconv tet query weather.tet t2m --select time=0:10 --reduce mean:lat,lon`,
		Args: cli.UsageArgs(cli.UnknownCommand),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTetInfo(), newTetVerify(), newTetRepair(), newTetQuery())
	return cmd
}

// A tetFile is an open .tet file, wherever it lies.
type tetFile struct {
	*tet.File
	disk *cli.DiskFile
}

// openTet opens a file, a URL or standard input.
func openTet(cmd *cobra.Command, name string) (*tetFile, error) {
	disk, err := cli.OpenDisk(cmd, name)
	if err != nil {
		return nil, err
	}
	f, err := tet.NewFile(disk, disk.Size)
	if err != nil {
		disk.Close()
		return nil, cli.InFile(name, err)
	}
	return &tetFile{f, disk}, nil
}

func (f *tetFile) Close() error { return errors.Join(f.File.Close(), f.disk.Close()) }

// writeStruct writes a value as indented JSON, its keys in the order of the struct.
func writeStruct(w io.Writer, v any) error {
	enc := cli.Indented(w)
	enc.SetEscapeHTML(false)
	return cli.Written(enc.Encode(v))
}

// oneFile asks for the name of one file.
func oneFile(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return cli.Usagef("%s: expected one file, found %d", cli.VerbName(cmd), len(args))
	}
	return nil
}

// answered writes the answer of a command. An error of standard output is an [cli.OutputError].
func answered(cmd *cobra.Command, write func(out *bufio.Writer) error) error {
	out := bufio.NewWriter(cmd.OutOrStdout())
	err := write(out)
	if flushErr := out.Flush(); flushErr != nil {
		return cli.Written(flushErr)
	}
	return err
}
