package main

import (
	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/catalog"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

func newReshuffle() *cobra.Command {
	var e editing
	var order ordering
	var upgrade bool
	cmd := &cobra.Command{
		Use:   "reshuffle [flags] IN -o OUT",
		Short: "Rewrite messages with metadata and index in front",
		Long: `Rewrite every message with its metadata, index and hashes in front, which takes readers over a network the
fewest requests. Messages written as a stream get their length. --upgrade also rewrites the descriptors, so
that files of any release can be read by every release.

` + editHelp,
		Example: `  tgmconv reshuffle -o indexed.tgm streamed.tgm
  tgmconv reshuffle --upgrade -o new.tgm old.tgm`,
		RunE: func(cmd *cobra.Command, args []string) error { return e.reshuffle(cmd, args, &order, upgrade) },
	}
	cmd.Flags().BoolVar(&upgrade, "upgrade", false, "write descriptors in the form that every release reads")
	order.register(cmd)
	e.register(cmd)
	return cmd
}

func (e *editing) reshuffle(cmd *cobra.Command, args []string, order *ordering, upgrade bool) error {
	inputs, err := e.begin(cmd, args)
	if err != nil {
		return err
	}
	if err := e.toOutput(cmd, e.output, func(out storage.Writer) error {
		opts := e.options(out)
		opts.Upgrade, opts.Stream = upgrade, e.stream
		return e.eachMessage(cmd, inputs, func(m *catalog.Message) error {
			if !order.needed() {
				return e.write(out, itemsOf(e.selected(m)), m.Shared.Extra, opts)
			}
			list, err := order.arrange(e.selected(m), func(*catalog.Message) *tgm.File { return e.file })
			if err != nil {
				return err
			}
			return e.write(out, items(list), m.Shared.Extra, opts)
		})
	}); err != nil {
		return err
	}
	return e.report(cmd, nil)
}
