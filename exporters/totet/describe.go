package totet

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tet"
	"github.com/tgmconv/tgmconv/tgm"
)

// Limits of the layout's footer.
const (
	maxDescribed = 256 // datasets
	maxAttrs     = 64
	maxLabels    = 64
	maxText      = 1024
	maxEvents    = 4096
)

// describe makes the metadata of a dataset.
func (p *objectPlan) describe(d *planned, o *dataset.Object, labels []*dataset.Object) {
	if len(p.datasets) >= maxDescribed {
		if len(p.datasets) == maxDescribed {
			p.note(o.Where, "metadata are written for the first %d datasets only", maxDescribed)
		}
		return
	}
	if dims := o.Base.Dims(len(o.Shape)); len(dims) == len(d.spec.Shape) && !slices.Contains(dims, "") {
		d.meta.DimNames = dims
	}
	attrs := attributes(o.Base)
	if d.unpack != nil {
		for _, key := range mapping.PackingAttributes() {
			delete(attrs, key)
		}
	}
	if t, ok := o.Base.Tet(); ok {
		attrs = t.Attributes
		p.addHistory(t.History)
		for axis, labels := range t.Coords {
			p.addLabels(d, o.Where, axis, labels)
		}
	}
	for _, l := range labels {
		name := l.Base.Name(p.opts.ShortName)
		if l.Base.Source() == o.Base.Source() && slices.Contains(d.meta.DimNames, name) && d.meta.Coords[name].Labels == nil {
			if texts := p.textsOf(l); texts != nil {
				p.addLabels(d, o.Where, name, texts)
			}
		}
	}
	p.addAttributes(d, o.Where, attrs)
}

func (p *plan) addLabels(d *planned, at, axis string, labels []string) {
	if len(labels) > maxLabels || axis == "" || len(axis) > maxText || slices.ContainsFunc(labels, badText) {
		p.note(at, "labels along %q are left out: at most %d of 1 to %d bytes are allowed", axis, maxLabels, maxText)
		return
	}
	if d.meta.Coords == nil {
		d.meta.Coords = map[string]tet.CoordAxis{}
	}
	d.meta.Coords[axis] = tet.CoordAxis{Labels: labels}
}

func badText(text string) bool { return text == "" || len(text) > maxText }

// preferred are the attributes that are kept where not all can be.
var preferred = []string{cf.AttrUnits, cf.AttrLongName, cf.AttrStandardName, "description", "title", cf.AttrScaleFactor, cf.AttrAddOffset, cf.AttrFillValue}

func (p *plan) addAttributes(d *planned, at string, attrs map[string]string) {
	keys := slices.Sorted(maps.Keys(attrs))
	slices.SortStableFunc(keys, func(a, b string) int { return rank(a) - rank(b) })
	for _, key := range keys {
		switch {
		case badText(key) || badText(attrs[key]):
			p.note(at, "attribute %s is left out: .tet has texts of 1 to %d bytes", key, maxText)
		case len(d.meta.Attrs) == maxAttrs:
			p.note(at, "attribute %s is left out: .tet has at most %d", key, maxAttrs)
		default:
			if d.meta.Attrs == nil {
				d.meta.Attrs = map[string]string{}
			}
			d.meta.Attrs[key] = attrs[key]
		}
	}
}

func rank(key string) int {
	if i := slices.Index(preferred, key); i >= 0 {
		return i
	}
	return len(preferred)
}

// attributes are the metadata of another source's entry, as texts: the attributes of a netCDF variable, or
// the labels and the keys of MARS with that in front.
func attributes(e mapping.Entry) map[string]string {
	attrs := map[string]string{}
	if n, ok := e.NetCDF(); ok {
		addTexts(attrs, "", n.Attributes)
		return attrs
	}
	addTexts(attrs, mapping.KeyMARS+".", e.MARS())
	addTexts(attrs, mapping.KeyProduct+".", e.Product())
	for _, key := range []string{
		mapping.KeyUnits, mapping.KeyStandardName, mapping.KeyReferenceTime, mapping.KeyValidTime, mapping.KeyStep, mapping.KeyStepUnits,
		mapping.KeyLevel, mapping.KeyLevelType, mapping.KeyTop, mapping.KeyBottom, mapping.KeyNumber, mapping.KeyRecordIndex,
	} {
		if v, ok := e.Lookup(key); ok {
			addTexts(attrs, "", map[string]any{key: v})
		}
	}
	return attrs
}

// addTexts adds the values that are scalars; .tet has texts only.
func addTexts(attrs map[string]string, prefix string, m map[string]any) {
	for key, v := range m {
		switch x := v.(type) {
		case string:
			attrs[prefix+key] = x
		case int64, uint64, bool:
			attrs[prefix+key] = fmt.Sprint(x)
		case float64:
			attrs[prefix+key] = number(x)
		}
	}
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// textsOf are the values of a coordinate, as texts; nil if they cannot be read.
func (p *objectPlan) textsOf(o *dataset.Object) []string {
	a, err := p.fields.Array(p.ctx, o.Ref)
	if err != nil {
		return nil
	}
	data, err := array.Read(p.ctx, a, a.Info().Whole(), nil)
	if err != nil {
		return nil
	}
	finish(data, floatPacking(o), dtypes[o.DType], math.NaN())
	values := tet.Array{DType: dtypes[o.DType], Shape: []int64{int64(o.Shape[0])}, Data: data}
	texts := make([]string, o.Shape[0])
	for i := range texts {
		texts[i] = string(values.AppendText(nil, int64(i)))
	}
	return texts
}

// addHistory takes over the history of the source, which all its datasets have.
func (p *plan) addHistory(events []mapping.TetEvent) {
	if p.history != nil {
		return
	}
	for _, e := range events {
		event := tet.Event{Op: e.Op, Source: e.Source, At: e.At, Parents: e.Parents, Params: e.Params}
		for _, text := range []struct {
			from mapping.Opt[string]
			to   **string
		}{{e.Agent, &event.Agent}, {e.Activity, &event.Activity}, {e.Entity, &event.Entity}} {
			if text.from.Known {
				*text.to = &text.from.Value
			}
		}
		p.history = append(p.history, event)
	}
}

// writerOptions are the history and the metadata of the file.
func (p *plan) writerOptions() tet.WriterOptions {
	now := strconv.FormatInt(p.opts.now().Unix(), 10)
	source := "tgm"
	if p.opts.Source != "" {
		source = p.opts.Source
	}
	history := append(p.history[:min(len(p.history), maxEvents-1):min(len(p.history), maxEvents-1)], tet.Event{Op: "convert", Source: source, At: now})
	meta := tet.Metadata{File: &tet.FileMetadata{Tool: "tgmconv", LibraryVersion: tgm.Version, CreatedAt: now}, Datasets: map[string]tet.DatasetMetadata{}}
	for _, d := range p.datasets {
		if d.meta.Attrs != nil || d.meta.DimNames != nil || d.meta.Coords != nil {
			meta.Datasets[d.spec.Name] = d.meta
		}
	}
	return tet.WriterOptions{History: history, Metadata: meta, Workers: p.opts.Workers}
}

func (o *Options) now() time.Time {
	if o.Time.IsZero() {
		return time.Now()
	}
	return o.Time
}

// fillOf is the element that stands for a missing point: from the attributes, or NaN.
func fillOf(d *planned) float64 {
	for _, key := range []string{cf.AttrFillValue, cf.AttrMissingValue} {
		if v, err := strconv.ParseFloat(strings.TrimSpace(d.meta.Attrs[key]), 64); err == nil {
			return v
		}
	}
	return math.NaN()
}
