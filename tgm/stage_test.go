package tgm

import (
	"bytes"
	"errors"
	"slices"
	"testing"
)

// TestStageTable demands of every stage the properties that the rest of the package relies on.
func TestStageTable(t *testing.T) {
	for kind := EncodingStage; kind <= MaskStage; kind++ {
		names := StageNames(kind)
		if len(names) < 2 || names[0] != nameNone {
			t.Errorf("%s: stages are %v, expected none first", kind, names)
		}
		sorted := slices.Clone(names)
		slices.Sort(sorted)
		if len(slices.Compact(sorted)) != len(names) {
			t.Errorf("%s: a name comes twice in %v", kind, names)
		}
	}
	for i := range stages {
		s := &stages[i]
		if s.name == nameNone {
			continue
		}
		if s.encode == nil || s.open == nil {
			t.Errorf("%s %s lacks a direction", s.kind, s.name)
		}
		if err := checkParams(s.sample, [3]*stage{s, s, s}); err != nil {
			t.Errorf("%s %s: the sample is refused: %v", s.kind, s.name, err)
		}
	}
}

// TestStageSamples stores small whole numbers with every stage and reads them back, whole, checked
// and in parts.
func TestStageSamples(t *testing.T) {
	for kind := EncodingStage; kind <= MaskStage; kind++ {
		for _, s := range Stages(kind) {
			for _, d := range []DType{Float32, Float64, Int16, Uint8, Bitmask} {
				if s.Takes(d) == nil {
					t.Run(kind.String()+"/"+s.Name+"/"+d.String(), func(t *testing.T) { testSample(t, s, d) })
				}
			}
		}
	}
}

func testSample(t *testing.T, s Stage, d DType) {
	const n = 8 * 1000
	a := Array{Shape: []uint64{n}, DType: d, Data: wholeNumbers(d, n)}
	e, err := EncodeArray(a, s.Sample)
	if err != nil {
		t.Fatal(err)
	}
	m, _ := message(t, WriterOptions{}, e)
	o, err := m.Object(0)
	if err != nil {
		t.Fatal(err)
	}
	back, err := o.Decode(DecodeOptions{VerifyHash: true})
	if err != nil || !bytes.Equal(back.Data, a.Data) {
		t.Fatalf("other values come back: %v", err)
	}
	p, err := newPayloadDecoder(o.desc, o.payload, Limits{})
	if err == nil {
		err = o.checkDecoding(p)
	}
	if err != nil {
		t.Errorf("check: %v", err)
	}
	if d == Bitmask {
		return // TestSlices has ranges of bits
	}
	size := uint64(d.Size())
	for _, r := range [][2]uint64{{0, n}, {0, 0}, {n, 0}, {1, 1}, {7, 9}, {2047, 3}, {n - 1, 1}, {999, 4001}} {
		part, err := o.DecodeRange(r[0], r[1], DecodeOptions{})
		if err != nil || !bytes.Equal(part.Data, a.Data[r[0]*size:(r[0]+r[1])*size]) {
			t.Errorf("elements %d to %d differ: %v", r[0], r[0]+r[1], err)
		}
	}
}

// wholeNumbers returns 0 to 255 over and over, as elements of the type.
func wholeNumbers(d DType, n int) []byte {
	if d == Bitmask {
		return bytes.Repeat([]byte{0xFF, 0, 0xF0, 0xFF}, n/32)
	}
	var data []byte
	for i := range n {
		v := i & 255
		if d.IsFloat() {
			data = appendNumber(data, d, float64(v))
			continue
		}
		data = append(data, byte(v))
		data = append(data, make([]byte, d.Size()-1)...)
	}
	return data
}

func TestUnknownParameters(t *testing.T) {
	a := Array{Shape: []uint64{2}, DType: Float32, Data: make([]byte, 8)}
	for name, params := range map[string]map[string]any{
		"of no stage":  {"zfp_rate": 3.0},
		"too large":    {keyZstdLevel: 23},
		"not a number": {keyZstdLevel: "high"},
		"not integer":  {keyZstdLevel: 2.5},
	} {
		var refused *EncodingError
		if _, err := EncodeArray(a, Pipeline{Compression: nameZstd, Params: params}); !errors.As(err, &refused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	e, err := EncodeArray(a, Pipeline{Compression: nameZstd, Params: map[string]any{keyZstdLevel: 7}})
	if err != nil || e.Descriptor().Params[keyZstdLevel] != 7 {
		t.Errorf("level is %v, %v", e.Descriptor().Params, err)
	}
}
