// Package conformance makes and checks a suite of Tensogram files: one file for every codec, type,
// mask method, byte order and layout, with the values that a reader must get. [Make] writes the
// files with the package tgm, make.py with the Python package of the reference implementation;
// [Check] and check.py read them. README.md describes the manifest, for readers in other languages.
package conformance

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/tgmconv/tgmconv/tgm"
)

// ManifestName is the name of the manifest in the folder of a suite: a JSON document a line, each a
// [Case].
const ManifestName = "manifest.jsonl"

// Case is a file of the suite, with one message of one object. Paths are relative to the folder.
type Case struct {
	File      string   `json:"file"`
	Values    string   `json:"values"` // the elements that a reader must get, little-endian, in C order
	Writer    string   `json:"writer"` // tgmconv, or the release of the reference implementation
	Pipeline  string   `json:"pipeline"`
	DType     string   `json:"dtype"`
	Shape     []uint64 `json:"shape"`
	Mask      string   `json:"mask"` // method of the three masks; "" if the values are finite
	ByteOrder string   `json:"byte_order"`
	Layout    string   `json:"layout"` // buffered or streamed
}

// ReadManifest returns the cases of the suite in a folder.
func ReadManifest(folder string) ([]Case, error) {
	f, err := os.Open(filepath.Join(folder, ManifestName))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var cases []Case
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var c Case
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", f.Name(), len(cases)+1, err)
		}
		cases = append(cases, c)
	}
	return cases, lines.Err()
}

// Check reads the file of a case and returns an error unless its object is as the case says and
// decodes to the values. It compares hashes.
func Check(folder string, c Case) error {
	want, err := os.ReadFile(filepath.Join(folder, c.Values))
	if err != nil {
		return err
	}
	f, err := tgm.Open(filepath.Join(folder, c.File))
	if err != nil {
		return err
	}
	defer f.Close()
	n, err := f.Len()
	if err == nil && n != 1 {
		err = fmt.Errorf("%d messages, expected 1", n)
	}
	if err != nil {
		return err
	}
	m, err := f.Message(0)
	if err != nil {
		return err
	}
	o, err := m.Object(0)
	if err != nil {
		return err
	}
	d := o.Descriptor()
	if d.DType.String() != c.DType || !slices.Equal(d.Shape, c.Shape) || d.ByteOrder.String() != c.ByteOrder {
		return fmt.Errorf("found %s %v, %s-endian, expected %s %v, %s-endian", d.DType, d.Shape, d.ByteOrder, c.DType, c.Shape, c.ByteOrder)
	}
	a, err := o.Decode(tgm.DecodeOptions{VerifyHash: true})
	if err != nil {
		return err
	}
	return compare(a.Data, want)
}

func compare(got, want []byte) error {
	if bytes.Equal(got, want) {
		return nil
	}
	if len(got) != len(want) {
		return fmt.Errorf("decodes %d bytes, expected %d", len(got), len(want))
	}
	first := 0
	for got[first] == want[first] {
		first++
	}
	return fmt.Errorf("decodes other values, from byte %d on", first)
}
