package tet

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/tgmconv/tgmconv/internal/disk"
	"github.com/tgmconv/tgmconv/internal/failing"
)

// A file that cannot be read is not reported as a bad file.
func TestVerifyWithFailingReads(t *testing.T) {
	b, err := os.ReadFile("../fixtures/tet/tetpy/weather.tet")
	if err != nil {
		t.Fatal(err)
	}
	all := &failing.Reader{ReaderAt: bytes.NewReader(b)}
	if r, err := Verify(t.Context(), all, int64(len(b)), VerifyOptions{}); err != nil || !r.OK {
		t.Fatal(r, err)
	}
	broken := errors.New("broken")
	for at := range all.Reads() {
		for _, fail := range []error{broken, io.EOF} {
			r, err := Verify(t.Context(), &failing.Reader{ReaderAt: bytes.NewReader(b), At: at + 1, Err: fail}, int64(len(b)), VerifyOptions{})
			if err == nil {
				t.Errorf("read %d fails with %v: the report is %+v", at+1, fail, r)
			}
		}
	}
}

// A footer that cannot be read now is not cut off.
func TestRepairWithFailingReads(t *testing.T) {
	b, err := os.ReadFile("../fixtures/tet/tetpy/weather.tet")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.tet")
	defer disk.SetFault(nil)
	for at := 1; ; at++ {
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		reads := 0
		disk.SetFault(func(c disk.Call) (int, error) {
			if c.Op == disk.Read {
				if reads++; reads == at {
					return 0, errors.New("broken")
				}
			}
			return c.Len, nil
		})
		_, err := Repair(context.Background(), path, []string{FooterInvalid}, false)
		disk.SetFault(nil)
		if now, _ := os.ReadFile(path); !bytes.Equal(now, b) {
			t.Fatalf("read %d fails: the file has %d bytes, expected %d; error %v", at, len(now), len(b), err)
		}
		if reads < at {
			break
		}
		if err == nil {
			t.Errorf("read %d fails without an error", at)
		}
	}
}
