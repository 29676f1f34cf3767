package tgm

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/zeebo/xxh3"
)

// large returns the next message, which is larger than what is kept of a pipe.
func (p *pipe) large(f *File) (*Message, error) {
	s := newScanner(source{p, p.size()})
	at, err := s.findMagic(p.start)
	if err == nil && at < 0 {
		err = errBeyondWindow
	}
	if err != nil {
		return nil, fmt.Errorf("tgm: at byte %d, no message in %d bytes: %w", p.start, p.opts.window, err)
	}
	if at > p.start {
		p.gaps = append(p.gaps, Gap{p.start, at - p.start, "no message starts here"})
		p.pass(at)
	}
	stream := &StreamReader{r: bufio.NewReaderSize(io.MultiReader(bytes.NewReader(p.buf), p.r), pipeChunk), opts: f.opts, pos: at, number: p.number}
	err = stream.begin()
	if n := stream.Skipped(); n > 0 {
		p.gaps = append(p.gaps, Gap{at, n, "no message starts here"})
	}
	if err == io.EOF {
		p.start, p.buf, p.ended = at+stream.Skipped(), nil, true
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	stream.held = &heldFrame{dir: p.opts.tempDir, above: p.opts.window}
	if p.opts.payloads {
		return p.passObjects(f, stream)
	}
	return p.metadataOf(f, stream)
}

// passObjects returns a message whose objects pass, or begins to keep the rest of the input in a
// file because their metadata come after them.
func (p *pipe) passObjects(f *File, s *StreamReader) (*Message, error) {
	s.strict = true
	ready, err := s.header()
	if err != nil {
		return nil, err
	}
	if !ready {
		s.held.drop()
		if p.waiting, err = newWaiting(f, p); err != nil {
			return nil, err
		}
		return p.waiting.next(f, p)
	}
	p.buf = nil
	p.passing = &passing{s: s, m: s.msg}
	m := s.msg
	m.passing, m.tocErr = p.passing, errors.New("tgm: the objects of a message in a pipe pass one after the other")
	return m, nil
}

// passing is the rest of a message whose objects pass.
type passing struct {
	s     *StreamReader
	m     *Message
	err   error
	ended bool
}

// next returns the next object, nil after the last one.
func (p *passing) next() (*Object, error) {
	for !p.ended && p.err == nil {
		o, err := p.s.step()
		p.err, p.ended = err, p.s.msg == nil
		if o != nil || err != nil {
			return o, err
		}
	}
	return nil, p.err
}

// objects yields the objects that have not passed.
func (p *passing) objects() iter.Seq2[*Object, error] {
	return func(yield func(*Object, error) bool) {
		for {
			o, err := p.next()
			if o == nil && err == nil || !yield(o, err) || err != nil {
				return
			}
		}
	}
}

// finish reads the rest.
func (p *passing) finish() error {
	defer p.s.held.drop()
	for {
		if o, err := p.next(); o == nil || err != nil {
			return err
		}
	}
}

// Passing reports whether the objects of the message must be read one after the other: the message
// comes through a pipe, is too large to be kept, and [WithPayloads] was given.
// [Message.Objects] then yields each object once, and the payload of an object can be read only
// until the next is asked for. The number of objects is not known, and what
// [Message.SharedMetadata] returns is that of the header until the last object has passed.
func (m *Message) Passing() bool { return m.passing != nil }

// metadataOf reads a message and returns it without its payloads.
func (p *pipe) metadataOf(f *File, s *StreamReader) (*Message, error) {
	p.buf = nil
	m := s.msg
	keep := &keptFrames{limits: m.limits, hashes: p.opts.arrived != nil}
	m.src = source{keep, m.offset + m.length}
	s.take = func(f frame) error { return keep.take(s, f, p.opts.arrived) }
	defer s.held.drop()
	for s.msg != nil {
		if _, err := s.step(); err != nil {
			if problem := problemOf(err); problem != nil {
				return nil, p.giveUp(s, problem)
			}
			return nil, err
		}
	}
	p.resume(s)
	m.src.size = m.offset + m.framesEnd()
	keep.parts = append(keep.parts, piece{m.src.size, nil})
	m.atHand = true // metadata are, and reading them in pieces would gain nothing
	if p.opts.arrived != nil {
		m.passedHashes = keep.sums
	}
	m.file = f.id
	return m, nil
}

// giveUp counts the rest of the input as part of no message.
func (p *pipe) giveUp(s *StreamReader, problem error) error {
	at := s.msg.offset
	rest, err := io.Copy(io.Discard, s.r)
	if err != nil {
		return fmt.Errorf("tgm: read message: %w", err)
	}
	p.start, p.buf, p.ended, p.done = s.pos+rest, nil, true, true
	p.gaps = append(p.gaps, Gap{at, p.start - at, problem.(*FramingError).description()})
	return nil
}

// keptFrames is a message without the payloads of its data frames.
type keptFrames struct {
	limits Limits
	hashes bool
	parts  []piece          // in order
	sums   map[int64]uint64 // hashes of data frames, by their offset in the message
}

// frameStart is how much is kept of the start of a data frame, for those who walk frames.
const frameStart = lookahead + maxStreamPadding

// take reads a frame and keeps all of it but the payload.
func (k *keptFrames) take(s *StreamReader, f frame, arrived func(*Object) error) error {
	m := s.msg
	if f.kind != frameData && f.length > k.limits.metadata() {
		return metadataError("metadata_cbor_parse_failed", m.at(-1, m.offset+f.offset), nil, "%s frame of %d bytes is beyond the limit of %d", f.kind, f.length, k.limits.metadata())
	}
	body, err := k.read(s, f, arrived != nil)
	if err != nil {
		return err
	}
	start := m.offset + f.offset
	if f.kind != frameData {
		return k.add(body, start, 0, f.length)
	}
	j := s.objects
	s.objects++
	one := &Message{limits: m.limits, budget: m.budget, index: m.index, extent: m.extent, src: source{body, m.offset + f.end()}}
	if k.hashes {
		if k.sums == nil {
			k.sums = map[int64]uint64{}
		}
		if k.sums[f.offset], err = one.hashFrame(f); err != nil {
			return err
		}
	}
	o, err := one.readObject(j, span{f.offset, f.length}, nil)
	if err != nil { // whoever asks for the object will see the error
		return k.add(body, start, 0, min(f.length, pipeChunk), max(0, f.length-pipeChunk), f.length)
	}
	if arrived != nil {
		if err := arrived(o); err != nil {
			return err
		}
	}
	if f.flags&frameFlagCBORAfter == 0 {
		// A descriptor in front is looked for in ever larger pieces.
		return k.add(body, start, 0, min(f.length, 4*int64(len(o.cbor))+frameStart+descriptorChunk), max(0, f.length-descriptorChunk), f.length)
	}
	tail := max(int64(len(o.cbor))+dataFooterSize, descriptorChunk)
	return k.add(body, start, 0, min(frameStart, f.length), max(0, f.length-tail), f.length)
}

// read reads a frame, of a large one whose payload nobody wants the beginning and the end.
func (k *keptFrames) read(s *StreamReader, f frame, wanted bool) (io.ReaderAt, error) {
	if wanted || f.kind != frameData || f.length <= s.held.above {
		return s.read(f)
	}
	part := max(s.held.above/2, descriptorChunk)
	ends := &keptFrames{}
	start := s.msg.offset + f.offset
	for done := int64(0); done < f.length; {
		b := make([]byte, min(part, f.length-done))
		n, err := io.ReadFull(s.r, b)
		s.pos += int64(n)
		if err != nil {
			return nil, s.torn(err)
		}
		if len(ends.parts) == 3 { // the first is kept, and the last two
			ends.parts[1] = ends.parts[2]
			ends.parts = ends.parts[:2]
		}
		ends.parts = append(ends.parts, piece{start + done, b})
		done += int64(n)
	}
	return ends, nil
}

// add keeps ranges of what begins at start, and the zeros after the last one.
func (k *keptFrames) add(body io.ReaderAt, start int64, bounds ...int64) error {
	for i := 0; i < len(bounds); i += 2 {
		from, to := bounds[i], bounds[i+1]
		if i > 0 {
			from = max(from, bounds[i-1])
		}
		if from >= to {
			continue
		}
		b := make([]byte, to-from, to-from+alignment)
		if _, err := body.ReadAt(b, start+from); err != nil {
			return fmt.Errorf("tgm: read message: %w", err)
		}
		k.parts = append(k.parts, piece{start + from, b})
	}
	return nil
}

// ReadAt implements io.ReaderAt. Between frames there are zeros, which were not kept.
func (k *keptFrames) ReadAt(b []byte, off int64) (n int, err error) {
	i := k.find(off)
	for n < len(b) {
		if i < 0 || i == len(k.parts) {
			return n, io.EOF
		}
		part := &k.parts[i]
		at := off + int64(n) - part.start
		if at >= int64(len(part.b)) { // padding, or a payload
			if i+1 == len(k.parts) {
				return n, io.EOF
			}
			gap := k.parts[i+1].start - off - int64(n)
			if gap >= alignment {
				return n, fmt.Errorf("the payload %w", ErrPassed)
			}
			zero := min(gap, int64(len(b)-n))
			clear(b[n:][:zero])
			n += int(zero)
			i++
			continue
		}
		n += copy(b[n:], part.b[at:])
	}
	return n, nil
}

// find returns the last part that begins at or before off, -1 if there is none.
func (k *keptFrames) find(off int64) int {
	low, high := 0, len(k.parts)
	for low < high {
		if mid := (low + high) / 2; k.parts[mid].start <= off {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low - 1
}

// heldFrame is the frame of a pipe that is being looked at.
type heldFrame struct {
	dir     string
	above   int64 // bytes that are held in memory
	file    *os.File
	removed bool
}

// drop gives up the file of a frame.
func (h *heldFrame) drop() {
	if h.file != nil {
		dropTemp(h.file, h.removed)
		h.file = nil
	}
}

// read copies a frame of n bytes, which begins at start, to a file.
func (h *heldFrame) read(r io.Reader, start, n int64) (io.ReaderAt, int64, error) {
	h.drop()
	f, removed, err := createTemp(h.dir)
	if err != nil {
		return nil, 0, err
	}
	h.file, h.removed = f, removed
	copied, err := io.CopyN(f, r, n)
	return shifted{f, start}, copied, err
}

// shifted reads what begins at start as if it stood at 0.
type shifted struct {
	r     io.ReaderAt
	start int64
}

func (s shifted) ReadAt(b []byte, off int64) (int, error) { return s.r.ReadAt(b, off-s.start) }

// waiting is the rest of a pipe in a temporary file.
type waiting struct {
	heldFrame
	src  source
	scan scanner
}

// newWaiting copies the rest of a pipe to a file.
func newWaiting(f *File, p *pipe) (*waiting, error) {
	w := &waiting{heldFrame: heldFrame{dir: p.opts.tempDir}}
	file, removed, err := createTemp(p.opts.tempDir)
	if err != nil {
		return nil, err
	}
	w.file, w.removed = file, removed
	n, err := io.Copy(file, io.MultiReader(bytes.NewReader(p.buf), p.r))
	if err != nil {
		w.drop()
		return nil, fmt.Errorf("tgm: read message: %w", err)
	}
	w.src = source{shifted{file, p.start}, p.start + n}
	w.scan = newScanner(w.src)
	w.scan.pos = p.start
	p.buf = nil
	return w, nil
}

// next returns the next message.
func (w *waiting) next(f *File, p *pipe) (*Message, error) {
	e, ok, err := w.scan.next()
	if err != nil {
		return nil, err
	}
	p.gaps, w.scan.gaps = append(p.gaps, w.scan.gaps...), nil
	if !ok {
		p.start = w.src.size
		w.drop()
		return nil, nil
	}
	p.start = e.offset + e.length
	m := f.newMessage(p.number, e)
	m.src = w.src
	return m, nil
}

// frameSum returns the hash of a frame, also of one that is not there any more.
func (m *Message) frameSum(f frame) (uint64, error) {
	if sum, ok := m.passedHashes[f.offset]; ok {
		return sum, nil
	}
	return m.hashFrame(f)
}

// header reads what stands before the first object. ready is false if the metadata of the object
// cannot be known yet.
func (s *StreamReader) header() (ready bool, err error) {
	for s.msg != nil && s.before == nil {
		if b, _ := s.r.Peek(frameHeaderSize); isFrame(b) {
			f, err := parseFrameHeader(b, s.pos-s.msg.offset, s.msg.framesEnd(), s.msg.at(-1, s.pos))
			if err != nil {
				return false, err
			}
			if f.kind == frameData {
				return s.known(), nil
			}
		}
		if _, err := s.step(); err != nil {
			return false, err
		}
	}
	return true, nil
}

// known reports whether the metadata of the next object are known.
func (s *StreamReader) known() bool {
	return s.before != nil || s.layout != nil && s.objects < len(s.layout.entries) || s.msg.pre.flags&flagFooterMetadata == 0
}

// checkKeys compares the metadata in the footer with those that were known when the objects passed.
func (s *StreamReader) checkKeys() error {
	for j, sum := range s.keys {
		if j+1 >= len(s.layout.entries) {
			break
		}
		entry, err := s.layout.entry(s.layout.src, j)
		if err != nil {
			return err
		}
		if rest := withoutReserved(entry); len(rest) > 0 && keySum(rest) != sum {
			return metadataError("", s.layout.at, nil, "the footer has other metadata of object %d than stood before it: a pipe cannot go back, a file can", j)
		}
	}
	return nil
}

// keySum is the same for maps with the same keys.
func keySum(m map[string]any) (sum uint64) {
	for key := range m {
		sum += xxh3.HashString(key)
	}
	return sum
}
