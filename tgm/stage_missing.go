package tgm

// missingStage is a compression of the format that this package does not have.
func missingStage(name string) stage {
	return stage{
		kind:    CompressionStage,
		name:    name,
		missing: true,
		takes:   func(form) error { return unsupported("compression " + name) },
		open:    func(*Descriptor, form) (layer, error) { return layer{}, unsupported("compression " + name) },
	}
}
