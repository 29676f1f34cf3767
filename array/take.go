package array

import (
	"context"
	"slices"

	"github.com/tgmconv/tgmconv/internal/nd"
)

// Take is the elements of an array at some positions along each axis, in their order. Without
// positions, nil, an axis is whole. The positions lie within the array.
func Take(a Array, at [][]uint64) Array {
	info := *a.Info()
	t := &taken{of: a, at: slices.Clone(at), info: info}
	t.info.Shape, t.info.Block = slices.Clone(info.Shape), slices.Clone(info.Block)
	box, isBox := info.Whole(), true
	for axis, positions := range at {
		if positions == nil {
			t.at[axis] = counted(info.Shape[axis])
			continue
		}
		n := uint64(len(positions))
		t.info.Shape[axis], t.info.Block[axis] = n, min(info.Block[axis], max(1, n))
		if runs := runsOf(positions); len(runs) == 1 {
			box.Start, box.Count = replaced(box.Start, axis, positions[0]), replaced(box.Count, axis, n)
		} else {
			isBox = false
		}
	}
	if isBox {
		return Cut(a, box)
	}
	return t
}

// counted are the positions of a whole axis.
func counted(n uint64) []uint64 {
	all := make([]uint64, n)
	for i := range all {
		all[i] = uint64(i)
	}
	return all
}

func replaced(list []uint64, i int, value uint64) []uint64 {
	list = slices.Clone(list)
	list[i] = value
	return list
}

// A takenRun is consecutive positions of an array, and the position of the first among the taken
// elements.
type takenRun struct{ start, count, at uint64 }

// runsOf divides positions into runs of consecutive ones.
func runsOf(positions []uint64) (runs []takenRun) {
	for i, p := range positions {
		if n := len(runs); n > 0 && runs[n-1].start+runs[n-1].count == p {
			runs[n-1].count++
		} else {
			runs = append(runs, takenRun{p, 1, uint64(i)})
		}
	}
	return runs
}

type taken struct {
	of   Array
	at   [][]uint64
	info Info
}

func (a *taken) Info() *Info { return &a.info }

// around returns the smallest region of the array that has all elements of a region of the taken array.
func (a *taken) around(r Region) Region {
	around := Region{make([]uint64, len(a.at)), make([]uint64, len(a.at))}
	for axis := range a.at {
		if positions := a.at[axis][r.Start[axis] : r.Start[axis]+r.Count[axis]]; len(positions) > 0 {
			around.Start[axis] = slices.Min(positions)
			around.Count[axis] = slices.Max(positions) - around.Start[axis] + 1
		}
	}
	return around
}

func (a *taken) Packing(ctx context.Context, r Region) (*Packing, error) {
	return a.of.Packing(ctx, a.around(r))
}

// Coded implements [Array].
func (a *taken) Coded(context.Context, []uint32) (*Coded, error) { return nil, nil }

func (a *taken) Single() Array {
	if s := a.of.Single(); s != nil {
		return Take(s, a.at)
	}
	return nil
}

// mostTogether is how many times as many elements as are taken are read at once. It does not apply
// where more must be read for other reasons.
const mostTogether = 8

func (a *taken) Read(ctx context.Context, r Region, dst []byte) error {
	rank := len(a.at)
	runs, grid, around := make([][]takenRun, rank), make([]uint64, rank), a.around(r)
	for axis := range a.at {
		positions := a.at[axis][r.Start[axis] : r.Start[axis]+r.Count[axis]]
		runs[axis] = runsOf(positions)
		grid[axis] = uint64(len(runs[axis]))
	}
	of, whole := a.of, a.of.Info()
	if nd.Volume(grid) > 1 && (slices.Equal(whole.Block, WholeBlock(whole.Shape)) || around.Elements() <= mostTogether*r.Elements()) {
		data, err := Read(ctx, of, around, nil)
		if err != nil {
			return err
		}
		of = Memory(around.Count, whole.DType, data)
	} else {
		around.Start = make([]uint64, rank)
	}
	for index := range nd.Positions(grid) {
		part, at := Region{make([]uint64, rank), make([]uint64, rank)}, make([]uint64, rank)
		for axis, i := range index {
			run := runs[axis][i]
			part.Start[axis], part.Count[axis], at[axis] = run.start-around.Start[axis], run.count, run.at
		}
		if err := Into(ctx, of, part, dst, r.Count, at); err != nil {
			return err
		}
	}
	return ctx.Err()
}
