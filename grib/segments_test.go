package grib_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tgmconv/tgmconv/grib"
)

// scanner is the common interface of the two kinds.
type scanner interface {
	Next() (grib.Info, error)
	Junk() int64
}

// results are the results of a scanner, as text, up to an error that ends it.
func results(s scanner) (found []string) {
	for {
		info, err := s.Next()
		found = append(found, fmt.Sprintf("%+v %v, junk %d", info, err, s.Junk()))
		var format *grib.FormatError
		var unsupported *grib.UnsupportedError
		if err != nil && !errors.As(err, &format) && !errors.As(err, &unsupported) {
			return found
		}
	}
}

// checkSegments demands of a scan in segments the results of a scan in order.
func checkSegments(t *testing.T, data []byte) {
	t.Helper()
	size := int64(len(data))
	want := results(grib.NewScanner(bytes.NewReader(data), size))
	for _, search := range []int64{0, size / 10, size, 100 * size} {
		s, err := grib.ScanSegments(t.Context(), bytes.NewReader(data), size, grib.Segments{InFlight: 3, Search: search})
		if err != nil {
			t.Fatal(err)
		}
		got := results(s)
		if !slices.Equal(got, want) {
			i := 0
			for i < min(len(got), len(want)) && got[i] == want[i] {
				i++
			}
			t.Fatalf("%d bytes, %d to search: %d results, expected %d, that differ from %d on:\n%.200q\n%.200q", size, search, len(got), len(want), i, got[i:], want[i:])
		}
	}
}

func TestSegments(t *testing.T) {
	for _, name := range fixtures(t) {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		checkSegments(t, b)
	}
}

// TestSegmentsOfDamagedFiles scans messages of both editions, with other bytes between them. These
// are junk, padding, cut messages, markers where no message begins, messages within messages.
func TestSegmentsOfDamagedFiles(t *testing.T) {
	var whole [][]byte
	for _, b := range append(packings(t), readFixture(t, "sanity.grib2")) {
		if len(b) < 20_000 {
			whole = append(whole, b)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	some := func() []byte { return bytes.Clone(whole[random.IntN(len(whole))]) }
	kinds := []func() []byte{
		some, some, some, some,
		func() []byte { return make([]byte, random.IntN(9000)) },
		func() []byte { return bytes.Repeat([]byte("junk"), random.IntN(3000)) },
		func() []byte { b := some(); return b[:random.IntN(len(b))] },
		func() []byte { return []byte("GRIB\x00\x10\x00\x01 and no message") },
		func() []byte { b := some(); b[random.IntN(len(b))] ^= 1 << random.IntN(8); return b },
		func() []byte { // one within the data of another
			b, inner := some(), some()
			if len(inner) < len(b)-300 {
				copy(b[200+random.IntN(len(b)-300-len(inner)+1):], inner)
			}
			return b
		},
	}
	for range 80 {
		var data []byte
		for range 40 + random.IntN(60) {
			data = append(data, kinds[random.IntN(len(kinds))]()...)
		}
		checkSegments(t, data)
	}
}

func FuzzSegments(f *testing.F) {
	small := readFixture(f, "sanity.grib2")
	f.Add(bytes.Repeat(small, 9))
	f.Add(bytes.Join([][]byte{small, small[:90], small, make([]byte, 99), small, small, []byte("GRIB\x00\x00\x80\x01"), small, small}, nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 1<<17 {
			checkSegments(t, slices.Concat(data, bytes.Repeat(small, 20), data, bytes.Repeat(small, 20), data))
		}
	})
}

// slow answers each read after a while, and counts.
type slow struct {
	io.ReaderAt
	wait                 time.Duration
	reads, bytes, flying atomic.Int64
	most                 atomic.Int64 // reads at a time
}

func (s *slow) ReadAt(p []byte, off int64) (int, error) {
	s.reads.Add(1)
	s.bytes.Add(int64(len(p)))
	now := s.flying.Add(1)
	defer s.flying.Add(-1)
	for most := s.most.Load(); now > most && !s.most.CompareAndSwap(most, now); most = s.most.Load() {
	}
	time.Sleep(s.wait)
	return s.ReaderAt.ReadAt(p, off)
}

// TestSegmentsSaveTime counts the time of finding 352 messages of 11 kB where each read takes
// 100 ms.
func TestSegmentsSaveTime(t *testing.T) {
	data := readFixture(t, "gfs_2p50_f000.grib2")
	synctest.Test(t, func(t *testing.T) {
		r := &slow{ReaderAt: bytes.NewReader(data), wait: 100 * time.Millisecond}
		began := time.Now()
		s, err := grib.ScanSegments(t.Context(), r, int64(len(data)), grib.Segments{InFlight: 8, Search: int64(len(data)) / 16})
		if err != nil {
			t.Fatal(err)
		}
		took := time.Since(began)
		if found := results(s); len(found) != 353 || took > 8*time.Second || r.bytes.Load() > 370e3 || r.most.Load() > 8 {
			t.Errorf("%d results in %v, %d reads, %d at a time, of %d bytes", len(found), took, r.reads.Load(), r.most.Load(), r.bytes.Load())
		}
		t.Logf("%v, %d reads of %d bytes", took, r.reads.Load(), r.bytes.Load())
	})
}

func TestSegmentsEndWithTheirContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	data := bytes.Repeat(readFixture(t, "sanity.grib2"), 5)
	if _, err := grib.ScanSegments(ctx, bytes.NewReader(data), int64(len(data)), grib.Segments{InFlight: 2, Search: 1000}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, expected %v", err, context.Canceled)
	}
}
