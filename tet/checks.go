package tet

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
)

// checkDatasetIDs checks that every chunk belongs to a dataset.
func (v *verifier) checkDatasetIDs() bool {
	count := uint64(len(v.layout.records))
	err := v.layout.eachRow(func(i uint64, e *Entry) error {
		if e.DatasetID >= count {
			return fmt.Errorf("chunk %d: dataset %d, the file has %d", i, e.DatasetID, count)
		}
		return nil
	})
	if err != nil {
		v.fail("chunk_dataset_ids", "%v", err)
		return false
	}
	v.ok("chunk_dataset_ids", "")
	return true
}

// A tensor is the extent of a dataset according to the index.
type tensor struct {
	rows int64
	err  error // about the first wrong row
}

// checkTensors checks that the chunks of every dataset match its grid.
func (v *verifier) checkTensors() bool {
	tensors := make([]tensor, len(v.layout.records))
	for i, r := range v.layout.records {
		d := &Dataset{Record: r, file: &File{layout: v.layout}, id: i}
		d.grid, tensors[i].err = newGrid(r)
		v.datasets = append(v.datasets, d)
	}
	err := v.layout.eachRow(func(i uint64, e *Entry) error {
		t := &tensors[e.DatasetID]
		t.rows++
		if t.err == nil {
			if _, err := v.datasets[e.DatasetID].grid.locate(e); err != nil {
				t.err = fmt.Errorf("chunk %d: %w", i, err)
			}
		}
		return nil
	})
	if err != nil {
		v.fail("dataset_tensor_bytes", "%v", err)
		return false
	}
	good := true
	for i, t := range tensors {
		d := v.datasets[i]
		switch {
		case t.err != nil:
		case t.rows != d.grid.chunks:
			t.err = fmt.Errorf("%d chunk(s), the chunk grid has %d", t.rows, d.grid.chunks)
		default:
			v.ok("dataset_tensor_bytes", "dataset %d (%q): %d chunk(s), %d B", i, d.Name, t.rows, d.grid.bytes)
			continue
		}
		good = false
		v.fail("dataset_tensor_bytes", "dataset %d (%q): %v", i, d.Name, t.err)
	}
	return good
}

// A span is the payload of a row.
type span struct{ offset, length, row uint64 }

// checkPayloads checks that no chunk has two rows, and that payloads do not overlap.
func (v *verifier) checkPayloads() {
	l := v.layout
	seen := make([][]uint64, len(v.datasets)) // a bit for each chunk
	for i, d := range v.datasets {
		seen[i] = make([]uint64, d.grid.chunks/64+1)
	}
	spans := make([]span, 0, l.head.rows)
	var duplicate error
	early, unordered := int64(-1), int64(-1)
	err := l.eachRow(func(i uint64, e *Entry) error {
		n, err := v.datasets[e.DatasetID].grid.locate(e)
		if err != nil {
			return err
		}
		word, bit := &seen[e.DatasetID][n/64], uint64(1)<<(n%64)
		if *word&bit != 0 && duplicate == nil {
			duplicate = fmt.Errorf("chunk %d: dataset %d has chunk %v before", i, e.DatasetID, v.datasets[e.DatasetID].grid.coords(n))
		}
		*word |= bit
		if n := len(spans); unordered < 0 && n > 0 && spans[n-1].offset+spans[n-1].length != e.PayloadOffset {
			unordered = int64(i)
		}
		if early < 0 && e.PayloadOffset < uint64(l.indexEnd()) {
			early = int64(i)
		}
		spans = append(spans, span{e.PayloadOffset, e.StoredByteLen, i})
		return nil
	})
	if err != nil {
		v.fail("payload_offsets", "%v", err)
		return
	}
	v.checkOverlap(spans)
	if duplicate != nil {
		v.fail("chunk_coords", "%v", duplicate)
	} else {
		v.ok("chunk_coords", "")
	}
	if unordered >= 0 {
		v.warn("payload_order", "the payload of chunk %d does not follow that of the chunk before", unordered)
	}
	if early >= 0 {
		v.warn("payload_region", "the payload of chunk %d begins before the end of the chunk index", early)
	}
}

