package tet

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// Metadata is the metadata of a file and of its datasets.
type Metadata struct {
	File     *FileMetadata              `json:"file,omitempty"`
	Datasets map[string]DatasetMetadata `json:"datasets,omitempty"`
}

// FileMetadata is the provenance of a file.
type FileMetadata struct {
	Tool           string `json:"tool,omitempty"`
	LibraryVersion string `json:"library_version,omitempty"`
	CreatedAt      string `json:"created_at,omitempty"` // Unix seconds
}

// DatasetMetadata holds the attributes of a dataset, the names of its dimensions, and the labels
// of positions along them.
type DatasetMetadata struct {
	Attrs    map[string]string    `json:"attrs,omitempty"`
	DimNames []string             `json:"dim_names,omitempty"`
	Coords   map[string]CoordAxis `json:"coords,omitempty"` // by dimension name, or by "0", "1" ...
}

// CoordAxis holds the labels of an axis, beginning with the label of index 0.
type CoordAxis struct {
	Labels []string `json:"labels"`
}

// IsZero reports whether there is no metadata.
func (m Metadata) IsZero() bool { return m.File == nil && len(m.Datasets) == 0 }

// An Event is a row of the history of a file.
type Event struct {
	Op       string            `json:"op"`
	Source   string            `json:"source"`
	At       string            `json:"at"` // Unix seconds
	Parents  []string          `json:"parents,omitempty"`
	Params   map[string]string `json:"params,omitempty"`
	Agent    *string           `json:"agent,omitempty"`
	Activity *string           `json:"activity,omitempty"`
	Entity   *string           `json:"entity,omitempty"`
}

// UnmarshalJSON reads the object that writers emit, or the array of three strings that Tetration
// 0.1 wrote.
func (e *Event) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '[' {
		var row []string
		if err := json.Unmarshal(b, &row); err != nil {
			return err
		}
		if len(row) != 3 {
			return fmt.Errorf("history row of %d strings, expected 3", len(row))
		}
		*e = Event{Op: row[0], Source: row[1], At: row[2]}
		return nil
	}
	type plain Event // without this method
	row := struct {
		Op     *string `json:"op"`
		Source *string `json:"source"`
		At     *string `json:"at"`
		*plain
	}{plain: (*plain)(e)}
	if err := json.Unmarshal(b, &row); err != nil {
		return err
	}
	if row.Op == nil || row.Source == nil || row.At == nil {
		return fmt.Errorf("history row %s: expected op, source and at", b)
	}
	e.Op, e.Source, e.At = *row.Op, *row.Source, *row.At
	return nil
}

// Limits of footers, as the reference has them.
const (
	maxFooterJSON    = 65536
	maxMetadataSpill = 16 << 20
	maxMetaDatasets  = 256
	maxAttrs         = 64
	maxString        = 1024
	maxCoordAxes     = 8
	maxLabels        = 64
	maxEvents        = 4096
	maxParents       = 16
	maxParams        = 32
)

// A limits collects the first thing that exceeds a limit.
type limits struct{ err error }

func (l *limits) count(what string, n, limit int) {
	if l.err == nil && n > limit {
		l.err = fmt.Errorf("%s: %d, at most %d are allowed", what, n, limit)
	}
}

func (l *limits) text(what, s string) {
	if l.err == nil && (len(s) == 0 || len(s) > maxString) {
		l.err = fmt.Errorf("%s: a string of %d bytes, 1 to %d are allowed", what, len(s), maxString)
	}
}

func (l *limits) optional(what, s string) {
	if s != "" {
		l.text(what, s)
	}
}

// check holds the limits of the reference.
func (m Metadata) check() error {
	var l limits
	l.count("metadata.datasets", len(m.Datasets), maxMetaDatasets)
	if f := m.File; f != nil {
		l.optional("metadata.file.tool", f.Tool)
		l.optional("metadata.file.library_version", f.LibraryVersion)
		l.optional("metadata.file.created_at", f.CreatedAt)
	}
	for _, name := range slices.Sorted(maps.Keys(m.Datasets)) {
		l.text("metadata.datasets: name", name)
		m.Datasets[name].check(&l, fmt.Sprintf("metadata.datasets[%q]", name))
	}
	return l.err
}

func (d DatasetMetadata) check(l *limits, where string) {
	l.count(where+".attrs", len(d.Attrs), maxAttrs)
	for _, key := range slices.Sorted(maps.Keys(d.Attrs)) {
		l.text(where+".attrs: name", key)
		l.text(fmt.Sprintf("%s.attrs[%q]", where, key), d.Attrs[key])
	}
	l.count(where+".dim_names", len(d.DimNames), MaxRank)
	for _, name := range d.DimNames {
		l.text(where+".dim_names", name)
	}
	l.count(where+".coords", len(d.Coords), maxCoordAxes)
	for _, axis := range slices.Sorted(maps.Keys(d.Coords)) {
		l.text(where+".coords: name", axis)
		at := fmt.Sprintf("%s.coords[%q].labels", where, axis)
		l.count(at, len(d.Coords[axis].Labels), maxLabels)
		for _, label := range d.Coords[axis].Labels {
			l.text(at, label)
		}
	}
}

// checkHistory holds the limits of the reference.
func checkHistory(events []Event) error {
	var l limits
	l.count("history", len(events), maxEvents)
	for i, e := range events {
		at := fmt.Sprintf("history[%d]", i)
		l.text(at+".op", e.Op)
		l.text(at+".source", e.Source)
		l.text(at+".at", e.At)
		l.count(at+".parents", len(e.Parents), maxParents)
		for _, parent := range e.Parents {
			l.text(at+".parents", parent)
		}
		l.count(at+".params", len(e.Params), maxParams)
		for _, key := range slices.Sorted(maps.Keys(e.Params)) {
			l.text(at+".params: name", key)
			l.text(at+".params", e.Params[key])
		}
	}
	return l.err
}
