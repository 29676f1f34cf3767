package main

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

func TestParseWhere(t *testing.T) {
	tests := []struct {
		values []string
		want   clauses
	}{
		{nil, nil},
		{[]string{"a=1"}, clauses{{"a", false, []string{"1"}}}},
		{[]string{"a!=1/2"}, clauses{{"a", true, []string{"1/2", "1", "2"}}}},
		{[]string{"a=1,b!=x", "c="}, clauses{{"a", false, []string{"1"}}, {"b", true, []string{"x"}}, {"c", false, []string{""}}}},
		{[]string{"a=1,2,b=3,4"}, clauses{{"a", false, []string{"1,2"}}, {"b", false, []string{"3,4"}}}},
		{[]string{"a=b=c"}, clauses{{"a", false, []string{"b=c"}}}},
	}
	for _, test := range tests {
		got, err := parseWhere(test.values)
		if err != nil || !slices.EqualFunc(got, test.want, func(a, b clause) bool {
			return a.key == b.key && a.not == b.not && slices.Equal(a.values, b.values)
		}) {
			t.Errorf("%q: %+v, %v; expected %+v", test.values, got, err, test.want)
		}
	}
	for _, bad := range []string{"", "a", "=1", "!=1", ",a=1"} {
		if got, err := parseWhere([]string{bad}); err == nil {
			t.Errorf("%q: %+v", bad, got)
		}
	}
}

func TestTexts(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.00 kB", 9994: "9.99 kB", 9996: "10.0 kB", 99960: "100 kB",
		999499: "999 kB", 999501: "1.00 MB", 2 << 40: "2.20 TB", 5e15: "5 PB"} {
		if got := byteText(n); got != want {
			t.Errorf("%d bytes: %q, expected %q", n, got, want)
		}
	}
	for v, want := range map[any]string{int64(20260404): "2026-04-04", "20260404": "2026-04-04", "apr": "apr", int64(404): "404"} {
		if got := dateText(v); got != want {
			t.Errorf("date %v: %q, expected %q", v, got, want)
		}
	}
	for v, want := range map[any]string{int64(0): "00:00", int64(1200): "12:00", "0630": "06:30", int64(-1): "-1", "all": "all", nil: ""} {
		if got := clockText(v); got != want {
			t.Errorf("time %v: %q, expected %q", v, got, want)
		}
	}
	for _, test := range []struct {
		s    summary
		want string
	}{
		{summary{Summary: mapping.Summary{Level: int64(0), LevelType: "surface"}}, "surface"},
		{summary{Summary: mapping.Summary{Level: int64(850), LevelType: "isobaricInhPa"}}, "isobaricInhPa 850"},
		{summary{Summary: mapping.Summary{Level: int64(0), LevelType: "heightAboveGround"}}, "heightAboveGround 0"},
		{summary{Summary: mapping.Summary{Level: int64(7)}}, "7"},
		{summary{Summary: mapping.Summary{LevelType: "sfc"}}, "sfc"},
	} {
		if got := levelText(test.s); got != test.want {
			t.Errorf("%+v: %q, expected %q", test.s, got, test.want)
		}
	}
}

func TestValueStats(t *testing.T) {
	le := binary.LittleEndian
	var f64 []byte
	for _, v := range []float64{1, math.NaN(), 3, math.Inf(1), math.Inf(-1), math.Inf(-1), 5} {
		f64 = le.AppendUint64(f64, math.Float64bits(v))
	}
	tests := []struct {
		dtype tgm.DType
		shape []uint64
		data  []byte
		want  string
	}{
		{tgm.Float64, []uint64{7}, f64, "7 values, 1 NaN, 1 Infinity, 2 -Infinity, min 1, max 5, mean 3, deviation 1.63299316"},
		{tgm.Float16, []uint64{3}, []byte{0, 0x3c, 1, 0, 0, 0xc0}, "3 values, min -2, max 1, mean -0.333333313, deviation 1.24721913"},
		{tgm.BFloat16, []uint64{2}, []byte{0x80, 0x3f, 0, 0x40}, "2 values, min 1, max 2, mean 1.5, deviation 0.5"},
		{tgm.Complex64, []uint64{1}, le.AppendUint32(le.AppendUint32(nil, math.Float32bits(3)), math.Float32bits(4)), "1 values, min 5, max 5, mean 5, deviation 0"},
		{tgm.Int8, []uint64{2}, []byte{0x80, 0x7f}, "2 values, min -128, max 127, mean -0.5, deviation 127.5"},
		{tgm.Uint64, []uint64{1}, slices.Repeat([]byte{255}, 8), "1 values, min 18446744073709551615, max 18446744073709551615, mean 1.84467441e+19, deviation 0"},
		{tgm.Int32, []uint64{0}, nil, "0 values"},
		{tgm.Bitmask, []uint64{10}, []byte{0xf0, 0xff}, "10 values, min 0, max 1, mean 0.6, deviation 0.489897949"},
	}
	for _, test := range tests {
		s := statsOf(&tgm.Array{Shape: test.shape, DType: test.dtype, Data: test.data})
		if got := s.String(); got != test.want {
			t.Errorf("%s: %s, expected %s", test.dtype, got, test.want)
		}
	}
}

func TestHalfFloat(t *testing.T) {
	for bits, want := range map[uint16]float64{0: 0, 1: 0x1p-24, 0x3ff: 1023 * 0x1p-24, 0x400: 0x1p-14, 0x3c00: 1, 0x7bff: 65504, 0xfc00: math.Inf(-1), 0xbe00: -1.5} {
		if got := halfFloat(bits); got != want {
			t.Errorf("%04x: %g, expected %g", bits, got, want)
		}
	}
	if !math.IsNaN(halfFloat(0x7e00)) {
		t.Error("7e00 is no NaN")
	}
}

// Every verb shows its flags, says what it does, and gives an example.
func TestHelpOfViewingCommands(t *testing.T) {
	for _, cmd := range viewingCommands() {
		if cmd.Short == "" || !strings.Contains(cmd.Example, "tgmconv "+cmd.Name()) {
			t.Errorf("%s has no description or no example", cmd.Name())
		}
	}
}
