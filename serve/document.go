package serve

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/tgmconv/tgmconv/zarr"
	"github.com/zeebo/xxh3"
)

// A document is the text of a metadata document. It is sent compressed to clients that accept it:
// consolidated metadata shrinks to a fiftieth.
type document struct {
	info zarr.Info
	data []byte

	compressing sync.Mutex
	encoded     map[string][]byte // by content coding
}

func newDocument(data []byte) *document {
	return &document{
		info:    zarr.Info{Size: int64(len(data)), ETag: fmt.Sprintf(`"%016x"`, xxh3.Hash(data))},
		data:    data,
		encoded: make(map[string][]byte),
	}
}

// documentCost counts the compressed forms, which are not made yet, as a tenth of the text.
func documentCost(path string, d *document) int64 {
	return int64(len(path)+len(d.data)+len(d.data)/10) + entryOverhead
}

// Info implements Value.
func (d *document) Info() zarr.Info { return d.info }

// Read implements Value.
func (d *document) Read(_ context.Context, r zarr.Range) (io.ReadCloser, error) {
	return memoryValue(d.data, r)
}

// Close implements Value.
func (d *document) Close() error { return nil }

// smallDocument is a size below which compression saves nothing worth a header.
const smallDocument = 1 << 10

// compressed returns the document in a content coding, gzip or zstd, made once. It returns false for a small
// document or another coding.
func (d *document) compressed(coding string) (data []byte, ok bool) {
	if len(d.data) < smallDocument {
		return nil, false
	}
	d.compressing.Lock()
	defer d.compressing.Unlock()
	if data, ok := d.encoded[coding]; ok {
		return data, true
	}
	switch coding {
	case "gzip":
		var out bytes.Buffer
		w := gzip.NewWriter(&out)
		w.Write(d.data) // a bytes.Buffer never fails
		w.Close()
		data = out.Bytes()
	case "zstd":
		encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
		if err != nil {
			return nil, false
		}
		data = encoder.EncodeAll(d.data, nil)
	default:
		return nil, false
	}
	d.encoded[coding] = data
	return data, true
}
