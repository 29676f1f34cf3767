package mapping

import (
	"maps"
	"slices"
)

// Tet is the content of base[i].tet, which describes a dataset of a .tet file.
type Tet struct {
	Attributes map[string]string
	Chunks     []uint64            // shape of the chunks
	Codec      string              // raw or zstd; of most chunks
	Coords     map[string][]string // labels along axes, by name of the dimension or number
	File       map[string]string   // tool, library_version, created_at
	History    []TetEvent
	// Start and Shape are the start of one chunk and the shape of its dataset, nil for a whole
	// dataset.
	Start, Shape []uint64
}

// A TetEvent is a row of the history of a .tet file.
type TetEvent struct {
	Op, Source, At          string
	Parents                 []string
	Params                  map[string]string
	Agent, Activity, Entity Opt[string]
}

// Keys of base[i].tet in addition to the attributes of the dataset.
const (
	tetChunks  = "_chunks"
	tetCodec   = "_codec"
	tetCoords  = "_coords"
	tetFile    = "_file"
	tetHistory = "_history"
	tetStart   = "_start"
	tetShape   = "_shape"
)

var tetKeys = []string{tetChunks, tetCodec, tetCoords, tetFile, tetHistory, tetStart, tetShape}

// Map returns the value of base[i].tet. An attribute with the name of one of the other keys is left
// out.
func (t *Tet) Map() map[string]any {
	m := textMap(t.Attributes)
	m[tetChunks] = t.Chunks
	setText(m, tetCodec, t.Codec)
	if len(t.Coords) > 0 {
		coords := make(map[string]any, len(t.Coords))
		for axis, labels := range t.Coords {
			coords[axis] = labels
		}
		m[tetCoords] = coords
	}
	if len(t.File) > 0 {
		m[tetFile] = textMap(t.File)
	}
	if len(t.History) > 0 {
		history := make([]any, len(t.History))
		for i, e := range t.History {
			history[i] = e.toMap()
		}
		m[tetHistory] = history
	}
	if t.Start != nil {
		m[tetStart], m[tetShape] = t.Start, t.Shape
	}
	return m
}

func (e TetEvent) toMap() map[string]any {
	m := map[string]any{"op": e.Op, "source": e.Source, "at": e.At}
	if len(e.Parents) > 0 {
		m["parents"] = e.Parents
	}
	if len(e.Params) > 0 {
		m["params"] = textMap(e.Params)
	}
	set(m, "agent", e.Agent)
	set(m, "activity", e.Activity)
	set(m, "entity", e.Entity)
	return m
}

func textMap(texts map[string]string) map[string]any {
	m := make(map[string]any, len(texts)+8)
	for key, text := range texts {
		m[key] = text
	}
	return m
}

// texts are the values of m that are texts.
func texts(m map[string]any) map[string]string {
	out := make(map[string]string, len(m))
	for key, v := range m {
		if text, ok := v.(string); ok {
			out[key] = text
		}
	}
	return out
}

// Tet returns the description of a dataset of a .tet file, and false if the entry has none.
func (e Entry) Tet() (*Tet, bool) {
	m := e.Namespace(KeyTet)
	if m == nil {
		return nil, false
	}
	t := &Tet{Attributes: texts(m), File: texts(asMap(m[tetFile]))}
	maps.DeleteFunc(t.Attributes, func(key, _ string) bool { return slices.Contains(tetKeys, key) })
	t.Codec, _ = m[tetCodec].(string)
	t.Chunks, t.Start, t.Shape = counts(m[tetChunks]), counts(m[tetStart]), counts(m[tetShape])
	if coords := asMap(m[tetCoords]); coords != nil {
		t.Coords = make(map[string][]string, len(coords))
		for axis, labels := range coords {
			t.Coords[axis] = Texts(labels)
		}
	}
	for _, v := range asList(m[tetHistory]) {
		t.History = append(t.History, tetEvent(asMap(v)))
	}
	return t, true
}

func tetEvent(m map[string]any) TetEvent {
	row := texts(m)
	e := TetEvent{Op: row["op"], Source: row["source"], At: row["at"], Parents: Texts(m["parents"])}
	if params := asMap(m["params"]); params != nil {
		e.Params = texts(params)
	}
	for key, to := range map[string]*Opt[string]{"agent": &e.Agent, "activity": &e.Activity, "entity": &e.Entity} {
		if text, ok := row[key]; ok {
			*to = Some(text)
		}
	}
	return e
}

// counts are the numbers of a list of numbers that are not negative, else nil.
func counts(v any) []uint64 {
	if list, ok := v.([]uint64); ok {
		return list
	}
	var out []uint64
	for _, x := range asList(v) {
		n, ok := Int(x)
		if !ok || n < 0 {
			return nil
		}
		out = append(out, uint64(n))
	}
	return out
}
