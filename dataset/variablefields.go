package dataset

import (
	"context"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/tgm"
)

// VariableFields shows whole variables as objects, by their numbers in a list. Their values, unpacked,
// are read from fields.
func VariableFields(variables []*Variable, fields Fields) Fields {
	return &variableFields{variables, fields}
}

type variableFields struct {
	variables []*Variable
	fields    Fields
}

// Array implements [Arrays].
func (f *variableFields) Array(ctx context.Context, ref int) (array.Array, error) {
	v := f.variables[ref]
	return v.Values(v.Array(ctx, f.fields, missingElement(v.DType)))
}

// missingElement is NaN; nil of types without it.
func missingElement(t tgm.DType) []byte {
	switch t {
	case tgm.Float32:
		return []byte{0, 0, 0xc0, 0x7f}
	case tgm.Float64:
		return []byte{0, 0, 0, 0, 0, 0, 0xf8, 0x7f}
	}
	return nil
}

// Written implements [Fields].
func (f *variableFields) Written(context.Context, int) (array.Array, error) { return nil, nil }

// Presence implements [Fields].
func (f *variableFields) Presence(int) Presence { return There }

// File implements [Fields].
func (f *variableFields) File(int) string { return "" }

// Version implements [Fields].
func (f *variableFields) Version(int) string { return "" }

// Located implements [Fields]. Errors of objects have their place already.
func (f *variableFields) Located(_ int, err error) error { return err }

// Object implements [Fields].
func (f *variableFields) Object(int) (*tgm.Object, error) { return nil, nil }

// Layout implements [Fields].
func (f *variableFields) Layout(context.Context, int) (*importers.Layout, error) {
	return nil, &importers.UnportableError{Why: "it is made of several objects"}
}

// Alike implements [Fields].
func (f *variableFields) Alike(context.Context, int, int) bool { return false }
