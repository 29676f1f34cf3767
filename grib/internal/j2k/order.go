package j2k

import (
	"cmp"
	"slices"
)

// Progression orders (table A.16). With one component, the last two are the same.
const (
	layerResolution = iota
	resolutionLayer
	resolutionPosition
	positionComponent
	componentPosition
)

// readPackets reads the packets in the order of the progression (annex B.12).
func (t *tile) readPackets(parts [][]byte) error {
	r := packetReader{tile: t, src: parts[0]}
	if len(parts) > 1 {
		r.src = slices.Concat(parts...)
	}
	switch t.order {
	case layerResolution:
		for layer := range t.layers {
			for _, res := range t.resolutions {
				if err := r.layer(res, layer); err != nil {
					return err
				}
			}
		}
	case resolutionLayer:
		for _, res := range t.resolutions {
			for layer := range t.layers {
				if err := r.layer(res, layer); err != nil {
					return err
				}
			}
		}
	default:
		for _, p := range t.byPosition() {
			for layer := range t.layers {
				if err := r.packet(t.resolutions[p.resolution], p.index, layer); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// layer reads a layer of all precincts of a resolution.
func (r *packetReader) layer(res *resolution, layer int) error {
	for k := range res.across * res.down {
		if err := r.packet(res, k, layer); err != nil {
			return err
		}
	}
	return nil
}

// A placed precinct has the coordinates of its first sample on the grid of the image.
type placed struct {
	resolution, index int
	x, y              int64
}

// byPosition returns the precincts of all resolutions: one resolution after the other, or all by
// their place.
func (t *tile) byPosition() []placed {
	var all []placed
	for i, res := range t.resolutions {
		down := t.levels - i
		p := t.precincts[i]
		x0, y0 := int64(res.area.x0>>p.x), int64(res.area.y0>>p.y)
		for k := range res.across * res.down {
			x, y := x0+int64(k%res.across), y0+int64(k/res.across)
			all = append(all, placed{i, k, max(int64(t.area.x0), x<<(p.x+down)), max(int64(t.area.y0), y<<(p.y+down))})
		}
	}
	if t.order != resolutionPosition {
		slices.SortStableFunc(all, func(a, b placed) int { return cmp.Or(cmp.Compare(a.y, b.y), cmp.Compare(a.x, b.x)) })
	}
	return all
}
