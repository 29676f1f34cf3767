package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// notAWayOut are the verbs that show no values of sources, and why.
var notAWayOut = map[string]string{
	"convert-grib": "convert does the same", "convert-netcdf": "convert does the same", "convert-zarr": "convert does the same", "convert-tet": "convert does the same",
	"set": "copies payloads as they are", "copy": "copies payloads as they are", "merge": "copies payloads as they are",
	"split": "copies payloads as they are", "reshuffle": "copies payloads as they are", "cat": "copies messages as they are",
	"repair": "copies messages as they are", "checksum": "shows sums of messages",
	"ls": "shows metadata", "get": "shows metadata", "dump": "shows metadata", "validate": "checks messages",
	"extract": "shows single points, which package internal/archive compares for all forms",
	"view":    "serves as serve does, and opens a browser",
	"index":   "writes the labels and places of objects",
	"grib":    "its verbs read GRIB alone, by package grib", "netcdf": "its verbs read netCDF alone, by package netcdf",
	"tet": "its verbs read .tet alone, by package tet", "doctor": "reads no files", "man": "reads no files",
	"plan": "looks at the beginning of files", "work": "runs other verbs", "commit": "looks at outputs of work",
	"help": "reads no files", "schema": "reads no files", "version": "reads no files", "worker": "reads what info --dataset does, for another program", "completion": "reads no files",
}

// TestMatrixHasAllVerbs expects each verb to be a way out, or to say why it is none.
func TestMatrixHasAllVerbs(t *testing.T) {
	ways := make(map[string]bool)
	for _, w := range waysOut {
		ways[w.args[0]] = true
	}
	known := make(map[string]bool)
	for _, cmd := range newRoot().Commands() {
		name := cmd.Name()
		known[name] = true
		if _, none := notAWayOut[name]; ways[name] == none {
			t.Errorf("the verb %s is to be in waysOut or in notAWayOut", name)
		}
	}
	for name := range notAWayOut {
		if !known[name] && name != "man" { // man is in some builds only
			t.Errorf("there is no verb %s", name)
		}
	}
}

// withoutForm are constants of the code that name a form without a file, and why.
var withoutForm = map[string]string{
	"grib.1": "matrices of values at a point: grib/testdata", "grib.41": "PNG: ecCodes writes none so small; grib/testdata",
	"grib.50": "spectral: no values at points; grib/testdata", "grib.51": "spectral: no values at points; grib/testdata",
	"grib.53": "spectral: no values at points; grib/testdata", "grib.200": "run length: categories; grib/testdata",
	"grib.40000": "another number of 40", "grib.40010": "another number of 41",
	"grib.50000": "second order of edition 1 has it: grid_second_order", "grib.50001": "second order of edition 1 has it: grid_second_order",
	"grib.50002":  "second order of edition 1 has it: grid_second_order",
	"netcdf.Zarr": "stores of package zarr: importers/fromzarr and convert_zarr.txtar",
}

// TestMatrixHasAllForms expects a file for each layout, chunk index, filter and packing that the
// code knows.
func TestMatrixHasAllForms(t *testing.T) {
	stored := make(map[string]bool)
	for _, f := range committedForms(t, t.TempDir()) {
		for _, s := range f.Stores {
			stored[s] = true
		}
	}
	var known []string
	known = append(known, constantsOf(t, "../../netcdf", "netcdf", "Layout")...)
	known = append(known, constantsOf(t, "../../netcdf", "netcdf", "Kind")...)
	known = append(known, constantsOf(t, "../../netcdf/internal/hdf5", "hdf5", "LayoutClass")...)
	known = append(known, constantsOf(t, "../../netcdf/internal/hdf5", "hdf5", "IndexKind")...)
	filters := keysOf(t, "../../netcdf/internal/hdf5", "decoders")
	templates := casesOf(t, "../../grib", "dataTemplate2")
	if len(filters) < 14 || len(templates) < 15 || len(known) < 15 {
		t.Fatalf("only the filters %v, the templates %v and the constants %v are found", filters, templates, known)
	}
	for _, f := range filters {
		known = append(known, "hdf5."+f)
	}
	for _, n := range templates {
		known = append(known, "grib."+n)
	}
	for _, name := range known {
		if _, without := withoutForm[name]; stored[name] == without {
			t.Errorf("%s: interop/forms/make.py is to write a file for it, or withoutForm to say why there is none", name)
		}
	}
	for name := range withoutForm {
		if !slices.Contains(known, name) {
			t.Errorf("withoutForm has %s, which the code does not", name)
		}
	}
}

// files parses a package without its tests.
func files(t *testing.T, dir string) []*ast.File {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var all []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	return all
}

// constantsOf are the names of the exported constants of a type.
func constantsOf(t *testing.T, dir, pkg, typ string) (names []string) {
	t.Helper()
	for _, f := range files(t, dir) {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			of := ""
			for _, s := range g.Specs {
				v := s.(*ast.ValueSpec)
				if id, ok := v.Type.(*ast.Ident); ok {
					of = id.Name
				} else if len(v.Values) > 0 {
					of = ""
				}
				for _, n := range v.Names {
					if of == typ && n.IsExported() {
						names = append(names, pkg+"."+n.Name)
					}
				}
			}
		}
	}
	return names
}

// keysOf are the keys of a map that is a variable of the package.
func keysOf(t *testing.T, dir, variable string) (keys []string) {
	t.Helper()
	for _, f := range files(t, dir) {
		ast.Inspect(f, func(n ast.Node) bool {
			v, ok := n.(*ast.ValueSpec)
			if !ok || v.Names[0].Name != variable || len(v.Values) == 0 {
				return true
			}
			for _, e := range v.Values[0].(*ast.CompositeLit).Elts {
				keys = append(keys, e.(*ast.KeyValueExpr).Key.(*ast.Ident).Name)
			}
			return false
		})
	}
	return keys
}

// casesOf are the numbers of the cases in a function.
func casesOf(t *testing.T, dir, function string) (numbers []string) {
	t.Helper()
	for _, f := range files(t, dir) {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Name.Name != function {
				continue
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				if c, ok := n.(*ast.CaseClause); ok {
					for _, e := range c.List {
						if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.INT {
							numbers = append(numbers, lit.Value)
						}
					}
				}
				return true
			})
		}
	}
	return numbers
}
