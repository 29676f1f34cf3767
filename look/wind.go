package look

import (
	"path"
	"slices"

	"github.com/tgmconv/tgmconv/mapping"
)

// Northward finds the component to the north that belongs to a component of a wind to the east, among fields
// with the same labels. It is nil if f is no component to the east, or has no such field.
func (f *Field) Northward(among []*Field) *Field {
	standard := func(f *Field) string {
		text, _ := f.Attributes[mapping.KeyStandardName].(string)
		return text
	}
	name, other := mapping.Northward(path.Base(f.Name)), mapping.NorthwardStandard(standard(f))
	for _, g := range among {
		is := name != "" && path.Base(g.Name) == name || other != "" && standard(g) == other
		if is && g.Labels() == f.Labels() && slices.Equal(f.Shape, g.Shape) {
			return g
		}
	}
	return nil
}
