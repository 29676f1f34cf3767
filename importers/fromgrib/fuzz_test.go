package fromgrib_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/tgmconv/tgmconv/codec/aec"
	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// fuzzPoints keeps fields small, so that the fuzzer tries many inputs.
const fuzzPoints = 1 << 14

// FuzzConvert converts arbitrary bytes: whatever they are, there is a result or an error, and a
// result can be read back.
func FuzzConvert(f *testing.F) {
	files, err := filepath.Glob(fixtures + "/*/*.grib*")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range append(files, fixtures+"/sanity.grib2") {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		if len(b) < 8<<10 {
			f.Add(b, true)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, source bool) {
		clauses, err := fromgrib.ParseWhere([]string{"shortName!=x"})
		if err != nil {
			t.Fatal(err)
		}
		in := storage.Client{Stdin: bytes.NewReader(b), TempDir: t.TempDir()}
		defer in.Close()
		s := fromgrib.New([]importers.Input{{Name: storage.Stdin}}, fromgrib.Options{
			SkipBad: true, MaxPoints: fuzzPoints, AllKeys: true, Where: clauses, Opener: &in,
		})
		defer s.Close()
		opts := importers.Options{Workers: 1, SkipBad: true}
		if !source {
			opts.Encoding.Encoding = importers.EncodingNone
		}
		var out bytes.Buffer
		if _, err := importers.Convert(t.Context(), s, &out, opts); err != nil {
			return
		}
		file, err := tgm.NewFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
		if err != nil {
			t.Fatal(err)
		}
		for m, err := range file.Messages() {
			if err != nil {
				t.Fatal(err)
			}
			for o, err := range m.Objects() {
				if err != nil {
					t.Fatal(err)
				}
				_, err := o.Decode(tgm.DecodeOptions{VerifyHash: true})
				if err != nil && !(source && errors.Is(err, aec.ErrRange) && damagedStream(b)) {
					t.Errorf("object %d cannot be decoded: %v", o.Index(), err)
				}
			}
		}
	})
}

// damagedStream reports whether a field of the input has a CCSDS stream with samples of too many
// bits. Such a stream is copied, and copying, which does not decode, cannot tell.
func damagedStream(b []byte) bool {
	file, err := grib.NewFile(bytes.NewReader(b), int64(len(b)), grib.WithSkipBad(), grib.WithLimits(grib.Limits{MaxPoints: fuzzPoints}))
	if err != nil {
		return false
	}
	for m, err := range file.Messages() {
		if err != nil {
			continue
		}
		for _, f := range m.Fields() {
			if _, _, err := f.Decode(nil); errors.Is(err, aec.ErrRange) {
				return true
			}
		}
	}
	return false
}
