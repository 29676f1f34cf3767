package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/tgm"
)

func newChecksum() *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "checksum [flags] FILE...",
		Short: "Write and check SHA-256 sums of messages",
		Long: `Write the SHA-256 sum of every message: the sum, the number of the message, its bytes, and the file. With --check
the files are such manifests, and the messages they name are compared with their sums; the exit code is 1 if
one differs or is missing, or if a file has more. The sums cover every byte of a message; the hashes in it,
which validate compares, find damage but no intent.`,
		Example: `  tgmconv checksum *.tgm > manifest
  tgmconv checksum --check manifest`,
		Args: usageArgs(atLeastOneInput),
		RunE: func(cmd *cobra.Command, args []string) error {
			if check {
				return checkManifests(cmd, args)
			}
			return writeManifest(cmd, args)
		},
	}
	cmd.Flags().BoolVarP(&check, "check", "c", false, "compare messages with manifests")
	return cmd
}

// A sum is a line of a manifest.
type sum struct {
	hash    string
	message int
	bytes   int64
	file    string
}

func (s sum) String() string { return fmt.Sprintf("%s %d %d %s", s.hash, s.message, s.bytes, s.file) }

func parseSum(line string) (s sum, err error) {
	parts := strings.SplitN(line, " ", 4)
	if len(parts) != 4 || len(parts[0]) != 2*sha256.Size {
		return s, fmt.Errorf("%.60q is no line of a manifest", line)
	}
	s.hash, s.file = parts[0], parts[3]
	s.message, err = strconv.Atoi(parts[1])
	if err == nil {
		s.bytes, err = strconv.ParseInt(parts[2], 10, 64)
	}
	if err != nil {
		return s, fmt.Errorf("%.60q is no line of a manifest", line)
	}
	return s, nil
}

func sumOf(m *tgm.Message, file string) (sum, error) {
	h := sha256.New()
	if err := m.CopyTo(h); err != nil {
		return sum{}, err
	}
	return sum{hex.EncodeToString(h.Sum(nil)), m.Index(), m.Length(), file}, nil
}

func writeManifest(cmd *cobra.Command, names []string) error {
	return eachFile(cmd, names, func(v *viewFile) error {
		out := bufio.NewWriter(cmd.OutOrStdout())
		for m, err := range v.Messages() {
			if err != nil {
				return err
			}
			s, err := sumOf(m, v.name)
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
		sums, order, err := readManifest(cmd, name)
		if err != nil {
			return inFile(name, err)
		}
		for _, file := range order {
			problems, err := compareSums(cmd, file, sums[file])
			if ctxErr := cmd.Context().Err(); ctxErr != nil {
				return ctxErr
			}
			if err != nil {
				problems = append(problems, err.Error())
			}
			verdict := "OK"
			if len(problems) > 0 {
				bad++
				verdict = "FAILED"
			}
			for _, p := range problems {
				fmt.Fprintf(cmd.ErrOrStderr(), "tgmconv: %s: %s\n", file, strings.TrimPrefix(p, "tgm: "))
			}
			if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: %s (%d messages)\n", file, verdict, len(sums[file])); err != nil {
				return written(err)
			}
		}
	}
	if bad > 0 {
		return &reportedError{errors.New("checksums differ")}
	}
	return nil
}

// readManifest returns the sums of each file, and the files in their order.
func readManifest(cmd *cobra.Command, name string) (sums map[string][]sum, order []string, err error) {
	disk, err := openDisk(cmd, name)
	if err != nil {
		return nil, nil, err
	}
	defer disk.Close()
	sums = map[string][]sum{}
	lines := bufio.NewScanner(io.NewSectionReader(disk, 0, disk.size))
	for lines.Scan() {
		s, err := parseSum(lines.Text())
		if err != nil {
			return nil, nil, err
		}
		if sums[s.file] == nil {
			order = append(order, s.file)
		}
		sums[s.file] = append(sums[s.file], s)
	}
	if err := lines.Err(); err != nil {
		return nil, nil, err
	}
	if len(order) == 0 {
		return nil, nil, errors.New("the manifest is empty")
	}
	return sums, order, nil
}

// compareSums returns what of a file differs from its sums.
func compareSums(cmd *cobra.Command, file string, want []sum) (problems []string, err error) {
	v, err := openView(cmd, file)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	known := make(map[int]sum, len(want))
	for _, s := range want {
		known[s.message] = s
	}
	n := 0
	for m, err := range v.Messages() {
		if err != nil {
			return problems, err
		}
		n++
		expected, listed := known[m.Index()]
		if !listed {
			problems = append(problems, fmt.Sprintf("message %d is not in the manifest", m.Index()))
			continue
		}
		got, err := sumOf(m, file)
		if err != nil {
			return problems, err
		}
		if got != expected {
			problems = append(problems, fmt.Sprintf("message %d differs", m.Index()))
		}
	}
	for _, s := range want {
		if s.message >= n {
			problems = append(problems, fmt.Sprintf("message %d is missing", s.message))
		}
	}
	return problems, v.checkWhole()
}
