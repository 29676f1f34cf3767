package fields

import (
	"bytes"
	"context"
	"errors"
	"os"
	"testing"
)

// TestWork asks before values are decoded, and ends the scan with the error, whoever reads keys.
func TestWork(t *testing.T) {
	data, err := os.ReadFile("../../../../../fixtures/grib/earthkit/test_single.grib")
	if err != nil {
		t.Fatal(err)
	}
	data = bytes.Repeat(data, 5)
	tooMuch := errors.New("too much")
	for name, scan := range map[string]func(Scanner) error{
		"each": func(s Scanner) error {
			_, err := s.Each(t.Context(), func(f Field) error { _, _ = f.String("average"); return nil })
			return err
		},
		"parallel": func(s Scanner) error {
			_, err := EachParallel(t.Context(), s, func(f Field) (int, error) { _, _ = f.String("average"); return 0, nil }, func(int) error { return nil })
			return err
		},
		"sorted": func(s Scanner) error {
			for f, err := range s.Sorted(context.Background(), "level") {
				if err != nil {
					return err
				}
				_, _ = f.String("average")
			}
			return nil
		},
	} {
		asked := make(chan int64, 10)
		s := Scanner{Reader: bytes.NewReader(data), Size: int64(len(data)), Work: func(n int64) error {
			asked <- n
			if len(asked) == 3 {
				return tooMuch
			}
			return nil
		}}
		if err := scan(s); !errors.Is(err, tooMuch) {
			t.Errorf("%s: error %v, expected %v", name, err, tooMuch)
		}
		if n := <-asked; n <= 0 || n%8 != 0 {
			t.Errorf("%s: %d bytes", name, n)
		}
		s.Work = func(int64) error { return nil }
		if err := scan(s); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
