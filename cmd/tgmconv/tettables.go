package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tgmconv/tgmconv/internal/safetext"
	"github.com/tgmconv/tgmconv/tet"
)

// writeDatasets writes the table of datasets, with what the file says of each below it.
func (v *tetView) writeDatasets() error {
	if m := v.file.Metadata().File; m != nil {
		fmt.Fprintln(v.out, "file metadata:")
		for _, line := range []struct{ key, value string }{{"tool", m.Tool}, {"library_version", m.LibraryVersion}, {"created_at", m.CreatedAt}} {
			if line.value != "" {
				fmt.Fprintf(v.out, "  %s: %s\n", line.key, safetext.Line(line.value))
			}
		}
		fmt.Fprintln(v.out)
	}
	switch {
	case len(v.file.Datasets()) == 0:
		fmt.Fprintln(v.out, "datasets: (empty file)")
		return nil
	case len(v.shown) == 0:
		fmt.Fprintln(v.out, "datasets: (no rows match filter)")
		return nil
	}
	const row = "  %3v  %-20s  %-5s  %-16s  %-12s  %v\n"
	fmt.Fprintf(v.out, "datasets:\n"+row, "id", "name", "dtype", "shape", "chunk_shape", "chunks")
	for i, d := range v.shown {
		fmt.Fprintf(v.out, row, i, fitText(d.Name, 20), d.DType, timesText(d.Shape), timesText(d.ChunkShape), d.NumChunks())
		v.writeMetadata(d)
	}
	return nil
}

// shownLabels is the number of labels along an axis that --metadata shows.
const shownLabels = 12

func (v *tetView) writeMetadata(d *tet.Dataset) {
	const indent = "       "
	m := d.Metadata()
	if len(m.DimNames) > 0 {
		fmt.Fprintf(v.out, "%sdim_names: %s\n", indent, safetext.Line(strings.Join(m.DimNames, ", ")))
	}
	var coords []string
	for _, axis := range slices.Sorted(maps.Keys(m.Coords)) {
		labels := m.Coords[axis].Labels
		if !v.metadata {
			coords = append(coords, fmt.Sprintf("%s(%d labels)", axis, len(labels)))
			continue
		}
		more := ""
		if len(labels) > shownLabels {
			more = fmt.Sprintf(", … (%d labels)", len(labels))
		}
		fmt.Fprintf(v.out, "%scoords: %s: %s%s\n", indent, safetext.Line(axis), safetext.Line(strings.Join(labels[:min(len(labels), shownLabels)], ", ")), more)
	}
	if len(coords) > 0 {
		fmt.Fprintf(v.out, "%scoords: %s\n", indent, safetext.Line(strings.Join(coords, ", ")))
	}
	for _, key := range slices.Sorted(maps.Keys(m.Attrs)) {
		fmt.Fprintf(v.out, "%s%s: %s\n", indent, safetext.Line(key), safetext.Line(m.Attrs[key]))
	}
}

// writeChunks writes the first rows of the chunk index.
func (v *tetView) writeChunks() error {
	total := v.shownChunks()
	if total == 0 {
		fmt.Fprintln(v.out, "chunks: (none)")
		return nil
	}
	fmt.Fprintln(v.out, "chunks:")
	if v.limit > 0 && total > v.limit {
		fmt.Fprintf(v.out, "  (%d of %d; -n 0 shows all)\n", v.limit, total)
	}
	const row = "  %4v  %-12s  %-8s  %10v  %10v  %5v  %v\n"
	fmt.Fprintf(v.out, row, "#", "dataset", "coords", "raw", "stored", "codec", "offset")
	n := int64(0)
	for e, err := range v.entries() {
		if err != nil {
			return err
		}
		if v.limit > 0 && n == v.limit {
			break
		}
		d := v.shown[e.DatasetID]
		coords := make([]string, len(d.Shape))
		for i := range coords {
			coords[i] = fmt.Sprint(e.ChunkIndex[i])
		}
		_, err := fmt.Fprintf(v.out, row, n, fitText(d.Name, 12), strings.Join(coords, ","), e.RawByteLen, e.StoredByteLen, e.Codec, e.PayloadOffset)
		if err != nil {
			return written(err)
		}
		n++
	}
	return nil
}

// entries are the rows of the chunk index of the shown datasets, which are counted anew.
func (v *tetView) entries() func(func(tet.Entry, error) bool) {
	return func(yield func(tet.Entry, error) bool) {
		for e, err := range v.file.Entries() {
			id, ok := v.ids[e.DatasetID]
			if e.DatasetID = uint64(id); err == nil && !ok {
				continue
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

func timesText(shape []uint64) string {
	texts := make([]string, len(shape))
	for i, n := range shape {
		texts[i] = fmt.Sprint(n)
	}
	return strings.Join(texts, "×")
}

// fitText shortens a text to a column.
func fitText(text string, width int) string {
	if text = safetext.Line(text); utf8.RuneCountInString(text) > width {
		return string([]rune(text)[:width-1]) + "…"
	}
	return text
}

// writeJSON writes everything. Chunks are not held in memory: there may be millions.
func (v *tetView) writeJSON() error {
	var filter any
	if text := v.filter.String(); text != "" {
		filter = text
	}
	fmt.Fprint(v.out, "{\n")
	if err := v.fields("  ", jsonField{"file_len", v.file.Size()}, jsonField{"filter", filter}, jsonField{"path", v.name}); err != nil {
		return err
	}
	fmt.Fprint(v.out, ",\n  \"summary\": {\n    \"chunks\": [")
	separator := "\n      "
	for e, err := range v.entries() {
		if err != nil {
			return err
		}
		text, err := jsonText(e)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprint(v.out, separator, text); err != nil {
			return written(err)
		}
		separator = ",\n      "
	}
	fmt.Fprint(v.out, "\n    ],\n")
	if err := v.fields("    ", v.summary()...); err != nil {
		return err
	}
	_, err := fmt.Fprint(v.out, "\n  }\n}\n")
	return written(err)
}

// summary is what is in the file beside the chunks.
func (v *tetView) summary() []jsonField {
	records := []tet.Record{}
	metadata := tet.Metadata{File: v.file.Metadata().File, Datasets: map[string]tet.DatasetMetadata{}}
	for _, d := range v.shown {
		records = append(records, d.Record)
		if m, ok := v.file.Metadata().Datasets[d.Name]; ok {
			metadata.Datasets[d.Name] = m
		}
	}
	return []jsonField{
		{"datasets", records}, {"file_execution", v.file.Execution()}, {"history", append([]tet.Event{}, v.file.History()...)},
		{"metadata", metadata}, {"superblock", v.file.Superblock()},
	}
}

// fields writes keys with their values, a line each.
func (v *tetView) fields(indent string, fields ...jsonField) error {
	for i, f := range fields {
		text, err := jsonText(f.value)
		if err != nil {
			return err
		}
		if i > 0 {
			fmt.Fprint(v.out, ",\n")
		}
		fmt.Fprintf(v.out, "%s%q: %s", indent, f.key, text)
	}
	return nil
}
