package serve

import (
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/tgm"
)

// Names that node names cannot have, and groups with the names of variables, get paths of their own.
func TestDatasetPaths(t *testing.T) {
	variables := func(names ...string) (vs []*dataset.Variable) {
		for _, name := range names {
			vs = append(vs, &dataset.Variable{Name: name, DType: tgm.Float32})
		}
		return vs
	}
	set := &dataset.Dataset{Groups: []*dataset.Group{
		{Variables: variables("g#", "g?", "g_", "t")},
		{Name: "t", Variables: variables("v")},
		{Name: "h#", Variables: variables("v")},
		{Name: "h?", Variables: variables("v")},
		{Name: "h?/t", Variables: variables("v", "w")},
	}}
	paths := NewDatasetPaths(set)
	var got []string
	for _, g := range set.Groups {
		for _, v := range g.Variables {
			got = append(got, paths.Variable(g, v))
		}
	}
	want := []string{"g_", "g__1", "g__2", "t", "t_1/v", "h_/v", "h__1/v", "h__1/t/v", "h__1/t/w"}
	if !slices.Equal(got, want) {
		t.Errorf("paths are %v, expected %v", got, want)
	}
	view := NewDatasetView(set, nil, DatasetOptions{})
	for group, children := range map[string][]string{
		"": {"g_", "g__1", "g__2", "t", "t_1", "h_", "h__1"}, "t_1": {"v"}, "h__1": {"v", "t"}, "h__1/t": {"v", "w"},
	} {
		if found, err := view.Children(t.Context(), group); err != nil || !slices.Equal(found, children) {
			t.Errorf("%q has %v, %v, expected %v", group, found, err, children)
		}
	}
}
