package edit

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"testing"

	"github.com/tgmconv/tgmconv/tgm"
)

func file(t testing.TB, b []byte) *tgm.File {
	t.Helper()
	f, err := tgm.NewFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// written writes n small objects as one message.
func written(t testing.TB, n int, stream bool) []byte {
	t.Helper()
	var out bytes.Buffer
	var w writer = tgm.NewMessageWriter(&out, tgm.WriterOptions{})
	if stream {
		w = tgm.NewStreamWriter(&out, tgm.WriterOptions{})
	}
	w.SetExtra(map[string]any{"source": "test"})
	for i := range n {
		o, err := tgm.EncodeArray(tgm.ArrayOf([]float64{float64(i), 2, 3}), tgm.Pipeline{Compression: "zstd"})
		if err == nil {
			err = w.Append(o, map[string]any{"i": i})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// frames returns the bytes of all data frames, and the metadata of the objects.
func frames(t testing.TB, b []byte) (all []string) {
	t.Helper()
	for m, err := range file(t, b).Messages() {
		if err != nil {
			t.Fatal(err)
		}
		for o, err := range m.Objects() {
			if err != nil {
				t.Fatal(err)
			}
			raw, err := io.ReadAll(o.Raw().Open())
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, fmt.Sprintf("%x %v", raw, o.Base()))
		}
	}
	return all
}

func TestWriteKeepsFrames(t *testing.T) {
	in := written(t, 5, true)
	m, err := file(t, in).Message(0)
	if err != nil {
		t.Fatal(err)
	}
	for _, opts := range []Options{{}, {Stream: true}, {Upgrade: true}} {
		var out bytes.Buffer
		if n, err := Write(&out, Items(m), nil, opts); n != 5 || err != nil {
			t.Fatalf("%+v: %d objects, %v", opts, n, err)
		}
		if got := frames(t, out.Bytes()); !reflect.DeepEqual(got, frames(t, in)) {
			t.Errorf("%+v: frames or metadata are not the same", opts)
		}
	}
	var out bytes.Buffer
	stop := errors.New("stop")
	if _, err := Write(&out, func(yield func(Item, error) bool) { yield(Item{}, stop) }, nil, Options{}); err != stop || out.Len() > 0 {
		t.Errorf("an error of the items: %v, %d bytes written", err, out.Len())
	}
}

func TestChanges(t *testing.T) {
	base := map[string]any{"mars": map[string]any{"step": int64(1)}, "name": "t"}
	var changes []Change
	for _, text := range []string{"mars.expver=0002", "a.b.c:i=5", "x:f=0.5", "ok:b=true", "t:s=5=6", "extra.source=here"} {
		c, err := ParseChange(text)
		if err != nil {
			t.Fatal(err)
		}
		changes = append(changes, c)
	}
	c, err := ParseRemoval("name")
	if err != nil {
		t.Fatal(err)
	}
	got, err := Apply(base, append(changes, c), false)
	want := map[string]any{
		"mars": map[string]any{"step": int64(1), "expver": "0002"}, "a": map[string]any{"b": map[string]any{"c": int64(5)}},
		"x": 0.5, "ok": true, "t": "5=6",
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	if len(base) != 2 || len(base["mars"].(map[string]any)) != 1 {
		t.Errorf("the metadata changed: %v", base)
	}
	if extra, err := Apply(nil, changes, true); err != nil || !reflect.DeepEqual(extra, map[string]any{"source": "here"}) {
		t.Errorf("extra %v, %v", extra, err)
	}
	for _, wrong := range []string{"a", "=1", "a..b=1", "a:i=x", "a:q=1", "shape=1", "x.dtype=1", "_reserved_.a=1",
		"objects.0=1", "objects.x.y=1", "objects.-1.y=1", "objects.0.zfp_rate:f=3", "objects.0.byte_order=big", "objects.0.shape=1"} {
		if c, err := ParseChange(wrong); err == nil {
			t.Errorf("%q is %+v", wrong, c)
		}
	}
	c, err = ParseChange("name.x=1")
	if err != nil {
		t.Fatal(err)
	}
	if m, err := Apply(base, []Change{c}, false); err == nil {
		t.Errorf("a key under a text gave %v", m)
	}
}

func TestTemplates(t *testing.T) {
	values := map[string]string{"name": "2t", "path": "../etc/x", "dots": "..", "index": "0007"}
	for text, want := range map[string]string{
		"plain.tgm": "plain.tgm", "[name].tgm": "2t.tgm", "a/[path]": "a/.._etc_x", "[none]-[dots]": "unknown-_", "[index]_[name]": "0007_2t",
	} {
		p, err := ParseTemplate(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Expand(func(key string) (string, bool) { v, ok := values[key]; return v, ok }); got != want {
			t.Errorf("%s gives %s, expected %s", text, got, want)
		}
	}
	for text, want := range map[string]string{"x.tgm": "x_0007.tgm", "a.b/x": "a.b/x_0007", "[index].tgm": "0007.tgm", "[name].tgm": "2t_0007.tgm"} {
		p, err := ParseTemplate(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.WithIndex().Expand(func(key string) (string, bool) { return values[key], true }); got != want {
			t.Errorf("%s with an index gives %s, expected %s", text, got, want)
		}
	}
	for _, wrong := range []string{"[", "a[]b", "[name"} {
		if _, err := ParseTemplate(wrong); err == nil {
			t.Errorf("%q was taken", wrong)
		}
	}
}

// TestRepairTorn cuts messages after every byte and expects the objects before the cut.
func TestRepairTorn(t *testing.T) {
	for _, stream := range []bool{false, true} {
		whole, torn := written(t, 1, false), written(t, 4, stream)
		want := frames(t, torn)
		saved := 0
		for n := 1; n < len(torn); n += 3 {
			b := append(bytes.Clone(whole), torn[:n]...)
			var out bytes.Buffer
			r, err := Repair(&out, file(t, b), false, Options{})
			if err != nil {
				t.Fatalf("cut after %d bytes: %v", n, err)
			}
			got := frames(t, out.Bytes())[1:]
			if r.Copied != 1 || r.Objects != 1+len(got) || len(got) < saved || !reflect.DeepEqual(got, want[:len(got)]) {
				t.Fatalf("cut after %d bytes: %+v, %d objects", n, r, len(got))
			}
			saved = len(got)
			checkWhole(t, out.Bytes())
			out.Reset()
			if r, err := Repair(&out, file(t, b), true, Options{}); err != nil || !bytes.Equal(out.Bytes(), whole) || r.Completed != 0 {
				t.Fatalf("torn message not cut off after %d bytes: %+v, %v", n, r, err)
			}
		}
		if saved != 4 {
			t.Errorf("%d objects saved of the longest part, expected 4", saved)
		}
	}
}

func checkWhole(t *testing.T, b []byte) {
	t.Helper()
	r, err := tgm.Validate(bytes.NewReader(b), int64(len(b)), tgm.LevelFull, tgm.ValidateOptions{})
	if err != nil || !r.OK() {
		t.Fatalf("repaired file is not valid: %+v, %v", r, err)
	}
}

// TestRepairIndex damages the index of a message.
func TestRepairIndex(t *testing.T) {
	b := written(t, 3, false)
	at := bytes.Index(b, []byte("offsets")) + len("offsets") + 3
	b[at] ^= 1
	var out bytes.Buffer
	r, err := Repair(&out, file(t, b), false, Options{})
	if err != nil || r.Rebuilt != 1 || !reflect.DeepEqual(frames(t, out.Bytes()), frames(t, b)) {
		t.Errorf("%+v, %v", r, err)
	}
	checkWhole(t, out.Bytes())
}

// TestStorageKeysAreRefused: keys that say how an object is stored cannot be set, under any of their names.
func TestStorageKeysAreRefused(t *testing.T) {
	for _, key := range []string{
		"reference_value", "bits_per_value", "binary_scale_factor", "decimal_scale_factor", "sp_bits_per_value", "mars.shape", "objects.0.bits_per_value",
		"objects.1.sp_reference_value",
	} {
		if _, err := ParseChange(key + ":i=1"); err == nil {
			t.Errorf("%s was taken", key)
		}
	}
}
