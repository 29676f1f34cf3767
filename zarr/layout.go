package zarr

import (
	"container/list"
	"fmt"
	"strconv"
	"sync"

	"golang.org/x/sync/singleflight"

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
		l.arrays = append(l.arrays, arrayPlan{name: known[j].name, dims: dims})
	}
	return l, nil
}

// layoutCache keeps the layouts used last, so that a walk over the file makes each of them once and
// a file of many messages does not fill the memory.
type layoutCache struct {
	flights singleflight.Group

	mu      sync.Mutex
	entries map[int]*list.Element // of *layout
	order   list.List             // the most recently used first
	objects int                   // in all layouts kept
}

// maxLayoutObjects bounds the objects of the layouts kept; the one used last is kept whatever its
// size.
const maxLayoutObjects = 1 << 17

// layoutCost is the number of objects that a layout counts for beside its own.
const layoutCost = 8

// get returns the layout of message i, made by fill if it is not kept.
func (c *layoutCache) get(i int, fill func() (*layout, error)) (*layout, error) {
	if l := c.lookup(i); l != nil {
		return l, nil
	}
	l, err, _ := c.flights.Do(strconv.Itoa(i), func() (any, error) {
		l, err := fill()
		if err != nil {
			return nil, err
		}
		c.add(i, l)
		return l, nil
	})
	if err != nil {
		return nil, err
	}
	return l.(*layout), nil
}

func (c *layoutCache) lookup(i int) *layout {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[i]
	if !ok {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(*layout)
}

func (c *layoutCache) add(i int, l *layout) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.entries[i]; known {
		return
	}
	c.entries[i] = c.order.PushFront(l)
	c.objects += len(l.arrays) + layoutCost
	for c.objects > maxLayoutObjects && c.order.Len() > 1 {
		oldest := c.order.Remove(c.order.Back()).(*layout)
		delete(c.entries, oldest.message.Index())
		c.objects -= len(oldest.arrays) + layoutCost
	}
}
