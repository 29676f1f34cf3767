package archive

import (
	"errors"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/storage"
)

// TestLocated: errors that name their file are told by their type, not by their text.
func TestLocated(t *testing.T) {
	e := &catalog.Entry{File: "a.nc"}
	for _, c := range []struct {
		err  error
		want string
	}{
		{errors.New("cut off"), "a.nc: message 0, object 0: cut off"},
		{errors.New("a.nc: is what the attribute says"), "a.nc: message 0, object 0: a.nc: is what the attribute says"},
		{&storage.LocationError{Location: "b.nc", Err: errors.New("cut off")}, "b.nc: cut off"},
		{&ChangedError{"a.nc", "shrank"}, "a.nc: the file shrank after it was opened"},
		{&importers.BadInput{Where: "a.nc: variable t", Err: errors.New("cut off")}, "a.nc: variable t: cut off"},
		{gone("a.nc: variable t"), "a.nc: variable t: the object is not there any more"},
	} {
		got := located(e, c.err)
		if got.Error() != c.want || !errors.Is(got, c.err) {
			t.Errorf("%q, expected %q", got, c.want)
		}
		if again := located(e, got); again != got {
			t.Errorf("located again: %q", again)
		}
	}
}
