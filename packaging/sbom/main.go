// Command sbom writes the bill of materials of a Go binary, as CycloneDX 1.6 has it in JSON:
//
//	go run ./packaging/sbom OUT.json BINARY
//
// The go command notes the modules in every binary that it builds; nothing else is in a static one.
package main

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: sbom OUT.json BINARY")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

// document and component are the parts of CycloneDX that are written.
type document struct {
	Format       string      `json:"bomFormat"`
	SpecVersion  string      `json:"specVersion"`
	Version      int         `json:"version"`
	Metadata     metadata    `json:"metadata"`
	Components   []component `json:"components"`
	Dependencies []depends   `json:"dependencies"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type    string `json:"type"`
	Ref     string `json:"bom-ref"`
	Name    string `json:"name"`
	Version string `json:"version"`
	PURL    string `json:"purl"`
}

type depends struct {
	Ref string   `json:"ref"`
	On  []string `json:"dependsOn"`
}

func run(out, binary string) error {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(documentOf(info, filepath.Base(binary)), "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(out, append(text, '\n'), 0o644)
}

func documentOf(info *debug.BuildInfo, name string) document {
	self := moduleOf(&info.Main)
	self.Type, self.Name = "application", name
	d := document{Format: "CycloneDX", SpecVersion: "1.6", Version: 1, Metadata: metadata{self}}
	all := []component{{
		Type: "library", Ref: "pkg:golang/std@" + goVersion(info), Name: "std", Version: goVersion(info), PURL: "pkg:golang/std@" + goVersion(info),
	}}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		all = append(all, moduleOf(m))
	}
	d.Components = all
	on := depends{Ref: self.Ref}
	for _, c := range all {
		on.On = append(on.On, c.Ref)
	}
	d.Dependencies = []depends{on}
	return d
}

func goVersion(info *debug.BuildInfo) string { return strings.TrimPrefix(info.GoVersion, "go") }

func moduleOf(m *debug.Module) component {
	purl := "pkg:golang/" + m.Path + "@" + m.Version
	return component{Type: "library", Ref: purl, Name: m.Path, Version: m.Version, PURL: purl}
}
