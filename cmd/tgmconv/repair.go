package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm/edit"
)

func newRepair() *cobra.Command {
	var e editing
	var cut bool
	cmd := &cobra.Command{
		Use:   "repair [flags] IN -o OUT",
		Short: "Write a valid file from a damaged one",
		Long: `Write a valid file from one that was cut off or whose writer was stopped. Valid messages are copied, messages
without a correct index get one, and the complete objects of a message without an end become a message; --cut
leaves these out. Bytes that belong to no message are left out, and so are objects of repaired messages whose
bytes do not match their hash.`,
		Example: `  tgmconv repair -o whole.tgm torn.tgm
  tgmconv repair --cut -o whole.tgm torn.tgm`,
		RunE: func(cmd *cobra.Command, args []string) error { return e.repair(cmd, args, cut) },
	}
	cmd.Flags().BoolVar(&cut, "cut", false, "drop messages without an end instead of completing them")
	e.register(cmd)
	return cmd
}

func (e *editing) repair(cmd *cobra.Command, args []string, cut bool) error {
	inputs, err := e.begin(cmd, args)
	if err != nil {
		return err
	}
	if len(inputs) != 1 {
		return usagef("repair: expected one input, found %d", len(inputs))
	}
	v, err := openView(cmd, inputs[0])
	if err != nil {
		return inFile(inputs[0], err)
	}
	defer v.Close()
	var r edit.Repaired
	if err := e.toOutput(cmd, e.output, func(out storage.Writer) error {
		r, err = edit.Repair(out, v.File, cut, e.options(out))
		if err == nil && r.Copied+r.Rebuilt+r.Completed == 0 {
			err = fmt.Errorf("nothing could be saved of %d bytes", v.Size())
		}
		return err
	}); err != nil {
		return inFile(inputs[0], err)
	}
	if !e.json {
		fmt.Fprintf(cmd.ErrOrStderr(), "tgmconv: %s copied, %d with a new index, %d completed with %s, %s dropped\n",
			count(r.Copied, "message"), r.Rebuilt, r.Completed, count(r.Objects, "object"), count(int(r.Dropped), "byte"))
	}
	e.count(r.Copied+r.Rebuilt+r.Completed, r.Objects)
	return e.report(cmd, map[string]any{
		"copied": r.Copied, "rebuilt": r.Rebuilt, "completed": r.Completed, "objects": r.Objects, "dropped_bytes": r.Dropped,
	})
}
