package archive_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/internal/archive"
)

// TestLocalPartsTell changes octets of the local parts of messages and expects that each field is
// shown. There is a message of each definition that ecCodes can make (interop/grib/check_labels.py
// made them). Octets on the making of a field are changed as well.
func TestLocalPartsTell(t *testing.T) {
	f, err := grib.Open("testdata/locals.grib")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	dir, pairs := t.TempDir(), 0
	for i := range f.Len() {
		m, err := f.Message(i)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, fmt.Sprint(i, ".grib"))
		messages, octets := localVariants(m)
		if err := os.WriteFile(path, bytes.Join(messages, nil), 0o600); err != nil {
			t.Fatal(err)
		}
		a, err := archive.Open(t.Context(), []string{path}, archive.Options{Index: archive.IndexNone})
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Set.Report.Len(); got != len(messages) {
			t.Errorf("message %d: %d of %d variants could be read", i, got, len(messages))
		}
		n := 0
		for line := range a.Set.Report.Lines() {
			if line.Path == "" {
				t.Errorf("message %d with octet %d of the message changed: %s", i, octets[n], line.Why)
			}
			n++
		}
		pairs += n - 1
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
	if f.Len() < 90 || pairs < 3000 {
		t.Errorf("%d messages, %d pairs", f.Len(), pairs)
	}
}

// localVariants returns a message and copies of it with one octet changed each, and the numbers of
// these octets.
func localVariants(m *grib.Message) (messages [][]byte, octets []int) {
	f := m.Fields()[0]
	messages, octets = [][]byte{m.Data}, []int{0}
	change := func(section, first int, tells func(octet int) bool) {
		s := f.Section(section)
		at := bytes.Index(m.Data, s)
		for i := first; i < len(s); i++ {
			if !tells(i+1) || i > 120 && i%16 != 0 { // long parts end in padding
				continue
			}
			message := bytes.Clone(m.Data)
			message[at+i] ^= 2
			messages, octets = append(messages, message), append(octets, at+i+1)
		}
	}
	all := func(int) bool { return true }
	if f.Edition == 1 {
		change(1, 28, all)
		change(1, 5, func(octet int) bool { return octet == 6 || octet == 26 }) // generating process, sub-centre
	} else {
		change(2, 5, all)
		change(1, 5, func(octet int) bool { return octet == 9 || octet == 20 || octet == 21 }) // sub-centre, status and type of data
		change(4, 11, func(octet int) bool { return octet == 12 || octet == 14 })              // generating process
	}
	return messages, octets
}
