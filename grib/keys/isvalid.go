package keys

import (
	"slices"
	"strconv"
	"strings"
)

// messageValidClass is 1 if a message passes the checks below, else 0. These are the default
// checks of ecCodes; of the coordinates only the corners are looked at.
type messageValidClass struct{ computedLong }

func (messageValidClass) long(h *Handle, _ *accessor) (int64, error) {
	for _, check := range []func(*Handle) bool{
		hasSections, hasDate, isSpectralThroughout, fitsPacking, hasEvenPV, countsMissing, hasRows, hasIncrements, hasCorners,
		hasSurfaces, hasSteps, hasParameter,
	} {
		if !check(h) {
			return 0, nil
		}
	}
	return 1, nil
}

func hasSections(h *Handle) bool {
	edition, err := h.long("edition")
	needed := []int{1, 2, 4}
	if edition == 2 {
		needed = []int{1, 3, 4, 5, 6, 7, 8}
	}
	return err == nil && h.defined("7777") && !slices.ContainsFunc(needed, func(n int) bool {
		return !h.defined("section_" + strconv.Itoa(n))
	})
}

// hasDate reports whether the reference time is a moment of the calendar.
func hasDate(h *Handle) bool {
	var v [6]int64
	for i, key := range []string{"year", "month", "day", "hour", "minute", "second"} {
		var err error
		if v[i], err = h.long(key); err != nil {
			return false
		}
	}
	year, month, day, _, minute, second := julianToDatetime(datetimeToJulian(v[0], v[1], v[2], v[3], v[4], v[5]))
	return year == v[0] && month == v[1] && day == v[2] && minute == v[4] && second == v[5]
}

func isSpectral(gridType string) bool {
	return strings.HasSuffix(gridType, "sh") || strings.HasSuffix(gridType, "_bf")
}

// isSpectralThroughout makes the checks of spherical harmonics.
func isSpectralThroughout(h *Handle) bool {
	grid, err := h.text("gridType")
	if err != nil {
		return false
	}
	if isSpectral(grid) {
		if bits, err := h.long("bitsPerValue"); err != nil || bits == 0 {
			return false
		}
		if bitmap, err := h.long("bitmapPresent"); err == nil && bitmap != 0 {
			return false
		}
	}
	if edition, _ := h.long("edition"); edition != 2 {
		return true
	}
	packing, err := h.text("packingType")
	if err != nil || packing != "spectral_complex" && packing != "spectral_simple" {
		return err == nil
	}
	size, err := h.getSize(h.lib.Sym("values"))
	if err != nil {
		return false
	}
	points, err := h.long("numberOfDataPoints")
	if err != nil {
		return false
	}
	coded, err := h.long("numberOfCodedValues")
	return err == nil && int64(size) == points && points == coded
}

// fitsPacking checks that spherical harmonics, and no other fields, have a packing for spherical
// harmonics.
func fitsPacking(h *Handle) bool {
	grid, err := h.text("gridType")
	if err != nil || grid == "unknown" || grid == "unknown_PLPresent" {
		return false
	}
	packing, err := h.text("packingType")
	spectral := strings.HasPrefix(packing, "spectral_") || packing == "bifourier_complex"
	return err == nil && spectral == isSpectral(grid)
}

func hasEvenPV(h *Handle) bool {
	if present, err := h.long("PVPresent"); err != nil || present == 0 {
		return true
	}
	n, err := h.getSize(h.lib.Sym("pv"))
	return err == nil && n > 0 && n%2 == 0
}

// countsMissing checks the number of missing points where a bitmap says which they are.
func countsMissing(h *Handle) bool {
	if edition, _ := h.long("edition"); edition != 2 {
		return true
	}
	if gridded, err := h.long("isGridded"); err == nil && gridded == 0 {
		return true
	}
	if managed, err := h.long("missingValueManagementUsed"); err == nil && managed == 1 {
		return true
	}
	if packing, err := h.text("packingType"); err == nil && packing == "grid_run_length" {
		return true
	}
	var n [3]int64
	for i, key := range []string{"numberOfCodedValues", "numberOfMissing", "numberOfDataPoints"} {
		var err error
		if n[i], err = h.long(key); err != nil {
			return false
		}
	}
	return n[0]+n[1] == n[2]
}

