package main

import (
	"math"
	"strconv"
	"strings"

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
