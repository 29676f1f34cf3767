package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/internal/cases"
)

// A rule is about cells of the matrix: variables of forms, in places, through ways out. Empty
// patterns match everything.
type rule struct {
	form, place, out, variable string // regular expressions that match the whole
	why                        string
	says                       string // regular expression of the error, or of why a variable is left out
}

func (r *rule) covers(c cell) bool {
	for pattern, text := range map[string]string{r.form: c.form, r.place: c.place, r.out: c.out, r.variable: c.variable} {
		if pattern != "" && !regexp.MustCompile("^(?:"+pattern+")$").MatchString(text) {
			return false
		}
	}
	return true
}

// A cell is a variable of a form in a place, and a way out.
type cell struct{ form, place, out, variable string }

func (c cell) String() string {
	return fmt.Sprintf("%s (%s) from %s through %s", c.form, c.variable, c.place, c.out)
}

// TestMatrix takes every form in which a source stores an array through every way out, and compares
// the values with the written values.
func TestMatrix(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := t.TempDir()
	forms := append(committedForms(t, dir), madeForms(t, dir)...)
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	some, n := cases.Of(t), 0
	m := &matrix{used: make(map[*rule]int)}
	for _, f := range forms {
		t.Run(f.Name, func(t *testing.T) {
			for _, place := range places {
				each := waysEach
				if place == places[0] {
					each = fileWaysEach
				}
				var ways []*wayOut
				for i := range waysOut {
					if n++; some.Has(n, each) && f.worth(place) && (place == places[0] || !waysOut[i].again) {
						ways = append(ways, &waysOut[i])
					}
				}
				if len(ways) == 0 {
					continue
				}
				in, ok := placed(t, dir, server.URL, f, place)
				for _, w := range ways {
					if ok {
						m.judge(t, w, in)
					}
				}
			}
		})
	}
	m.finish(t, some.All())
}

// A form leaves a file by one of fileWaysEach ways out, and each other place by one of waysEach.
const fileWaysEach, waysEach = 4, 12

// matrix counts the cells.
type matrix struct {
	equal, refused, failing int
	used                    map[*rule]int
}

// judge runs one way out of one input.
func (m *matrix) judge(t *testing.T, w *wayOut, in *input) {
	t.Helper()
	all, failure := w.leave(t, w, in)
	for name, want := range in.form.Variables {
		c := cell{in.form.Name, in.place, w.name, name}
		err := failure
		switch got := all[name]; {
		case err != nil:
		case got == nil:
			err = fmt.Errorf("is not there; there are %v: %s", sorted(all), said)
		default:
			err = got.differs(want)
		}
		m.enter(t, c, err)
	}
}

// enter compares the outcome of a cell with the tables.
func (m *matrix) enter(t *testing.T, c cell, err error) {
	t.Helper()
	if r := ruleFor(knownFailing, c); r != nil {
		m.used[r]++
		m.failing++
		if err == nil {
			t.Errorf("%v is right now: remove the rule %q from knownFailing", c, r.why)
		}
		return
	}
	r := ruleFor(notApplicable, c)
	switch {
	case r == nil && err == nil:
		m.equal++
	case r == nil:
		t.Errorf("%v: %v", c, err)
	case err == nil:
		t.Errorf("%v succeeds: it is applicable, although %s", c, r.why)
	case !regexp.MustCompile("(?s)" + r.says).MatchString(err.Error()):
		t.Errorf("%v: %v, expected %q because %s", c, err, r.says, r.why)
	default:
		m.used[r]++
		m.refused++
	}
}

func ruleFor(rules []rule, c cell) *rule {
	for i := range rules {
		if rules[i].covers(c) {
			return &rules[i]
		}
	}
	return nil
}

// finish expects every rule to be about a cell, if all cells were judged.
func (m *matrix) finish(t *testing.T, all bool) {
	t.Helper()
	for _, rules := range [][]rule{notApplicable, knownFailing} {
		for i := range rules {
			if m.used[&rules[i]] == 0 && all {
				t.Errorf("no cell for the rule %+v", rules[i])
			}
		}
	}
	t.Logf("%d cells with the values that were written, %d not applicable, %d known to fail", m.equal, m.refused, m.failing)
}

