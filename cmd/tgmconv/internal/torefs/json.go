package torefs

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/tgmconv/tgmconv/exporters/tozarr"
	"github.com/tgmconv/tgmconv/internal/jsontext"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/zarr"
)

// WriteJSON writes kerchunk's JSON, version 1: documents as texts, chunks as [URL, offset, length]
// or base64.
//
//	{"version":1,"refs":{".zgroup":"{…}","t/.zarray":"{…}","t/0.0":["file:///data/a.nc",8192,51200]}}
//
// Where there are groups, ".zmetadata" has all documents once more.
func (s *Set) WriteJSON(out io.Writer) error {
	w := bufio.NewWriterSize(out, 1<<20)
	io.WriteString(w, `{"version":1,"refs":{`)
	comma := ""
	member := func(key string, value any) error {
		text, err := jsontext.Append([]byte(comma), key)
		if err == nil {
			text, err = jsontext.Append(append(text, ':'), value)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		comma = ",\n"
		_, err = w.Write(text)
		return err
	}
	document := func(key string, doc map[string]any) error {
		text, err := jsontext.Append(nil, doc)
		if err != nil {
			return err
		}
		return member(key, string(text))
	}
	all := make(map[string]any)
	err := s.documents(func(key string, doc map[string]any) error {
		all[key] = doc
		return document(key, doc)
	})
	if err == nil && len(s.Groups) > 1 { // zarr-python lists no groups of references
		err = document(".zmetadata", map[string]any{"zarr_consolidated_format": int64(1), "metadata": all})
	}
	if err != nil {
		return err
	}
	for _, a := range s.Arrays {
		n := 0
		for index := range nd.Positions(a.Document.Grid()) {
			c := &a.Chunks[n]
			n++
			key := below(a.Path, keys.Key(index))
			switch {
			case c.URL != "":
				err = member(key, []any{c.URL, c.Offset, c.Length})
			case c.Data != nil:
				err = member(key, base64Text(c.Data))
			}
			if err != nil {
				return err
			}
		}
	}
	io.WriteString(w, "}}\n")
	return w.Flush()
}

// WriteManifests writes a Zarr v3 hierarchy to a folder: its documents, and, next to the document
// of each array, manifest.json, the chunk manifest of VirtualiZarr, with keys such as "0.1".
// Elements that are copied are written as chunks.
//
//	{"0.0":{"path":"file:///data/a.nc","offset":8192,"length":51200}}
func (s *Set) WriteManifests(ctx context.Context, target tozarr.Target) error {
	for _, a := range s.Arrays {
		entries := map[string]any{}
		n := 0
		for index := range nd.Positions(a.Document.Grid()) {
			c := &a.Chunks[n]
			n++
			switch {
			case c.URL != "":
				entry, err := manifestEntry(c)
				if err != nil {
					return err
				}
				entries[keys.Key(index)] = entry
			case c.Data != nil:
				if err := target.Put(ctx, below(a.Path, a.Document.ChunkKeys.Key(index)), c.Data, false); err != nil {
					return err
				}
			}
		}
		if len(entries) > 0 {
			text, err := jsontext.Append(nil, entries)
			if err == nil {
				err = target.Put(ctx, below(a.Path, "manifest.json"), text, false)
			}
			if err != nil {
				return err
			}
		}
	}
	return tozarr.PutDocuments(ctx, target, s.nodes())
}

// manifestEntry has its members in the order in which VirtualiZarr takes them.
func manifestEntry(c *Chunk) (json.RawMessage, error) {
	return json.Marshal(struct {
		Path   string `json:"path"`
		Offset int64  `json:"offset"`
		Length int64  `json:"length"`
	}{c.URL, c.Offset, c.Length})
}

// nodes are the groups and arrays by their paths.
func (s *Set) nodes() map[string]serve.Node {
	nodes := make(map[string]serve.Node)
	for _, g := range s.Groups {
		nodes[g.Path] = serve.Node{Group: &zarr.GroupMetadata{Attributes: g.Attributes}}
	}
	for _, a := range s.Arrays {
		doc := *a.Document
		doc.Attributes = attributes(a.Document)
		if doc.FillValue == nil {
			doc.FillValue = doc.DataType.DefaultFill()
		}
		nodes[a.Path] = serve.Node{Array: &doc}
	}
	return nodes
}
