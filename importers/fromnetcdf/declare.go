package fromnetcdf

import (
	"fmt"
	"slices"

	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/mapping"
)

// splitWords are the words for ways of splitting, in the order of the constants.
var splitWords = []string{"file", "variable", "record"}

// ParseSplit returns the way of splitting of a word.
func ParseSplit(word string) (Split, error) {
	i := slices.Index(splitWords, word)
	if i < 0 {
		return 0, fmt.Errorf("is %q, expected %s", word, option.Or(splitWords))
	}
	return Split(i), nil
}

// Declare adds the settings of sources with netCDF's data model, whose help begins with a prefix. The way of splitting
// is left to a caller that has declared --split-by.
func (o *Options) Declare(s *option.Set, prefix string) {
	if !s.Has("split-by") {
		option.Choice(s, "split-by", &o.Split, splitWords, prefix+"one message for each file, variable or record")
	}
	s.Bool(mapping.KeyCF, &o.CF, prefix+"add the attributes of the CF conventions as a separate map")
	s.List("variable", &o.Variables, prefix+"only variables of these names or patterns (group/name, 't*'), with their coordinates")
	s.List("group", &o.Groups, prefix+"only variables in and below the groups of these paths or patterns")
	s.Check(func() error {
		for flag, patterns := range map[string][]string{"variable": o.Variables, "group": o.Groups} {
			for _, p := range patterns {
				if err := CheckPattern(p); err != nil {
					return fmt.Errorf("--%s: %w", flag, err)
				}
			}
		}
		return nil
	})
}
