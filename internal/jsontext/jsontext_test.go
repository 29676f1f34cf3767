package jsontext

import (
	"encoding/json"
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"
)

func TestAppend(t *testing.T) {
	tests := []struct {
		value any
		want  string
	}{
		{nil, "null"},
		{true, "true"},
		{int64(math.MinInt64), "-9223372036854775808"},
		{uint64(math.MaxUint64), "18446744073709551615"},
		{new(big.Int).Lsh(big.NewInt(-1), 64), "-18446744073709551616"},
		{1.0, "1.0"},
		{0.1, "0.1"},
		{1e21, "1e+21"},
		{1e-7, "1e-07"},
		{math.Copysign(0, -1), "-0.0"},
		{float32(0.1), "0.1"},
		{math.NaN(), `"NaN"`},
		{math.Inf(1), `"Infinity"`},
		{math.Inf(-1), `"-Infinity"`},
		{"a\"\\\n\t\x01é<\xff", "\"a\\\"\\\\\\n\\t\\u0001é<\ufffd\""},
		{[]byte{0, 1, 2}, `"AAEC"`},
		{[]any{int64(1), "x", []string{"y"}}, `[1,"x",["y"]]`},
		{[]float64{1, math.NaN()}, `[1.0,"NaN"]`},
		{map[string]any{"b": int64(1), "a": map[string]any{}, "B": nil}, `{"B":null,"a":{},"b":1}`},
		{json.Number("1e400"), "1e400"},
	}
	for _, test := range tests {
		got, err := Append(nil, test.value)
		if err != nil || string(got) != test.want {
			t.Errorf("%#v: %s, %v; expected %s", test.value, got, err, test.want)
		}
		if !json.Valid(got) {
			t.Errorf("%#v: %s is no JSON", test.value, got)
		}
	}
	if _, err := Append(nil, map[string]any{"a": []any{struct{}{}}}); err == nil || !strings.Contains(err.Error(), `"a"`) {
		t.Errorf("a struct gives the error %v", err)
	}
}

func FuzzAppend(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5,"x\u0000",null,true]}`, `"\ud800"`, `1e308`, `[[[]]]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var value any
		if json.Unmarshal(data, &value) != nil {
			t.Skip()
		}
		text, err := Append(nil, value)
		if err != nil {
			t.Fatal(err)
		}
		var back any
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if !reflect.DeepEqual(value, back) {
			t.Fatalf("%s reads back as %#v, expected %#v", text, back, value)
		}
	})
}
