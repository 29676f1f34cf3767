package rewrite

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/show"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/internal/jsontext"
	"github.com/tgmconv/tgmconv/tgm/edit"
)

// An Order is the order of objects in a message. The zero value keeps the order of the input.
type Order struct {
	// Keys are the keys by which objects are sorted, the most significant one first. Objects
	// without a key come first, then numbers, then texts; equal ones stay in the order of the
	// input.
	Keys []string
	// Unique leaves out objects whose bytes and metadata equal an earlier object's.
	Unique bool
}

// Arrange yields the objects in order. With the zero value it yields them as it reads them;
// otherwise it reads the metadata of all of them before it yields the first.
func (o Order) Arrange(objects iter.Seq2[catalog.Object, error]) (iter.Seq2[edit.Item, error], error) {
	if !o.Unique && len(o.Keys) == 0 {
		return Items(objects), nil
	}
	places, err := o.places(objects)
	if err != nil {
		return nil, err
	}
	refs := make([]catalog.Ref, len(places))
	for i, p := range places {
		refs[i] = p.ref
	}
	return reread(refs), nil
}

// A place is an object with the values that it is sorted by.
type place struct {
	ref  catalog.Ref
	keys []string
}

func (o Order) places(objects iter.Seq2[catalog.Object, error]) ([]place, error) {
	var list []place
	seen := map[string]bool{}
	for object, err := range objects {
		if err != nil {
			return nil, err
		}
		if o.Unique {
			identity, err := identityOf(object)
			if err != nil {
				return nil, err
			}
			if seen[identity] {
				continue
			}
			seen[identity] = true
		}
		p := place{ref: object.Ref()}
		known := object.Known()
		for _, key := range o.Keys {
			text, _ := show.Known(known, key)
			p.keys = append(p.keys, text)
		}
		list = append(list, p)
	}
	slices.SortStableFunc(list, func(a, b place) int { return slices.CompareFunc(a.keys, b.keys, compareTexts) })
	return list, nil
}

// identityOf is the same for objects that are the same: their hash, or the hash of the whole frame
// if they have none, and their metadata.
func identityOf(o catalog.Object) (string, error) {
	var identity []byte
	if hash, ok := o.Hash(); ok {
		identity = strconv.AppendUint(nil, hash, 16)
	} else {
		sum := sha256.New()
		if _, err := io.Copy(sum, o.Raw().Open()); err != nil {
			return "", fmt.Errorf("message %d, object %d: %w", o.Message.Index(), o.Index(), err)
		}
		identity = sum.Sum(nil)
	}
	data, err := jsontext.Append(identity, o.Base())
	return string(data), err
}

// compareTexts puts "" before numbers, these in their order, and other texts last. Numbers and
// texts are not compared with each other: 9 < 10 < 1a < 9 would be no order.
func compareTexts(a, b string) int {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	switch {
	case a == "" || b == "":
		return cmp.Compare(len(a), len(b))
	case errX == nil && errY == nil:
		return cmp.Compare(x, y)
	case errX == nil:
		return -1
	case errY == nil:
		return 1
	}
	return cmp.Compare(a, b)
}
