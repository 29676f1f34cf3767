// Package pycodecs runs C-Blosc2, zfp, SZ3 and the reference implementation of Tensogram through
// their Python packages, for benchmarks and for tests with the tag interop.
package pycodecs

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// ErrMissing means that the Python packages are not installed.
var ErrMissing = errors.New("no Python with blosc2, zfpy and pysz (make interop-setup, or CODECS_PYTHON)")

// Peer is a running Python program. Its methods may not be called at the same time.
type Peer struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
	dir string
}

// Start starts the peer. root is the repository. The Python is that of .interop/venv-codecs, or the
// one that the environment variable CODECS_PYTHON names.
func Start(root string) (*Peer, error) {
	python := os.Getenv("CODECS_PYTHON")
	if python == "" {
		python = filepath.Join(root, ".interop", "venv-codecs", "bin", "python")
	}
	if _, err := os.Stat(python); err != nil {
		return nil, ErrMissing
	}
	dir, err := os.MkdirTemp("", "pycodecs-")
	if err != nil {
		return nil, err
	}
	p := &Peer{cmd: exec.Command(python, filepath.Join(root, "bench", "peer", "pycodecs", "peer.py")), dir: dir}
	p.cmd.Stderr = os.Stderr
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewScanner(stdout)
	return p, p.cmd.Start()
}

// Close ends the peer.
func (p *Peer) Close() error {
	return errors.Join(p.in.Close(), p.cmd.Wait(), os.RemoveAll(p.dir))
}

// Request is a call of a function of peer.py.
type Request struct {
	Codec  string         `json:"codec"` // blosc2, zfp, sz3 or tensogram
	Op     string         `json:"op"`    // encode or decode
	Params map[string]any `json:"params"`
	Repeat int            `json:"repeat"` // calls, 0 for one
	Wall   bool           `json:"wall"`   // measure the clock, not the CPU
}

// Do calls a function with the bytes of in. It returns the result and the least time of a call, in
// seconds.
func (p *Peer) Do(r Request, in []byte) ([]byte, float64, error) {
	from, to := filepath.Join(p.dir, "in"), filepath.Join(p.dir, "out")
	if err := os.WriteFile(from, in, 0o600); err != nil {
		return nil, 0, err
	}
	r.Repeat = max(r.Repeat, 1)
	job := struct {
		Request
		In  string `json:"in"`
		Out string `json:"out"`
	}{r, from, to}
	if err := json.NewEncoder(p.in).Encode(job); err != nil {
		return nil, 0, err
	}
	if !p.out.Scan() {
		return nil, 0, errors.Join(errors.New("the peer ended"), p.out.Err())
	}
	var answer struct {
		Seconds float64
		Error   string
	}
	if err := json.Unmarshal(p.out.Bytes(), &answer); err != nil {
		return nil, 0, err
	}
	if answer.Error != "" {
		return nil, 0, fmt.Errorf("%s %s %v: %s", r.Codec, r.Op, r.Params, answer.Error)
	}
	out, err := os.ReadFile(to)
	return out, answer.Seconds, err
}
