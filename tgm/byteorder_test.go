package tgm

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"
)

// A descriptor without byte_order is read as little-endian, as its writer meant it, with a
// warning.
func TestMissingByteOrder(t *testing.T) {
	descriptor, err := modes.encode.Marshal(map[string]any{
		"type": "ntensor", "ndim": 1, "shape": []int{1}, "strides": []int{1}, "dtype": "float64",
		"encoding": "none", "filter": "none", "compression": "none",
	})
	if err != nil {
		t.Fatal(err)
	}
	payload := binary.LittleEndian.AppendUint64(nil, math.Float64bits(1.5))
	b := newCraft(0x81).meta(1, map[string]any{"base": []any{}}).data(payload, descriptor, true).done(false)
	m, err := open(t, b).Message(0)
	if err != nil {
		t.Fatal(err)
	}
	if got := values(t, m); len(got) != 1 || got[0] != 1.5 {
		t.Errorf("values %v, want 1.5", got)
	}
	report, err := Validate(bytes.NewReader(b), int64(len(b)), LevelDefault, ValidateOptions{})
	if err != nil || !report.OK() {
		t.Fatalf("report %+v, error %v", report, err)
	}
	found := false
	for _, issue := range report.Reports[0].Issues {
		found = found || issue.Code == "byte_order_missing" && issue.Severity == SeverityWarning
	}
	if !found {
		t.Errorf("no warning in %+v", report.Reports[0].Issues)
	}
}
