package hdf5

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// virtual is the layout of a dataset whose elements lie in other datasets.
type virtual struct {
	mappings []mapping
	depth    int // of virtual datasets that lead here

	mu      sync.Mutex
	sources map[string]*source
}

// mapping says that the elements of one selection are the elements of another selection in a
// source, in C order.
type mapping struct {
	file, dataset string // with %b: the number of a block, counted along the unlimited axis
	from, to      *selection
}

// source is a dataset that was looked for; nil when it is absent and the fill value is read.
type source struct {
	d       *Dataset
	size    int                   // of a native element of the virtual dataset
	convert func(dst, src []byte) // from numbers of another type, else nil
	err     error
}

// maxVirtualDepth bounds virtual datasets whose sources are virtual datasets.
const maxVirtualDepth = 8

// readVirtual reads the description, an object of the global heap (section III.I). It is version,
// entries, then for each entry: [v1: flags], file name, dataset name, source selection, selection;
// checksum. Of version 1, flags say that a name is the name of an earlier entry, or of the file
// itself.
func (f *File) readVirtual(what string, l *layout) (*virtual, error) {
	const sharedFile, sharedDataset, sameFile = 1, 2, 4
	v := &virtual{sources: map[string]*source{}}
	if l.addr == undefined || l.addr == 0 {
		return v, nil
	}
	heap := newGlobalHeap(f)
	b, err := heap.object(l.addr, l.heapObject)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	c := &cursor{sizes: f.sizes, b: b, at: -1, what: "sources of " + what}
	version := c.version(0, 1)
	n := c.size()
	if !c.checkCount("sources", n, 2+16) {
		return nil, c.err
	}
	earlier := func(shared bool, name func(*mapping) string) string {
		if !shared {
			return c.text(1)
		}
		if i := c.size(); i < uint64(len(v.mappings)) {
			return name(&v.mappings[i])
		}
		c.fail("name of an entry that does not come before")
		return ""
	}
	for range n {
		flags := uint8(0)
		if version == 1 {
			flags = c.u8()
		}
		m := mapping{file: "."}
		if flags&sameFile == 0 {
			m.file = earlier(flags&sharedFile != 0, func(m *mapping) string { return m.file })
		}
		m.dataset = earlier(flags&sharedDataset != 0, func(m *mapping) string { return m.dataset })
		m.from, m.to = parseSelection(c), parseSelection(c)
		if c.err != nil {
			return nil, c.err
		}
		v.mappings = append(v.mappings, m)
	}
	c.checksum()
	return v, c.err
}

// checkVirtual reads the description and reports a source that cannot be read. Absent sources are
// no error: the fill value stands for them, as in the HDF5 library.
func (d *Dataset) checkVirtual() error {
	d.virtualOnce.Do(func() { d.virtual, d.virtualErr = d.readVirtual() })
	return d.virtualErr
}

func (d *Dataset) readVirtual() (*virtual, error) {
	v, err := d.f.readVirtual(d.what, d.layout)
	if err != nil {
		return nil, err
	}
	v.depth = d.depth
	for i := range v.mappings {
		if err := d.openFiles(&v.mappings[i]); err != nil {
			return nil, fmt.Errorf("source of %s: %w", d.what, err)
		}
	}
	return v, nil
}

// openFiles opens all files that a mapping takes elements from, also files that its sources refer to.
// The files that an array depends on are then known before it is read. Absent files are no error, and
// a problem of a source is reported when it is read.
func (d *Dataset) openFiles(m *mapping) error {
	last := uint64(0)
	if m.to != nil && strings.Contains(m.file+m.dataset, "%b") {
		last = d.lastBlock(m.to)
	}
	for n := uint64(0); n <= last; n++ {
		if n > 0 && d.f.others.extents.Add(1) > extentBudget {
			return nil // a few bytes can name any number of them
		}
		f, err := d.f.other(numbered(m.file, n))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if ok, err := f.openFilesOf(numbered(m.dataset, n), d.depth+1); err != nil || !ok {
			return err
		}
	}
	return nil
}

// lastBlock is the number of the last block along the unlimited axis that the dataset has room for.
func (d *Dataset) lastBlock(to *selection) uint64 {
	for i, a := range to.axes {
		if a.runs == nil && a.count == Unlimited && a.stride > 0 && i < len(d.Space.Dims) && a.start < d.Space.Dims[i] {
			return (d.Space.Dims[i] - 1 - a.start) / a.stride
		}
	}
	return 0
}

// openFilesOf opens the files that a dataset of f refers to. The result ok is false if no dataset
// has the name. Each is looked at once.
func (f *File) openFilesOf(name string, depth int) (ok bool, err error) {
	if depth > maxVirtualDepth {
		return true, nil
	}
	known, first := f.others.look(f, name)
	if !first {
		return known, nil
	}
	o, err := f.Lookup(name)
	if err == nil {
		f.others.looked(f, name)
		var found *Dataset
		if found, err = o.dataset(depth); err == nil {
			switch {
			case found.external != nil:
				err = found.checkExternal()
			case found.Layout == Virtual:
				err = found.checkVirtual()
			}
		}
	}
	if unopened := (*otherError)(nil); errors.As(err, &unopened) && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	return o != nil, nil
}

