package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestComplete compares the file with the packages that are linked now. A machine whose modules are
// not in the module cache cannot be asked without a network: then the lines of the others are.
func TestComplete(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(root, output))
	if err != nil {
		t.Fatal(err)
	}
	file := strings.ReplaceAll(string(b), "\r\n", "\n")
	all, err := listLinked("/") // this machine
	if err != nil {
		t.Fatal(err)
	}
	complete := true
	for _, machine := range machines {
		list, err := listLinked(machine)
		if err != nil {
			t.Log(err)
			complete = false
		}
		all = append(all, list...)
	}
	parts, err := partsOf(root, all)
	if err != nil {
		t.Fatal(err)
	}
	if len(parts) < 50 {
		t.Errorf("found %d modules and kinds of data, expected 50 and more", len(parts))
	}
	list, _, _ := strings.Cut(file, "\n====")
	for name, texts := range parts {
		if !strings.Contains(list, "\n"+name+" [") {
			t.Errorf("%s does not name %s: go run ./packaging/licences", output, name)
		}
		for _, text := range texts {
			if !strings.Contains(file, "\n\n"+text+"\n") && name != standardLibrary {
				t.Errorf("%s does not have the licence of %s: go run ./packaging/licences", output, name)
			}
		}
	}
	for _, line := range strings.Split(list, "\n") {
		if name, _, isPart := strings.Cut(line, " ["); isPart && complete && parts[name] == nil {
			t.Errorf("%s names %s, which is not linked: go run ./packaging/licences", output, name)
		}
	}
}

// TestPackages finds the licences in all that a release has: archives, packages and the container.
func TestPackages(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string][]string{
		".goreleaser.yaml": {
			"archives: - LICENSE", "archives: - {src: " + output + ",",
			"nfpms: - {src: LICENSE, dst: /usr/share/doc/tgmconv/", "nfpms: - {src: " + output + ", dst: /usr/share/doc/tgmconv/",
		},
		"packaging/Containerfile": {"COPY LICENSE " + output + " /usr/share/doc/tgmconv/"},
	} {
		b, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		var part string
		var lines []string // with the part of the file that each is in
		for _, line := range strings.Split(strings.ReplaceAll(string(b), "\r\n", "\n"), "\n") {
			if strings.HasSuffix(line, ":") && !strings.HasPrefix(line, " ") {
				part = line + " "
			}
			lines = append(lines, part+strings.TrimSpace(line))
		}
		all := strings.Join(lines, "\n")
		for _, line := range want {
			if !strings.Contains(all, line) {
				t.Errorf("%s: found no %q", file, line)
			}
		}
	}
}

func TestIsLicence(t *testing.T) {
	for name, want := range map[string]bool{
		"LICENSE": true, "LICENSE.txt": true, "LICENSE_list": true, "UNLICENSE": true, "COPYING.LESSER": true, "NOTICE": true, "license.go": false,
		"README.md": false, "check_license.sh": false,
	} {
		if isLicence(name) != want {
			t.Errorf("%s: %t, expected %t", name, !want, want)
		}
	}
}
