package tgm

import "fmt"

// String returns the place and the length of the message.
func (m *Message) String() string {
	return fmt.Sprintf("message %d at byte %d: %d bytes", m.Index(), m.Offset(), m.Length())
}

// String returns the name, type and shape of the object, such as "2t float64 [721 1440]". It leaves out parts
// that cannot be read.
func (o *Object) String() string {
	return fmt.Sprintf("object %d: %s %s", o.Index(), o.Name(), o.Descriptor())
}

// String returns the type and the shape that the descriptor has: "float64 [721 1440]".
func (d *Descriptor) String() string {
	return fmt.Sprintf("%v %v", d.DType, d.Shape)
}

// String returns the type and the shape of the array: "float64 [721 1440]".
func (a *Array) String() string {
	return fmt.Sprintf("%v %v", a.DType, a.Shape)
}
