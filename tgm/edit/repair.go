package edit

import (
	"cmp"
	"io"
	"iter"
	"slices"

	"github.com/tgmconv/tgmconv/tgm"
)

// Repaired counts the messages and objects that Repair wrote, and lists the lost parts.
type Repaired struct {
	Copied    int        // messages that are valid and have an index
	Rebuilt   int        // messages made of the objects of a whole message that is damaged or has no index
	Completed int        // messages made of the objects of messages without a correct beginning or end
	Objects   int        // objects in the output
	Unhashed  int        // of these, objects without a hash, which can be decoded and cannot be checked further
	Dropped   int64      // bytes that were given up
	Lost      []tgm.Lost // the lost parts, in the order of the file
}

// Repair writes the valid messages of a file, and new messages of the good objects of the others.
// Good objects have bytes with their hash, can be decoded, and their metadata are known to be theirs.
// The output is valid at the full level. With cut, messages without a correct beginning or end are
// left out.
func Repair(out io.Writer, f *tgm.File, cut bool, opts Options) (r Repaired, err error) {
	gaps, err := f.Gaps()
	if err != nil {
		return r, err
	}
	opts.NoHash = false
	p := repairer{Repaired: &r, out: out, f: f, cut: cut, opts: opts}
	for m, err := range f.Messages() {
		if err != nil {
			return r, err
		}
		for len(gaps) > 0 && gaps[0].Offset < m.Offset() {
			if err := p.gap(gaps[0]); err != nil {
				return r, err
			}
			gaps = gaps[1:]
		}
		if err := p.message(m); err != nil {
			return r, err
		}
	}
	for _, g := range gaps {
		if err := p.gap(g); err != nil {
			return r, err
		}
	}
	for _, l := range r.Lost {
		r.Dropped += l.Length
	}
	return r, nil
}

type repairer struct {
	*Repaired
	out  io.Writer
	f    *tgm.File
	cut  bool
	opts Options
}

// message copies a message that is valid, and saves the good objects of another.
func (p *repairer) message(m *tgm.Message) error {
	report, err := m.Validate(tgm.LevelFull, tgm.ValidateOptions{})
	if err != nil {
		return err
	}
	indexed := false
	if report.OK() {
		if indexed, err = m.Indexed(); err != nil {
			return err
		}
	}
	if !indexed {
		return p.salvage(m.Offset(), m.Length(), m.Index(), &p.Rebuilt)
	}
	for j := range report.ObjectCount {
		o, err := m.Stored(j)
		if err != nil {
			return err
		}
		p.saved(o)
	}
	p.Copied++
	return m.CopyTo(p.out)
}

func (p *repairer) saved(o *tgm.Object) {
	p.Objects++
	if _, hashed := o.Hash(); !hashed {
		p.Unhashed++
	}
}

// gap saves the good objects in bytes that belong to no message.
func (p *repairer) gap(g tgm.Gap) error {
	if p.cut {
		p.Lost = append(p.Lost, tgm.Lost{Message: -1, Object: -1, Offset: g.Offset, Length: g.Length, Reason: g.Reason})
		return nil
	}
	return p.salvage(g.Offset, g.Length, -1, &p.Completed)
}

// salvage writes messages of the objects that can be proven good, and counts them.
func (p *repairer) salvage(offset, length int64, message int, messages *int) error {
	fragments, err := p.f.Salvage(offset, length, message)
	if err != nil {
		return err
	}
	for _, fr := range fragments {
		parts, err := fr.Parts()
		if err != nil {
			return err
		}
		for _, part := range parts {
			n, err := p.write(part)
			if err != nil {
				return err
			}
			if n > 0 {
				*messages++
			}
		}
		slices.SortStableFunc(fr.Lost, func(a, b tgm.Lost) int { return cmp.Compare(a.Offset, b.Offset) })
		p.Lost = append(p.Lost, fr.Lost...)
	}
	return nil
}

// write writes a message of the objects of a part. A message without objects is not written.
func (p *repairer) write(part *tgm.Part) (int, error) {
	next, stop := iter.Pull2(part.Objects())
	defer stop()
	o, err, ok := next()
	if err != nil || !ok {
		return 0, err
	}
	return Write(p.out, func(yield func(Item, error) bool) {
		for ok {
			if err == nil {
				p.saved(o)
			}
			if !yield(Item{Object: o}, err) || err != nil {
				return
			}
			o, err, ok = next()
		}
	}, part.Extra(), p.opts)
}
