package fromgrib_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/storage"
)

const gfs = "../../fixtures/grib/gfs_2p50_f000.grib2"

// indexedServer serves a GRIB file, and an index beside it, and counts the bytes it sends.
type indexedServer struct {
	grib  []byte
	files map[string][]byte // by the ends of their names
	sent  atomic.Int64

	requests atomic.Int64
}

func (s *indexedServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	data := s.grib
	if !strings.HasSuffix(r.URL.Path, ".grib2") {
		data = nil
		for name, b := range s.files {
			if strings.HasSuffix(r.URL.Path, name) {
				data = b
			}
		}
		if data == nil {
			http.NotFound(w, r)
			return
		}
	}
	s.requests.Add(1)
	http.ServeContent(counted{w, &s.sent}, r, "", time.Time{}, bytes.NewReader(data))
}

type counted struct {
	http.ResponseWriter
	n *atomic.Int64
}

func (c counted) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p)
	c.n.Add(int64(n))
	return n, err
}

// selected lists the fields that a clause selects of a file on the server. It lists their offsets, sizes and
// the sums of their values.
func selected(t *testing.T, s *indexedServer, clauses ...string) []string {
	t.Helper()
	server := httptest.NewServer(s)
	defer server.Close()
	parsed, err := fromgrib.ParseWhere(clauses)
	if err != nil {
		t.Fatal(err)
	}
	client := new(storage.Client)
	defer client.Close()
	address := server.URL + "/gfs.grib2"
	blob, err := client.Open(storage.Sparse(context.Background()), address)
	if err != nil {
		t.Fatal(err)
	}
	defer blob.Close()
	src := fromgrib.New([]importers.Input{{Name: address}}, fromgrib.Options{Opener: client, Where: parsed})
	defer src.Close()
	var found []string
	for p, err := range src.Parts(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		for f, err := range src.Read(t.Context(), p, new(importers.Scratch)) {
			if err != nil {
				t.Fatal(err)
			}
			values, err := f.Elements(t.Context(), new(importers.Scratch))
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, fmt.Sprintf("%d %d %s %x", p.Offset, p.Length, f.Name, values.Data[:64]))
		}
	}
	return found
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestIndexSavesReading(t *testing.T) {
	idx := read(t, "testdata/gfs_2p50_f000.grib2.idx")
	for _, c := range []struct {
		where string
		limit int64 // bytes sent
	}{
		{"shortName=t,level=500", 30e3}, {"shortName=2t", 36e3}, {"shortName=prmsl", 36e3}, {"shortName=r,level=850/500", 60e3},
		{"typeOfLevel=meanSea", 100e3}, {"shortName=10u/10v", 60e3},
	} {
		plain := &indexedServer{grib: read(t, gfs)}
		want := selected(t, plain, c.where)
		s := &indexedServer{grib: plain.grib, files: map[string][]byte{".grib2.idx": idx}}
		got := selected(t, s, c.where)
		if !slices.Equal(got, want) || len(want) == 0 {
			t.Errorf("%s: %d fields with an index, %d without", c.where, len(got), len(want))
		}
		if sent := s.sent.Load(); sent > c.limit {
			t.Errorf("%s: %d bytes were sent, expected at most %d", c.where, sent, c.limit)
		}
	}
}

// TestIndexInJSON reads an index in the form of ECMWF's.
func TestIndexInJSON(t *testing.T) {
	plain := &indexedServer{grib: read(t, gfs)}
	want := selected(t, plain, "shortName=2t")
	var index strings.Builder
	lines := strings.Split(strings.TrimSpace(string(read(t, "testdata/gfs_2p50_f000.grib2.idx"))), "\n")
	for i, line := range lines {
		end := int64(len(plain.grib))
		if i+1 < len(lines) {
			end = offsetOf(lines[i+1])
		}
		param := "other"
		if strings.Contains(line, ":TMP:2 m above ground:") {
			param = "2t"
		}
		fmt.Fprintf(&index, `{"date": "20170322", "time": "0000", "param": %q, "_offset": %d, "_length": %d}`+"\n", param, offsetOf(line), end-offsetOf(line))
	}
	s := &indexedServer{grib: plain.grib, files: map[string][]byte{"/gfs.index": []byte(index.String())}}
	if got := selected(t, s, "shortName=2t"); !slices.Equal(got, want) {
		t.Errorf("found %d fields, expected %d", len(got), len(want))
	}
	if sent := s.sent.Load(); sent > int64(index.Len())+20e3 {
		t.Errorf("%d bytes were sent, for an index of %d", sent, index.Len())
	}
}

func offsetOf(line string) (n int64) {
	_, rest, _ := strings.Cut(line, ":")
	_, _ = fmt.Sscanf(rest, "%d:", &n)
	return n
}

// TestIndexThatLies demands the same fields of every index as without one.
func TestIndexThatLies(t *testing.T) {
	good := string(read(t, "testdata/gfs_2p50_f000.grib2.idx"))
	lines := strings.SplitAfter(good, "\n")
	without := func(i int) string { return strings.Join(slices.Delete(slices.Clone(lines), i, i+1), "") }
	plain := &indexedServer{grib: read(t, gfs)}
	want := selected(t, plain, "shortName=2t")
	for name, index := range map[string]string{
		"empty":                "",
		"of another server":    "<html><body>not found</body></html>",
		"shifted":              strings.NewReplacer(":2831656:", ":2831657:").Replace(good),
		"of an older run":      strings.ReplaceAll(good, "d=2017032200", "d=2017032112"),
		"without the field":    without(259),
		"without another":      without(10),
		"cut off":              good[:len(good)/2],
		"names exchanged":      strings.NewReplacer("TMP:2 m", "DPT:2 m", "DPT:2 m", "TMP:2 m").Replace(good),
		"named otherwise":      strings.ReplaceAll(good, "TMP:2 m", "WIND:2 m"),
		"levels exchanged":     strings.NewReplacer("TMP:2 m above ground", "TMP:500 mb", "TMP:500 mb", "TMP:2 m above ground").Replace(good),
		"beyond the end":       good + "353:3885570:d=2017032200:TMP:2 m above ground:anl:\n",
		"an overflow":          good + "353:99999999999999999999:d=2017032200:TMP:2 m above ground:anl:\n",
		"twice the same place": strings.ReplaceAll(good, "261:2845356:", "260.2:2831656:"),
	} {
		s := &indexedServer{grib: plain.grib, files: map[string][]byte{".idx": []byte(index)}}
		if got := selected(t, s, "shortName=2t"); !slices.Equal(got, want) {
			t.Errorf("an index that is %s: found %.60q, expected %.60q", name, got, want)
		}
	}
}
