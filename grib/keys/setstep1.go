package keys

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// setStepRange1 sets the steps of edition 1: P1 and P2 as the time range indicator says.
func setStepRange1(s *setter, h *Handle, e *Entry, value string) error {
	from, to, span := strings.Cut(value, "-")
	if !span {
		to = value
	}
	end, err := parseStep(to)
	if err != nil {
		return err
	}
	kind, err := h.Int("timeRangeIndicator")
	if err != nil {
		return err
	}
	start := int64(0)
	if span {
		if start, err = parseStep(from); err != nil {
			return err
		}
	} else if slices.Contains(spans1, kind) {
		if start, err = h.start1(); err != nil {
			return err
		}
	}
	unit, err := h.Int("indicatorOfUnitOfTimeRange")
	if err != nil {
		return err
	}
	limit := int64(math.MaxUint8)
	if kind == inTwoOctets {
		limit = math.MaxUint16
	}
	unit, size := unitOf1(unit, start, end, limit)
	if size == 0 {
		return fmt.Errorf("step %s: %w", value, ErrOutOfRange)
	}
	if err := s.all("indicatorOfUnitOfTimeRange", unit); err != nil {
		return err
	}
	switch {
	case slices.Contains(spans1, kind):
		return s.all("P1", start/size, "P2", end/size)
	case kind == inTwoOctets || (kind == 0 || kind == 1) && end/size > math.MaxUint8:
		if end/size > math.MaxUint16 {
			return fmt.Errorf("step %s: %w", value, ErrOutOfRange)
		}
		return s.all("timeRangeIndicator", inTwoOctets, "P1", end/size>>8, "P2", end/size&math.MaxUint8)
	case kind == 0 || kind == 1:
		return s.all("timeRangeIndicator", 0, "P1", end/size)
	case kind >= 113 && kind <= 118: // averages of many forecasts
		return s.all("P1", end/size)
	}
	return fmt.Errorf("with time range indicator %d: %w", kind, ErrNoSetting)
}

// inTwoOctets is the time range indicator of steps whose number is in the octets of P1 and P2.
const inTwoOctets = 10

// setStart1 sets the beginning of a step of edition 1.
func setStart1(s *setter, h *Handle, e *Entry, value string) error {
	kind, err := h.Int("timeRangeIndicator")
	if err != nil {
		return err
	}
	if !slices.Contains([]int64{2, 3, 4, 5}, kind) {
		return setStepRange1(s, h, e, value)
	}
	end, err := h.String("endStep")
	if err != nil {
		return err
	}
	return setStepRange1(s, h, e, value+"-"+end)
}

// spans1 are the time range indicators of spans from P1 to P2.
var spans1 = []int64{2, 3, 4, 5}

// start1 returns P1 in seconds.
func (h *Handle) start1() (int64, error) {
	n, err := h.Int("P1")
	if err != nil {
		return 0, err
	}
	unit, err := h.Int("indicatorOfUnitOfTimeRange")
	return n * secondsOf(unit, 1), err
}

// unitOf1 returns a unit of edition 1 in which steps are at most limit. It prefers the present unit,
// and returns that also where no unit fits.
func unitOf1(now, start, end, limit int64) (unit, size int64) {
	for _, unit := range []int64{now, 1, 10, 11, 12, 2} {
		if size := secondsOf(unit, 1); size != 0 && start%size == 0 && end%size == 0 && end/size <= limit {
			return unit, size
		}
	}
	if size = secondsOf(now, 1); size != 0 && end%size != 0 {
		size = 0
	}
	return now, size
}
