package manifest_test

import (
	"fmt"
	"log"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/manifest"
	"github.com/tgmconv/tgmconv/tgm"
)

const name = "../../../../fixtures/tgm/v0.20/multi_object.tgm"

func sums(t testing.TB) (*tgm.File, []manifest.Sum) {
	t.Helper()
	f, err := tgm.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	var list []manifest.Sum
	for m, err := range f.Messages() {
		if err != nil {
			t.Fatal(err)
		}
		s, err := manifest.SumOf(m, name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	return f, list
}

func TestCompare(t *testing.T) {
	f, list := sums(t)
	other := list[0]
	other.Hash = strings.Repeat("0", len(other.Hash))
	later := list[0]
	later.Message = len(list)
	for _, c := range []struct {
		what string
		want []manifest.Sum
		has  []string
	}{
		{"the same", list, nil},
		{"another sum", append([]manifest.Sum{other}, list[1:]...), []string{"message 0 differs"}},
		{"not listed", list[1:], []string{"message 0 is not in the manifest"}},
		{"missing", append(slices.Clone(list), later), []string{fmt.Sprintf("message %d is missing", len(list))}},
	} {
		has, err := manifest.Compare(f, c.want)
		if err != nil || !slices.Equal(has, c.has) {
			t.Errorf("%s: %q, %v, expected %q", c.what, has, err, c.has)
		}
	}
}

func FuzzRead(f *testing.F) {
	_, list := sums(f)
	f.Add(list[0].String())
	f.Add(list[0].String() + "\r\n" + list[0].String() + " with a space\n")
	f.Add("x 0 0 x")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := manifest.Read(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, file := range l.Files {
			for _, s := range l.Sums[file] {
				again, err := manifest.ParseSum(s.String())
				if err != nil || again != s {
					t.Errorf("%q is read as %+v: %v", s, again, err)
				}
			}
		}
	})
}

func Example() {
	l, err := manifest.Read(strings.NewReader("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 0 1234 forecast.tgm\n"))
	if err != nil {
		log.Fatal(err)
	}
	for _, file := range l.Files {
		fmt.Println(file, l.Sums[file][0].Bytes)
	}
	// Output: forecast.tgm 1234
}
