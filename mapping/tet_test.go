package mapping

import (
	"reflect"
	"testing"
)

func fullTet() *Tet {
	return &Tet{
		Attributes: map[string]string{"units": "K", "_FillValue": "-9"}, Chunks: []uint64{1, 2}, Codec: "zstd",
		Coords: map[string][]string{"lat": {"60", "50"}}, File: map[string]string{"tool": "tet-py"},
		History: []TetEvent{
			{Op: "convert", Source: "nc", At: "0", Parents: []string{"p"}, Params: map[string]string{"a": "b"}, Agent: Some("me")},
			{Op: "query", Source: "a", At: "1"},
		},
		Start: []uint64{0, 2}, Shape: []uint64{2, 4},
	}
}

func TestTetRoundTrip(t *testing.T) {
	for _, want := range []*Tet{fullTet(), {Attributes: map[string]string{}, Chunks: []uint64{3}, Codec: "raw", File: map[string]string{}}} {
		got, ok := Read(map[string]any{KeyTet: want.Map()}).Tet()
		if !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("read %+v, %v\nexpected %+v", got, ok, want)
		}
	}
	if _, ok := Read(map[string]any{}).Tet(); ok {
		t.Error("an entry without a map is a dataset")
	}
	// As a message gives it back: lists of any type.
	got, _ := Read(map[string]any{KeyTet: map[string]any{tetChunks: []any{int64(1), uint64(2)}, "n": int64(3)}}).Tet()
	if !reflect.DeepEqual(got.Chunks, []uint64{1, 2}) || len(got.Attributes) != 0 {
		t.Errorf("%+v", got)
	}
	got, _ = Read(map[string]any{KeyTet: map[string]any{tetChunks: []any{int64(-1)}}}).Tet()
	if got.Chunks != nil {
		t.Errorf("negative extents are %v", got.Chunks)
	}
}
