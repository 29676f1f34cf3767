package fromnetcdf

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/tgm"
)

// form is how the elements of a variable become an array.
type form int

const (
	asNumbers form = iota // as they are, one array element or several for each
	asText                // strings become bytes, with an axis for their length
	asValues              // the values of all sequences, one sequence after the other
	asCounts              // the lengths of the sequences
)

// variable is an array that a variable of the file becomes, or one of several.
type variable struct {
	v     *netcdf.Var
	attrs []netcdf.Attr // of the variable, also of that which v is a member of
	kind  kind
	form  form
	label string // its name in messages

	counts, countsOf string // of asValues and asCounts: the name of the other
	member           bool   // v is a member of a compound

	parts []variable // of complex numbers: the real and the imaginary part
}

// name is the variable's name in messages.
func (v *variable) name() string { return v.label }

// pathOf is the path of a variable without the leading slash.
func pathOf(v *netcdf.Var) string { return text(strings.TrimPrefix(v.Path, "/")) }

// countsSuffix is added to the name of the values of sequences to name their lengths.
const countsSuffix = mapping.NetCDFCounts

// forms returns the arrays that a variable becomes, or why it becomes none.
func forms(v *netcdf.Var, attrs []netcdf.Attr) ([]variable, error) {
	one := variable{v: v, attrs: attrs, label: pathOf(v)}
	switch t := v.Type; {
	case one.label == "":
		return nil, errors.New("it has no name")
	case hasMembers(t):
		return memberForms(v, attrs)
	case v.Err != nil:
		return nil, v.Err
	case t.Class == netcdf.Char:
		one.kind = kind{dtype: tgm.Uint8}
	case t.Class == netcdf.String:
		one.kind, one.form = kind{dtype: tgm.Uint8}, asText
	case t.Class == netcdf.Vlen:
		return sequenceForms(one)
	default:
		var err error
		if one.kind, err = elementsOf(t, attrs); err != nil {
			return nil, err
		}
	}
	if one.kind.dtype.IsComplex() {
		// Unreadable members do not speak against numbers.
		if parts, err := memberForms(v, attrs); err == nil && len(parts) == 2 {
			one.parts = parts
		}
	}
	return []variable{one}, nil
}

// hasMembers reports whether elements become an array for each of their members: compounds, unless
// they are complex numbers, and arrays of compounds.
func hasMembers(t *netcdf.Type) bool {
	if t.Class == netcdf.Compound {
		return complexType(t) == tgm.InvalidDType
	}
	for t.Class == netcdf.Array {
		t = t.Base
	}
	return t.Class == netcdf.Compound
}

// sequenceForms are the values and the lengths of sequences: CF's contiguous ragged array.
func sequenceForms(values variable) ([]variable, error) {
	t := values.v.Type
	var err error
	if values.kind, err = elementsOf(t.Base, nil); err != nil {
		return nil, fmt.Errorf("sequences: %w", err)
	}
	values.form = asValues
	counts := values
	counts.kind, counts.form = kind{dtype: tgm.Uint64}, asCounts
	counts.attrs = nil
	counts.label += countsSuffix
	values.counts, counts.countsOf = counts.label, values.label
	return []variable{values, counts}, nil
}

// memberForms are the forms of all members of a compound, by their paths. If no member has a form, the
// compound has an error.
func memberForms(v *netcdf.Var, attrs []netcdf.Attr) ([]variable, error) {
	var list []variable
	var first error
	for _, path := range v.Type.MemberPaths() {
		m, err := v.Member(path...)
		var found []variable
		if err == nil {
			found, err = forms(m, attrs)
		}
		if err != nil {
			if first == nil {
				first = fmt.Errorf("member %s: %w", strings.Join(path, "/"), err)
			}
			continue
		}
		for i := range found {
			found[i].member = true
		}
		list = append(list, found...)
	}
	if len(list) == 0 && first == nil {
		first = v.Err
	}
	return list, first
}

// fileType is the type in the file, if it differs from the elements'.
func (v *variable) fileType() string {
	switch t := v.v.Type; {
	case t.Text() || t.Class == netcdf.Enum || t.Class == netcdf.Vlen || t.Class == netcdf.Opaque:
		return t.Class.String()
	case charArray(t):
		return t.Base.Class.String()
	case v.kind.flipped:
		return t.Class.String()
	case v.member:
		return netcdf.Compound.String()
	}
	return ""
}
