package importers

import (
	"context"
	"errors"
	"io"
	"maps"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// largeBudget bounds the memory of all parts in the making, by their own account. A part that needs
// more is worked on while no other is.
const largeBudget = 256 << 20

// keptScratch is the most scratch memory that outlives its part.
const keptScratch = 64 << 20

// ErrNoFields says that a conversion found nothing to write.
var ErrNoFields = errors.New("importers: there is no field to convert")

// Convert writes the fields of src to w as Tensogram messages. The report is valid also when an error is
// returned. An error in one part of the source is a [*BadInput]; with Options.SkipBad these are listed and
// skipped. With Options.Output fields go to several writers, and w may be nil.
//
// Reading, decoding and encoding run on Options.Workers goroutines, which have ended when Convert
// returns.
func Convert(ctx context.Context, src Source, w io.Writer, opts Options) (*Report, error) {
	began := time.Now()
	opts.Encoding.work = opts.Work
	ctx, cancel := context.WithCancel(ctx)
	report := new(Report)
	c := &collector{opts: &opts, report: report, outputs: newOutputs(w, &opts, report)}
	err := c.run(ctx, cancel, src)
	if err == nil {
		err = c.outputs.finish()
	}
	if err == nil && report.Messages == 0 {
		err = report.noFields()
	}
	c.outputs.abort()
	report.BytesOut, report.Elapsed = c.outputs.bytes(), time.Since(began)
	return report, err
}

// A job is one part of the source on its way through the workers to the writer. The writer takes
// jobs in the order of the source. results is closed when the part is used up; after each result
// the worker waits for taken, because the encoded field may lie in the scratch memory that the next
// field needs.
type job struct {
	part    Part
	bad     error // the source's own error in place of a part
	scratch *Scratch
	weight  int64         // of largeBudget
	first   chan struct{} // is closed when the jobs before have been written
	results chan result
	taken   chan struct{}
}

// A result is one field ready to be written, or the reason why there is none.
type result struct {
	where  string
	group  string
	source string             // mapping.KeySource of the field and of its coordinates
	object *tgm.EncodedObject // nil where extra is all there is
	base   map[string]any
	left   []string       // keys of base that are not written
	extra  map[string]any // of the message
	coords []*Coord
	notes  []Warning
	exact  string // why the encoding was not used, if it was not
	part   *Part
	index  int // of the field in its message
	coded  mapping.Coded
	err    error
}

// known returns the description of a result's field, for clauses, while it is collected.
func (r *result) known() *mapping.Known {
	k := &mapping.Known{
		Entry: mapping.ReadIn(r.extra, r.base), Coded: r.coded,
		Place: &mapping.Place{File: storage.Display(r.part.Input), Message: r.part.Number, Object: r.index},
	}
	if r.object != nil {
		k.Array = func() mapping.ArrayKeys {
			d := r.object.Descriptor()
			return mapping.ArrayKeys{DType: d.DType.String(), Shape: d.Shape, Dims: k.Entry.Dims(len(d.Shape))}
		}
	}
	return k
}

// collector is the end of the pipeline: it takes results in order and writes them.
type collector struct {
	opts    *Options
	report  *Report
	outputs *outputs
	passed  int64 // bytes of the source that are done with, whether or not there was something to convert in them
}

// run moves every part of src through the workers. The number of jobs in the making is bounded by
// the scratch memories there are: workers + 2.
func (c *collector) run(ctx context.Context, cancel context.CancelFunc, src Source) error {
	workers := c.opts.workers()
	free := make(chan *Scratch, workers+2)
	for range cap(free) {
		free <- new(Scratch)
	}
	work, order := make(chan *job), make(chan *job, cap(free))
	budget := semaphore.NewWeighted(largeBudget)

	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	running.Go(func() {
		defer close(order)
		defer close(work)
		produce(ctx, src, free, budget, work, order)
	})
	for range workers {
		running.Go(func() {
			for j := range work {
				j.do(ctx, src, c.opts)
			}
		})
	}
	for j := range order {
		close(j.first)
		if err := c.collect(ctx, j); err != nil {
			return err
		}
		j.scratch.trim()
		budget.Release(j.weight)
		free <- j.scratch
	}
	return ctx.Err()
}

// produce hands each part to the workers, and to the writer in the same order.
func produce(ctx context.Context, src Source, free chan *Scratch, budget *semaphore.Weighted, work, order chan<- *job) {
	for part, err := range src.Parts(ctx) {
		j := &job{
			part: part, bad: err, results: make(chan result), taken: make(chan struct{}), first: make(chan struct{}),
			weight: min(part.Memory, largeBudget),
		}
		if budget.Acquire(ctx, j.weight) != nil {
			return
		}
		select {
		case j.scratch = <-free:
		case <-ctx.Done():
			return
		}
		order <- j // has room for every scratch
		if err != nil {
			close(j.results)
			continue
		}
		select {
		case work <- j:
		case <-ctx.Done():
			close(j.results)
			return
		}
	}
}

// do reads and encodes the fields of a part.
func (j *job) do(ctx context.Context, src Source, opts *Options) {
	defer close(j.results)
	j.scratch.room = j.reserve
	for f, err := range separated(ctx, src.Read(ctx, j.part, j.scratch), j.scratch) {
		if err == nil {
			err = ctx.Err()
		}
		r := result{err: err}
		if err == nil {
			r = makeResult(ctx, f, opts, j.scratch)
			r.part = &j.part
		}
		select {
		case j.results <- r:
		case <-ctx.Done():
			if r.object != nil {
				r.object.Release()
			}
			return
		}
		select {
		case <-j.taken:
		case <-ctx.Done():
			return
		}
	}
}

// reserve waits until the job is the next to be written, if it needs much more memory than
// announced. A small message may hold a large field.
func (j *job) reserve(ctx context.Context, bytes int64) error {
	if bytes <= keptScratch || bytes/8 <= j.weight {
		return nil
	}
	select {
	case <-j.first:
	case <-ctx.Done():
	}
	return ctx.Err()
}

func makeResult(ctx context.Context, f *Field, opts *Options, scratch *Scratch) (r result) {
	if f.Source != nil {
		r.source, r.err = f.Source(ctx)
	}
	if f.Values == nil && r.err == nil {
		return result{where: f.Where, group: f.Group, extra: mapping.WithSource(f.Message, r.source)}
	}
	if r.err == nil {
		encoding := &opts.Encoding
		if r.exact = f.keptBy(encoding); r.exact != "" {
			f.Compressed, encoding = true, encoding.exact()
		}
		r.object, r.err = f.encode(ctx, encoding, scratch, opts.TempDir)
	}
	if r.err == nil {
		if r.base, r.err = f.Base(); r.err != nil {
			r.object.Release()
		}
	}
	if r.err == nil {
		r.left, r.err = leftOut(f, r.base, r.object.Size(), opts)
	}
	if r.err != nil {
		if ctx.Err() == nil {
			r.err = &BadInput{f.Where, r.err}
		}
		return r
	}
	if r.source != "" {
		r.base[mapping.KeySource] = r.source
	}
	r.index, r.coded = f.Index, f.Coded
	r.where, r.group, r.extra, r.coords = f.Where, f.Group, mapping.WithSource(f.Message, r.source), f.Coords
	for _, note := range f.Notes {
		r.notes = append(r.notes, Warning{f.Where, note})
	}
	return r
}

// impliedShare is the part of an object that the metadata which follow from others may take: one
// hundredth.
const impliedShare = 100

// leftOut returns the keys of the entry of a field that are not written beside an object of a size.
func leftOut(f *Field, base map[string]any, size int64, opts *Options) ([]string, error) {
	if len(f.Implied) == 0 || opts.RepeatMetadata {
		return nil, nil
	}
	n := int64(0)
	for _, key := range f.Implied {
		code := mapping.MarshalCBOR
		if key == mapping.KeyGeometry {
			code = f.GeometryCBOR
		}
		raw, err := code(base[key])
		if err != nil {
			return nil, err
		}
		n += int64(1 + len(key) + len(raw))
		if n*impliedShare > size {
			return f.Implied, nil
		}
	}
	return nil, nil
}

// written is the entry that is written.
func (r *result) written() map[string]any {
	if len(r.left) == 0 {
		return r.base
	}
	base := maps.Clone(r.base)
	for _, key := range r.left {
		delete(base, key)
	}
	return base
}

// collect writes the results of one job.
func (c *collector) collect(ctx context.Context, j *job) error {
	for _, note := range j.part.Notes {
		c.report.warn(Warning{j.part.Where(), note})
	}
	if j.bad != nil {
		return c.pass(ctx, j.bad)
	}
	used := false
	for {
		var r result
		var more bool
		select {
		case r, more = <-j.results:
		case <-ctx.Done():
			return ctx.Err()
		}
		if !more {
			break
		}
		used = true
		if err := c.write(ctx, r); err != nil {
			return err
		}
		select {
		case j.taken <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	c.passed += j.part.Bytes
	if used {
		c.report.BytesIn += j.part.Bytes
	}
	if c.opts.Progress != nil {
		c.opts.Progress(Progress{Fields: c.report.Fields, BytesIn: c.passed})
	}
	return nil
}

func (c *collector) write(ctx context.Context, r result) error {
	if r.err != nil {
		return c.pass(ctx, r.err)
	}
	m, err := c.outputs.of(&r)
	if err != nil {
		if r.object != nil {
			r.object.Release()
		}
		return err
	}
	if err := m.append(r); err != nil {
		return err
	}
	if r.object != nil {
		c.report.Fields++
		c.report.keep(r.exact, 1)
	}
	for _, w := range r.notes {
		c.report.warn(w)
	}
	return nil
}

// pass decides whether the conversion goes on after err.
func (c *collector) pass(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var bad *BadInput
	if !c.opts.SkipBad || !errors.As(err, &bad) {
		return err
	}
	c.report.skip(bad)
	return nil
}
