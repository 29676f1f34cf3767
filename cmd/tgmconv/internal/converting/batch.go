package converting

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/show"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/internal/unpack"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/tgm/edit"
)

// batch holds the flags about the outputs of a conversion.
type batch struct {
	append    bool
	update    bool
	filesFrom string
	report    string
	watch     time.Duration

	round *watchRound // that the command is, of a command that watches
}

const outputHelp = `-o names the output: a file; a folder (existing, or with a slash at its end) for one
output per input; or a name with keys in brackets, such as '[shortName]-[step].tgm', for one output per
combination of their values.`

func (b *batch) declare(s *option.Set) {
	s.Bool("append", &b.append, "add messages to the end of existing local outputs")
	s.Bool("update", &b.update, "leave out outputs that are newer than their inputs")
	s.Text("files-from", &b.filesFrom, "file with further inputs, one per line; - means standard input")
	s.Text("report", &b.report, "file that gets a line of JSON for each output: inputs, outputs with size and hash, state, seconds, error")
	s.Add(option.Option{Name: "watch", Value: &b.watch, Bare: "5s",
		Help: "go on until interrupted: look for added and replaced inputs, every 5s or as given, and convert them when they are complete"}, nil)
}

// longestName is how many bytes a line of --files-from may have.
const longestName = 64 << 10

// inputArgs asks for inputs, which a file may list.
func (b *batch) inputArgs(cmd *cobra.Command, args []string) error {
	if b.filesFrom != "" {
		return nil
	}
	return cli.AtLeastOneInput(cmd, args)
}

// WithListed adds the inputs that a file lists to the inputs of the command line.
func (b *batch) WithListed(cmd *cobra.Command, args []string) ([]string, error) {
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
	lines.Buffer(nil, longestName)
	for lines.Scan() {
		if name := strings.TrimSuffix(lines.Text(), "\r"); name != "" {
			args = append(args, name)
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("--files-from %s: a line has more than %d bytes, expected the name of a file in each", b.filesFrom, longestName)
	} else if err != nil {
		return nil, fmt.Errorf("--files-from %s: %w", b.filesFrom, err)
	}
	if len(args) == 0 {
		return nil, cli.Usagef("--files-from %s: the file lists no inputs", b.filesFrom)
	}
	return args, nil
}

// target is where a conversion goes: one output, one for each input, or one for each combination of
// the values of keys.
type target struct {
	c        *Conversion
	cmd      *cobra.Command
	client   *unpack.Client
	folder   bool
	template edit.Template
	written  []string // the outputs that are complete
	upToDate int      // outputs that are newer than their inputs
	report   *runReport
}

// batchJob is the work of one run of the converter.
type batchJob struct {
	inputs   []importers.Input
	output   string
	optional bool // nobody named the input: it may hold nothing to convert
}

// target checks the output that the user named.
func (c *Conversion) target(cmd *cobra.Command, client *unpack.Client) (*target, error) {
	t := &target{c: c, cmd: cmd, client: client}
	if c.Output == "" || c.Output == storage.Stdin {
		if c.Batch.append || c.Batch.update {
			return nil, cli.Usagef("--append and --update go with an output of a name (-o)")
		}
		return t, nil
	}
	var err error
	if t.template, err = edit.ParseTemplate(c.Output); err != nil {
		return nil, cli.Usagef("-o %v", err)
	}
	t.folder = strings.HasSuffix(c.Output, "/") || cli.IsFolder(c.Output)
	switch {
	case t.folder && len(t.template.Keys()) > 0:
		return nil, cli.Usagef("-o %s: is a folder, expected a name with keys in brackets, or a folder without", c.Output)
	case c.Batch.append && c.Batch.update:
		return nil, cli.Usagef("--append and --update exclude each other")
	case c.Batch.update && len(t.template.Keys()) > 0:
		return nil, cli.Usagef("--update does not go with keys in the name of the output: which outputs there are is known when the inputs are read")
	}
	return t, nil
}

// jobs divides the inputs. Outputs that are newer than their inputs are left out with --update.
func (t *target) jobs(inputs []importers.Input, args []string) ([]batchJob, error) {
	all := []batchJob{{inputs: inputs, output: t.c.Output}}
	if t.folder {
		var err error
		if all, err = t.jobsInFolder(inputs, args); err != nil {
			return nil, err
		}
		all = t.c.Batch.round.taken(all)
	}
	if !t.c.Batch.update {
		return all, nil
	}
	before := len(all)
	all = slices.DeleteFunc(all, func(j batchJob) bool {
		newer := t.newerThanInputs(j)
		if newer {
			t.report.add(&jobResult{job: j, upToDate: true})
		}
		return newer
	})
	t.upToDate = before - len(all)
	return all, nil
}

// jobsInFolder has one job for each input.
func (t *target) jobsInFolder(inputs []importers.Input, args []string) ([]batchJob, error) {
	names, err := importers.NamesIn(t.c.Output, inputs, args)
	if err != nil {
		return nil, cli.Usagef("%w", err)
	}
	jobs := make([]batchJob, len(inputs))
	for i, in := range inputs {
		jobs[i] = batchJob{[]importers.Input{in}, names[i], in.FromFolder || t.c.SkipBad}
	}
	return jobs, nil
}

// newerThanInputs reports whether the output was written after the inputs.
func (t *target) newerThanInputs(j batchJob) bool {
	inputs := make([]string, len(j.inputs))
	for i, in := range j.inputs {
		inputs[i] = in.Name
	}
	return t.client.Newer(t.cmd.Context(), j.output, inputs...)
}

// begin opens the output of a job. With keys in its name the converter asks for outputs as it meets
// fields.
func (t *target) begin(job batchJob, opts *importers.Options, outputs *storage.Outputs) (io.Writer, error) {
	if len(t.template.Keys()) > 0 {
		opts.Output = func(known *mapping.Known) (io.Writer, error) {
			known.Label = func() mapping.Label { return mars.LabelOf(known.Entry) }
			name := t.template.Expand(func(key string) (string, bool) { return show.Known(known, key) })
			return cli.OutputOf(outputs, name)
		}
		return nil, nil
	}
	if job.output == "" || job.output == storage.Stdin {
		return cli.OpenBinary(t.cmd, job.output)
	}
	return outputs.Get(job.output)
}

// create opens an output.
func (t *target) create(name string) (storage.Writer, error) {
	if !t.c.Batch.append {
		return t.client.Create(t.cmd.Context(), name)
	}
	out, err := t.client.Append(t.cmd.Context(), name, storage.AppendOptions{Tail: tailOf, Lock: cli.WaitForOthers(t.cmd)})
	return out, explainTail(err)
}

// tailOf is how many bytes at the end of a file belong to no message.
func tailOf(r io.ReaderAt, size int64) (int64, error) {
	if size == 0 {
		return 0, nil
	}
	f, err := tgm.NewFile(r, size)
	if err != nil {
		return 0, err
	}
	return f.Tail()
}

// explainTail adds advice to the error for a file to which nothing can be appended.
func explainTail(err error) error {
	if tail, ok := errors.AsType[*storage.TailError](err); ok {
		return fmt.Errorf("%s: the last %d bytes are no message, expected a Tensogram file to add to (tgmconv repair mends one)", tail.Path, tail.Bytes)
	}
	return err
}
