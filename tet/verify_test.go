package tet

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func verified(t testing.TB, b []byte, deep bool) *Report {
	t.Helper()
	r, err := Verify(context.Background(), bytes.NewReader(b), int64(len(b)), VerifyOptions{Path: "a.tet", Deep: deep})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// put writes a little-endian number of n bytes at an offset.
func put(n int, at int, value uint64) func([]byte) []byte {
	return func(b []byte) []byte {
		var le [8]byte
		binary.LittleEndian.PutUint64(le[:], value)
		copy(b[at:at+n], le[:])
		return b
	}
}

func both(edits ...func([]byte) []byte) func([]byte) []byte {
	return func(b []byte) []byte {
		for _, edit := range edits {
			b = edit(b)
		}
		return b
	}
}

func footerOf(json string) func([]byte) []byte {
	return func(b []byte) []byte { return withFooter(b, json, 1) }
}

// Offsets in multichunk_u8.tet: one dataset "a", u8 [2 3] in chunks [2 2].
const (
	u8Record = 40
	u8Shape  = 64
	u8Index  = 96
	u8Row0   = 128
	u8Row1   = 232
	u8Data   = 336
)

// damages are files that trigger each finding, made of multichunk_u8.tet.
var damages = []struct {
	name     string
	edit     func([]byte) []byte
	check    string
	severity string
	detail   string
	opens    bool // a reader opens it all the same
	code     string
}{
	{"empty", func([]byte) []byte { return nil }, "parse", "error", "superblock, at byte 0: the file has 0 bytes", false, "invalid_layout"},
	{"magic", put(1, 0, 'X'), "parse", "error", "expected the magic TETR", false, "invalid_layout"},
	{"layout version", put(4, 4, 2), "parse", "error", "layout version 2 is not supported", false, "invalid_layout"},
	{"index outside", put(8, 24, 1<<63), "parse", "error", "superblock, at byte 16", false, "invalid_layout"},
	{"index elsewhere", put(8, 16, 88), "parse", "error", "expected 96", false, "invalid_layout"},
	{"many datasets", put(4, 8, 1<<32-1), "parse", "error", "4294967295 datasets", false, "invalid_layout"},
	{"one dataset more", put(4, 8, 2), "parse", "error", "dataset directory", false, "invalid_layout"},
	{"long directory", put(8, 32, 1<<40), "parse", "error", "dataset directory", false, "invalid_layout"},
	{"long name", put(4, u8Record, 60000), "parse", "error", "60000 bytes", false, "invalid_layout"},
	{"very long name", put(4, u8Record, 1<<31), "parse", "error", "name of 2147483648 bytes", false, "invalid_layout"},
	{"name not UTF-8", put(1, 56, 0xff), "parse", "error", "not UTF-8", false, "invalid_layout"},
	{"rank 0", put(4, u8Record+8, 0), "parse", "error", "rank 0 is not supported", false, "invalid_layout"},
	{"rank 9", put(4, u8Record+8, 9), "parse", "error", "rank 9 is not supported", false, "invalid_layout"},
	{"rank 1", put(4, u8Record+8, 1), "parse", "error", "dataset directory", false, "invalid_layout"},
	{"index magic", put(1, u8Index, 'X'), "parse", "error", "expected the magic TIDX", false, "invalid_layout"},
	{"index version", put(4, u8Index+4, 2), "parse", "error", "index version 2 is not supported", false, "invalid_layout"},
	{"rows", put(8, u8Index+8, 1<<60), "parse", "error", "1152921504606846976 rows", false, "invalid_layout"},
	{"codec", put(4, u8Row0+96, 2), "parse", "error", "codec 2 is not supported", false, "invalid_layout"},
	{"stored of raw", put(8, u8Row0+88, 3), "parse", "error", "stored_byte_len 3", false, "invalid_layout"},
	{"payload outside", put(8, u8Row1+72, 341), "parse", "error", "payloads end at 342", false, "invalid_layout"},
	{"payload overflow", put(8, u8Row1+72, 1<<64-1), "parse", "error", "payloads end at 342", false, "invalid_layout"},
	{"flag without footer", put(4, 12, 1), "parse", "error", "footer", false, "footer_invalid"},
	{"footer version", func(b []byte) []byte { return withFooter(b, "{}", 3) }, "parse", "error", "history version 3", false, "footer_invalid"},
	{"footer not JSON", footerOf("XX"), "parse", "error", "footer, at byte 342", false, "footer_invalid"},
	{"footer length", both(footerOf("{}"), put(8, 344, 1<<50)), "parse", "error", "bytes of JSON", false, "footer_invalid"},
	{"spill outside", footerOf(`{"history":[],"metadata_ref":{"offset":1,"len":99999}}`), "parse", "error", "a spill of 99999 bytes", false, "footer_invalid"},
	{"spill over payloads", footerOf(`{"history":[],"metadata_ref":{"offset":336,"len":2}}`), "parse", "error", "spills lie from 340", false, "footer_invalid"},
	{"two metadata", footerOf(`{"metadata":{},"metadata_ref":{"offset":342,"len":2}}`), "parse", "error", "both metadata", false, "footer_invalid"},
	{"spill not JSON", footerOf(`XX{"metadata_ref":{"offset":342,"len":2}}`), "parse", "error", "footer", false, "footer_invalid"},
	{"history row", footerOf(`{"history":[["a","b"]]}`), "parse", "error", "expected 3", false, "footer_invalid"},

	{"dataset id", put(8, u8Row1, 1), "chunk_dataset_ids", "error", "chunk 1: dataset 1", false, "bad_dataset_id"},
	{"dtype", put(4, u8Record+4, 11), "dataset_tensor_bytes", "error", "dtype 11", false, ""},
	{"extent 0", put(8, u8Shape, 0), "dataset_tensor_bytes", "error", "at least 1", false, ""},
	{"chunk extent 0", put(8, u8Shape+16, 0), "dataset_tensor_bytes", "error", "at least 1", false, ""},
	{"overflow", both(put(8, u8Shape, 1<<62), put(8, u8Shape+8, 1<<62)), "dataset_tensor_bytes", "error", "2^62", false, ""},
	{"more chunks", put(8, u8Shape+8, 5), "dataset_tensor_bytes", "error", "tile has 4 bytes", false, ""},
	{"fewer chunks", put(8, u8Shape+24, 1), "dataset_tensor_bytes", "error", "tile has 2 bytes", false, ""},
	{"coordinates outside", put(8, u8Row1+16, 2), "dataset_tensor_bytes", "error", "coordinates [0 2]", false, ""},
	{"raw length", both(put(8, u8Row1+80, 1), put(8, u8Row1+88, 1)), "dataset_tensor_bytes", "error", "raw_byte_len 1", false, ""},
	{"same offset", put(8, u8Row1+72, u8Data), "payload_offsets", "error", "begin at byte 336", true, ""},
	{"overlap", put(8, u8Row1+72, u8Data+2), "payload_overlap", "error", "chunk 1 begins at 338", true, "payload_overlap"},
	{"order", func(b []byte) []byte { return put(8, u8Row1+72, 343)(append(b, 0, 0, 0)) }, "payload_order", "warning", "chunk 1", true, ""},
	{"payload in the index", put(8, u8Row0+72, 100), "payload_region", "warning", "chunk 0", true, ""},
	{"flags", put(4, 12, 2), "reserved_fields", "warning", "flags 0x2", true, ""},
	{"reserved of the index", put(2, u8Index+18, 1), "reserved_fields", "warning", "chunk index", true, ""},
	{"reserved of a row", put(4, u8Row0+100, 1), "reserved_fields", "warning", "chunk 0", true, ""},
	{"coordinate of no axis", put(8, u8Row1+24, 5), "reserved_fields", "warning", "chunk 1", true, ""},
	{"no zstd frame", put(4, u8Row0+96, 1), "chunk_decode", "error", "chunk 0", true, "chunk_decode_failed"},
	{"metadata beyond limits", footerOf(`{"metadata":{"datasets":{"a":{"attrs":{"k":""}}}}}`), "footer_metadata", "error", "0 bytes", true, ""},
	{"metadata of nothing", footerOf(`{"metadata":{"datasets":{"b":{}}}}`), "axis_metadata", "warning", "no dataset", true, ""},
	{"names of dimensions", footerOf(`{"metadata":{"datasets":{"a":{"dim_names":["x"]}}}}`), "axis_metadata", "warning", "1 names", true, ""},
	{"labels of no axis", footerOf(`{"metadata":{"datasets":{"a":{"coords":{"q":{"labels":["x"]}}}}}}`), "axis_metadata", "warning", "no axis", true, ""},
	{"labels beyond the axis", footerOf(`{"metadata":{"datasets":{"a":{"coords":{"0":{"labels":["x","y","z"]}}}}}}`), "axis_metadata", "warning", "3 labels", true, ""},
	{"zone maps", func(b []byte) []byte {
		b = withFooter(append(b, "XX"...), `{"history":[],"zone_maps_ref":{"offset":342,"len":2}}`, 2)
		return b
	}, "embedded_indexes", "warning", "zone maps", true, ""},
}

// TestFindings checks that each check finds its damage.
func TestFindings(t *testing.T) {
	for _, test := range damages {
		b := test.edit(fixture(t, "multichunk_u8.tet"))
		checkFinding(t, test.name, b, test.check, test.severity, test.detail, test.code)
		_, err := NewFile(bytes.NewReader(b), int64(len(b)))
		if (err == nil) != test.opens {
			t.Errorf("%s: open: %v", test.name, err)
		}
	}
}

func checkFinding(t *testing.T, name string, b []byte, check, severity, detail, code string) {
	t.Helper()
	r := verified(t, b, false)
	i := slices.IndexFunc(r.Findings, func(f Finding) bool { return f.Check == check && f.Severity == severity })
	if i < 0 {
		t.Errorf("%s: no finding %s: %+v", name, check, r.Findings)
		return
	}
	f := r.Findings[i]
	if !strings.Contains(f.Detail, detail) || f.OK != (severity != SeverityError) || r.OK != f.OK {
		t.Errorf("%s: %+v, report ok %v; expected %q", name, f, r.OK, detail)
	}
	has := slices.ContainsFunc(r.Recommendations, func(rec Recommendation) bool { return rec.Code == code })
	if code != "" && !has || code == "" && len(r.Recommendations) > 0 {
		t.Errorf("%s: recommendations %+v, expected %q", name, r.Recommendations, code)
	}
}

// TestFindingsOfOtherFiles holds the checks that need more than a damaged byte.
func TestFindingsOfOtherFiles(t *testing.T) {
	two := []DatasetSpec{{Name: "a", DType: Uint8, Shape: []int64{1}}, {Name: "b", DType: Uint8, Shape: []int64{1}}}
	b := written(t, WriterOptions{}, two, []byte{1}, []byte{2})
	at := bytes.IndexByte(b, 'b')
	same := slices.Clone(b)
	same[at] = 'a'
	checkFinding(t, "same name", same, "dataset_names", "error", `both named "a"`, "")
	if _, err := NewFile(bytes.NewReader(same), int64(len(same))); err == nil {
		t.Error("opened datasets of one name")
	}
	moved := put(8, len(b)-2-104, 0)(slices.Clone(b)) // the row of b becomes one of a
	checkFinding(t, "rows", moved, "dataset_tensor_bytes", "error", "2 chunk(s), the chunk grid has 1", "")
	square := written(t, WriterOptions{}, []DatasetSpec{{Name: "a", DType: Uint8, Shape: []int64{2, 2}, ChunkShape: []int64{2, 1}}}, []byte{1, 2, 3, 4})
	twice := put(8, u8Row1+16, 0)(square)
	checkFinding(t, "chunk twice", twice, "chunk_coords", "error", "chunk 1", "duplicate_chunk_coords")
	if _, err := NewFile(bytes.NewReader(twice), int64(len(twice))); err == nil {
		t.Error("opened a file with a chunk twice")
	}
	r := verified(t, fixture(t, "large.tet"), false)
	if i := slices.IndexFunc(r.Findings, func(f Finding) bool { return f.Check == "chunk_decode_skipped" }); i < 0 || !r.OK || r.Summary.DeepChunkDecode {
		t.Errorf("large.tet: %+v", r)
	}
	if r := verified(t, fixture(t, "large.tet"), true); !r.OK || !r.Summary.DeepChunkDecode || strings.Contains(r.Findings[6].Check, "skipped") {
		t.Errorf("large.tet, deep: %+v", r)
	}
}

// TestReject checks that files that the reference refuses are refused, by the same check.
func TestReject(t *testing.T) {
	want := map[string]string{
		"chunk_coord_out_of_grid": "dataset_tensor_bytes", "duplicate_payload_offset": "payload_offsets",
		"inflated_stored_past_eof": "parse", "oom_dataset_count": "parse", "overflow_tile_extent": "dataset_tensor_bytes",
		"payload_offset_past_eof": "parse", "raw_stored_len_mismatch": "parse", "truncated_payload": "parse",
		"truncated_tidx": "parse", "zero_chunk_shape": "dataset_tensor_bytes", "zstd_garbage_payload": "chunk_decode",
	}
	files, err := filepath.Glob("../fixtures/tet/reject/*.tet")
	if err != nil || len(files) != len(want) {
		t.Fatalf("%d files, %v; expected %d", len(files), err, len(want))
	}
	for _, path := range files {
		r, err := VerifyFile(context.Background(), path, VerifyOptions{})
		if err != nil || r.OK {
			t.Errorf("%s: %+v, %v", path, r, err)
			continue
		}
		i := slices.IndexFunc(r.Findings, func(f Finding) bool { return !f.OK })
		if name := strings.TrimSuffix(filepath.Base(path), ".tet"); r.Findings[i].Check != want[name] {
			t.Errorf("%s: %+v, expected %s", name, r.Findings[i], want[name])
		}
	}
}

func TestVerifyAccepts(t *testing.T) {
	for _, name := range []string{"sample.tet", "large.tet", "multichunk_u8.tet", "embedded_zone.tet", "recording.tet", "align_pair.tet", "group_by_labels.tet", "tetpy/weather.tet"} {
		r := verified(t, fixture(t, name), true)
		for _, f := range r.Findings {
			if f.Severity != SeverityInfo {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
	if r := verified(t, emptyFile(), false); !r.OK || r.Summary.DatasetCount != 0 {
		t.Errorf("empty file: %+v", r)
	}
}

func TestReportJSON(t *testing.T) {
	b, err := json.Marshal(verified(t, fixture(t, "plan.tet"), false))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"ok":false,"path":"a.tet","file_len":404,"findings":[{"check":"parse","severity":"error","ok":false,"detail":"tet: footer, at byte 360: invalid character 'X' looking for beginning of value"}],` +
		`"recommendations":[{"code":"footer_invalid","message":"The footer is there but cannot be read.","fix":{"summary":"Cut the file after the chunks; history and metadata are lost.","command":"tgmconv tet repair a.tet --apply footer_invalid --dry-run"}}]}`
	if string(b) != want {
		t.Errorf("%s\nexpected\n%s", b, want)
	}
}

func TestRepair(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.tet")
	broken := fixture(t, "plan.tet")
	if err := os.WriteFile(path, broken, 0o666); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	r, err := Repair(ctx, path, []string{FooterInvalid}, true)
	if err != nil || r.Actions[0].Applied || r.VerifyAfterOK != nil {
		t.Errorf("dry run: %+v, %v", r, err)
	}
	if b, _ := os.ReadFile(path); !bytes.Equal(b, broken) {
		t.Error("the dry run changed the file")
	}
	r, err = Repair(ctx, path, []string{"invalid_layout", FooterInvalid}, false)
	if err != nil || r.Actions[0].Applied || !r.Actions[1].Applied || r.VerifyAfterOK == nil || !*r.VerifyAfterOK {
		t.Fatalf("repair: %+v, %v", r, err)
	}
	repaired, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(repaired, written(t, WriterOptions{}, []DatasetSpec{{Name: "a", DType: Float32, Shape: []int64{2, 3}, ChunkShape: []int64{2, 2}}}, counting(Float32, 6, 1))) {
		t.Errorf("the repaired file, %v: % x", err, repaired)
	}
	if r, err = Repair(ctx, path, []string{FooterInvalid}, false); err != nil || r.Actions[0].Applied {
		t.Errorf("repair again: %+v, %v", r, err)
	}
	good := fixture(t, "tetpy/weather.tet")
	if err := os.WriteFile(path, good, 0o666); err != nil {
		t.Fatal(err)
	}
	if r, err = Repair(ctx, path, []string{FooterInvalid}, false); err != nil || r.Actions[0].Applied {
		t.Errorf("repair of a good footer: %+v, %v", r, err)
	}
	if b, _ := os.ReadFile(path); !bytes.Equal(b, good) {
		t.Error("a good footer was cut")
	}
}
