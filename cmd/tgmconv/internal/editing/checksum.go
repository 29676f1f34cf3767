package editing

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/looking"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/manifest"
	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/internal/option"
)

// NewChecksum returns the verb checksum.
func NewChecksum() *cobra.Command {
	var check bool
	return cli.Verb{
		Use:   "checksum [flags] FILE...",
		Short: "Write and check SHA-256 sums of messages",
		Long: `Write a manifest with a line for every message: its SHA-256 sum, its number, its size in bytes, and the file.
With --check the files are manifests, with which the messages are compared; the exit code is 1 if a
message differs or is missing, or if a file has more messages. The sums cover every byte of a message. The
hashes in messages, which validate compares, detect damage, but not deliberate changes.`,
		Example: `  tgmconv checksum *.tgm > manifest
  tgmconv checksum --check manifest`,
		Options: func(s *option.Set) {
			s.Bool("check/c", &check, "compare messages with manifests")
		},
		Run: func(cmd *cobra.Command, args []string) error {
			if check {
				return checkManifests(cmd, args)
			}
			return writeManifest(cmd, args)
		},
	}.Command()
}

func writeManifest(cmd *cobra.Command, names []string) error {
	return looking.EachFile(cmd, names, func(v *looking.ViewFile) error {
		stdout, err := cli.OpenOutput(cmd, "") // names of files as they are: --check opens these
		if err != nil {
			return err
		}
		out := bufio.NewWriter(stdout)
		for m, err := range v.Messages() {
			if err != nil {
				return err
			}
			s, err := manifest.SumOf(m, v.Name)
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintln(out, s); err != nil {
				return cli.Written(err)
			}
		}
		return cli.Written(out.Flush())
	})
}

func checkManifests(cmd *cobra.Command, names []string) error {
	bad := 0
	for _, name := range names {
		list, err := readManifest(cmd, name)
		if err != nil {
			return cli.InFile(name, err)
		}
		for _, file := range list.Files {
			problems, err := compareSums(cmd, file, list.Sums[file])
			if ctxErr := cmd.Context().Err(); ctxErr != nil {
				return ctxErr
			}
			if err != nil {
				problems = append(problems, fault.Detail(err))
			}
			verdict := "OK"
			if len(problems) > 0 {
				bad++
				verdict = "FAILED"
			}
			for _, p := range problems {
				fmt.Fprintf(cmd.ErrOrStderr(), "tgmconv: %s: %s\n", file, p)
			}
			if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: %s (%d messages)\n", file, verdict, len(list.Sums[file])); err != nil {
				return cli.Written(err)
			}
		}
	}
	if bad > 0 {
		return cli.Reported(errors.New("checksums differ"))
	}
	return nil
}

func readManifest(cmd *cobra.Command, name string) (*manifest.List, error) {
	disk, err := cli.OpenDisk(cmd, name)
	if err != nil {
		return nil, err
	}
	defer disk.Close()
	return manifest.Read(io.NewSectionReader(disk, 0, disk.Size))
}

// compareSums returns the messages of a file that differ from its sums.
func compareSums(cmd *cobra.Command, file string, want []manifest.Sum) (problems []string, err error) {
	v, err := looking.OpenView(cmd, file)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	if problems, err = manifest.Compare(v.File, want); err != nil {
		return problems, err
	}
	return problems, v.CheckComplete()
}
