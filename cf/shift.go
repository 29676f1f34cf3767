package cf

// maxShift bounds the days between two references, so that nothing overflows.
const maxShift = 1_000_000

// Shift returns the number that is added to a time in other units to have it in these units. The
// result is false if the units are not of one length in one calendar, or if that number is no
// multiple of 1/64.
func (t *TimeUnits) Shift(from *TimeUnits) (float64, bool) {
	days := from.day - t.day
	if t.Calendar != from.Calendar || t.unit != from.unit || t.perMicro != 1 || from.perMicro != 1 || t.finer || from.finer ||
		days > maxShift || days < -maxShift {
		return 0, false
	}
	const parts = 64
	micro := (days*microsPerDay + from.micro - t.micro) * parts
	if micro%t.unit != 0 {
		return 0, false
	}
	n := micro / t.unit
	if n > 1<<53 || n < -1<<53 {
		return 0, false
	}
	return float64(n) / parts, true
}
