package fromnetcdf_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/storage"
)

func namesOf(all []object) string {
	var names []string
	for _, o := range all {
		names = append(names, o.base["name"].(string))
	}
	return strings.Join(names, " ")
}

func TestChoose(t *testing.T) {
	const grid = "time time_bnds lat lon"
	for _, test := range []struct {
		variables, groups, where []string
		want                     string
	}{
		{variables: []string{"tas"}, want: grid + " crs height reftime tas"},
		{variables: []string{"pr"}, want: grid + " pr"},
		{variables: []string{"p*", "oro?"}, want: grid + " moment pr orog"},
		{variables: []string{"tos"}, want: "time time_bnds ocean/depth ocean/tos"},
		{variables: []string{"ocean/*"}, want: "time time_bnds ocean/depth ocean/tos"},
		{variables: []string{"/lat"}, want: "lat"},
		{groups: []string{"ocean"}, want: "time time_bnds ocean/depth ocean/tos"},
		{groups: []string{"oc*"}, variables: []string{"depth"}, want: "ocean/depth"},
		{where: []string{"standard_name=air_temperature/precipitation_flux,units=K"}, want: grid + " crs height reftime tas"},
		{where: []string{"netcdf.units=kg*"}, want: grid + " pr"},
		{where: []string{"name=orog"}, want: "lat lon moment orog"},
		{where: []string{"global.title=choosing,dims=lat lon"}, want: "lat lon moment orog"},
	} {
		clauses, err := mapping.ParseClauses(test.where)
		if err != nil {
			t.Fatal(err)
		}
		all, report := convert(t, fromnetcdf.Options{Variables: test.variables, Groups: test.groups, Where: clauses}, "made/choose.nc")
		if got := namesOf(all); got != test.want || report.Warnings > 0 {
			t.Errorf("%+v: %s, warnings %v", test, got, report.WarningList)
		}
	}
}

func TestChooseNothing(t *testing.T) {
	clauses, err := mapping.ParseClauses([]string{"none=1"})
	if err != nil {
		t.Fatal(err)
	}
	s := fromnetcdf.New([]importers.Input{{Name: fixtures + "/made/choose.nc"}}, fromnetcdf.Options{Where: clauses})
	defer s.Close()
	if _, err := importers.Convert(t.Context(), s, io.Discard, importers.Options{}); err != importers.ErrNoFields {
		t.Errorf("error %v, want %v", err, importers.ErrNoFields)
	}
	if got := s.UnknownKeys(); !slices.Equal(got, []string{"none"}) {
		t.Errorf("unknown keys %v, want none", got)
	}
}

