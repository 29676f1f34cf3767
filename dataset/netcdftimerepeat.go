package dataset

import (
	"fmt"
	"slices"

	"github.com/tgmconv/tgmconv/cf"
)

// repeat repeats times without records for each record, if they differ among files. parts has the
// times of each file, by path. The error says why the files cannot be one dataset.
func (v *timeVariable) repeat(path string, files []*sourceFile, parts []map[string][]cf.Offset, p *joinPlan) error {
	v.offsets = parts[0][path]
	other := slices.IndexFunc(parts, func(part map[string][]cf.Offset) bool { return !slices.Equal(part[path], v.offsets) })
	if v.kept = other < 0; v.kept {
		return nil
	}
	if why := p.apart(path, v.like); why != "" {
		return fmt.Errorf("%s has other values in %s than in %s%s", path, files[other].place, files[0].place, why)
	}
	if uint64(len(v.offsets)) > maxTimes/8/p.total() { // apart has seen that there are records, and not too many
		return fmt.Errorf("%s: more than %d bytes of times in other units", path, maxTimes)
	}
	p.differ[path] = true
	v.offsets = nil
	for i, part := range parts {
		for range p.records[i] {
			v.offsets = append(v.offsets, part[path]...)
		}
	}
	return nil
}
