package serve

import "testing"

func TestInnerTag(t *testing.T) {
	for want, inner := range map[string][]uint64{`"1a-2b-"`: nil, `"1a-2b-7"`: {7}, `"1a-2b-0.18446744073709551615.3"`: {0, 1<<64 - 1, 3}} {
		if got := innerTag("1a-2b", inner); got != want {
			t.Errorf("the tag of %v is %s, expected %s", inner, got, want)
		}
	}
}
