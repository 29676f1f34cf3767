package tgmconv

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/tgmconv/tgmconv"

// mayImport lists, for the longest matching prefix of a package, which of our packages it may
// import. A package may always import packages below the same prefix.
var mayImport = []struct {
	pkg   string
	allow []string
}{
	{"internal", nil}, // imports none of our packages
	{"internal/history", []string{"storage"}},
	{"exporters/tozarr/internal/spill", []string{"array", "storage"}},
	{"internal/unpack", []string{"storage"}},
	{"internal/plot/chart", []string{"mapping"}},
	{"internal/tetquery", []string{"tet"}},
	{"cmd/tgmconv/internal/httpd", nil},
	{"codec", nil},
	{"codec/blosc", nil},
	{"codec/sz3", nil},
	{"array", nil},
	{"tgm", []string{"array", "codec"}},
	{"grib", []string{"codec"}},
	{"netcdf", []string{"codec"}},
	{"mapping", nil},
	{"mars", []string{"mapping"}},
	{"cf", []string{"mapping"}},
	{"storage", nil},
	{"tet", []string{"codec"}},
	{"importers", []string{"array", "tgm", "mapping", "storage"}},
	{"importers/fromgrib", []string{"array", "importers", "grib", "mars", "tgm", "mapping", "storage"}},
	{"importers/fromnetcdf", []string{"array", "importers", "netcdf", "cf", "storage", "tgm", "mapping"}},
	{"importers/fromzarr", []string{"cf", "grib", "importers", "importers/fromnetcdf", "netcdf", "storage", "zarr"}},
	{"importers/fromtgm", []string{"array", "importers", "cf", "mars", "storage", "tgm", "mapping"}},
	{"internal/fromany", []string{"importers", "importers/fromgrib", "importers/fromnetcdf", "importers/fromtet", "importers/fromtgm", "importers/fromzarr", "internal/unpack", "storage"}},
	{"importers/fromtet", []string{"array", "importers", "cf", "storage", "tet", "tgm", "mapping"}},
	{"internal/catalog", []string{"tgm", "mapping", "importers", "importers/fromgrib", "mars", "cf", "storage"}},
	{"dataset", []string{"array", "internal/catalog", "tgm", "mapping", "importers", "grib/geometry", "mars", "cf"}},
	{"internal/archive", []string{"array", "grib", "internal/catalog", "cf", "dataset", "tgm", "mapping", "importers", "internal/fromany", "internal/unpack", "importers/fromgrib", "importers/fromnetcdf", "importers/fromtet", "importers/fromtgm", "storage"}},
	// Packages for looking: fields of any format, with coordinates and statistics, and pictures of
	// fields.
	{"look", []string{"array", "dataset", "tgm", "mapping", "mars", "cf", "grib/geometry"}},
	{"extract", []string{"look", "mapping"}},
	{"plot", []string{"internal/plot/chart", "look", "mapping"}},
	{"zarr", []string{"codec"}},
	{"serve", []string{"array", "internal/catalog", "internal/history", "cf", "tgm", "codec", "mapping", "dataset", "importers", "zarr"}},
	{"cmd/tgmconv/internal/series", []string{"cf", "extract", "look", "mapping", "netcdf", "internal/plot/chart"}},
	{"cmd/tgmconv/internal/edr", []string{"dataset", "extract", "cmd/tgmconv/internal/series", "look", "mapping"}},
	{"exporters", nil},
	{"exporters/togrib", []string{"array", "cf", "look", "tgm", "mapping", "mars", "grib", "codec"}},
	{"exporters/tonetcdf", []string{"array", "cf", "dataset", "tgm", "mapping", "netcdf"}},
	{"exporters/tozarr", []string{"array", "cf", "dataset", "tgm", "mapping", "serve", "zarr", "storage"}},
	{"exporters/totet", []string{"array", "cf", "dataset", "tgm", "mapping", "tet", "storage"}},
	{"cmd", []string{""}},
	{"bench", []string{""}},
	{"internal/conformance", []string{"tgm"}}, // a call that a user of the package could write
	{"interop", []string{""}},
	{"internal/lint", nil},
	{"internal/nctest", []string{"netcdf"}},
	{"fixtures/bombs", []string{"netcdf", "tet", "tgm"}},
	{"packaging", nil},
	{"packaging/wheel", []string{"tgm"}},
}

type listed struct {
	ImportPath string
	Imports    []string
	Standard   bool
}

func packages(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "./...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatalf("go list output: %v", err)
		}
		all = append(all, p)
	}
}

func below(pkg, prefix string) bool {
	return prefix == "" || pkg == prefix || strings.HasPrefix(pkg, prefix+"/")
}

// permitted reports whether pkg may import dep, both relative to the module.
func permitted(pkg, dep string) (ok, known bool) {
	rule := -1
	for i, r := range mayImport {
		if below(pkg, r.pkg) && (rule < 0 || len(r.pkg) > len(mayImport[rule].pkg)) {
			rule = i
		}
	}
	if rule < 0 {
		return false, false
	}
	r := mayImport[rule]
	if r.pkg == "codec" {
		// A codec imports no other codec: only its own folder, packages that codecs share, and the
		// package that divides work among cores.
		own := strings.Join(strings.SplitN(pkg, "/", 3)[:2], "/")
		return below(dep, own) || below(dep, "internal/codec") || dep == "internal/parallel", true
	}
	if below(dep, "internal") && !room(dep) || below(dep, pkg+"/internal") || below(dep, r.pkg) && !adapter(dep) {
		return true, true
	}
	for _, a := range r.allow {
		if below(dep, a) && (a != "importers" || dep == "importers") {
			return true, true
		}
	}
	return false, true
}

