package tgm

import "fmt"

// A Transform is a step between the elements of an array and its payload that other formats know
// as well. It is the byte shuffle of HDF5, or a zstd frame.
type Transform struct {
	Name  string // of the stage: shuffle or zstd
	Size  int    // bytes of an element, of shuffle
	Level int    // of zstd, which a reader need not know
}

// Transforms returns the steps that made the payload of the elements, in the order of writing.
// There are none if the payload is the elements. It is an error if another program could not decode
// the payload: masks replace elements, or a stage has no form elsewhere.
func (d *Descriptor) Transforms() ([]Transform, error) {
	if d.Masks.Any() {
		return nil, fmt.Errorf("masks stand for missing elements")
	}
	if d.DType == Bitmask {
		return nil, fmt.Errorf("elements are bits")
	}
	stages, err := pipelineStages(d.Encoding, d.Filter, d.Compression)
	if err != nil {
		return nil, err
	}
	var list []Transform
	for _, s := range stages {
		if s.name == nameNone {
			continue
		}
		if s.transform == nil {
			return nil, fmt.Errorf("the %s is %s", s.kind, s.name)
		}
		t, err := s.transform(d)
		if err != nil {
			return nil, err
		}
		t.Name = s.name
		list = append(list, t)
	}
	return list, nil
}
