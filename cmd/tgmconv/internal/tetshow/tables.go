package tetshow

import (
	"bufio"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tgmconv/tgmconv/internal/safetext"
	"github.com/tgmconv/tgmconv/tet"
)

// writeDatasets writes the table of datasets, each followed by its metadata.
func (v *View) writeDatasets(out *bufio.Writer) error {
	if m := v.file.Metadata().File; m != nil {
		fmt.Fprintln(out, "file metadata:")
		for _, line := range []struct{ key, value string }{{"tool", m.Tool}, {"library_version", m.LibraryVersion}, {"created_at", m.CreatedAt}} {
			if line.value != "" {
				fmt.Fprintf(out, "  %s: %s\n", line.key, safetext.Line(line.value))
			}
		}
		fmt.Fprintln(out)
	}
	switch {
	case len(v.file.Datasets()) == 0:
		fmt.Fprintln(out, "datasets: (empty file)")
		return nil
	case len(v.shown) == 0:
		fmt.Fprintln(out, "datasets: (no rows match filter)")
		return nil
	}
	const row = "  %3v  %-20s  %-5s  %-16s  %-12s  %v\n"
	fmt.Fprintf(out, "datasets:\n"+row, "id", "name", "dtype", "shape", "chunk_shape", "chunks")
	for i, d := range v.shown {
		fmt.Fprintf(out, row, i, fitText(d.Name, 20), d.DType, timesText(d.Shape), timesText(d.ChunkShape), d.NumChunks())
		v.writeMetadata(out, d)
	}
	return nil
}

// shownLabels is the number of labels along an axis that --metadata shows.
const shownLabels = 12

func (v *View) writeMetadata(out *bufio.Writer, d *tet.Dataset) {
	const indent = "       "
	m := d.Metadata()
	if len(m.DimNames) > 0 {
		fmt.Fprintf(out, "%sdim_names: %s\n", indent, safetext.Line(strings.Join(m.DimNames, ", ")))
	}
	var coords []string
	for _, axis := range slices.Sorted(maps.Keys(m.Coords)) {
		labels := m.Coords[axis].Labels
		if !v.opts.Labels {
			coords = append(coords, fmt.Sprintf("%s(%d labels)", axis, len(labels)))
			continue
		}
		more := ""
		if len(labels) > shownLabels {
			more = fmt.Sprintf(", … (%d labels)", len(labels))
		}
		fmt.Fprintf(out, "%scoords: %s: %s%s\n", indent, safetext.Line(axis), safetext.Line(strings.Join(labels[:min(len(labels), shownLabels)], ", ")), more)
	}
	if len(coords) > 0 {
		fmt.Fprintf(out, "%scoords: %s\n", indent, safetext.Line(strings.Join(coords, ", ")))
	}
	for _, key := range slices.Sorted(maps.Keys(m.Attrs)) {
		fmt.Fprintf(out, "%s%s: %s\n", indent, safetext.Line(key), safetext.Line(m.Attrs[key]))
	}
}

// writeChunks writes the first rows of the chunk index.
func (v *View) writeChunks(out *bufio.Writer) error {
	total := v.shownChunks()
	if total == 0 {
		fmt.Fprintln(out, "chunks: (none)")
		return nil
	}
	fmt.Fprintln(out, "chunks:")
	if v.opts.Chunks > 0 && total > v.opts.Chunks {
		fmt.Fprintf(out, "  (%d of %d; -n 0 shows all)\n", v.opts.Chunks, total)
	}
	const row = "  %4v  %-12s  %-8s  %10v  %10v  %5v  %v\n"
	fmt.Fprintf(out, row, "#", "dataset", "coords", "raw", "stored", "codec", "offset")
	n := int64(0)
	for e, err := range v.entries() {
		if err != nil {
			return err
		}
		if v.opts.Chunks > 0 && n == v.opts.Chunks {
			break
		}
		d := v.shown[e.DatasetID]
		coords := make([]string, len(d.Shape))
		for i := range coords {
			coords[i] = fmt.Sprint(e.ChunkIndex[i])
		}
		_, err := fmt.Fprintf(out, row, n, fitText(d.Name, 12), strings.Join(coords, ","), e.RawByteLen, e.StoredByteLen, e.Codec, e.PayloadOffset)
		if err != nil {
			return err
		}
		n++
	}
	return nil
}

// entries are the rows of the chunk index of the shown datasets, which are counted anew.
func (v *View) entries() func(func(tet.Entry, error) bool) {
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

// JSON writes everything. It does not hold the list of chunks in memory, as there may be millions.
func (v *View) JSON(out *bufio.Writer) error {
	var filter any
	if text := v.opts.Filter.String(); text != "" {
		filter = text
	}
	fmt.Fprint(out, "{\n")
	if err := writeFields(out, "  ", field{"file_len", v.file.Size()}, field{"filter", filter}, field{"path", v.opts.Name}); err != nil {
		return err
	}
	fmt.Fprint(out, ",\n  \"summary\": {\n    \"chunks\": [")
	separator := "\n      "
	for e, err := range v.entries() {
		if err != nil {
			return err
		}
		text, err := jsonText(e)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprint(out, separator, text); err != nil {
			return err
		}
		separator = ",\n      "
	}
	fmt.Fprint(out, "\n    ],\n")
	if err := writeFields(out, "    ", v.summary()...); err != nil {
		return err
	}
	_, err := fmt.Fprint(out, "\n  }\n}\n")
	return err
}

// summary is the content of the file beside the chunks.
func (v *View) summary() []field {
	records := []tet.Record{}
	metadata := tet.Metadata{File: v.file.Metadata().File, Datasets: map[string]tet.DatasetMetadata{}}
	for _, d := range v.shown {
		records = append(records, d.Record)
		if m, ok := v.file.Metadata().Datasets[d.Name]; ok {
			metadata.Datasets[d.Name] = m
		}
	}
	return []field{
		{"datasets", records}, {"file_execution", v.file.Execution()}, {"history", append([]tet.Event{}, v.file.History()...)},
		{"metadata", metadata}, {"superblock", v.file.Superblock()},
	}
}
