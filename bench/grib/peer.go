package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// errMissing: ecCodes or a C compiler is not installed.
var errMissing = errors.New("not installed")

// eccodes returns the folder of the ecCodes that make interop-setup installs.
func eccodes(root string) (string, error) {
	found, err := filepath.Glob(filepath.Join(root, ".interop/venv/lib/python3*/site-packages/eccodeslib/lib64/libeccodes.so"))
	if err != nil {
		return "", err
	}
	if len(found) == 0 {
		return "", fmt.Errorf("ecCodes in .interop: %w", errMissing)
	}
	return filepath.Abs(filepath.Dir(filepath.Dir(found[0])))
}

// withLibrary makes cmd find the libraries of ecCodes and of the packages it needs, which lie
// beside it.
func withLibrary(cmd *exec.Cmd, dir string) *exec.Cmd {
	paths, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), "*", "lib64")) // the pattern is well-formed
	cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+strings.Join(paths, ":"))
	return cmd
}

// gribSet writes a copy of a file with other keys, unless it is there already. Steps are keys to
// set one after the other.
func gribSet(root string, steps []string, from, to string) error {
	if _, err := os.Stat(to); err == nil {
		return nil
	}
	dir, err := eccodes(root)
	if err != nil {
		return err
	}
	for i, keys := range steps {
		part := fmt.Sprintf("%s.%d", to, i)
		defer os.Remove(part)
		cmd := withLibrary(exec.Command(filepath.Join(dir, "bin", "grib_set"), "-r", "-s", keys, from, part), dir)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("grib_set -r -s %s: %w: %s", keys, err, out)
		}
		from = part
	}
	return os.Rename(from, to)
}

// A peer is the C program bench/peer/grib_peer.c at work.
type peer struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startPeer(root, dir string) (*peer, error) {
	lib, err := eccodes(root)
	if err != nil {
		return nil, err
	}
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		return nil, fmt.Errorf("gcc: %w", errMissing)
	}
	program, err := filepath.Abs(filepath.Join(dir, "grib_peer"))
	if err != nil {
		return nil, err
	}
	build := exec.Command(gcc, "-O2", "-o", program, filepath.Join(root, "bench/peer/grib_peer.c"),
		"-I"+filepath.Join(lib, "include"), "-L"+filepath.Join(lib, "lib64"), "-leccodes", "-Wl,--allow-shlib-undefined")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%v: %w\n%s", build.Args, err, out)
	}
	p := &peer{cmd: withLibrary(exec.Command(program), lib)}
	p.cmd.Stderr = os.Stderr
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(stdout)
	return p, p.cmd.Start()
}

func (p *peer) close() {
	p.in.Close()
	p.cmd.Wait()
}

// ask sends a command and scans the answer.
func (p *peer) ask(command string, answer ...any) error {
	if _, err := fmt.Fprintln(p.in, command); err != nil {
		return fmt.Errorf("ecCodes peer: %w", err)
	}
	line, err := p.out.ReadString('\n')
	if err != nil {
		return fmt.Errorf("ecCodes peer: %s: %w", command, err)
	}
	_, err = fmt.Sscan(line, answer...)
	return err
}

func (p *peer) load(path string) (messages, values int, err error) {
	return messages, values, p.ask("load "+path, &messages, &values)
}

func (p *peer) round() (time.Duration, float64, error) {
	var ns int64
	var sum float64
	err := p.ask("round", &ns, &sum)
	return time.Duration(ns), sum, err
}
