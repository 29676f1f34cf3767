package grib_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"testing"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
)

// fuzzOptions bound the memory and work that a mutated message may ask for, so that the fuzzer
// tries many.
var fuzzOptions = grib.WithLimits(grib.Limits{MaxPoints: 1 << 16, MaxMessage: 1 << 20})

// packings returns the messages of testdata/packings.grib: a few of every packing.
func packings(f testing.TB) [][]byte {
	f.Helper()
	b, err := os.ReadFile("testdata/packings.grib")
	if err != nil {
		f.Fatal(err)
	}
	var all [][]byte
	for info, err := range grib.Scan(bytes.NewReader(b), int64(len(b))) {
		if err != nil {
			f.Fatal(err)
		}
		all = append(all, b[info.Offset:info.Offset+info.Length])
	}
	return all
}

// exercise uses a message in every way there is, and checks that the ways agree.
func exercise(t *testing.T, data []byte) {
	m, err := grib.ParseMessage(data, 0, fuzzOptions)
	if err != nil {
		return
	}
	for _, f := range m.Fields() {
		n, _ := f.NumberOfDataPoints()
		values, missing, err := f.Decode(nil)
		if err == nil && (len(values) != n || missing != nil && missing.N != n) {
			t.Fatalf("%d values for %d points", len(values), n)
		}
		sameRounded(t, f, values, missing.Count(), err)
		q, qErr := f.Quantised()
		if err == nil && qErr == nil {
			agree(t, values, missing.Count(), q)
		}
		f.Spectral()
		f.Bytes()
	}
}

// agree checks that integers stand for values.
func agree(t *testing.T, values []float64, missing int, q *grib.Quantised) {
	if q.N != len(values) || q.Missing.Count() != missing {
		t.Fatalf("%d integers, %d missing, for %d values, %d missing", q.N, q.Missing.Count(), len(values), missing)
	}
	if math.Abs(float64(q.BinaryScale)) > 900 || math.Abs(float64(q.DecimalScale)) > 300 {
		return // the values are infinite or zero
	}
	for i, v := range dequantise(t, q) {
		if !q.Missing.Get(i) && v != values[i] && !math.IsNaN(v) {
			t.Fatalf("integers give %v at point %d, expected %v", v, i, values[i])
		}
	}
}

func FuzzMessage(f *testing.F) {
	for i, b := range packings(f) {
		if i%3 == 0 {
			f.Add(b)
		}
	}
	f.Fuzz(exercise)
}

// FuzzScan looks for messages in arbitrary bytes and reads them, whole and their heads.
func FuzzScan(f *testing.F) {
	all := packings(f)
	f.Add(bytes.Join([][]byte{[]byte("junk"), all[0], all[100], all[1][:50]}, []byte("GRIB")))
	f.Add([]byte("GRIB\xff\xff\xff\x01"))
	f.Fuzz(func(t *testing.T, b []byte) {
		var found []grib.Info
		for info, err := range grib.Scan(bytes.NewReader(b), int64(len(b))) {
			if err == nil {
				found = append(found, info)
			}
		}
		file, err := grib.NewFile(bytes.NewReader(b), int64(len(b)), grib.WithSkipBad())
		if err != nil {
			return
		}
		if file.Len() != len(found) {
			t.Fatalf("%d messages, the scan finds %d", file.Len(), len(found))
		}
		for i, info := range found {
			m, err := file.Message(i)
			if err == nil && (m.Offset != info.Offset || int64(len(m.Data)) != info.Length || m.Edition != info.Edition) {
				t.Fatalf("message %d at %d of %d bytes, the scan says %+v", i, m.Offset, len(m.Data), info)
			}
			head, headErr := file.Head(i)
			if err != nil || headErr != nil {
				continue
			}
			for k, f := range head.Fields() {
				if !bytes.Equal(f.WithoutData(), m.Fields()[k].WithoutData()) {
					t.Fatalf("message %d, field %d: the head is not that of the message", i, k)
				}
			}
		}
	})
}