func TestTimes(t *testing.T) {
	all, _ := convert(t, fromnetcdf.Options{}, "made/choose.nc")
	for name, want := range map[string]string{
		"tas":     "[2001-01-01T00:00:00 2001-03-01T00:00:00] <nil> <nil> 2000-02-29T00:00:00Z",
		"time":    "[2001-01-01T00:00:00 2001-03-01T00:00:00] <nil> <nil> <nil>",
		"reftime": "<nil> <nil> <nil> 2000-02-29T00:00:00Z", "moment": "<nil> 2000-02-30T00:00:00 <nil> <nil>",
		"orog": "<nil> 2000-02-30T00:00:00 <nil> <nil>", "lat": "<nil> <nil> <nil> <nil>",
	} {
		if got := timesOf(find(t, all, name)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	all, _ = convert(t, fromnetcdf.Options{Split: fromnetcdf.SplitRecord}, "made/choose.nc")
	for _, o := range all {
		if o.message == 1 && o.base["name"] == "pr" {
			if got, want := timesOf(o), "<nil> 2001-01-31T12:00:00 [2001-01-31T00:00:00 2001-02-01T00:00:00] <nil>"; got != want {
				t.Errorf("record 1: %s, want %s", got, want)
			}
		}
	}
}

func timesOf(o object) string {
	b := o.base
	return fmt.Sprintf("%v %v %v %v", b["valid_time_range"], b["valid_time"], b["valid_time_bounds"], b["reference_time"])
}

func TestChooseRecords(t *testing.T) {
	for clause, want := range map[string]string{"time>2001-01-31": "[1 2]", "valid_time<2001-02-01,name=pr": "[0 1]", "time=2001-03*": "[2]"} {
		clauses, err := mapping.ParseClauses([]string{clause})
		if err != nil {
			t.Fatal(err)
		}
		all, _ := convert(t, fromnetcdf.Options{Split: fromnetcdf.SplitRecord, Where: clauses}, "made/choose.nc")
		var records []int64
		for _, o := range all {
			if o.base["name"] == "pr" {
				records = append(records, o.base["record_index"].(int64))
			}
		}
		if got := fmt.Sprint(records); got != want {
			t.Errorf("%s: records %s, want %s", clause, got, want)
		}
	}
}

// large makes a classic file of ten variables of 1 MiB. They lie one after the other, or side by
// side in records.
func large(records uint32) []byte {
	const size, variables = 1 << 20, 10
	u32 := binary.BigEndian.AppendUint32
	name := func(b []byte, s string) []byte {
		return append(u32(b, uint32(len(s))), (s + "\x00\x00\x00")[:(len(s)+3)/4*4]...)
	}
	slice := size / max(1, records)
	header := func(begin uint32) []byte {
		b := u32([]byte("CDF\x01"), records)
		b = u32(u32(b, 10), 2) // dimensions
		length := max(1, records)
		if records > 0 {
			length = 0 // no limit
		}
		b = u32(name(u32(name(b, "t"), length), "x"), slice/4)
		b = u32(u32(u32(b, 0), 0), 11) // no attributes; variables
		b = u32(b, variables)
		for i := range uint32(variables) {
			b = u32(u32(u32(name(b, fmt.Sprintf("v%d", i)), 2), 0), 1) // of both dimensions
			b = u32(u32(u32(u32(b, 0), 0), 5), slice)                  // no attributes, float
			b = u32(b, begin+i*slice)
		}
		return b
	}
	b := header(0)
	b = header(uint32(len(b)))
	return append(b, make([]byte, variables*size)...)
}

// TestFetchesWhatIsChosen counts the bytes that a web server sends.
func TestFetchesWhatIsChosen(t *testing.T) {
	const block = 64 << 10 // of storage
	for _, c := range []struct {
		name   string
		data   []byte
		opts   fromnetcdf.Options
		chosen int64
	}{
		{"a variable", large(0), fromnetcdf.Options{Variables: []string{"v7"}}, 1 << 20},
		{"two variables", large(0), fromnetcdf.Options{Variables: []string{"v2", "v8"}}, 2 << 20},
		{"a variable in records", large(64), fromnetcdf.Options{Variables: []string{"v7"}}, 1 << 20},
		{"its records", large(64), fromnetcdf.Options{Variables: []string{"v7"}, Split: fromnetcdf.SplitRecord}, 1 << 20},
	} {
		var sent atomic.Int64
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.ServeContent(&counting{w, &sent}, r, "large.nc", time.Unix(1, 0), bytes.NewReader(c.data))
		}))
		defer server.Close()
		client := new(storage.Client)
		defer client.Close()
		c.opts.Opener = client
		s := fromnetcdf.New([]importers.Input{{Name: server.URL}}, c.opts)
		defer s.Close()
		report, err := importers.Convert(t.Context(), s, io.Discard, importers.Options{})
		if err != nil || report.Fields == 0 {
			t.Fatalf("%s: %+v, error %v", c.name, report, err)
		}
		if n := sent.Load(); n < c.chosen || n > c.chosen*11/10+4*block { // two blocks to identify the file
			t.Errorf("%s: %d bytes of %d were fetched, %d are chosen", c.name, n, len(c.data), c.chosen)
		}
	}
}

type counting struct {
	http.ResponseWriter
	n *atomic.Int64
}

func (c *counting) Write(p []byte) (int, error) {
	c.n.Add(int64(len(p)))
	return c.ResponseWriter.Write(p)
}
