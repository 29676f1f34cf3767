package torefs

import (
	"net/url"
	"path/filepath"
	"testing"
)

func TestAddresses(t *testing.T) {
	dir := t.TempDir()
	file := func(elements ...string) string { return filepath.Join(append([]string{dir}, elements...)...) }
	local := func(path string) string { return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String() }
	const base = "https://data.example.org/archive/"
	for _, test := range []struct{ first, base, location, want string }{
		{file("a"), "", file("a", "b.nc"), local(file("a", "b.nc"))},
		{file("a"), "", "s3://bucket/b.nc", "s3://bucket/b.nc"},
		{file("a"), base, "s3://bucket/b.nc", "s3://bucket/b.nc"},
		{file("a"), base, file("a", "c", "b.nc"), base + "c/b.nc"},
		{file("a"), base, file("other", "b.nc"), local(file("other", "b.nc"))},
		{file("b.nc"), base, file("b.nc"), base + "b.nc"},
	} {
		address, err := Addresses(test.first, test.base)
		if err != nil {
			t.Fatal(err)
		}
		if got := address(test.location); got != test.want {
			t.Errorf("%s of %s with base %q: found %s, expected %s", test.location, test.first, test.base, got, test.want)
		}
	}
}
