package dataset

import (
	"cmp"
	"math"
	"path"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/tgm"
)

// maxOrder bounds the bytes of coordinates that are read to put files in order.
const maxOrder = 16 << 20

// A label is a value of a coordinate: a time, or a number.
type label struct {
	time   cf.Offset
	number float64
}

func (l label) compare(other label) int {
	return cmp.Or(cmp.Compare(l.number, other.number), cmp.Compare(l.time.Micro, other.time.Micro), cmp.Compare(l.time.Nano, other.time.Nano))
}

// inOrder returns files in the order of their values of the coordinate along the unlimited
// dimension, as xarray.combine_by_coords puts them: ascending, or descending if they are so in each
// file. Files whose ranges overlap, or that have no such coordinate, stay as they are; ordered is then
// false.
func inOrder(files []*sourceFile, read func(ref int) (*tgm.Array, error)) (list []*sourceFile, ordered bool) {
	coordinates := recordCoordinates(files)
	if coordinates == nil || read == nil {
		return files, false
	}
	units := unitsOfTime(coordinates[0][0])
	labels := make([][]label, len(files))
	var group errgroup.Group
	group.SetLimit(readers)
	var failed atomic.Bool
	for i, objects := range coordinates {
		group.Go(func() error {
			for _, o := range objects {
				if failed.Load() {
					return nil
				}
				of, ok := labelsOf(o, coordinates[0][0], units, read)
				if !ok {
					failed.Store(true)
				}
				labels[i] = append(labels[i], of...)
			}
			return nil
		})
	}
	if group.Wait(); failed.Load() {
		return files, false
	}
	return sorted(files, labels)
}

// recordCoordinates are the coordinate along the unlimited dimension in each file; of records, the
// first and the last. It returns nil if there is none, or several, or more than are read.
func recordCoordinates(files []*sourceFile) [][]*Object {
	name, size := "", uint64(0)
	coordinates := make([][]*Object, len(files))
	for i, f := range files {
		for j := range f.objects {
			o := &f.objects[j]
			n, _ := o.Base.NetCDF()
			if full := o.Base.Name(nil); n == nil || len(n.Dims) != 1 || path.Base(full) != n.Dims[0] || !canBeTimes(o) || !o.alongRecords() {
				continue
			} else if name == "" {
				name = full
			} else if name != full {
				return nil
			}
			coordinates[i] = append(coordinates[i], o)
		}
		c := coordinates[i]
		if len(c) == 0 {
			return nil
		}
		slices.SortStableFunc(c, func(a, b *Object) int {
			x, _ := a.recordIndex()
			y, _ := b.recordIndex()
			return cmp.Compare(x, y)
		})
		if last := len(c) - 1; last > 0 {
			coordinates[i] = []*Object{c[0], c[last]}
		}
		bytes := rowBytes(append([]uint64{0}, c[0].Shape...), c[0].DType)
		if size += min(bytes, maxOrder+1); size > maxOrder {
			return nil
		}
	}
	return coordinates
}

// labelsOf reads the values of a coordinate. Times are counted from the reference of units, the units of the
// first file; other coordinates must be in its units.
func labelsOf(o, first *Object, units *cf.TimeUnits, read func(ref int) (*tgm.Array, error)) ([]label, bool) {
	a, err := read(o.Ref)
	if err != nil || a.DType != o.DType {
		return nil, false
	}
	var labels []label
	if units != nil {
		own := unitsOfTime(o)
		if own == nil {
			return nil, false
		}
		after, ok := own.After(units)
		if !ok {
			return nil, false
		}
		times, ok := decodeTimes(o, a, own)
		for _, t := range times {
			labels = append(labels, label{time: t.Add(after)})
		}
		return labels, ok && len(times) > 0
	}
	if !sameAttributes(first, o, timeAttributes) {
		return nil, false
	}
	number, size := a.DType.Number(), a.DType.Size()
	scaling, packed := o.Base.Scaling(o.DType)
	for data := a.Data; len(data) >= size; data = data[size:] {
		x, ok := number(data), true
		if packed {
			x, ok = scaling.Value(x)
		}
		if !ok || math.IsNaN(x) {
			return nil, false
		}
		labels = append(labels, label{number: x})
	}
	return labels, len(labels) > 0
}

// sorted puts files in the order of their labels. It returns them unchanged, and false, if the labels give no
// order.
func sorted(files []*sourceFile, labels [][]label) ([]*sourceFile, bool) {
	direction := 0 // 1 where labels ascend
	for _, of := range labels {
		for i := 1; i < len(of); i++ {
			c := of[i].compare(of[i-1])
			if c == 0 || direction != 0 && c != direction {
				return files, false
			}
			direction = c
		}
	}
	if direction == 0 {
		direction = 1
	}
	order := make([]int, len(files))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return direction * labels[a][0].compare(labels[b][0]) })
	out := make([]*sourceFile, len(files))
	for i, n := range order {
		if i > 0 {
			before := labels[order[i-1]]
			if labels[n][0].compare(before[len(before)-1]) != direction {
				return files, false
			}
		}
		out[i] = files[n]
	}
	return out, true
}
