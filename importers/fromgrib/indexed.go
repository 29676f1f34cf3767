package fromgrib

import (
	"context"
	"errors"
	"io"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/importers/fromgrib/internal/sidecar"
	"github.com/tgmconv/tgmconv/storage"
)

// acquire opens an input to be read as scanning it has shown to be best.
func (s *Source) acquire(ctx context.Context, name string) (*openFile, error) {
	if sparsely, ok := s.sparsely.Load(name); ok {
		if ctx = storage.Dense(ctx); sparsely.(bool) {
			ctx = storage.Sparse(ctx)
		}
	}
	return s.files.Acquire(ctx, name)
}

// fromIndex lists the messages of an input on the network that may be wanted, from the index beside
// it. It reports false when there is none, when it saves nothing, and when anything in it is not as
// in the file: then the file is scanned.
func (s *Source) fromIndex(ctx context.Context, f *openFile, input int) ([]place, bool) {
	name := s.inputs[input].Name
	if !s.judgedByHeads() || !s.onNetwork(f, input) {
		return nil, false
	}
	index := s.findIndex(ctx, name, f.Size())
	if index == nil {
		return nil, false
	}
	sparse, err := s.files.Acquire(storage.Sparse(ctx), name)
	if err != nil {
		return nil, false
	}
	defer sparse.Release()
	look := indexLook{s, sparse}
	candidates, ok := look.candidates(index, input)
	if !ok {
		return nil, false
	}
	lengths := make(wantedMessages)
	for _, c := range candidates {
		lengths[c.Offset] = c.Length
	}
	if !worth(lengths, f.Size()) {
		return nil, false
	}
	wanted, ok := look.check(ctx, candidates)
	if ok {
		s.sparsely.Store(name, true)
	}
	return wanted, ok
}

// findIndex reads the index of a file, nil if there is none that covers it.
func (s *Source) findIndex(ctx context.Context, name string, size int64) *sidecar.Index {
	names := sidecar.Names(name)
	found := make([]*sidecar.Index, len(names))
	var all sync.WaitGroup
	for i, name := range names {
		all.Go(func() { found[i] = s.readIndex(ctx, name, size) })
	}
	all.Wait()
	for _, x := range found {
		if x != nil {
			return x
		}
	}
	return nil
}

func (s *Source) readIndex(ctx context.Context, name string, size int64) *sidecar.Index {
	f, err := s.files.Acquire(ctx, name)
	if err != nil {
		return nil
	}
	defer f.Release()
	if f.Size() > min(sidecar.MaxBytes, size/2) {
		return nil
	}
	data := make([]byte, f.Size())
	if _, err := f.ReadAt(data, 0); err != nil && err != io.EOF {
		return nil
	}
	x, err := sidecar.Parse(data)
	if err != nil || !x.Covers(size) {
		return nil
	}
	return x
}

// A candidate is a message that may be wanted, with the index entries of its fields.
type candidate struct {
	place
	entries []sidecar.Entry
}

// indexLook compares an index with its file.
type indexLook struct {
	source *Source
	file   *openFile
}

// candidates are the messages that the index does not exclude. It returns false if there is none,
// perhaps because the index uses other names.
func (l indexLook) candidates(index *sidecar.Index, input int) ([]candidate, bool) {
	head, err := grib.ReadHead(l.file, 0, index.Entries[0].Length, grib.WithLimits(l.source.limits))
	if err != nil || len(head.Fields()) == 0 {
		return nil, false
	}
	reader := l.source.keys.take()
	defer l.source.keys.give(reader)
	h, err := reader.Handle(messageOf(head.Fields()[0]), nil)
	if err != nil {
		return nil, false
	}
	var wanted []candidate
	all := index.Entries
	for number := 0; len(all) > 0; number++ {
		n := 1
		for n < len(all) && all[n].Offset == all[0].Offset {
			n++
		}
		for i := range all[:n] {
			if !all[i].Excludes(l.source.opts.Where, h.Meanings) {
				info := grib.Info{Index: number, Offset: all[0].Offset, Length: all[0].Length, Edition: head.Edition}
				wanted = append(wanted, candidate{place{Info: info, input: input}, all[:n]})
				break
			}
		}
		all = all[n:]
	}
	return wanted, len(wanted) > 0
}

// check reads the heads of the candidates and returns the wanted ones. It returns false if one contradicts
// the index.
func (l indexLook) check(ctx context.Context, candidates []candidate) ([]place, bool) {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(grib.NetworkReads)
	selected := make([]bool, len(candidates))
	for i := range candidates {
		group.Go(func() (err error) {
			if err = ctx.Err(); err == nil {
				selected[i], err = l.selects(&candidates[i])
			}
			return err
		})
	}
	if group.Wait() != nil {
		return nil, false
	}
	var wanted []place
	for i := range candidates {
		if selected[i] {
			wanted = append(wanted, candidates[i].place)
		}
	}
	return wanted, len(wanted) > 0
}

// errStale says that an index is not of its file.
var errStale = errors.New("the index is not of the file")

// selects reports whether a field of a candidate is wanted. The error is errStale if its message
// does not lie where the index says, or has other fields than it says.
func (l indexLook) selects(c *candidate) (bool, error) {
	m, err := grib.ReadHead(l.file, c.Offset, c.Length, grib.WithLimits(l.source.limits))
	if err != nil {
		return false, err
	}
	if len(m.Fields()) != len(c.entries) {
		return false, errStale
	}
	reader := l.source.keys.take()
	defer l.source.keys.give(reader)
	wanted, p := false, l.source.part(c.place)
	for i, f := range m.Fields() {
		h, err := reader.Handle(messageOf(f), nil)
		if err != nil {
			return false, err
		}
		if !c.entries[i].Agrees(Coded(h)) {
			return false, errStale
		}
		wanted = wanted || l.source.selects(h, f, &p, i)
	}
	return wanted, nil
}