// checkOverlap checks that no byte belongs to two chunks. The reference checks that no two begin at
// the same byte; the check of other overlaps is ours.
func (v *verifier) checkOverlap(spans []span) {
	slices.SortFunc(spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.offset, b.offset), cmp.Compare(a.row, b.row))
	})
	same, overlap := -1, -1
	for i := 1; i < len(spans); i++ {
		switch a, b := spans[i-1], spans[i]; {
		case a.offset == b.offset:
			if same < 0 {
				same = i
			}
		case a.offset+a.length > b.offset && overlap < 0:
			overlap = i
		}
	}
	if same >= 0 {
		v.fail("payload_offsets", "chunks %d and %d begin at byte %d", spans[same-1].row, spans[same].row, spans[same].offset)
	}
	if overlap >= 0 {
		a, b := spans[overlap-1], spans[overlap]
		v.fail("payload_overlap", "chunk %d lies from %d to %d, chunk %d begins at %d", a.row, a.offset, a.offset+a.length, b.row, b.offset)
	}
}

// checkReserved looks at the fields that should be zero.
func (v *verifier) checkReserved() {
	l := v.layout
	if l.super.Flags&^flagFooter != 0 {
		v.warn("reserved_fields", "superblock: flags %#x, only %#x is known", l.super.Flags, flagFooter)
	}
	if l.head.reserved {
		v.warn("reserved_fields", "chunk index: a reserved field is not zero")
	}
	err := l.eachRow(func(i uint64, e *Entry) error {
		rank := len(l.records[e.DatasetID].Shape)
		if e.reserved != 0 || slices.ContainsFunc(e.ChunkIndex[rank:], func(c uint64) bool { return c != 0 }) {
			v.warn("reserved_fields", "chunk %d: a reserved field or the coordinate of an axis that is not there is not zero", i)
			return errStop
		}
		return nil
	})
	if err != nil && err != errStop {
		v.fail("reserved_fields", "%v", err)
	}
}

// checkNames checks that datasets can be told apart.
func (v *verifier) checkNames() {
	seen := map[string]int{}
	for i, r := range v.layout.records {
		if j, ok := seen[r.Name]; ok {
			v.fail("dataset_names", "datasets %d and %d are both named %q", j, i, r.Name)
		} else if r.Name == "" {
			v.warn("dataset_names", "dataset %d has no name", i)
		}
		seen[r.Name] = i
	}
}

// checkAxes looks at names and labels that do not fit the datasets.
func (v *verifier) checkAxes() {
	datasets := v.layout.foot.metadata.Datasets
	for _, name := range slices.Sorted(maps.Keys(datasets)) {
		m := datasets[name]
		i := slices.IndexFunc(v.layout.records, func(r Record) bool { return r.Name == name })
		if i < 0 {
			v.warn("axis_metadata", "metadata of %q, which is no dataset", name)
			continue
		}
		shape := v.layout.records[i].Shape
		if m.DimNames != nil && len(m.DimNames) != len(shape) {
			v.warn("axis_metadata", "%q: %d names of dimensions, the dataset has %d", name, len(m.DimNames), len(shape))
			continue
		}
		v.checkLabels(name, m, shape)
	}
}

func (v *verifier) checkLabels(name string, m DatasetMetadata, shape []uint64) {
	for _, axis := range slices.Sorted(maps.Keys(m.Coords)) {
		labels := m.Coords[axis].Labels
		i := slices.Index(m.DimNames, axis)
		for n := 0; i < 0 && n < len(shape); n++ {
			if axis == fmt.Sprint(n) {
				i = n
			}
		}
		if i < 0 {
			v.warn("axis_metadata", "%q: labels along %q, which is no axis", name, axis)
		} else if uint64(len(labels)) > shape[i] {
			v.warn("axis_metadata", "%q: %d labels along %q, which has %d positions", name, len(labels), axis, shape[i])
		}
	}
}

// checkSpills checks that zone maps and value indexes are JSON. Their content does not matter
// for reading.
func (v *verifier) checkSpills() {
	for _, s := range []struct {
		what string
		at   *Span
	}{{"zone maps", v.layout.foot.zones}, {"value indexes", v.layout.foot.indexes}} {
		if s.at == nil {
			continue
		}
		dec := json.NewDecoder(v.layout.section(*s.at))
		for {
			_, err := dec.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				v.warn("embedded_indexes", "the %s at byte %d: %v", s.what, s.at.Offset, err)
				break
			}
		}
	}
}
