package mapping

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
)

// TestShare sets keys beside and among the keys that other attributes share.
func TestShare(t *testing.T) {
	shared := new(Attributes)
	set := func(a *Attributes, key string, value any) {
		t.Helper()
		if err := a.Set("g", key, value); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 100 { // more than indexFrom, so that a map finds them
		set(shared, fmt.Sprint("k", i), i)
	}
	a, b := new(Attributes), new(Attributes)
	set(b, "before", 1)
	a.Share(shared)
	b.Share(shared)
	set(a, "k1", "changed")
	set(a, "new", "added")
	for _, of := range []*Attributes{shared, b} {
		if v, _ := of.Get("g", "k1"); v != int64(1) || of.Len("g") != 100 {
			t.Errorf("k1 is %v among %d", v, of.Len("g"))
		}
	}
	if v, _ := a.Get("g", "k1"); v != "changed" || a.Len("g") != 101 {
		t.Errorf("k1 is %v among %d", v, a.Len("g"))
	}
	if v, ok := a.Get("g", "new"); v != "added" || !ok {
		t.Errorf("new is %v", v)
	}
}

func TestAttributesKeepOrderAndReplaceInPlace(t *testing.T) {
	var a Attributes
	want := make([]string, 0, 3*indexFrom)
	for i := range 3 * indexFrom {
		key := fmt.Sprintf("key%02d", 3*indexFrom-i)
		want = append(want, key)
		if err := a.Set("mars", key, i); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Set("mars", want[2], "new"); err != nil {
		t.Fatal(err)
	}
	var got []string
	for at := range a.All("mars") {
		got = append(got, at.Key)
	}
	if !slices.Equal(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
	if v, ok := a.Get("mars", want[2]); !ok || v != "new" {
		t.Errorf("replaced value is %v, %v", v, ok)
	}
	if v, ok := a.Get("mars", want[len(want)-1]); !ok || v != int64(3*indexFrom-1) {
		t.Errorf("last value is %v, %v", v, ok)
	}
	if _, ok := a.Get("mars", "absent"); ok {
		t.Error("found a key that was not set")
	}
	if _, ok := a.Get("absent", "key01"); ok {
		t.Error("found a group that was not begun")
	}
	if a.Len("mars") != 3*indexFrom || a.Len("absent") != 0 {
		t.Errorf("lengths %d and %d", a.Len("mars"), a.Len("absent"))
	}
}

func TestSetWidens(t *testing.T) {
	for _, c := range []struct{ in, want any }{
		{int8(-3), int64(-3)}, {uint16(7), uint64(7)}, {float32(0.5), 0.5}, {"x", "x"}, {uint64(1 << 63), uint64(1 << 63)},
		{[]int16{-1, 2}, []int64{-1, 2}}, {[]uint32{1}, []uint64{1}}, {[]float32{1.5}, []float64{1.5}}, {[]byte{1}, []byte{1}},
	} {
		var a Attributes
		if err := a.SetTyped("g", "k", c.in, "native"); err != nil {
			t.Errorf("%T: %v", c.in, err)
		}
		if at, _ := a.Lookup("g", "k"); !reflect.DeepEqual(at.Value, c.want) || at.Type != "native" {
			t.Errorf("%T became %#v of type %q, want %#v", c.in, at.Value, at.Type, c.want)
		}
	}
	var a Attributes
	if err := a.Set("g", "k", struct{}{}); err == nil {
		t.Error("a struct was accepted")
	}
}

func TestBase(t *testing.T) {
	var a Attributes
	if err := a.Set("mars", "class", "od"); err != nil {
		t.Fatal(err)
	}
	base, err := Base("2t", &a, map[string]any{"step": int64(6)}, Namespace{"mars", GroupMap("mars")}, Namespace{"cf", GroupMap("cf")})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"name": "2t", "step": int64(6), "mars": map[string]any{"class": "od"}}
	if !reflect.DeepEqual(base, want) {
		t.Errorf("base %v, want %v", base, want)
	}
	if _, err := Base("2t", &a, map[string]any{"name": "t"}); err == nil {
		t.Error("a key given twice was accepted")
	}
	if _, err := Base("2t", &a, map[string]any{"_reserved_": 1}); err == nil {
		t.Error("_reserved_ was accepted")
	}
	broken := errors.New("broken")
	fails := func(*Attributes) (map[string]any, error) { return nil, broken }
	if _, err := Base("", &a, nil, Namespace{"x", fails}); !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
}
