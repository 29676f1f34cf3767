package main

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoPasswords demands that reports name addresses without their passwords.
func TestNoPasswords(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := t.TempDir()
	for _, args := range []string{
		"convert -q -o a.tgm ../../fixtures/grib/sanity.grib2",
		"to-tet -q -o a.tet ../../fixtures/netcdf/cf_temperature.nc",
	} {
		words := strings.Fields(args)
		words[3] = filepath.Join(dir, words[3])
		if text, code := output(t, words...); code != 0 {
			t.Fatal(text)
		}
	}
	files := http.NewServeMux()
	files.Handle("/", http.FileServer(http.Dir("../../fixtures")))
	files.Handle("/made/", http.StripPrefix("/made/", http.FileServer(http.Dir(dir))))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, password, _ := r.BasicAuth(); password != "s3cret" {
			http.Error(w, "who are you", http.StatusUnauthorized)
			return
		}
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	base := strings.Replace(server.URL, "http://", "http://user:s3cret@", 1)
	for _, args := range []string{
		"ls -p file,name TGM", "ls --json -p file,name TGM", "get -p file TGM", "info TGM", "info --json TGM", "info --dataset TGM",
		"validate TGM", "validate --json TGM", "checksum TGM", "dump TGM", "dump --json TGM", "serve --check TGM",
		"grib ls GRIB", "grib ls -j GRIB", "grib count -v GRIB", "grib dump GRIB", "grib compare -v GRIB GRIB", "stats --json GRIB", "values --format json GRIB",
		"tet info TET", "tet info --json TET", "tet info -q TET", "tet verify TET", "tet verify --json TET", "netcdf ls --json NC", "netcdf ls NC NC", "netcdf dump NC",
	} {
		words := strings.Fields(strings.NewReplacer("TGM", base+"/made/a.tgm", "TET", base+"/made/a.tet", "GRIB", base+"/grib/sanity.grib2",
			"NC", base+"/netcdf/cf_temperature.nc").Replace(args))
		if text, code := output(t, words...); code != 0 || strings.Contains(text, "s3cret") {
			t.Errorf("%s: exit code %d: %s", args, code, text)
		}
	}
	for _, args := range []string{"ls NONE", "ls --json NONE", "convert --skip-bad --json -o /dev/null NONE", "grib ls NONE", "stats NONE", "validate --json NONE", "plot -o /dev/null NONE"} {
		words := strings.Fields(strings.ReplaceAll(args, "NONE", base+"/none"))
		if text, code := output(t, words...); code == 0 || strings.Contains(text, "s3cret") {
			t.Errorf("%s: exit code %d: %s", args, code, text)
		}
	}
}