// room reports whether pkg is one of those below internal that import other packages of ours: a rule of
// its own lists it by name.
func room(pkg string) bool {
	return slices.ContainsFunc(mayImport, func(r struct {
		pkg   string
		allow []string
	}) bool {
		return len(r.allow) > 0 && below(r.pkg, "internal") && below(pkg, r.pkg)
	})
}

// adapter reports whether pkg knows a format beside the package it stands below: the model does not
// import these, and they do not import each other.
func adapter(pkg string) bool {
	return strings.HasPrefix(pkg, "importers/") || strings.HasPrefix(pkg, "exporters/")
}

func TestImportDirections(t *testing.T) {
	seen := 0
	for _, p := range packages(t) {
		pkg, ours := strings.CutPrefix(p.ImportPath, module+"/")
		if !ours {
			continue
		}
		for _, imp := range p.Imports {
			dep, ours := strings.CutPrefix(imp, module+"/")
			if !ours {
				continue
			}
			seen++
			if ok, known := permitted(pkg, dep); !known {
				t.Errorf("%s stands nowhere in the layout: add it to mayImport", pkg)
			} else if !ok {
				t.Errorf("%s imports %s, which does not stand to its left", pkg, dep)
			}
		}
	}
	if seen == 0 {
		t.Error("no imports between packages were seen")
	}
}

// TestPermittedKnowsWrongDirections makes sure that the rule can fail.
func TestPermittedKnowsWrongDirections(t *testing.T) {
	for _, wrong := range [][2]string{
		{"tgm", "grib"}, {"grib", "tgm"}, {"codec/aec", "codec/zfp"}, {"mars", "grib/keys"},
		{"importers", "grib"}, {"importers", "importers/fromgrib"}, {"zarr", "dataset"}, {"zarr", "tgm"}, {"serve", "importers/fromgrib"},
		{"importers/fromgrib", "netcdf"}, {"storage", "tgm"}, {"internal/catalog", "dataset"}, {"dataset", "internal/archive"}, {"grib", "internal/catalog"}, {"dataset", "zarr"},
		{"exporters/togrib", "exporters/tonetcdf"},
	} {
		if ok, _ := permitted(wrong[0], wrong[1]); ok {
			t.Errorf("%s may import %s", wrong[0], wrong[1])
		}
	}
}

// TestNoCgo holds that the product builds without a C compiler.
func TestNoCgo(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if .CgoFiles}}{{.ImportPath}}{{end}}", "./cmd/...").CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	for _, pkg := range strings.Fields(string(out)) {
		switch pkg {
		case "runtime/cgo", "net", "os/user": // have pure Go forms, chosen when CGO_ENABLED=0
		default:
			t.Errorf("%s needs cgo", pkg)
		}
	}
}

// TestProgramStaysSmall: the command links no templates, for which the linker keeps the exported methods of all types (5 MB),
// and nothing of gonum that needs LAPACK (2 MB). cobra links templates if one of its own is replaced.
func TestProgramStaysSmall(t *testing.T) {
	large := []string{"html/template", "text/template", "gonum.org/v1/gonum/stat", "gonum.org/v1/gonum/mat"}
	out, err := exec.Command("go", "list", "-deps", "-json=ImportPath,Imports,Standard", "./cmd/tgmconv").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var p listed
		if err := dec.Decode(&p); err != nil {
			t.Fatalf("go list output: %v", err)
		}
		for _, dep := range p.Imports {
			if !p.Standard && p.ImportPath != "github.com/spf13/cobra" && slices.Contains(large, dep) {
				t.Errorf("%s imports %s, which makes the program several megabytes larger", p.ImportPath, dep)
			}
		}
	}
	sources, err := filepath.Glob("cmd/tgmconv/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range sources {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if m := regexp.MustCompile(`\.Set(Version|Usage|Help)Template\(`).Find(source); m != nil {
			t.Errorf("%s calls %s), which links text/template", path, m)
		}
	}
}

// verbFloors are the packages of verbs, each of which may import those before it.
var verbFloors = [][]string{
	{"cli"}, {"looking"}, {"editing", "gribverbs", "netcdfverbs", "tetverbs", "serving", "converting"}, {"planning"},
}

// TestVerbs expects packages of verbs to import no package of verbs beside or above them.
func TestVerbs(t *testing.T) {
	const prefix = module + "/cmd/tgmconv/internal/"
	floor := make(map[string]int)
	for i, names := range verbFloors {
		for _, name := range names {
			floor[prefix+name] = i + 1
		}
	}
	for _, p := range packages(t) {
		for _, imported := range p.Imports {
			if at := floor[p.ImportPath]; at > 0 && floor[imported] >= at {
				t.Errorf("%s imports %s, which lies no lower", p.ImportPath, imported)
			}
		}
		if strings.HasPrefix(p.ImportPath, prefix) && floor[p.ImportPath] == 0 {
			for _, imported := range p.Imports {
				if floor[imported] > 0 {
					t.Errorf("%s, which has no verbs, imports %s", p.ImportPath, imported)
				}
			}
		}
	}
}
