package togrib_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/exporters/togrib"
	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
)

// TestZeroBitsOfIntegers: bits that are 0 in all integers of a packing that is written in another
// way are dropped, and come back.
func TestZeroBitsOfIntegers(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("..", "..", "fixtures", "grib", "sanity.grib2"))
	if err != nil {
		t.Fatal(err)
	}
	draft, err := messagesOf(t, b)[0].Fields()[0].Header().Draft()
	if err != nil {
		t.Fatal(err)
	}
	const zeros, points = 5, 16
	for _, decimal := range []int{0, 2, -1, 7} {
		for _, missing := range []*bitmask.Mask{nil, {N: points, Bits: []byte{0x40, 0x01}}} {
			q := &grib.Quantised{N: points, Reference: 280.5, BinaryScale: -9, DecimalScale: decimal, Bits: 15, Missing: missing}
			for i := range points {
				q.Samples = append(q.Samples, uint32(i*i*3)<<zeros)
			}
			draft.Quantised = q
			message, err := grib.Encoder{Packing: grib.PackComplex, DecimalScale: decimal}.Encode(nil, draft)
			if err != nil {
				t.Fatal(err)
			}
			name := filepath.Join(t.TempDir(), "zeros.grib2")
			if err := os.WriteFile(name, message, 0o600); err != nil {
				t.Fatal(err)
			}
			f := converted(t, fromgrib.Options{Sections: true}, importers.Options{Coordinates: importers.CoordinatesNone}, name)
			for o, err := range objectsOf(f) {
				if err != nil {
					t.Fatal(err)
				}
				if scale := o.Descriptor().Params["sp_binary_scale_factor"]; scale != int64(zeros-9) {
					t.Errorf("D %d: the binary scale factor is %v, expected %d", decimal, scale, zeros-9)
				}
			}
			back, _ := exported(t, f, togrib.Options{})
			before, after := messagesOf(t, message)[0].Fields()[0], messagesOf(t, back)[0].Fields()[0]
			want, err := before.Integers()
			if err != nil {
				t.Fatal(err)
			}
			got, err := after.Integers()
			if err != nil {
				t.Fatal(err)
			}
			if got.BinaryScale != want.BinaryScale || got.DecimalScale != want.DecimalScale || got.Reference != want.Reference || !slices.Equal(got.Samples, want.Samples) {
				t.Errorf("D %d: other integers come back: %+v, expected %+v", decimal, got, want)
			}
		}
	}
}
