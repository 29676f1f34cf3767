package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

const program = "github.com/tgmconv/tgmconv/cmd/tgmconv"

// machines are the machines of releases (.goreleaser.yaml).
var machines = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// standardLibrary is the name of the modules that come with Go. Its version is the version of the Go that builds.
const standardLibrary = "Go standard library"

// A linked is a package in the binary of a machine.
type linked struct {
	ImportPath string
	Dir        string
	Standard   bool
	EmbedFiles []string
	Module     module
}

type module struct {
	Path, Version, Dir string
	Main               bool
	Replace            *module
}

func (m module) name() string {
	if m.Replace != nil {
		m.Path, m.Version = m.Replace.Path, m.Replace.Version
	}
	return m.Path + " " + m.Version
}

// listLinked lists the packages in the binary of a machine, such as linux/amd64.
func listLinked(machine string) ([]linked, error) {
	system, processor, _ := strings.Cut(machine, "/")
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,Standard,EmbedFiles,Module", program)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+processor)
	out, err := cmd.Output()
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			return nil, fmt.Errorf("go list for %s: %s", machine, strings.TrimSpace(string(failed.Stderr)))
		}
		return nil, err
	}
	var all []linked
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p linked
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list for %s: %w", machine, err)
		}
		all = append(all, p)
	}
}

// goEnv asks the go command for a variable.
func goEnv(name string) (string, error) {
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		return "", fmt.Errorf("go env %s: %w", name, err)
	}
	return strings.TrimSpace(string(out)), nil
}

func moduleRoot() (string, error) {
	file, err := goEnv("GOMOD")
	return filepath.Dir(file), err
}

// goRoot is the folder of Go itself.
var goRoot = sync.OnceValues(func() (string, error) { return goEnv("GOROOT") })

// textsUpTo returns the texts in a folder and in those above it, up to top, the topmost first.
func textsUpTo(dir, top string) ([]string, error) {
	var texts []string
	for {
		found, err := textsIn(dir)
		if err != nil {
			return nil, err
		}
		texts = append(found, texts...)
		if dir == top || len(dir) <= len(top) {
			return texts, nil
		}
		dir = filepath.Dir(dir)
	}
}

// textsIn returns the texts of licences in a folder, and in a folder for them there.
func textsIn(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.IsDir() && slices.Contains([]string{"third_party_licenses", "licenses"}, strings.ToLower(e.Name())):
			files, err := os.ReadDir(path)
			if err != nil {
				return nil, err
			}
			for _, f := range files {
				if f.Type().IsRegular() {
					if texts, err = appendText(texts, filepath.Join(path, f.Name())); err != nil {
						return nil, err
					}
				}
			}
		case e.Type().IsRegular() && isLicence(e.Name()):
			if texts, err = appendText(texts, path); err != nil {
				return nil, err
			}
		}
	}
	return texts, nil
}

// isLicence reports whether the name of a file is one of a licence, or of a notice that a licence
// asks to keep.
func isLicence(name string) bool {
	name = strings.ToLower(name)
	switch filepath.Ext(name) {
	case ".go", ".s", ".sh", ".py", ".json", ".yml", ".yaml":
		return false
	}
	for _, prefix := range []string{"license", "licence", "unlicense", "copying", "copyright", "notice", "patents"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

func appendText(texts []string, file string) ([]string, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.ReplaceAll(string(b), "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t\f")
	}
	return append(texts, strings.Trim(strings.Join(lines, "\n"), "\n")), nil
}
