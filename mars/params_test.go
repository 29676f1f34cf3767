package mars

import (
	"math"
	"testing"
)

func TestLookupParam(t *testing.T) {
	for _, want := range []Param{
		{167, "2t", "2 metre temperature", "K", "air_temperature", "t2m"},
		{130, "t", "Temperature", "K", "air_temperature", ""},
		{129, "z", "Geopotential", "m**2 s**-2", "geopotential", ""},
		{228, "tp", "Total precipitation", "m", "", ""},
		{134, "sp", "Surface pressure", "Pa", "surface_air_pressure", ""},
	} {
		got, ok := LookupParam(want.ID)
		if !ok || got != want {
			t.Errorf("%d: got %+v, want %+v", want.ID, got, want)
		}
	}
	for _, id := range []int{-1, 0, math.MaxInt} {
		if p, ok := LookupParam(id); ok {
			t.Errorf("%d: found %+v", id, p)
		}
	}
	if n := testing.AllocsPerRun(100, func() { LookupParam(167) }); n != 0 {
		t.Errorf("%g allocations per look-up", n)
	}
}

// The names are ecCodes 2.50's values of cfVarName.
func TestVarName(t *testing.T) {
	for id, want := range map[int64]string{167: "t2m", 165: "u10", 130: "t", 228: "tp", 0: "", -1: "", 1 << 40: ""} {
		if got := VarName(id); got != want {
			t.Errorf("%d is %q, expected %q", id, got, want)
		}
	}
}

func TestParams(t *testing.T) {
	list := Params()
	if len(list) < 5000 {
		t.Fatalf("%d parameters", len(list))
	}
	for i, p := range list {
		if i > 0 && p.ID <= list[i-1].ID {
			t.Fatalf("parameter %d after %d", p.ID, list[i-1].ID)
		}
		if p.Name == "" {
			t.Errorf("parameter %d has no name", p.ID)
		}
	}
}

func TestUnpackParamsDamaged(t *testing.T) {
	for n := 0; n < len(paramsData); n += 997 {
		if _, err := unpackParams(paramsData[:n]); err == nil {
			t.Errorf("%d of %d bytes: no error", n, len(paramsData))
		}
	}
}
