package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/cases"
	"github.com/tgmconv/tgmconv/internal/nctest"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/tgm/edit"
)

// A sourceFile is a netCDF file of a test. All have the same dimensions, with the same lengths.
type sourceFile struct {
	number    int // in its values: they tell which file, variable, time and place they are of
	vars      []string
	times     []float64
	since     string
	lats      []float64
	title     string
	unlimited bool
}

const sourceLons = 3

// value is the element of a variable at a time and a place.
func (s *sourceFile) value(v, time, place int) float64 {
	return float64(((s.number*10+v)*10+time)*100 + place)
}

// sourceOfValue is the inverse of value for place 0.
func sourceOfValue(x float64) (source, v, time int) {
	n := int(x) / 100
	return n / 100, n / 10 % 10, n % 10
}

func (s *sourceFile) write(t *testing.T, path string) {
	t.Helper()
	text := func(name, value string) netcdf.Attr {
		return netcdf.Attr{Name: name, Type: ncwrite.Atomic(netcdf.Char), Value: value}
	}
	variable := func(name, units string, dims ...string) *ncwrite.Var {
		return &ncwrite.Var{Name: name, Type: ncwrite.Atomic(netcdf.Double), Dims: dims, Attrs: []netcdf.Attr{text("units", units)}}
	}
	root := &ncwrite.Group{Attrs: []netcdf.Attr{text("title", s.title)}, Dims: []*netcdf.Dim{
		{Name: "time", Len: uint64(len(s.times)), Unlimited: s.unlimited}, {Name: "lat", Len: uint64(len(s.lats))}, {Name: "lon", Len: sourceLons},
	}}
	root.Vars = []*ncwrite.Var{variable("time", "days since "+s.since, "time"), variable("lat", "degrees_north", "lat"), variable("lon", "degrees_east", "lon")}
	for _, name := range s.vars {
		root.Vars = append(root.Vars, variable(name, "K", "time", "lat", "lon"))
	}
	nctest.Write(t, path, netcdf.CDF2, root, func(w *ncwrite.Writer) error {
		put := func(i int, values []float64, shape ...uint64) error {
			return w.WriteValues(t.Context(), root.Vars[i], make([]uint64, len(shape)), shape, values)
		}
		times, lats := uint64(len(s.times)), uint64(len(s.lats))
		err := put(0, s.times, times)
		if err == nil {
			err = put(1, s.lats, lats)
		}
		if err == nil {
			err = put(2, []float64{0, 1, 2}, sourceLons)
		}
		for v := range s.vars {
			var values []float64
			for time := range s.times {
				for place := range len(s.lats) * sourceLons {
					values = append(values, s.value(v, time, place))
				}
			}
			if err == nil {
				err = put(3+v, values, times, lats, sourceLons)
			}
		}
		return err
	})
}

// randomSources makes files that are alike in some ways and differ in others: in their values only,
// in times, places, variables and attributes.
func randomSources(r *rand.Rand) (list []*sourceFile) {
	for i := range 2 + r.IntN(3) {
		s := &sourceFile{
			number: i + 1, since: "2020-01-01", lats: []float64{-90, 90}, title: "one", unlimited: r.IntN(2) == 0, times: []float64{0, 1},
			vars: [][]string{{"t"}, {"rain"}, {"t", "rain"}}[r.IntN(3)],
		}
		if i > 0 && r.IntN(2) == 0 { // all of the first file, with other values
			first := *list[0]
			first.number = s.number
			*s = first
		}
		switch r.IntN(5) {
		case 0:
			s.times = []float64{float64(10 * i), float64(10*i + 1)}
		case 1:
			s.since = "1990-01-01"
		case 2:
			s.lats = []float64{10 + float64(i), 20}
		case 3:
			s.title = fmt.Sprint("file ", i)
		}
		list = append(list, s)
	}
	return list
}

// A shuffler moves the messages of files to other files, in random ways that lose nothing.
type shuffler struct {
	t     *testing.T
	r     *rand.Rand
	dir   string
	n     int
	files []string
	did   []string
}

func (s *shuffler) name() string {
	s.n++
	return filepath.Join(s.dir, fmt.Sprintf("f%d.tgm", s.n))
}

func (s *shuffler) run(args ...string) {
	s.t.Helper()
	s.did = append(s.did, strings.ReplaceAll(strings.Join(args, " "), s.dir+"/", ""))
	runs(s.t, args...)
}

// take takes up to n files out of the list.
func (s *shuffler) take(n int) (taken []string) {
	for ; n > 0 && len(s.files) > 0; n-- {
		i := s.r.IntN(len(s.files))
		taken = append(taken, s.files[i])
		s.files = slices.Delete(s.files, i, i+1)
	}
	return taken
}

