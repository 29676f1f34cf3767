package catalog

import (
	"fmt"

	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
)

// Name returns the name of an object from its base[i] entry, or "" if nothing there names it: the
// first of name, param, mars.param, mars.shortName and shortName. A parameter given by its number
// has the short name of the parameter database.
func Name(base map[string]any) string { return mapping.Read(base).Name(mars.ShortName) }

// ObjectName is [Name] for object j of a message, or "object_j" without a name.
func ObjectName(base map[string]any, j int) string {
	if name := Name(base); name != "" {
		return name
	}
	return fmt.Sprintf("object_%d", j)
}