// hasRows checks the numbers of points in the rows of a reduced grid.
func hasRows(h *Handle) bool {
	if present, err := h.long("PLPresent"); err != nil || present == 0 {
		return true
	}
	grid, err := h.text("gridType")
	if err != nil {
		return false
	}
	if ni, err := h.long("Ni"); err == nil && ni != Missing {
		return false
	}
	if meaning, err := h.long("interpretationOfNumberOfPoints"); err != nil || meaning != 1 {
		return false
	}
	pl, err := h.getLongs(h.lib.Sym("pl"))
	if err != nil || len(pl) == 0 {
		return false
	}
	points, err := h.long("numberOfDataPoints")
	if err != nil {
		return false
	}
	sum := int64(0)
	for _, n := range pl {
		sum += n
	}
	if grid == "reduced_ll" {
		return sum == points
	}
	if slices.Contains(pl, 0) || sum < points {
		return false
	}
	if global, err := h.long("global"); err != nil || global == 0 {
		return true
	}
	for i := range len(pl) / 2 {
		if pl[i] != pl[len(pl)-1-i] {
			return false
		}
	}
	return true
}

// hasIncrements checks that increments are coded if, and only if, flags say so.
func hasIncrements(h *Handle) bool {
	if present, err := h.long("PLPresent"); err == nil && present == 1 {
		return true
	}
	for _, direction := range []string{"i", "j"} {
		for _, key := range []string{"DirectionIncrementGiven", "DirectionIncrement"} {
			if _, err := h.long(direction + key); err != nil {
				return true
			}
		}
	}
	for _, direction := range []string{"i", "j"} {
		given, _ := h.long(direction + "DirectionIncrementGiven")
		missing, err := h.isMissing(h.lib.Sym(direction + "DirectionIncrement"))
		if (given != 0) == (missing && err == nil) {
			return false
		}
	}
	return true
}

// hasCorners checks the number of points of a regular grid in degrees. Its rows must go where the
// scanning mode says.
func hasCorners(h *Handle) bool {
	grid, err := h.text("gridType")
	if err != nil || !strings.HasPrefix(grid, "regular_") && !strings.HasPrefix(grid, "rotated_ll") {
		return err == nil
	}
	ni, err := h.long("Ni")
	nj, errJ := h.long("Nj")
	points, errPoints := h.long("numberOfDataPoints")
	if err == nil && errJ == nil && errPoints == nil && ni != Missing && ni*nj != points {
		return false
	}
	first, err := h.double("latitudeOfFirstGridPointInDegrees")
	if err != nil {
		return true
	}
	last, err := h.double("latitudeOfLastGridPointInDegrees")
	if err != nil {
		return true
	}
	north, err := h.long("jScansPositively")
	return err != nil || first == last || (last > first) == (north != 0)
}

// surfacesWithValue are the types of surface that a level belongs to (code table 4.5).
var surfacesWithValue = []int64{17, 18, 19, 20, 102, 103, 106, 107, 117, 160, 161, 169, 170, 171}

func hasSurfaces(h *Handle) bool {
	if edition, _ := h.long("edition"); edition != 2 || !h.defined("typeOfFirstFixedSurface") {
		return true
	}
	for _, which := range []string{"First", "Second"} {
		typ, _ := h.long("typeOf" + which + "FixedSurface")
		noFactor, _ := h.isMissing(h.lib.Sym("scaleFactorOf" + which + "FixedSurface"))
		noValue, _ := h.isMissing(h.lib.Sym("scaledValueOf" + which + "FixedSurface"))
		none := typ == 255 || typ == 1 && which == "First"
		if noFactor != noValue || none && !noValue || slices.Contains(surfacesWithValue, typ) && noValue {
			return false
		}
	}
	return true
}

func hasSteps(h *Handle) bool {
	typ, err := h.text("stepType")
	if err != nil || typ == "instant" {
		return err == nil
	}
	start, err := h.long("startStep")
	if err != nil {
		return false
	}
	end, err := h.long("endStep")
	if err != nil || start > end {
		return false
	}
	return start != end || start == 0 || !slices.Contains([]string{"accum", "avg", "min", "max"}, typ)
}

// hasParameter checks that a message of ECMWF has a parameter, and that any message has keys to
// list.
func hasParameter(h *Handle) bool {
	if len(h.namesOf(h.lib.Sym("ls"))) == 0 {
		return false
	}
	centre, err := h.long("centre")
	if err != nil || centre != 98 {
		return err == nil
	}
	param, err := h.long("paramId")
	return err == nil && param != 0
}