func sorted[V any](all map[string]V) []string {
	var names []string
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// notApplicable are the cells that cannot hold values, with the reason. The command must refuse
// them, and say so.
var notApplicable = []rule{
	{form: "tgm .*", place: "zip", out: "convert.*", why: "it is converted", says: "nothing was converted"},

	{form: "(hdf5|netcdf) .*", out: "to-grib", why: "no parameter is known", says: "has no form in GRIB|left out: .*other files are"},
	{form: "tet .*", place: "file|zip|gz|server", out: "to-grib", why: "it has no grid", says: "nothing was written"},
	{form: "tet .*", place: "tgm", out: "to-grib", why: "no parameter is known", says: "cannot be built from its keys"},
	{form: "tgm .*", out: "to-grib", why: "no parameter is known", says: "has no form in GRIB"},

	{form: "hdf5 int8", out: "to-tet.*", why: "the format has no such type", says: "dtype int8"},
	{form: "tgm compression (rle|roaring)", out: "to-tet.*", why: "the format has no bits", says: "dtype bitmask"},
	{form: "hdf5 (external group|soft link)|netcdf netCDF4 groups", place: "file", out: "to-netcdf --format cdf5", why: "the format has no groups", says: "has no groups"},
	{form: "hdf5 enum", place: "file", out: "to-netcdf --format cdf5", why: "the format has no enumerations", says: `CDF-5 has no type "enum"`},
	{form: "tet .*", out: "plot", why: "it has no coordinates", says: "no coordinates"},

	{form: externalForms, variable: externalVariables, place: "file|gz", out: "serve.*", why: "only files that were named are served", says: "is not there.*only files that are served are read"},
	{form: externalForms, variable: externalVariables, place: "zip|server", out: "convert|to-netcdf", why: "no folder is there to look for the other file", says: "other files are"},
	{form: externalForms, variable: externalVariables, place: "zip|server", out: "serve|to-zarr|to-tet|values|stats|info.*", why: "no folder is there to look for the other file", says: "left out: .*: variable (v|g): .*other files are"},
	{form: externalForms, place: "zip|server", out: "plot", why: "no folder is there to look for the other file", says: "left out: .*: variable (v|g): .*other files are"},
	{form: externalForms, variable: externalVariables, place: "server", out: "refs", why: "no folder is there to look for the other file", says: "left out: .*: variable (v|g): .*other files are"},

	{form: "(hdf5|netcdf|tet|tgm) .*", place: "zip|gz", out: "refs", why: "offsets are in the unpacked bytes", says: "compressed: its unpacked bytes have no place in a file"},
	{form: "grib .*", place: "file|zip|gz|server", out: "refs.*", why: "no reader decodes GRIB", says: "left out: only this program decodes it"},
	{form: "grib 1 grid_(simple|second_order).*|grib 2 grid_(simple|ccsds|complex|complex_spatial_differencing|jpeg)( bitmap| constant)?|grib (several fields|same bitmap)", place: "tgm", out: "refs", why: "they are packed, or have masks", says: "left out: (the encoding is simple_packing|masks stand)"},
	{form: "grib . grid_ieee bitmap", place: "tgm", out: "refs", variable: "t", why: "readers know no masks", says: "left out: masks stand"},
	{form: "netcdf .* (masked|masked deflate)", place: "tgm", out: "refs", variable: "[vwn]", why: "readers know no masks", says: "left out: masks stand for missing elements"},
	{form: "netcdf .* (packed|packed deflate)", place: "tgm", out: "refs", variable: "[uv]", why: "readers know no masks", says: "left out: masks stand for missing elements"},
	{form: "netcdf netCDF4 unlimited|tet .*", place: "tgm", out: "refs", variable: "w", why: "readers know no masks", says: "left out: masks stand for missing elements"},
	{form: "tgm (mask method .*|stream masked|packed masked .*)", place: "file|server", out: "refs.*", why: "readers know no masks", says: "left out: (masks stand|the encoding is simple_packing)"},
	{form: "tgm (encoding simple_packing|compression szip|packed [a-z0-9]+)", place: "file|server", out: "refs.*", why: "readers know no packing", says: "left out: the encoding is simple_packing"},
	{form: "tgm compression (blosc2|lz4|sz3|zfp)", place: "file|server", out: "refs.*", why: "readers have no such codec", says: "left out: the compression is"},
	{form: "tgm compression (rle|roaring)", place: "file|server", out: "refs.*", why: "readers have no such type", says: "left out: elements are bits"},
	{form: "hdf5 .* sparse|hdf5 no chunk", place: "file|server", out: "refs.*", variable: "v", why: "readers take the fill value for missing", says: "left out: chunks that are not stored have the value 7777"},
	{form: "hdf5 never written", place: "file|server", out: "refs.*", variable: "v", why: "there is nothing to refer to", says: "left out: elements lie nowhere"},
	{form: "hdf5 (Bitshuffle|Blosc2|Bzip2|LZ4|LZF|Nbit|ScaleOffset|Szip|ZFP|Fletcher32|deflate Fletcher32)", place: "file|server", out: "refs.*", variable: "v", why: "readers have no such codec", says: "left out: the filter"},
	{form: "hdf5 (filter left out|Blosc)", place: "file|server", out: "refs.*", variable: "v", why: "readers undo all filters", says: "left out: some chunks lack filters"},
	{form: "hdf5 compact", place: "file|server", out: "refs.*", variable: "v", why: "elements are in the header", says: "left out: elements are stored as compact"},
	{form: "hdf5 virtual.*", place: "file|server", out: "refs.*", variable: "v", why: "elements lie in other datasets", says: "left out: its elements are in other variables"},
}

// Forms whose elements lie in other files, and their variables of which that is so.
const (
	externalForms     = "hdf5 (external link|external group|virtual|raw external)"
	externalVariables = "v|chunks|deflate|g/.*"
)

// knownFailing are the cells that are wrong and will be mended.
var knownFailing []rule
