package main

import (
	"fmt"
	"iter"
	"math"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/show"
	"github.com/tgmconv/tgmconv/tgm"
)

// parseSlices reads the value of --slice: for each axis START:STOP:STEP, of which each part may be
// missing, or a number.
func parseSlices(text string) ([]tgm.Slice, error) {
	if text == "" {
		return nil, nil
	}
	var list []tgm.Slice
	for part := range strings.SplitSeq(text, ",") {
		s, ok := parseSlice(strings.TrimSpace(part))
		if !ok {
			return nil, usagef("--slice is %q, expected numbers from 0 or START:STOP:STEP with commas between them", text)
		}
		list = append(list, s)
	}
	return list, nil
}

func parseSlice(text string) (s tgm.Slice, ok bool) {
	s = tgm.Slice{Stop: math.MaxUint64, Step: 1}
	parts := strings.Split(text, ":")
	if len(parts) > 3 {
		return s, false
	}
	for i, to := range []*uint64{&s.Start, &s.Stop, &s.Step}[:len(parts)] {
		if parts[i] == "" {
			if len(parts) == 1 {
				return s, false
			}
			continue
		}
		n, err := strconv.ParseUint(parts[i], 10, 63)
		if err != nil {
			return s, false
		}
		*to = n
	}
	if len(parts) == 1 {
		s.Stop = s.Start + 1
	}
	return s, s.Step > 0 && s.Start < s.Stop
}

// applySlices returns the shape of what slices select of an array, and the numbers of its elements
// in C order. Axes without a slice are taken whole, and a slice ends where its axis does.
func applySlices(list []tgm.Slice, shape []uint64) (selected []uint64, elements iter.Seq[int], err error) {
	if len(list) > len(shape) {
		return nil, nil, fmt.Errorf("--slice has %d axes for a field of shape %s", len(list), show.Shape(shape))
	}
	starts, steps := make([]uint64, len(shape)), make([]uint64, len(shape))
	selected = make([]uint64, len(shape))
	for axis, n := range shape {
		s := tgm.Slice{Stop: n, Step: 1}
		if axis < len(list) {
			s = list[axis]
		}
		if s.Start >= n && n > 0 {
			return nil, nil, fmt.Errorf("--slice starts at %d of an axis of length %d of shape %s", s.Start, n, show.Shape(shape))
		}
		if s.Stop = min(s.Stop, n); s.Start < s.Stop {
			selected[axis] = (s.Stop-s.Start-1)/s.Step + 1
		}
		starts[axis], steps[axis] = s.Start, s.Step
	}
	total := uint64(1)
	for _, n := range selected {
		total *= n // of a field that was read: no overflow
	}
	return selected, func(yield func(int) bool) {
		for i := range total {
			at, stride := uint64(0), uint64(1)
			for axis := len(shape) - 1; axis >= 0; axis-- {
				at += (starts[axis] + i%selected[axis]*steps[axis]) * stride
				i /= selected[axis]
				stride *= shape[axis]
			}
			if !yield(int(at)) {
				return
			}
		}
	}, nil
}
