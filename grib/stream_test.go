package grib_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"

	"github.com/tgmconv/tgmconv/grib"
)

// TestStream reads files as streams, whole, cut off, changed and with bytes put before. The
// messages, the errors and the junk must be the same as a Scanner finds.
func TestStream(t *testing.T) {
	paths, _ := filepath.Glob("../fixtures/grib/*.grib*")
	if len(paths) == 0 {
		t.Fatal("no fixtures")
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil || len(b) > 1<<20 {
			continue
		}
		broken := bytes.Clone(b)
		broken[len(b)-2] = 0
		padded := bytes.Join([][]byte{[]byte("GRIBjunk"), make([]byte, 300000), b, []byte("GRIB"), b[:len(b)/2]}, nil)
		for name, file := range map[string][]byte{"whole": b, "cut": b[:len(b)-3], "broken": broken, "twice": append(bytes.Clone(broken), b...), "padded": padded} {
			want, got := scanned(file), streamed(file)
			if got != want {
				t.Errorf("%s, %s: a stream has\n%s\nexpected\n%s", path, name, got, want)
			}
		}
	}
}

func scanned(file []byte) (found string) {
	s := grib.NewScanner(bytes.NewReader(file), int64(len(file)))
	for {
		info, err := s.Next()
		if err == io.EOF {
			return found + fmt.Sprintln(s.Junk())
		}
		found += fmt.Sprintln(info, err)
	}
}

func streamed(file []byte) (found string) {
	s := grib.NewStream(iotest.HalfReader(bytes.NewReader(file)), grib.WithLimits(grib.Limits{MaxMessage: math.MaxInt64}))
	for {
		info, data, err := s.Next()
		if err == io.EOF {
			return found + fmt.Sprintln(s.Junk())
		}
		found += fmt.Sprintln(info, err)
		if err == nil && !bytes.Equal(data, file[info.Offset:info.Offset+info.Length]) {
			found += "other octets\n"
		}
	}
}

// TestStreamBounds reads a message that claims to be too long, and from a stream that fails.
func TestStreamBounds(t *testing.T) {
	b, err := os.ReadFile("../fixtures/grib/2t.grib2")
	if err != nil {
		t.Fatal(err)
	}
	s := grib.NewStream(bytes.NewReader(b), grib.WithLimits(grib.Limits{MaxMessage: 100}))
	if _, _, err := s.Next(); !errors.As(err, new(*grib.LimitError)) {
		t.Errorf("error %v, expected a LimitError", err)
	}
	failed := errors.New("failed")
	s = grib.NewStream(io.MultiReader(bytes.NewReader(b[:50]), iotest.ErrReader(failed)))
	if _, _, err := s.Next(); !errors.Is(err, failed) {
		t.Errorf("error %v, expected that of the stream", err)
	}
	s = grib.NewStream(bytes.NewReader(b))
	if _, _, err := s.Next(); err != nil {
		t.Fatal(err)
	}
	if ended, err := s.Ended(); !ended || err != nil {
		t.Errorf("ended is %v, %v", ended, err)
	}
}

// FuzzStream finds the same in a stream as a Scanner finds in a file.
func FuzzStream(f *testing.F) {
	b, err := os.ReadFile("../fixtures/grib/sanity.grib2")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add(append(b[:len(b)/2:len(b)/2], b...))
	f.Add(bytes.Replace(b, []byte("7777"), []byte("7770"), 1))
	f.Fuzz(func(t *testing.T, file []byte) {
		if len(file) > 1<<16 {
			return
		}
		if want, got := scanned(file), streamed(file); got != want {
			t.Errorf("a stream has\n%s\nexpected\n%s", got, want)
		}
	})
}

// TestMessageOfASmallFile refuses a message that is very much larger than the compressed file which
// it comes from.
func TestMessageOfASmallFile(t *testing.T) {
	const length = 65 << 20
	head := append([]byte("GRIB\x00\x00\x00\x02"), 0, 0, 0, 0, length>>24, length>>16&0xff, length>>8&0xff, length&0xff)
	for _, test := range []struct {
		limits  grib.Limits
		refused bool
	}{
		{grib.Limits{}, false}, {grib.Limits{Packed: 1 << 10}, true}, {grib.Limits{Packed: 1 << 20}, true}, {grib.Limits{Packed: 2 << 20}, false},
		{grib.Limits{Packed: 1 << 10, MaxMessage: length}, false},
	} {
		s := grib.NewStream(io.MultiReader(bytes.NewReader(head), bytes.NewReader(make([]byte, 1000))), grib.WithLimits(test.limits))
		_, _, err := s.Next()
		var limit *grib.LimitError
		if errors.As(err, &limit) != test.refused {
			t.Errorf("%+v: error %v, expected a LimitError: %v", test.limits, err, test.refused)
		}
	}
}
