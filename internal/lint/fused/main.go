// Command fused finds floating-point multiplications that the Go compiler fuses with an addition on
// other machines:
//
//	go run ./internal/lint/fused ./codec/... ./grib/...
//
// On arm64, s390x, ppc64le and riscv64 x*y+z is one instruction that rounds once, on amd64 two that
// round twice, and the results differ in the last bit. An explicit conversion, float64(x*y)+z,
// keeps them apart (Go specification, "Floating-point operators"). A product can be fused with a
// sum far away from it, through assignments and inlined calls, so the compiler itself is asked: the
// packages are compiled for arm64, and the lines whose instructions fuse are printed. A line that
// calls math.FMA wants it.
package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "fused: no packages; try ./...")
		os.Exit(2)
	}
	found, err := check(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "fused:", err)
		os.Exit(2)
	}
	for _, l := range found {
		fmt.Printf("%s:%d: product is fused with a sum on arm64; write float64(x*y): %s\n", l.file, l.number, l.text)
	}
	if len(found) > 0 {
		os.Exit(1)
	}
}

// A line is a source line.
type line struct {
	file   string
	number int
	text   string
}

// instruction matches an instruction in the output of -gcflags=-S that multiplies and adds, with
// the source position before it.
var instruction = regexp.MustCompile(`\(([^()]+\.go):(\d+)\)\s+FN?M(?:ADD|SUB)[SD]\s`)

// check compiles packages for arm64 and returns the lines that are fused, sorted.
func check(packages []string) ([]line, error) {
	cmd := exec.Command("go", append([]string{"build", "-gcflags=-S"}, packages...)...)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	var listing bytes.Buffer
	cmd.Stderr = &listing // the compiler's listing goes there
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("go build for arm64: %w: %s", err, tail(listing.String()))
	}
	fused, err := fusedLines(listing.Bytes())
	if err != nil {
		return nil, err
	}
	return fused, nil
}

// tail returns the end of a listing, where errors are.
func tail(s string) string { return s[max(0, len(s)-2000):] }

// fusedLines returns the lines that a listing names, except lines with math.FMA.
func fusedLines(listing []byte) ([]line, error) {
	lines := map[line]bool{}
	for _, m := range instruction.FindAllSubmatch(listing, -1) {
		n, err := strconv.Atoi(string(m[2]))
		if err != nil {
			return nil, err
		}
		lines[line{file: string(m[1]), number: n}] = true
	}
	var out []line
	for _, l := range slices.SortedFunc(maps.Keys(lines), compare) {
		text, err := sourceLine(l)
		if err != nil {
			return nil, err
		}
		if l.text = strings.TrimSpace(text); !strings.Contains(text, "math.FMA(") {
			l.file = relative(l.file)
			out = append(out, l)
		}
	}
	return out, nil
}

func compare(a, b line) int {
	return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.number, b.number))
}

func sourceLine(l line) (string, error) {
	b, err := os.ReadFile(l.file)
	if err != nil {
		return "", err
	}
	lines := strings.Split(string(b), "\n")
	if l.number < 1 || l.number > len(lines) {
		return "", errors.New(l.file + " is shorter than the listing says")
	}
	return lines[l.number-1], nil
}

// relative returns a path from the working directory where there is one.
func relative(path string) string {
	wd, err := os.Getwd()
	if err != nil {
		return path
	}
	if r, err := filepath.Rel(wd, path); err == nil && !strings.HasPrefix(r, "..") {
		return r
	}
	return path
}
