//go:build linux

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tgmconv/tgmconv/internal/cases"
	"github.com/tgmconv/tgmconv/tgm"
)

// mostMemory is the most memory that a verb may take for a small file with large arrays.
const mostMemory = 256 << 20

// TestMemoryOfLargeConstants runs verbs on a file of some hundred bytes with constant fields as
// large as they may be.
func TestMemoryOfLargeConstants(t *testing.T) {
	program, err := exec.LookPath("tgmconv")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "constants.tgm")
	if err := os.WriteFile(file, largeConstants(t, 2), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out")
	some := cases.Of(t)
	for i, verb := range [][]string{
		{"validate", "--full"}, {"stats"}, {"serve", "--check"}, {"values", "--format", "npy"},
		{"to-netcdf", "-q", "-o", out + ".nc"}, {"to-zarr", "-q", "-o", out + ".zip"}, {"to-tet", "-q", "--codec", "zstd", "-o", out + ".tet"},
	} {
		if !some.Has(i, 3) {
			continue
		}
		cmd := exec.Command(program, append(verb, file)...)
		cmd.Env = append(os.Environ(), "GOMAXPROCS=2") // verbs that write hold a part for each core
		if most := peakMemory(t, cmd); most > mostMemory {
			t.Errorf("%v took %d MB, expected at most %d", verb, most>>20, int64(mostMemory)>>20)
		}
	}
}

// TestMemoryOfExporters writes six arrays of zeros, of 64 MiB each and a few kB of zstd, in other
// formats. The data held at a time is bounded in bytes, even with many cores.
func TestMemoryOfExporters(t *testing.T) {
	program, err := exec.LookPath("tgmconv")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "zeros.tgm")
	if err := os.WriteFile(file, largeZeros(t, 6), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out")
	some, n := cases.Of(t), 0
	for _, verb := range []struct {
		name, extension string
		most            int64
	}{
		{"to-netcdf", ".nc", mostMemory}, {"to-zarr", ".zip", 2 * mostMemory},
	} {
		for _, cores := range []string{"2", "8"} {
			if n++; !some.Has(n, 2) {
				continue
			}
			cmd := exec.Command(program, verb.name, "-q", "-o", out+cores+verb.extension, file)
			cmd.Env = append(os.Environ(), "GOMAXPROCS="+cores)
			if most := peakMemory(t, cmd); most > verb.most {
				t.Errorf("%s on %s cores took %d MB, expected at most %d", verb.name, cores, most>>20, verb.most>>20)
			}
		}
	}
}

// largeConstants is a message with constant fields of 208 MiB.
func largeConstants(t *testing.T, objects int) []byte {
	t.Helper()
	d := tgm.Descriptor{
		Type: "ntensor", DType: tgm.Float64, Shape: []uint64{26 << 20}, Strides: []uint64{1}, ByteOrder: tgm.LittleEndian,
		Encoding: "simple_packing", Filter: "none", Compression: "none",
		Params: map[string]any{
			"sp_reference_value": 273.15, "sp_binary_scale_factor": 0, "sp_decimal_scale_factor": 0, "sp_bits_per_value": 0,
		},
	}
	var file bytes.Buffer
	w := tgm.NewMessageWriter(&file, tgm.WriterOptions{})
	for range objects {
		o, err := tgm.EncodedFrom(d, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Append(o, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// largeZeros is a message with arrays of zeros of 64 MiB.
func largeZeros(t *testing.T, objects int) []byte {
	t.Helper()
	zeros := tgm.Array{Shape: []uint64{8 << 20}, DType: tgm.Float64, Data: make([]byte, 64<<20)}
	o, err := tgm.EncodeArray(zeros, tgm.Pipeline{Compression: "zstd"})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	w := tgm.NewMessageWriter(&file, tgm.WriterOptions{})
	for range objects {
		if err := w.Append(o, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}
