package tgmconv

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestJSONSchemas runs the commands that print JSON and checks what they print with the schemas in
// docs/reference/schemas. Each schema must be used.
func TestJSONSchemas(t *testing.T) {
	bin := buildCommand(t)
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(root, "fixtures"), filepath.Join(dir, "fixtures")); err != nil {
		t.Fatal(err)
	}
	const grib, netcdf = "fixtures/grib/cfgrib/era5-levels-members.grib", "fixtures/netcdf/attr_type_variants.nc"
	used := make(map[string]bool)
	for _, c := range []struct{ schema, command string }{
		{"convert", "convert --json -o a.tgm " + grib},
		{"convert", "convert --json -o b.tgm " + netcdf},
		{"convert", "convert --json --skip-bad -o c.tgm nothing.grib " + grib},
		{"ls", "ls --json a.tgm b.tgm"},
		{"ls", "ls --json " + grib + " " + netcdf},
		{"info", "info --json a.tgm b.tgm"},
		{"validate", "validate --json a.tgm b.tgm"},
		{"validate", "validate --json a.tgm nothing.tgm"},
		{"validate", "validate --json " + grib + " " + netcdf + " fixtures/tet/sample.tet fixtures/tet/reject/truncated_tidx.tet fixtures/netcdf/made/h5types.h5"},
		{"stats", "stats --json a.tgm"},
		{"stats", "stats --json " + netcdf},
		{"values", "values --format json -w name=latitude a.tgm"},
		{"edit", "copy --json -o d.tgm a.tgm"},
		{"edit", "set --json -o e.tgm -s note=1 a.tgm"},
		{"to-grib", "to-grib --json -o a.grib a.tgm"},
		{"to-netcdf", "to-netcdf --json -o a.nc a.tgm"},
		{"to-zarr", "to-zarr --json -o a.zarr a.tgm"},
		{"to-tet", "to-tet --json -o a.tet a.tgm"},
		{"refs", "refs --json -o refs.json " + netcdf},
		{"netcdf-ls", "netcdf ls --json " + netcdf},
		{"grib-ls", "grib ls --json " + grib},
		{"doctor", "doctor --json"},
		{"error", "ls --json nothing.tgm"},
		{"error", "dump --json nothing.tgm"},
		{"error", "get --json -p name nothing.tgm"},
		{"error", "stats --json nothing.tgm"},
		{"error", "info --json nothing.tgm"},
		{"error", "netcdf ls --json nothing.nc"},
		{"error", "convert --json -o f.tgm nothing.grib"},
		{"error", "convert --json --threads 99999 -o f.tgm " + grib},
		{"error", "to-zarr --json -o f.zarr nothing.tgm"},
		{"error", "tet info --json nothing.tet"},
	} {
		used[c.schema] = true
		var stdout, stderr bytes.Buffer
		cmd := exec.Command(filepath.Join(bin, "tgmconv"), strings.Fields(c.command)...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
		if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
			t.Fatal(err)
		}
		schema, err := jsonschema.NewCompiler().Compile(filepath.Join("docs", "reference", "schemas", c.schema+".schema.json"))
		if err != nil {
			t.Fatal(err)
		}
		documents := [][]byte{stdout.Bytes()}
		if c.schema == "ls" { // JSON lines
			documents = bytes.Split(bytes.TrimSuffix(stdout.Bytes(), []byte("\n")), []byte("\n"))
		}
		for _, document := range documents {
			printed, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
			if err != nil {
				t.Errorf("%s prints no JSON: %v; %s", c.command, err, &stderr)
				continue
			}
			if err := schema.Validate(printed); err != nil {
				t.Errorf("%s: %v", c.command, err)
			}
		}
	}
	page, err := os.ReadFile("docs/reference/json.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("docs/reference/schemas/*.schema.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no schemas: %v", err)
	}
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".schema.json")
		if !used[name] {
			t.Errorf("%s is not tested", f)
		}
		if !bytes.Contains(page, []byte("schemas/"+filepath.Base(f))) {
			t.Errorf("docs/reference/json.md does not name %s", f)
		}
	}
}
