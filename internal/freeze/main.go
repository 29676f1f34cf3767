// Command freeze writes a line for each verb and each fixture: exit code, and hashes of texts and outputs.
//
// A change that must not alter results is checked by the lines of the command before and after it:
//
//	go run ./internal/freeze bin/before >before.txt
//	go run ./internal/freeze bin/after >after.txt
//	diff before.txt after.txt
//
// Other inputs than fixtures/ are given with -inputs DIR, such as fixtures that an earlier build has converted.
//
// With -keep DIR, texts and outputs stay there, in a folder a line, to see a difference itself.
package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/tgmconv/tgmconv/internal/parallel"
)

// verbs are command lines, with IN for the fixture and OUT for the output.
var verbs = []string{
	"convert --reproducible -o OUT.tgm IN",
	"convert --reproducible --split-by record -o OUT.tgm IN",
	"convert --reproducible --encoding none -o OUT.tgm IN",
	"convert --reproducible --encoding simple_packing --bits 16 -o OUT.tgm IN",
	"convert-grib --reproducible --json -o OUT.tgm IN",
	"convert-netcdf --reproducible --cf --json -o OUT.tgm IN",
	"to-netcdf -o OUT.nc IN",
	"to-netcdf --json -o OUT.nc IN",
	"to-zarr -o OUT.zarr IN",
	"to-zarr --dtype float32 --codec zstd -o OUT.zarr IN",
	"to-grib -o OUT.grib IN",
	"to-tet -o OUT.tet IN",
	"refs -o OUT.json IN",
	"ls IN", "ls --json IN", "info IN", "info --json IN", "dump IN", "validate --full IN",
	"info --dataset IN",
	"stats IN", "stats --json IN", "values IN", "values --format json IN",
	"plot -o OUT.png IN",
	"get -p name,dtype IN", "copy -o OUT.tgm IN", "cat -o OUT.tgm IN", "merge -o OUT.tgm IN", "reshuffle -o OUT.tgm IN",
	"split -o OUT.d IN", "repair -o OUT.tgm IN", "checksum IN",
	"grib ls IN", "grib dump IN", "netcdf ls IN", "netcdf dump IN", "tet info IN", "tet verify IN",
}

// changing matches texts that differ from run to run.
var changing = regexp.MustCompile(`\d+(\.\d+)? ?(ms|s)\b|"(elapsed|seconds|created|written)[a-z_]*": ?[^,}]+|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?`)

func main() {
	keep := flag.String("keep", "", "keep texts and outputs in this folder")
	only := flag.String("only", "", "run the command lines that match this expression")
	inputs := flag.String("inputs", "fixtures", "run over the files in this folder")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: freeze [-keep DIR] [-only REGEXP] [-inputs DIR] TGMCONV")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *inputs, *keep, *only); err != nil {
		fmt.Fprintln(os.Stderr, "freeze:", err)
		os.Exit(1)
	}
}

func run(command, fixtures, keep, only string) error {
	command, err := filepath.Abs(command)
	if err != nil {
		return err
	}
	wanted, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	fixtures, err = filepath.Abs(fixtures)
	if err != nil {
		return err
	}
	inputs, err := list(fixtures)
	if err != nil {
		return err
	}
	if keep == "" {
		if keep, err = os.MkdirTemp("", "freeze"); err != nil {
			return err
		}
		defer os.RemoveAll(keep)
	}
	type job struct{ input, verb string }
	var jobs []job
	for _, input := range inputs {
		for _, verb := range verbs {
			if wanted.MatchString(verb + " " + input) {
				jobs = append(jobs, job{input, verb})
			}
		}
	}
	lines := make([]string, len(jobs))
	parallel.Each(len(jobs), func(i int) {
		lines[i] = one(command, filepath.Join(keep, fmt.Sprintf("%05d", i)), fixtures, jobs[i].input, jobs[i].verb)
	})
	for i, line := range lines {
		fmt.Printf("%s\t%s\t%s\n", jobs[i].verb, jobs[i].input, line)
	}
	return nil
}

// list returns the fixtures, by their paths below the folder.
func list(fixtures string) (inputs []string, err error) {
	err = filepath.WalkDir(fixtures, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".md") || strings.HasSuffix(path, ".cdl") {
			return err
		}
		rel, err := filepath.Rel(fixtures, path)
		inputs = append(inputs, filepath.ToSlash(rel))
		return err
	})
	return inputs, err
}

// one runs a command line in a folder of its own, and returns exit code and hashes.
func one(command, dir, fixtures, input, verb string) string {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err.Error()
	}
	if err := os.Symlink(fixtures, filepath.Join(dir, "fixtures")); err != nil {
		return err.Error()
	}
	words := strings.Fields(verb)
	for i, word := range words {
		words[i] = strings.Replace(strings.Replace(word, "OUT", "out", 1), "IN", "fixtures/"+input, 1)
	}
	var stdout, stderr bytes.Buffer
	c := exec.Command(command, words...)
	c.Dir, c.Stdout, c.Stderr, c.WaitDelay = dir, &stdout, &stderr, time.Minute
	c.Env = append(os.Environ(), "XDG_CACHE_HOME="+filepath.Join(dir, "cache"), "SOURCE_DATE_EPOCH=0", "TZ=UTC")
	code := 0
	if err := c.Run(); err != nil {
		exit := (*exec.ExitError)(nil)
		if !errors.As(err, &exit) {
			return err.Error()
		}
		code = exit.ExitCode()
	}
	os.Remove(filepath.Join(dir, "fixtures"))
	os.RemoveAll(filepath.Join(dir, "cache"))
	out, err := hashTree(dir)
	if err != nil {
		return err.Error()
	}
	for name, text := range map[string][]byte{"stdout": stdout.Bytes(), "stderr": stderr.Bytes()} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			return err.Error()
		}
	}
	return fmt.Sprintf("%d\t%s\t%s\t%s", code, hashText(stdout.Bytes()), hashText(stderr.Bytes()), out)
}

func hashText(text []byte) string {
	if len(text) == 0 {
		return "-"
	}
	return fmt.Sprintf("%.6x", sha256.Sum256(changing.ReplaceAll(text, []byte("#"))))
}

// hashTree hashes the names and contents of all files in a folder.
func hashTree(dir string) (string, error) {
	h := sha256.New()
	files := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		files++
		fmt.Fprintln(h, strings.TrimPrefix(path, dir))
		_, err = io.Copy(h, f)
		return err
	})
	if files == 0 {
		return "-", err
	}
	return fmt.Sprintf("%d:%.6x", files, h.Sum(nil)), err
}
