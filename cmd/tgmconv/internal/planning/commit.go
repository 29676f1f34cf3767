package planning

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/parts"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/show"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/storage"
)

// NewCommit returns the verb commit.
func NewCommit() *cobra.Command {
	partial := false
	return cli.Verb{
		Use:   "commit [--partial] PLAN/",
		Short: "Complete the output of a plan, once all parts are done and whole",
		Long: `Check that each part of a plan has a result, and that its outputs have the size and hash of the result. Outputs whose
entity tag is unchanged are not read. Then complete the output: write the documents of a Zarr store, the root document
last and only if there is no other store, or join the pieces of a table or a catalogue. At the end write
PLAN/committed.json, with the number of outputs and a hash of all outputs. A second commit does nothing. If parts are
missing the exit code is 1, and nothing is written.

With --partial nothing is completed: the ids of missing parts are printed, one per line.`,
		Example: `  tgmconv commit plan/
  tgmconv commit --partial plan/ | tgmconv work plan/ -`,
		Words: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Usagef("commit: expected the folder of a plan")
			}
			return nil
		},
		Options: func(s *option.Set) {
			s.Bool("partial", &partial, "only print the ids of missing parts")
		},
		Run: func(cmd *cobra.Command, args []string) error { return commit(cmd, args[0], partial) },
	}.Command()
}

// commit completes a plan, or lists the missing parts.
func commit(cmd *cobra.Command, location string, partial bool) error {
	client := new(storage.Client)
	defer client.Close()
	store := parts.At(client, absolute(location))
	p, err := store.Load(cmd.Context())
	if err != nil {
		return err
	}
	if partial {
		for state, err := range store.States(cmd.Context(), p) {
			if err != nil {
				return err
			}
			if state.Result == nil {
				if _, err := fmt.Fprintln(cmd.OutOrStdout(), state.Part.ID); err != nil {
					return err
				}
			}
		}
		return nil
	}
	j := &joining{cmd: cmd, client: client, store: store, plan: p}
	c, again, err := store.Commit(cmd.Context(), p, j.join)
	if err != nil {
		return err
	}
	did := "committed"
	if again {
		did = "nothing to do, committed before:"
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "tgmconv: %s %s, %s, %s\n", did, cli.Count(c.Parts, "part"), cli.Count(c.Outputs, "output"), show.Bytes(c.Bytes))
	return cli.DoneWithout(len(j.bad))
}
