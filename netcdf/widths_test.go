package netcdf

import (
	"fmt"
	"testing"
)

// TestWidths reads files whose addresses and lengths have 4 bytes, or whose addresses or lengths do.
// It reads names of links in a local heap, and texts in the global heap.
func TestWidths(t *testing.T) {
	for _, name := range []string{"4-4", "4-8", "8-4"} {
		f, err := openMaybeGzip(t, "internal/hdf5/testdata/widths/"+name+".h5.gz")
		if err != nil {
			t.Fatal(name, err)
		}
		var got string
		for _, g := range append([]*Group{f.Root()}, f.Root().Groups...) {
			for _, v := range g.Vars {
				got += fmt.Sprintln(v.Path, v.LinkTarget, v.Shape(), v.Err)
			}
		}
		s := f.Root().Var("s")
		if s == nil {
			t.Fatalf("%s: no text, but %s", name, got)
		}
		texts, err := s.ReadStrings(t.Context(), nil, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		got += fmt.Sprintf("%q %q", texts, s.Attr("list").Value)
		if want := "/s  [3] <nil>\n/soft /g/n [2] <nil>\n/g/n  [2] <nil>\n" + `["one" "" "three and more"] ["a" "bc"]`; got != want {
			t.Errorf("%s: %s, expected %s", name, got, want)
		}
	}
}
