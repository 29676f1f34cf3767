package storage

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/tgmconv/tgmconv/internal/disk"
)

// Sources are the files and objects that a command reads. Each is in the state that it had when it
// was first opened. Outputs are right only if no source has changed meanwhile. Writers of the client
// check this before an output appears, and the command before it ends.
//
// A file may be replaced by another of its name, because an open file stays the same, and it may
// grow at its end. It may also change between a [Glance] at it and its opening: all outputs are then
// made of the new content. The zero value is ready.
type Sources struct {
	// OnRead, which may be nil, is called after each read of a local file, before the bytes are
	// returned. It may be called by several goroutines.
	OnRead func(location string)

	size atomic.Int64

	mu      sync.Mutex
	open    map[*sourceFile]bool
	files   map[string]*sourceFile // that were read, by location, as they were opened first
	objects map[string]version     // by location
	folders map[string]bool        // by location
	changed error                  // the first change that was seen
}

// A ChangedError says that a file or an object has changed while it was read.
type ChangedError struct {
	Location string
	How      string // such as "shrank from 10 to 5 bytes"
}

func (e *ChangedError) Error() string {
	return fmt.Sprintf("%s: the file %s while it was read", Display(e.Location), e.How)
}

// NamesFile reports that the text says which file the error is about.
func (e *ChangedError) NamesFile() bool { return true }

// Is reports whether target is ErrChanged.
func (e *ChangedError) Is(target error) bool { return target == ErrChanged }

// Size returns the bytes of all sources that were opened so far, without standard input.
func (s *Sources) Size() int64 {
	if s == nil {
		return 0
	}
	return s.size.Load()
}

// Check returns a [*ChangedError] if one of the sources has changed since it was opened. A change
// after the last read and an earlier Check does not count.
func (s *Sources) Check() error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for f := range s.open {
		s.check(f)
	}
	return s.changed
}

// check looks whether an open file has changed. It is called under mu.
func (s *Sources) check(f *sourceFile) {
	if s.changed == nil {
		if how := f.changed(); how != "" {
			s.changed = &ChangedError{f.location, how}
		}
	}
}

// add has the state of a blob opened at a location kept. It fails, and closes b, if the state
// has changed.
func (s *Sources) add(ctx context.Context, location string, b Blob) (_ Blob, err error) {
	if s == nil {
		return b, nil
	}
	defer func() {
		if err != nil {
			b.Close()
		}
	}()
	if r := remote(b); r != nil {
		return b, s.addObject(ctx, location, r.version, b.Size())
	}
	local, ok := b.(*localBlob)
	if !ok {
		return b, nil
	}
	file, ok := local.file.(*disk.File)
	if !ok || local.etag == "" { // a copy of an input that cannot change
		return b, nil
	}
	f, err := newSourceFile(location, file.File, local.size)
	if err != nil {
		return nil, located(location, err)
	}
	if !isGlance(ctx) {
		f.probe()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	how := ""
	if f.info.Size() < f.size { // since the opening
		how = "shrank"
	} else if first := s.files[location]; first != nil && first.reads.Load() > 0 && !isGlance(ctx) {
		how = first.differs(f)
	}
	if how != "" {
		err := &ChangedError{location, how}
		if s.changed == nil {
			s.changed = err
		}
		return nil, err
	}
	if s.open == nil {
		s.open = make(map[*sourceFile]bool)
	}
	s.open[f] = true
	if s.files[location] == nil && !isGlance(ctx) {
		if s.files == nil {
			s.files = make(map[string]*sourceFile)
		}
		s.files[location] = f
		s.size.Add(local.size)
	}
	return &sourceBlob{local, s, f}, nil
}

// addFolder counts a folder that is one input among the sources.
func (s *Sources) addFolder(ctx context.Context, location string, size int64) {
	if s == nil || isGlance(ctx) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.folders == nil {
		s.folders = make(map[string]bool)
	}
	if !s.folders[location] {
		s.folders[location] = true
		s.size.Add(size)
	}
}

func (s *Sources) addObject(ctx context.Context, location string, v version, size int64) error {
	if isGlance(ctx) {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	first, known := s.objects[location]
	if known && first.differs(v) && s.changed == nil {
		s.changed = &ChangedError{location, "was replaced by another"}
		return s.changed
	}
	if !known {
		s.size.Add(size)
	}
	if s.objects == nil {
		s.objects = make(map[string]version)
	}
	s.objects[location] = v
	return nil
}

// closed checks a file for the last time before it is closed.
func (s *Sources) closed(f *sourceFile) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.check(f)
	delete(s.open, f)
	f.file = nil
	if s.files[f.location] == f {
		f.thin()
		if f.reads.Load() == 0 {
			delete(s.files, f.location)
		}
	}
}

// glance is the key of contexts that Glance returns.
type glance struct{}

// Glance returns a context for reads that only find out the kind of an input. No output is made of
// them, and the input may change before it is opened again.
func Glance(ctx context.Context) context.Context { return context.WithValue(ctx, glance{}, true) }

func isGlance(ctx context.Context) bool { return ctx.Value(glance{}) != nil }

// A sourceBlob is a local file whose state is kept.
type sourceBlob struct {
	*localBlob
	sources *Sources
	state   *sourceFile
}

// ReadAt implements [Blob].
func (b *sourceBlob) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	n, err := b.localBlob.ReadAt(ctx, p, off)
	if !isGlance(ctx) {
		b.state.read(p[:n], off)
		if b.sources.OnRead != nil {
			b.sources.OnRead(b.state.location)
		}
	}
	return n, err
}