// fuzzSection puts arbitrary bytes in the place of one section of messages of each edition and
// packing.
func fuzzSection(f *testing.F, edition, number int) {
	var frames [][]grib.Section
	for _, b := range packings(f) {
		m, err := grib.ParseMessage(b, 0, fuzzOptions)
		if err != nil {
			f.Fatal(err)
		}
		if field := m.Fields()[0]; m.Edition == edition && field.Section(number) != nil {
			frames = append(frames, field.Sections())
		}
	}
	for i := range frames {
		if i%5 == 0 {
			for _, s := range frames[i] {
				if s.Number == number {
					f.Add(i, s.Data)
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, frame int, data []byte) {
		if frame < 0 || frame >= len(frames) {
			return
		}
		exercise(t, withSection(frames[frame], edition, number, data))
	})
}

// withSection joins sections to a message. One of them is replaced and its length made right.
func withSection(sections []grib.Section, edition, number int, data []byte) []byte {
	var out []byte
	for _, s := range sections {
		if s.Number == number {
			s.Data = append([]byte(nil), data...)
			switch {
			case number == 0:
			case edition == 2 && len(data) >= 5:
				binary.BigEndian.PutUint32(s.Data, uint32(len(data)))
				s.Data[4] = byte(number)
			case edition == 1 && len(data) >= 3:
				s.Data[0], s.Data[1], s.Data[2] = byte(len(data)>>16), byte(len(data)>>8), byte(len(data))
			}
		}
		out = append(out, s.Data...)
	}
	out = append(out, "7777"...)
	switch {
	case number == 0:
	case edition == 2:
		binary.BigEndian.PutUint64(out[8:], uint64(len(out)))
	default:
		out[4], out[5], out[6] = byte(len(out)>>16), byte(len(out)>>8), byte(len(out))
	}
	return out
}

func FuzzEdition1Section0(f *testing.F) { fuzzSection(f, 1, 0) }
func FuzzEdition1Section1(f *testing.F) { fuzzSection(f, 1, 1) }
func FuzzEdition1Section2(f *testing.F) { fuzzSection(f, 1, 2) }
func FuzzEdition1Section3(f *testing.F) { fuzzSection(f, 1, 3) }
func FuzzEdition1Section4(f *testing.F) { fuzzSection(f, 1, 4) }
func FuzzEdition2Section0(f *testing.F) { fuzzSection(f, 2, 0) }
func FuzzEdition2Section1(f *testing.F) { fuzzSection(f, 2, 1) }
func FuzzEdition2Section3(f *testing.F) { fuzzSection(f, 2, 3) }
func FuzzEdition2Section4(f *testing.F) { fuzzSection(f, 2, 4) }
func FuzzEdition2Section5(f *testing.F) { fuzzSection(f, 2, 5) }
func FuzzEdition2Section6(f *testing.F) { fuzzSection(f, 2, 6) }
func FuzzEdition2Section7(f *testing.F) { fuzzSection(f, 2, 7) }

// FuzzRebuild builds messages from arbitrary headers; the output is a message.
func FuzzRebuild(f *testing.F) {
	for _, name := range []string{"sanity.grib2", "lsm.grib2", "earthkit/t_pl.grib"} {
		m, err := grib.ParseMessage(readFixture(f, name), 0)
		if err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(m.Fields()[0].Header()), uint16(40), []byte{0xf0})
	}
	f.Fuzz(func(t *testing.T, header []byte, n uint16, missing []byte) {
		q := &grib.Quantised{N: int(n), Samples: make([]uint32, n), Missing: bitmask.New(int(n))}
		copy(q.Missing.Bits, missing)
		if rest := n % 8; rest != 0 {
			q.Missing.Bits[len(q.Missing.Bits)-1] &= 0xff << (8 - rest)
		}
		b, err := grib.Rebuild(grib.Part{Header: header, Quantised: q})
		if err != nil {
			return
		}
		if len(b) > len(header)+8*int(n)+1<<16 {
			t.Fatalf("%d bytes from %d", len(b), len(header))
		}
	})
}
