package tetshow

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/internal/tetquery"
	"github.com/tgmconv/tgmconv/tet"
)

func open(t *testing.T) *tet.File {
	t.Helper()
	f, err := tet.Open("../../../../fixtures/tet/tetpy/weather.tet")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// text is the output of write.
func text(t *testing.T, write func(*bufio.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	out := bufio.NewWriter(&b)
	if err := write(out); err != nil {
		t.Fatal(err)
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestView(t *testing.T) {
	f := open(t)
	name := f.Datasets()[0].Name
	for _, test := range []struct {
		filter Filter
		shown  int
	}{{Filter{}, len(f.Datasets())}, {Filter{Dataset: strings.ToUpper(name)}, 1}, {Filter{Dataset: "nothing"}, 0}, {Filter{Grep: "nothing at all"}, 0}} {
		v := NewView(f, Options{Name: "w.tet", Filter: test.filter, Sections: All()})
		var document struct {
			Summary struct{ Datasets []any }
		}
		if err := json.Unmarshal([]byte(text(t, v.JSON)), &document); err != nil {
			t.Fatal(err)
		}
		if len(document.Summary.Datasets) != test.shown {
			t.Errorf("%v: %d datasets, expected %d", test.filter, len(document.Summary.Datasets), test.shown)
		}
		if has := strings.Contains(text(t, v.Text), "no rows match filter"); has != (test.shown == 0) {
			t.Errorf("%v: the text says that nothing matches: %v", test.filter, has)
		}
	}
}

func TestSections(t *testing.T) {
	f := open(t)
	for _, test := range []struct {
		sections Sections
		has, not string
	}{
		{Sections{}, "datasets:\n", "layout:\n"}, {Sections{Layout: true}, "layout:\n", "datasets:\n"},
		{Sections{History: true}, "history:\n", "chunks:\n"}, {Sections{Chunks: true}, "chunks:\n", "history:\n"},
	} {
		got := text(t, NewView(f, Options{Sections: test.sections}).Text)
		if !strings.Contains(got, test.has) || strings.Contains(got, test.not) {
			t.Errorf("%+v: %s", test.sections, got)
		}
	}
}

func TestValues(t *testing.T) {
	f := open(t)
	v, err := tetquery.Evaluate(context.Background(), f.Datasets()[0], tetquery.Query{}, tet.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	table := text(t, func(out *bufio.Writer) error { return Table(out, v, 2) })
	if lines := strings.Count(table, "\n"); lines != 4 || !strings.Contains(table, "(2 of ") {
		t.Errorf("table of two values: %s", table)
	}
	var document struct {
		Values    []any
		Truncated bool
	}
	if err := json.Unmarshal([]byte(text(t, func(out *bufio.Writer) error { return JSON(out, v, 2) })), &document); err != nil {
		t.Fatal(err)
	}
	if len(document.Values) != 2 || !document.Truncated {
		t.Errorf("%+v", document)
	}
}
