package keys

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Number and text conversions as the C library makes them.

// cstring is the text up to the first zero byte, as in ecCodes' Python interface.
// Texts in messages are ASCII, and other bytes become U+FFFD each. A text whose
// bits are all set is empty.
func cstring(b []byte) string {
	ascii, ones := true, true
	for i, c := range b {
		if c == 0 {
			b = b[:i]
			break
		}
		ascii = ascii && c < utf8.RuneSelf
		ones = ones && c == 0xff
	}
	if ascii {
		return string(b)
	}
	if ones {
		return ""
	}
	var s strings.Builder
	for _, c := range b {
		if c < utf8.RuneSelf {
			s.WriteByte(c)
		} else {
			s.WriteRune(utf8.RuneError)
		}
	}
	return s.String()
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// strtol reads a decimal integer at the start of s and returns the rest of s.
// Without digits the value is 0 and nothing is taken.
func strtol(s string) (v int64, rest string) {
	i := 0
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	neg := false
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		neg = s[i] == '-'
		i++
	}
	start := i
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		if v > (math.MaxInt64-9)/10 {
			v = math.MaxInt64
			continue
		}
		v = v*10 + int64(s[i]-'0')
	}
	if i == start {
		return 0, s
	}
	if neg {
		v = -v
	}
	return v, s[i:]
}

// strtod reads a decimal number at the start of s and returns the rest of s.
func strtod(s string) (v float64, rest string) {
	t := strings.TrimLeft(s, " \t\n\v\f\r")
	n := 0
	digits := func() bool {
		m := n
		for n < len(t) && t[n] >= '0' && t[n] <= '9' {
			n++
		}
		return n > m
	}
	if n < len(t) && (t[n] == '-' || t[n] == '+') {
		n++
	}
	ok := digits()
	if n < len(t) && t[n] == '.' {
		n++
		ok = digits() || ok
	}
	if !ok {
		return 0, s
	}
	if n < len(t) && (t[n] == 'e' || t[n] == 'E') {
		m := n
		n++
		if n < len(t) && (t[n] == '-' || t[n] == '+') {
			n++
		}
		if !digits() {
			n = m
		}
	}
	v, err := strconv.ParseFloat(t[:n], 64)
	if err != nil && v == 0 {
		return 0, s
	}
	return v, t[n:]
}

func atof(s string) float64 {
	v, _ := strtod(s)
	return v
}

func atol(s string) int64 {
	v, _ := strtol(s)
	return v
}

// truncate is C's conversion of a double to a long on x86-64: values out of
// range become the smallest integer.
func truncate(v float64) int64 {
	if v >= -math.MaxInt64-1 && v < math.MaxInt64 {
		return int64(v)
	}
	return math.MinInt64
}

// formatG is printf's %g.
func formatG(v float64) string { return formatPrecision(v, 6) }

func formatPrecision(v float64, prec int) string {
	switch {
	case math.IsNaN(v):
		if math.Signbit(v) {
			return "-nan"
		}
		return "nan"
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	case v == 0:
		if math.Signbit(v) {
			return "-0"
		}
		return "0"
	}
	e := strconv.FormatFloat(v, 'e', prec-1, 64)
	i := strings.IndexByte(e, 'e')
	exp, _ := strconv.Atoi(e[i+1:])
	if exp < -4 || exp >= prec {
		return trimZeros(e[:i]) + e[i:] // the exponent has two digits or more, as in C
	}
	return trimZeros(strconv.FormatFloat(v, 'f', prec-1-exp, 64))
}

func trimZeros(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}
