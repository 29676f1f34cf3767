package cli

import (
	"os"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tgmconv/tgmconv/internal/option"
)

// maxThreads is more than machines have cores: each thread holds a field or a chunk.
const maxThreads = 1024

// ThreadsFlag is the flag --threads.
type ThreadsFlag struct{ given int }

// Declare adds the setting. what names the pieces of the work.
func (t *ThreadsFlag) Declare(s *option.Set, what string) {
	s.Add(option.Option{Name: "threads", Value: &t.given, Help: what + " to work on at a time; 0 means one for each core (env TENSOGRAM_THREADS)"}, nil)
}

// Count returns the value of the flag, or of the variable that stands for it; 0 means one for each
// core.
func (t *ThreadsFlag) Count(cmd *cobra.Command) (int, error) {
	if v := os.Getenv("TENSOGRAM_THREADS"); v != "" && !cmd.Flags().Changed("threads") {
		n, err := strconv.Atoi(v)
		if err != nil || n < 0 || n > maxThreads {
			return 0, Usagef("TENSOGRAM_THREADS is %q, expected a number up to %d", v, maxThreads)
		}
		return n, nil
	}
	if t.given < 0 || t.given > maxThreads {
		return 0, Usagef("--threads is %d, expected 1 to %d, or 0 for all cores", t.given, maxThreads)
	}
	return t.given, nil
}

// formerNames lets flags be given by the names they had, or have in other programs.
func formerNames(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	switch name {
	case "jobs":
		name = "threads"
	case "cmap", "colors":
		name = "colours"
	case "vmin", "vmax":
		name = name[1:]
	case "arrows":
		name = "quiver"
	}
	return pflag.NormalizedName(name)
}
