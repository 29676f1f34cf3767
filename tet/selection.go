package tet

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/internal/fault"
)

// A Selection selects the part of a dataset to read. Axes that it does not name are read whole;
// the zero Selection is all of the dataset.
type Selection []Slice

// A Slice selects positions along one axis: from Start up to, not including, Stop, every Step-th.
type Slice struct {
	Axis  string // name of the dimension, or its number
	Start Bound
	Stop  Bound // the end of the axis if not set, or one after Start if Single
	Step  int64 // 0 means 1
	// Single selects the position Start alone.
	Single bool
}

// A Bound is a position along an axis: an index, a label, or not set. Negative indexes count from
// the end.
type Bound struct {
	kind  boundKind
	index int64
	label string
}

type boundKind uint8

const (
	unset boundKind = iota
	byIndex
	byLabel
)

// Index returns the bound at index i.
func Index(i int64) Bound { return Bound{kind: byIndex, index: i} }

// Label returns the bound at the position with a label.
func Label(label string) Bound { return Bound{kind: byLabel, label: label} }

// A Range is a slice whose bounds have been resolved.
type Range struct {
	Start, Stop, Step int64 // 0 <= Start < Stop <= length of the axis, Step >= 1
}

// Len returns the number of positions.
func (r Range) Len() int64 { return (r.Stop-r.Start-1)/r.Step + 1 }

// ParseSelection reads slices separated by commas. A slice is AXIS=START:STOP:STEP,
// AXIS=START:STOP, or AXIS=POSITION, where each of START, STOP and STEP may be left out. An axis
// is the name of a dimension or a number from 0 on. A bound is an index, a negative index that
// counts from the end, or a label; labels that look like numbers, or that have a comma or colon,
// are put in double quotes.
func ParseSelection(text string) (Selection, error) {
	var sel Selection
	for rest := text; rest != ""; {
		part, after, more := cutOutside(rest, ',')
		if more && after == "" {
			return nil, fault.Errorf("tet", "selection %q: expected a slice after the last comma", text)
		}
		s, err := parseSlice(part)
		if err != nil {
			return nil, err
		}
		sel, rest = append(sel, s), after
	}
	return sel, nil
}

func parseSlice(text string) (s Slice, err error) {
	fail := func(what string) (Slice, error) {
		return Slice{}, fault.Errorf("tet", "slice %q: %s", text, what)
	}
	axis, bounds, ok := strings.Cut(text, "=")
	if s.Axis = strings.TrimSpace(axis); !ok || s.Axis == "" {
		return fail("expected AXIS=START:STOP:STEP or AXIS=POSITION")
	}
	start, rest, isRange := cutOutside(bounds, ':')
	if s.Start, err = parseBound(start); err != nil {
		return fail(err.Error())
	}
	if !isRange {
		if s.Single = true; s.Start.kind == unset {
			return fail("expected a position after =")
		}
		return s, nil
	}
	stop, step, hasStep := cutOutside(rest, ':')
	if s.Stop, err = parseBound(stop); err != nil {
		return fail(err.Error())
	}
	if hasStep && strings.TrimSpace(step) != "" {
		if s.Step, err = strconv.ParseInt(strings.TrimSpace(step), 10, 64); err != nil || s.Step < 1 {
			return fail("expected a step of at least 1")
		}
	}
	return s, nil
}

func parseBound(text string) (Bound, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return Bound{}, nil
	}
	if text[0] == '"' {
		label, err := strconv.Unquote(text)
		if err != nil {
			return Bound{}, fmt.Errorf("the label %s is not a quoted string", text)
		}
		return Label(label), nil
	}
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return Index(i), nil
	}
	return Label(text), nil
}

// cutOutside is strings.Cut at the first separator that is not inside double quotes.
func cutOutside(s string, sep byte) (before, after string, found bool) {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && quoted:
			i++
		case s[i] == '"':
			quoted = !quoted
		case s[i] == sep && !quoted:
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}

// Axis returns the number of the axis with a name: the name of a dimension, or a number as text.
func (d *Dataset) Axis(name string) (int, error) {
	if i := slices.Index(d.DimNames(), name); i >= 0 {
		return i, nil
	}
	if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(d.Shape) {
		return i, nil
	}
	names := "no names"
	if d.DimNames() != nil {
		names = strings.Join(d.DimNames(), ", ")
	}
	return 0, &SelectionError{d.Name, -1, fmt.Sprintf("there is no axis %q: the dataset has %d (%s)", name, len(d.Shape), names)}
}

// ranges finds the positions of a selection along every axis.
func (d *Dataset) ranges(sel Selection) ([]Range, error) {
	all := make([]Range, len(d.grid.shape))
	for i, n := range d.grid.shape {
		all[i] = Range{0, n, 1}
	}
	seen := make([]bool, len(all))
	for _, s := range sel {
		axis, err := d.Axis(s.Axis)
		if err != nil {
			return nil, err
		}
		if seen[axis] {
			return nil, &SelectionError{d.Name, axis, "the axis is selected twice"}
		}
		seen[axis] = true
		r, err := d.resolve(axis, s)
		if err != nil {
			return nil, &SelectionError{d.Name, axis, err.Error()}
		}
		all[axis] = r
	}
	return all, nil
}

func (d *Dataset) resolve(axis int, s Slice) (Range, error) {
	n := d.grid.shape[axis]
	r := Range{0, n, max(1, s.Step)}
	if s.Step < 0 {
		return r, fmt.Errorf("step %d, expected at least 1", s.Step)
	}
	var err error
	if s.Start.kind != unset {
		if r.Start, err = d.position(axis, s.Start); err != nil {
			return r, err
		}
	}
	switch {
	case s.Single:
		r.Stop = r.Start + 1
	case s.Stop.kind != unset:
		if r.Stop, err = d.position(axis, s.Stop); err != nil {
			return r, err
		}
	}
	switch {
	case r.Start < 0 || r.Start >= n:
		return r, fmt.Errorf("start %d, the axis has %d positions%s", r.Start, n, d.labelHint(axis, s.Start))
	case r.Stop > n:
		return r, fmt.Errorf("stop %d, the axis has %d positions%s", r.Stop, n, d.labelHint(axis, s.Stop))
	case r.Stop <= r.Start:
		return r, fmt.Errorf("start %d and stop %d, expected start before stop", r.Start, r.Stop)
	}
	r.Step = min(r.Step, r.Stop-r.Start)
	return r, nil
}

// labelHint says how to write a label that was taken for a position.
func (d *Dataset) labelHint(axis int, b Bound) string {
	label := strconv.FormatInt(b.index, 10)
	if b.kind != byIndex || !slices.Contains(d.Labels(axis), label) {
		return ""
	}
	return fmt.Sprintf("; the label is %q, in double quotes", label)
}

// position is the index that a bound stands for.
func (d *Dataset) position(axis int, b Bound) (int64, error) {
	if b.kind == byIndex {
		if b.index < 0 {
			return b.index + d.grid.shape[axis], nil
		}
		return b.index, nil
	}
	labels := d.Labels(axis)
	if labels == nil {
		return 0, fmt.Errorf("label %q: the axis has no labels", b.label)
	}
	i := slices.Index(labels, b.label)
	if i < 0 {
		return 0, fmt.Errorf("label %q: none of the %d labels of the axis", b.label, len(labels))
	}
	if slices.Contains(labels[i+1:], b.label) {
		return 0, fmt.Errorf("label %q: more than one position of the axis has it", b.label)
	}
	return int64(i), nil
}
