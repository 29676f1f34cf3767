// Package references reads references to the chunks of Zarr arrays. kerchunk writes them in JSON
// and Parquet, VirtualiZarr in manifests. It opens no other file.
//
// Whoever made the references has chosen the names of the files: to open these is up to the caller,
// who knows which may be read.
package references

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// A Reference says where the value of a key is: in a file, or here.
type Reference struct {
	// Target is the address or the path of the file; empty if the value is Data.
	Target string
	// Offset and Length are the bytes in the file. The Length of a whole file is -1.
	Offset, Length int64
	Data           []byte
}

// maxRange bounds offsets and lengths, so that their sums do not overflow.
const maxRange = 1 << 61

// check returns an error for an invalid reference to a file.
func (r *Reference) check(key string) error {
	switch {
	case r.Target == "":
		return fmt.Errorf("%.80q: no file is named", key)
	case r.Offset < 0 || r.Offset > maxRange || r.Length < -1 || r.Length > maxRange:
		return fmt.Errorf("%.80q: %d bytes from byte %d on", key, r.Length, r.Offset)
	}
	return nil
}

// document1 is kerchunk's JSON of version 1. Version 0 has only the content of Refs.
type document1 struct {
	Version   json.RawMessage   `json:"version"`
	Templates map[string]string `json:"templates"`
	Gen       []generator       `json:"gen"`
	Refs      json.RawMessage   `json:"refs"`
}

// ParseJSON reads kerchunk's JSON:
//
//	{".zgroup": "{…}", "t/.zarray": {…}, "t/0.0": ["file:///data/a.nc", 8192, 51200], "t/0.1": "base64:…"}
//	{"version": 1, "templates": {…}, "gen": [{…}], "refs": {as in version 0}}
func ParseJSON(data []byte) (map[string]Reference, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	var doc document1
	if hasMember(data, "refs", "gen") {
		if err := json.Unmarshal(data, &doc); err != nil {
			return nil, err
		}
		if v := string(doc.Version); v != "" && v != "1" && v != "0" {
			return nil, fmt.Errorf("version is %.80s, expected 0 or 1", v)
		}
	} else {
		doc.Refs = data
	}
	t, err := newTemplates(doc.Templates)
	if err != nil {
		return nil, err
	}
	p := &parser{templates: t, targets: make(map[string]string), found: make(map[string]Reference)}
	if len(doc.Refs) > 0 {
		if err := p.members(doc.Refs); err != nil {
			return nil, err
		}
	}
	for i := range doc.Gen {
		if err := p.generate(&doc.Gen[i]); err != nil {
			return nil, fmt.Errorf("gen[%d]: %w", i, err)
		}
	}
	return p.found, nil
}

// hasMember reports whether an object has a member of one of some names.
func hasMember(data []byte, names ...string) bool {
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return false
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return false
		}
		for _, n := range names {
			if name == n {
				return true
			}
		}
		var skipped json.RawMessage
		if d.Decode(&skipped) != nil {
			return false
		}
	}
	return false
}

// A parser collects references.
type parser struct {
	templates *templates
	targets   map[string]string // each once
	found     map[string]Reference
}

// members reads an object of references by their keys.
func (p *parser) members(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return fmt.Errorf("expected an object of references, found %.40q", data)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		key, _ := name.(string)
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		if err := p.member(key, value); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

// member reads a reference: a text, a document, or a list of a file, an offset and a length.
func (p *parser) member(key string, value json.RawMessage) error {
	var r Reference
	switch value[0] {
	case '"':
		var text string
		if err := json.Unmarshal(value, &text); err != nil {
			return err
		}
		var err error
		if r.Data, err = inline(text); err != nil {
			return fmt.Errorf("%.80q: %w", key, err)
		}
	case '{':
		r.Data = bytes.Clone(value)
	case '[':
		var list []json.RawMessage
		var err error
		if err = json.Unmarshal(value, &list); err != nil {
			return err
		}
		if r, err = p.place(list); err != nil {
			return fmt.Errorf("%.80q: %w", key, err)
		}
		if err := r.check(key); err != nil {
			return err
		}
	default:
		return fmt.Errorf("%.80q: expected a text, an object or a list, found %.40s", key, value)
	}
	p.found[key] = r
	return nil
}

// inline is the value of a text: its bytes, or the bytes that it has in base64.
func inline(text string) ([]byte, error) {
	if coded, ok := strings.CutPrefix(text, "base64:"); ok {
		return base64.StdEncoding.DecodeString(coded)
	}
	return []byte(text), nil
}

// place is a list of a file, and an offset and a length if that is not all of it.
func (p *parser) place(list []json.RawMessage) (Reference, error) {
	r := Reference{Length: -1}
	if len(list) != 1 && len(list) != 3 {
		return r, fmt.Errorf("a list of %d, expected a file, or a file, an offset and a length", len(list))
	}
	var target string
	if err := json.Unmarshal(list[0], &target); err != nil {
		return r, fmt.Errorf("expected the name of a file, found %.40s", list[0])
	}
	var err error
	if target, err = p.templates.render(target, nil); err != nil {
		return r, err
	}
	r.Target = p.once(target)
	for i, part := range list[1:] {
		n, err := strconv.ParseInt(string(part), 10, 64)
		if err != nil {
			return r, fmt.Errorf("expected an offset and a length, found %.40s", part)
		}
		if i == 0 {
			r.Offset = n
		} else {
			r.Length = n
		}
	}
	return r, nil
}

// once is a text, the same one in memory each time.
func (p *parser) once(text string) string {
	if known, ok := p.targets[text]; ok {
		return known
	}
	p.targets[text] = text
	return text
}

// ParseManifest reads the manifest.json of an array: references by the positions of chunks, such as
// "0.1", as VirtualiZarr has them.
func ParseManifest(data []byte) (map[string]Reference, error) {
	var entries map[string]struct {
		Path   string `json:"path"`
		Offset int64  `json:"offset"`
		Length int64  `json:"length"`
	}
	if err := json.Unmarshal(data, &entries); err != nil {
		return nil, err
	}
	found := make(map[string]Reference, len(entries))
	targets := &parser{targets: make(map[string]string)}
	for key, e := range entries {
		r := Reference{Target: targets.once(e.Path), Offset: e.Offset, Length: e.Length}
		if err := r.check(key); err != nil {
			return nil, err
		}
		found[key] = r
	}
	return found, nil
}
