package mapping

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// LookupFunc is a Lookup over values with the types of message metadata. A text that is a number has
// that number as its integer and real value, and a whole number is an integer: 850.0 is 850.
type LookupFunc func(key string) (any, bool)

// Text implements [Lookup]: texts as they are, numbers in their shortest form, lists as JSON.
func (f LookupFunc) Text(key string) (string, bool) {
	v, ok := f(key)
	if !ok {
		return "", false
	}
	switch v := v.(type) {
	case string:
		return v, true
	case int64:
		return strconv.FormatInt(v, 10), true
	case uint64:
		return strconv.FormatUint(v, 10), true
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), true
	}
	list, err := json.Marshal(v)
	return string(list), err == nil
}

// Int implements [Lookup].
func (f LookupFunc) Int(key string) (int64, bool) {
	v, ok := f(key)
	if !ok {
		return 0, false
	}
	switch v := v.(type) {
	case int64:
		return v, true
	case uint64:
		return int64(v), v <= math.MaxInt64
	case string:
		if n, err := strconv.ParseInt(strings.TrimSpace(v), 10, 64); err == nil {
			return n, true
		}
	}
	r, ok := f.Real(key)
	return int64(r), ok && r == math.Trunc(r) && math.Abs(r) < 1<<53
}

// Real implements [Lookup].
func (f LookupFunc) Real(key string) (float64, bool) {
	v, ok := f(key)
	if !ok {
		return 0, false
	}
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case uint64:
		return float64(v), true
	case float64:
		return v, true
	case string:
		return parseReal(v)
	}
	return 0, false
}
