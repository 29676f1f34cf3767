package tgm

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/codec/aec"
	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
	"github.com/tgmconv/tgmconv/internal/codec/packing"
)

// message writes objects to one message and opens it.
func message(t testing.TB, opts WriterOptions, objects ...*EncodedObject) (*Message, []byte) {
	t.Helper()
	var out bytes.Buffer
	w := NewMessageWriter(&out, opts)
	for i, o := range objects {
		if err := w.Append(o, map[string]any{"i": i}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	m, err := open(t, out.Bytes()).Message(0)
	if err != nil {
		t.Fatal(err)
	}
	return m, out.Bytes()
}

func mustEncode(t testing.TB, d DType, data []byte, p Pipeline) *EncodedObject {
	t.Helper()
	n := uint64(len(data))
	if d == Bitmask {
		n *= 8
	} else {
		n /= uint64(d.Size())
	}
	o, err := EncodeArray(Array{Shape: []uint64{n}, DType: d, Data: data}, p)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestEveryPipeline stores every type through every pipeline it may go through and reads it back
// whole and in parts.
func TestEveryPipeline(t *testing.T) {
	for d := Float16; d <= Bitmask; d++ {
		for _, n := range []int{0, 1, 40, 1000} {
			data := sampleData(d, n)
			for _, filter := range []string{"", "shuffle"} {
				for _, compression := range []string{"", "zstd", "lz4", "szip", "blosc2", "rle", "roaring"} {
					o, err := EncodeArray(Array{Shape: []uint64{uint64(n)}, DType: d, Data: data}, Pipeline{Filter: filter, Compression: compression})
					name := fmt.Sprintf("%d %s, %q, %q", n, d, filter, compression)
					if refused := refusal(d, filter, compression); refused != (err != nil) {
						t.Errorf("%s: %v, expected to be refused: %t", name, err, refused)
					}
					if err != nil {
						continue
					}
					m, _ := message(t, WriterOptions{}, o)
					checkObject(t, name, m, 0, data)
				}
			}
		}
	}
}

// refusal says which combinations are no valid objects.
func refusal(d DType, filter, compression string) bool {
	switch compression {
	case "rle", "roaring":
		return d != Bitmask || filter != ""
	case "szip":
		return d == Bitmask || filter == "" && d.Size() > 4
	}
	return d == Bitmask && (filter != "" || compression == "blosc2")
}

// checkObject reads an object whole, in both byte orders, and in parts.
func checkObject(t *testing.T, name string, m *Message, j int, want []byte) {
	t.Helper()
	o, err := m.Object(j)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	a, err := o.Decode(DecodeOptions{VerifyHash: true})
	if err != nil || !bytes.Equal(a.Data, want) {
		t.Fatalf("%s does not come back: %v", name, err)
	}
	big, err := o.Decode(DecodeOptions{ByteOrder: BigEndian, Dst: make([]byte, 0, len(want)+3)})
	if err != nil {
		t.Fatal(err)
	}
	swapBytes(big.Data, o.Descriptor().DType.Component())
	if !bytes.Equal(big.Data, want) {
		t.Fatalf("%s comes back in the wrong byte order", name)
	}
	if o.Descriptor().DType == Bitmask {
		return // TestSlices has ranges of bits
	}
	size := o.Descriptor().DType.Size()
	n := len(want) / size
	for _, r := range [][2]int{{0, n}, {0, 0}, {n, 0}, {n / 3, n / 2}, {n - n/7, n / 7}, {min(1, n), n - min(1, n)}} {
		part, err := o.DecodeRange(uint64(r[0]), uint64(r[1]), DecodeOptions{})
		if err != nil || !bytes.Equal(part.Data, want[r[0]*size:][:r[1]*size]) {
			t.Fatalf("%s: range %v does not come back: %v", name, r, err)
		}
	}
}

func TestNonFinite(t *testing.T) {
	for d := Float16; d <= Complex128; d++ {
		data := withHoles(d, sampleData(d, 1500))
		for _, method := range []string{"", "none", "rle", "roaring", "zstd", "lz4", "blosc2"} {
			p := Pipeline{AllowNaN: true, AllowInf: true, Masks: MaskOptions{NaN: method, PosInf: method, NegInf: method, Level: 5}}
			m, _ := message(t, WriterOptions{}, mustEncode(t, d, data, p))
			checkObject(t, d.String()+" with masks as "+method, m, 0, data)
		}
		_, err := EncodeArray(Array{Shape: []uint64{1500}, DType: d, Data: data}, Pipeline{})
		var encoding *EncodingError
		if !errors.As(err, &encoding) || !strings.Contains(encoding.What, "strict-NaN check: element 3 of "+d.String()) {
			t.Errorf("%s with NaN: %v", d, err)
		}
		_, err = EncodeArray(Array{Shape: []uint64{1500}, DType: d, Data: data}, Pipeline{AllowNaN: true})
		if !errors.As(err, &encoding) || !strings.Contains(encoding.What, "strict-Inf check: element 5 of ") {
			t.Errorf("%s with infinities: %v", d, err)
		}
	}
}

func TestComplexParts(t *testing.T) {
	le := binary.LittleEndian
	inf, nan := math.Float32bits(float32(math.Inf(1))), math.Float32bits(float32(math.NaN()))
	var data []byte
	for _, pair := range [][2]uint32{{1, inf}, {inf | 1<<31, inf}, {nan, 0}, {inf, nan}, {0, 0}, {inf | 1<<31, 0}} {
		data = le.AppendUint32(le.AppendUint32(data, pair[0]), pair[1])
	}
	m, _ := message(t, WriterOptions{}, mustEncode(t, Complex64, data, Pipeline{AllowNaN: true, AllowInf: true}))
	o, err := m.Object(0)
	if err != nil {
		t.Fatal(err)
	}
	nans, pos, neg, err := o.Masks()
	if err != nil {
		t.Fatal(err)
	}
	if nans.Bits[0] != 0b00110000 || pos.Bits[0] != 0b11000000 || neg.Bits[0] != 0b00000100 {
		t.Errorf("masks %08b %08b %08b", nans.Bits, pos.Bits, neg.Bits)
	}
	_, err = EncodeArray(Array{Shape: []uint64{1}, DType: Complex64, Data: data[:8]}, Pipeline{})
	if err == nil || !strings.Contains(err.Error(), "imaginary part") {
		t.Errorf("infinite imaginary part: %v", err)
	}
}

func TestMissingPoints(t *testing.T) {
	data := sampleData(Float64, 100)
	missing := bitmask.New(100)
	missing.Set(0)
	missing.Set(77)
	putUint64(data[8*77:], math.Float64bits(math.Inf(1)), LittleEndian) // the bits at a missing point do not matter
	for _, p := range []Pipeline{{}, {Compression: "zstd"}, {Encoding: "simple_packing", Bits: 24, Compression: "szip"}} {
		before := bytes.Clone(data)
		o, err := EncodeArray(Array{Shape: []uint64{100}, DType: Float64, Data: data, Missing: missing}, p)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(before, data) {
			t.Fatal("the caller's data were changed")
		}
		m, _ := message(t, WriterOptions{}, o)
		got, err := m.Object(0)
		if err != nil {
			t.Fatal(err)
		}
		a, err := got.Decode(DecodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a.Missing.Bits, missing.Bits) {
			t.Errorf("missing points %08b, expected %08b", a.Missing.Bits, missing.Bits)
		}
		for i := range 100 {
			v, want := number(Float64, a.Data, i), number(Float64, data, i)
			if missing.Get(i) != math.IsNaN(v) || !missing.Get(i) && math.Abs(v-want) > 1e-5 {
				t.Errorf("value %d is %v, expected %v, missing %t", i, v, want, missing.Get(i))
			}
		}
		if zeros, err := got.Decode(DecodeOptions{KeepZeros: true}); err != nil || math.IsNaN(number(Float64, zeros.Data, 77)) {
			t.Errorf("zeros were asked for: %v", err)
		}
	}
	if _, err := EncodeArray(Array{Shape: []uint64{100}, DType: Int64, Data: data, Missing: missing}, Pipeline{}); err == nil {
		t.Error("integers with missing points were stored")
	}
	if _, err := EncodeArray(Array{Shape: []uint64{100}, DType: Int64, Data: data, Missing: bitmask.New(100)}, Pipeline{}); err != nil {
		t.Errorf("integers with an empty mask: %v", err)
	}
	if _, err := EncodeArray(Array{Shape: []uint64{100}, DType: Float64, Data: data, Missing: bitmask.New(99)}, Pipeline{}); err == nil {
		t.Error("a mask of the wrong length was accepted")
	}
}

func TestEncodeRefuses(t *testing.T) {
	data := sampleData(Float64, 10)
	ten := []uint64{10}
	var unsupported *UnsupportedError
	for name, c := range map[string]struct {
		a Array
		p Pipeline
	}{
		"too few bytes":           {Array{Shape: ten, DType: Float64, Data: data[1:]}, Pipeline{}},
		"shape overflows":         {Array{Shape: []uint64{1 << 40, 1 << 40}, DType: Int8}, Pipeline{}},
		"no type":                 {Array{Shape: ten, Data: data}, Pipeline{}},
		"unknown encoding":        {Array{Shape: ten, DType: Float64, Data: data}, Pipeline{Encoding: "magic"}},
		"unknown filter":          {Array{Shape: ten, DType: Float64, Data: data}, Pipeline{Filter: "magic"}},
		"unknown compression":     {Array{Shape: ten, DType: Float64, Data: data}, Pipeline{Compression: "magic"}},
		"unknown mask method":     {Array{Shape: ten, DType: Float64, Data: append(data[:72:72], 0, 0, 0, 0, 0, 0, 0xF8, 0x7F)}, Pipeline{AllowNaN: true, Masks: MaskOptions{NaN: "magic", SmallThreshold: -1}}},
		"packed float32":          {Array{Shape: []uint64{20}, DType: Float32, Data: data}, Pipeline{Encoding: "simple_packing"}},
		"65 bits":                 {Array{Shape: ten, DType: Float64, Data: data}, Pipeline{Encoding: "simple_packing", Bits: 65}},
		"szip of 33 bits":         {Array{Shape: ten, DType: Float64, Data: data}, Pipeline{Encoding: "simple_packing", Bits: 33, Compression: "szip"}},
		"shuffle of 7 bytes":      {Array{Shape: ten, DType: Float64, Data: data}, Pipeline{Filter: "shuffle", ShuffleSize: 7}},
		"szip with 9-sample RSIs": {Array{Shape: ten, DType: Int32, Data: data[:40]}, Pipeline{Compression: "szip", Szip: SzipParams{BlockSize: 9}}},
	} {
		if _, err := EncodeArray(c.a, c.p); err == nil || errors.As(err, &unsupported) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"zfp", "sz3"} {
		params := map[string]map[string]any{"zfp": {keyZFPMode: "fixed_rate", keyZFPRate: 8}, "sz3": {keySZ3Mode: "abs", keySZ3Bound: 1}}[name]
		for _, p := range []Pipeline{{Compression: name, Params: params}, {Compression: name, Params: params, Filter: "shuffle"}} {
			var refused *EncodingError
			if _, err := EncodeArray(Array{Shape: []uint64{20}, DType: Float32, Data: data}, p); !errors.As(err, &refused) {
				t.Errorf("%s of float32: %v", name, err)
			}
		}
		if _, err := EncodeArray(Array{Shape: ten, DType: Float64, Data: data}, Pipeline{Compression: name}); err == nil {
			t.Errorf("%s without parameters was done", name)
		}
	}
}

// TestWidened expects packed integers with szip to be widened and the values to stay the same.
func TestWidened(t *testing.T) {
	data := sampleData(Float64, 777)
	for bits := 1; bits <= 32; bits++ {
		plain, _ := message(t, WriterOptions{}, mustEncode(t, Float64, data, Pipeline{Encoding: "simple_packing", Bits: bits}))
		coded, _ := message(t, WriterOptions{}, mustEncode(t, Float64, data, Pipeline{Encoding: "simple_packing", Bits: bits, Compression: "szip"}))
		o, err := plain.Object(0)
		if err != nil {
			t.Fatal(err)
		}
		a, err := o.Decode(DecodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		checkObject(t, fmt.Sprintf("%d bits widened", bits), coded, 0, a.Data)
		if o, _ = coded.Object(0); o.Descriptor().Params["sp_bits_per_value"] != int64(widened(bits)) {
			t.Errorf("%d bits are stored as %v", bits, o.Descriptor().Params)
		}
	}
}

func TestPackedRefuses(t *testing.T) {
	ten := []uint64{10}
	p8 := packing.Params{Bits: 8}
	for name, q := range map[string]Packed{
		"nothing given":      {Shape: ten, Params: p8},
		"two forms":          {Shape: ten, Params: p8, Bits: make([]byte, 10), Samples: make([]uint32, 10)},
		"too few bytes":      {Shape: ten, Params: p8, Bits: make([]byte, 9)},
		"too few samples":    {Shape: ten, Params: p8, Samples: make([]uint32, 9)},
		"samples too large":  {Shape: ten, Params: p8, Samples: []uint32{0, 0, 0, 0, 256, 0, 0, 0, 0, 0}},
		"reference is NaN":   {Shape: ten, Params: packing.Params{Bits: 8, Reference: math.NaN()}, Bits: make([]byte, 10)},
		"mask too short":     {Shape: ten, Params: p8, Bits: make([]byte, 10), Missing: bitmask.New(9)},
		"stream too short":   {Shape: []uint64{10000}, Params: p8, AEC: &aec.Stream{Data: []byte{1}, BlockSize: 16, RSI: 128, Flags: 8}},
		"offsets misplaced":  {Shape: ten, Params: p8, AEC: &aec.Stream{Data: []byte{1}, BlockSize: 16, RSI: 128, Flags: 8, Offsets: []uint64{3}}},
		"64 bits as samples": {Shape: ten, Params: packing.Params{Bits: 64}, Samples: make([]uint32, 10)},
		"shape overflows":    {Shape: []uint64{1 << 40, 1 << 40}, Params: p8, Bits: make([]byte, 10)},
	} {
		if _, err := EncodePacked(q, Pipeline{}); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestReservedIsRefused(t *testing.T) {
	w := NewMessageWriter(io.Discard, WriterOptions{})
	o := mustEncode(t, Uint8, []byte{1}, Pipeline{})
	var metadata *MetadataError
	if err := w.Append(o, map[string]any{"_reserved_": 1}); !errors.As(err, &metadata) {
		t.Errorf("base with _reserved_: %v", err)
	}
	if err := w.Append(o, map[string]any{"f": func() {}}); !errors.As(err, &metadata) {
		t.Errorf("base with a function: %v", err)
	}
	if err := w.Append(o, map[string]any{"a\xFF": 1}); !errors.As(err, &metadata) {
		t.Errorf("base with a key that is no text: %v", err)
	}
	w.SetExtra(map[string]any{"_reserved_": 1})
	if err := w.Close(); !errors.As(err, &metadata) {
		t.Errorf("extra with _reserved_: %v", err)
	}
	if err := w.Append(o, nil); err == nil {
		t.Error("a closed writer took an object")
	}
}

// TestMetadataValues expects each value to come back as the type that Metadata documents.
func TestMetadataValues(t *testing.T) {
	in := map[string]any{
		"int": 5, "int8": int8(-5), "uint16": uint16(7), "uint64": uint64(1 << 62), "exact": uint64(1 << 63), "inexact": uint64(math.MaxUint64),
		"float": 0.1, "float32": float32(0.5), "text": "é", "latin1": "\xE9", "bytes": []byte{1}, "null": nil, "yes": true,
		"ints": []int64{1, -2}, "floats": []float64{0.5, 1e300}, "texts": []string{"a", "b\xFF"}, "nested": map[string]any{"list": []any{int64(1), "x", nil}},
	}
	want := map[string]any{
		"int": int64(5), "int8": int64(-5), "uint16": int64(7), "uint64": int64(1 << 62), "exact": float64(1 << 63), "inexact": "18446744073709551615",
		"float": 0.1, "float32": 0.5, "text": "é", "latin1": []byte{0xE9}, "bytes": []byte{1}, "null": nil, "yes": true,
		"ints": []any{int64(1), int64(-2)}, "floats": []any{0.5, 1e300}, "texts": []any{"a", []byte("b\xFF")},
		"nested": map[string]any{"list": []any{int64(1), "x", nil}},
	}
	var out bytes.Buffer
	w := NewMessageWriter(&out, WriterOptions{})
	w.SetExtra(in)
	if err := w.Append(mustEncode(t, Uint8, []byte{1}, Pipeline{}), in); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	m, err := open(t, out.Bytes()).Message(0)
	if err != nil {
		t.Fatal(err)
	}
	md, err := m.Metadata()
	if err != nil {
		t.Fatal(err)
	}
	o, err := m.Object(0)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(md.Extra, want) {
		t.Errorf("extra is %v\nexpected %v", md.Extra, want)
	}
	if !reflect.DeepEqual(o.Base(), want) {
		t.Errorf("base is %v\nexpected %v", o.Base(), want)
	}
}

// TestOneForm expects everything in a message that any release needs, and a reader to see none of
// it. It looks for the version in the metadata, parameters of simple_packing under both names, and
// the hash flag.
func TestOneForm(t *testing.T) {
	packed := mustEncode(t, Float64, sampleData(Float64, 50), Pipeline{Encoding: "simple_packing", Bits: 16})
	m, b := message(t, WriterOptions{}, packed)
	for _, key := range append(packingKeys[:], oldPackingKeys[:]...) {
		if !bytes.Contains(b, appendCBORText(nil, key)) {
			t.Errorf("the descriptor has no %s", key)
		}
	}
	if !bytes.Contains(b, append(appendCBORText(nil, keyVersion), WireVersion)) {
		t.Error("the metadata have no version")
	}
	o, err := m.Object(0)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range oldPackingKeys {
		if v, ok := o.Descriptor().Params[key]; ok {
			t.Errorf("%s is %v, expected nothing beside the current name", key, v)
		}
	}
	if o.frame.flags != frameFlagCBORAfter|frameFlagHash {
		t.Errorf("frame flags %d", o.frame.flags)
	}
	if md, err := m.Metadata(); err != nil || len(md.Extra) != 0 {
		t.Errorf("extra %v, %v", md.Extra, err)
	}
}

func TestVersionIsTheEncoders(t *testing.T) {
	for v, fine := range map[any]bool{3: true, "2.0": false, 4: false} {
		w := NewMessageWriter(io.Discard, WriterOptions{})
		w.SetExtra(map[string]any{keyVersion: v})
		if err := w.Close(); (err == nil) != fine {
			t.Errorf("version %v: %v", v, err)
		}
	}
}

// TestEncodedCopies expects a copied frame to be the frame that was read.
func TestEncodedCopies(t *testing.T) {
	data := withHoles(Float32, sampleData(Float32, 3000))
	o := mustEncode(t, Float32, data, Pipeline{Filter: "shuffle", Compression: "zstd", AllowNaN: true, AllowInf: true})
	pinned := WriterOptions{Provenance: Provenance{UUID: "x", EncoderName: "n"}}
	pinned.Provenance.Time = pinned.Provenance.Time.AddDate(2000, 0, 0)
	m, first := message(t, pinned, o, o)
	var copies []*EncodedObject
	for j := range 2 {
		read, err := m.Object(j)
		if err != nil {
			t.Fatal(err)
		}
		c, err := read.Encoded()
		if err != nil {
			t.Fatal(err)
		}
		copies = append(copies, c)
	}
	if _, second := message(t, pinned, copies...); !bytes.Equal(first, second) {
		t.Error("a message of copied objects differs")
	}
}

func TestNoHash(t *testing.T) {
	m, b := message(t, WriterOptions{NoHash: true}, mustEncode(t, Uint8, []byte{1, 2}, Pipeline{NoHash: true}))
	o, err := m.Object(0)
	if err != nil {
		t.Fatal(err)
	}
	var hash *HashError
	if _, err := o.Decode(DecodeOptions{VerifyHash: true}); !errors.As(err, &hash) || !hash.Missing {
		t.Errorf("hash of an object without one: %v", err)
	}
	if b[11] != 0x05 {
		t.Errorf("preamble flags %#x", b[11])
	}
	m, _ = message(t, WriterOptions{}, mustEncode(t, Uint8, []byte{1, 2}, Pipeline{NoHash: true}))
	if o, _ = m.Object(0); o.VerifyHash() != nil {
		t.Error("a hash that the encoder left out was not added by the writer")
	}
}

// TestSpool writes the same message with objects in memory and in a file.
func TestSpool(t *testing.T) {
	dir := t.TempDir()
	o := mustEncode(t, Float64, sampleData(Float64, 10_000), Pipeline{})
	pinned := Provenance{UUID: "x", EncoderName: "n"}
	pinned.Time = pinned.Time.AddDate(2000, 0, 0)
	_, a := message(t, WriterOptions{Provenance: pinned}, o, o, o)
	_, b := message(t, WriterOptions{Provenance: pinned, TempDir: dir, SpoolMemory: 100_000}, o, o, o)
	if !bytes.Equal(a, b) {
		t.Error("messages differ")
	}
	w := NewMessageWriter(io.Discard, WriterOptions{TempDir: dir, SpoolMemory: 1})
	if err := w.Append(o, nil); err != nil {
		t.Fatal(err)
	}
	w.Abort()
	w.Abort()
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 0 {
		t.Errorf("files left behind: %v", left)
	}
	w = NewMessageWriter(io.Discard, WriterOptions{TempDir: filepath.Join(dir, "none"), SpoolMemory: 1})
	if err := w.Append(o, nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("spooling to a folder that does not exist: %v", err)
	}
	if err := w.Close(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("closing after a failure: %v", err)
	}
}

// TestHeldPayload writes objects whose payload the writer holds, and which are released before the message is
// complete.
func TestHeldPayload(t *testing.T) {
	pinned := Provenance{UUID: "x", EncoderName: "n", Time: time.Unix(0, 0)}
	encode := func(values int) *EncodedObject {
		return mustEncode(t, Float64, sampleData(Float64, values), Pipeline{Filter: "shuffle"})
	}
	const small, large = 5000, 40_000
	for _, test := range []struct {
		sizes []int
		held  bool // at the end
	}{
		{[]int{small, small}, false},
		{[]int{large}, true},
		{[]int{small, large}, true},
		{[]int{large, small}, true},
		{[]int{small, large, small, large, large, small}, false},
	} {
		var written [2]bytes.Buffer
		for i, memory := range []int{300_000, 1 << 30} {
			w := NewMessageWriter(&written[i], WriterOptions{Provenance: pinned, SpoolMemory: memory, TempDir: t.TempDir()})
			for _, size := range test.sizes {
				o := encode(size)
				for range 2 { // from memory, and from a file
					if err := w.Append(o, nil); err != nil {
						t.Fatal(err)
					}
					file, err := newPayloadFile(t.TempDir())
					if err != nil {
						t.Fatal(err)
					}
					if _, err := file.Write(o.payload); err != nil {
						t.Fatal(err)
					}
					o.Release()
					o.file = file
				}
				o.Release()
				clear(*getBuffer(8 * large)) // the memory of the payload, if it went back
			}
			if held := w.spool.held.memory != nil; held != (test.held && i == 0) {
				t.Errorf("%v in %d bytes: held is %t", test.sizes, memory, held)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(written[0].Bytes(), written[1].Bytes()) {
			t.Errorf("%v: messages differ", test.sizes)
		}
	}
}

// TestMemoryOfManyObjects writes 120 objects of 2 MB and looks at the memory in use.
func TestMemoryOfManyObjects(t *testing.T) {
	out, err := os.Create(filepath.Join(t.TempDir(), "many.tgm"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	w := NewMessageWriter(out, WriterOptions{TempDir: t.TempDir()})
	data := make([]byte, 2<<20)
	var peak, before runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range 120 {
		data[i] = byte(i)
		o := mustEncode(t, Uint8, data, Pipeline{Compression: "lz4"})
		if i%2 == 0 {
			o = mustEncode(t, Uint8, data, Pipeline{})
		}
		if err := w.Append(o, map[string]any{"i": i}); err != nil {
			t.Fatal(err)
		}
		o.Release()
	}
	runtime.GC()
	runtime.ReadMemStats(&peak)
	if grown := int64(peak.HeapAlloc) - int64(before.HeapAlloc); grown > 30<<20 {
		t.Errorf("%d MB in use after 120 objects of 2 MB", grown>>20)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestLimits(t *testing.T) {
	constant, err := EncodePacked(Packed{Shape: []uint64{1<<28 - 1}, Params: packing.Params{Reference: 5}}, Pipeline{})
	if err != nil {
		t.Fatal(err)
	}
	m, b := message(t, WriterOptions{}, constant)
	o, err := m.Object(0)
	if err != nil {
		t.Fatal(err)
	}
	var encoding *EncodingError
	if _, err := o.Decode(DecodeOptions{}); !errors.As(err, &encoding) {
		t.Errorf("2 GiB from nothing: %v", err)
	}
	var metadata *MetadataError
	if err := readEverything(b, Limits{Metadata: 10}); !errors.As(err, &metadata) {
		t.Errorf("metadata beyond the limit: %v", err)
	}
	if err := readEverything(fixture(t, "v0.20/simple_f32.tgm"), Limits{Decoded: 15}); !errors.As(err, &encoding) {
		t.Errorf("16 bytes with a limit of 15: %v", err)
	}
}
