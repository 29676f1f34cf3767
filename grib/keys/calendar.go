package keys

import "math"

// Calendar arithmetic as in ecCodes. Dates have proleptic Gregorian day
// numbers; date and time have the astronomers' Julian date (with the reform of
// 1582).

// dateToJulian is the day number of yyyymmdd.
func dateToJulian(date int64) int64 {
	year, month, day := date/10000, date/100%100, date%100
	m, y := month-3, year
	if month <= 2 {
		m, y = month+9, year-1
	}
	return 146097*(y/100)/4 + 1461*(y%100)/4 + (153*m+2)/5 + day + 1721119
}

// julianToDate is the yyyymmdd of a day number.
func julianToDate(j int64) int64 {
	x := 4*j - 6884477
	y := x / 146097 * 100
	d := x % 146097 / 4
	x = 4*d + 3
	y += x / 1461
	d = x%1461/4 + 1
	x = 5*d - 3
	m := x/153 + 1
	day := x%153/5 + 1
	month := m - 10
	if m < 11 {
		month = m + 2
	}
	return (y+m/11)*10000 + month*100 + day
}

// datetimeToJulian is the Julian date of a moment.
func datetimeToJulian(year, month, day, hour, minute, second int64) float64 {
	dday := float64(hour*3600+minute*60+second)/86400 + float64(day)
	y, m := year, month
	if month < 3 {
		y, m = year-1, month+12
	}
	a := float64(y / 100)
	b := 0.0
	if year > 1582 || year == 1582 && (month > 10 || month == 10 && day > 14) {
		b = 2 - a + float64(int64(a/4))
	}
	return math.Trunc(365.25*float64(y+4716)) + math.Trunc(30.6001*float64(m+1)) + dday + b - 1524.5
}

// julianToDatetime is the moment of a Julian date.
func julianToDatetime(jd float64) (year, month, day, hour, minute, second int64) {
	jd += 0.5
	z := int64(jd)
	f := jd - float64(z)
	a := z
	if z >= 2299161 {
		alpha := int64((float64(z) - 1867216.25) / 36524.25)
		a = z + 1 + alpha - int64(float64(alpha)/4)
	}
	b := a + 1524
	c := int64((float64(b) - 122.1) / 365.25)
	d := int64(365.25 * float64(c))
	e := int64(float64(b-d) / 30.6001)
	dday := float64(b-d-int64(30.6001*float64(e))) + f
	day = int64(dday)
	s := int64(float64((dday-float64(day))*86400) + 0.5)
	hour, minute, second = s/3600, s%3600/60, s%60
	if hour == 24 {
		hour = 0
		day++
	}
	month = e - 13
	if e < 14 {
		month = e - 1
	}
	year = c - 4715
	if month > 2 {
		year = c - 4716
	}
	return year, month, day, hour, minute, second
}

// stepMinutes converts a step to minutes. Units without a length count as -1
// minute, as in ecCodes; ok is false for an unknown unit.
func stepMinutes(step, units int64) (v int64, ok bool) {
	switch units {
	case 0:
		return step, true
	case 1:
		return step * 60, true
	case 2:
		return step * 60 * 24, true
	case 10:
		return step * 60 * 3, true
	case 11:
		return step * 60 * 6, true
	case 12:
		return step * 60 * 12, true
	case 13:
		return step / 60, true
	case 14:
		return step * 15, true
	case 15:
		return step * 30, true
	case 3:
		return step * 43200, true
	}
	return -step, units > 0 && units < 10
}
