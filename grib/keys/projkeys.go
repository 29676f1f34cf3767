package keys

// projClass is the PROJ string of a grid.
type projClass struct{ computedText }

func (projClass) str(*Handle, *accessor) (string, error) { return "", ErrNotImplemented }
