package converting

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/parts"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/parallel"
	"github.com/tgmconv/tgmconv/internal/unpack"
	"github.com/tgmconv/tgmconv/storage"
)

// findings are warnings about inputs, beside the report of the conversion.
type findings struct {
	notes   []importers.Warning   // of the command itself
	Skipped []*importers.BadInput // inputs that the command itself could not use
	sources int                   // that were converted
	unknown map[string]int        // keys of --where and --group-by, and in how many sources no field had them
}

// A selective source knows which keys of --where, and of --group-by, no field had.
type selective interface{ UnknownKeys() []string }

// note keeps a warning.
func (f *findings) note(where, text string) {
	f.notes = append(f.notes, importers.Warning{Where: where, Text: text})
}

// skip keeps an input that could not be used.
func (f *findings) skip(err error) {
	f.Skipped = append(f.Skipped, &importers.BadInput{Err: err})
}

// converted notes what a source knows when its fields were read.
func (f *findings) converted(src importers.Source) {
	s, ok := src.(selective)
	if !ok {
		return
	}
	f.sources++
	for _, key := range s.UnknownKeys() {
		f.addUnknown(key, 1)
	}
}

func (f *findings) addUnknown(key string, sources int) {
	if f.unknown == nil {
		f.unknown = make(map[string]int)
	}
	f.unknown[key] += sources
}

// add adds the findings of other inputs.
func (f *findings) add(other *findings) {
	f.notes = append(f.notes, other.notes...)
	f.Skipped = append(f.Skipped, other.Skipped...)
	f.sources += other.sources
	for key, n := range other.unknown {
		f.addUnknown(key, n)
	}
}

// A jobRunner runs the jobs of a conversion.
type jobRunner struct {
	c      *Conversion
	cmd    *cobra.Command
	client *unpack.Client
	target *target
	source makeSource
	opts   importers.Options
}

// smallJob is up to how many bytes of input a job is so small that several run at a time, each on
// one core. Larger ones use all cores themselves.
const smallJob = 1 << 20

func (b *batchJob) small() bool {
	size := importers.SizeOf(b.inputs)
	return size > 0 && size <= smallJob
}

// A jobResult is the result of a job.
type jobResult struct {
	findings
	report *importers.Report
	names  []string // of complete outputs
	err    error

	// For the report of the run.
	job      batchJob
	outputs  []parts.Output // names, measured
	seconds  float64
	upToDate bool
}

// explained reports whether the result says of an input why nothing was converted.
func (r *jobResult) explained() bool {
	return len(r.notes)+len(r.Skipped) > 0 || r.report != nil && r.report.Warnings+r.report.Skipped > 0
}

// run runs the jobs. After an error no further job begins. The error is the error of the first
// failed job.
func (r *jobRunner) run(jobs []batchJob, total *importers.Report) error {
	cli.CollectRarely(cli.ConversionGC)
	for len(jobs) > 0 {
		n := 0
		for n < len(jobs) && jobs[n].small() {
			n++
		}
		var err error
		if n > 1 && r.opts.Workers > 1 {
			err = r.several(jobs[:n], total)
		} else {
			n = 1
			err = r.add(r.one(r.cmd.Context(), jobs[0], r.opts, true), total)
		}
		if err != nil {
			return err
		}
		jobs = jobs[n:]
	}
	return nil
}

// add adds the result of a job to those before it.
func (r *jobRunner) add(result *jobResult, total *importers.Report) error {
	r.c.add(&result.findings)
	total.Add(result.report)
	r.target.written = append(r.target.written, result.names...)
	r.target.report.add(result)
	return result.err
}

// several runs small jobs on all cores. Their results are added in the order of the jobs.
func (r *jobRunner) several(jobs []batchJob, total *importers.Report) error {
	ctx, cancel := context.WithCancel(r.cmd.Context())
	defer cancel()
	workers := min(r.opts.Workers, len(jobs))
	opts := r.opts
	opts.Workers = 1
	r.client.TempDir = r.c.tempDir
	show := r.c.progress(r.cmd, importers.SizeOf(inputsOf(jobs)))
	defer show.End()
	begun := func(yield func(batchJob) bool) {
		for _, job := range jobs {
			if ctx.Err() != nil || !yield(job) {
				return
			}
		}
	}
	type finished struct {
		*jobResult
		bytes int64
	}
	// Jobs that are begun have results also when the context ends.
	results := parallel.Ordered(context.WithoutCancel(ctx), begun, parallel.Window[batchJob]{Workers: workers, Ahead: workers},
		func(_ context.Context, job batchJob) (finished, error) {
			return finished{r.one(ctx, job, opts, false), importers.SizeOf(job.inputs)}, nil
		})
	var failed error
	done := int64(0)
	for result := range results {
		err := r.add(result.jobResult, total)
		if failed == nil && err != nil {
			failed = err
			cancel()
		}
		done += result.bytes
		show.Set(done, 0)
	}
	if failed == nil {
		failed = ctx.Err()
	}
	return failed
}

func inputsOf(jobs []batchJob) (all []importers.Input) {
	for i := range jobs {
		all = append(all, jobs[i].inputs...)
	}
	return all
}

// one converts the inputs of one job. Alone, it has the progress and the temporary files of the
// command to itself.
func (r *jobRunner) one(ctx context.Context, job batchJob, opts importers.Options, alone bool) *jobResult {
	began := time.Now()
	result := r.convert(ctx, job, opts, alone)
	result.job = job
	if err := r.target.report.measure(ctx, result); err != nil && result.err == nil {
		result.err = err
	}
	result.seconds = time.Since(began).Seconds()
	return result
}

// convert is one without the report.
func (r *jobRunner) convert(ctx context.Context, job batchJob, opts importers.Options, alone bool) *jobResult {
	result := new(jobResult)
	outputs := storage.Outputs{Create: r.target.create}
	defer outputs.Abort()
	out, err := r.target.begin(job, &opts, &outputs)
	if err != nil {
		result.err = err
		return result
	}
	opts.TempDir = r.c.spoolDir(out)
	if alone {
		r.client.TempDir = opts.TempDir
	}
	src, err := r.source(r.c.lookingContext(ctx, r.cmd.Flags(), len(job.inputs)), job.inputs, r.client, &result.findings)
	if err != nil {
		result.err = err
		return result
	}
	defer src.Close()
	if alone {
		show := r.c.progress(r.cmd, src.Size())
		opts.Progress = show.Update
		defer show.End()
	}
	result.report, err = importers.Convert(ctx, src, out, opts)
	result.converted(src)
	switch {
	case err != nil && job.optional && errors.Is(err, importers.ErrNoFields):
		if !result.explained() {
			result.note(job.inputs[0].Name, "skipped: it holds no field, or none that was asked for")
		}
	case err != nil:
		result.err = err
	default:
		result.names, result.err = outputs.Commit()
		result.err = explainTail(result.err)
	}
	return result
}

// spoolDir is where temporary files go: beside the output, where there is room for it, unless the
// user says otherwise.
func (c *Conversion) spoolDir(out io.Writer) string {
	if c.tempDir != "" {
		return c.tempDir
	}
	if f, ok := out.(interface{ Dir() string }); ok {
		return f.Dir()
	}
	return ""
}
