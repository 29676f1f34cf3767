package torefs

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/parquet-go/parquet-go"

	"github.com/tgmconv/tgmconv/exporters/tozarr"
	"github.com/tgmconv/tgmconv/internal/jsontext"
)

// A row is a reference as kerchunk's Parquet files have it: rows are the chunks of an array in C
// order.
type row struct {
	Path   *string `parquet:"path,optional,dict,zstd"`
	Offset int64   `parquet:"offset,plain,zstd"`
	Size   int64   `parquet:"size,plain,zstd"`
	Raw    []byte  `parquet:"raw,optional,plain,zstd"`
}

// recordSize is the number of references in a file.
const recordSize = 100_000

// WriteParquet writes kerchunk's Parquet files to a folder, for fsspec's lazy references:
//
//	.zmetadata             {"metadata": documents by their keys, "record_size": 100000}
//	t/refs.0.parq, …       path, offset, size, raw of 100000 chunks each, if there is one
//
// The name of the folder should end in .parq or .parquet.
func (s *Set) WriteParquet(ctx context.Context, target tozarr.Target) error {
	documents := map[string]any{}
	err := s.documents(func(key string, doc map[string]any) error {
		documents[key] = doc
		return nil
	})
	if err != nil {
		return err
	}
	for _, a := range s.Arrays {
		for n := 0; n*recordSize < len(a.Chunks); n++ {
			chunks := a.Chunks[n*recordSize : min((n+1)*recordSize, len(a.Chunks))]
			if !slices.ContainsFunc(chunks, Chunk.exists) {
				continue // fsspec takes them for absent, and pandas' pyarrow has no absent texts
			}
			data, err := records(chunks)
			if err == nil {
				err = target.Put(ctx, below(a.Path, fmt.Sprintf("refs.%d.parq", n)), data, false)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", a.Path, err)
			}
		}
	}
	text, err := jsontext.Append(nil, map[string]any{"metadata": documents, "record_size": recordSize})
	if err != nil {
		return err
	}
	if err := target.Settle(ctx); err != nil {
		return err
	}
	return target.Put(ctx, ".zmetadata", text, true)
}

// records is a Parquet file of chunks.
func records(chunks []Chunk) ([]byte, error) {
	rows := make([]row, len(chunks))
	for i := range chunks {
		c := &chunks[i]
		rows[i] = row{Offset: c.Offset, Size: c.Length, Raw: c.Data}
		if c.URL != "" {
			rows[i].Path = &c.URL
		}
	}
	var out bytes.Buffer
	w := parquet.NewGenericWriter[row](&out, parquet.DataPageVersion(1)) // fastparquet reads no optional values of version 2
	if _, err := w.Write(rows); err != nil {
		return nil, err
	}
	err := w.Close()
	return out.Bytes(), err
}
