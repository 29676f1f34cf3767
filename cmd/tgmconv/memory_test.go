//go:build linux

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/tgmconv/tgmconv/tgm"
)

// mostMemory is what no verb may take of a small file whose arrays are large.
const mostMemory = 256 << 20

// TestMemoryOfLargeConstants runs verbs on a file of some hundred bytes with constant fields as
// large as they may be.
func TestMemoryOfLargeConstants(t *testing.T) {
	if testing.Short() {
		t.Skip("decodes 1.5 GB")
	}
	program, err := exec.LookPath("tgmconv")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "constants.tgm")
	if err := os.WriteFile(file, largeConstants(t, 2), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, verb := range [][]string{{"validate", "--full"}, {"dump", "--stats"}, {"stats"}, {"serve", "--check"}, {"values", "--format", "npy"}} {
		// The collector may be late on a busy machine; it is not each time.
		most := int64(0)
		for range 3 {
			if most = peakMemory(t, exec.Command(program, append(verb, file)...)); most <= mostMemory {
				break
			}
		}
		if most > mostMemory {
			t.Errorf("%v took %d MB, expected at most %d", verb, most>>20, int64(mostMemory)>>20)
		}
	}
}

// peakMemory runs a command, and returns how many bytes of memory it had at most.
func peakMemory(t *testing.T, cmd *exec.Cmd) int64 {
	t.Helper()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		t.Errorf("%v: %v: %s", cmd.Args, err, &stderr)
	}
	return cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
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
