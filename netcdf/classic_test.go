package netcdf

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"
)

// cdf builds classic files field by field.
type cdf struct{ bytes.Buffer }

func (c *cdf) u32(list ...uint32) *cdf {
	for _, v := range list {
		binary.Write(c, binary.BigEndian, v)
	}
	return c
}

func (c *cdf) name(s string) *cdf {
	c.u32(uint32(len(s)))
	c.WriteString(s)
	c.Write(make([]byte, -len(s)&3))
	return c
}

// small is a file with a record dimension t, a dimension x of 3, and two variables. They are of
// type short: r(t, x), f(x).
func small(records uint32, edit func(*cdf)) []byte {
	c := &cdf{}
	c.WriteString("CDF\x01")
	c.u32(records, tagDimension, 2).name("t").u32(0).name("x").u32(3)
	c.u32(0, 0, tagVariable, 2)
	c.name("r").u32(2, 0, 1, 0, 0, uint32(Short), 8, 144)
	c.name("f").u32(1, 1, 0, 0, uint32(Short), 8, 136)
	if edit != nil {
		edit(c)
	}
	c.Write(make([]byte, max(0, 136-c.Len())))
	for i := range 16 {
		c.Write([]byte{0, byte(i)})
	}
	return c.Bytes()
}

func open(b []byte) (*File, error) { return NewFile(bytes.NewReader(b), int64(len(b))) }

func readAll(v *Var) ([]byte, error) {
	b := make([]byte, v.Size())
	return b, v.Read(context.Background(), b, nil, nil)
}

func TestClassicRecords(t *testing.T) {
	f, err := open(small(2, nil))
	if err != nil {
		t.Fatal(err)
	}
	// This is the only record variable: its records of six bytes are not padded.
	got, err := readAll(f.Root().Var("r"))
	want := []byte{4, 0, 5, 0, 6, 0, 7, 0, 8, 0, 9, 0}
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("r is %d (%v), expected %d", got, err, want)
	}
	got, err = readAll(f.Root().Var("f"))
	if want = []byte{0, 0, 1, 0, 2, 0}; err != nil || !bytes.Equal(got, want) {
		t.Errorf("f is %d (%v), expected %d", got, err, want)
	}
	f, err = open(small(1<<32-1, nil))
	if err != nil {
		t.Fatal(err)
	}
	// 24 bytes from byte 144 on: four whole records.
	if n := f.Root().Dims[0].Len; n != 4 {
		t.Errorf("%d records where the writer left the number open, expected 4", n)
	}
}

// TestClassicTruncated cuts the file everywhere. In the header opening fails, in the elements
// reading does, and the error names the expected bytes.
func TestClassicTruncated(t *testing.T) {
	whole := small(2, nil)
	const header, end = 132, 156
	for n := range end {
		f, err := open(whole[:n])
		if n < 4 {
			if err == nil {
				t.Fatalf("%d bytes open", n)
			}
			continue
		}
		if n >= header && err == nil {
			_, err = readAll(f.Root().Var("r"))
		}
		var format *FormatError
		if !errors.As(err, &format) || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("%d of %d bytes: %v, expected a FormatError about the end of the file", n, end, err)
		}
		if !strings.Contains(err.Error(), "expected") && !strings.Contains(err.Error(), "file ends") {
			t.Errorf("%d of %d bytes: %q does not say what was expected", n, end, err)
		}
	}
}

func TestClassicDamage(t *testing.T) {
	at := func(offset int, v uint32) func(*cdf) {
		return func(c *cdf) { binary.BigEndian.PutUint32(c.Bytes()[offset:], v) }
	}
	for name, c := range map[string]struct {
		edit func(*cdf)
		want string
	}{
		"tag":            {at(8, 99), "tag 99"},
		"dimensions":     {at(12, 1<<31), "entries"},
		"name":           {at(16, 1<<30), "bytes expected"},
		"record twice":   {at(36, 0), "record dimension"},
		"variables":      {at(52, 1<<28), "entries"},
		"rank":           {at(64, 1<<30), "dimensions"},
		"dimension id":   {at(68, 7), "dimension 7 of a file with 2"},
		"record last":    {at(72, 0), "it may only come first"},
		"type":           {at(84, 7), "type 7"},
		"attribute list": {at(76, tagVariable), "tag 11"},
	} {
		_, err := open(small(2, c.edit))
		var format *FormatError
		if !errors.As(err, &format) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, expected a FormatError with %q", name, err, c.want)
		}
	}
	if _, err := open([]byte("CDF\x07aaaaaaaa")); !errors.As(err, new(*UnsupportedError)) {
		t.Errorf("version 7: %v, expected an UnsupportedError", err)
	}
	if _, err := open([]byte("GRIB....")); err == nil {
		t.Error("no error for another format")
	}
}

// TestClassicSizes demands that a header cannot ask for more than the file has.
func TestClassicSizes(t *testing.T) {
	f, err := open(small(1<<31, nil))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Root().Var("r").CheckRead(nil, nil); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v, expected the end of the file", err)
	}
}
