package dataset

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/internal/catalog"
)

// A level is a level or a layer. The value of a layer is its top, which two layers may have.
type level struct{ value, top, bottom float64 }

// isLayer reports whether the level has a top and a bottom.
func (l level) isLayer() bool { return l.top != absent }

// bounds are the top and the bottom. The bottom of the lowest layer may be missing.
func (l level) bounds() []float64 {
	if !l.isLayer() {
		return []float64{l.value, math.NaN()}
	}
	return []float64{l.top, l.bottom}
}

func (l level) outer() float64 { return l.value }

func (l level) inner() float64 {
	if !l.isLayer() {
		return l.value
	}
	return l.bottom
}

func (l level) middle() float64 {
	if !l.isLayer() {
		return l.value
	}
	return shortest((l.top + l.bottom) / 2)
}

// A levelSet numbers levels, so that one number in a position says all of a layer.
type levelSet struct {
	numbers  map[level]int
	levels   []level
	shortest map[float64]float64 // the results of shortest
}

func newLevelSet() *levelSet {
	return &levelSet{numbers: make(map[level]int), shortest: make(map[float64]float64)}
}

// number returns the number of a level.
func (s *levelSet) number(l level) float64 {
	n, ok := s.numbers[l]
	if !ok {
		n = len(s.levels)
		s.numbers[l] = n
		s.levels = append(s.levels, l)
	}
	return float64(n)
}

// sort orders numbers of levels by value, and returns the function that gives a level its value. This is the
// top of a layer, or its middle where two have the same top, or its bottom where two have the same middle,
// because an index with a value twice cannot be searched. It is the top where none of them tells all apart.
func (s *levelSet) sort(numbers []float64) (value func(level) float64) {
	value = level.outer
	for _, candidate := range []func(level) float64{level.outer, level.middle, level.inner} {
		if s.differ(numbers, candidate) {
			value = candidate
			break
		}
	}
	slices.SortFunc(numbers, func(a, b float64) int {
		x, y := s.levels[int(a)], s.levels[int(b)]
		return cmp.Or(cmp.Compare(value(x), value(y)), cmp.Compare(x.bottom, y.bottom))
	})
	return value
}

// differ reports whether no two levels have the same value.
func (s *levelSet) differ(numbers []float64, value func(level) float64) bool {
	seen := make(map[float64]bool, len(numbers))
	for _, n := range numbers {
		seen[value(s.levels[int(n)])] = true
	}
	return len(seen) == len(numbers)
}

// level returns the number of the level of a field, absent if it has none. A type with a single level has the
// number 0, as in cfgrib, whatever the field says.
func (m *fieldMaker) level(l *catalog.Labels, levelType string) float64 {
	if l.Top.Known && l.Bottom.Known {
		top := m.levels.short(l.Top.Value)
		return m.levels.number(level{top, top, m.levels.short(l.Bottom.Value)})
	}
	value, ok := l.Level.Get()
	switch {
	case levelType == "" || levelType == "unknown":
		return absent
	case nominal[levelType]:
		value = 0
	case !ok:
		return absent
	}
	return m.levels.number(level{m.levels.short(value), absent, absent})
}

// short returns shortest of v, which is computed once for many fields.
func (s *levelSet) short(v float64) float64 {
	if v == math.Trunc(v) && math.Abs(v) < 1e14 {
		return v
	}
	short, ok := s.shortest[v]
	if !ok {
		short = shortest(v)
		s.shortest[v] = short
	}
	return short
}

// shortest undoes the last bits that a level lost where it was computed from a decimal number:
// 0.9949999999999999 was 0.995.
func shortest(v float64) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 14, 64), 64)
	if err != nil {
		return v
	}
	return short
}

// nominal are the types of level that have one level each, whose number says nothing.
var nominal = map[string]bool{
	"surface": true, "meanSea": true, "entireAtmosphere": true, "atmosphere": true, "tropopause": true, "nominalTop": true,
	"mostUnstableParcel": true, "mixedLayerParcel": true, "isothermZero": true, "maxWind": true, "cloudBase": true, "cloudTop": true,
	"highestTroposphericFreezing": true, "atmosphereSingleLayer": true, "entireOcean": true, "iceLayerOnWater": true,
	"boundaryLayerCloudBottom": true, "unknown": true, "": true,
}

// descending reports whether levels of a type are listed from the greatest number down: pressure.
func descending(levelType string) bool { return strings.HasPrefix(levelType, "isobaric") }
