package netcdf

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// knownGap reports whether a need is documented as not implemented.
func knownGap(need string) bool {
	return strings.Contains(need, "64 of mantissa")
}

// TestOddH5py compares the elements of datasets with h5py's. They are of types that the netCDF
// library does not know, or in files it cannot open.
func TestOddH5py(t *testing.T) {
	for line := range bytes.Lines(readMaybeGzip(t, "testdata/h5py.json.gz")) {
		var want h5pyFile
		if err := json.Unmarshal(line, &want); err != nil {
			t.Fatal(err)
		}
		t.Run(want.File, func(t *testing.T) { compareDatasets(t, "testdata/odd/"+want.File+".gz", want) })
	}
}

// h5pyFile is the output of interop/netcdf/read_h5py.py for a file.
type h5pyFile struct {
	File     string
	Datasets map[string]struct {
		Shape []uint64
		Hash  string
		Error string
	}
}

func compareDatasets(t *testing.T, path string, want h5pyFile) {
	raw := readMaybeGzip(t, path)
	// Other files that it refers to lie beside it.
	f, err := NewFile(bytes.NewReader(raw), int64(len(raw)), WithOpener(filepath.Base(path), InFolder(filepath.Dir(path))))
	if err != nil {
		t.Fatal(err)
	}
	vars := map[string]*Var{}
	var walk func(g *Group)
	walk = func(g *Group) {
		for _, v := range g.Vars {
			vars[v.Path] = v
		}
		for _, s := range g.Skipped {
			t.Logf("skipped: %s: %v", s.Name, s.Err)
		}
		for _, s := range g.Groups {
			walk(s)
		}
	}
	walk(f.Root())
	for name, e := range want.Datasets {
		v := vars[strings.Replace(name, "_nc4_non_coord_", "", 1)]
		if v == nil || e.Hash == "" {
			continue
		}
		raw, err := canonicalVar(v)
		if err != nil {
			var unsupported *UnsupportedError
			if !errors.As(err, &unsupported) || !knownGap(unsupported.Need) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if v.Type.Class == Short && (strings.HasSuffix(name, "i12") || strings.HasSuffix(name, "nbit_i4")) {
			continue // the netCDF library chooses a type by precision, h5py by size
		}
		sum := sha256.Sum256(raw)
		if got := hex.EncodeToString(sum[:])[:24]; got != e.Hash && slices.Equal(v.Shape(), e.Shape) {
			t.Errorf("%s (%s): other elements than h5py reads", name, v.Type.Describe())
		}
	}
}
