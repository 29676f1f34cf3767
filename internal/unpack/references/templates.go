package references

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// templates are the texts by which kerchunk's JSON of version 1 shortens others: "{{u}}" stands for the
// template u, and "{{f(c='x')}}" for the template f with the variable c.
type templates struct {
	texts map[string]string
	depth int
}

// Bounds of the output of templates.
const (
	maxTemplates = 8       // in one another
	maxRendered  = 1 << 16 // bytes of a text
	maxGenerated = 1 << 23 // references
)

func newTemplates(texts map[string]string) (*templates, error) {
	for name, text := range texts {
		if len(text) > maxRendered {
			return nil, fmt.Errorf("the template %.80q has %d bytes, expected at most %d", name, len(text), maxRendered)
		}
	}
	return &templates{texts: texts}, nil
}

// render replaces the expressions between {{ and }} in a text.
func (t *templates) render(text string, variables map[string]value) (string, error) {
	before, rest, found := strings.Cut(text, "{{")
	if !found {
		return text, nil
	}
	var out strings.Builder
	for found {
		out.WriteString(before)
		var source string
		if source, rest, found = strings.Cut(rest, "}}"); !found {
			return "", fmt.Errorf("%.80q: {{ without }}", text)
		}
		e := &expression{rest: source, templates: t, variables: variables}
		v, err := e.whole()
		if err != nil {
			return "", fmt.Errorf("{{%.80s}}: %w", source, err)
		}
		out.WriteString(v.String())
		if out.Len() > maxRendered {
			return "", fmt.Errorf("%.80q: more than %d bytes", text, maxRendered)
		}
		before, rest, found = strings.Cut(rest, "{{")
	}
	out.WriteString(before)
	return out.String(), nil
}

// call renders a template with variables.
func (t *templates) call(name string, variables map[string]value) (value, error) {
	text, ok := t.texts[name]
	if !ok {
		return value{}, fmt.Errorf("there is no template or variable %.80q", name)
	}
	if t.depth++; t.depth > maxTemplates {
		return value{}, fmt.Errorf("more than %d templates in one another", maxTemplates)
	}
	defer func() { t.depth-- }()
	out, err := t.render(text, variables)
	return value{text: out}, err
}

// A generator makes references of each combination of the values of some dimensions.
type generator struct {
	Key        string               `json:"key"`
	URL        string               `json:"url"`
	Offset     *string              `json:"offset"`
	Length     *string              `json:"length"`
	Dimensions map[string]dimension `json:"dimensions"`
}

// A dimension is a list of values, or a range of integers.
type dimension []value

// UnmarshalJSON implements json.Unmarshaler.
func (d *dimension) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '[' {
		var list []any
		if err := json.Unmarshal(data, &list); err != nil {
			return err
		}
		for _, v := range list {
			switch v := v.(type) {
			case string:
				*d = append(*d, value{text: v})
			case float64:
				if v != float64(int64(v)) {
					return fmt.Errorf("expected integers and texts, found %v", v)
				}
				*d = append(*d, number(int64(v)))
			default:
				return fmt.Errorf("expected integers and texts, found %v", v)
			}
		}
		return nil
	}
	var r struct {
		Start int64  `json:"start"`
		Stop  *int64 `json:"stop"`
		Step  *int64 `json:"step"`
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return err
	}
	step := int64(1)
	if r.Step != nil {
		step = *r.Step
	}
	if r.Stop == nil || step == 0 {
		return fmt.Errorf("expected a list, or start, stop and step, found %.80s", data)
	}
	if within(r.Start) != nil || within(*r.Stop) != nil || within(step) != nil {
		return fmt.Errorf("a range beyond %d: %.80s", int64(maxRange), data)
	}
	for i := r.Start; step > 0 && i < *r.Stop || step < 0 && i > *r.Stop; i += step {
		if len(*d) >= maxGenerated {
			return fmt.Errorf("more than %d values: %.80s", maxGenerated, data)
		}
		*d = append(*d, number(i))
	}
	return nil
}

// generate makes the references of a generator.
func (p *parser) generate(g *generator) error {
	if (g.Offset == nil) != (g.Length == nil) {
		return fmt.Errorf("expected an offset and a length, or none of them")
	}
	total := 1
	names := slices.Sorted(maps.Keys(g.Dimensions))
	for _, name := range names {
		if total *= len(g.Dimensions[name]); total > maxGenerated {
			return fmt.Errorf("more than %d references", maxGenerated)
		}
	}
	if len(p.found)+total > maxGenerated {
		return fmt.Errorf("more than %d references", maxGenerated)
	}
	variables := make(map[string]value, len(names))
	for n := range total {
		for _, name := range slices.Backward(names) {
			values := g.Dimensions[name]
			variables[name] = values[n%len(values)]
			n /= len(values)
		}
		if err := p.one(g, variables); err != nil {
			return err
		}
	}
	return nil
}

// one makes the reference of a generator for some values.
func (p *parser) one(g *generator, variables map[string]value) error {
	key, err := p.templates.render(g.Key, variables)
	if err != nil {
		return fmt.Errorf("key: %w", err)
	}
	target, err := p.templates.render(g.URL, variables)
	if err != nil {
		return fmt.Errorf("url: %w", err)
	}
	r := Reference{Target: p.once(target), Length: -1}
	if g.Offset != nil {
		if r.Offset, err = p.integer(*g.Offset, variables); err != nil {
			return fmt.Errorf("offset: %w", err)
		}
		if r.Length, err = p.integer(*g.Length, variables); err != nil {
			return fmt.Errorf("length: %w", err)
		}
	}
	if err := r.check(key); err != nil {
		return err
	}
	p.found[key] = r
	return nil
}

// integer is the number that a text becomes.
func (p *parser) integer(text string, variables map[string]value) (int64, error) {
	out, err := p.templates.render(text, variables)
	if err != nil {
		return 0, err
	}
	var n int64
	if _, err := fmt.Sscanf(strings.TrimSpace(out), "%d", &n); err != nil || fmt.Sprint(n) != strings.TrimSpace(out) {
		return 0, fmt.Errorf("%.80q becomes %.80q, expected an integer", text, out)
	}
	return n, nil
}
