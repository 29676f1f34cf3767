package fault_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/tgmconv/tgmconv/internal/fault"
)

// transparent is an error type that shows the text of another.
type transparent struct{ error }

func (t transparent) Unwrap() error { return t.error }

func TestDetail(t *testing.T) {
	short := fault.Errorf("zoo", "no %s in cage %d: %w", "lion", 3, io.EOF)
	for _, test := range []struct {
		err  error
		want string
	}{
		{io.EOF, "EOF"},
		{short, "no lion in cage 3: EOF"},
		{transparent{short}, "no lion in cage 3: EOF"},
		{fault.Noted(short, "%d more", 2), "no lion in cage 3: EOF (2 more)"},
		{fmt.Errorf("feeding: %w", short), "feeding: zoo: no lion in cage 3: EOF"},
		{errors.Join(nil, short), "no lion in cage 3: EOF"},
		{errors.Join(io.EOF, short), "EOF\nno lion in cage 3: EOF"},
		{fmt.Errorf("%w and %w", short, io.EOF), "zoo: no lion in cage 3: EOF and EOF"},
		{&fault.Error{Place: "a.txt: line 7", Err: short}, "a.txt: line 7: no lion in cage 3: EOF"},
	} {
		if got := fault.Detail(test.err); got != test.want {
			t.Errorf("%q: %q, expected %q", test.err, got, test.want)
		}
		if !errors.Is(test.err, io.EOF) {
			t.Errorf("%q does not wrap its cause", test.err)
		}
	}
	if got := short.Error(); got != "zoo: no lion in cage 3: EOF" {
		t.Errorf("%q", got)
	}
}

func TestNamesFile(t *testing.T) {
	in := &fault.Error{Place: "a.txt", Err: io.EOF}
	if fault.NamesFile(io.EOF) || !fault.NamesFile(in) || !fault.NamesFile(fmt.Errorf("feeding: %w", in)) {
		t.Error("only an error in a file names the file")
	}
}
