package cf

import (
	"reflect"
	"testing"

	"github.com/tgmconv/tgmconv/mapping"
)

func TestVocabulary(t *testing.T) {
	var a mapping.Attributes
	for k, v := range map[string]any{
		"units": "K", "standard_name": "air_temperature", "scale_factor": 0.01, "valid_range": []int16{-5, 5},
		"history": "made", "_FillValue": int16(-1), "flag_values": []int8{0, 1},
	} {
		if err := a.Set(GroupVariable, k, v); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Set("global", "long_name", "of the file, not of the variable"); err != nil {
		t.Fatal(err)
	}
	got, err := Vocabulary(&a)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"units": "K", "standard_name": "air_temperature", "valid_range": []int64{-5, 5}, "flag_values": []int64{0, 1}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("cf %v, want %v", got, want)
	}
}
