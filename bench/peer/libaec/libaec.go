// Package libaec runs the C library libaec on a stream, through the small program
// bench/peer/aec_peer.c: the oracle of codec/aec's interop tests and its rival in bench/aec. It
// needs gcc and the libaec that `make interop-setup` installs.
package libaec

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// ErrMissing is the error of Start when gcc or libaec is not installed.
var ErrMissing = errors.New("not installed")

// Op is the operation of the peer.
type Op uint64

// The operations of aec_peer.c.
const (
	Encode Op = iota + 1
	Decode
	Range
	TimeEncode
	TimeDecode
)

// Request is one call of libaec.
type Request struct {
	Op                                   Op
	BitsPerSample, BlockSize, RSI, Flags int
	In                                   []byte
	OutSize                              int      // bytes that may be written
	Repeat                               int      // calls to time, for TimeEncode and TimeDecode
	First                                int      // first byte wanted, for Range
	Offsets                              []uint64 // interval offsets, for Range
}

// Answer is what libaec returned.
type Answer struct {
	Status  int // AEC_OK is 0
	Out     []byte
	Offsets []uint64
	Fastest time.Duration // of the repetitions
}

// Peer is a running aec_peer. It serves one caller at a time.
type Peer struct {
	cmd *exec.Cmd
	in  *bufio.Writer
	end io.Closer
	out *bufio.Reader
}

// Start compiles the program into the folder dir and runs it. root is the repository's.
func Start(root, dir string) (*Peer, error) {
	found, err := filepath.Glob(filepath.Join(root, ".interop/venv/lib/python3*/site-packages/eccodeslib"))
	if err != nil || len(found) == 0 {
		return nil, fmt.Errorf("libaec in .interop: %w", ErrMissing)
	}
	lib, err := filepath.Abs(found[0])
	if err != nil {
		return nil, err
	}
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		return nil, fmt.Errorf("gcc: %w", ErrMissing)
	}
	bin := filepath.Join(dir, "aec_peer")
	lib64 := filepath.Join(lib, "lib64")
	build := exec.Command(gcc, "-O2", "-o", bin, filepath.Join(root, "bench/peer/aec_peer.c"),
		"-I", filepath.Join(lib, "include"), "-L", lib64, "-laec", "-Wl,-rpath,"+lib64)
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%v: %w\n%s", build, err, out)
	}
	cmd := exec.Command(bin)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &Peer{cmd, bufio.NewWriterSize(in, 1<<20), in, bufio.NewReaderSize(out, 1<<20)}, nil
}

// Close ends the program and reports how it ended.
func (p *Peer) Close() error {
	p.end.Close()
	return p.cmd.Wait()
}

// Do makes one call.
func (p *Peer) Do(r Request) (Answer, error) {
	head := []uint64{uint64(r.Op), uint64(r.BitsPerSample), uint64(r.BlockSize), uint64(r.RSI), uint64(r.Flags),
		uint64(len(r.In)), uint64(r.OutSize), uint64(r.Repeat)}
	if r.Op == Range {
		head = append(append(head, uint64(r.First), uint64(len(r.Offsets))), r.Offsets...)
	}
	if err := binary.Write(p.in, binary.LittleEndian, head); err != nil {
		return Answer{}, err
	}
	if _, err := p.in.Write(r.In); err != nil {
		return Answer{}, err
	}
	if err := p.in.Flush(); err != nil {
		return Answer{}, err
	}
	var a [4]uint64
	if err := binary.Read(p.out, binary.LittleEndian, &a); err != nil {
		return Answer{}, fmt.Errorf("aec_peer gave no answer: %w", err)
	}
	answer := Answer{int(int64(a[0])), make([]byte, a[1]), make([]uint64, a[2]), time.Duration(a[3])}
	if _, err := io.ReadFull(p.out, answer.Out); err != nil {
		return Answer{}, err
	}
	if err := binary.Read(p.out, binary.LittleEndian, answer.Offsets); err != nil {
		return Answer{}, err
	}
	return answer, nil
}
