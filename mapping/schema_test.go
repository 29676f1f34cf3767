package mapping

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocs expects the tables of the manual and the package comment to list the keys of the schema.
func TestDocs(t *testing.T) {
	for p, file := range map[Producer]string{
		FromGRIB: "convert-grib.md", FromNetCDF: "convert-netcdf.md", NetCDFMessage: "convert-netcdf.md", FromTet: "tet.md",
	} {
		text, err := os.ReadFile(filepath.Join("..", "docs", "exact", file))
		if err != nil {
			t.Fatal(err)
		}
		if table := Table(p); !strings.Contains(string(text), table) {
			t.Errorf("docs/exact/%s does not hold the table of the schema:\n%s", file, table)
		}
	}
	comment, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range Schema() {
		name := k.Key[strings.LastIndexByte(k.Key, '.')+1:]
		if !strings.Contains(string(comment), name) {
			t.Errorf("the package comment does not name %s", k.Key)
		}
		if k.Type == "" || k.Meaning == "" || k.Producer == 0 {
			t.Errorf("%s is not documented", k.Key)
		}
	}
}

// TestSchemaIsComplete expects every key that the writers can write in the schema.
func TestSchemaIsComplete(t *testing.T) {
	known := make(map[string]bool)
	for _, k := range Schema() {
		known[k.Key] = true
	}
	labels := fullLabels()
	for key := range labels.Map() {
		if !known[key] {
			t.Errorf("Labels writes %s, which the schema does not have", key)
		}
	}
	for key := range fullNetCDF().Map() {
		if strings.HasPrefix(key, "_") && !known[KeyNetCDF+"."+key] {
			t.Errorf("NetCDF writes %s, which the schema does not have", key)
		}
	}
	tet := fullTet()
	tet.Attributes = nil
	for key := range tet.Map() {
		if strings.HasPrefix(key, "_") && !known[KeyTet+"."+key] {
			t.Errorf("Tet writes %s, which the schema does not have", key)
		}
	}
	for key := range fullNetCDF().File.Extra()[KeyNetCDF].(map[string]any) {
		if !known[netcdfKey("SOURCE")+"."+key] {
			t.Errorf("NetCDFFile writes %s, which the schema does not have", key)
		}
	}
}
