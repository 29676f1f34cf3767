package togrib

import (
	"bytes"
	"errors"
	"io"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
)

// A result is a field as a message of its own, or the reason why there is none.
type result struct {
	header     grib.Header
	message    []byte
	bytes      int64         // that the object takes in its file
	missing    *bitmask.Mask // in storage order
	coordinate bool
	empty      bool // no point has a value, and there was no field
	identical  bool
	repacked   bool
	built      bool
	edited     bool
	err        error
}

// collector takes results in order and writes them, fields of one message in one.
type collector struct {
	w      io.Writer
	opts   *Options
	report *Report
	spare  buffers // gets the messages that were written

	pending []result
	bitmap  *bitmask.Mask // the last bitmap of the pending message
}

func (c *collector) add(r result) error {
	var object *ObjectError
	switch {
	case errors.As(r.err, &object) && c.opts.SkipBad:
		c.report.Skipped = append(c.report.Skipped, r.err)
		return nil
	case r.err != nil:
		return r.err
	case r.coordinate:
		c.report.Coordinates++
		return nil
	case r.empty:
		c.report.Empty++
		return nil
	}
	c.report.Fields++
	c.report.BytesIn += r.bytes
	for _, n := range []struct {
		is    bool
		count *int
	}{{r.identical, &c.report.Identical}, {r.repacked, &c.report.Repacked}, {r.built, &c.report.Built}, {r.edited, &c.report.Edited}} {
		if n.is {
			*n.count++
		}
	}
	if !c.continues(&r) {
		if err := c.flush(); err != nil {
			return err
		}
	}
	c.pending = append(c.pending, r)
	if r.header.HasBitmap() && !r.header.RefersToBitmap() {
		c.bitmap = r.missing
	}
	if c.opts.Progress != nil {
		c.opts.Progress(*c.report)
	}
	return nil
}

// continues reports whether a field is the next one of the message that is pending.
func (c *collector) continues(r *result) bool {
	if len(c.pending) == 0 || r.edited || c.pending[0].edited {
		return false
	}
	if !r.header.Follows(c.pending[len(c.pending)-1].header) {
		return false
	}
	return !r.header.RefersToBitmap() || sameMask(c.bitmap, r.missing)
}

func sameMask(a, b *bitmask.Mask) bool {
	if !a.Any() || !b.Any() {
		return a.Any() == b.Any()
	}
	return a.N == b.N && bytes.Equal(a.Bits, b.Bits)
}

// flush writes the message that is pending.
func (c *collector) flush() error {
	if len(c.pending) == 0 {
		return nil
	}
	message := c.pending[0].message
	if len(c.pending) > 1 {
		parts := make([]grib.Part, len(c.pending))
		for i, r := range c.pending {
			m, err := grib.ParseMessage(r.message, 0)
			if err != nil {
				return err
			}
			parts[i] = grib.Part{Header: r.header, Data: m.Fields()[0].DataSections()}
		}
		var err error
		if message, err = grib.Rebuild(parts...); err != nil {
			return err
		}
	}
	n, err := c.w.Write(message)
	for _, r := range c.pending {
		c.spare.keep(r.message)
	}
	c.pending, c.bitmap = c.pending[:0], nil
	c.report.BytesOut += int64(n)
	if err == nil {
		c.report.Messages++
	}
	return err
}

// Add adds the counts of another export.
func (r *Report) Add(more *Report) {
	r.Fields += more.Fields
	r.Messages += more.Messages
	r.Identical += more.Identical
	r.Repacked += more.Repacked
	r.Built += more.Built
	r.Edited += more.Edited
	r.Coordinates += more.Coordinates
	r.Empty += more.Empty
	r.BytesIn += more.BytesIn
	r.BytesOut += more.BytesOut
	r.Skipped = append(r.Skipped, more.Skipped...)
}
