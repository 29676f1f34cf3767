package converting

import (
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/terminal"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/storage"
)

// Conversion holds the flags that the converting verbs share.
type Conversion struct {
	Output       string
	opts         importers.Options
	threads      cli.ThreadsFlag
	SkipBad      bool
	reproducible bool
	stream       bool
	tempDir      string
	quiet        bool
	json         bool
	Batch        batch

	findings
}

func (c *Conversion) declare(s *option.Set) {
	cli.DeclareOutput(s, &c.Output, "file, folder/ or name with [keys] to write; - or nothing means standard output")
	c.Batch.declare(s)
	c.opts.Encoding.Declare(s)
	c.threads.Declare(s, "fields")
	cli.DeclareSkipBad(s, &c.SkipBad)
	s.Bool("reproducible", &c.reproducible, "write the same bytes every time: time from SOURCE_DATE_EPOCH or 1970, identifiers by message number")
	s.Bool("stream", &c.stream, "write each field as soon as it is converted, and the index at the end of the message, as on standard output")
	cli.DeclareTempDir(s, &c.tempDir)
	cli.DeclareQuiet(s, &c.quiet, &c.json)
}

// Options makes the conversion's options of the flags.
func (c *Conversion) Options(cmd *cobra.Command) (opts importers.Options, err error) {
	if err := c.checkTempDir(); err != nil {
		return opts, err
	}
	opts = c.opts
	if masks := &opts.Encoding.Masks; masks.SmallThreshold == 0 {
		masks.SmallThreshold = -1
	}
	if opts.Workers, err = c.threads.Count(cmd); err != nil {
		return opts, err
	}
	if opts.Workers == 0 {
		opts.Workers = runtime.GOMAXPROCS(0)
	}
	opts.SkipBad, opts.Stream = c.SkipBad, c.stream || c.Output == "" || c.Output == storage.Stdin
	return opts, c.pin(&opts)
}

// checkTempDir finds a mistyped folder before it is needed, which may be late.
func (c *Conversion) checkTempDir() error {
	if c.tempDir == "" {
		return nil
	}
	if st, err := os.Stat(c.tempDir); err != nil || !st.IsDir() {
		return cli.Usagef("--temp-dir is %q, expected a folder", c.tempDir)
	}
	return nil
}

// pin fixes the provenance of messages, for output that is the same every time.
func (c *Conversion) pin(opts *importers.Options) error {
	if !c.reproducible {
		return nil
	}
	seconds := int64(0)
	if v := os.Getenv("SOURCE_DATE_EPOCH"); v != "" {
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil {
			return cli.Usagef("SOURCE_DATE_EPOCH is %q, expected seconds since 1970", v)
		}
		seconds = n
	}
	opts.Reproducible(time.Unix(seconds, 0))
	return nil
}

// noteUnknownKeys warns of keys of --where and --group-by that nothing had: most are misspelt.
func (c *Conversion) noteUnknownKeys() {
	for _, key := range slices.Sorted(maps.Keys(c.unknown)) {
		if c.unknown[key] == c.sources {
			c.note("", fmt.Sprintf("no field has the key %q", key))
		}
	}
}

// addTo puts the warnings of the command first in the report.
func (c *Conversion) addTo(r *importers.Report) {
	r.SkippedList, r.Skipped = append(c.Skipped, r.SkippedList...), r.Skipped+len(c.Skipped)
	r.WarningList, r.Warnings = append(c.notes, r.WarningList...), r.Warnings+len(c.notes)
}

// progress begins the bar of a conversion of total bytes, 0 when the total is not known.
func (c *Conversion) progress(cmd *cobra.Command, total int64) *terminal.Progress {
	p := cli.ProgressOf(cmd)
	if c.quiet || c.json {
		p.Silence()
	}
	p.Begin(total, true)
	return p
}
