package tetverbs

import (
	"bufio"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/tetshow"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tet"
)

// tetVerify are the flags of tet verify.
type tetVerify struct{ deep, repair, json, quiet bool }

func newTetVerify() *cobra.Command {
	var v tetVerify
	return cli.Verb{
		Use:   "verify [flags] FILE",
		Short: "Check a .tet file: layout, chunk index, payloads, footer",
		Long: `Check a .tet file. The exit code is 0 if the file is valid, otherwise 1; warnings do not count. The first 128 chunks
are decoded, or with --deep all chunks.`,
		Example: `  tgmconv tet verify weather.tet
  tgmconv tet verify --deep --json weather.tet | jq .ok`,
		Words: oneFile,
		Options: func(s *option.Set) {
			s.Bool("deep", &v.deep, "decode all chunks")
			s.Bool("repair", &v.repair, "repair what tet repair can repair")
			cli.DeclareJSON(s, &v.json)
			s.Bool("quiet/q", &v.quiet, "write one line")
		},
		Run: func(cmd *cobra.Command, args []string) error { return v.run(cmd, args[0]) },
	}.Command()
}

var errNotInOrder = cli.Reported(errors.New("the file is not in order"))

func (v *tetVerify) run(cmd *cobra.Command, name string) error {
	report, err := v.verify(cmd, name)
	if err != nil {
		return err
	}
	if v.repair {
		return v.repairThese(cmd, report)
	}
	switch {
	case v.json:
		err = writeStruct(cmd.OutOrStdout(), report)
	case v.quiet:
		err = answered(cmd, func(out *bufio.Writer) error { return tetshow.Verdict(out, report) })
	default:
		err = answered(cmd, func(out *bufio.Writer) error { return tetshow.Report(out, report) })
	}
	if err == nil && !report.OK {
		err = errNotInOrder
	}
	return err
}

// verify checks a file and closes it, so that a repair of it is no change of a file that is being read.
func (v *tetVerify) verify(cmd *cobra.Command, name string) (*tet.Report, error) {
	disk, err := cli.OpenDisk(cmd, name)
	if err != nil {
		return nil, err
	}
	defer disk.Close()
	report, err := tet.Verify(cmd.Context(), disk, disk.Size, tet.VerifyOptions{Path: cli.Shown(name), Deep: v.deep})
	if err != nil {
		return nil, cli.InFile(name, err)
	}
	return report, nil
}

// repairThese follows the recommendations that can be followed.
func (v *tetVerify) repairThese(cmd *cobra.Command, report *tet.Report) error {
	var codes []string
	for _, a := range report.Plan().Actions {
		if a.Repairable {
			codes = append(codes, a.Code)
		}
	}
	if len(codes) == 0 {
		v.repair = false
		return v.run(cmd, report.Path)
	}
	return applyRepairs(cmd, report.Path, codes, false, v.json)
}

// tetRepair are the flags of tet repair.
type tetRepair struct {
	apply        []string
	dryRun, json bool
}

func newTetRepair() *cobra.Command {
	var r tetRepair
	return cli.Verb{
		Use:   "repair [flags] FILE",
		Short: "Repair a .tet file in place, if that is possible",
		Long: `List the repairs for the problems that tet verify finds, or with --apply make them. One problem can be repaired
in place: footer_invalid, by cutting the file off after its chunks.`,
		Example: `  tgmconv tet repair weather.tet
  tgmconv tet repair --apply footer_invalid --dry-run weather.tet`,
		Words: oneFile,
		Options: func(s *option.Set) {
			s.Each("apply", &r.apply, "repair the problem that tet verify reports as `CODE` (repeatable)")
			s.Bool("dry-run", &r.dryRun, "with --apply: change nothing, print what would be done")
			cli.DeclareJSON(s, &r.json)
		},
		Run: func(cmd *cobra.Command, args []string) error { return r.run(cmd, args[0]) },
	}.Command()
}

func (r *tetRepair) run(cmd *cobra.Command, name string) error {
	if name == storage.Stdin {
		return cli.Usagef("tet repair: standard input cannot be mended")
	}
	if len(r.apply) > 0 {
		return applyRepairs(cmd, name, r.apply, r.dryRun, r.json)
	}
	report, err := tet.VerifyFile(cmd.Context(), name, tet.VerifyOptions{})
	if err != nil {
		return err
	}
	plan := report.Plan()
	if r.json {
		return writeStruct(cmd.OutOrStdout(), plan)
	}
	return answered(cmd, func(out *bufio.Writer) error { return tetshow.Plan(out, name, plan) })
}

// applyRepairs repairs a file and lists the repairs.
func applyRepairs(cmd *cobra.Command, name string, codes []string, dryRun, asJSON bool) error {
	report, err := lockedRepair(cmd, name, codes, dryRun)
	if err != nil {
		return cli.InFile(name, err)
	}
	if asJSON {
		err = writeStruct(cmd.OutOrStdout(), report)
	} else {
		err = answered(cmd, func(out *bufio.Writer) error { return tetshow.Repairs(out, report) })
	}
	if err == nil && report.VerifyAfterOK != nil && !*report.VerifyAfterOK {
		err = errNotInOrder
	}
	return err
}

// lockedRepair mends a file while no other process changes it.
func lockedRepair(cmd *cobra.Command, name string, codes []string, dryRun bool) (*tet.RepairReport, error) {
	if _, err := os.Stat(name); err != nil {
		return nil, err
	}
	if !dryRun {
		lock, err := cli.ClientOf(cmd).Lock(cmd.Context(), storage.LockName(name), cli.WaitForOthers(cmd))
		if err != nil {
			return nil, err
		}
		defer lock.Unlock()
	}
	return tet.Repair(cmd.Context(), name, codes, dryRun)
}
