package tgm

import (
	"bytes"
	"errors"
	"io"
	"math"
	"reflect"
	"testing"
)

func roundTrip[T Element](t *testing.T, values []T) {
	t.Helper()
	o, err := EncodeArray(ArrayOf(values), Pipeline{Filter: nameShuffle, Compression: nameLZ4})
	if err != nil {
		t.Fatal(err)
	}
	m, _ := message(t, WriterOptions{}, o)
	read, err := m.Object(0)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := DecodeValues[T](read); err != nil || !reflect.DeepEqual(back, values) {
		t.Errorf("%T: %v, %v", values, back, err)
	}
	big, err := read.Decode(DecodeOptions{ByteOrder: BigEndian})
	if err != nil {
		t.Fatal(err)
	}
	if back, err := Values[T](big); err != nil || !reflect.DeepEqual(back, values) {
		t.Errorf("%T from big-endian: %v, %v", values, back, err)
	}
	big.Data = append(make([]byte, 1, 200), big.Data...)[1:]
	if back, err := Values[T](big); err != nil || !reflect.DeepEqual(back, values) {
		t.Errorf("%T from an odd address: %v, %v", values, back, err)
	}
}

func TestTypedArrays(t *testing.T) {
	roundTrip(t, []int8{1, -2})
	roundTrip(t, []uint8{1, 255})
	roundTrip(t, []int16{1, -2})
	roundTrip(t, []uint16{1, 65535})
	roundTrip(t, []int32{1, -2})
	roundTrip(t, []uint32{1, math.MaxUint32})
	roundTrip(t, []int64{1, math.MinInt64})
	roundTrip(t, []uint64{1, math.MaxUint64})
	roundTrip(t, []float32{1, -2.5})
	roundTrip(t, []float64{1, -2.5, 1e300})
	roundTrip(t, []complex64{1 + 2i, -3i})
	roundTrip(t, []complex128{1 + 2i, -3i})
	roundTrip(t, []float32{})
	a := ArrayOf([]int16{1, 2, 3, 4, 5, 6}, 2, 3)
	if !reflect.DeepEqual(a.Shape, []uint64{2, 3}) {
		t.Errorf("shape %v", a.Shape)
	}
	var wrong *EncodingError
	if _, err := Values[float32](&a); !errors.As(err, &wrong) {
		t.Errorf("int16 as float32: %v", err)
	}
}

// TestLookups checks section O of the facts on the reference's own fixture.
func TestLookups(t *testing.T) {
	m, err := open(t, fixture(t, "metadata_parity.tgm")).Message(0)
	if err != nil {
		t.Fatal(err)
	}
	o, err := m.Named("2t")
	if err != nil {
		t.Fatal(err)
	}
	base := o.Base()
	if v, ok := Get[int64](base, "level"); !ok || v != 0 {
		t.Errorf("level 0 is %v, %v", v, ok)
	}
	if v, ok := Get[string](base, "note"); !ok || v != "" {
		t.Errorf("an empty note is %q, %v", v, ok)
	}
	if v, ok := Get[int64](base, "ratio"); ok {
		t.Errorf("ratio as an integer is %v", v)
	}
	if v, ok := Get[float64](base, "level"); !ok || v != 0 {
		t.Errorf("level as a float is %v, %v", v, ok)
	}
	if v, ok := Get[string](base, "mars.class"); !ok || v != "od" {
		t.Errorf("mars.class is %q, %v", v, ok)
	}
	if v, ok := Get[int64](base, "levels.1"); !ok || v != 850 {
		t.Errorf("levels.1 is %v, %v", v, ok)
	}
	for _, absent := range []string{"levels.3", "levels.x", "mars", "mars.none", "_reserved_.tensor.dtype", "none", ""} {
		if v, ok := Get[string](base, absent); ok {
			t.Errorf("%q is %v, expected nothing", absent, v)
		}
	}
	found := 0
	for o, err := range m.Find("mars.class", "ea") {
		if err != nil || o.Index() != 1 {
			t.Errorf("found %v, %v", o, err)
		}
		found++
	}
	if found != 1 {
		t.Errorf("%d objects of class ea", found)
	}
	var none *ObjectError
	if _, err := m.Named("10u"); !errors.As(err, &none) {
		t.Errorf("10u: %v", err)
	}
}

func TestComputeCommon(t *testing.T) {
	common, rest := ComputeCommon([]map[string]any{
		{"a": int64(1), "b": "x", "m": map[string]any{"k": 1.5}, "_reserved_": 1},
		{"a": int64(1), "b": "y", "m": map[string]any{"k": 1.5}, "c": nil, "_reserved_": 2},
	})
	if !reflect.DeepEqual(common, map[string]any{"a": int64(1), "m": map[string]any{"k": 1.5}}) {
		t.Errorf("common %v", common)
	}
	if !reflect.DeepEqual(rest, []map[string]any{{"b": "x"}, {"b": "y", "c": nil}}) {
		t.Errorf("rest %v", rest)
	}
}

