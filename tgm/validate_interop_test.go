//go:build interop

package tgm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// issuesReport is the output of tgm/validate.py for a message at one level.
type issuesReport struct {
	Error        string      `json:"error"`
	Issues       [][2]string `json:"issues"`
	HashVerified bool        `json:"hash_verified"`
	Objects      int         `json:"objects"`
}

func (r *issuesReport) failed() bool {
	return slices.ContainsFunc(r.Issues, func(i [2]string) bool { return i[0] == SeverityError })
}

// codes returns the distinct codes of a severity, sorted.
func codes(issues [][2]string, severity string) string {
	var out []string
	for _, i := range issues {
		if i[0] == severity && !slices.Contains(out, i[1]) {
			out = append(out, i[1])
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// TestValidateLikeReference damages messages in every byte and compares our findings with the
// reference's.
func TestValidateLikeReference(t *testing.T) {
	folder := t.TempDir()
	mutants := map[string][]byte{}
	for name, message := range victims(t) {
		mutants[name] = message
		for i := range message {
			for _, flip := range []byte{0x01, 0x80, 0xFF} {
				b := bytes.Clone(message)
				b[i] ^= flip
				mutants[fmt.Sprintf("%s-%04d-%02x", name, i, flip)] = b
			}
		}
		for n := 0; n < len(message); n += 7 {
			mutants[fmt.Sprintf("%s-cut-%04d", name, n)] = message[:n]
		}
	}
	for name, b := range mutants {
		if err := os.WriteFile(filepath.Join(folder, name+".tgm"), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	python(t, "0.24.0", "tgm/validate.py", folder)
	differ := map[string][]string{}
	for name, b := range mutants {
		text, err := os.ReadFile(filepath.Join(folder, name+".issues.json"))
		if err != nil {
			t.Fatal(err)
		}
		var theirs map[string]*issuesReport
		if err := json.Unmarshal(text, &theirs); err != nil {
			t.Fatal(err)
		}
		for levelName, level := range map[string]Level{"quick": LevelQuick, "default": LevelDefault, "full": LevelFull, "checksum": LevelChecksum} {
			want := theirs[levelName]
			report, err := ValidateMessage(bytes.NewReader(b), int64(len(b)), level, ValidateOptions{})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			var got issuesReport
			for _, i := range report.Issues {
				got.Issues = append(got.Issues, [2]string{i.Severity, i.Code})
			}
			if want.Error == "" && got.failed() == want.failed() || explained(&got, want) {
				continue
			}
			key := fmt.Sprintf("%s: ours [%s], theirs [%s] %s", levelName, codes(got.Issues, SeverityError), codes(want.Issues, SeverityError), want.Error)
			differ[key] = append(differ[key], name)
		}
	}
	for key, names := range differ {
		slices.Sort(names)
		t.Errorf("%s: %d, such as %s", key, len(names), names[0])
	}
	t.Logf("%d messages", len(mutants))
}

// explained reports whether a difference is wanted. We accept hashes without the frame flag that
// releases before 0.21 did not write. We object to lengths that contradict each other where the
// reference does not look at them, to frames other than data frames that do not have their hash,
// and to metadata frames that the preamble does not promise or that come twice.
func explained(ours, theirs *issuesReport) bool {
	if ours.failed() {
		for _, code := range strings.Fields(codes(ours.Issues, SeverityError)) {
			if !slices.Contains([]string{"postamble_invalid", "index_offset_mismatch", "decode_pipeline_failed", "hash_frame_cbor_parse_failed", "metadata_cbor_parse_failed", "hash_mismatch", "flag_mismatch", "frame_order_violation"}, code) {
				return false
			}
		}
		return true
	}
	return codes(theirs.Issues, SeverityError) == "hash_verification_error"
}

func victims(t *testing.T) map[string][]byte {
	t.Helper()
	out := map[string][]byte{
		"simple": fixture(t, "v0.20/simple_f32.tgm"),
		"multi":  fixture(t, "v0.20/multi_object.tgm"),
		"stream": fixture(t, "scan/ten-msg-footer.tgm")[:656],
	}
	var packed bytes.Buffer
	w := NewMessageWriter(&packed, WriterOptions{})
	data := sampleData(Float64, 300)
	for _, p := range []Pipeline{
		{Encoding: "simple_packing", Compression: "szip"},
		{Filter: "shuffle", Compression: "zstd"},
		{Compression: "lz4", AllowNaN: true, AllowInf: true, Masks: MaskOptions{SmallThreshold: -1}},
	} {
		if p.AllowNaN {
			data = withHoles(Float64, data)
		}
		o, err := EncodeArray(Array{Shape: []uint64{300}, DType: Float64, Data: data[:8*100]}, Pipeline{
			Encoding: p.Encoding, Filter: p.Filter, Compression: p.Compression, AllowNaN: p.AllowNaN, AllowInf: p.AllowInf, Masks: p.Masks})
		if err != nil {
			o, err = EncodeArray(Array{Shape: []uint64{100}, DType: Float64, Data: data[:8*100]}, p)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Append(o, map[string]any{"name": "x"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	out["packed"] = packed.Bytes()
	return out
}
