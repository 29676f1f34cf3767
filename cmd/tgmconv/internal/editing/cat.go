package editing

import (
	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/storage"
)

// NewCat returns the verb cat.
func NewCat() *cobra.Command {
	var e editing
	return cli.Verb{
		Use:   "cat [flags] IN...",
		Short: "Write the messages of several files one after the other",
		Long: `Write the messages of several files one after the other, byte for byte. Unlike the cat command of the
system, it fails if a file has bytes outside messages, or an object that does not match its hash. The output appears
only when it is complete. Messages from a pipe are written as they arrive.`,
		Example: `  tgmconv cat -o day.tgm step*.tgm
  tgmconv cat a.tgm b.tgm | tgmconv ls -`,
		Words:   cobra.ArbitraryArgs,
		InOrder: true,
		Options: e.declare,
		Run:     e.cat,
	}.Command()
}

func (e *editing) cat(cmd *cobra.Command, args []string) error {
	if e.output == "" {
		e.output = storage.Stdin
	}
	inputs, err := e.begin(cmd, args)
	if err != nil {
		return err
	}
	if err := e.toOutput(cmd, e.output, func(out storage.Writer) error {
		return e.copyInputs(cmd, inputs, out)
	}); err != nil {
		return err
	}
	return e.report(cmd, nil)
}
