// Package manifest writes and checks lists of SHA-256 sums of messages. A line is a sum in
// hexadecimal digits, the number of the message in its file, its bytes, and the name of the file:
//
//	9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 0 1234 forecast.tgm
//
// The hashes in messages detect damage. The sums of a manifest that is kept elsewhere also detect
// deliberate changes.
package manifest

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/tgm"
)

// A Sum is a line of a manifest.
type Sum struct {
	Hash    string // SHA-256 of all bytes of the message, in hexadecimal digits
	Message int    // number of the message in its file, from 0
	Bytes   int64
	File    string
}

// SumOf returns the sum of a message of a file.
func SumOf(m *tgm.Message, file string) (Sum, error) {
	h := sha256.New()
	if err := m.CopyTo(h); err != nil {
		return Sum{}, err
	}
	return Sum{hex.EncodeToString(h.Sum(nil)), m.Index(), m.Length(), file}, nil
}

// String returns the line of a manifest.
func (s Sum) String() string { return fmt.Sprintf("%s %d %d %s", s.Hash, s.Message, s.Bytes, s.File) }

// ParseSum reads a line of a manifest.
func ParseSum(line string) (Sum, error) {
	parts := strings.SplitN(line, " ", 4)
	if len(parts) != 4 || len(parts[0]) != 2*sha256.Size {
		return Sum{}, fmt.Errorf("%.60q is not a line of a manifest", line)
	}
	message, err1 := strconv.Atoi(parts[1])
	size, err2 := strconv.ParseInt(parts[2], 10, 64)
	if err1 != nil || err2 != nil || message < 0 || size < 0 {
		return Sum{}, fmt.Errorf("%.60q is not a line of a manifest", line)
	}
	return Sum{parts[0], message, size, parts[3]}, nil
}

// A List is a manifest: the sums of each file, and the files in their order.
type List struct {
	Sums  map[string][]Sum
	Files []string
}

// Read reads a manifest. An empty one is an error.
func Read(r io.Reader) (*List, error) {
	l := &List{Sums: map[string][]Sum{}}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		s, err := ParseSum(lines.Text())
		if err != nil {
			return nil, err
		}
		if l.Sums[s.File] == nil {
			l.Files = append(l.Files, s.File)
		}
		l.Sums[s.File] = append(l.Sums[s.File], s)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(l.Files) == 0 {
		return nil, errors.New("the manifest is empty")
	}
	return l, nil
}

// Compare compares the messages of a file with its sums and returns a text for each difference. The
// error is an error of reading the file; the differences found before it are returned as well.
func Compare(f *tgm.File, want []Sum) (differences []string, err error) {
	known := make(map[int]Sum, len(want))
	for _, s := range want {
		known[s.Message] = s
	}
	n := 0
	for m, err := range f.Messages() {
		if err != nil {
			return differences, err
		}
		n++
		expected, listed := known[m.Index()]
		if !listed {
			differences = append(differences, fmt.Sprintf("message %d is not in the manifest", m.Index()))
			continue
		}
		got, err := SumOf(m, expected.File)
		if err != nil {
			return differences, err
		}
		if got != expected {
			differences = append(differences, fmt.Sprintf("message %d differs", m.Index()))
		}
	}
	for _, s := range want {
		if s.Message >= n {
			differences = append(differences, fmt.Sprintf("message %d is missing", s.Message))
		}
	}
	return differences, nil
}
