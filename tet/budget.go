package tet

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
)

// A Budget is how much memory a call may take for values. A field that is zero is not set.
type Budget struct {
	Bytes   int64
	Percent float64 // of the available memory; 100 is all of it
}

// ParseBudget reads a number of bytes, or a percentage such as 25%. An empty text gives the zero
// budget.
func ParseBudget(text string) (b Budget, err error) {
	percent, isPercent := strings.CutSuffix(text, "%")
	switch {
	case text == "":
		return b, nil
	case isPercent:
		b.Percent, err = strconv.ParseFloat(percent, 64)
	default:
		b.Bytes, err = strconv.ParseInt(text, 10, 64)
	}
	if err != nil || b.Bytes < 0 || b.Percent < 0 || b == (Budget{}) {
		return Budget{}, fmt.Errorf("%q, expected a number of bytes or a percentage such as 25%%", text)
	}
	return b, nil
}

const (
	defaultBPS    = 2500      // of the available memory
	defaultBudget = 256 << 20 // where the available memory is not known
)

// Budget returns the number of bytes of memory for a call with the budget b. It is the first of
// these that is set: the bytes of b, the bytes of the file, the percentage of b, the percentage
// of the file, 25 %. The percentage is of the available memory; if that is not known, the budget
// is 256 MiB.
func (f *File) Budget(b Budget) int64 {
	return budgetOf(b, f.Execution(), AvailableMemory)
}

func budgetOf(b Budget, e Execution, available func() (int64, bool)) int64 {
	switch {
	case b.Bytes > 0:
		return b.Bytes
	case e.Bytes > 0:
		return int64(e.Bytes)
	}
	bps := float64(defaultBPS)
	switch {
	case b.Percent > 0:
		bps = b.Percent * 100
	case e.PercentBPS > 0:
		bps = float64(e.PercentBPS)
	}
	memory, ok := available()
	if !ok {
		return defaultBudget
	}
	return int64(max(1, min(float64(memory)*bps/10000, math.MaxInt64/2)))
}

// AvailableMemory returns the number of bytes that the system can provide without swapping; false
// if it is not known.
func AvailableMemory() (int64, bool) {
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0, false
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if text, ok := strings.CutPrefix(lines.Text(), "MemAvailable:"); ok {
			kilobytes, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(text, "kB")), 10, 53)
			return kilobytes << 10, err == nil
		}
	}
	return 0, false
}