// Unwrap returns the file itself.
func (b *sourceBlob) Unwrap() Blob { return b.localBlob }

// Close implements [Blob].
func (b *sourceBlob) Close() error {
	b.sources.closed(b.state)
	return b.localBlob.Close()
}

// A sourceFile is the state of a local file when it was opened, and samples of its bytes. The
// samples are of its content then and of the parts that were read; a file that has grown must still
// have them, else it was written anew.
type sourceFile struct {
	location string
	file     *os.File // nil when it is closed
	info     fs.FileInfo
	change   change   // other properties that the system knows
	fresh    bool     // whether it may change without another time of modification
	probes   []sample // that were taken when it was opened

	size    int64 // of the bytes being read, which may be fewer than the file has
	reads   atomic.Int64
	checked int64 // reads at the last check
	mu      sync.Mutex
	samples []samples
}

// A sample is the hash of some bytes of a file that were read.
type sample struct {
	off, n int64
	sum    uint64
}

// A file has up to sampledParts parts of at least sampledPart bytes. Of each, some reads are
// sampled. Of closed files fewer samples are kept.
const (
	sampledPart  = 64 << 10
	sampledParts = 64
	partSamples  = 16
	sampleBytes  = 64 << 10
	keptParts    = 2
)

// samples are the samples of a part, taken from the longest reads.
type samples [partSamples]sample

// add hashes bytes at off unless the part has longer samples.
func (s *samples) add(p []byte, off int64) {
	at := 0
	for i := range s {
		if s[i].off == off && s[i].n >= int64(len(p)) && s[i].n > 0 {
			return
		}
		if s[i].n < s[at].n {
			at = i
		}
	}
	if s[at].n < int64(len(p)) {
		s[at] = sample{off, int64(len(p)), xxh3.Hash(p)}
	}
}

func newSourceFile(location string, file *os.File, size int64) (*sourceFile, error) {
	f := &sourceFile{location: location, file: file, size: size}
	var err error
	if f.info, err = file.Stat(); err == nil {
		f.change, err = changeOf(file)
		f.fresh = time.Since(f.info.ModTime()).Abs() < clockTick
	}
	f.samples = make([]samples, min(sampledParts, (size+sampledPart-1)/sampledPart))
	return f, err
}

