package zarr

import (
	"fmt"

	"github.com/tgmconv/tgmconv/internal/lru"
	"github.com/tgmconv/tgmconv/tgm"
)

// A layout is what has to be known of all objects of a message to name one of them.
type layout struct {
	message *tgm.Message
	arrays  []arrayPlan
	byName  map[string]int
}

// An arrayPlan is how an object is shown.
type arrayPlan struct {
	name string
	dims []string
	keys ChunkKeys
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
	names := newUniqueNames()
	var known []knownArray
	for j := range n {
		object, err := message.Object(j)
		if err != nil {
			return nil, err
		}
		base := object.Base()
		original := objectName(base, j, rename)
		name := names.next(nodeName(original))
		array, err := newKnownArray(name, original, base, object.Descriptor().Shape, metadata.Extra)
		if err != nil {
			return nil, fmt.Errorf("message %d, object %d: %w", message.Index(), j, err)
		}
		known = append(known, array)
		l.byName[name] = j
	}
	for j, dims := range dimensionNames(known) {
		l.arrays = append(l.arrays, arrayPlan{name: known[j].name, dims: dims, keys: defaultKeys})
	}
	return l, nil
}

// maxLayoutObjects bounds the objects of the layouts that are kept, so that a walk over the file
// makes each layout once and a file of many messages does not fill the memory. A larger layout is
// kept all the same: as one that fills the cache.
const maxLayoutObjects = 1 << 17

// layoutCost is the number of objects that a layout counts for beside its own.
const layoutCost = 8

func newLayoutCache() *lru.Cache[*layout] {
	return lru.New(lru.Options[*layout]{
		Limit: maxLayoutObjects,
		Cost:  func(_ string, l *layout) int64 { return min(int64(len(l.arrays)+layoutCost), maxLayoutObjects) },
	})
}
