package pyramid

import (
	"math"
	"strconv"
)

// The conventions for Zarr that groups follow, see github.com/zarr-conventions.
var (
	conventionMultiscales = convention("d35379db-88df-4056-af3a-620245f8e347", "multiscales", "multiscales")
	conventionProj        = convention("f17cb550-5864-4468-aeb7-f3180cfb622f", "proj:", "geo-proj")
	conventionSpatial     = convention("689b58e2-cf7b-45e0-9fff-9cfc0883d6b4", "spatial:", "spatial")
)

func convention(uuid, name, repository string) map[string]any {
	base := "github.com/zarr-conventions/" + repository
	return map[string]any{"uuid": uuid, "name": name, "spec_url": "https://" + base + "/blob/v1/README.md"}
}

// spatial are the attributes of a level that say where its cells lie.
func spatial(f *frame, level int) map[string]any {
	rows, cols := f.shape(level)
	dlat, dlon := math.Ldexp(f.dlat, level), math.Ldexp(f.dlon, level)
	return map[string]any{
		"spatial:shape":     []any{rows, cols},
		"spatial:transform": []any{dlon, 0, f.west, 0, -dlat, f.north},
	}
}

// spatialGroup are the attributes of the group of a level.
func spatialGroup(f *frame, level int) map[string]any {
	m := spatial(f, level)
	m["zarr_conventions"] = []any{conventionProj, conventionSpatial}
	m["proj:code"] = "EPSG:4326"
	m["spatial:dimensions"] = []any{latitude, longitude}
	return m
}

// multiscales are the attributes of the group of a variable.
func (s *series) multiscales(f *frame) map[string]any {
	var layout []any
	for level := range f.levels() {
		entry := spatial(f, level)
		entry["asset"] = strconv.Itoa(level)
		scale := 1.0
		if level > 0 {
			entry["derived_from"], scale = strconv.Itoa(level-1), 2
		} else if !f.exact {
			entry["resampling_method"] = "nearest"
		}
		entry["transform"] = map[string]any{"scale": []any{scale, scale}, "translation": []any{0.0, 0.0}}
		layout = append(layout, entry)
	}
	south, east := f.north-float64(float64(f.rows)*f.dlat), f.west+float64(float64(f.cols)*f.dlon)
	return map[string]any{
		"zarr_conventions":   []any{conventionMultiscales, conventionProj, conventionSpatial},
		"multiscales":        map[string]any{"layout": layout, "resampling_method": "average"},
		"proj:code":          "EPSG:4326",
		"spatial:dimensions": []any{latitude, longitude},
		"spatial:bbox":       []any{f.west, south, east, f.north},
	}
}
