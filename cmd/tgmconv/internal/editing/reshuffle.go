package editing

import (
	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/rewrite"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/storage"
)

// NewReshuffle returns the verb reshuffle.
func NewReshuffle() *cobra.Command {
	var e editing
	var order rewrite.Order
	var upgrade bool
	return cli.Verb{
		Use:   "reshuffle [flags] IN -o OUT",
		Short: "Rewrite messages with metadata and index at the beginning",
		Long: `Rewrite every message with its metadata, index and hashes at the beginning, so that readers over a network need
the fewest requests. Messages written as a stream get their length. --upgrade also rewrites the descriptors, so
that every release can read files of any release.

` + editHelp,
		Example: `  tgmconv reshuffle -o indexed.tgm streamed.tgm
  tgmconv reshuffle --upgrade -o new.tgm old.tgm`,
		Words:   cobra.ArbitraryArgs,
		InOrder: true,
		Options: func(s *option.Set) {
			s.Bool("upgrade", &upgrade, "write descriptors in the form that every release reads")
			declareOrder(s, &order)
			e.declare(s)
		},
		Run: func(cmd *cobra.Command, args []string) error { return e.reshuffle(cmd, args, &order, upgrade) },
	}.Command()
}

func (e *editing) reshuffle(cmd *cobra.Command, args []string, order *rewrite.Order, upgrade bool) error {
	inputs, err := e.begin(cmd, args)
	if err != nil {
		return err
	}
	if err := e.toOutput(cmd, e.output, func(out storage.Writer) error {
		opts := e.options(out)
		opts.Upgrade, opts.Stream = upgrade, e.stream
		return e.eachMessage(cmd, inputs, func(m *catalog.Message) error {
			items, err := order.Arrange(e.selection().Objects(m))
			if err != nil {
				return err
			}
			return e.write(out, items, m.Shared.Extra, opts)
		})
	}); err != nil {
		return err
	}
	return e.report(cmd, nil)
}
