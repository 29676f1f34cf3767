package tgm

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// wordy returns a message of n objects with metadata of the given number of bytes each.
func wordy(t testing.TB, n, size int, opts WriterOptions) []byte {
	t.Helper()
	var out bytes.Buffer
	w := NewMessageWriter(&out, opts)
	w.SetExtra(map[string]any{"source": "here"})
	for i := range n {
		o, err := EncodeArray(ArrayOf([]float32{float32(i), 1, 2}), Pipeline{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Append(o, map[string]any{"name": fmt.Sprint("x", i), "text": strings.Repeat("a", size)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestMetadataBeyondTheLimitAreWrittenAfterTheObjects(t *testing.T) {
	for _, c := range []struct {
		n, size int
		noHash  bool
		footer  bool
	}{
		{n: 10, size: 1000},
		{n: 1, size: maxHeader - 2000},
		{n: 1, size: maxHeader, footer: true},
		{n: 300, size: 1000, footer: true},
		{n: 300, size: 1000, noHash: true, footer: true},
	} {
		b := wordy(t, c.n, c.size, WriterOptions{NoHash: c.noHash})
		m := openOne(t, b)
		md, err := m.Metadata()
		if err != nil {
			t.Fatal(err)
		}
		last, err := m.Object(c.n - 1)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := last.Name(), fmt.Sprint("x", c.n-1); got != want || len(md.Base) != c.n || md.Extra["source"] != "here" {
			t.Errorf("%+v: last of %d is %q, expected %q; extra %v", c, len(md.Base), got, want, md.Extra)
		}
		first, err := m.Object(0)
		if err != nil {
			t.Fatal(err)
		}
		if start := first.Offset(); (start == preambleSize) != c.footer || start > maxHeader {
			t.Errorf("%+v: the first object is at %d", c, start)
		}
		r, err := Validate(bytes.NewReader(b), int64(len(b)), LevelFull, ValidateOptions{Canonical: true})
		if err != nil {
			t.Fatal(err)
		}
		if !r.OK() || !c.noHash && len(r.Reports[0].Issues) > 0 {
			t.Errorf("%+v: %+v", c, r)
		}
		s := NewStreamReader(bytes.NewReader(b))
		n := 0
		for {
			if _, err := s.Next(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			n++
		}
		if n != c.n {
			t.Errorf("%+v: %d objects in the stream", c, n)
		}
	}
}
