package cli

import (
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/tgm"
)

// NewVersion returns the verb version.
func NewVersion() *cobra.Command {
	return Verb{
		Use:   "version",
		Short: "Print the version of this program",
		Words: cobra.NoArgs,
		Run:   PrintVersion,
	}.Command()
}

// PrintVersion prints the version with its commit.
func PrintVersion(cmd *cobra.Command, _ []string) error {
	_, err := fmt.Fprintln(cmd.OutOrStdout(), "tgmconv "+buildDescription())
	return Written(err)
}

// build is where a binary comes from.
type build struct {
	version string // of the release, or the next one with "-devel"
	commit  string // 12 hexadecimal digits, or ""
	date    string // of the commit, yyyy-mm-dd, or ""
}

// Version returns the version of this binary.
func Version() string { return thisBuild().version }

// buildDescription returns the version with the commit and its date, where they are known.
func buildDescription() string {
	b := thisBuild()
	var origin []string
	if b.commit != "" {
		origin = append(origin, "commit "+b.commit)
	}
	if b.date != "" {
		origin = append(origin, b.date)
	}
	if len(origin) == 0 {
		return b.version
	}
	return b.version + " (" + strings.Join(origin, ", ") + ")"
}

func thisBuild() build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return build{version: tgm.Version}
	}
	return buildOf(info)
}

// buildOf reads what the go command noted in a binary: the state of the repository it was built
// in, or the version of the module it was installed from.
func buildOf(info *debug.BuildInfo) build {
	var b build
	tag, tagged := strings.CutPrefix(info.Main.Version, "v")
	if at, commit, ok := pseudoVersion(tag); ok {
		tagged = false
		b.date, b.commit = at.Format(time.DateOnly), commit
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			b.commit = s.Value[:12]
		case s.Key == "vcs.time" && len(s.Value) >= 10:
			b.date = s.Value[:10]
		}
	}
	if b.version = tgm.Version + "-devel"; tagged && !strings.HasSuffix(tag, "+dirty") {
		b.version = tag
	}
	return b
}

// pseudoVersion returns the time and the hash at the end of the version of a commit without a tag.
func pseudoVersion(version string) (at time.Time, commit string, ok bool) {
	const layout = "20060102150405"
	version = strings.TrimSuffix(version, "+dirty")
	dash := max(0, strings.LastIndexByte(version, '-'))
	before, commit := version[:dash], strings.TrimPrefix(version[dash:], "-")
	at, err := time.Parse(layout, before[max(0, len(before)-len(layout)):])
	return at, commit, err == nil && len(commit) == 12
}
