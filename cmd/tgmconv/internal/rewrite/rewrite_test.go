package rewrite_test

import (
	"bytes"
	"fmt"
	"iter"
	"reflect"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/rewrite"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/tgm/edit"
)

// A part is an object: its value, and the metadata name and k.
type part struct {
	value float64
	name  string
	k     any
}

// made is a file of messages.
func made(t testing.TB, hashes bool, messages ...[]part) *tgm.File {
	t.Helper()
	var out bytes.Buffer
	for _, parts := range messages {
		w := tgm.NewMessageWriter(&out, tgm.WriterOptions{NoHash: !hashes})
		for _, p := range parts {
			base := map[string]any{"name": p.name}
			if p.k != nil {
				base["k"] = p.k
			}
			o, err := tgm.EncodeArray(tgm.ArrayOf([]float64{p.value}), tgm.Pipeline{})
			if err == nil {
				err = w.Append(o, base)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	f, err := tgm.NewFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func objects(t testing.TB, f *tgm.File) iter.Seq2[catalog.Object, error] {
	return func(yield func(catalog.Object, error) bool) {
		for m, err := range catalog.Messages(t.Context(), f, "test") {
			if err != nil {
				yield(catalog.Object{}, err)
				return
			}
			for o, err := range (rewrite.Selection{}).Objects(m) {
				if !yield(o, err) {
					return
				}
			}
		}
	}
}

// names are the names of items, with their values.
func names(t testing.TB, items iter.Seq2[edit.Item, error]) (list []string) {
	t.Helper()
	for item, err := range items {
		if err != nil {
			t.Fatal(err)
		}
		a, err := item.Object.Decode(tgm.DecodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		values, err := tgm.Values[float64](a)
		if err != nil {
			t.Fatal(err)
		}
		base := item.Base
		if base == nil {
			base = item.Object.Base()
		}
		list = append(list, fmt.Sprintf("%v%v", base["name"], values[0]))
	}
	return list
}

func TestArrange(t *testing.T) {
	mixed := [][]part{
		{{1, "a", 10}, {2, "b", "9"}, {3, "c", "1a"}},
		{{4, "d", nil}, {5, "e", 9.5}, {1, "a", 10}, {6, "a", 10}},
	}
	for _, c := range []struct {
		order  rewrite.Order
		hashes bool
		want   string
	}{
		{rewrite.Order{}, true, "a1 b2 c3 d4 e5 a1 a6"},
		{rewrite.Order{Keys: []string{"k"}}, true, "d4 b2 e5 a1 a1 a6 c3"}, // none, numbers, texts
		{rewrite.Order{Keys: []string{"name", "k"}}, true, "a1 a1 a6 b2 c3 d4 e5"},
		{rewrite.Order{Unique: true}, true, "a1 b2 c3 d4 e5 a6"},
		{rewrite.Order{Unique: true}, false, "a1 b2 c3 d4 e5 a6"},
		{rewrite.Order{Unique: true, Keys: []string{"name"}}, true, "a1 a6 b2 c3 d4 e5"},
	} {
		items, err := c.order.Arrange(objects(t, made(t, c.hashes, mixed...)))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(names(t, items), " "); got != c.want {
			t.Errorf("%+v, hashes %v: %s, expected %s", c.order, c.hashes, got, c.want)
		}
	}
}

// TestArrangeWithoutHashes has more messages than are kept: collected messages must not be taken for others.
func TestArrangeWithoutHashes(t *testing.T) {
	var messages [][]part
	for i := range 3000 {
		messages = append(messages, []part{{float64(i), "a", nil}})
	}
	items, err := rewrite.Order{Unique: true}.Arrange(objects(t, made(t, false, messages...)))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(names(t, items)); n != len(messages) {
		t.Errorf("%d objects, expected %d", n, len(messages))
	}
}

func TestGroups(t *testing.T) {
	f := made(t, true, []part{{1, "a", 1}, {2, "b", 1}, {3, "a", 2}}, []part{{4, "b", 1}}, nil)
	clauses, err := mapping.ParseClauses([]string{"k=1"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		clauses  mapping.Clauses
		template string
		want     [3][]string
	}{
		{nil, "[name].tgm", [3][]string{{"a.tgm false a1 a3", "b.tgm false b2"}, {"b.tgm true b4"}, nil}},
		{nil, "all", [3][]string{{"all true a1 b2 a3"}, {"all true b4"}, {"all true "}}},
		{clauses, "all", [3][]string{{"all false a1 b2"}, {"all true b4"}, nil}},
		{nil, "[none]", [3][]string{{"unknown true a1 b2 a3"}, {"unknown true b4"}, nil}},
	} {
		template, err := edit.ParseTemplate(c.template)
		if err != nil {
			t.Fatal(err)
		}
		for m, err := range catalog.Messages(t.Context(), f, "test") {
			if err != nil {
				t.Fatal(err)
			}
			groups, err := rewrite.Selection{Clauses: c.clauses}.Groups(m, template)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, g := range groups {
				got = append(got, fmt.Sprintf("%s %v %s", g.Output, g.Whole, strings.Join(names(t, g.Items()), " ")))
			}
			if !reflect.DeepEqual(got, c.want[m.Index()]) {
				t.Errorf("%s, message %d: %q, expected %q", c.template, m.Index(), got, c.want[m.Index()])
			}
		}
	}
}

func TestChange(t *testing.T) {
	f := made(t, true, []part{{1, "a", 1}, {2, "b", 2}})
	clauses, err := mapping.ParseClauses([]string{"k=2"})
	if err != nil {
		t.Fatal(err)
	}
	var changes []edit.Change
	for _, text := range []string{"name=c", "extra.by=x"} {
		c, err := edit.ParseChange(text)
		if err != nil {
			t.Fatal(err)
		}
		changes = append(changes, c)
	}
	beyond, err := edit.ParseChange("objects.2.note=x")
	if err != nil {
		t.Fatal(err)
	}
	for m, err := range catalog.Messages(t.Context(), f, "test") {
		if err != nil {
			t.Fatal(err)
		}
		changed, err := rewrite.Selection{Clauses: clauses}.Change(m, &rewrite.Changes{List: changes})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(names(t, changed.Items), " "); got != "a1 c2" || changed.Extra["by"] != "x" {
			t.Errorf("%s, %v", got, changed.Extra)
		}
		none, err := mapping.ParseClauses([]string{"k=3"})
		if err != nil {
			t.Fatal(err)
		}
		if changed, err := (rewrite.Selection{Clauses: none}).Change(m, &rewrite.Changes{List: changes}); changed != nil || err != nil {
			t.Errorf("nothing selected: %v, %v", changed, err)
		}
		if _, err := (rewrite.Selection{}).Change(m, &rewrite.Changes{List: []edit.Change{beyond}}); err == nil || !strings.Contains(err.Error(), "message 0 has 2 objects") {
			t.Errorf("an object that is not there: %v", err)
		}
	}
}

func TestNumberedName(t *testing.T) {
	template, err := edit.ParseTemplate("[name]/x.tgm")
	if err != nil {
		t.Fatal(err)
	}
	for o, err := range objects(t, made(t, true, []part{{1, "a/b", 1}})) {
		if err != nil {
			t.Fatal(err)
		}
		if got := rewrite.NumberedName(template.WithIndex(), o, 7); got != "a_b/x_0007.tgm" {
			t.Error(got)
		}
	}
}
