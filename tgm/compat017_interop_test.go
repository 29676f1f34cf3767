//go:build interop

package tgm

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/internal/codec/packing"
)

// TestReference017Reads lets the command of release 0.17.0 validate, dump and decode the
// output of this package. It decodes when it reshuffles: its output must hold our values.
func TestReference017Reads(t *testing.T) {
	command, err := filepath.Abs("../.interop/cargo/bin/tensogram")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(command); err != nil {
		t.Skipf("tensogram 0.17.0 is not installed: %v", err)
	}
	run := func(args ...string) (string, error) {
		out, err := exec.Command(command, args...).CombinedOutput()
		return string(out), err
	}
	folder := t.TempDir()
	for name, o := range objects017(t) {
		path := filepath.Join(folder, name+".tgm")
		out, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		w := NewMessageWriter(out, WriterOptions{})
		w.SetExtra(map[string]any{"source": "matrix"})
		if err := w.Append(o, map[string]any{"name": name, "mars": map[string]any{"param": 167, "levelist": 0.5}}); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		out.Close()
		if text, err := run("validate", "--full", "--canonical", path); err != nil || !strings.Contains(text, "OK (1 messages, 1 objects, hash verified)") {
			t.Errorf("%s: validate: %v\n%s", name, err, text)
		}
		if text, err := run("dump", path); err != nil || !strings.Contains(text, name) || !strings.Contains(text, "matrix") {
			t.Errorf("%s: dump: %v\n%s", name, err, text)
		}
		again := filepath.Join(folder, "again.tgm")
		if text, err := run("reshuffle", "--allow-nan", "--allow-inf", path, "-o", again); err != nil {
			t.Errorf("%s: reshuffle: %v\n%s", name, err, text)
			continue
		}
		if want, got := firstObject(t, path), firstObject(t, again); !bytes.Equal(want, got) {
			t.Errorf("%s: 0.17.0 decodes other values\n% .48x\n% .48x", name, got, want)
		}
	}
}

// TestReads017 decodes the GRIB file that the command of release 0.17.0 converted, packed and
// not packed. The values of both may differ by half a step.
func TestReads017(t *testing.T) {
	command, err := filepath.Abs("../.interop/cargo/bin/tensogram")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(command); err != nil {
		t.Skipf("tensogram 0.17.0 is not installed: %v", err)
	}
	folder := t.TempDir()
	convert := func(name string, flags ...string) []float64 {
		path := filepath.Join(folder, name)
		args := append([]string{"convert-grib", "../fixtures/grib/2t_simple.grib2", "-o", path}, flags...)
		if out, err := exec.Command(command, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		values, _ := float64sOf(firstObject(t, path), LittleEndian)
		return values
	}
	plain := convert("plain.tgm")
	for _, compression := range []string{"none", "szip", "zstd", "lz4"} {
		packed := convert(compression+".tgm", "--encoding", "simple_packing", "--bits", "24", "--compression", compression)
		if len(plain) != 721*1440 || len(packed) != len(plain) {
			t.Fatalf("%d values, packed %d", len(plain), len(packed))
		}
		for i, v := range packed {
			if math.Abs(v-plain[i]) > 1e-5 {
				t.Fatalf("%s: value %d is %v, expected %v", compression, i, v, plain[i])
			}
		}
	}
}

func firstObject(t *testing.T, path string) []byte {
	t.Helper()
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := f.Message(0)
	if err != nil {
		t.Fatal(err)
	}
	a, err := decodeAll(m, 0, true)
	if err != nil {
		t.Fatal(err)
	}
	return a.Data
}

func objects017(t *testing.T) map[string]*EncodedObject {
	t.Helper()
	out := map[string]*EncodedObject{}
	for d := Float16; d <= Uint64; d++ {
		data := sampleData(d, 600)
		for _, p := range []Pipeline{{}, {Compression: "zstd"}, {Compression: "lz4", Filter: "shuffle"}, {Compression: "szip", Filter: "shuffle"}} {
			out[strings.Join([]string{d.String(), p.Filter, p.Compression}, "-")] = mustEncode(t, d, data, p)
		}
		if d <= Complex128 {
			p := Pipeline{AllowNaN: true, AllowInf: true, Masks: MaskOptions{SmallThreshold: -1}}
			out[d.String()+"-masks"] = mustEncode(t, d, withHoles(d, data), p)
		}
	}
	data := sampleData(Float64, 600)
	for _, compression := range []string{"none", "szip", "lz4"} {
		out["packed-"+compression] = mustEncode(t, Float64, data, Pipeline{Encoding: "simple_packing", Bits: 24, Compression: compression})
	}
	samples := make([]uint32, 600)
	for i := range samples {
		samples[i] = uint32(i * 5)
	}
	q, err := EncodePacked(Packed{Shape: []uint64{20, 30}, Params: packing.Params{Reference: 212.8, BinaryScale: -9, Bits: 12}, Samples: samples}, Pipeline{})
	if err != nil {
		t.Fatal(err)
	}
	out["source"] = q
	return out
}
