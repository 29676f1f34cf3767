package tgm

// AppendArray encodes an array and adds it with a name as its only metadata.
func (m *MessageWriter) AppendArray(name string, a Array, p Pipeline) error {
	return appendArray(m.Append, name, a, p)
}

// AppendArray encodes an array and writes it with a name as its only metadata.
func (s *StreamWriter) AppendArray(name string, a Array, p Pipeline) error {
	return appendArray(s.Append, name, a, p)
}

func appendArray(appendTo func(*EncodedObject, map[string]any) error, name string, a Array, p Pipeline) error {
	object, err := EncodeArray(a, p)
	if err != nil {
		return err
	}
	return appendTo(object, map[string]any{nameKeys[0]: name})
}

// Named returns the first object of that name in the file. If there is none the error is an
// *ObjectError.
func (f *File) Named(name string) (*Object, error) {
	for m, err := range f.Messages() {
		if err != nil {
			return nil, err
		}
		o, err := m.firstNamed(name)
		if o != nil || err != nil {
			return o, err
		}
	}
	return nil, objectError(nowhere, "no object is named %q", name)
}

// Named returns the first object of that name. If there is none the error is an *ObjectError.
func (m *Message) Named(name string) (*Object, error) {
	o, err := m.firstNamed(name)
	if o == nil && err == nil {
		err = objectError(m.at(-1, m.offset), "no object is named %q", name)
	}
	return o, err
}

// firstNamed returns the first object of that name, or nil.
func (m *Message) firstNamed(name string) (*Object, error) {
	for o, err := range m.Objects() {
		if err != nil {
			return nil, err
		}
		if o.Name() == name {
			return o, nil
		}
	}
	return nil, nil
}
