package tgm

import (
	"iter"
	"maps"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// Lookup returns the value at a path of metadata, and whether there is one. A path is keys joined
// by dots, such as mars.step; a number selects an element of a list, as in mars.area.0. A key may
// have dots in it. Values that the encoder wrote, under "_reserved_", are not found.
func Lookup(m map[string]any, path string) (any, bool) {
	if path == keyReserved || strings.HasPrefix(path, keyReserved+".") {
		return nil, false
	}
	if v, ok := m[path]; ok {
		return v, true
	}
	for i, c := range path {
		if c != '.' {
			continue
		}
		if inner, ok := m[path[:i]]; ok {
			if v, ok := lookupIn(inner, path[i+1:]); ok {
				return v, true
			}
		}
	}
	return nil, false
}

func lookupIn(v any, path string) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		return Lookup(v, path)
	case []any:
		number, rest, more := strings.Cut(path, ".")
		i, err := strconv.Atoi(number)
		switch {
		case err != nil || i < 0 || i >= len(v):
		case more:
			return lookupIn(v[i], rest)
		default:
			return v[i], true
		}
	}
	return nil, false
}

// Scalar is the type of a value that Get returns.
type Scalar interface {
	string | bool | int64 | float64 | []byte
}

// Get returns the value at a path of metadata as type T, and false if it is not there. An
// integer is a float64 too if that is exact; nothing else is converted, so that a value that is
// absent, or of another type, differs from a value of zero.
func Get[T Scalar](m map[string]any, path string) (T, bool) {
	var zero T
	v, ok := Lookup(m, path)
	if !ok {
		return zero, false
	}
	if n, isInt := v.(int64); isInt && n >= -1<<53 && n <= 1<<53 {
		if _, wanted := any(zero).(float64); wanted {
			v = float64(n)
		}
	}
	t, ok := v.(T)
	return t, ok
}

// nameKeys are the keys that name an object, the most telling first.
var nameKeys = [...]string{"name", "param", "mars.param", "mars.shortName", "shortName"}

// Name returns the first text among name, param, mars.param, mars.shortName and shortName in
// the metadata of the object. It returns "" if there is none.
func (o *Object) Name() string {
	for _, key := range nameKeys {
		if name, ok := Get[string](o.base, key); ok && name != "" {
			return name
		}
	}
	return ""
}

// Find yields the objects whose metadata has the value at the path. Numbers are equal if they have
// the same value, whatever their type. An error is the last thing it yields.
func (m *Message) Find(path string, value any) iter.Seq2[*Object, error] {
	return func(yield func(*Object, error) bool) {
		for o, err := range m.Objects() {
			if err == nil {
				if v, ok := Lookup(o.Base(), path); !ok || !equalValues(v, value) {
					continue
				}
			}
			if !yield(o, err) || err != nil {
				return
			}
		}
	}
}

// equalValues compares a value of metadata with the caller's value.
func equalValues(v, want any) bool {
	if a, ok := numberOf(v); ok {
		b, ok := numberOf(want)
		return ok && a == b
	}
	return reflect.DeepEqual(v, want)
}

func numberOf(v any) (float64, bool) {
	if v == nil {
		return 0, false
	}
	r := reflect.ValueOf(v)
	switch {
	case r.CanInt():
		return float64(r.Int()), true
	case r.CanUint():
		return float64(r.Uint()), true
	case r.CanFloat():
		return r.Float(), !math.IsNaN(r.Float())
	}
	return 0, false
}

// ComputeCommon splits base entries into the keys that all have with equal values, and the rest of
// each. Values are compared as a whole: the map mars is common if it is the same everywhere.
// "_reserved_" is left out.
func ComputeCommon(base []map[string]any) (common map[string]any, rest []map[string]any) {
	common, rest = map[string]any{}, make([]map[string]any, len(base))
	if len(base) > 0 {
		common = maps.Clone(withoutReserved(base[0]))
	}
	for _, entry := range base {
		maps.DeleteFunc(common, func(key string, v any) bool {
			w, ok := entry[key]
			return !ok || !reflect.DeepEqual(v, w)
		})
	}
	for i, entry := range base {
		rest[i] = maps.Clone(withoutReserved(entry))
		maps.DeleteFunc(rest[i], func(key string, _ any) bool {
			_, ok := common[key]
			return ok
		})
	}
	return common, rest
}
