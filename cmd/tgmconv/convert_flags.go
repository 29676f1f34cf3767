package main

import (
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// conversion holds the flags that the converting verbs share.
type conversion struct {
	output       string
	encoding     importers.Encoding
	threads      threadsFlag
	params       map[string]string
	skipBad      bool
	allowNaN     bool
	allowInf     bool
	coordinates  string
	repeat       bool
	reproducible bool
	stream       bool
	tempDir      string
	quiet        bool
	json         bool
	batch        batch

	findings
}

// choices are the values of flags that take one of a few words.
var (
	encodings    = append([]string{importers.EncodingSource}, stagesFor(tgm.EncodingStage)...)
	filters      = stagesFor(tgm.FilterStage)
	compressions = stagesFor(tgm.CompressionStage)
	maskMethods  = tgm.StageNames(tgm.MaskStage)
	coordinates  = []string{"axes", "all", "none"} // in the order of importers.Coordinates
)

// stagesFor returns the names of the stages that numbers can go through.
func stagesFor(kind tgm.StageKind) (names []string) {
	for _, s := range tgm.Stages(kind) {
		if s.Takes(tgm.Float64) == nil || s.Takes(tgm.Float32) == nil {
			names = append(names, s.Name)
		}
	}
	return names
}

func (c *conversion) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&c.output, "output", "o", "", "file, folder/ or name with [keys] to write; - or nothing means standard output")
	c.batch.register(cmd)
	f.StringVar(&c.encoding.Encoding, "encoding", "", "how values are stored: source (as the source has them), "+orList(encodings[1:])+" (default source, none with --filter or --compression)")
	f.IntVar(&c.encoding.Bits, "bits", 16, "bits per value of simple_packing; coordinates, flags and integers are not packed")
	f.StringVar(&c.encoding.Filter, "filter", "", "filter before compression: "+orList(filters))
	f.StringVar(&c.encoding.Compression, "compression", "", "compression of values: "+orList(compressions))
	f.IntVar(&c.encoding.Level, "compression-level", 0, "level of zstd, 1 to 22 (0 means 3), or of blosc2, 1 to 9 (0 means 5)")
	f.StringToStringVar(&c.params, "stage-param", nil, "parameters of filter and compression, such as blosc2_codec=zstd")
	f.Lookup("stage-param").DefValue = ""
	c.threads.register(cmd, "fields")
	f.BoolVar(&c.skipBad, "skip-bad", false, "list what cannot be read and go on, instead of stopping; the exit code is 3")
	f.BoolVar(&c.allowNaN, "allow-nan", true, "store NaN in the data as missing; =false makes it an error (env TENSOGRAM_ALLOW_NAN)")
	f.BoolVar(&c.allowInf, "allow-inf", true, "store infinities as masks; =false makes them an error (env TENSOGRAM_ALLOW_INF)")
	f.StringVar(&c.encoding.Masks.NaN, "nan-mask-method", "roaring", "how the mask of missing values is stored: "+orList(maskMethods))
	f.StringVar(&c.encoding.Masks.PosInf, "pos-inf-mask-method", "roaring", "the same for +infinity")
	f.StringVar(&c.encoding.Masks.NegInf, "neg-inf-mask-method", "roaring", "the same for -infinity")
	f.IntVar(&c.encoding.Masks.SmallThreshold, "small-mask-threshold", 128, "masks of up to this many bytes are stored plainly; 0 means never")
	f.BoolVar(&c.reproducible, "reproducible", false, "write the same bytes every time: time from SOURCE_DATE_EPOCH or 1970, identifiers by message number")
	f.BoolVar(&c.stream, "stream", false, "write each field when it is converted, with the index at the end of the message; standard output is always written so")
	f.StringVar(&c.tempDir, "temp-dir", "", "folder for temporary files; the output's own if not given")
	f.BoolVarP(&c.quiet, "quiet", "q", false, "no progress, summary or warnings")
	f.BoolVarP(&c.json, "json", "j", false, "print the summary as JSON (on standard error when the data go to standard output)")
	for name, words := range map[string][]string{
		"encoding": encodings, "filter": filters, "compression": compressions,
		"nan-mask-method": maskMethods, "pos-inf-mask-method": maskMethods, "neg-inf-mask-method": maskMethods,
	} {
		completeWords(cmd, name, words)
	}
}

// stageParams reads parameters of the stages that are named.
func stageParams(given map[string]string, stages ...string) (map[string]any, error) {
	params := make(map[string]any, len(given))
	var known []string
	for kind := tgm.FilterStage; kind <= tgm.CompressionStage; kind++ {
		for _, s := range tgm.Stages(kind) {
			for _, p := range s.Params {
				text, ok := given[p.Name]
				if !slices.Contains(stages, s.Name) {
					continue
				}
				known = append(known, p.Name)
				if !ok {
					continue
				}
				v, err := p.Parse(text)
				if err != nil {
					return nil, usagef("--stage-param: %v", err)
				}
				params[p.Name] = v
			}
		}
	}
	for name := range given {
		if _, ok := params[name]; !ok {
			return nil, usagef("--stage-param is %s, expected %s", name, orNothing(known))
		}
	}
	return params, nil
}

func orNothing(words []string) string {
	switch len(words) {
	case 0:
		return "none: neither filter nor compression has parameters"
	case 1:
		return words[0]
	}
	return orList(words)
}

