package conformance

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/tgm"
)

// inputs are the pipelines, and values of each type.
//
//go:embed pipelines.json values
var inputs embed.FS

// pipeline is an entry of pipelines.json. Parameters have the names they have in descriptors.
type pipeline struct {
	Name        string         `json:"name"`
	Encoding    string         `json:"encoding"`
	Filter      string         `json:"filter"`
	Compression string         `json:"compression"`
	Params      map[string]any `json:"params"`
	Lossy       bool           `json:"lossy"` // what must come out is what its writer decodes
}

func pipelines() ([]pipeline, error) {
	b, err := inputs.ReadFile("pipelines.json")
	if err != nil {
		return nil, err
	}
	var list []pipeline
	decoder := json.NewDecoder(bytes.NewReader(b))
	decoder.UseNumber()
	if err := decoder.Decode(&list); err != nil {
		return nil, err
	}
	for _, p := range list {
		for key, v := range p.Params {
			if n, ok := v.(json.Number); ok {
				if p.Params[key], err = number(n); err != nil {
					return nil, err
				}
			}
		}
	}
	return list, nil
}

func number(n json.Number) (any, error) {
	if strings.Contains(n.String(), ".") {
		return n.Float64()
	}
	return n.Int64()
}

var (
	shape   = []uint64{10, 26}
	layouts = []string{"buffered", "streamed"}
)

// Make writes the suite to a folder with the package tgm. Combinations that it refuses are left
// out.
func Make(folder string) ([]Case, error) {
	list, err := pipelines()
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"files", "values"} {
		if err := os.MkdirAll(filepath.Join(folder, name), 0o777); err != nil {
			return nil, err
		}
	}
	w := &maker{folder: folder}
	for _, p := range list {
		for d := tgm.Float16; d <= tgm.Bitmask; d++ {
			for _, mask := range append([]string{""}, tgm.StageNames(tgm.MaskStage)...) {
				if err := w.each(p, d, mask); err != nil {
					return nil, fmt.Errorf("%s of %s: %w", p.Name, d, err)
				}
			}
		}
	}
	return w.cases, w.manifest()
}

type maker struct {
	folder string
	number int
	cases  []Case
}

// each writes the files of both byte orders and layouts.
func (w *maker) each(p pipeline, d tgm.DType, mask string) error {
	name := path.Join("values", d.String()+".bin")
	if mask != "" {
		name = path.Join("values", d.String()+"-holes.bin")
	}
	data, err := inputs.ReadFile(name)
	if err != nil {
		return nil // a type without values that are not finite
	}
	if err := w.write(name, data); err != nil {
		return err
	}
	for _, order := range []tgm.ByteOrder{tgm.LittleEndian, tgm.BigEndian} {
		object, err := encode(p, d, mask, order, slices.Clone(data))
		if err != nil {
			continue // the stages do not take the type
		}
		for _, layout := range layouts {
			c := Case{
				File: fmt.Sprintf("files/%05d.tgm", w.number), Values: name, Writer: "tgmconv", Pipeline: p.Name,
				DType: d.String(), Shape: shape, Mask: mask, ByteOrder: order.String(), Layout: layout,
			}
			if err := w.file(c, object, p.Lossy); err != nil {
				return err
			}
			w.number++
		}
	}
	return nil
}

func encode(p pipeline, d tgm.DType, mask string, order tgm.ByteOrder, data []byte) (*tgm.EncodedObject, error) {
	if order == tgm.BigEndian {
		swap(data, d.Component())
	}
	options := tgm.Pipeline{Encoding: p.Encoding, Filter: p.Filter, Compression: p.Compression, Params: p.Params}
	if mask != "" {
		options.AllowNaN, options.AllowInf = true, true
		options.Masks = tgm.MaskOptions{NaN: mask, PosInf: mask, NegInf: mask, SmallThreshold: -1}
	}
	return tgm.EncodeArray(tgm.Array{Shape: shape, DType: d, ByteOrder: order, Data: data}, options)
}

// swap reverses the bytes of each component.
func swap(data []byte, component int) {
	for ; component > 1 && len(data) >= component; data = data[component:] {
		slices.Reverse(data[:component])
	}
}

// file writes the message of a case.
func (w *maker) file(c Case, object *tgm.EncodedObject, lossy bool) error {
	var b bytes.Buffer
	var err error
	base := map[string]any{"name": "x"}
	if c.Layout == "streamed" {
		// An io.Writer without Seek: the message is not completed afterwards.
		s := tgm.NewStreamWriter(struct{ *bytes.Buffer }{&b}, tgm.WriterOptions{})
		if err = s.Append(object, base); err == nil {
			err = s.Close()
		}
	} else {
		m := tgm.NewMessageWriter(&b, tgm.WriterOptions{})
		if err = m.Append(object, base); err == nil {
			err = m.Close()
		}
	}
	if err == nil {
		err = w.write(c.File, b.Bytes())
	}
	if err == nil && lossy {
		c.Values = strings.TrimSuffix(c.File, ".tgm") + ".bin"
		var decoded []byte
		if decoded, err = decode(b.Bytes()); err == nil {
			err = w.write(c.Values, decoded)
		}
	}
	w.cases = append(w.cases, c)
	return err
}

func decode(message []byte) ([]byte, error) {
	f, err := tgm.NewFile(bytes.NewReader(message), int64(len(message)))
	if err != nil {
		return nil, err
	}
	m, err := f.Message(0)
	if err != nil {
		return nil, err
	}
	o, err := m.Object(0)
	if err != nil {
		return nil, err
	}
	a, err := o.Decode(tgm.DecodeOptions{})
	if err != nil {
		return nil, err
	}
	return a.Data, nil
}

func (w *maker) write(name string, b []byte) error {
	return os.WriteFile(filepath.Join(w.folder, name), b, 0o666)
}

func (w *maker) manifest() error {
	var b bytes.Buffer
	lines := json.NewEncoder(&b)
	for _, c := range w.cases {
		if err := lines.Encode(c); err != nil {
			return err
		}
	}
	return w.write(ManifestName, b.Bytes())
}
