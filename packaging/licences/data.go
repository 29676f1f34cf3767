package main

import (
	"path/filepath"
	"strings"
)

const own = "github.com/tgmconv/tgmconv/"

// A data is the source of one or several embedded files.
type data struct {
	files  []string // the package, and the beginning of the name of the file there
	name   string   // of the origin
	notice string   // its text, or the file that has it, if it begins with @; "" where it is this project's
}

var embedded = []data{
	{[]string{"grib/keys/internal/defs data/", "mars params_data.bin"}, "Data: key definitions and parameter database of ecCodes 2.50.0", "@grib/keys/NOTICE"},
	{[]string{"internal/plot/coast 110m.bin", "internal/plot/coast 50m.bin", "internal/plot/coast 10m.bin"}, "Data: coastlines and borders of Natural Earth 4.1.0", naturalEarth},
	{[]string{"cmd/tgmconv/internal/selftest data/sanity.grib2"}, "Data: sanity.grib2 of Tensogram", tensogram},
	{[]string{"cmd/tgmconv/internal/selftest data/", "cmd/tgmconv/internal/site/overview page.css", "cmd/tgmconv/internal/site/viewer dist/"}, "", ""},
}

const naturalEarth = `Made with Natural Earth (https://www.naturalearthdata.com), 1:110m cultural vectors, version 4.1.0.
All versions of its raster and vector map data are in the public domain.`

const tensogram = `A test file of Tensogram (https://github.com/ecmwf/tensogram), which is licensed under the terms of
the Apache Licence Version 2.0, http://www.apache.org/licenses/LICENSE-2.0.`

// dataOf returns the origin of an embedded file, nil if it is not listed.
func dataOf(pkg, file string) *data {
	name := strings.TrimPrefix(pkg, own) + " " + filepath.ToSlash(file)
	for i, d := range embedded {
		for _, prefix := range d.files {
			if strings.HasPrefix(name, prefix) {
				return &embedded[i]
			}
		}
	}
	return nil
}

func (d *data) text(root string) (string, error) {
	file, isFile := strings.CutPrefix(d.notice, "@")
	if !isFile {
		return d.notice, nil
	}
	texts, err := appendText(nil, filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		return "", err
	}
	return texts[0], nil
}
