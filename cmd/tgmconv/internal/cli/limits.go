package cli

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

// GRIBLimits are the flags that bound the memory for a GRIB message.
type GRIBLimits struct {
	Points int
	Memory ByteSize
	array  func() int64 // the flag of all verbs
}

// Bind makes the limits the limits of a command.
func (l *GRIBLimits) Bind(cmd *cobra.Command) { l.array = func() int64 { return MaxArrayOf(cmd) } }

// Declare adds the settings, whose help begins with the name of the format where a verb has others.
func (l *GRIBLimits) Declare(s *option.Set, format string) {
	l.Points = grib.DefaultMaxPoints
	s.Number(MaxPointsFlag, &l.Points, format+"most points that a field may have; a decoded point takes 8 bytes of memory")
	arrays := ""
	if format != "" {
		arrays = ". Zarr: size of the largest array that becomes one object, 1 GiB if not given; a store with a larger array is split as by record"
	}
	s.Number(MaxMemoryFlag, &l.Memory, format+"size of the largest message that is read into memory: bytes, or a number with kB, MB, GB, KiB, MiB, GiB; 0 means 4 GiB, but for a small compressed input 64 MiB, or 64 times its size"+arrays)
}

// MaxArrayOf is the value of --max-array in bytes, 0 if it was not given.
func MaxArrayOf(cmd *cobra.Command) int64 {
	megabytes, err := cmd.Flags().GetInt64(maxArrayFlag)
	if err != nil { // a command without the flags of all verbs
		return 0
	}
	return megabytes << 20
}

// Names of flags that an error names.
const (
	MaxPointsFlag = "max-points"
	MaxMemoryFlag = "max-memory"
)

// Check returns an error if a limit is none.
func (l *GRIBLimits) Check() error {
	if l.Points < 1 {
		return Usagef("--%s is %d, expected 1 or more", MaxPointsFlag, l.Points)
	}
	return nil
}

// Limits are the limits of package grib.
func (l *GRIBLimits) Limits() grib.Limits {
	limits := grib.Limits{MaxPoints: l.Points, MaxMessage: int64(l.Memory)}
	if l.array != nil {
		limits.MaxArray = l.array()
	}
	return limits
}

// ErrorText is the text of an error, with the flag that raises the limit if one was exceeded.
func ErrorText(err error) string {
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
	flag, value := MaxPointsFlag, limit.Value
	switch limit.Option() {
	case grib.OptionMaxMessage:
		flag = MaxMemoryFlag
	case grib.OptionMaxArray:
		flag, value = maxArrayFlag, (limit.Value+1<<20-1)>>20
	}
	return fmt.Sprintf("%v (--%s %d allows it)", err, flag, value)
}

// ByteSize is a flag's number of bytes.
type ByteSize int64

func (s *ByteSize) String() string { return strconv.FormatInt(int64(*s), 10) }

// Type names the value in the help.
func (s *ByteSize) Type() string { return "bytes" }

// Set reads a number of bytes, or of a unit.
func (s *ByteSize) Set(text string) error {
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
	*s = ByteSize(v * unit)
	return nil
}

// maxWorkFlag is the flag for how much a command may decode of small inputs.
const maxWorkFlag = "max-work"
