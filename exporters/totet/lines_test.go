package totet_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/tgmconv/tgmconv/exporters/totet"
	"github.com/tgmconv/tgmconv/tet"
	"github.com/tgmconv/tgmconv/tgm"
)

// TestLargeObjects writes arrays that are read a few rows at a time, and compares all elements.
func TestLargeObjects(t *testing.T) {
	const rows, columns = 65, 1 << 20
	data := make([]byte, rows*columns)
	for i := range data {
		data[i] = byte(i ^ i>>8 ^ i>>20)
	}
	f := message(t, object{shape: []uint64{1, rows, columns}, dtype: tgm.Uint8, data: data,
		base: map[string]any{"name": "large"}})
	// Of rows, of parts of rows, of parts of several rows.
	for _, chunks := range [][]int64{nil, {1, 1, columns / 4}, {1, 10, columns / 2}} {
		t.Run(fmt.Sprint(chunks), func(t *testing.T) {
			file, report := exported(t, totet.Options{Chunks: chunks, Codec: "raw"}, f)
			if report.Datasets != 1 {
				t.Fatalf("%d datasets, want 1", report.Datasets)
			}
			d, ok := file.Dataset("large")
			if !ok {
				t.Fatal("no dataset large")
			}
			a, err := d.Read(context.Background(), nil, tet.ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(a.Data, data) {
				t.Errorf("%d bytes that are not the %d written", len(a.Data), len(data))
			}
		})
	}
}
