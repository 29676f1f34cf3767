package export

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/tgm"
)

// ParsePosition reads a position for [Selection].Positions: the number of an element, or one for
// each axis with commas between them.
func ParsePosition(text string) (position []uint64, err error) {
	for part := range strings.SplitSeq(text, ",") {
		n, err := strconv.ParseUint(strings.TrimSpace(part), 10, 63)
		if err != nil {
			return nil, fmt.Errorf("%q, expected numbers from 0 with commas between them", text)
		}
		position = append(position, n)
	}
	return position, nil
}

// ParseSlices reads [Selection].Slices: for each axis a number, or START:STOP:STEP; each part may be missing.
// An empty text has none.
func ParseSlices(text string) (slices []tgm.Slice, err error) {
	if text == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		s, ok := parseSlice(strings.TrimSpace(part))
		if !ok {
			return nil, fmt.Errorf("%q, expected numbers from 0 or START:STOP:STEP with commas between them", text)
		}
		slices = append(slices, s)
	}
	return slices, nil
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
