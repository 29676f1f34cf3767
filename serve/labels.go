package serve

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/internal/history"
	"github.com/tgmconv/tgmconv/internal/nd"
)

// A labeller finds the labels of the variables of a dataset.
type labeller struct {
	fields dataset.Fields
	byName map[string]map[string]*dataset.Variable // by group and name
	known  map[*dataset.Variable]*history.Labels
}

func newLabeller(set *dataset.Dataset, fields dataset.Fields) *labeller {
	l := &labeller{fields: fields, byName: make(map[string]map[string]*dataset.Variable), known: make(map[*dataset.Variable]*history.Labels)}
	for _, g := range set.Groups {
		names := l.byName[g.Name]
		if names == nil {
			names = make(map[string]*dataset.Variable, len(g.Variables))
			l.byName[g.Name] = names
		}
		for _, v := range g.Variables {
			names[v.Name] = v
		}
	}
	return l
}

// of are the labels of a variable of a group: the coordinates of its dimensions, the variables that
// it names, and itself if it is a coordinate. Where nothing labels the first dimension, along which
// files follow one another, the files do.
func (l *labeller) of(ctx context.Context, group *dataset.Group, v *dataset.Variable) (map[string]*history.Labels, error) {
	names := slices.Clone(v.Dims)
	if text, ok := v.Attr(coordinatesKey).(string); ok {
		names = append(names, strings.Fields(text)...)
	}
	all := make(map[string]*history.Labels)
	add := func(name string, v *dataset.Variable) error {
		found, err := l.values(ctx, v)
		if all[name] = found; err != nil {
			return fault.Errorf("serve", "%s: %w", v.Name, err)
		}
		return nil
	}
	for i, name := range names {
		c := l.find(group.Name, name)
		if c == nil || i < len(v.Dims) && !isIndex(c) {
			continue
		}
		if err := add(name, c); err != nil {
			return nil, err
		}
	}
	var err error
	if v.Computed() {
		err = add("", v)
	} else if len(v.Dims) > 0 && all[v.Dims[0]] == nil && !v.Shared() {
		all[""], err = l.files(v)
	}
	return all, err
}

// files stand for the values of the objects of a variable by their files. Where several files hold
// one, their state does.
func (l *labeller) files(v *dataset.Variable) (*history.Labels, error) {
	return l.texts(v, func(ref int) (string, error) {
		if file := l.fields.File(ref); file != "" {
			return file, nil
		}
		return l.version(v, ref)
	})
}

// find is the variable of a name in a group or the nearest one above.
func (l *labeller) find(group, name string) *dataset.Variable {
	for {
		if v := l.byName[group][name]; v != nil || group == "" {
			return v
		}
		group = group[:max(0, strings.LastIndexByte(group, '/'))]
	}
}

// values are the labels that a variable is.
func (l *labeller) values(ctx context.Context, v *dataset.Variable) (*history.Labels, error) {
	if known := l.known[v]; known != nil {
		return known, nil
	}
	found, err := l.read(ctx, v)
	if err == nil {
		l.known[v] = found
	}
	return found, err
}

func (l *labeller) read(ctx context.Context, v *dataset.Variable) (*history.Labels, error) {
	switch {
	case v.Origin() != "":
		return history.Identity(v.Name + " of " + v.Origin()), nil
	case v.Computed():
		data, err := v.Data()
		return l.checked(v, data, err)
	case l.isSmall(v):
		data, err := l.joined(ctx, v)
		return l.checked(v, data, err)
	}
	return l.texts(v, func(ref int) (string, error) { return l.version(v, ref) })
}

// checked are the elements of a variable, which must be as many as it has.
func (l *labeller) checked(v *dataset.Variable, data []byte, err error) (*history.Labels, error) {
	size := v.DType.Size()
	if want, ok := nd.Bytes(v.Shape, size); err == nil && (!ok || int64(len(data)) != want) {
		err = fmt.Errorf("%d bytes of values, expected %d", len(data), want)
	}
	return &history.Labels{Shape: v.Shape, Size: size, Data: data}, err
}

// The bounds on reading labels that lie in files. Labels of more files, and larger ones, are told from others
// by the states of the files.
const (
	readLabels     = 64 // objects
	readLabelBytes = 1 << 20
	labelReaders   = 16 // at a time
)

// isSmall reports whether a variable has few values, in objects one after the other.
func (l *labeller) isSmall(v *dataset.Variable) bool {
	size, ok := nd.Bytes(v.Shape, v.DType.Size())
	if !ok || v.DType.Size() == 0 || size > readLabelBytes || len(v.Refs()) > readLabels || slices.ContainsFunc(v.Refs(), isHole) {
		return false
	}
	grid := v.Grid()
	for i := 1; i < len(grid); i++ {
		if grid[i] != 1 {
			return false
		}
	}
	return true
}

// joined are the values of the objects of a variable, one after the other.
func (l *labeller) joined(ctx context.Context, v *dataset.Variable) ([]byte, error) {
	refs := v.Refs()
	parts := make([][]byte, len(refs))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(labelReaders)
	for i, ref := range refs {
		group.Go(func() error {
			a, err := dataset.Read(ctx, l.fields, int(ref), nil)
			if err == nil {
				parts[i] = a.Data
			}
			return err
		})
	}
	err := group.Wait()
	return bytes.Join(parts, nil), err
}

// version stands for the values of an object of a variable by the state of its file.
func (l *labeller) version(v *dataset.Variable, ref int) (string, error) {
	version := l.fields.Version(ref)
	if version == "" {
		return "", fault.Errorf("serve", "%s: the state of the file of object %d is not known", v.Name, ref)
	}
	return fmt.Sprintf("%v %s", v.Chunk, version), nil
}

// texts stand for the values of the objects of a variable.
func (l *labeller) texts(v *dataset.Variable, of func(ref int) (string, error)) (*history.Labels, error) {
	found := &history.Labels{Shape: v.Grid(), Size: sha256.Size}
	for _, ref := range v.Refs() {
		text := ""
		if !isHole(ref) {
			var err error
			if text, err = of(int(ref)); err != nil {
				return nil, err
			}
		}
		sum := sha256.Sum256([]byte(text))
		found.Data = append(found.Data, sum[:]...)
	}
	return found, nil
}