func (s *shuffler) step() {
	s.t.Helper()
	out := s.name()
	switch s.r.IntN(7) {
	case 0:
		s.run(append([]string{"cat", "-o", out}, s.take(2)...)...)
		s.files = append(s.files, out)
	case 1:
		s.run(append([]string{"merge", "-o", out}, s.take(2+s.r.IntN(2))...)...)
		s.files = append(s.files, out)
	case 2:
		s.run(append([]string{"merge", "--sort", "name", "-o", out}, s.take(2)...)...)
		s.files = append(s.files, out)
	case 3:
		in := s.take(1)[0]
		only := fmt.Sprintf("--only=%v", s.r.IntN(2) == 0)
		s.run("split", only, "-o", strings.TrimSuffix(out, ".tgm")+"_[index].tgm", in)
		parts, err := filepath.Glob(strings.TrimSuffix(out, ".tgm") + "_*.tgm")
		if err != nil || len(parts) == 0 {
			s.t.Fatalf("%s: %d parts, %v", in, len(parts), err)
		}
		s.files = append(s.files, parts...)
	case 4: // a copy of what stays
		s.run("copy", s.files[s.r.IntN(len(s.files))], out)
		s.files = append(s.files, out)
	case 5: // of some variables, with what they need
		s.run([]string{"copy", "merge"}[s.r.IntN(2)], "-w", "name="+[]string{"t", "rain"}[s.r.IntN(2)], "-o", out, s.files[s.r.IntN(len(s.files))])
		if s.hasObjects(out) {
			s.files = append(s.files, out)
		}
	case 6:
		s.mergeAsOthers(out, s.take(2))
		s.files = append(s.files, out)
	}
}

// hasObjects reports whether a file has objects: none may have been chosen.
func (s *shuffler) hasObjects(path string) bool {
	f, err := tgm.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	for m, err := range f.Messages() {
		if err != nil {
			return false
		}
		if n, err := m.NumObjects(); n > 0 && err == nil {
			return true
		}
	}
	return false
}

// mergeAsOthers makes one message as other programs do it: the entries one after the other, and the
// metadata of the message that come first.
func (s *shuffler) mergeAsOthers(out string, in []string) {
	s.t.Helper()
	s.did = append(s.did, "foreign merge")
	f, err := os.Create(out)
	if err != nil {
		s.t.Fatal(err)
	}
	defer f.Close()
	extra := map[string]any{}
	var messages []*tgm.Message
	for _, name := range in {
		file, err := tgm.Open(name)
		if err != nil {
			s.t.Fatal(err)
		}
		defer file.Close()
		for m, err := range file.Messages() {
			if err != nil {
				s.t.Fatal(err)
			}
			shared, err := m.SharedMetadata()
			if err == nil {
				err = edit.JoinExtra(extra, shared.Extra, edit.First)
			}
			if err != nil {
				s.t.Fatal(err)
			}
			messages = append(messages, m)
		}
	}
	items := func(yield func(edit.Item, error) bool) {
		for _, m := range messages {
			for item, err := range edit.Items(m) {
				if !yield(item, err) {
					return
				}
			}
		}
	}
	if _, err := edit.Write(f, items, extra, edit.Options{}); err != nil {
		s.t.Fatal(err)
	}
}

// TestSourcesStayApart shuffles the messages of random netCDF files: in the end every variable has the
// coordinates, the units and the global attributes of its own file, and none is lost.
func TestSourcesStayApart(t *testing.T) {
	some := cases.Of(t)
	for seed := range 40 {
		if !some.Has(seed, 4) {
			continue
		}
		r := rand.New(rand.NewPCG(29, uint64(seed)))
		s := &shuffler{t: t, r: r, dir: t.TempDir()}
		sources := randomSources(r)
		for _, src := range sources {
			path := filepath.Join(s.dir, fmt.Sprintf("source%d.nc", src.number))
			src.write(t, path)
			split := []string{"file", "variable", "record"}[r.IntN(3)]
			if split == "record" && !src.unlimited {
				split = "file"
			}
			if len(s.files) > 0 && r.IntN(3) == 0 {
				s.run("convert", "-q", "--append", "--split-by", split, "-o", s.files[r.IntN(len(s.files))], path)
				continue
			}
			s.files = append(s.files, s.name())
			s.run("convert", "-q", "--split-by", split, "-o", s.files[len(s.files)-1], path)
		}
		for range r.IntN(8) {
			s.step()
		}
		if r.IntN(2) == 0 {
			out := s.name()
			s.run(append([]string{"merge", "-o", out}, s.files...)...)
			s.files = []string{out}
		}
		if err := checkSources(t, s.files, sources); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, strings.Join(s.did, "\n"))
		}
	}
}

