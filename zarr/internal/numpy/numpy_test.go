package numpy

import (
	"encoding/hex"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for name, want := range map[string]Type{
		"<f4": {Kind: Float, Size: 4}, ">i8": {Kind: Int, Size: 8, Big: true}, "|b1": {Kind: Bool, Size: 1}, "u2": {Kind: Uint, Size: 2},
		"<U3": {Kind: Unicode, Size: 12}, "|S7": {Kind: Bytes, Size: 7}, "|O": {Kind: Object}, "float16": {Kind: Float, Size: 2},
		"<M8": {Kind: DateTime, Size: 8, Unit: "generic", Scale: 1}, ">m8[10ms]": {Kind: TimeDelta, Size: 8, Big: true, Unit: "ms", Scale: 10},
	} {
		if got, err := Parse(name); err != nil || got != want {
			t.Errorf("%s: %v, %v, expected %v", name, got, err, want)
		}
	}
	for _, name := range []string{"", "<", "<f3", "<i", "<U0", "|S99999999", "<M8[", "<M8[]", "<M8[0s]", "<M4[s]", "x4", "<c4", "<i-4", "<i4x"} {
		if got, err := Parse(name); err == nil {
			t.Errorf("%q is %v", name, got)
		}
	}
}

func parsed(t *testing.T, name string) Type {
	t.Helper()
	p, err := Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The results equal NumPy's: astype, cumsum, and arithmetic of arrays and Python's numbers.
func TestComputesAsNumPy(t *testing.T) {
	convert := func(to, from Type, src []byte) ([]byte, error) { return Convert(to, from, src) }
	unscale := func(to, from Type, src []byte) ([]byte, error) { return Unscale(to, from, src, 3, 0.1) }
	for _, test := range []struct {
		do             func(to, from Type, src []byte) ([]byte, error)
		to, from       string
		src, want, why string
	}{
		{convert, "<i2", "<f4", "0000c03f" + "0000c0bf" + "00000000", "0100ffff0000", "fractions are cut off"},
		{convert, ">u2", "|i1", "ff7f", "ffff007f", "a sign is extended"},
		{convert, "|b1", "<f4", "00000000" + "0000c03f", "0001", "what is not 0 is true"},
		{convert, "<f4", "<i8", "0100000100000000", "0000804b", "2^24+1 is rounded to even"},
		{convert, "<f2", "<f8", "000000000000f03f", "003c", "1"},
		{Sums, "<i4", "|i1", "01ff05", "01000000" + "00000000" + "05000000", "of wide numbers"},
		{Sums, "|u1", "|u1", "ff02", "ff01", "that wrap around"},
		{Sums, "<f4", "<f4", "00000080", "00000080", "of -0"},
		{unscale, "<f4", "<f4", "0000803f", "dedddd3e", "with the precision of float32"},
		{unscale, "<f8", "|u1", "03", "9a9999999999f13f", "with float64"},
	} {
		src, err := hex.DecodeString(test.src)
		if err != nil {
			t.Fatal(err)
		}
		got, err := test.do(parsed(t, test.to), parsed(t, test.from), src)
		if err != nil || hex.EncodeToString(got) != test.want {
			t.Errorf("%s to %s, %s: %x, %v, expected %s", test.from, test.to, test.why, got, err, test.want)
		}
	}
}

func TestCast(t *testing.T) {
	for _, test := range []struct{ to, from, src, how, want string }{
		{"|u1", "<i2", "ff00", "", "ff"}, {"|u1", "<i2", "0001", "", "does not fit"}, {"|u1", "|i1", "ff", "", "does not fit"}, {"|i1", "|u1", "80", "", "does not fit"},
		{"<i8", "<u8", "ffffffffffffffff", "", "does not fit"}, {"|i1", "<f4", "00002040", "nearest-even", "02"}, {"|i1", "<f4", "00002040", "nearest-away", "03"},
		{"|i1", "<f4", "000020c0", "towards-negative", "fd"}, {"|i1", "<f4", "0000c07f", "", "does not fit"}, {"|i1", "<f4", "00000043", "", "does not fit"},
		{"|i1", "<f4", "00000000", "up", "rounding"}, {"<f4", "|i1", "ff", "", "000080bf"},
		{"|u1", "|i1", "ff", ",wrap", "ff"}, {"|u1", "|i1", "ff", ",clamp", "00"}, {"|i1", "<i2", "0001", ",clamp", "7f"}, {"|i1", "<i2", "00ff", ",clamp", "80"},
		{"|u1", "<i2", "0101", ",wrap", "01"}, {"|i1", "<f4", "00000043", ",clamp", "7f"}, {"|i1", "<f4", "000080ff", ",clamp", "80"}, {"|i1", "<f4", "000080ff", ",wrap", "does not fit"},
		{"|i1", "<f4", "0000c07f", ",clamp", "does not fit"}, {"<i8", "<i8", "ffffffffffffffff", "", "ffffffffffffffff"}, {"<u8", "<i8", "0000000000000080", "", "does not fit"},
		{"<i8", "<u8", "0000000000000080", ",clamp", "ffffffffffffff7f"}, {"<i2", "|i1", "80", "", "80ff"}, {"|u1", "|u1", "ff", ",never", "out_of_range"},
	} {
		src, err := hex.DecodeString(test.src)
		if err != nil {
			t.Fatal(err)
		}
		rounding, outOfRange, _ := strings.Cut(test.how, ",")
		got, err := Cast(parsed(t, test.to), parsed(t, test.from), src, rounding, outOfRange)
		if err != nil && strings.Contains(err.Error(), test.want) {
			continue
		}
		if err != nil || hex.EncodeToString(got) != test.want {
			t.Errorf("%s of %s to %s: %x, %v, expected %s", test.src, test.from, test.to, got, err, test.want)
		}
	}
}
