package gribverbs

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/fields"
	"github.com/tgmconv/tgmconv/internal/option"
)

func newGRIBCount() *cobra.Command {
	var verbose, force bool
	return cli.Verb{
		Use:   "count [flags] FILE...",
		Short: "Count the messages of GRIB files as grib_count does",
		Long: `Count the messages of GRIB files, as grib_count of ecCodes does. A message that has several fields counts once. A file
with broken messages, or without any, is an error unless --force is given.`,
		Example: `  tgmconv grib count forecast.grib2
  tgmconv grib count -v *.grib2`,
		Options: func(s *option.Set) {
			s.Bool("verbose/v", &verbose, "show the number for each file and the total")
			s.Bool("force/f", &force, "skip bytes that are not a GRIB message")
		},
		Run: func(cmd *cobra.Command, names []string) error {
			total := 0
			in := gribInput{heads: true}
			err := in.each(cmd, names, func(s fields.Scanner) error {
				n, err := s.Count(cmd.Context())
				if err != nil && !force {
					return err
				}
				if verbose {
					fmt.Fprintf(cmd.OutOrStdout(), "%7d %s\n", n, s.Name)
				}
				total += n
				return nil
			})
			if err != nil {
				return err
			}
			if verbose {
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "%7d total\n", total)
			} else {
				_, err = fmt.Fprintln(cmd.OutOrStdout(), total)
			}
			return cli.Written(err)
		},
	}.Command()
}
