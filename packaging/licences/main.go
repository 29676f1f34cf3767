// Command licences writes the licences of all modules and data in the released binaries to
// packaging/THIRD-PARTY-LICENSES.txt:
//
//	go run ./packaging/licences
//
// It asks the go command for the packages that are linked on each machine, and takes the texts from
// their folders in the module cache.
package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// output is the name of the file below the root of the repository.
const output = "packaging/THIRD-PARTY-LICENSES.txt"

func main() {
	if len(os.Args) != 1 {
		fmt.Fprintln(os.Stderr, "usage: licences")
		os.Exit(2)
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

func run() error {
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	var all []linked
	for _, machine := range machines {
		list, err := listLinked(machine)
		if err != nil {
			return err
		}
		all = append(all, list...)
	}
	text, err := document(root, all)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, output), []byte(text), 0o644)
}

const preamble = `Licences of third parties

The tgmconv program has its own licence, Apache-2.0, in the file LICENSE. The modules and data below
are parts of its binaries. The numbers after each name are those of the texts that follow.
Written by "go run ./packaging/licences": do not edit.

`

// document returns the file for all packages that are linked on some machine.
func document(root string, all []linked) (string, error) {
	parts, err := partsOf(root, all)
	if err != nil {
		return "", err
	}
	var list, texts strings.Builder
	number := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		list.WriteString(name)
		for _, text := range parts[name] {
			n, known := number[text]
			if !known {
				n = len(number) + 1
				number[text] = n
				fmt.Fprintf(&texts, "\n%s\n[%d]\n\n%s\n", strings.Repeat("=", 80), n, text)
			}
			fmt.Fprintf(&list, " [%d]", n)
		}
		list.WriteByte('\n')
	}
	return preamble + list.String() + texts.String(), nil
}

// partsOf returns the texts of each module and each kind of data, in the order of their files.
func partsOf(root string, all []linked) (map[string][]string, error) {
	parts := map[string][]string{}
	add := func(name string, texts []string) {
		for _, text := range texts {
			if !slices.Contains(parts[name], text) {
				parts[name] = append(parts[name], text)
			}
		}
	}
	goFolder, err := goRoot()
	if err != nil {
		return nil, err
	}
	goTexts, err := textsIn(goFolder)
	if err != nil {
		return nil, err
	}
	add(standardLibrary, goTexts)
	for _, p := range all {
		switch {
		case p.Standard:
			texts, err := textsUpTo(p.Dir, goFolder)
			if err != nil {
				return nil, err
			}
			add(standardLibrary, texts)
		case p.Module.Main:
			for _, file := range p.EmbedFiles {
				d := dataOf(p.ImportPath, file)
				if d == nil {
					return nil, fmt.Errorf("package %s embeds %s, whose origin is not listed in packaging/licences/data.go", p.ImportPath, file)
				}
				text, err := d.text(root)
				if err != nil {
					return nil, err
				}
				if text != "" {
					add(d.name, []string{text})
				}
			}
		default:
			texts, err := textsUpTo(p.Dir, p.Module.Dir)
			if err != nil {
				return nil, err
			}
			add(p.Module.name(), texts)
		}
	}
	for name, texts := range parts {
		if len(texts) == 0 {
			return nil, fmt.Errorf("%s: found no file of a licence", name)
		}
	}
	return parts, nil
}