// sourceBudget bounds the sources that a call of Read reads. The sources of virtual datasets
// may be virtual again, and a small file could ask for any amount of work.
const sourceBudget = 1 << 20

type budgetKey struct{}

// readMapped stores a box of a virtual dataset into dst.
func (d *Dataset) readMapped(ctx context.Context, dst []byte, start, count []uint64) error {
	budget, ok := ctx.Value(budgetKey{}).(*atomic.Int64)
	if !ok {
		budget = new(atomic.Int64)
		ctx = context.WithValue(ctx, budgetKey{}, budget)
	}
	nd.Repeat(dst, d.fill)
	for i := range d.virtual.mappings {
		m := &d.virtual.mappings[i]
		blocks, err := d.blocks(m)
		if err != nil {
			return err
		}
		for _, b := range blocks {
			if budget.Add(1) > sourceBudget {
				return wire.Errorf(d.what, -1, "more than %d sources in one read", sourceBudget)
			}
			if err := d.readBlock(ctx, dst, start, count, b); err != nil {
				return fmt.Errorf("%s: source %s in %s: %w", d.what, m.dataset, m.file, err)
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	return nil
}

// mappedBlock is a mapping with its source: all of it, or a block of a numbered mapping.
type mappedBlock struct {
	*source
	from, to *selection
}

// blocks finds the sources of a mapping. Names with %b stand for a source for each block along
// the unlimited axis, up to the first absent source.
func (d *Dataset) blocks(m *mapping) ([]mappedBlock, error) {
	if m.to == nil || !strings.Contains(m.file+m.dataset, "%b") {
		s, err := d.source(m.file, m.dataset)
		if err != nil || s == nil {
			return nil, err
		}
		return []mappedBlock{{s, m.from, m.to}}, nil
	}
	axis := -1
	for i, a := range m.to.axes {
		if a.runs == nil && a.count == Unlimited {
			axis = i
		}
	}
	if axis < 0 {
		return nil, wire.Errorf(d.what, -1, "numbered sources without an unlimited axis")
	}
	var list []mappedBlock
	for n := uint64(0); ; n++ {
		to := &selection{axes: append([]axisSet(nil), m.to.axes...)}
		a := &to.axes[axis]
		first, ok := wire.Mul(n, a.stride)
		if a.start += first; !ok || a.start >= d.Space.Dims[axis] || n > sourceBudget {
			return list, nil
		}
		a.count = 1
		s, err := d.source(numbered(m.file, n), numbered(m.dataset, n))
		if err != nil || s == nil {
			return list, err
		}
		list = append(list, mappedBlock{s, m.from, to})
	}
}

// numbered replaces %b by a number, and %% by a percent sign.
func numbered(name string, n uint64) string {
	return strings.NewReplacer("%%", "%", "%b", strconv.FormatUint(n, 10)).Replace(name)
}

// source opens a source once. It is nil when file or dataset are absent.
func (d *Dataset) source(file, name string) (*source, error) {
	v := d.virtual
	v.mu.Lock()
	defer v.mu.Unlock()
	key := file + "\x00" + name
	s := v.sources[key]
	if s == nil {
		s = &source{}
		if s.err = d.openSource(s, file, name); errors.Is(s.err, fs.ErrNotExist) || errors.Is(s.err, errNoObject) {
			*s = source{}
		}
		v.sources[key] = s
	}
	if s.d == nil {
		return nil, s.err
	}
	return s, nil
}

func (d *Dataset) openSource(s *source, file, name string) error {
	if d.virtual.depth >= maxVirtualDepth {
		return wire.Errorf(d.what, -1, "virtual datasets nested more than %d deep", maxVirtualDepth)
	}
	f, err := d.f.other(file)
	if err != nil {
		return err
	}
	o, err := f.Lookup(name)
	if err != nil {
		return err
	}
	found, err := o.dataset(d.virtual.depth + 1)
	if err != nil {
		return err
	}
	if d.whole != nil {
		if found, err = found.Member(d.path...); err != nil {
			return err
		}
	}
	if err := found.Check(); err != nil {
		return err
	}
	ours, err := d.Type.Native()
	if err != nil {
		return err
	}
	theirs, err := found.Type.Native()
	if err != nil {
		return err
	}
	if !sameNative(ours, theirs) {
		if s.convert = numberConverter(ours, theirs); s.convert == nil {
			return wire.Unsupported(d.what, -1, "source %s in %s of another type", name, file)
		}
	}
	s.d, s.size = found, ours.Size
	return nil
}

// sameNative reports whether elements of two native types are the same bytes.
func sameNative(a, b *Datatype) bool {
	if a.Class != b.Class || a.Size != b.Size || a.Signed != b.Signed || len(a.Fields) != len(b.Fields) {
		return false
	}
	for i := range a.Fields {
		if a.Fields[i].Name != b.Fields[i].Name || a.Fields[i].Offset != b.Fields[i].Offset ||
			!sameNative(a.Fields[i].Type, b.Fields[i].Type) {
			return false
		}
	}
	return a.Base == nil || sameNative(a.Base, b.Base)
}
