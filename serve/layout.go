package serve

import (
	"fmt"

	"github.com/tgmconv/tgmconv/internal/lru"
	"github.com/tgmconv/tgmconv/internal/nameset"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// A layout holds the facts on all objects of a message that it takes to name one of them.
type layout struct {
	message *tgm.Message
	arrays  []arrayPlan
	byName  map[string]int
}

// An arrayPlan is how an object is shown.
type arrayPlan struct {
	name string
	dims []string
}

func (l *layout) names() []string {
	names := make([]string, len(l.arrays))
	for i, a := range l.arrays {
		names[i] = a.name
	}
	return names
}

// object is object j with its metadata, stored the same without them.
func (l *layout) object(j int) (*tgm.Object, error) { return l.message.Object(j) }
func (l *layout) stored(j int) (*tgm.Object, error) { return l.message.Stored(j) }

// naming selects the keys of a base entry that name an array and its dimensions. Most of an entry is there to
// write a GRIB field again.
var naming = &tgm.Selection{
	Keys:   map[string]tgm.Want{mapping.KeyReproduction: tgm.WantNone, mapping.KeyGRIB: tgm.WantNone, mapping.KeyReserved: tgm.WantNone},
	Others: tgm.WantDecoded,
}

// newLayout names the objects of a message and their dimensions.
func newLayout(message *tgm.Message, rename func(map[string]any) string) (*layout, error) {
	metadata, err := message.SharedMetadata()
	if err != nil {
		return nil, err
	}
	n, err := message.NumObjects()
	if err != nil {
		return nil, err
	}
	l := &layout{message: message, byName: make(map[string]int)}
	names := nameset.New()
	var known []knownArray
	for j := range n {
		object, err := message.Stored(j)
		if err != nil {
			return nil, err
		}
		base, err := message.SelectBase(j, naming)
		if err != nil {
			return nil, err
		}
		original := objectName(base, j, rename)
		name := names.Next(nodeName(original))
		array, err := newKnownArray(name, original, base, object.Descriptor().Shape, metadata.Extra)
		if err != nil {
			return nil, fmt.Errorf("message %d, object %d: %w", message.Index(), j, err)
		}
		known = append(known, array)
		l.byName[name] = j
	}
	for j, dims := range dimensionNames(known) {
		l.arrays = append(l.arrays, arrayPlan{name: known[j].name, dims: dims})
	}
	return l, nil
}

// maxLayoutObjects bounds the objects of the layouts that are kept. A walk over the file then makes each
// layout once, and a file of many messages does not fill the memory. A larger layout is kept all the same,
// and counts as a full cache.
const maxLayoutObjects = 1 << 17

// layoutCost is the number of objects that a layout counts for beside its own.
const layoutCost = 8

func newLayoutCache() *lru.Cache[*layout] {
	return lru.New(lru.Options[*layout]{
		Limit: maxLayoutObjects,
		Cost:  func(_ string, l *layout) int64 { return min(int64(len(l.arrays)+layoutCost), maxLayoutObjects) },
	})
}
