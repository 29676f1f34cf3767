// Command gen compiles ecCodes' definition files for package keys.
//
//	go run ./grib/keys/internal/gen -memfs path/to/libeccodes_memfs.so
//
// ecCodes' Python wheel (package eccodeslib) carries all definition files
// inside that shared library; they are read from its data section, so nothing
// of ecCodes is executed. A folder of definition files may be given with
// -definitions instead. The command writes internal/defs/data/definitions.bin
// and the parameter database of package mars. With -export it writes the files
// of the library, definitions and samples, into a folder and does nothing else.
package main

import (
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("gen: ")
	memfs := flag.String("memfs", "", "path of libeccodes_memfs.so of ecCodes 2.50; may have wildcards")
	folder := flag.String("definitions", "", "folder of definition files, instead of -memfs")
	out := flag.String("o", "internal/defs/data/definitions.bin", "archive to write")
	params := flag.String("params", "../../mars/params_data.bin", "parameter database to write; empty for none")
	export := flag.String("export", "", "folder to copy the definitions and samples of -memfs to")
	flag.Parse()

	if found, err := filepath.Glob(*memfs); err == nil && len(found) > 0 {
		*memfs = found[0]
	}
	if *export != "" {
		if err := exportAll(*memfs, *export); err != nil {
			log.Fatal(err)
		}
		return
	}
	if err := run(*memfs, *folder, *out, *params); err != nil {
		log.Fatal(err)
	}
}

func run(memfs, folder, out, params string) error {
	var files map[string][]byte
	var err error
	switch {
	case memfs != "":
		files, err = readMemfs(memfs, "definitions")
	case folder != "":
		files, err = readFolder(folder)
	default:
		return fmt.Errorf("one of -memfs and -definitions is needed")
	}
	if err != nil {
		return err
	}
	files = gribFiles(files)
	c, err := compile(files)
	if err != nil {
		return err
	}
	b, err := c.archive()
	if err != nil {
		return err
	}
	if err := os.WriteFile(out, b, 0o644); err != nil {
		return err
	}
	log.Printf("%s: %d bytes from %d files", out, len(b), len(files))
	if params == "" {
		return nil
	}
	p, n, err := c.paramDatabase()
	if err != nil {
		return err
	}
	log.Printf("%s: %d bytes, %d parameters", params, len(p), n)
	return os.WriteFile(params, p, 0o644)
}

func exportAll(memfs, out string) error {
	for _, folder := range []string{"definitions", "samples", "ifs_samples"} {
		files, err := readMemfs(memfs, folder)
		if err != nil {
			return err
		}
		for name, b := range files {
			path := filepath.Join(out, folder, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(path, b, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// gribFiles keeps the files that messages of edition 1 and 2 can refer to.
func gribFiles(all map[string][]byte) map[string][]byte {
	out := map[string][]byte{}
	for name, b := range all {
		dir, _, sub := strings.Cut(name, "/")
		if sub {
			switch dir {
			case "grib1", "grib2", "mars", "common":
			default:
				continue
			}
		}
		out[name] = b
	}
	return out
}

func readFolder(root string) (map[string][]byte, error) {
	out := map[string][]byte{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		out[filepath.ToSlash(rel)] = b
		return err
	})
	return out, err
}

func sortedNames[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for n := range m {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}
