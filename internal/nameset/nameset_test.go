package nameset

import "testing"

func TestSet(t *testing.T) {
	s := New()
	if !s.Claim("t_2") || s.Claim("t_2") {
		t.Error("a name is not taken once")
	}
	for _, want := range []string{"t", "t_1", "t_3", "t_4"} {
		if got := s.Next("t"); got != want {
			t.Errorf("%s, expected %s", got, want)
		}
	}
	if got := s.Next("t_1"); got != "t_1_1" {
		t.Errorf("%s, expected t_1_1", got)
	}
}
