package keys_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/grib/keys"
)

// someValues stands for the data of a field whose message is fuzzed.
type someValues struct{}

func (someValues) Values() ([]float64, []byte, error) {
	return []float64{1, 2.5, -3, 4, 0, 6}, []byte{0b01000000}, nil
}

// headers cuts the data off the first message of each sample file.
func headers(f *testing.F) (out [][]byte) {
	f.Helper()
	for _, pattern := range []string{"*.grib*", "*/*.grib*"} {
		names, err := filepath.Glob("../../fixtures/grib/" + pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range names {
			b, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			b = bytes.Clone(b[:min(len(b), 700)])
			if len(b) > 8 && b[7] == 2 { // the length of the message is the length of the rest
				copy(b[8:16], []byte{0, 0, 0, 0, 0, 0, byte(len(b) >> 8), byte(len(b))})
			}
			out = append(out, b)
		}
	}
	return out
}

// No message makes reading panic, hang, or allocate by a claimed length.
func FuzzHandle(f *testing.F) {
	for _, b := range headers(f) {
		f.Add(b)
	}
	f.Fuzz(readAll)
}

// FuzzHeaderBytes changes single bytes of whole messages, so that the fuzzer
// reaches the code that the bytes steer. Each three bytes of patch are an
// offset and a value.
func FuzzHeaderBytes(f *testing.F) {
	samples := patchSeeds(f)
	f.Fuzz(func(t *testing.T, sample int, patch []byte) {
		msg := patched(samples, sample, patch)
		if msg == nil {
			return
		}
		readAll(t, msg)
	})
}

// FuzzEdition2Section2 gives messages a local section of any centre, which the definitions know in
// some hundred forms.
func FuzzEdition2Section2(f *testing.F) {
	samples := slices.DeleteFunc(headers(f), func(b []byte) bool { return b[7] != 2 })
	for i := range samples {
		f.Add(i, uint16(98), []byte{0, byte(i), 1, 1, 4, 1, '0', '0', '0', '1'})
	}
	f.Fuzz(func(t *testing.T, sample int, centre uint16, local []byte) {
		if sample >= 0 && sample < len(samples) {
			readAll(t, withLocalSection(samples[sample], centre, local))
		}
	})
}

// withLocalSection is a message of edition 2 with another centre in section 1 and other content in
// section 2.
func withLocalSection(msg []byte, centre uint16, local []byte) []byte {
	behind := 16 + int(binary.BigEndian.Uint32(msg[16:]))
	out := bytes.Clone(msg[:behind])
	binary.BigEndian.PutUint16(out[21:], centre)
	if msg[behind+4] == 2 {
		behind += int(binary.BigEndian.Uint32(msg[behind:]))
	}
	out = append(binary.BigEndian.AppendUint32(out, uint32(5+len(local))), 2)
	out = append(out, local...)
	out = append(out, msg[behind:]...)
	binary.BigEndian.PutUint64(out[8:], uint64(len(out)))
	return out
}

// patchSeeds gives the sample files that patches are applied to.
func patchSeeds(f *testing.F) [][]byte {
	samples := headers(f)
	for i := range samples {
		f.Add(i, []byte{0, 20, 255})
		f.Add(i, []byte{0, 48, 1, 0, 60, 3})
	}
	return samples
}

// patched is a sample with some other bytes, nil when there is no such sample.
func patched(samples [][]byte, sample int, patch []byte) []byte {
	if sample < 0 || sample >= len(samples) || len(patch) > 3*64 {
		return nil
	}
	msg := bytes.Clone(samples[sample])
	for ; len(patch) >= 3; patch = patch[3:] {
		if at := int(patch[0])<<8 | int(patch[1]); at < len(msg) {
			msg[at] = patch[2]
		}
	}
	return msg
}

// FuzzReader has a Reader read a message, then a message with some other bytes,
// then the first again. Each answer must be the same as for the message alone.
func FuzzReader(f *testing.F) {
	samples := patchSeeds(f)
	f.Fuzz(func(t *testing.T, sample int, patch []byte) {
		msg := patched(samples, sample, patch)
		if msg == nil {
			return
		}
		var r keys.Reader
		for _, m := range [][]byte{samples[sample], msg, samples[sample]} {
			sameAsNew(t, &r, m, someValues{}, "variant")
		}
	})
}

func readAll(t *testing.T, msg []byte) {
	if len(msg) > 1<<14 {
		return
	}
	start := time.Now()
	h, err := keys.New(msg, someValues{})
	if err != nil {
		return
	}
	for _, ns := range []string{"mars", "ls", "geography", "time", "vertical", "parameter", "statistics"} {
		h.Namespace(ns)
	}
	for _, k := range h.All() {
		if _, err := h.String(k.Name); err == nil {
			h.IsMissing(k.Name)
			h.Floats(k.Name)
			h.Ints(k.Name)
			h.Bytes(k.Name)
		}
	}
	if d := time.Since(start); d > time.Minute {
		t.Errorf("%v for %d bytes", d, len(msg))
	}
}
