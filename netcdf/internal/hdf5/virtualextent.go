package hdf5

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// extentBudget bounds the sources that the lengths of all virtual datasets of a file are computed
// from.
const extentBudget = 1 << 14

// extend computes the length of the axes of a virtual dataset that grow with its sources. It goes
// up to the last element that a source has, as the HDF5 library does unless it is told otherwise.
// The length in the file is from when the dataset was last written. Where a source cannot be opened
// the lengths stay, and reading reports the error.
func (d *Dataset) extend() {
	if d.Layout != Virtual || d.Space.Max == nil || slices.Equal(d.Space.Max, d.Space.Dims) || d.checkVirtual() != nil {
		return
	}
	lens, limited := make([]uint64, len(d.Space.Dims)), make([]uint64, len(d.Space.Dims))
	grows := make([]bool, len(lens))
	for i := range d.virtual.mappings {
		m := &d.virtual.mappings[i]
		if m.to == nil || len(m.to.axes) != len(lens) {
			continue
		}
		growing := m.to.openAxis()
		for axis := range lens {
			if axis != growing {
				limited[axis] = max(limited[axis], m.to.axes[axis].end())
			}
		}
		if growing < 0 {
			continue
		}
		n, ok := d.available(m, &m.to.axes[growing])
		if !ok {
			return
		}
		grows[growing], lens[growing] = true, max(lens[growing], n)
	}
	dims := append([]uint64(nil), d.Space.Dims...)
	for axis, n := range lens {
		if grows[axis] {
			dims[axis] = min(max(n, limited[axis]), d.Space.Max[axis])
		}
	}
	space := *d.Space
	space.Dims = dims
	d.Space = &space
}

// openAxis returns the axis along which the selection has no end, -1 if there is none.
func (s *selection) openAxis() int {
	for axis := range s.axes {
		if s.open(axis) {
			return axis
		}
	}
	return -1
}

// end is the index after the last index of a set that has an end.
func (a *axisSet) end() uint64 {
	if n := len(a.runs); n > 0 {
		return a.runs[n-1].first + a.runs[n-1].n
	}
	n, ok := wire.Mul(a.count, a.block)
	if !ok || n == 0 {
		return 0
	}
	return a.at(n-1) + 1
}

// available returns the end of the sources' elements of a mapping along its open axis. The result
// ok is false when a source cannot be opened.
func (d *Dataset) available(m *mapping, to *axisSet) (n uint64, ok bool) {
	if from := m.from.openAxis(); from >= 0 {
		s, err := d.extentSource(m.file, m.dataset)
		if err != nil || s == nil || from >= len(s.d.Space.Dims) {
			return 0, err == nil
		}
		if n = m.from.axes[from].below(s.d.Space.Dims[from]); n == 0 {
			return 0, true
		}
		return to.at(n-1) + 1, true
	}
	if !strings.Contains(m.file+m.dataset, "%b") {
		return 0, false
	}
	for block := uint64(0); ; block++ {
		s, err := d.extentSource(numbered(m.file, block), numbered(m.dataset, block))
		if err != nil || s == nil {
			return n, err == nil
		}
		first, fits := wire.Mul(block, to.stride)
		if !fits || first > 1<<62 {
			return 0, false
		}
		n = to.start + first + to.block
	}
}

var errExtents = errors.New("too many sources of virtual datasets")

// extentSource is source with a bound on how many there are in all.
func (d *Dataset) extentSource(file, name string) (*source, error) {
	if d.f.others.extents.Add(1) > extentBudget {
		return nil, errExtents
	}
	s, err := d.source(file, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return s, err
}
