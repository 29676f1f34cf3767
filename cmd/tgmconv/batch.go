package main

import (
	"bufio"
	"fmt"
	"io"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/catalog"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/show"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/storage/unpack"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/tgm/edit"
)

// batch holds the flags about the outputs of a conversion.
type batch struct {
	append    bool
	update    bool
	filesFrom string
}

const outputHelp = `-o names the output: a file; a folder, written with a slash at its end or there already, for one
output per input; or a name with keys in brackets, such as '[shortName]-[step].tgm', for one output per
combination of their values.`

func (b *batch) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&b.append, "append", false, "add messages to the end of local outputs that are there already")
	f.BoolVar(&b.update, "update", false, "leave out local outputs that are newer than their inputs")
	f.StringVar(&b.filesFrom, "files-from", "", "file with further inputs, one a line; - means standard input")
}

// inputArgs asks for inputs, which a file may list.
func (b *batch) inputArgs(cmd *cobra.Command, args []string) error {
	if b.filesFrom != "" {
		return nil
	}
	return atLeastOneInput(cmd, args)
}

// withListed adds the inputs that a file lists to those of the command line.
func (b *batch) withListed(cmd *cobra.Command, args []string) ([]string, error) {
	if b.filesFrom == "" {
		return args, nil
	}
	list := cmd.InOrStdin()
	if b.filesFrom != storage.Stdin {
		f, err := os.Open(b.filesFrom)
		if err != nil {
			return nil, fmt.Errorf("--files-from %w", err)
		}
		defer f.Close()
		list = f
	}
	lines := bufio.NewScanner(list)
	for lines.Scan() {
		if name := strings.TrimSuffix(lines.Text(), "\r"); name != "" {
			args = append(args, name)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("--files-from %s: %w", b.filesFrom, err)
	}
	if len(args) == 0 {
		return nil, usagef("--files-from %s: the file lists no inputs", b.filesFrom)
	}
	return args, nil
}

// target is where a conversion goes: one output, one for each input, or one for each combination of
// the values of keys.
type target struct {
	c        *conversion
	cmd      *cobra.Command
	client   *unpack.Client
	folder   bool
	template edit.Template
	open     outputSet
	written  []string // the outputs that are complete
	upToDate int      // outputs that are newer than their inputs
}

// batchJob is what one run of the converter does.
type batchJob struct {
	inputs   []importers.Input
	output   string
	optional bool // nobody named the input: it may hold nothing to convert
}

// target checks the output that the user named.
func (c *conversion) target(cmd *cobra.Command, client *unpack.Client) (*target, error) {
	t := &target{c: c, cmd: cmd, client: client}
	t.open.open = t.create
	if c.output == "" || c.output == storage.Stdin {
		if c.batch.append || c.batch.update {
			return nil, usagef("--append and --update go with an output of a name (-o)")
		}
		return t, nil
	}
	var err error
	if t.template, err = edit.ParseTemplate(c.output); err != nil {
		return nil, usagef("-o %v", err)
	}
	t.folder = strings.HasSuffix(c.output, "/") || isFolder(c.output)
	switch {
	case t.folder && len(t.template.Keys()) > 0:
		return nil, usagef("-o %s: is a folder, expected a name with keys in brackets, or a folder without", c.output)
	case c.batch.append && c.batch.update:
		return nil, usagef("--append and --update exclude each other")
	case c.batch.update && len(t.template.Keys()) > 0:
		return nil, usagef("--update does not go with keys in the name of the output: which outputs there are is known when the inputs are read")
	}
	return t, nil
}

func isFolder(name string) bool {
	st, err := os.Stat(storage.LocalPath(name))
	return !storage.IsRemote(name) && err == nil && st.IsDir()
}

// jobs divides the inputs. Outputs that are newer than their inputs are left out with --update.
func (t *target) jobs(inputs []importers.Input, args []string) ([]batchJob, error) {
	all := []batchJob{{inputs: inputs, output: t.c.output}}
	if t.folder {
		var err error
		if all, err = t.jobsInFolder(inputs, args); err != nil {
			return nil, err
		}
	}
	if !t.c.batch.update {
		return all, nil
	}
	before := len(all)
	all = slices.DeleteFunc(all, newerThanInputs)
	t.upToDate = before - len(all)
	return all, nil
}

// jobsInFolder has one job for each input. Inputs that differ only in their suffixes keep these in
// the names of their outputs.
func (t *target) jobsInFolder(inputs []importers.Input, args []string) ([]batchJob, error) {
	names, uses := make([]string, len(inputs)), make(map[string]int)
	for i, in := range inputs {
		names[i] = pathInFolder(in, args)
		uses[withoutSuffix(names[i])]++
	}
	var jobs []batchJob
	from := make(map[string]string)
	for i, in := range inputs {
		name := names[i]
		if short := withoutSuffix(name); uses[short] == 1 {
			name = short
		}
		name = strings.TrimSuffix(t.c.output, "/") + "/" + name + tgmSuffix
		if other, ok := from[name]; ok {
			return nil, usagef("%s and %s would both be written to %s: convert them to different folders", other, in.Name, name)
		}
		if sameFile(in.Name, name) {
			return nil, usagef("-o %s: the output would replace an input, %s", t.c.output, in.Name)
		}
		from[name] = in.Name
		jobs = append(jobs, batchJob{[]importers.Input{in}, name, in.FromFolder || t.c.skipBad})
	}
	return jobs, nil
}

// newerThanInputs reports whether the output was written after the inputs. Of what does not lie on
// this machine that is not known.
func newerThanInputs(j batchJob) bool {
	written, ok := modified(j.output)
	if !ok {
		return false
	}
	for _, in := range j.inputs {
		if changed, ok := modified(in.Name); !ok || !changed.Before(written) {
			return false
		}
	}
	return true
}

func modified(name string) (time.Time, bool) {
	if storage.IsRemote(name) || name == storage.Stdin {
		return time.Time{}, false
	}
	st, err := os.Stat(storage.LocalPath(name))
	if err != nil {
		return time.Time{}, false
	}
	return st.ModTime(), true
}

// sourceSuffixes are the ends of names that an output does not keep.
var sourceSuffixes = []string{".gz", ".zst", ".bz2", ".grib", ".grib1", ".grib2", ".grb", ".grb1", ".grb2", ".nc", ".nc4", ".cdf", ".netcdf", ".h5", ".hdf5", ".hdf", ".he5", ".tet"}

// pathInFolder is the name of an input in the folder of outputs: what lies in folders below the one
// that the user named stays in them.
func pathInFolder(in importers.Input, args []string) string {
	name := filepath.ToSlash(in.Name)
	if in.FromFolder {
		for _, arg := range args {
			if below, ok := strings.CutPrefix(name, strings.TrimSuffix(filepath.ToSlash(arg), "/")+"/"); ok {
				return below
			}
		}
	}
	if storage.IsRemote(name) {
		if u, err := url.Parse(name); err == nil {
			name = u.Path
		}
	}
	return path.Base(name)
}

// withoutSuffix takes the suffixes of source files away.
func withoutSuffix(name string) string {
	for _, suffix := range sourceSuffixes {
		if end := len(name) - len(suffix); end > 0 && strings.EqualFold(name[end:], suffix) {
			name = name[:end]
		}
	}
	return name
}

const tgmSuffix = ".tgm"

// begin opens the output of a job. With keys in its name the converter asks for outputs as it meets
// fields.
func (t *target) begin(job batchJob, opts *importers.Options) (io.Writer, error) {
	if len(t.template.Keys()) > 0 {
		opts.Output = func(base map[string]any) (io.Writer, error) { return t.open.get(t.template.Expand(valueIn(base))) }
		return nil, nil
	}
	if job.output == "" || job.output == storage.Stdin {
		return t.c.open(t.cmd, t.client)
	}
	return t.open.get(job.output)
}

// valueIn finds values of keys in the metadata of a field, as the name of an output has them.
func valueIn(base map[string]any) func(key string) (string, bool) {
	return func(key string) (string, bool) {
		v, ok := mapping.Read(base).Lookup(key)
		if name := catalog.Name(base); !ok && (key == mapping.KeyName || key == "shortName") && name != "" {
			return name, true
		}
		if !ok {
			return "", false
		}
		text, err := show.Text(v)
		return text, err == nil && text != ""
	}
}

// create opens an output, in folders that are made when they are missing.
func (t *target) create(name string) (storage.Writer, error) {
	if t.folder && !storage.IsRemote(name) {
		if err := os.MkdirAll(filepath.Dir(storage.LocalPath(name)), 0o777); err != nil {
			return nil, err
		}
	}
	if !t.c.batch.append {
		return t.client.Create(t.cmd.Context(), name)
	}
	if err := checkAppendable(name); err != nil {
		return nil, err
	}
	return t.client.Append(t.cmd.Context(), name)
}

// checkAppendable refuses additions to files that are not Tensogram, or that end within a message.
func checkAppendable(name string) error {
	st, err := os.Stat(storage.LocalPath(name))
	if storage.IsRemote(name) || err != nil || st.Size() == 0 || !st.Mode().IsRegular() {
		return nil // there is none yet, or opening it tells more
	}
	f, err := tgm.Open(storage.LocalPath(name))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer f.Close()
	gaps, err := f.Gaps()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if n := len(gaps); n > 0 && gaps[n-1].Offset+gaps[n-1].Length == f.Size() {
		return fmt.Errorf("%s: the last %d bytes are no message, expected a Tensogram file to add to (tgmconv repair mends one)", name, gaps[n-1].Length)
	}
	return nil
}

// commit makes the outputs of a job appear.
func (t *target) commit() error {
	names, err := t.open.commit()
	t.written = append(t.written, names...)
	return err
}

// abort drops the outputs that are not complete.
func (t *target) abort() { t.open.abort() }
