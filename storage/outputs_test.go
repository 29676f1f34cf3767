package storage

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestOutputs(t *testing.T) {
	dir := t.TempDir()
	o := Outputs{Max: 2, Create: func(name string) (Writer, error) { return createLocal(new(Client), filepath.Join(dir, name)) }}
	for _, name := range []string{"b", "a", "b"} {
		w, err := o.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	var many *TooManyOutputsError
	if _, err := o.Get("c"); !errors.As(err, &many) || many.Max != 2 {
		t.Errorf("a third output: %v", err)
	}
	if names, err := o.Commit(); err != nil || !reflect.DeepEqual(names, []string{"a", "b"}) {
		t.Errorf("%v, %v", names, err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "b")); string(b) != "bb" {
		t.Errorf("%q, %v", b, err)
	}
	if _, err := o.Get("c"); err != nil {
		t.Fatal(err)
	}
	o.Abort()
	if found, _ := filepath.Glob(filepath.Join(dir, "*")); len(found) != 2 {
		t.Errorf("%v after Abort", found)
	}
}

func TestNewerAndSameFile(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	now := time.Now()
	for name, at := range map[string]time.Time{a: now, b: now.Add(time.Second)} {
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	newer := func(location string, others ...string) bool {
		return new(Client).Newer(t.Context(), location, others...)
	}
	if !newer(b, a) || !newer("file://"+b, "file://"+a) || newer(a, b) || newer(b, a, b) || newer(b, filepath.Join(dir, "c")) || newer(Stdin, a) {
		t.Error("Newer")
	}
	if !SameFile(a, "file://"+a) || !SameFile(a, filepath.Join(dir, ".", "a")) || SameFile(a, b) || SameFile(dir, dir) {
		t.Error("SameFile of files")
	}
	if !SameFile("s3://b/k", "s3://b/k") || SameFile("s3://b/k", a) {
		t.Error("SameFile of objects")
	}
}

func TestNewerOnServers(t *testing.T) {
	times := map[string]string{"/old": "Sun, 22 Nov 2026 10:00:00 GMT", "/new": "Sun, 22 Nov 2026 10:00:01 GMT", "/unknown": ""}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if times[r.URL.Path] != "" {
			w.Header().Set("Last-Modified", times[r.URL.Path])
		}
		if _, ok := times[r.URL.Path]; !ok {
			http.NotFound(w, r)
			return
		}
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader("1234"))
	}))
	defer server.Close()
	for _, c := range []struct {
		output string
		inputs []string
		want   bool
	}{
		{"new", []string{"old"}, true}, {"old", []string{"new"}, false}, {"old", []string{"old"}, false},
		{"new", []string{"old", "unknown"}, false}, {"unknown", []string{"old"}, false}, {"absent", []string{"old"}, false},
	} {
		for i, in := range c.inputs {
			c.inputs[i] = server.URL + "/" + in
		}
		client := new(Client)
		if got := client.Newer(t.Context(), server.URL+"/"+c.output, c.inputs...); got != c.want {
			t.Errorf("%s newer than %s: %v, expected %v", c.output, c.inputs, got, c.want)
		}
		client.Close()
	}
}
