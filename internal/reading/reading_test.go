package reading_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/internal/reading"
)

// failing fails from an offset on.
type failing struct {
	io.ReaderAt
	from int64
	err  error
}

func (f failing) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > f.from {
		return 0, f.err
	}
	return f.ReaderAt.ReadAt(p, off)
}

func TestFailure(t *testing.T) {
	broken := errors.New("broken")
	for _, test := range []struct {
		err  error
		off  int64
		want string
	}{
		{broken, 0, ""},
		{broken, 4, "reading 4 bytes at byte 4: broken"},
		{io.EOF, 4, "reading 4 bytes at byte 4: unexpected EOF"}, // of a file that has become shorter
		{io.EOF, 8, ""},
		{io.EOF, 100, ""},
	} {
		r := reading.Of(failing{strings.NewReader("content!"), 6, test.err}, 8)
		_, err := r.ReadAt(make([]byte, 4), test.off)
		if got := r.Failure(); got == nil && test.want != "" || got != nil && got.Error() != test.want {
			t.Errorf("%v at %d: failure %v, expected %q", test.err, test.off, got, test.want)
		} else if got != nil && !errors.Is(err, test.err) {
			t.Errorf("%v at %d: error %v", test.err, test.off, err)
		}
	}
}
