package catalog

import "testing"

func TestName(t *testing.T) {
	mars := func(key string, value any) map[string]any {
		return map[string]any{"mars": map[string]any{key: value}}
	}
	for _, c := range []struct {
		base map[string]any
		want string
	}{
		{nil, "object_7"},
		{map[string]any{"name": "x", "param": "y"}, "x"},
		{map[string]any{"name": ""}, "object_7"},
		{map[string]any{"name": "", "param": "y"}, "y"},
		{mars("param", int64(167)), "2t"},
		{mars("param", "t"), "t"},
		{mars("shortName", "q"), "q"},
		{map[string]any{"param": uint64(167)}, "2t"},
		{map[string]any{"param": 1.5}, "1.5"},
		{mars("param", int64(99999999999)), "99999999999"},
		{mars("param", uint64(1<<64-1)), "18446744073709551615"},
		{map[string]any{"param": int64(-1)}, "-1"},
		{map[string]any{"mars": "167"}, "object_7"},
	} {
		if got := ObjectName(c.base, 7); got != c.want {
			t.Errorf("%v: %q, want %q", c.base, got, c.want)
		}
	}
}
