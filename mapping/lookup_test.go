package mapping

import "testing"

func TestPath(t *testing.T) {
	m := map[string]any{
		"a":          map[string]any{"b": int64(1), "c.d": int64(2)},
		"a.b":        int64(3),
		"x.y":        map[string]any{"z": int64(4)},
		"list":       []any{int64(5), map[string]any{"k": int64(6)}},
		"_reserved_": map[string]any{"tensor": int64(7)},
	}
	for key, want := range map[string]any{
		"a.b": int64(3), "a.c.d": int64(2), "x.y.z": int64(4), "list.0": int64(5), "list.1.k": int64(6),
		"list.2": nil, "list.-1": nil, "list.x": nil, "a.z": nil, "": nil, ".": nil, "a.": nil,
		"_reserved_": nil, "_reserved_.tensor": nil,
	} {
		got, ok := Path(m, key)
		if ok != (want != nil) || (ok && got != want) {
			t.Errorf("%q: %v, %v; expected %v", key, got, ok, want)
		}
	}
}