// TestRawCopies copies frames of every kind and release to other messages. They stay as they were
// except for the flags.
func TestRawCopies(t *testing.T) {
	files := map[string][]byte{"before": newCraft(0x81).meta(1, map[string]any{}).object(1, false).object(2, true).done(false)}
	for _, name := range []string{"v0.17/multi_object.tgm", "v0.20/multi_object.tgm", "scan/ten-msg-footer.tgm"} {
		files[name] = fixture(t, name)
	}
	masked := mustEncode(t, Float32, withHoles(Float32, sampleData(Float32, 3000)), Pipeline{Compression: "zstd", AllowNaN: true, AllowInf: true})
	_, files["masked"] = message(t, WriterOptions{}, masked)
	for name, b := range files {
		m, err := open(t, b).Message(0)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		w := NewMessageWriter(&out, WriterOptions{})
		for o, err := range m.Objects() {
			if err == nil {
				err = w.AppendRaw(o.Raw(), o.Base())
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		r, err := Validate(bytes.NewReader(out.Bytes()), int64(out.Len()), LevelDefault, ValidateOptions{})
		if err != nil || !r.OK() || !r.HashVerified {
			t.Errorf("%s: copy is not valid: %+v, %v", name, r, err)
		}
		copied, err := open(t, out.Bytes()).Message(0)
		if err != nil {
			t.Fatal(err)
		}
		for o, err := range m.Objects() {
			if err != nil {
				t.Fatal(err)
			}
			c, err := copied.Object(o.Index())
			if err != nil {
				t.Fatal(err)
			}
			want, _ := io.ReadAll(o.Raw().Open())
			got, _ := io.ReadAll(c.Raw().Open())
			// All but the flags in the header and the hash, which may have been missing.
			if !bytes.Equal(got[frameHeaderSize:len(got)-frameFooterSize], want[frameHeaderSize:len(want)-frameFooterSize]) {
				t.Errorf("%s: object %d is not the same", name, o.Index())
			}
			if !reflect.DeepEqual(o.Base(), c.Base()) {
				t.Errorf("%s: metadata %v, expected %v", name, c.Base(), o.Base())
			}
		}
	}
	damaged := fixture(t, "v0.20/simple_f32.tgm")
	damaged[420] ^= 1
	m, err := open(t, damaged).Message(0)
	if err != nil {
		t.Fatal(err)
	}
	o, err := m.Object(0)
	if err != nil {
		t.Fatal(err)
	}
	w := NewMessageWriter(io.Discard, WriterOptions{})
	var hash *HashError
	if err := w.AppendRaw(o.Raw(), nil); !errors.As(err, &hash) {
		t.Errorf("a damaged frame was copied: %v", err)
	}
	if err := w.Close(); err == nil {
		t.Error("a message with a damaged frame was written")
	}
}

func TestEncodedFrom(t *testing.T) {
	values := make([]byte, 8*100)
	o := mustEncode(t, Float64, sampleData(Float64, 100), Pipeline{Encoding: "simple_packing", Bits: 16, Compression: "szip"})
	again, err := EncodedFrom(*o.Descriptor(), o.payload)
	if err != nil || again.hash != o.hash {
		t.Errorf("an encoded payload is another object: %v", err)
	}
	plain := Descriptor{Type: "ntensor", Shape: []uint64{100}, Strides: []uint64{1}, DType: Float64, Encoding: "none", Filter: "none", Compression: "none"}
	if _, err := EncodedFrom(plain, values); err != nil {
		t.Error(err)
	}
	with := func(change func(*Descriptor)) Descriptor {
		d := *o.Descriptor()
		d.Params = map[string]any{}
		for k, v := range o.Descriptor().Params {
			d.Params[k] = v
		}
		change(&d)
		return d
	}
	for name, d := range map[string]Descriptor{
		"reserved":            with(func(d *Descriptor) { d.Params[keyReserved] = 1 }),
		"first offset":        with(func(d *Descriptor) { d.Params[keySzipOffsets] = []uint64{1} }),
		"offsets that shrink": with(func(d *Descriptor) { d.Params[keySzipOffsets] = []uint64{0, 9, 8} }),
		"offsets past end":    with(func(d *Descriptor) { d.Params[keySzipOffsets] = []uint64{0, 1 << 40} }),
		"offsets of zstd":     with(func(d *Descriptor) { d.Compression = nameZstd }),
		"no reference":        with(func(d *Descriptor) { delete(d.Params, packingKeys[0]) }),
		"too short":           plain,
		"no type":             with(func(d *Descriptor) { d.Type = "" }),
		"no strides":          with(func(d *Descriptor) { d.Strides = nil }),
		"offsets of none": with(func(d *Descriptor) {
			d.Encoding, d.Compression, d.Params = nameNone, nameNone, map[string]any{keySzipOffsets: []uint64{0}}
		}),
		"unknown": with(func(d *Descriptor) { d.Encoding = "magic" }),
	} {
		if _, err := EncodedFrom(d, o.payload); err == nil {
			t.Errorf("%s: was taken", name)
		}
	}
}
