package fromgrib_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/storage"
)

// listedFields lists the fields that a source finds in an input, with the errors of broken messages.
func listedFields(t *testing.T, name string, opts fromgrib.Options) (found []string) {
	t.Helper()
	client := new(storage.Client)
	defer client.Close()
	blob, err := client.Open(storage.Sparse(t.Context()), name)
	if err != nil {
		t.Fatal(err)
	}
	defer blob.Close()
	opts.Opener, opts.SkipBad = client, true
	src := fromgrib.New([]importers.Input{{Name: name}}, opts)
	defer src.Close()
	for p, err := range src.Parts(t.Context()) {
		if err != nil {
			bad := err.(*importers.BadInput)
			found = append(found, bad.Err.Error())
			continue
		}
		if p.OnlyNotes() {
			found = append(found, p.Notes...)
			continue
		}
		for f, err := range src.Read(t.Context(), p, new(importers.Scratch)) {
			text := fmt.Sprint(p.Number, p.Offset, p.Length, err)
			if err == nil {
				values, err := f.Elements(t.Context(), new(importers.Scratch))
				if err != nil {
					t.Fatal(err)
				}
				text += fmt.Sprintf(" %s %x", f.Name, values.Data[:min(64, len(values.Data))])
			}
			found = append(found, text)
		}
	}
	return found
}

// damaged is a copy of the GFS file with bad messages, junk, and a cut end.
func damaged(t *testing.T) []byte {
	b := read(t, gfs)
	b[370_000] ^= 0xff
	at := bytes.Index(b[2_000_000:], []byte("7777GRIB")) + 2_000_000
	b[at] = '8'
	at = bytes.Index(b[3_000_000:], []byte("7777GRIB")) + 3_000_004
	b = slices.Concat(b[:at], []byte("GRIB\x00\x00\x00\x02 and other junk"), make([]byte, 70_000), b[at:])
	return b[:len(b)-50]
}

// TestHeadsSaveReading chooses fields of a file on a server without an index. It expects the same fields as
// from a file on disk.
func TestHeadsSaveReading(t *testing.T) {
	for name, data := range map[string][]byte{"whole": read(t, gfs), "damaged": damaged(t)} {
		path := filepath.Join(t.TempDir(), "gfs.grib2")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			where string
			limit int64 // bytes sent
		}{
			{"shortName=t,level=500", 400e3}, {"shortName=prmsl", 400e3}, {"shortName=nothing", 400e3}, {"level>=0", int64(len(data)) * 103 / 100},
		} {
			clauses, err := fromgrib.ParseWhere([]string{c.where})
			if err != nil {
				t.Fatal(err)
			}
			opts := fromgrib.Options{Where: clauses}
			want := listedFields(t, path, opts)
			s := &indexedServer{grib: data}
			server := httptest.NewServer(s)
			got := listedFields(t, server.URL+"/gfs.grib2", opts)
			server.Close()
			if !slices.Equal(got, want) {
				t.Errorf("%s, %s: found %d, expected %d\n%.300q\n%.300q", name, c.where, len(got), len(want), got, want)
			}
			if name == "damaged" { // looking for a message after a broken one takes more
				c.limit += 100e3
			}
			if sent := s.sent.Load(); sent > c.limit {
				t.Errorf("%s, %s: %d bytes were sent, expected at most %d", name, c.where, sent, c.limit)
			}
		}
	}
}

// TestHeadsOfAll lists files by their heads, without values. Of long messages little more than the heads are
// sent; of short ones each byte once, with few requests.
func TestHeadsOfAll(t *testing.T) {
	long := bytes.Repeat(read(t, "../../fixtures/grib/q_150.grib2"), 20)
	for name, c := range map[string]struct {
		data                     []byte
		messages, sent, requests int
	}{
		"short":         {read(t, gfs), 352, len(read(t, gfs)) * 102 / 100, 12},
		"short damaged": {damaged(t), 300, len(read(t, gfs)) * 102 / 100, 12},
		"long":          {long, 20, 200e3, 60},
	} {
		data := c.data
		list := func(ctx context.Context, name string) (found []string) {
			client := new(storage.Client)
			defer client.Close()
			src := fromgrib.New([]importers.Input{{Name: name}}, fromgrib.Options{Opener: client, SkipBad: true})
			defer src.Close()
			for p, err := range src.Parts(ctx) {
				text := fmt.Sprint(p.Number, p.Offset, p.Length, p.Notes)
				if bad, ok := err.(*importers.BadInput); ok {
					found = append(found, text+bad.Err.Error())
					continue
				}
				for f, err := range src.Read(ctx, p, nil) {
					if err != nil {
						t.Fatal(err)
					}
					text += f.Name
				}
				found = append(found, text)
			}
			return found
		}
		path := filepath.Join(t.TempDir(), "gfs.grib2")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		want := list(t.Context(), path)
		s := &indexedServer{grib: data}
		server := httptest.NewServer(s)
		got := list(storage.Sparse(t.Context()), server.URL+"/gfs.grib2")
		server.Close()
		if !slices.Equal(got, want) || len(want) < c.messages {
			t.Errorf("%s: found %d, expected %d", name, len(got), len(want))
		}
		if sent, requests := s.sent.Load(), s.requests.Load(); sent > int64(c.sent) || requests > int64(c.requests) {
			t.Errorf("%s: %d bytes were sent in %d answers, expected at most %d in %d", name, sent, requests, c.sent, c.requests)
		}
	}
}
