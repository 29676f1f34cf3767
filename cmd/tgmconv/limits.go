package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/internal/unpack"
	"github.com/tgmconv/tgmconv/tgm"
)

// gribLimits are the flags that bound what reading a GRIB message may cost.
type gribLimits struct {
	points int
	memory byteSize
	array  func() int64 // the flag of all verbs
}

// bind has the limits be those of a command.
func (l *gribLimits) bind(cmd *cobra.Command) { l.array = func() int64 { return maxArrayOf(cmd) } }

// declare adds the settings, whose help begins with the name of the format where a verb has others.
func (l *gribLimits) declare(s *option.Set, format string) {
	l.points = grib.DefaultMaxPoints
	s.Number(maxPointsFlag, &l.points, format+"most points that a field may have; each takes 8 bytes of memory where it is decoded")
	arrays := ""
	if format != "" {
		arrays = ". Zarr: size of the largest array that becomes one object, 1 GiB if not given; a store with a larger one is split as by record"
	}
	s.Number(maxMemoryFlag, &l.memory, format+"size of the largest message that is read into memory: bytes, or a number with kB, MB, GB, KiB, MiB, GiB; 0 means 4 GiB, but of a small compressed input 64 MiB, or 64 times its size"+arrays)
}

// maxArrayOf is the value of --max-array in bytes, 0 if it was not given.
func maxArrayOf(cmd *cobra.Command) int64 {
	megabytes, err := cmd.Flags().GetInt64(maxArrayFlag)
	if err != nil { // a command without the flags of all verbs
		return 0
	}
	return megabytes << 20
}

// Names of flags that an error names.
const (
	maxPointsFlag = "max-points"
	maxMemoryFlag = "max-memory"
)

func (l *gribLimits) check() error {
	if l.points < 1 {
		return usagef("--%s is %d, expected 1 or more", maxPointsFlag, l.points)
	}
	return nil
}

func (l *gribLimits) limits() grib.Limits {
	limits := grib.Limits{MaxPoints: l.points, MaxMessage: int64(l.memory)}
	if l.array != nil {
		limits.MaxArray = l.array()
	}
	return limits
}

// errorText is the text of an error, with the flag that allows what went beyond a limit.
func errorText(err error) string {
	var expansion *tgm.ExpansionError
	if errors.As(err, &expansion) {
		return fmt.Sprintf("%v (--%s %d allows it)", err, maxArrayFlag, (expansion.Bytes+1<<20-1)>>20)
	}
	var unpacked *unpack.TooLargeError
	if errors.As(err, &unpacked) {
		return fmt.Sprintf("%v (--%s %d allows twice that)", err, maxUnpackedFlag, (2*unpacked.Limit+1<<20-1)>>20)
	}
	var work *importers.WorkError
	if errors.As(err, &work) {
		if work.AtOnce {
			return fmt.Sprintf("%v (--%s %d allows it)", err, maxWorkFlag, (4*work.Bytes+1<<20-1)>>20)
		}
		return fmt.Sprintf("%v (--%s %d allows twice that)", err, maxWorkFlag, work.Limit>>19)
	}
	var limit *grib.LimitError
	if !errors.As(err, &limit) {
		return err.Error()
	}
	flag, value := maxPointsFlag, limit.Value
	switch limit.Option() {
	case grib.OptionMaxMessage:
		flag = maxMemoryFlag
	case grib.OptionMaxArray:
		flag, value = maxArrayFlag, (limit.Value+1<<20-1)>>20
	}
	return fmt.Sprintf("%v (--%s %d allows it)", err, flag, value)
}

// byteSize is a flag's number of bytes.
type byteSize int64

func (s *byteSize) String() string { return strconv.FormatInt(int64(*s), 10) }

// Type names the value in the help.
func (s *byteSize) Type() string { return "bytes" }

// Set reads a number of bytes, or of a unit.
func (s *byteSize) Set(text string) error {
	number, unit := text, float64(1)
	for _, u := range []struct {
		suffix string
		bytes  float64
	}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}} {
		if n, ok := strings.CutSuffix(text, u.suffix); ok {
			number, unit = strings.TrimSpace(n), u.bytes
			break
		}
	}
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || !(v*unit >= 1) || v*unit >= math.MaxInt64 {
		return errors.New("expected a number of bytes such as 8GiB")
	}
	*s = byteSize(v * unit)
	return nil
}

// maxWorkFlag is the flag for how much a command may decode of small inputs.
const maxWorkFlag = "max-work"
