//go:build man

// With the tag man, the command writes its own manual pages:
//
//	go run -tags man ./cmd/tgmconv man DIR
//
// The released binaries are built without this tag: the text is the same as in --help.

package main

import (
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
)

// manVerbs has the verb that writes manual pages.
var manVerbs = []verb{{"man", newMan}}

func newMan() *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "Write the manual pages of all commands to a folder",
		Hidden: true,
		Args:   cli.UsageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			return doc.GenManTree(cli.WholeTree(cmd), &doc.GenManHeader{Section: "1", Source: "tgmconv " + cli.Version()}, args[0])
		},
	}
}
