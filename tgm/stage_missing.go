package tgm

// missingStage is a compression of the format that this package does not have.
func missingStage(name string, mask bool) stage {
	s := stage{
		kind:    CompressionStage,
		name:    name,
		missing: true,
		takes:   func(form) error { return unsupported("compression " + name) },
		open:    func(*Descriptor, form) (layer, error) { return layer{}, unsupported("compression " + name) },
	}
	if mask {
		missing := unsupported("mask method " + name)
		s.mask = &maskMethod{
			encode: func(dst []byte, _ *Mask, _ int) ([]byte, map[string]any, error) { return dst, nil, missing },
			decode: func([]byte, int) (*Mask, error) { return nil, missing },
		}
	}
	return s
}
