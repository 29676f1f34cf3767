package mapping_test

import (
	"fmt"

	"github.com/tgmconv/tgmconv/mapping"
)

func ExampleRead() {
	// A base[i] entry as the reference's converter writes it.
	entry := mapping.Read(map[string]any{"mars": map[string]any{
		"param": int64(130), "date": int64(20260404), "time": int64(0), "step": int64(6), "levelist": int64(500), "levtype": "pl",
	}})
	valid, _ := entry.ValidTime()
	level, _ := entry.Level()
	fmt.Println(valid, entry.LevelType(), level)
	// Output: 2026-04-04 06:00:00 +0000 UTC pl 500
}

func ExampleLabels_Map() {
	labels := mapping.Labels{Step: mapping.Some(int64(6)), StepUnits: "h", Level: mapping.Some(0.1), LevelType: "depthBelowLand"}
	fmt.Println(labels.Map())
	// Output: map[level:0.1 level_type:depthBelowLand step:6 step_units:h]
}
