// Command wheel makes wheels of Python with the program and the package tgmconv:
//
//	go run ./packaging/wheel [-o dist] [PLATFORM...]
//
// A platform is an operating system and an architecture as Go names them, such as linux/amd64; the
// default is all released platforms. The same commit makes the same bytes. It must be run in the
// root of the repository.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/tgmconv/tgmconv/tgm"
)

// platforms are the platforms of wheels, with their tags: a static binary runs with every C library
// of Linux. Go 1.26 needs macOS 12.
var platforms = []struct{ name, tag string }{
	{"linux/amd64", "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64"},
	{"linux/arm64", "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64"},
	{"darwin/amd64", "macosx_12_0_x86_64"},
	{"darwin/arm64", "macosx_12_0_arm64"},
	{"windows/amd64", "win_amd64"},
	{"windows/arm64", "win_arm64"},
}

func main() {
	out := flag.String("o", "dist", "folder for the wheels")
	version := flag.String("version", tgm.Version, "version of the wheels, as PEP 440 has it")
	flag.Parse()
	if err := run(*out, *version, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "wheel:", err)
		os.Exit(1)
	}
}

func run(out, version string, names []string) error {
	known := make(map[string]string)
	for _, p := range platforms {
		known[p.name] = p.tag
		if flag.NArg() == 0 {
			names = append(names, p.name)
		}
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	for _, name := range names {
		tag, ok := known[name]
		if !ok {
			return fmt.Errorf("%s is no platform that wheels are made for", name)
		}
		path := filepath.Join(out, "tgmconv-"+version+"-py3-none-"+tag+".whl")
		if err := makeWheel(path, version, name, tag); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Println(path)
	}
	return nil
}

// makeWheel makes the wheel of a platform.
func makeWheel(path, version, platform, tag string) error {
	folder, err := os.MkdirTemp("", "wheel")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	system, machine, _ := strings.Cut(platform, "/")
	program := filepath.Join(folder, "tgmconv")
	if system == "windows" {
		program += ".exe"
	}
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, "./cmd/tgmconv")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+machine)
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return err
	}
	w, err := newWheel(path, version)
	if err != nil {
		return err
	}
	defer w.abort()
	modules, err := filepath.Glob("packaging/python/tgmconv/*.py*")
	if err != nil {
		return err
	}
	for _, module := range modules {
		if strings.HasSuffix(module, ".pyc") {
			continue
		}
		w.file("tgmconv/"+filepath.Base(module), module, 0o644)
	}
	w.file(w.name+".data/scripts/"+filepath.Base(program), program, 0o755)
	info := w.name + ".dist-info/"
	w.file(info+"licenses/LICENSE", "LICENSE", 0o644)
	w.file(info+"licenses/THIRD-PARTY-LICENSES.txt", "packaging/THIRD-PARTY-LICENSES.txt", 0o644)
	readme, err := os.ReadFile("packaging/python/README.md")
	if err != nil {
		return err
	}
	w.text(info+"METADATA", metadata(version)+"\n"+string(readme))
	w.text(info+"WHEEL", wheelFile(tag))
	w.text(info+"entry_points.txt", "[xarray.backends]\ntgmconv = tgmconv._engine:TgmconvBackendEntrypoint\n")
	return w.close()
}

func metadata(version string) string {
	return strings.Join([]string{
		"Metadata-Version: 2.4", "Name: tgmconv", "Version: " + version,
		"Summary: GRIB, netCDF, HDF5, Zarr, Tensogram and .tet files in xarray, and between these formats",
		"License-Expression: Apache-2.0", "License-File: LICENSE", "License-File: THIRD-PARTY-LICENSES.txt",
		"Project-URL: Source, https://github.com/tgmconv/tgmconv", "Keywords: grib,netcdf,zarr,tensogram,xarray",
		"Classifier: Topic :: Scientific/Engineering :: Atmospheric Science",
		"Requires-Python: >=3.11", "Requires-Dist: numpy", "Requires-Dist: xarray >=2025.6",
		"Provides-Extra: zarr", "Requires-Dist: zarr >=3.0.8; extra == 'zarr'", "Provides-Extra: table", "Requires-Dist: pandas; extra == 'table'",
		"Description-Content-Type: text/markdown", "",
	}, "\n")
}

func wheelFile(tag string) string {
	lines := []string{"Wheel-Version: 1.0", "Generator: tgmconv", "Root-Is-Purelib: false"}
	for one := range strings.SplitSeq(tag, ".") {
		lines = append(lines, "Tag: py3-none-"+one)
	}
	return strings.Join(lines, "\n") + "\n"
}