// checkSources compares the dataset of files with the sources that they were made of.
func checkSources(t *testing.T, files []string, sources []*sourceFile) error {
	a, err := archive.Open(t.Context(), files, archive.Options{Index: archive.IndexNone})
	if err != nil {
		return err
	}
	defer a.Close()
	if notes := a.Set.Report.Notes(); len(notes) > 0 {
		return fmt.Errorf("notes %q", notes)
	}
	found := make(map[string]int)
	for _, g := range a.Set.Groups {
		for _, v := range g.Variables {
			if v.Name == "t" || v.Name == "rain" {
				if err := checkVariable(t, a, g, v, sources, found); err != nil {
					return fmt.Errorf("group %q, %s: %w", g.Name, v.Name, err)
				}
			}
		}
	}
	for _, src := range sources {
		for _, name := range src.vars {
			for time := range src.times {
				if n := found[fmt.Sprint(src.number, name, time)]; n != 1 {
					return fmt.Errorf("%s of source %d at time %d is there %d times", name, src.number, time, n)
				}
			}
		}
	}
	return nil
}

func checkVariable(t *testing.T, a *archive.Archive, g *dataset.Group, v *dataset.Variable, sources []*sourceFile, found map[string]int) error {
	read := func(name string) ([]float64, *dataset.Variable) {
		c := g.Variable(name)
		if c == nil {
			return nil, nil
		}
		values, _, err := a.Set.Select(strings.Trim(g.Name+"/"+name, "/")).Floats(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		return values, c
	}
	values, _ := read(v.Name)
	times, timeVar := read("time")
	lats, _ := read("lat")
	if timeVar == nil || !slices.Equal(v.Dims, []string{"time", "lat", "lon"}) || v.Attr("units") != "K" {
		return fmt.Errorf("dimensions %v, time %v", v.Dims, timeVar)
	}
	units, err := cf.ParseTimeUnits(fmt.Sprint(timeVar.Attr("units")), "")
	if err != nil {
		return err
	}
	of := make(map[int]bool)
	places := len(lats) * sourceLons
	for i, time := range times {
		number, number2, at := sourceOfValue(values[i*places])
		if number < 1 || number > len(sources) {
			return fmt.Errorf("value %v is of no source", values[i*places])
		}
		src := sources[number-1]
		found[fmt.Sprint(number, v.Name, at)]++
		of[number] = true
		own, err := cf.ParseTimeUnits("days since "+src.since, "")
		if err != nil {
			return err
		}
		got, _ := units.Date(time)
		want, _ := own.Date(src.times[at])
		title := slices.ContainsFunc(g.Attrs, func(attr dataset.Attribute) bool { return attr.Key == "title" && attr.Value == src.title })
		switch {
		case src.vars[number2] != v.Name:
			return fmt.Errorf("values of %s of source %d", src.vars[number2], number)
		case got.String() != want.String():
			return fmt.Errorf("source %d lies at %v, expected %v", number, got, want)
		case !slices.Equal(lats, src.lats):
			return fmt.Errorf("source %d lies at latitudes %v, expected %v", number, lats, src.lats)
		case len(times) == len(src.times) && !title:
			return fmt.Errorf("attributes %v, expected title %q of source %d", g.Attrs, src.title, number)
		}
		for p := range places {
			if values[i*places+p] != src.value(number2, at, p) {
				return fmt.Errorf("value %d is %v, expected %v", p, values[i*places+p], src.value(number2, at, p))
			}
		}
	}
	return nil
}

// TestDescriptionIsLost expects a warning when other programs dropped the description of a source
// from a message.
func TestDescriptionIsLost(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.tgm"), filepath.Join(dir, "out.tgm")
	runs(t, "convert", "-q", "-o", in, "../../fixtures/netcdf/unlimited_time.nc")
	f, err := tgm.Open(in)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := f.Message(0)
	if err != nil {
		t.Fatal(err)
	}
	w, err := os.Create(out)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	other := mapping.WithSource(map[string]any{mapping.KeyNetCDF: map[string]any{"global": map[string]any{"title": "another"}}}, "0123456789abcdef")
	if _, err := edit.Write(w, edit.Items(m), other, edit.Options{}); err != nil {
		t.Fatal(err)
	}
	a, err := archive.Open(t.Context(), []string{out}, archive.Options{Index: archive.IndexNone})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if notes := a.Set.Report.Notes(); len(notes) != 1 || !strings.Contains(notes[0], "are lost") || len(a.Set.Group("").Attrs) > 0 {
		t.Errorf("notes %q, attributes %v", notes, a.Set.Group("").Attrs)
	}
}
