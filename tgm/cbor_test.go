package tgm

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/tgmconv/tgmconv/internal/plaincbor"
)

// TestUnusualValues decodes metadata values that this package does not write.
func TestUnusualValues(t *testing.T) {
	bignum := func(tag byte, content ...byte) []byte {
		return append(plaincbor.AppendHead([]byte{tag}, cborBytes, uint64(len(content))), content...)
	}
	large := bytes.Repeat([]byte{0xAB}, 1000)
	for name, c := range map[string]struct {
		in   []byte
		want any
	}{
		"small bignum":          {bignum(0xC2, 5), int64(5)},
		"small negative bignum": {bignum(0xC3, 5), int64(-6)},
		"empty bignum":          {bignum(0xC2), int64(0)},
		"64-bit bignum":         {bignum(0xC2, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF), uint64(1<<64 - 1)},
		"2^64":                  {bignum(0xC2, 1, 0, 0, 0, 0, 0, 0, 0, 0), float64(1 << 64)},
		"2^64+1":                {bignum(0xC2, 1, 0, 0, 0, 0, 0, 0, 0, 1), "18446744073709551617"},
		"large bignum":          {bignum(0xC2, large...), Tag{2, large}},
		"large negative bignum": {bignum(0xC3, large...), Tag{3, large}},
		"tag of a URI":          {append([]byte{0xD8, 32}, appendCBORText(nil, "http://a")...), Tag{32, "http://a"}},
		"self-described":        {[]byte{0xD9, 0xD9, 0xF7, 0x05}, int64(5)},
		"integer keys":          {[]byte{0xA2, 0x01, 0x02, 0x20, 0x03}, map[string]any{"1": int64(2), "-1": int64(3)}},
		"other keys":            {[]byte{0xA3, 0xF5, 0x01, 0x41, 0xAB, 0x02, 0xF9, 0x3E, 0x00, 0x03}, map[string]any{"true": int64(1), "h'ab'": int64(2), "1.5": int64(3)}},
	} {
		got, err := decodeValue(c.in)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, %v, expected %v", name, got, err, c.want)
			continue
		}
		if _, ok := got.(uint64); ok {
			continue // becomes text, for readers that know no such integers
		}
		again, err := toCBOR(got)
		if err == nil {
			var b []byte
			if b, err = modes.encode.Marshal(again); err == nil {
				got, err = decodeValue(b)
			}
		}
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: written and read again: %v, %v", name, got, err)
		}
	}
	if v, err := decodeValue([]byte{0xA2, 0x01, 0x02, 0x61, '1', 0x03}); err == nil {
		t.Errorf("two keys that read the same gave %v", v)
	}
}

func TestHugeBignum(t *testing.T) {
	b := append(plaincbor.AppendHead([]byte{0xC2}, cborBytes, 10<<20), bytes.Repeat([]byte{0xAB}, 10<<20)...)
	v, err := decodeValue(b)
	if err != nil {
		t.Fatal(err)
	}
	if tag, ok := v.(Tag); !ok || tag.Number != bignumTag {
		t.Errorf("an integer of 10 MB is %T, expected its bytes: digits take time with the square of them", v)
	}
}
