package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/manifest"
	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/internal/option"
)

func newChecksum() *cobra.Command {
	var check bool
	return verb{
		use:   "checksum [flags] FILE...",
		short: "Write and check SHA-256 sums of messages",
		long: `Write a manifest with a line for every message: its SHA-256 sum, its number, its size in bytes, and the file.
With --check the files are such manifests, and the messages are compared with them; the exit code is 1 if a
message differs or is missing, or if a file has more messages. The sums cover every byte of a message. The
hashes in messages, which validate compares, detect damage, but not deliberate changes.`,
		example: `  tgmconv checksum *.tgm > manifest
  tgmconv checksum --check manifest`,
		options: func(s *option.Set) {
			s.Bool("check/c", &check, "compare messages with manifests")
		},
		run: func(cmd *cobra.Command, args []string) error {
			if check {
				return checkManifests(cmd, args)
			}
			return writeManifest(cmd, args)
		},
	}.command()
}

func writeManifest(cmd *cobra.Command, names []string) error {
	return eachFile(cmd, names, func(v *viewFile) error {
		stdout, err := openOutput(cmd, "") // names of files as they are: --check opens these
		if err != nil {
			return err
		}
		out := bufio.NewWriter(stdout)
		for m, err := range v.Messages() {
			if err != nil {
				return err
			}
			s, err := manifest.SumOf(m, v.name)
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintln(out, s); err != nil {
				return written(err)
			}
		}
		return written(out.Flush())
	})
}

func checkManifests(cmd *cobra.Command, names []string) error {
	bad := 0
	for _, name := range names {
		list, err := readManifest(cmd, name)
		if err != nil {
			return inFile(name, err)
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
				return written(err)
			}
		}
	}
	if bad > 0 {
		return reported(errors.New("checksums differ"))
	}
	return nil
}

func readManifest(cmd *cobra.Command, name string) (*manifest.List, error) {
	disk, err := openDisk(cmd, name)
	if err != nil {
		return nil, err
	}
	defer disk.Close()
	return manifest.Read(io.NewSectionReader(disk, 0, disk.size))
}

// compareSums returns what of a file differs from its sums.
func compareSums(cmd *cobra.Command, file string, want []manifest.Sum) (problems []string, err error) {
	v, err := openView(cmd, file)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	if problems, err = manifest.Compare(v.File, want); err != nil {
		return problems, err
	}
	return problems, v.checkWhole()
}