// A file is probed at up to probeCount places, its beginning and its end among them. A small file
// is a single probe.
const (
	probeCount = 8
	probeBytes = 4 << 10
)

// clockTick is the longest time during which two writes may leave a file with the same time.
const clockTick = 20 * time.Millisecond

// probe samples the file before anything is read of it. A file that is written anew right after the
// first read, of its head, may have the same head. A place that cannot be read is left out: the
// later read gives the error.
func (f *sourceFile) probe() {
	p := make([]byte, min(f.size, sampleBytes))
	places := int64(1)
	if f.size > sampleBytes {
		p, places = p[:probeBytes], probeCount
	}
	for i := range places {
		off := i * (f.size - int64(len(p))) / max(1, places-1)
		if n, _ := f.file.ReadAt(p, off); n == len(p) && n > 0 {
			f.probes = append(f.probes, sample{off, int64(n), xxh3.Hash(p)})
		}
	}
}

// part is how many bytes lie between the beginnings of two sampled parts.
func (f *sourceFile) part() int64 {
	n := int64(len(f.samples))
	return max(1, (f.size+n-1)/n)
}

// read notes that bytes were read.
func (f *sourceFile) read(p []byte, off int64) {
	f.reads.Add(1)
	if len(p) == 0 || len(f.samples) == 0 {
		return
	}
	part, end := f.part(), off+int64(len(p))
	last := min((end-1)/part, int64(len(f.samples))-1)
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := off / part; i <= last; i++ {
		from := max(off, i*part)
		f.samples[i].add(p[from-off:min(end, from+sampleBytes)-off], from)
	}
}

// thin drops most samples.
func (f *sourceFile) thin() {
	f.mu.Lock()
	defer f.mu.Unlock()
	kept := make([]samples, min(keptParts, len(f.samples)))
	for i := range f.samples {
		to := &kept[i*len(kept)/len(f.samples)]
		for _, s := range f.samples[i] {
			for j := range to {
				if s.n > to[j].n {
					s, to[j] = to[j], s
				}
			}
		}
	}
	f.samples = kept
}

// changed says how the file has changed since it was opened. It is empty if it has not, or if it
// was not read since the last check.
func (f *sourceFile) changed() string {
	reads := f.reads.Load()
	if reads == f.checked {
		return ""
	}
	now, err := newSourceFile(f.location, f.file, 0)
	if err != nil {
		return "could not be looked at"
	}
	how := f.differs(now)
	if how == "" {
		f.checked = reads
	}
	return how
}

// differs says how the file has changed to its present state, now, which is open.
func (f *sourceFile) differs(now *sourceFile) string {
	before, after := f.info.Size(), now.info.Size()
	switch {
	case !os.SameFile(f.info, now.info):
		return "was replaced by another"
	case after < before:
		return fmt.Sprintf("shrank from %d to %d bytes", before, after)
	case f.info.ModTime().Equal(now.info.ModTime()):
		if after == before && (f.change.content(now.change) && f.named() || f.fresh && !f.sampled(now.file)) {
			return "was written to"
		}
	case after == before:
		return "was written to"
	}
	if after > before && !f.sampled(now.file) {
		return "was written anew"
	}
	return ""
}

// named reports whether the file still has its name. If not, the change of the name explains a
// change that the system knows of.
func (f *sourceFile) named() bool {
	st, err := os.Stat(LocalPath(f.location))
	return err == nil && os.SameFile(st, f.info)
}

// sampled reports whether the samples are in a file.
func (f *sourceFile) sampled(file *os.File) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := make([]byte, sampleBytes)
	in := func(s sample) bool {
		if s.n == 0 {
			return true
		}
		_, err := file.ReadAt(now[:s.n], s.off)
		return err == nil && xxh3.Hash(now[:s.n]) == s.sum
	}
	for i := range f.samples {
		for _, s := range f.samples[i] {
			if !in(s) {
				return false
			}
		}
	}
	for _, s := range f.probes {
		if !in(s) {
			return false
		}
	}
	return true
}
