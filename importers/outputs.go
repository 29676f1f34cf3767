package importers

import "io"

// outputs are the writers of a conversion, each with the messages that are written to it.
type outputs struct {
	opts   *Options
	report *Report
	all    map[io.Writer]*output
	order  []*output // in which they were first needed
}

// output is one writer.
type output struct {
	*messages
	out *countingWriter
}

// newOutputs has everything go to w, unless the options choose a writer for each field.
func newOutputs(w io.Writer, opts *Options, report *Report) *outputs {
	o := &outputs{opts: opts, report: report, all: make(map[io.Writer]*output)}
	if opts.Output == nil {
		o.begin(w)
	}
	return o
}

func (o *outputs) begin(w io.Writer) *messages {
	out := &countingWriter{w: w}
	m := &output{newMessages(out, o.opts, o.report), out}
	if o.opts.Output != nil {
		o.all[w] = m
	}
	o.order = append(o.order, m)
	return m.messages
}

// of returns the messages that the field of a part goes to.
func (o *outputs) of(r *result) (*messages, error) {
	if o.opts.Output == nil {
		return o.order[0].messages, nil
	}
	w, err := o.opts.Output(r.known())
	if err != nil {
		return nil, err
	}
	if m := o.all[w]; m != nil {
		return m.messages, nil
	}
	return o.begin(w), nil
}

// finish completes the messages that are not complete yet.
func (o *outputs) finish() error {
	for _, m := range o.order {
		if err := m.finish(); err != nil {
			return err
		}
	}
	return nil
}

// abort drops messages that were not completed.
func (o *outputs) abort() {
	for _, m := range o.order {
		m.abort()
	}
}

// bytes is the number of bytes written.
func (o *outputs) bytes() (n int64) {
	for _, m := range o.order {
		n += m.out.n
	}
	return n
}