// completeWords lets the shell complete a flag that takes one of a few words.
func completeWords(cmd *cobra.Command, flag string, words []string) {
	// The only error is a flag that does not exist, or one registered twice: a mistake any use of
	// the command shows.
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
}

// oneOf checks a flag that takes one of a few words.
func oneOf(flag, value string, words []string) error {
	if value == "" || slices.Contains(words, value) {
		return nil
	}
	return usagef("--%s is %q, expected %s", flag, value, orList(words))
}

func orList(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

func andList(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// options checks the flags and makes the conversion's options of them.
func (c *conversion) options(cmd *cobra.Command) (importers.Options, error) {
	e := &c.encoding
	for _, err := range []error{
		oneOf("encoding", e.Encoding, encodings), oneOf("filter", e.Filter, filters),
		oneOf("compression", e.Compression, compressions),
		oneOf("coordinates", c.coordinates, coordinates), oneOf("nan-mask-method", e.Masks.NaN, maskMethods),
		oneOf("pos-inf-mask-method", e.Masks.PosInf, maskMethods), oneOf("neg-inf-mask-method", e.Masks.NegInf, maskMethods),
		c.environment(cmd), c.checkTempDir(),
	} {
		if err != nil {
			return importers.Options{}, err
		}
	}
	chosen := e.Filter != "" || e.Compression != ""
	switch {
	case e.Encoding == "" && chosen:
		e.Encoding = importers.EncodingNone
	case e.Encoding == "":
		e.Encoding = importers.EncodingSource
	}
	switch {
	case e.Encoding == importers.EncodingSource && chosen:
		return importers.Options{}, usagef("--filter and --compression go with --encoding none or simple_packing: source chooses its own")
	case e.Encoding == importers.EncodingSource && cmd.Flags().Changed("bits"):
		return importers.Options{}, usagef("--bits goes with --encoding simple_packing: source keeps the bits of the source")
	case e.Bits < 1 || e.Bits > 64:
		return importers.Options{}, usagef("--bits is %d, expected 1 to 64", e.Bits)
	case e.Level < 0 || e.Level > 22:
		return importers.Options{}, usagef("--compression-level is %d, expected 1 to 22", e.Level)
	case e.Masks.SmallThreshold < 0:
		return importers.Options{}, usagef("--small-mask-threshold is %d, expected 0 or more", e.Masks.SmallThreshold)
	}
	threads, err := c.threads.count(cmd)
	if err != nil {
		return importers.Options{}, err
	}
	if e.Params, err = stageParams(c.params, e.Filter, e.Compression); err != nil {
		return importers.Options{}, err
	}
	enc := *e
	if enc.Masks.SmallThreshold == 0 {
		enc.Masks.SmallThreshold = -1
	}
	enc.RejectNaN, enc.RejectInf = !c.allowNaN, !c.allowInf
	opts := importers.Options{Workers: threads, Encoding: enc, SkipBad: c.skipBad, RepeatMetadata: c.repeat}
	opts.Stream = c.stream || c.output == "" || c.output == storage.Stdin
	if c.coordinates != "" { // as for netCDF, whose coordinates are variables of their own
		opts.Coordinates = importers.Coordinates(slices.Index(coordinates, c.coordinates))
	}
	if opts.Workers == 0 {
		opts.Workers = runtime.GOMAXPROCS(0)
	}
	return opts, c.pin(&opts)
}

// environment applies the variables that stand for flags the user did not give.
func (c *conversion) environment(cmd *cobra.Command) error {
	for _, b := range []struct {
		variable, flag string
		value          *bool
	}{{"TENSOGRAM_ALLOW_NAN", "allow-nan", &c.allowNaN}, {"TENSOGRAM_ALLOW_INF", "allow-inf", &c.allowInf}} {
		if v := os.Getenv(b.variable); v != "" && !cmd.Flags().Changed(b.flag) {
			value, err := strconv.ParseBool(v)
			if err != nil {
				return usagef("%s is %q, expected true or false", b.variable, v)
			}
			*b.value = value
		}
	}
	return nil
}

// checkTempDir finds a mistyped folder before it is needed, which may be late.
func (c *conversion) checkTempDir() error {
	if c.tempDir == "" {
		return nil
	}
	if st, err := os.Stat(c.tempDir); err != nil || !st.IsDir() {
		return usagef("--temp-dir is %q, expected a folder", c.tempDir)
	}
	return nil
}

// pin fixes the provenance of messages, for output that is the same every time.
func (c *conversion) pin(opts *importers.Options) error {
	if !c.reproducible {
		return nil
	}
	seconds := int64(0)
	if v := os.Getenv("SOURCE_DATE_EPOCH"); v != "" {
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil {
			return usagef("SOURCE_DATE_EPOCH is %q, expected seconds since 1970", v)
		}
		seconds = n
	}
	opts.Reproducible(time.Unix(seconds, 0))
	return nil
}

// noteUnknownKeys warns of keys of --where and --group-by that nothing had: most are misspelt.
func (c *conversion) noteUnknownKeys() {
	for _, key := range slices.Sorted(maps.Keys(c.unknown)) {
		if c.unknown[key] == c.sources {
			c.note("", fmt.Sprintf("no field has the key %q", key))
		}
	}
}

// addTo puts what the command itself has to say first in the report.
func (c *conversion) addTo(r *importers.Report) {
	r.SkippedList, r.Skipped = append(c.skipped, r.SkippedList...), r.Skipped+len(c.skipped)
	r.WarningList, r.Warnings = append(c.notes, r.WarningList...), r.Warnings+len(c.notes)
}
