package grib_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/codec/aec"
	"github.com/tgmconv/tgmconv/grib"
)

// dequantise computes values from integers, one by one, without any of the reader's own arithmetic.
func dequantise(t *testing.T, q *grib.Quantised) []float64 {
	t.Helper()
	samples := q.Samples
	switch {
	case q.Packed != nil:
		samples = make([]uint32, q.N)
		for i := range q.N * q.Bits {
			bit := q.Packed[i/8] >> (7 - i%8) & 1
			samples[i/q.Bits] = samples[i/q.Bits]<<1 | uint32(bit)
		}
	case q.AEC != nil:
		samples = make([]uint32, q.N)
		p := aec.Params{BitsPerSample: q.Bits, BlockSize: q.AEC.BlockSize, RSI: q.AEC.RSI, Flags: aec.Flags(q.AEC.Flags)}
		if err := aec.DecodeUint32(samples, q.AEC.Data, p); err != nil {
			t.Fatal(err)
		}
	case samples == nil:
		if q.Bits != 0 {
			t.Errorf("no samples, but %d bits", q.Bits)
		}
		samples = make([]uint32, q.N)
	}
	decimal := 1.0
	for range max(q.DecimalScale, -q.DecimalScale) {
		if q.DecimalScale > 0 {
			decimal /= 10
		} else {
			decimal *= 10
		}
	}
	out := make([]float64, q.N)
	for i, s := range samples {
		if q.Bits < 32 && s>>q.Bits != 0 {
			t.Fatalf("sample %d is %d, which has more than %d bits", i, s, q.Bits)
		}
		out[i] = (float64(math.Ldexp(float64(s), q.BinaryScale)) + q.Reference) * decimal
	}
	return out
}

// An expectation is a line of testdata/*.values, which interop/grib/values.py makes with ecCodes.
type expectation struct {
	file            string
	message         int
	packing         string
	points, missing int
	digest          string
}

func readExpectations(t *testing.T, name string) []expectation {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []expectation
	for s := bufio.NewScanner(f); s.Scan(); {
		var e expectation
		if _, err := fmt.Sscan(s.Text(), &e.file, &e.message, &e.packing, &e.points, &e.missing, &e.digest); err != nil {
			t.Fatalf("%s: %q: %v", name, s.Text(), err)
		}
		all = append(all, e)
	}
	return all
}

// digest is the SHA-256 of values as float64. It takes their float32 values where the last bit
// of a float64 is the C library's.
func digest(packing string, values []float64) string {
	b := make([]byte, 0, 8*len(values))
	for _, v := range values {
		switch packing {
		case "spectral_complex", "bifourier_complex", "grid_simple_log_preprocessing":
			v = float64(float32(v))
		}
		if math.IsNaN(v) {
			v = math.Float64frombits(0x7ff8 << 48)
		}
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

// TestValues decodes every fixture and some messages of every packing, and compares with
// ecCodes' values. It also takes the messages of interop/grib/g2c_make.c, gribex_make.f90 and
// jpeg2000_make.py.
func TestValues(t *testing.T) {
	for _, name := range []string{"fixtures", "packings", "g2c", "gribex", "jpeg2000"} {
		t.Run(name, func(t *testing.T) {
			testValues(t, readExpectations(t, "testdata/"+name+".values"))
		})
	}
}

func testValues(t *testing.T, all []expectation) {
	var fields []*grib.Field
	file := ""
	var buf []float64
	for _, e := range all {
		if e.file != file {
			if len(fields) != 0 {
				t.Errorf("%s: %d fields more than expected", file, len(fields))
			}
			file, fields = e.file, readFields(t, e.file)
		}
		if len(fields) == 0 {
			t.Errorf("%s: message %d is not there", file, e.message)
			continue
		}
		f := fields[0]
		fields = fields[1:]
		values, missing, err := f.Decode(buf)
		if err != nil {
			t.Errorf("%s: message %d (%s): %v", file, e.message, e.packing, err)
			continue
		}
		if buf = values; len(values) != e.points || missing.Count() != e.missing || digest(e.packing, values) != e.digest {
			t.Errorf("%s: message %d (%s): %d points, %d missing, digest %s, expected %d, %d, %s", file, e.message, e.packing,
				len(values), missing.Count(), digest(e.packing, values), e.points, e.missing, e.digest)
		}
		if n, err := f.NumberOfDataPoints(); n != e.points || err != nil {
			t.Errorf("%s: message %d (%s): NumberOfDataPoints says %d (%v), expected %d", file, e.message, e.packing, n, err, e.points)
		}
		testQuantised(t, f, e, values)
		testPick(t, f, e, values)
	}
}

// testQuantised checks that the integers of a field give its values.
func testQuantised(t *testing.T, f *grib.Field, e expectation, values []float64) {
	t.Helper()
	q, err := f.Quantised()
	if errors.Is(err, grib.ErrNotQuantised) && !quantisable(f, e.packing) {
		return
	}
	if err != nil {
		t.Errorf("%s: message %d (%s): quantised: %v", e.file, e.message, e.packing, err)
		return
	}
	if q.N != e.points || q.Missing.Count() != e.missing {
		t.Errorf("%s: message %d (%s): quantised: %d points, %d missing, expected %d, %d", e.file, e.message, e.packing, q.N, q.Missing.Count(), e.points, e.missing)
		return
	}
	unpacked, err := f.Integers()
	if err != nil || unpacked.Packed != nil || unpacked.AEC != nil {
		t.Errorf("%s: message %d (%s): integers: %v", e.file, e.message, e.packing, err)
		return
	}
	fromSamples := dequantise(t, unpacked)
	for i, v := range dequantise(t, q) {
		if !q.Missing.Get(i) && (v != values[i] || fromSamples[i] != v) {
			t.Errorf("%s: message %d (%s): quantised: point %d is %v, from samples %v, expected %v", e.file, e.message, e.packing, i, v, fromSamples[i], values[i])
			return
		}
	}
}

// quantisable says whether a field of that packing has integers of at most 32 bits.
func quantisable(f *grib.Field, packing string) bool {
	switch {
	case strings.HasPrefix(packing, "spectral"), strings.HasPrefix(packing, "bifourier"), packing == "grid_ieee",
		packing == "grid_run_length", packing == "grid_simple_log_preprocessing":
		return false
	case packing != "grid_simple":
		return true
	case f.Edition == 1:
		return f.Section(4)[10] <= 32
	}
	return f.Section(5)[19] <= 32
}

func readFields(t *testing.T, name string) []*grib.Field {
	t.Helper()
	f, err := grib.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var fields []*grib.Field
	for m, err := range f.Messages() {
		if err != nil {
			t.Fatal(err)
		}
		fields = append(fields, m.Fields()...)
	}
	return fields
}
